"""Upgrade a campaign's folder that was made by an earlier version of strike.

First a backup is made. The upgrade is optional, since strike can play the campaign without it. Of
campaign.toml, only the list of plugins is changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from strike_cli.refusals import Unreadable

from ..command_line_splitting import quote_word_if_needed
from ..problems import Problem, listed
from . import file_access
from . import state_file as state_file
from .backup import back_up
from .create import GITATTRIBUTES, GITIGNORE


class OutdatedFile(NamedTuple):
    """A file that this version of strike would write differently.

    It has the new content, and a text on what is new in it.
    """

    name: str
    text: bytes
    what: str


def find_outdated_files(folder: Path) -> list[OutdatedFile]:
    """Return the files in a campaign's folder that this version of strike would write differently.

    Raises CampaignProblem if the campaign's state can't be read.
    """
    found = [
        *_file_with_missing_lines(folder, ".gitattributes", GITATTRIBUTES),
        *_file_with_missing_lines(folder, ".gitignore", GITIGNORE),
        *_campaign_file_with_plugins(folder),
    ]
    kept = state_file.read_state_file(folder)
    if kept is not None and not kept.edited:  # the next command records an edit
        text = state_file.render_state(kept.head, kept.state)
        if text != (folder / state_file.STATE_FILE).read_bytes():
            found.append(OutdatedFile(state_file.STATE_FILE, text, "rewritten in the newest form"))
    return found


def back_up_and_upgrade_files(folder: Path) -> list[str]:
    """Back up the campaign and rewrite its outdated files.

    Return a line for each thing done, the backup first. If no file is outdated, nothing is done, and the
    result is empty. Raises CampaignProblem if a file can't be read or written.
    """
    lock = file_access.Lock(folder)
    lock.acquire()
    try:
        changes = find_outdated_files(folder)
        if not changes:
            return []
        copy = back_up(folder, locked=True).file
        for change in changes:
            file_access.write_user_file_below(folder, Path(change.name), change.text)
        kept = f"{copy} has the files as they were: `strike restore` unpacks it."
        lines = [kept, *(f"{each.name}: {each.what}." for each in changes)]
        return [*lines, *_advice_to_untrack_state(folder, changes)]
    except OSError as error:
        raise file_access.unwritable_problem(folder, error) from None
    finally:
        lock.release()


def _campaign_file_with_plugins(folder: Path) -> Iterator[OutdatedFile]:
    """Yield campaign.toml with the missing plugins added to its list of plugins.

    If the file has no such list, a list is added. Nothing is yielded if no plugin is missing. Nothing is
    yielded if the list contains anything but names; a person has to correct such a list.
    """
    from ..content import CAMPAIGN_FILE
    from ..content.compiler import PluginsUnlisted
    from ..content.merged_content import open_book

    try:
        lacking: Sequence[str] = open_book(folder).unlisted
    except PluginsUnlisted as problem:
        lacking = problem.plugins
    except Problem:  # `doctor` reports it
        return
    text = (folder / CAMPAIGN_FILE).read_bytes().decode() if lacking else ""
    names = ", ".join(f'"{name}"' for name in lacking)
    if found := re.search(r"^(plugins\s*=\s*\[[^]#]*?),?(\s*\])", text, re.MULTILINE):
        comma = "" if found[1].endswith("[") else ", "
        text = f"{text[: found.start()]}{found[1]}{comma}{names}{found[2]}{text[found.end() :]}"
    elif re.search(r"^plugins\b", text, re.MULTILINE) or not lacking:
        return
    else:
        line = rf"\g<0>\nplugins = [{names}]"
        text = re.sub(r"^schema\s*=.*?$", line, text, count=1, flags=re.MULTILINE)
    yield OutdatedFile(CAMPAIGN_FILE, text.encode(), f"lists the plugins in use: {listed(lacking)}")


def _advice_to_untrack_state(folder: Path, changes: Iterable[OutdatedFile]) -> Iterator[str]:
    """Yield the advice to remove state.toml from git.

    The advice is given if the folder is in a git repository and `changes` make git ignore state.toml. Strike
    itself never runs git.
    """
    within = folder.resolve()
    in_git = any(os.path.lexists(each / ".git") for each in (within, *within.parents))
    if in_git and any(
        change.name == ".gitignore" and state_file.STATE_FILE in change.what for change in changes
    ):
        typed = f"git -C {quote_word_if_needed(str(folder))} rm --cached {state_file.STATE_FILE}"
        yield f"{state_file.STATE_FILE} is made from the journal. If git has it, take it out: `{typed}`"


def _file_with_missing_lines(folder: Path, name: str, required_lines: str) -> Iterator[OutdatedFile]:
    """Yield the file `name` with the missing lines of `required_lines` added at its end.

    Nothing is yielded if no line is missing. If the file doesn't exist, a new file with all of
    `required_lines` is yielded. Comments in `required_lines` don't count as missing lines.
    """
    try:
        text = file_access.read_plain_file(folder / name, state_file.LARGEST).decode()
    except FileNotFoundError:
        lines = [line for line in required_lines.splitlines() if line[:1] != "#"]
        yield OutdatedFile(name, required_lines.encode(), f"is new, with {', '.join(lines)}")
        return
    except (OSError, UnicodeError) as error:
        raise Unreadable(name, error, "Fix it, or move it away.") from None
    lines = [
        line for line in required_lines.splitlines() if line not in text.splitlines() and line[:1] != "#"
    ]
    if lines:
        begin = text if not text or text.endswith("\n") else f"{text}\n"
        text = begin + "".join(f"{line}\n" for line in lines)
        yield OutdatedFile(name, text.encode(), f"has {', '.join(lines)} too")
