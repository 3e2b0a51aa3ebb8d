"""Lines typed at a prompt of strike's own: the prompt's text, history, Tab."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..kernel.facts import waiting_in
from ..problems import Problem
from ..registry.scenes import scenes_under_way
from ..safe_reading import printable
from ..terminal.encoding import decode_typed
from ..terminal.scene_view import prompt_of
from .tab_completion import complete_word
from .typed_line import LEAVE

if TYPE_CHECKING:
    from ..campaign import Campaign

HISTORY_LINES = 2000


def lines_typed(folder: Path) -> Iterator[str]:
    """Yield the lines typed, until the end of input. Ctrl-C drops the unfinished line."""
    while True:
        try:
            line = decode_typed(input(_prompt(folder))).strip()
        except EOFError:
            sys.stdout.write("\n")
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            continue
        if line in LEAVE:
            return
        if line and not line.startswith("#"):
            yield line


def _prompt(folder: Path) -> str:
    """Return the prompt before a line: the current turn, or an open decision and `?`, else only `>`."""
    from ..campaign import Campaign

    try:
        with Campaign(folder) as campaign:
            sign = " ? " if campaign.state.get("pending") else "> "
            return printable(scene_of(campaign)).replace("\n", " ") + _unreachable_targets(campaign) + sign
    except (Problem, OSError):
        return "> "


def _unreachable_targets(campaign: Campaign) -> str:
    """Return a mark that names the targets with `auto` that are unreachable; "" where there are none."""
    from strike_bridge.target_status import unreachable_targets

    down = unreachable_targets(campaign.folder, campaign.book.targets)
    return f" !{', '.join(down)}" if down else ""


def scene_of(campaign: Campaign) -> str:
    """Return the newest scene in a few words, `round 2, vex`, or an open decision; "" without one."""
    for item in reversed(list(waiting_in(campaign.state).values())):
        return f"{item['who']}: {'/'.join(item['options'][:6])}"
    scenes = scenes_under_way(campaign.state)
    return prompt_of(scenes[-1]) if scenes else ""


@contextlib.contextmanager
def line_editing(folder: Path) -> Iterator[bool]:
    """Set up history and completion, which Python lacks on Windows. Yields whether Tab completes."""
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
    """The completer for Tab, with the same completions as after `strike` in the user's own shell."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def __call__(self, text: str, number: int) -> str | None:
        if number == 0:
            import readline

            self._found = complete_word(readline.get_line_buffer()[: readline.get_begidx()], text)
        return self._found[number] if number < len(self._found) else None
