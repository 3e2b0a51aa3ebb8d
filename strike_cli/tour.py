"""`strike tour`: lessons played by hand, in a campaign of their own.

The lessons are data (`read_lessons`); this module defines their form, and compares typed lines with them.
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from .problems import PENDING_EXIT_CODE, BridgeProblem, Problem, Usage
from .session.line_running import play_line
from .session.session import Session
from .session.typed_line import OWN_TERMINAL, command_words_of_line
from .terminal.argument_names import FOLDER
from .terminal.commands_and_options import Options, command, new_app
from .terminal.invocation import UNATTENDED
from .terminal.result import Line, Result, print_error, print_result

if TYPE_CHECKING:
    from typing import TypedDict

    class _StepWritten(TypedDict, total=False):
        say: str
        type: str
        then: str
        otherwise: str
        args: Mapping[str, object]
        dice: Sequence[int]
        waits: bool
        before: Sequence[str]

    class _LessonWritten(TypedDict):
        title: str
        steps: Sequence[_StepWritten]

    class _TourFile(TypedDict):
        lessons: Sequence[_LessonWritten]


app = new_app("The tour.")

LESSONS = Path(__file__).parent / "systems" / "tour.toml"
SEED = 2
"""The seed of the tour, so that everybody's first roll is the one that the lesson describes."""
SKIP, AGAIN = "skip", "again"
"""The words typed to have a step played, and to have it explained again."""
TABLE = "table"
"""The command that the tour runs itself: it serves until Ctrl-C, and here stays up beside the lessons."""
NOT_HERE = (*(each for each in OWN_TERMINAL if each != TABLE), "new")
WIDTH = 78


class TourStep(NamedTuple):
    """A line to type in a lesson, with a text before it (`say`) and a text after it (`then`).

    `type` is a line that completes the step. Another line also does if it is the same command, and records
    the same `args` and `dice`. `otherwise` says what matters; it is shown to somebody who types a line that
    doesn't complete the step. `waits` says whether a decision is open after the step. `before` has lines that
    are played first, without being shown.
    """

    say: str
    type: str
    then: str
    otherwise: str = ""
    args: Mapping[str, object] = {}
    dice: Sequence[int] = ()
    waits: bool = False
    before: Sequence[str] = ()


class Lesson(NamedTuple):
    """A lesson of the tour: a title and its steps."""

    title: str
    steps: Sequence[TourStep]


def read_lessons(file: Path) -> list[Lesson]:
    """Return the lessons in a TOML file, in order. Raises PluginProblem for a mistake in it."""
    from .untrusted_data_reader import parse_bundled_tables

    told = cast("_TourFile", parse_bundled_tables(file.read_text("utf-8"), str(file)))
    return [Lesson(each["title"], [TourStep(**step) for step in each["steps"]]) for each in told["lessons"]]


@command(app, "tour", kind="reads")
def tour(
    options: Options,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar=FOLDER, help="Keep the campaign in this folder.")
    ] = None,
) -> Result:
    """Play for ten minutes in a campaign of its own: a roll, a Cost, a fight, undo, the table.

    Each step says what to type, checks it, and explains it. `skip` plays a step for you, `again` repeats it,
    Ctrl-D leaves. A script may come on stdin, one line a step.

    Example: `strike tour`
    """
    if options.json:
        raise Usage("A tour is for people.", "`strike batch FILE --json` plays a script for a program.")
    from .campaign.create import create_campaign

    with contextlib.ExitStack() as stack:
        if keep is None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="strike-tour-"))
            folder = Path(scratch) / "campaign"
        else:
            folder = Path(keep)
        create_campaign(folder, seed=SEED)
        guide = Guide(folder, read_lessons(LESSONS), options.plain, stack)
        return _tour_result(guide, guide.play_lessons(), keep)


def _tour_result(guide: Guide, done: int, keep: str | None) -> Result:
    count = sum(len(lesson.steps) for lesson in guide.lessons)
    whole = done == count
    lines: list[Line] = [
        "",
        ("That was the tour." if whole else f"The tour ends here, after {done} of {count} steps.", "title"),
    ]
    if keep is not None:
        lines.append(["Play on: ", (f"strike -C {keep} shell", "command")])
    lines += [
        ["A campaign of your own:   ", ("strike new my-campaign", "command")],
        ["These always work: ", ("strike help now", "command"), ", ", ("strike help", "command")],
    ]
    return Result("tour", {"steps": count, "done": done}, lines)


