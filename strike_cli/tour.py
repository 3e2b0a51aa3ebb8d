"""The lessons of `strike tour`, which the user plays by typing, in a campaign made for the tour.

The lessons are data (`read_lessons`). This module defines their form, and compares typed lines with them.
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

from .command_line_splitting import quote_word_if_needed
from .problems import PENDING_EXIT_CODE, BridgeProblem, Problem, Usage
from .session.line_play_and_report import play_line
from .session.python_session import Session
from .session.typed_line import OWN_TERMINAL, command_words_of_line
from .terminal.argument_completions import FOLDER
from .terminal.command_output import Line, Result, print_result, print_to_stderr
from .terminal.commands_and_options import Options, command, new_app
from .terminal.invocation import UNATTENDED

if TYPE_CHECKING:
    from typing import TypedDict

    class _LessonWritten(TypedDict):
        title: str
        steps: Sequence[Mapping[str, object]]

    class _TourFile(TypedDict):
        lessons: Sequence[_LessonWritten]


app = new_app("The tour.")

LESSONS = Path(__file__).parent / "systems" / "tour.toml"
SEED = 2
"""The seed of the tour, so that everybody's first roll is the one that the lesson describes."""
SKIP, REPEAT = "skip", "again"
"""The words typed to have a step played, and to have it explained again."""
TABLE = "table"
"""The command that the tour runs itself: it serves until Ctrl-C, and here stays up beside the lessons."""
COMMANDS_NOT_IN_TOUR = (*(each for each in OWN_TERMINAL if each != TABLE), "new")
WIDTH = 78


