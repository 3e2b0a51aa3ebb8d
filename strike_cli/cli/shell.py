"""`strike shell`: command after command in one process, as one types them at a table."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..command_line import OWN_PROMPT
from ..kernel.facts import waiting_in
from ..problems import Problem, Usage
from ..reading import printable
from ..registry.scenes import under_way
from ..session.typed_line import HELP_ME, LEAVE, Asides, command_typed
from ..terminal.encoding import as_typed
from ..terminal.invocation import ASK, Invocation
from ..terminal.nouns import choice
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, complain, say, show
from ..terminal.scene_view import prompt_of
from ..words import as_word, words_of

if TYPE_CHECKING:
    from ..campaign import Campaign

app = new_app()

NOT_HERE = ("shell", "demo", "batch")
HISTORY_LINES = 2000
HINT = (
    "Beginnings of words will do, and labels of the map and parts of names. In somebody's turn you may leave "
    "their name out. `help attack` tells more of a command."
)


@app.callback()
def _group() -> None:
    """Command after command, without `strike` in front."""


@command(app, "shell", kind="reads")
def shell(
    options: Options,
    dice: Annotated[
        str, typer.Option("--dice", metavar=choice("ask"), help="Ask for the faces of every roll.")
    ] = "",
) -> Result:
    """Play from a prompt: commands as usual, without `strike` in front and with no start to wait for.

    Tab completes (not on Windows: strike play does), the arrow keys go back to earlier lines, quit leaves.
    Other terminals may play the same campaign meanwhile. For a script there is `strike batch`.

    Example: `strike shell`
    """
    if dice not in ("", ASK):
        raise Usage(f"--dice {dice}: a shell knows `--dice ask`.", "Or give faces after a command.")
    if options.json:
        raise Usage("A shell prints for people.", "`strike batch FILE --json` is for programs.")
    with options.campaign() as campaign:
        folder, name = campaign.folder, campaign.book.name
    # What asks for the campaign on its own, such as completion, finds the one that this shell is about.
    os.environ["STRIKE_CAMPAIGN"] = str(folder)
    count = 0
    invocation = Invocation(str(folder), dice=dice, typed=OWN_PROMPT)
    with line_editing(folder) as completes:
        tab = "Tab completes, " if completes else ""
        say(f"{printable(name)}. Commands without `strike`; {tab}`help` lists them, `quit` leaves.\n")
        for line in lines_typed(folder):
            count += run_line(invocation, line, options.plain)
    return Result("shell", {"ran": count}, [])


def lines_typed(folder: Path) -> Iterator[str]:
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


def run_line(invocation: Invocation, line: str, plain: bool) -> int:
    """Run a line; 1 for a command, 0 for what is none."""
    from .app import run

    folder = Path(str(invocation.folder))
    try:
        words = command_typed(folder, line, NOT_HERE)
    except Usage as problem:
        complain(invocation.typed.prose(f"{problem.message} {problem.hint}".strip()))
        return 0
    if words == [HELP_ME]:
        show(Result("help", None, short_help(folder)), plain=plain, typed=invocation.typed)
    if not words or words == [HELP_ME]:
        return 0
    asides = Asides(folder)
    with contextlib.suppress(KeyboardInterrupt):
        run(
            [*words, *(["--plain"] if plain and "--help" not in words else [])],
            invocation._replace(aside=asides),
        )
    return 1 + play_asides(invocation, asides.lines, plain)


def play_asides(invocation: Invocation, lines: Sequence[str], plain: bool) -> int:
    """Play what was typed at a question, which stays open, and put the question again. Return how many
    commands that were."""
    from ..campaign import Campaign
    from ..terminal.result import pending_lines

    if not lines:
        return 0
    count = sum(run_line(invocation, line, plain) for line in lines)
    with contextlib.suppress(Problem, OSError), Campaign(Path(str(invocation.folder))) as campaign:
        for item in list(waiting_in(campaign.state).values())[-1:]:
            show(Result("shell", None, list(pending_lines(item))), plain=plain, typed=invocation.typed)
    return count


def _prompt(folder: Path) -> str:
    """What the scene waits for, before every line: whose turn, an open decision, which ends in `?`, else
    nothing but `>`."""
    from ..campaign import Campaign

    try:
        with Campaign(folder) as campaign:
            sign = " ? " if campaign.state.get("pending") else "> "
            return printable(scene_of(campaign)).replace("\n", " ") + _unheard(campaign) + sign
    except (Problem, OSError):
        return "> "


def _unheard(campaign: Campaign) -> str:
    """The targets with `auto` that have been told nothing for a while."""
    from strike_bridge.standing import unheard

    down = unheard(campaign.folder, campaign.book.targets)
    return f" !{', '.join(down)}" if down else ""


def short_help(folder: Path) -> list[Block]:
    """What may be typed for short, as things stand."""
    from ..session.catalogue import verbs_of
    from ..session.shorthand import Spoken

    spoken = Spoken(Invocation(str(folder)), verbs_of)
    blocks: list[Block] = []
    for system in spoken.systems:
        blocks.append([(f"{system.title}: ", "dim"), ", ".join(verbs_of(system.name))])
    letters = [f"{short} {verb}" for short, verb in spoken.shorts().items() if short != verb.split()[-1]]
    blocks.append([("For short: ", "dim"), ", ".join(letters)])
    if spoken.aliases:
        pairs = (f"{name} = {text}" for name, text in spoken.aliases.items())
        blocks.append([("Aliases: ", "dim"), "; ".join(pairs)])
    blocks.append(HINT)
    return blocks


def scene_of(campaign: Campaign) -> str:
    """The newest scene in a few words, for a prompt: `round 2, vex`; an open decision; empty where there is
    none."""
    for item in reversed(list(waiting_in(campaign.state).values())):
        return f"{item['who']}: {'/'.join(item['options'][:6])}"
    scenes = under_way(campaign.state)
    return prompt_of(scenes[-1]) if scenes else ""


@contextlib.contextmanager
def line_editing(folder: Path) -> Iterator[bool]:
    """History and completion, where Python has them: on Windows it has not. Yields whether Tab completes."""
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
    """Where the lines typed in a campaign are kept."""
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


def line_completions(line: str, folder: Path) -> list[str]:
    """What could stand in the place of the last word of a line, in the campaign of a folder."""
    before, space, last = line.rpartition(" ")
    return completions(before + space, last, str(folder))


def completions(before: str, incomplete: str, folder: str = "") -> list[str]:
    """What could stand in the place of `incomplete`, after what is typed before it."""
    from .tab import found

    try:
        words = words_of(before)
    except ValueError:  # within quotes
        return []
    return [f"{as_word(word)} " for word in found(words, incomplete, folder).words]
