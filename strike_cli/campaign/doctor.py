"""The check of a whole campaign: every file, every name, and whether the state fits the journal.

It changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from ..content import CAMPAIGN_FILE
from ..content.merged_content import Book, open_book
from ..content.schemas import CHARACTERS, CREATURES, schemas_of_working_systems
from ..content.system_checks import CheckResult, load_checks
from ..included_and_stray_files import CONFLICT, COPY, read_authored_file, stray_files_and_folders_below
from ..kernel.state_changes import State, apply_changes, look_up
from ..problems import CampaignProblem, ContentProblem, Problem, pluralize
from ..registry import load_usable_systems
from ..tabletop import campaign_pictures
from ..untrusted_input import line_of_deepest_key_found
from . import diverged_copies
from . import state_file as state_file
from .backup import list_backups
from .campaign import Campaign, apply_facts, entry_fits_state, state_differences
from .folder_upgrade import find_outdated_files
from .journal import FOLDER, START, Journal, UnreadableLine
from .journal_entry_format import FIRST
from .journal_repair import describe_repair
from .state_checks import schema_faults, state_faults, state_paths_without_system
from .state_versions import find_version_mismatches


class OptionalExtra(NamedTuple):
    """An extra of pyproject.toml: its name, its modules, and the features that need them.

    The name is the one in `pip install "strike-cli[NAME]"`.
    """

    name: str
    modules: tuple[str, ...]
    needed_by: str


EXTRAS = (
    OptionalExtra("table", ("PIL", "segno", "starlette", "uvicorn"), "`strike table`, `serve`, `demo`"),
    OptionalExtra("play", ("textual",), "`strike play`"),
    OptionalExtra("mcp", ("mcp", "starlette", "uvicorn"), "`strike mcp`"),
    OptionalExtra("pictures", ("PIL",), "maps as pictures on Discord"),
    OptionalExtra("pdf", ("reportlab",), "`strike cheat --pdf`"),
    OptionalExtra("cluster", ("distributed",), "`strike sim run ENCOUNTER --on tcp://HOST:PORT`"),
)


def extras_not_installed() -> list[OptionalExtra]:
    """Return the extras that lack at least one of their modules."""
    return [extra for extra in EXTRAS if not all(map(_is_installed, extra.modules))]


def findings_on_extras_not_installed(book: Book) -> Iterator[tuple[bool, str, str]]:
    """Yield a finding for each extra that isn't installed: `ok`, what is missing, and what to do.

    `ok` is False only if a setting of the campaign needs the extra.
    """
    for extra in extras_not_installed():
        # The key of the campaign that implies one of its commands; "" where none does
        key = "serve.origins" if extra.name == "table" and book.origins else ""
        what = f'the extra "{extra.name}" is not installed, for {extra.needed_by}'
        hint = f'pip install "strike-cli[{extra.name}]"'
        yield (False, f"{CAMPAIGN_FILE}: {key}: {what}", hint) if key else (True, what, hint)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # ValueError: the module in sys.modules has no spec
        return False


def examine_campaign(folder: Path) -> list[CheckResult]:
    """Check a campaign, and return the findings, good and bad.

    If a system's own tables of numbers are faulty, the other checks are left out, since further faults would
    follow from that.
    """
    findings: list[CheckResult] = []
    if not _check_tables_shipped_with_systems(findings):
        return findings  # further faults would follow from these
    book = _open_book_and_report(folder, findings)
    _report_conflicted_copies_and_litter(folder, findings)
    journal_ok = _check_journal(folder, findings)
    if book is not None:
        _check_portraits(folder, book, findings)
        _report_keys_without_effect(folder, book, findings)
        _report_multiline_names(folder, book, findings)
        # Unreadable files are left out of play, and reported here.
        for trouble in book.troubles:
            findings.append(CheckResult(False, str(trouble), "It is left out until it is fixed."))
        _run_system_checks(folder, book, findings)
        for ok, what, hint in findings_on_extras_not_installed(book):
            findings.append(CheckResult(ok, what, hint))
    if book is not None and journal_ok:
        _check_state(folder, book, findings)
    for torn in sorted((folder / "journal").glob("*.torn-*")):
        findings.append(
            CheckResult(True, f"journal/{torn.name}: left by an interrupted command; it is ignored")
        )
    if (folder / "secrets.toml").exists():
        remedy = "`strike players` moves the keys made on this machine, and lists the others."
        findings.append(CheckResult(False, "secrets.toml: keys in a campaign's folder are not used", remedy))
    _report_backup_age(folder, findings)
    _report_outdated_files(folder, findings)
    return findings


def _check_tables_shipped_with_systems(findings: list[CheckResult]) -> bool:
    """Check the tables of numbers that systems ship with; return True if nothing is wrong with them."""
    try:
        for system in load_usable_systems():
            load_checks(system).check_tables()
    except Problem as problem:
        findings.append(CheckResult(False, problem.message, problem.hint))
        return False
    return True


def _open_book_and_report(folder: Path, findings: list[CheckResult]) -> Book | None:
    try:
        book = open_book(folder)
    except ContentProblem as problem:
        for fault in problem.faults:
            findings.append(CheckResult(False, fault))
        return None
    except Problem as problem:
        findings.append(CheckResult(False, problem.message, problem.hint))
        return None
    counts = {
        kind: len(book.table(kind))
        for kind in (CHARACTERS, CREATURES, *schemas_of_working_systems(book.registry).campaign)
    }
    summary = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    findings.append(CheckResult(True, f"{CAMPAIGN_FILE}: {summary or 'nobody yet'}"))
    for line in book.lacking[len(book.set_aside) :]:
        hint = "Install it. Until then its content is left out; everything else can be played."
        findings.append(CheckResult(False, f"{CAMPAIGN_FILE}: {line}", hint))
    for clash in book.clashes:
        findings.append(CheckResult(True, clash, "Give the full id."))
    for plugin in book.plugins:
        name = f"plugin {plugin.origin}" if plugin.distribution else plugin.origin
        hint = "It is switched off until it is fixed." if plugin.broken else ""
        findings.append(CheckResult(not plugin.broken, plugin.broken or name, hint))
    return book


def _check_portraits(folder: Path, book: Book, findings: list[CheckResult]) -> None:
    for kind in (CHARACTERS, CREATURES):
        for id, sheet in book.table(kind).items():
            image = sheet.get("image", "")
            if not image or campaign_pictures.begins_with_https(image):
                continue
            try:
                campaign_pictures.read_campaign_picture(folder, image, campaign_pictures.LARGEST)
            except ValueError as why:
                hint = "Tabletops show initials until it is fixed."
                findings.append(CheckResult(False, f"{kind}.{id}.image: {image} {why}", hint))


def _report_keys_without_effect(folder: Path, book: Book, findings: list[CheckResult]) -> None:
    """Report keys without effect in the campaign's own files, each with its file and line."""
    for system in load_usable_systems(book.registry):
        for place, words, never in load_checks(system).content_without_effect(book):
            if at := _own_file_and_line(folder, book, place.names()):
                findings.append(CheckResult(not never, f"{at}: {place}: {words}", warning=not never))