class TourStep(NamedTuple):
    """A step of a lesson: a text (`say`), a line for the user to type (`type`), and a text after it (`then`).

    A different line also completes the step, if it is the same command and meets these conditions:

    - Its journal entry has the arguments in `args`.
    - Its dice fell as in `dice`, unless that is empty.
    - A decision is open after it exactly if `waits` is true.

    If a line doesn't complete the step, the hint `otherwise` is shown. The lines in `before` are played
    first, and are not shown.
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
    from .untrusted_input import parse_bundled_toml

    told = cast("_TourFile", parse_bundled_toml(file.read_text("utf-8"), str(file)))
    return [
        Lesson(each["title"], [TourStep(**step) for step in each["steps"]])  # type: ignore[arg-type]  # our file
        for each in told["lessons"]
    ]


@command(app, "tour", kind="reads")
def tour(
    options: Options,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar=FOLDER, help="Keep the campaign in this folder.")
    ] = None,
) -> Result:
    """Play for ten minutes in a campaign made for practice: a roll, a Cost, a fight, undo, the table.

    Each step says what to type, checks it, and explains it. `skip` plays a step for you, `again` repeats it,
    and Ctrl-D leaves. The lines may also come from a script on stdin.

    Example: `strike tour`
    """
    if options.json:
        raise Usage("A tour is for people.", "`strike batch FILE --json` plays a script for a program.")
    from .campaign.create import create_campaign_folder

    with contextlib.ExitStack() as stack:
        if keep is None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="strike-tour-"))
            folder = Path(scratch) / "campaign"
        else:
            folder = Path(keep)
        create_campaign_folder(folder, seed=SEED)
        guide = Guide(folder, read_lessons(LESSONS), options.plain, stack)
        return _tour_result(guide, guide.play_lessons(), keep)


def _tour_result(guide: Guide, steps_done: int, kept_folder: str | None) -> Result:
    count = sum(len(lesson.steps) for lesson in guide.lessons)
    whole = steps_done == count
    lines: list[Line] = [
        "",
        (
            "That was the tour." if whole else f"The tour ends here, after {steps_done} of {count} steps.",
            "title",
        ),
    ]
    if kept_folder is not None:
        lines.append(["Play on: ", (f"strike -C {quote_word_if_needed(kept_folder)} shell", "command")])
    lines += [
        ["A campaign of your own:   ", ("strike new my-campaign", "command")],
        ["These always work: ", ("strike help now", "command"), ", ", ("strike help", "command")],
    ]
    return Result("tour", {"steps": count, "done": steps_done}, lines)


class Guide:
    """The guide that shows the steps of the tour, and checks that each step is done.

    A command that doesn't complete a step is played and then undone. So everybody has the same campaign at
    each step.
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
        """Play the lessons until all are done or the user stops typing; return the number of steps done."""
        from .session.prompt import read_typed_lines_until_exit, set_up_line_editing

        done = 0
        with set_up_line_editing(self.folder):
            lines = read_typed_lines_until_exit(self.folder)
            for number, lesson in enumerate(self.lessons, 1):
                self._print_lines("", (f"{number} of {len(self.lessons)}  {lesson.title}", "title"))
                for step in lesson.steps:
                    for line in step.before:
                        with contextlib.suppress(Problem):
                            self.game.play_for_result(
                                command_words_of_line(self.folder, line, ()), UNATTENDED
                            )
                    if not self._play_step(step, lines):
                        return done
                    done += 1
        return done

    def _play_step(self, step: TourStep, lines: Iterator[str]) -> bool:
        """Show a step of the tour, and play typed lines until one of them completes the step.

        Returns True if the step is complete, and False if the lines end before that.
        """
        self._show_step(step)
        for line in lines:
            if not sys.stdin.isatty():  # a script's lines are to be seen, too
                self._print_lines(line)
            if line == REPEAT:
                self._show_step(step)
                continue
            wrong = self._play_or_undo_line_of_step(step, step.type if line == SKIP else line)
            if wrong is None:
                self._print_lines("", *_wrap_paragraphs(step.then))
                return True
            self._print_lines("", *_wrap_paragraphs(wrong), _line_to_type(step))
        return False

    def _show_step(self, step: TourStep) -> None:
        self._print_lines("", *_wrap_paragraphs(step.say), _line_to_type(step))

    def _play_or_undo_line_of_step(self, step: TourStep, line: str) -> str | None:
        """Play a typed line; return None if the line completes the step.

        Otherwise return a remark on the line, which may be "".
        """
        from .session.command_catalogue import expand_short_line, find_command_and_name_in_line

        here = UNATTENDED._replace(folder=str(self.folder), plain=self.plain)
        try:
            words = command_words_of_line(self.folder, line, COMMANDS_NOT_IN_TOUR)
            asked = find_command_and_name_in_line(
                expand_short_line(command_words_of_line(self.folder, step.type, ()), here)
            )[1]
            did = find_command_and_name_in_line(expand_short_line(words, here))[1] if words else []
        except Usage as problem:
            print_to_stderr(f"{problem.message} {problem.hint}".strip())
            return ""
        if not words:
            return ""
        if did == [TABLE]:
            if did != asked:
                return _TABLE_COMES_LATER
            self._start_table_if_possible()
            return None
        before = self.game.current_campaign().head
        code = play_line(words, here)
        if code not in (0, PENDING_EXIT_CODE):
            return _REFUSED + _hint_to_append(step)
        after = self.game.current_campaign()
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

    def _start_table_if_possible(self) -> None:
        """Start the table if it isn't running yet; it then runs until the tour ends.

        If the table can't be started, say so and go on. The step counts as done either way.
        """
        from .systems.campaign.commands.table import (
            DEFAULT_TABLE_TARGET,
            PORT,
            PortTaken,
            running_bridge,
            running_table,
        )

        if self._served:
            return
        target, title = self.game.book.targets.get(TABLE, DEFAULT_TABLE_TARGET), self.game.name
        try:
            try:
                running = self._stack.enter_context(running_table(self.folder, title, port=PORT))
            except PortTaken:
                running = self._stack.enter_context(running_table(self.folder, title, port=0))
        except BridgeProblem as problem:
            self._print_lines((f"{problem.message} {problem.hint}", "warn"), "The tour goes on without it.")
            return
        self._stack.enter_context(running_bridge(self.folder, running, target))
        self._served = True
        self._print_lines([("The table is ready: open ", ""), (running.url, "strong"), " in a browser."])

    def _print_lines(self, *lines: Line) -> None:
        print_result(Result("tour", None, lines), plain=self.plain)


_TABLE_COMES_LATER = "The table comes later in the tour."
_REFUSED = "A refused command changes nothing. The line above says why."
_TAKEN_BACK = "It was undone, so that the tour can go on."


def _remark_on(
    step: TourStep, is_same_command: bool, code: int, entries: Sequence[Mapping[str, object]]
) -> str | None:
    """Return a remark for the user on a line that was just played in the tour.

    Return None if the line completes the step. Return "" if the line isn't the command of the step
    (`is_same_command` is False) and made no `entries` in the journal: looking around is allowed. `code` is
    the line's exit code.
    """
    if not is_same_command and not entries:
        return ""  # looking around is allowed
    if not is_same_command:
        return "That works, but this step is about something else." + _hint_to_append(step)
    last: Mapping[str, object] = entries[-1] if entries else {}
    given = last.get("args", {})
    args: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    answers = cast("Sequence[tuple[str, object]]", last.get("answers", ()))
    faces = [face for _, answer in answers if isinstance(answer, list) for face in answer]
    if any(args.get(key) != value for key, value in step.args.items()):
        return "The right command, but not the one this step needs." + _hint_to_append(step)
    if step.dice and faces != list(step.dice):
        return f"Other dice fell: {', '.join(map(str, faces))}." + _hint_to_append(step)
    if (code == PENDING_EXIT_CODE) != step.waits:
        return "A decision should be open now." if step.waits else "A decision is still open."
    return None


def _hint_to_append(step: TourStep) -> str:
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
