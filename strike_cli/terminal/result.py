"""The output of results: text, colour on a terminal, or JSON.

Commands build a Result out of lines and tables; nothing else prints. The lines for facts, rolls and questions
are also made here, so that they are the same after every command.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from ..kernel.procedure import Choose
from ..kernel.roll_data import rolls_in
from ..kernel.statements import OTHER, QUESTION, Decision, Language
from ..problems import PENDING_EXIT_CODE, CampaignProblem, Problem
from ..registry import style_of
from ..safe_reading import isolate_direction, printable
from ..suggested_commands import AS_STRIKE, CommandLine
from .battlemap.text_columns import pad, width_of

if TYPE_CHECKING:
    from typing import TypeGuard

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

    from ..campaign import Campaign
    from ..kernel.journal_types import FactKept, WaitingDecision
    from ..kernel.roll_data import ReasonsTold, RollTold
    from ..play.execute import Performed
    from .colour import OutputTerminal
    from .envelope_types import Envelope, EnvelopeError, EnvelopePending


def acts_on_escapes(stream: TextIO) -> bool:
    """Return whether a stream leads to a terminal that obeys escape sequences.

    A Windows console prints them as letters until it is asked to obey; one that can't doesn't count.
    """
    return stream.isatty() and knows_escapes() and (os.name != "nt" or _ask_console(stream))


def knows_escapes() -> bool:
    """Return whether the terminal's type (TERM) knows escape sequences."""
    return os.environ.get("TERM", "" if os.name == "posix" else "windows") not in ("", "dumb")


def _ask_console(stream: TextIO) -> bool:
    import ctypes
    import msvcrt

    sequences = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
    system = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))  # type: ignore[attr-defined,unused-ignore]
    mode = ctypes.c_ulong()
    if not system.GetConsoleMode(console, ctypes.byref(mode)):
        return False
    return bool(mode.value & sequences or system.SetConsoleMode(console, mode.value | sequences))


SCHEMA = 1

STYLES = {
    "strong": "bold",
    "dim": "dim",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "name": "bold cyan",
    "dice": "bold magenta",
    "command": "cyan",
    "title": "bold",
}
"""The looks of the styles of spans on a terminal."""

Span = str | tuple[str, str]
"""Words, or words with their style: "good", "bad", "dim", "strong", "command"."""
Line = Span | Sequence[Span]
"""A line of text: a string, a (text, style), or several of them."""


class Numbers(str):
    """The heading of a column of numbers, which is aligned to the right."""

    __slots__ = ()


class Table:
    """Rows under headings. Cells are spans; a heading of class `Numbers` marks a column of numbers."""

    def __init__(self, headings: Sequence[str], rows: Iterable[Sequence[Span]], title: str = "") -> None:
        self.headings = headings
        self.rows = [list(row) for row in rows]
        self.title = title


class Picture:
    """A drawing made by functions of the width.

    They return plain text for a pipe, a Rich renderable for a terminal, and perhaps lines of pieces that are
    no wider: each a text, and its style in Rich's notation.
    """

    def __init__(
        self,
        plain: Callable[[int], str],
        rich: Callable[[int], RenderableType],
        pieces: Callable[[int], Sequence[Sequence[tuple[str, str]]]] | None = None,
    ) -> None:
        self.plain = plain
        self.rich = rich
        self.pieces = pieces


class Bars:
    """A bar chart: label, share of the longest bar, text after the bar."""

    def __init__(self, rows: Sequence[tuple[str, float, str]]) -> None:
        self.rows = rows


class Section:
    """A heading, or none, with items below it, each with a mark in front.

    With `flow` the items share lines.
    """

    def __init__(self, title: str, items: Iterable[tuple[Span, Line]], *, flow: bool = False) -> None:
        self.title = title
        self.items = list(items)
        self.flow = flow


class Columns:
    """Blocks side by side where there is room, else one group below the other."""

    def __init__(self, left: Iterable[Block], right: Iterable[Block]) -> None:
        self.left = list(left)
        self.right = list(right)


class Frame:
    """Blocks in a frame with a title, and words in its lower side."""

    def __init__(self, title: str, blocks: Iterable[Block], foot: str = "") -> None:
        self.title = title
        self.blocks = list(blocks)
        self.foot = foot


Block = Line | Table | Picture | Bars | Section | Columns | Frame
"""A part of the output that stands alone: a line, a table, a picture and so on."""