def _report_multiline_names(folder: Path, book: Book, findings: list[CheckResult]) -> None:
    """Report names with line breaks, which break every table and turn order."""
    for where in book.where:
        kind, _, id = where.partition(".")
        thing = book.table(kind).get(id) if kind in book else None
        name = thing.get("name") if isinstance(thing, Mapping) else None
        if isinstance(name, str) and len(name.splitlines()) > 1:
            at = _own_file_and_line(folder, book, [kind, id, "name"]) or where
            findings.append(
                CheckResult(False, f"{at}: {where}.name has several lines.", "Write the name on one line.")
            )


def _own_file_and_line(folder: Path, book: Book, key_path: Sequence[str]) -> str:
    """Return the file and line of a part of the content; `key_path` are the keys that lead to the part.

    If the line isn't found, only the file is returned. For a part that isn't in one of the campaign's own
    files, "" is returned.
    """
    file = book.where.get(".".join(key_path[:2]), "")
    if (text := _read_campaign_toml_text(folder, file)) is None:
        return ""
    line = line_of_deepest_key_found(text, key_path)
    return f"{file}, line {line}" if line else file


def _run_system_checks(folder: Path, book: Book, findings: list[CheckResult]) -> None:
    """Report the results of the systems' own checks.

    A check that crashes is reported too, and the other checks go on.
    """
    for system in load_usable_systems(book.registry):
        try:
            findings += (
                CheckResult(*looked) for looked in load_checks(system).campaign_results(book, folder)
            )
        except Exception as error:
            what = f"{system.title or system.name} could not be checked: {type(error).__name__}: {error}"
            findings.append(CheckResult(False, what, "Please report it."))