class Guide:
    """The guide that shows the steps of the tour, and checks that each is done.

    Commands that don't complete a step are played too, and then undone, so that at a step everybody has the
    same campaign.
    """

    def __init__(
        self, folder: Path, lessons: Sequence[Lesson], plain: bool, stack: contextlib.ExitStack
    ) -> None:
        self.folder = folder
        self.game = Session(folder)
        self.lessons = lessons
        self.plain = plain
        self._stack = stack
        self._served = False

    def play_lessons(self) -> int:
        """Play all lessons, as long as lines are typed; return the number of steps done."""
        from .session.prompt import read_typed_lines, set_up_line_editing

        done = 0
        with set_up_line_editing(self.folder):
            lines = read_typed_lines(self.folder)
            for number, lesson in enumerate(self.lessons, 1):
                self._print_lines("", (f"{number} of {len(self.lessons)}  {lesson.title}", "title"))
                for step in lesson.steps:
                    for line in step.before:
                        with contextlib.suppress(Problem):
                            self.game.result(command_words_of_line(self.folder, line, ()), UNATTENDED)
                    if not self._play_step(step, lines):
                        return done
                    done += 1
        return done

    def _play_step(self, step: TourStep, lines: Iterator[str]) -> bool:
        """Explain a step until it is done; return False if there are no more typed lines."""
        self._show_step(step)
        for line in lines:
            if not sys.stdin.isatty():  # a script's lines are to be seen, too
                self._print_lines(line)
            if line == AGAIN:
                self._show_step(step)
                continue
            wrong = self._try_line(step, step.type if line == SKIP else line)
            if wrong is None:
                self._print_lines("", *_wrap_paragraphs(step.then))
                return True
            self._print_lines("", *_wrap_paragraphs(wrong), _line_to_type(step))
        return False

    def _show_step(self, step: TourStep) -> None:
        self._print_lines("", *_wrap_paragraphs(step.say), _line_to_type(step))

    def _try_line(self, step: TourStep, line: str) -> str | None:
        """Play a typed line; return None if the line completes the step.

        Otherwise return a remark on the line, which may be "".
        """
        from .session.command_catalogue import expand_short_line, find_command_in_line

        here = UNATTENDED._replace(folder=str(self.folder), plain=self.plain)
        try:
            words = command_words_of_line(self.folder, line, NOT_HERE)
            asked = find_command_in_line(
                expand_short_line(command_words_of_line(self.folder, step.type, ()), here)
            )[1]
            did = find_command_in_line(expand_short_line(words, here))[1] if words else []
        except Usage as problem:
            print_error(f"{problem.message} {problem.hint}".strip())
            return ""
        if not words:
            return ""
        if did == [TABLE]:
            return self._start_table() if did == asked else _LATER
        before = self.game.opened().head
        code = play_line(words, here)
        if code not in (0, PENDING_EXIT_CODE):
            return _REFUSED + _reminder(step)
        after = self.game.opened()
        entries = [entry for entry, _, _ in after.journal.entries_since(before.end)]
        wrong = _remark_on(step, did == asked, code, entries)
        if wrong is not None:
            commands = after.head.commands - before.commands
            with contextlib.suppress(Problem):
                if commands > 0:
                    self.game.undo(commands)
                elif commands < 0:
                    self.game.redo(-commands)
            return f"{wrong} {_TAKEN_BACK}" if entries else wrong
        return None

    def _start_table(self) -> str | None:
        """Start the table if it isn't running yet; it then runs until the tour ends.

        If the table can't be started, say so and go on. The result is always None: the step counts as done
        either way.
        """
        from .systems.campaign.commands.table import OWN, PORT, PortTaken, running_bridge, running_table

        if self._served:
            return None
        target, title = self.game.book.targets.get(TABLE, OWN), self.game.name
        try:
            try:
                running = self._stack.enter_context(running_table(self.folder, title, port=PORT))
            except PortTaken:
                running = self._stack.enter_context(running_table(self.folder, title, port=0))
        except BridgeProblem as problem:
            self._print_lines((f"{problem.message} {problem.hint}", "warn"), "The tour goes on without it.")
            return None
        self._stack.enter_context(running_bridge(self.folder, running, target))
        self._served = True
        self._print_lines([("The table is ready: open ", ""), (running.url, "strong"), " in a browser."])
        return None

    def _print_lines(self, *lines: Line) -> None:
        print_result(Result("tour", None, lines), plain=self.plain)


_LATER = "The table comes later in the tour."
_REFUSED = "A refused command changes nothing. The line above says why."
_TAKEN_BACK = "It was undone, so that the tour can go on."


def _remark_on(step: TourStep, same: bool, code: int, entries: Sequence[Mapping[str, object]]) -> str | None:
    """Return a remark on a line that was played; None if the line completes the step.

    "" means that there is nothing to remark on. `same` is True if the line is the command of the step. `code`
    is the line's exit code, and `entries` are the journal entries that the line made.
    """
    if not same and not entries:
        return ""  # looking around is allowed
    if not same:
        return "That works, but this step is about something else." + _reminder(step)
    last: Mapping[str, object] = entries[-1] if entries else {}
    given = last.get("args", {})
    args: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    answers = cast("Sequence[tuple[str, object]]", last.get("answers", ()))
    faces = [face for _, answer in answers if isinstance(answer, list) for face in answer]
    if any(args.get(key) != value for key, value in step.args.items()):
        return "The right command, but not the one this step needs." + _reminder(step)
    if step.dice and faces != list(step.dice):
        return f"Other dice fell: {', '.join(map(str, faces))}." + _reminder(step)
    if (code == PENDING_EXIT_CODE) != step.waits:
        return "A decision should be open now." if step.waits else "A decision is still open."
    return None


def _reminder(step: TourStep) -> str:
    return f" {step.otherwise}" if step.otherwise else ""


def _line_to_type(step: TourStep) -> Line:
    return [("  type:  ", "dim"), (f"strike {step.type}", "command")]


def _wrap_paragraphs(text: str) -> Iterator[Line]:
    """Yield a text as lines wrapped to WIDTH, with the parts in backticks styled as commands."""
    for number, paragraph in enumerate(text.split("\n\n") if text else ()):
        if number:
            yield ""
        quoted = False
        for row in textwrap.wrap(" ".join(paragraph.split()), WIDTH, break_on_hyphens=False):
            spans: list[tuple[str, str]] = []
            for part in re.split("(`)", row):
                if part == "`":
                    quoted = not quoted
                else:
                    spans.append((part, "command" if quoted else ""))
            yield spans