class Items:
    """Many items printed one after the other, since all together may not fit in memory.

    They are under `key` in the data, each with its lines for people; `nothing` is printed where there are
    none.
    """

    def __init__(self, key: str, items: Iterable[tuple[list[Line], object]], nothing: Sequence[Line]) -> None:
        self.key = key
        self.told = items
        self.nothing = nothing

    def within(self, data: object, items: Sequence[object]) -> dict[str, object]:
        """Return the data of a result with the items added under their key."""
        assert isinstance(data, Mapping)
        return {**data, self.key: items}


class Result:
    """The result of a command: data for programs, blocks for people."""

    def __init__(
        self,
        command: str,
        data: object,
        blocks: Iterable[Block] = (),
        *,
        facts: Sequence[Mapping[str, object]] = (),
        seq: int | None = None,
        pending: Choose | None = None,
        notices: Sequence[str] = (),
        problem: Problem | None = None,
        items: Items | None = None,
    ) -> None:
        self.items = items
        self.command = command
        self.data = data
        self.blocks = list(blocks)
        self.facts = facts
        self.seq = seq
        self.pending = pending
        self.notices = list(notices)
        self.problem = problem
        """The fault that a command which changes nothing has found: `doctor`, `replay --verify`."""
        self.exit_code = problem.exit_code if problem else PENDING_EXIT_CODE if pending else 0

    def as_json(self) -> Envelope:
        """Return the envelope for scripts."""
        pending: EnvelopePending | None = None
        if self.pending:
            pending = {
                "who": self.pending.who,
                "what": self.pending.what,
                "asks": self.pending.asks,
                "options": list(map(str, self.pending.options)),
                "labels": list(map(str, self.pending.labels)),
            }
            if self.pending.decides:
                pending["decides"] = self.pending.decides
        envelope: Envelope = {
            "schema": SCHEMA,
            "ok": self.problem is None,
            "command": self.command,
            "seq": self.seq,
            "data": self.data,
            "facts": list(self.facts),
            "pending": pending,
        }
        if self.problem:
            envelope["error"] = error_of(self.problem)
        return envelope


def show_result(
    result: Result, *, as_json: bool = False, plain: bool = False, typed: CommandLine = AS_STRIKE
) -> None:
    """Print a result: JSON, plain text, or colour on a terminal.

    Commands to type in it are printed in the form of `typed`. Notices go to stderr. Raises OSError where
    stdout can't be written.
    """
    for notice in result.notices:
        print_error(f"Note: {typed.prose(notice)}")
    if result.items is not None:
        _show_items(result, result.items, as_json=as_json, plain=plain)
    elif as_json:
        print_text(f"{to_json(result.as_json())}\n")
    else:
        blocks: Iterable[Block] = result.blocks
        if typed is not AS_STRIKE and result.command not in AS_WRITTEN:
            blocks = (_complete_commands(block, typed) for block in blocks)
        screen, whole = _screen(plain), list(blocks)
        if (
            screen is None
            or result.command.rpartition(" ")[2] not in KEEP_THEIR_TOP
            or not screen.page(whole)
        ):
            _say_blocks(whole, screen)
    sys.stdout.flush()


KEEP_THEIR_TOP = ("map", "show", "help", "cheat")
"""Commands whose long output is shown in a pager, from its top."""


def say_blocks(blocks: Iterable[Block], *, plain: bool = False) -> None:
    """Print blocks before a command ends. Raises OSError.

    On a terminal they may be coloured, and are folded between words.
    """
    _say_blocks(blocks, _screen(plain))


AS_WRITTEN = ("help", "cheat")
"""Commands that print commands in columns, with `strike` as the program."""


def _complete_commands(block: Block, typed: CommandLine) -> Block:
    """Return a block with the commands to type in the form of `typed`."""

    def line(of: Line) -> Line:
        if isinstance(of, str):
            return typed.prose(of)
        if _is_styled(of):
            return (typed.line(of[0]) if of[1] == "command" else typed.prose(of[0])), of[1]
        return [line(part) for part in of]  # type: ignore[misc]  # a part of a line is a span

    def blocks(of: Iterable[Block]) -> list[Block]:
        return [_complete_commands(each, typed) for each in of]

    if isinstance(block, Table):
        return Table(block.headings, [[line(cell) for cell in row] for row in block.rows], block.title)  # type: ignore[misc]  # so is a cell
    if isinstance(block, Section):
        items = [(line(mark), line(text)) for mark, text in block.items]
        return Section(block.title, items, flow=block.flow)  # type: ignore[arg-type]  # so is a mark
    if isinstance(block, Columns):
        return Columns(blocks(block.left), blocks(block.right))
    if isinstance(block, Frame):
        return Frame(block.title, blocks(block.blocks), block.foot)
    return block if isinstance(block, Picture | Bars) else line(block)