def _read_campaign_toml_text(folder: Path, file: str) -> str | None:
    """Return the text of one of the campaign's TOML files.

    Return None if `file` is no TOML file, or if it can't be read. Files of plugins or of strike itself can't
    be read in this way.
    """
    try:
        return read_authored_file(folder / file).decode("utf-8-sig") if file.endswith(".toml") else None
    except (OSError, ValueError):
        return None


def _report_conflicted_copies_and_litter(folder: Path, findings: list[CheckResult]) -> None:
    """Report conflict copies of git, Dropbox, Syncthing and the like, and other litter."""
    hint = (
        "`strike doctor --mend` keeps one branch; the other becomes a script: `strike batch FILE` plays it."
    )
    try:
        for name in diverged_copies.journal_files_with_git_markers(folder):
            what = f"{FOLDER}/{name} has both sides of a conflict that git could not merge"
            findings.append(CheckResult(False, what, hint))
    except Problem as problem:
        findings.append(CheckResult(False, problem.message, problem.hint))
    for copy in diverged_copies.find_conflict_copies(folder):
        state = copy in diverged_copies.find_conflict_copies_of_state(folder)
        more = "It is ignored; `strike doctor --mend` sets it aside." if state else hint
        findings.append(
            CheckResult(False, f"{copy} is a conflict copy made by a program that syncs files", more)
        )
    known = diverged_copies.find_conflict_copies(folder)
    for place, kind in stray_files_and_folders_below(folder):
        if place in known:
            continue
        copied = kind in (COPY, CONFLICT)
        hint = "Copy what you need into your own file, and move this one away." if copied else ""
        findings.append(
            CheckResult(not copied, f"{place} is {kind}: it doesn't belong to the campaign", hint)
        )


def _check_journal(folder: Path, findings: list[CheckResult]) -> bool:
    journal = Journal(folder)
    state, count = State(), 0
    try:
        for entry, start, _ in journal.checked_entries():
            if "missing_from" in entry:
                findings.append(CheckResult(True, str(entry["facts"][0]["text"])))
            if not entry_fits_state(entry, state):
                raise UnreadableLine(start, "the value it changes was not what it says")
            state, count = apply_facts(state, entry["facts"]), entry["seq"]
        names = journal.file_names()
        torn = {name: tail for name in names if (tail := journal.read_torn_tail(name))}
    except (Problem, OSError) as problem:
        keeps = describe_repair(folder) if isinstance(problem, Problem) else ""
        findings.append(
            CheckResult(False, str(problem), " ".join(filter(None, [getattr(problem, "hint", ""), keeps])))
        )
        return False
    findings.append(
        CheckResult(
            True, f"journal: {pluralize(count, 'entry', 'entries')} in {pluralize(len(names), 'file')}"
        )
    )
    for name, tail in torn.items():
        findings.append(
            CheckResult(
                False,
                f"journal/{name} ends in {len(tail)} bytes of an interrupted command",
                "The next recorded command sets them aside.",
            )
        )
    return True


def _check_state(folder: Path, book: Book, findings: list[CheckResult]) -> None:
    try:
        found = state_file.read_state_file(folder)
        campaign = Campaign(folder)
        _, folded = campaign._replay_journal(until=campaign.head.seq)
    except Problem as problem:
        findings.append(CheckResult(False, problem.message, problem.hint))
        return
    edited = found is not None and found.edited
    if edited:
        findings.append(
            CheckResult(
                False, "state.toml was edited by hand", "The next recorded command journals the edit."
            )
        )
    for path, was, now in () if edited else state_differences(folded, campaign.state):
        words = f"state.toml: {path} is {now!r}, and the journal says {was!r}"
        findings.append(CheckResult(False, words, "Move it away."))
    for path in state_paths_without_system(campaign.state, book):
        by = _last_plugin_to_change(campaign, path) or "a plugin"
        findings.append(
            CheckResult(
                True,
                f"state.toml: {path} is kept for {by}, which is not installed",
                "It returns with the plugin; `strike override PATH none --why TEXT` removes it.",
            )
        )
    for each in find_version_mismatches(campaign.state, book):
        findings.append(CheckResult(False, str(each), each.hint))
    faults = state_faults(campaign.state, book)
    for fault in faults:
        findings.append(CheckResult(False, str(fault), "`strike override PATH VALUE --why TEXT` fixes it."))
    if faults or edited:
        return
    if found is not None:
        findings.append(CheckResult(True, f"state.toml: as of entry {campaign.head.seq}"))
    elif folded:
        findings.append(CheckResult(True, "state.toml: missing, rebuilt"))
    else:
        findings.append(CheckResult(True, "state.toml: made by the first command"))


