"""Reads lines at strike's own prompt, with its text, history and Tab completion."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..kernel.state_changes import pending_decisions_in
from ..problems import Problem
from ..registry.scenes_and_decisions_in_state import scenes_under_way
from ..terminal.scene_view import prompt_words_of_scene
from ..terminal.stream_encoding import decode_typed
from ..untrusted_input import replace_unprintable
from .tab_completion import quoted_completions_with_blank
from .typed_line import LEAVE_WORDS

if TYPE_CHECKING:
    from ..campaign import Campaign

HISTORY_LINES = 2000


def read_typed_lines_until_exit(folder: Path) -> Iterator[str]:
    """Yield the lines typed, until the end of input or a word such as `exit`.

    Ctrl-C drops the unfinished line. Empty lines and comments (`#`) are skipped.
    """
    while True:
        try:
            line = decode_typed(input(_prompt_text(folder))).strip()
        except EOFError:
            sys.stdout.write("\n")
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            continue
        if line in LEAVE_WORDS:
            return
        if line and not line.startswith("#"):
            yield line


def _prompt_text(folder: Path) -> str:
    """Return the prompt: the current scene and turn, or the open decision, then `>` or `?`."""
    from ..campaign import Campaign

    try:
        with Campaign(folder) as campaign:
            sign = " ? " if campaign.state.get("pending") else "> "
            return (
                replace_unprintable(decision_or_scene_for_prompt(campaign)).replace("\n", " ")
                + _down_auto_targets_mark(campaign)
                + sign
            )
    except (Problem, OSError):
        return "> "


def _down_auto_targets_mark(campaign: Campaign) -> str:
    """Return the prompt's mark for targets that can't be reached, with their names; "" if there are none.

    Only automatically updated targets are named.
    """
    from strike_bridge.target_outages import auto_targets_down_over_a_minute

    down = auto_targets_down_over_a_minute(campaign.folder, campaign.book.targets)
    return f" !{', '.join(down)}" if down else ""


def decision_or_scene_for_prompt(campaign: Campaign) -> str:
    """Return a few words for the prompt: the newest open decision or, without one, the newest scene.

    An example is `round 2, vex`. If there is neither, return "".
    """
    for item in reversed(list(pending_decisions_in(campaign.state).values())):
        return f"{item['who']}: {'/'.join(item['options'][:6])}"
    scenes = scenes_under_way(campaign.state)
    return prompt_words_of_scene(scenes[-1]) if scenes else ""


@contextlib.contextmanager
def set_up_line_editing(folder: Path) -> Iterator[bool]:
    """Set up the history of typed lines, and completion by Tab, until the `with` block ends.

    Yields whether that worked. Without Python's module `readline`, as on Windows, there is neither.
    """
    try:
        import readline
    except ImportError:
        yield False
        return
    file = history_file(folder)
    with contextlib.suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(HISTORY_LINES)
    readline.set_completer_delims(" \t\n")
    readline.set_completer(_Completer())
    # libedit, which stands in for readline on some systems, has words of its own for this.
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield True
    finally:
        readline.set_completer(None)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(file)


def history_file(folder: Path) -> Path:
    """Return the file for the history of lines typed in a campaign."""
    from zlib import crc32

    base = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(base).expanduser() / "strike" / f"history-{crc32(str(folder.resolve()).encode()):08x}"


class _Completer:
    """The completion of words at strike's prompt.

    It completes the same words as the user's shell does in a command line that begins with `strike`.
    """

    def __init__(self) -> None:
        self._found: list[str] = []

    def __call__(self, text: str, number: int) -> str | None:
        if number == 0:
            import readline

            self._found = quoted_completions_with_blank(
                readline.get_line_buffer()[: readline.get_begidx()], text
            )
        return self._found[number] if number < len(self._found) else None