def _show_items(result: Result, items: Items, *, as_json: bool, plain: bool) -> None:
    if as_json:
        result.data = items.within(result.data, [])
        before, _, after = to_json(result.as_json()).partition(f'"{items.key}": []')
        print_text(f'{before}"{items.key}": [')
        for number, (_, item) in enumerate(items.told):
            print_text(f"{', ' if number else ''}{to_json(item)}")
        print_text(f"]{after}\n")
        return
    from .colour import hang_line, terminal_columns

    screen = _screen(plain)
    width = terminal_columns() if screen or _has_width() else 0
    none = True
    for lines, _ in items.told:
        none = False
        _say_blocks([hang_line(line, width) for line in lines] if width else lines, screen)
    if none:
        _say_blocks(items.nothing, screen)


def _screen(plain: bool) -> OutputTerminal | None:
    """Return the terminal for coloured output; None for plain text."""
    if plain or not has_colour():
        return None
    from .colour import OutputTerminal

    return OutputTerminal()


def _say_blocks(blocks: Iterable[Block], screen: OutputTerminal | None) -> None:
    if screen is None and _has_width():
        from .colour import fold_text, terminal_columns

        for block in blocks:
            text = as_text([block], terminal_columns())
            print_text(text if _is_laid_out(block) else f"{fold_text(text.rstrip(chr(10)))}\n")
        return
    if screen is None:
        print_text(as_text(blocks))
        return
    for block in blocks:
        screen.say(block)


def _has_width() -> bool:
    """Return whether plain text is folded: on a terminal, and in a pipe with a given width."""
    return os.environ.get("COLUMNS", "").isdigit() or sys.stdout.isatty()


def _is_laid_out(block: Block) -> bool:
    """Return whether a block is never folded: it has columns, or is a command to copy."""
    if isinstance(block, NOT_FOLDED):
        return True
    return [style for text, style in styled_spans(block) if text.strip()] == ["command"]


NOT_FOLDED = (Table, Section, Columns, Frame, Picture, Bars)
"""Blocks laid out in columns; plain text of other blocks is folded where a width is given."""


def print_text(text: str) -> None:
    """Write printable text to stdout, with letters that its encoding lacks replaced.

    Raises OSError.
    """
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        from .encoding import in_encoding

        sys.stdout.write(in_encoding(text, sys.stdout.encoding or "ascii"))


def print_error(text: str, style: str = "") -> None:
    """Write a line to stderr, ignoring failures: the output on stdout is what matters."""
    is_coloured = style and sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    begin, end = (style, "\033[0m") if is_coloured and acts_on_escapes(sys.stderr) else ("", "")
    with suppress(OSError, ValueError):
        text = isolate_direction(printable(text))
        if len(text) >= NARROW and sys.stderr.isatty():
            from .colour import fold_text

            text = fold_text(text)
        sys.stderr.write(f"{begin}{text}{end}\n")
        sys.stderr.flush()


NARROW = 40
"""The least width for folding text."""


def to_json(value: object) -> str:
    """Return JSON on one line, escaped for terminals and for stdout's encoding."""
    plain = (sys.stdout.encoding or "utf-8").lower() not in ("utf-8", "utf8")
    text = json.dumps(value, ensure_ascii=plain)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def exit_code_of_failure(result: Result, error: OSError) -> int:
    """Report that a result can't be printed, as on a full disk, and return the exit code.

    If the command was recorded, that is its own exit code: a failure would invite the user to type it a
    second time. If the reader is gone, nothing is reported, and the exit code is the command's own too.
    """
    give_up(sys.stdout)
    if reader_is_gone(error):  # as behind `| head`: nothing left to say, and nothing went wrong
        return result.exit_code
    why = f"can't be written to stdout: {os.strerror(error.errno) if error.errno else error}."
    if result.seq is None:
        print_error(f"The answer of `{result.command}` {why}")
        return result.exit_code or CampaignProblem.exit_code
    played = result.data.get("played") if isinstance(result.data, Mapping) else None
    numbers = [one["seq"] for one in played if one.get("seq")] if isinstance(played, list) else []
    first = min(numbers, default=result.seq)
    which = f"#{result.seq}" if first == result.seq else f"#{first} to #{result.seq}"
    print_error(f"Recorded as {which}, but its answer {why} `strike log --last 1` shows it.")
    return result.exit_code