def _last_plugin_to_change(campaign: Campaign, path: str) -> str:
    """Return the plugin that last changed `path`, or a value in or around it; "" if no plugin did.

    Only commands that the journal attributes to a plugin count. Later changes by other commands make no
    difference.
    """
    found = ""
    for entry, _, _ in campaign.journal.entries_since(START):
        changed = [f"{change[0]}." for fact in entry["facts"] for change in fact["changes"]]
        here = f"{path}."
        if "by" in entry and any(each.startswith(here) or here.startswith(each) for each in changed):
            found = str(entry.get("origin", entry["by"]))
    return found


def _report_backup_age(folder: Path, findings: list[CheckResult]) -> None:
    """Report the age of the newest backup, or that a played campaign has no backup."""
    newest = next(iter(list_backups(folder)), None)
    if newest is not None:
        age = time.time() - newest.stat().st_mtime
        unit, seconds = next((each for each in _UNITS if age >= 2 * each[1]), ("minutes", 60))
        findings.append(
            CheckResult(True, f"the newest backup is {max(0, int(age // seconds))} {unit} old: {newest}")
        )
    elif (folder / FOLDER / FIRST).exists():
        findings.append(
            CheckResult(True, "there is no backup on this computer yet", "`strike backup` makes one.")
        )


_UNITS = (("days", 86400), ("hours", 3600))


def _report_outdated_files(folder: Path, findings: list[CheckResult]) -> None:
    """Report files that this version of strike would write differently.

    The campaign can still be played with these files.
    """
    try:
        names = [change.name for change in find_outdated_files(folder)]
    except (Problem, OSError):
        return  # reported by the check of the state
    if names:
        what = f"this version has newer forms of {', '.join(names)}"
        hint = "The campaign plays on as it is. `strike doctor --upgrade` updates them, and keeps a copy."
        findings.append(CheckResult(True, what, hint))


def find_stored_data_problem(folder: Path) -> CampaignProblem | None:
    """Return a problem that lists the faults of the stored state and journal; None if there are none.

    It is called only after an unexpected failure, to explain it. Without a fault, the failure is a bug of
    strike itself. A check of all data before every command would take longer than the command.
    """
    try:
        campaign = Campaign(folder)
        faults = state_faults(campaign.state, campaign.book) or _describe_stored_data_fault(campaign)
    except Problem as problem:
        return CampaignProblem(problem.message, problem.hint)
    if not faults:
        return None
    return CampaignProblem(
        "\n".join(["The campaign can't be played on: its files have faults.", *map(str, faults[:8])]),
        "`strike doctor` names them all; `strike override PATH VALUE --why TEXT` and `strike undo` fix it.",
    )


def _describe_stored_data_fault(campaign: Campaign) -> list[str]:
    """Return a description of the first fault in the stored data, as lines; [] if there is none.

    The journal is checked first. The lines about a faulty entry say where it is and what is wrong. If all
    entries are sound, there is a line for each difference between state.toml and the journal.
    """
    state: State = {}
    for entry, (name, offset), _ in campaign.journal.entries_since(START):
        for fact in entry["facts"]:
            touched = set()
            for path, before, after in fact["changes"]:
                if look_up(state, path) != before:
                    return [f"journal/{name}, byte {offset}: {path} was not {before!r} before entry "
                            f"{entry['seq']}"]  # fmt: skip
                state = apply_changes(state, [(path, None, after)])
                touched.add(path.partition(".")[0])
            if faults := schema_faults({key: state[key] for key in touched & state.keys()}, campaign.book):
                where = f"journal/{name}, byte {offset}"
                return [f"{where}: the content of entry {entry['seq']} is in a wrong form", *map(str, faults)]
    return [
        f"{state_file.STATE_FILE}: {path} is {now!r}, and the journal says {was!r}"
        for path, was, now in state_differences(state, campaign.state)
    ]
