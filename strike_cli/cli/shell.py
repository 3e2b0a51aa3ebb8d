"""`strike shell`: command after command in one process, as one types them at a table."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..problems import Problem, Usage, printable
from ..registry.scenes import scenes_of
from ..terminal.encoding import as_typed
from ..terminal.options import Options, command, new_app
from ..terminal.result import Result, complain, say
from ..terminal.scene_view import prompt_of

if TYPE_CHECKING:
    from ..campaign import Campaign

app = new_app()

LEAVE = ("exit", "quit", "bye")
NOT_HERE = ("shell", "demo", "batch")
HISTORY_LINES = 2000


@app.callback()
def _group() -> None:
    """Command after command, without `strike` in front."""


@command(app, "shell", kind="reads")
def shell(options: Options) -> Result:
    """Play from a prompt: commands as usual, without `strike` in front and with no start to wait for.

    Tab completes, the arrow keys go back to earlier lines, Ctrl-D leaves. Other terminals may play the same
    campaign meanwhile. For a script there is `strike batch`.

    Example: `strike shell`
    """
    if options.json:
        raise Usage("A shell prints for people.", "`strike batch FILE --json` is for programs.")
    with options.campaign() as campaign:
        folder, name = campaign.folder, campaign.book.name
    say(f"{printable(name)}. Commands without `strike`; Tab completes, `help` lists them, Ctrl-D leaves.\n")
    # What asks for the campaign on its own, such as completion, finds the one that this shell is about.
    os.environ["STRIKE_CAMPAIGN"] = str(folder)
    count = 0
    with _line_editing(folder):
        for line in _lines(folder):
            count += _run(folder, line, options.plain)
    return Result("shell", {"ran": count}, [])


def _lines(folder: Path) -> Iterator[str]:
    """The lines typed, until the end of them. Ctrl-C drops the one being typed."""
    while True:
        try:
            line = as_typed(input(_prompt(folder))).strip()
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


def _run(folder: Path, line: str, plain: bool) -> int:
    """Run a line; 1 for a command, 0 for what is none."""
    from .app import run

    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        complain(f"{error}. Quotes come in pairs.")
        return 0
    if words[:1] == ["strike"]:
        words = words[1:]
    if not words or words in (["help"], ["?"]):
        words = ["--help"]
    if words[0] in NOT_HERE:
        complain(f"`{words[0]}` isn't played from a shell.")
        return 0
    with contextlib.suppress(KeyboardInterrupt):
        run(["-C", str(folder), *words, *(["--plain"] if plain and "--help" not in words else [])])
    return 1


def _prompt(folder: Path) -> str:
    """What the scene waits for, before every line: whose turn, an open decision, else nothing but `>`."""
    from ..campaign import Campaign

    try:
        with Campaign(folder) as campaign:
            return printable(scene_of(campaign)).replace("\n", " ") + "> "
    except (Problem, OSError):
        return "> "


def scene_of(campaign: Campaign) -> str:
    """The newest scene in a few words, for a prompt: `round 2, vex`; an open decision; empty where there is
    none."""
    for item in campaign.state.get("pending", {}).values():
        return f"{item['who']}: {'/'.join(item['options'][:6])}"
    scenes = scenes_of(campaign.state)
    return prompt_of(scenes[-1]) if scenes else ""


@contextlib.contextmanager
def _line_editing(folder: Path) -> Iterator[None]:
    """History and completion, where the system has them."""
    try:
        import readline
    except ImportError:  # not on every system
        yield
        return
    file = _history_file(folder)
    with contextlib.suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(HISTORY_LINES)
    readline.set_completer_delims(" \t\n")
    readline.set_completer(_Completer())
    # libedit, which stands in for readline on some systems, has words of its own for this.
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(file)


def _history_file(folder: Path) -> Path:
    from zlib import crc32

    base = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(base).expanduser() / "strike" / f"history-{crc32(str(folder.resolve()).encode()):08x}"


class _Completer:
    """What Tab offers, the same as after `strike` in the user's own shell."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def __call__(self, text: str, number: int) -> str | None:
        if number == 0:
            import readline

            self._found = completions(readline.get_line_buffer()[: readline.get_begidx()], text)
        return self._found[number] if number < len(self._found) else None


def completions(before: str, incomplete: str) -> list[str]:
    """What could stand in the place of `incomplete`, after what is typed before it."""
    from typer._completion_classes import ZshComplete

    from .app import root_command

    try:
        words = shlex.split(before)
    except ValueError:  # within quotes
        return []
    # Any shell's will do: what could follow is the same for all.
    complete = ZshComplete(root_command(), {}, "strike", "_STRIKE_COMPLETE")
    return [f"{item.value} " for item in complete.get_completions(words, incomplete) if item.type == "plain"]