def reader_is_gone(error: OSError) -> bool:
    """Return whether the reader of a pipe has gone. Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def give_up(stream: TextIO) -> None:
    """Stop all writing to a stream, also by Python at its exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def rich_block(block: Block, width: int) -> RenderableType:
    """Return a block as a Rich renderable."""
    return _Printable(_rich(block, width))


def rich_renderable(blocks: Iterable[Block], width: int) -> RenderableType:
    """Return the blocks as one Rich renderable."""
    from rich.console import Group

    return _Printable(Group(*(_rich(block, width) for block in blocks)))


def has_colour() -> bool:
    """Return whether stdout is a terminal that supports colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and knows_escapes()


def rich_console() -> Console:
    """Return Rich's console, imported late."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


WIDTH = 100
"""The default width of plain text, in columns."""


def as_text(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """Return the blocks as plain text."""
    return "".join(f"{isolate_direction(printable(_plain_block(block, width)))}\n" for block in blocks)


def text_of(result: Result, width: int = WIDTH, typed: CommandLine = AS_STRIKE) -> str:
    """Return the whole text of a result as plain text, including its items.

    The items are collected for its envelope, too.
    """
    blocks = [_complete_commands(block, typed) for block in result.blocks]
    if (items := result.items) is not None:
        items.told = list(items.told)
        blocks += [line for lines, _ in items.told for line in lines] or items.nothing
    return as_text(blocks, width)


def _plain_block(block: Block, width: int) -> str:
    if isinstance(block, Table):
        return _plain_table(block)
    if isinstance(block, Picture):
        return block.plain(width)
    if isinstance(block, Bars):
        longest = max((width_of(label) for label, _, _ in block.rows), default=0)
        return "\n".join(f"{pad(label, longest)}  {_bar(share)}  {text}" for label, share, text in block.rows)
    if isinstance(block, Section):
        return _plain_section(block)
    if isinstance(block, Columns):
        between = [""] if block.left and block.right else []
        return as_text([*block.left, *between, *block.right], width).removesuffix("\n")
    if isinstance(block, Frame):
        foot = [("", ""), block.foot] if block.foot else []
        return as_text([block.title, *block.blocks, *foot], width).removesuffix("\n")
    return _line_text(block)


def _plain_section(section: Section) -> str:
    title = _line_text(section.title)
    items = [(_line_text(mark), _line_text(line)) for mark, line in section.items]
    if section.flow:
        return f"{title}: " + ", ".join(f"{mark}{text}" for mark, text in items)
    longest = max((width_of(mark) for mark, _ in items), default=0)
    lead = longest + 1 if longest else 0
    head = [f"{title}:"] if title else []
    return "\n".join([*head, *(f"  {pad(mark, lead)}{text}" for mark, text in items)])


def _line_text(line: Line) -> str:
    return "".join(text for text, _ in styled_spans(line))


def _plain_table(table: Table) -> str:
    headings = list(table.headings)
    rows = [[styled_spans(cell)[0][0] for cell in row] for row in table.rows]
    widths = [max(width_of(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    lines = [table.title] if table.title else []
    for row in [headings, *rows]:
        cells = [
            pad(cell, width, right=isinstance(heading, Numbers))
            for cell, width, heading in zip(row, widths, table.headings, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _is_styled(line: Line) -> TypeGuard[tuple[str, str]]:
    """Return whether a line is one span with a style."""
    return isinstance(line, tuple) and len(line) == 2 and isinstance(line[1], str) and line[1] in STYLES


def styled_spans(line: Line) -> list[tuple[str, str]]:
    """Return a line as (text, style) pairs, without control characters in names and notes."""
    if isinstance(line, str):
        return [(printable(line), "")]
    if _is_styled(line):
        return [(printable(str(line[0])), line[1])]
    return [span for part in line for span in styled_spans(part)]


def _bar(share: float, width: int = 30) -> str:
    eighths = round(share * width * 8)
    whole, rest = divmod(eighths, 8)
    bar = "█" * whole + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
    return bar.ljust(width)


class _Printable:
    """A renderable whose text contains nothing that a terminal would act on."""

    def __init__(self, drawn: RenderableType) -> None:
        self.drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        from rich.segment import Segment

        for segment in console.render(self.drawn, options):
            text = segment.text
            is_safe = text.isascii() and text.isprintable()
            yield segment if is_safe else Segment(isolate_direction(printable(text)), segment.style)


def _rich(block: Block, width: int) -> RenderableType:
    from rich.table import Table as RichTable
    from rich.text import Text

    if isinstance(block, Picture):
        return block.rich(width)
    if isinstance(block, Table):
        title = Text(block.title) if block.title else None  # as text: Rich would read [markup] in it
        grid = RichTable(box=None, pad_edge=False, title=title, title_justify="left")
        for heading in block.headings:
            grid.add_column(
                Text(heading),
                justify="right" if isinstance(heading, Numbers) else "left",
                header_style="dim",
                overflow="fold",
            )
        for row in block.rows:
            grid.add_row(*(_rich_text(cell) for cell in row))
        return grid
    if isinstance(block, Bars):
        grid = RichTable.grid(padding=(0, 2))
        for label, share, text in block.rows:
            grid.add_row(Text(label), Text(_bar(share), style="cyan"), Text(text, style="bold"))
        return grid
    if isinstance(block, Section | Columns | Frame):
        from .rich_layout import lay_out_block

        return lay_out_block(block, width, _rich, _rich_text)
    return _rich_text(block)


def _rich_text(line: Line) -> Text:
    from rich.text import Text

    return Text.assemble(*((text, STYLES.get(style, "")) for text, style in styled_spans(line)))


def error_of(problem: Problem) -> EnvelopeError:
    """Return a refusal in the form of the envelope."""
    return {"code": problem.code, "message": problem.message, "hint": problem.hint}


def refusal_of(problem: Problem, command: str) -> Envelope:
    """Return the envelope of a command that was refused."""
    return {"schema": SCHEMA, "ok": False, "command": command, "error": error_of(problem)}


def show_problem(
    problem: Problem, command: str, as_json: bool = False, typed: CommandLine = AS_STRIKE
) -> None:
    """Print a refusal: text on stderr, with commands to type in the form of `typed`, or the envelope.

    The envelope goes to stdout.
    """
    if as_json:
        try:
            print_text(f"{to_json(refusal_of(problem, command))}\n")
            sys.stdout.flush()
            return
        except OSError:
            give_up(sys.stdout)  # then at least on stderr
    print_error(typed.prose(problem.message), "\033[1;31m")
    if problem.hint:
        print_error(typed.prose(problem.hint), "\033[2m")


MOST_OPTIONS = 6
"""The most options of a decision that get a line each."""


def performed_lines(performed: Performed, explain: bool = False) -> list[Line]:
    """Return a line for each fact with words, followed by the reasons of its roll."""
    return fact_lines(performed.facts[performed.shown :], performed.speaker.language if explain else None)


def fact_lines(facts: Iterable[FactKept], explain: Language | None = None) -> list[Line]:
    """Return a line for each fact with words, and all of its rolls if `explain` is a language."""
    lines: list[Line] = []
    for fact in facts:
        if fact["text"]:
            style = style_of(fact["kind"])
            lines.append((fact["text"], style) if style else fact["text"])
        for roll in rolls_in(fact, "roll", "against", *(("helpers",) if explain else ())):
            lines += reason_lines(roll, explain)
    return lines


def reasons_in_words(roll: ReasonsTold) -> str:
    """Return every source and modifier of a roll with its reason; "" where there is none."""
    reasons = [f"{source['kind']}: {source['reason']}" for source in roll["sources"]]
    reasons += [f"{item['value']:+d}: {item['reason']}" for item in roll["modifiers"]]
    return "; ".join(reasons)


def reason_lines(roll: RollTold, explain: Language | None = None) -> list[Line]:
    """Return the sources and modifiers of a roll with their reasons; all of the roll with `explain`."""
    reasons = reasons_in_words(roll)
    lines: list[Line] = [(f"  {reasons}", "dim")] if reasons else []
    if explain:
        faces = ", ".join(map(str, roll["faces"]))
        dice = " + ".join(f"d{sides}" for sides in roll.get("dice", (roll["sides"],)))
        kept = "" if roll["kept"] is None else f"kept {roll['kept']}, "
        purpose = explain.purpose(roll["purpose"])
        told = f"  {purpose}: {dice} {roll['mode']}, faces {faces}, {kept}total {roll['total']}"
        lines.append((told, "dim"))
    return lines


def question_lines(question: Choose, prompting: bool = False) -> list[Line]:
    """Return a decision, its options, and how to answer."""
    lines: list[Line] = [(f"A decision for {question.asker}: {question.asks}", "strong")]
    labels = question.labels or ("",) * len(question.options)
    numbered = list(enumerate(zip(question.options, labels, strict=True), 1))
    # The likeliest come first; a long tail of others fits on a line.
    shown = len(numbered) if len(numbered) <= MOST_OPTIONS else MOST_OPTIONS - 1
    for number, (option, label) in numbered[:shown]:
        sign = f"{number}. " if prompting else ""
        lines.append([f"  {sign}", (option, "command"), f"  {label}" if label else ""])
    if numbered[shown:]:
        names = [f"{number}. {option}" if prompting else option for number, (option, _) in numbered[shown:]]
        lines.append(("  or " + ", ".join(names), "dim"))
    if prompting:
        empty = f"takes {question.default!r}" if question.default else "leaves it open"
        lines.append((f"A name or a number; an empty line {empty}.", "dim"))
    else:
        lines.append([("Answer with ", "dim"), (f"strike choose {question.options[0]}", "command")])
    if question.about and OTHER in question.about.worded and OTHER in question.options:
        example = "the guard hears" if prompting else "strike choose the guard hears"
        lines.append([("Or in your own words: ", "dim"), (example, "command")])
    return lines


def question_of(item: WaitingDecision) -> Choose:
    """Return a decision of the state as a question, for parsing answers."""
    from ..tabletop.people import asker_of

    told, options = item.get("about"), item["options"]
    about: Decision | None = None
    with contextlib.suppress(KeyError, TypeError, ValueError):
        about = QUESTION.of_json(told) if isinstance(told, dict) else None
    known = tuple(map(str, options)) if isinstance(options, list | tuple) else ()
    person, what, text = str(item["who"]), str(item["what"]), str(item.get("text", ""))
    return Choose(person, what, known, text=text, about=about, asker=asker_of(item))


def pending_lines(item: WaitingDecision, language: Language, *, faces: bool = True) -> list[Line]:
    """Return a pending decision from the state: the results so far, then the question.

    With `faces` the dice stored for later follow.
    """
    from ..registry.scenes import so_far_in_words  # it brings all that scenes are made of
    from ..tabletop.people import GameMaster

    speaker = GameMaster(names=item.get("names", {}), language=language)
    said: list[Line] = [(text, "dim") for text in so_far_in_words(item, speaker)]
    question = question_of(item).but(labels=tuple(item.get("labels", ())))
    return [*said, *question_lines(question), *_stored_dice_lines(item.get("faces", ()) if faces else ())]


def _stored_dice_lines(faces: Iterable[int]) -> list[Line]:
    shown = _join_faces(faces)
    return [(f"Dice for the following rolls: {shown}.", "dim")] if shown else []


def _join_faces(faces: Iterable[int]) -> str:
    return ", ".join(map(str, faces))


def open_lines(performed: Performed) -> list[Line]:
    """Return the waiting decision, with the dice stored for it; or the unused dice and choices."""
    if performed.pending and performed.is_put_aside:
        return []
    if performed.pending:
        return [*question_lines(performed.pending), *_stored_dice_lines(performed.faces_left)]
    left = {"dice": _join_faces(performed.faces_left), "choices": ", ".join(performed.choices_left)}
    return [
        (f"Nothing needed these {what} after all: {given}.", "dim") for what, given in left.items() if given
    ]


def performed_result(
    performed: Performed, campaign: Campaign | None, lines: list[Line] | None = None, *, explain: bool = False
) -> Result:
    """Return the result of a played command: its facts, then the open decision."""
    shown = performed_lines(performed, explain) if lines is None else lines
    shown = [*shown, *open_lines(performed)]
    return Result(
        performed.command,
        performed.data,
        shown,
        facts=performed.facts,
        seq=performed.seq,
        pending=performed.pending,
        notices=campaign.notices if campaign else [],
    )
