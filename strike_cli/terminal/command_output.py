"""Results of commands, and how they are printed: as text, in colour on a terminal, or as JSON.

A command returns a Result that consists of lines, tables and other blocks. The lines for facts, rolls and
questions are also made here, so that they look the same after every command.
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

from ..command_prefix import AS_STRIKE, CommandPrefix
from ..kernel.procedure import Choose
from ..kernel.roll_types import rolls_in_fact
from ..kernel.statements import OTHER, QUESTION, Decision, Language
from ..problems import PENDING_EXIT_CODE, CampaignProblem, Problem
from ..registry import style_of_fact
from ..untrusted_input import isolate_right_to_left_words, replace_unprintable
from .battlemap.text_width import pad, width_of

if TYPE_CHECKING:
    from typing import TypeGuard

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

    from ..campaign import Campaign
    from ..kernel.journal_types import StoredFact, WaitingDecision
    from ..kernel.roll_types import ReasonsTold, RollTold
    from ..play.command_execution import PerformedCommand
    from .coloured_output import OutputTerminal
    from .json_envelope_types import Envelope, EnvelopeError, EnvelopePending


def try_to_enable_escape_codes(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that obeys escape sequences.

    A Windows console is asked to obey them first.
    """
    return (
        stream.isatty()
        and terminal_type_has_escape_codes()
        and (os.name != "nt" or _enable_console_escapes(stream))
    )


def terminal_type_has_escape_codes() -> bool:
    """Return whether the type of the terminal (TERM) supports escape sequences."""
    return os.environ.get("TERM", "" if os.name == "posix" else "windows") not in ("", "dumb")


def _enable_console_escapes(stream: TextIO) -> bool:
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


class NumberHeading(str):
    """The heading of a column of numbers, which are aligned to the right."""

    __slots__ = ()


class Table:
    """Rows of cells under headings. A heading of class `NumberHeading` marks a column of numbers."""

    def __init__(self, headings: Sequence[str], rows: Iterable[Sequence[Span]], title: str = "") -> None:
        self.headings = headings
        self.rows = [list(row) for row in rows]
        self.title = title


class Picture:
    """A drawing that is made when it is printed, to fit the width of the output.

    Args:
        plain: Returns the drawing as text for a pipe, at a given width.
        rich: Returns the drawing as a Rich renderable for a terminal, at a given width.
        pieces: Returns the drawing as lines of pieces, at a given width. A piece is a text and its style in
            Rich's notation. With this function, the drawing can be printed without loading Rich.
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


class BarChart:
    """A bar chart; each row has a label, a bar, and a text after the bar.

    The bar is given as its share of the longest bar, from 0 to 1.
    """

    def __init__(self, rows: Sequence[tuple[str, float, str]]) -> None:
        self.rows = rows


class Section:
    """Items under a heading, each with a mark in front.

    The heading may be "". With `flow` the items share lines.
    """

    def __init__(self, title: str, items: Iterable[tuple[Span, Line]], *, flow: bool = False) -> None:
        self.title = title
        self.items = list(items)
        self.flow = flow


class Columns:
    """Two groups of blocks.

    They are side by side if there is room, otherwise one below the other.
    """

    def __init__(self, left: Iterable[Block], right: Iterable[Block]) -> None:
        self.left = list(left)
        self.right = list(right)


class Frame:
    """Blocks in a frame; the title is in the upper side of the frame, and `foot` in the lower side."""

    def __init__(self, title: str, blocks: Iterable[Block], foot: str = "") -> None:
        self.title = title
        self.blocks = list(blocks)
        self.foot = foot


Block = Line | Table | Picture | BarChart | Section | Columns | Frame
"""A part of the output that stands alone: a line, a table, a picture and so on."""


class StreamedItems:
    """Items of a result that are printed one by one, since together they may not fit in memory.

    Each item is a pair: lines for people, and data for programs. The result's data has the data of the items
    in a list under `key`. If there are no items, `empty_lines` are printed.
    """

    def __init__(self, key: str, items: Iterable[tuple[list[Line], object]], nothing: Sequence[Line]) -> None:
        self.key = key
        self.items = items
        self.empty_lines = nothing

    def data_with_items(self, data: object, items: Sequence[object]) -> dict[str, object]:
        """Return a copy of a command's data with `items` added.

        The list of items is under the key `self.key`.
        """
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
        items: StreamedItems | None = None,
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
        """Return the result as the envelope that `--json` prints."""
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
            envelope["error"] = error_as_json(self.problem)
        return envelope


def print_result(
    result: Result, *, as_json: bool = False, plain: bool = False, command_form: CommandPrefix = AS_STRIKE
) -> None:
    """Print a result: as JSON, as plain text, or in colour on a terminal.

    Notices go to stderr. `command_form` is the form in which commands for the user to type are printed.
    Raises OSError if nothing can be written to stdout.
    """
    for notice in result.notices:
        print_to_stderr(f"Note: {command_form.adapt_prose(notice)}")
    if result.items is not None:
        _stream_items_as_envelope_or_lines(result, result.items, as_json=as_json, plain=plain)
    elif as_json:
        write_text_to_stdout(f"{to_one_line_json_for_stdout(result.as_json())}\n")
    else:
        blocks: Iterable[Block] = result.blocks
        if command_form is not AS_STRIKE and result.command not in COMMANDS_NOT_REWRITTEN:
            blocks = (_rewrite_commands(block, command_form) for block in blocks)
        screen, whole = _output_terminal(plain), list(blocks)
        if (
            screen is None
            or result.command.rpartition(" ")[2] not in PAGED_COMMANDS
            or not screen.show_in_pager_if_too_long(whole)
        ):
            _print_blocks_on(whole, screen)
    sys.stdout.flush()


PAGED_COMMANDS = ("map", "show", "help", "cheat")
"""Commands whose long output is shown in a pager, from its top."""


def print_blocks(blocks: Iterable[Block], *, plain: bool = False) -> None:
    """Print blocks while a command is still running.

    On a terminal they are in colour; with `plain` they are not. Raises OSError if nothing can be written to
    stdout.
    """
    _print_blocks_on(blocks, _output_terminal(plain))


COMMANDS_NOT_REWRITTEN = ("help", "cheat")
"""Commands that print commands in columns, with `strike` as the program."""


def _rewrite_commands(block: Block, command_form: CommandPrefix) -> Block:
    """Return a block in which commands for the user to type have the form of `command_form`."""

    def rewrite_line(line: Line) -> Line:
        if isinstance(line, str):
            return command_form.adapt_prose(line)
        if _is_styled_span(line):
            return (
                command_form.adapt_line_if_command(line[0])
                if line[1] == "command"
                else command_form.adapt_prose(line[0])
            ), line[1]
        return [rewrite_line(part) for part in line]  # type: ignore[misc]  # a part of a line is a span

    def rewrite_blocks(blocks: Iterable[Block]) -> list[Block]:
        return [_rewrite_commands(each, command_form) for each in blocks]

    if isinstance(block, Table):
        rows = [[rewrite_line(cell) for cell in row] for row in block.rows]
        return Table(block.headings, rows, block.title)  # type: ignore[arg-type]  # so is a cell
    if isinstance(block, Section):
        items = [(rewrite_line(mark), rewrite_line(text)) for mark, text in block.items]
        return Section(block.title, items, flow=block.flow)  # type: ignore[arg-type]  # so is a mark
    if isinstance(block, Columns):
        return Columns(rewrite_blocks(block.left), rewrite_blocks(block.right))
    if isinstance(block, Frame):
        return Frame(block.title, rewrite_blocks(block.blocks), block.foot)
    return block if isinstance(block, Picture | BarChart) else rewrite_line(block)


def _stream_items_as_envelope_or_lines(
    result: Result, items: StreamedItems, *, as_json: bool, plain: bool
) -> None:
    if as_json:
        result.data = items.data_with_items(result.data, [])
        before, _, after = to_one_line_json_for_stdout(result.as_json()).partition(f'"{items.key}": []')
        write_text_to_stdout(f'{before}"{items.key}": [')
        for number, (_, item) in enumerate(items.items):
            write_text_to_stdout(f"{', ' if number else ''}{to_one_line_json_for_stdout(item)}")
        write_text_to_stdout(f"]{after}\n")
        return
    from .coloured_output import break_line_with_hanging_indent, terminal_columns

    screen = _output_terminal(plain)
    width = terminal_columns() if screen or _is_terminal_or_columns_given() else 0
    none = True
    for lines, _ in items.items:
        none = False
        _print_blocks_on(
            [break_line_with_hanging_indent(line, width) for line in lines] if width else lines, screen
        )
    if none:
        _print_blocks_on(items.empty_lines, screen)


def _output_terminal(plain: bool) -> OutputTerminal | None:
    """Return the terminal on which to print in colour; None for plain text."""
    if plain or not stdout_shows_colour():
        return None
    from .coloured_output import OutputTerminal

    return OutputTerminal()


def _print_blocks_on(blocks: Iterable[Block], screen: OutputTerminal | None) -> None:
    if screen is None and _is_terminal_or_columns_given():
        from .coloured_output import fold_to_terminal_columns, terminal_columns

        for block in blocks:
            text = blocks_as_unwrapped_text([block], terminal_columns())
            write_text_to_stdout(
                text if _is_never_wrapped(block) else f"{fold_to_terminal_columns(text.rstrip(chr(10)))}\n"
            )
        return
    if screen is None:
        write_text_to_stdout(blocks_as_unwrapped_text(blocks))
        return
    for block in blocks:
        screen.print_block(block)


def _is_terminal_or_columns_given() -> bool:
    """Return whether plain text is wrapped.

    It is wrapped on a terminal, and if COLUMNS gives a width.
    """
    return os.environ.get("COLUMNS", "").isdigit() or sys.stdout.isatty()


def _is_never_wrapped(block: Block) -> bool:
    """Return whether a block is never wrapped.

    That is so for a block laid out in columns, and for a command to copy.
    """
    if isinstance(block, NOT_FOLDED):
        return True
    return [style for text, style in styled_spans(block) if text.strip()] == ["command"]


NOT_FOLDED = (Table, Section, Columns, Frame, Picture, BarChart)
"""Blocks laid out in columns; plain text of other blocks is folded where a width is given."""


def write_text_to_stdout(text: str) -> None:
    """Write printable text to stdout.

    Characters that stdout's encoding lacks are replaced. Raises OSError if nothing can be written.
    """
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        from .stream_encoding import replace_unencodable

        sys.stdout.write(replace_unencodable(text, sys.stdout.encoding or "ascii"))


def print_to_stderr(text: str, escape_code: str = "") -> None:
    """Write a line to stderr. On a terminal with colours, `escape_code` sets its colour.

    If the line can't be written, nothing happens.
    """
    is_coloured = escape_code and sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    begin, end = (
        (escape_code, "\033[0m") if is_coloured and try_to_enable_escape_codes(sys.stderr) else ("", "")
    )
    with suppress(OSError, ValueError):
        text = isolate_right_to_left_words(replace_unprintable(text))
        if len(text) >= LEAST_FOLDED_LENGTH and sys.stderr.isatty():
            from .coloured_output import fold_to_terminal_columns

            text = fold_to_terminal_columns(text)
        sys.stderr.write(f"{begin}{text}{end}\n")
        sys.stderr.flush()


LEAST_FOLDED_LENGTH = 40
"""The least width for folding text."""


def to_one_line_json_for_stdout(value: object) -> str:
    """Return a value as JSON on one line.

    Characters that a terminal would obey are escaped. If stdout's encoding isn't UTF-8, all characters beyond
    ASCII are escaped, too.
    """
    plain = (sys.stdout.encoding or "utf-8").lower() not in ("utf-8", "utf8")
    text = json.dumps(value, ensure_ascii=plain)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def handle_print_failure(result: Result, error: OSError) -> int:
    """Report that a command's result can't be printed, and return the exit code.

    For example, the disk may be full. If the command was recorded, the report says so, and the exit code is
    the command's own. Otherwise users would type the command again. If the command wasn't recorded, the exit
    code is that of a failure.

    If the program that reads the output has ended, as with `| head`, nothing is reported. The exit code is
    the command's own.
    """
    discard_output_to(sys.stdout)
    if is_reader_gone(error):  # as behind `| head`: nothing left to say, and nothing went wrong
        return result.exit_code
    why = f"can't be written to stdout: {os.strerror(error.errno) if error.errno else error}."
    if result.seq is None:
        print_to_stderr(f"The answer of `{result.command}` {why}")
        return result.exit_code or CampaignProblem.exit_code
    played = result.data.get("played") if isinstance(result.data, Mapping) else None
    numbers = [one["seq"] for one in played if one.get("seq")] if isinstance(played, list) else []
    first = min(numbers, default=result.seq)
    which = f"#{result.seq}" if first == result.seq else f"#{first} to #{result.seq}"
    print_to_stderr(f"Recorded as {which}, but its answer {why} `strike log --last 1` shows it.")
    return result.exit_code


def is_reader_gone(error: OSError) -> bool:
    """Return whether an error means that the reader of a pipe has gone.

    Windows calls it an invalid argument.
    """
    return isinstance(error, BrokenPipeError) or (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def discard_output_to(stream: TextIO) -> None:
    """Discard everything that is written to a stream from now on.

    Python then reports no error when it closes the stream at exit.
    """
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def rich_block(block: Block, width: int) -> RenderableType:
    """Return a block as a Rich renderable, without characters that a terminal would obey."""
    return _SafeRenderable(_rich_renderable_of(block, width))


def rich_renderable(blocks: Iterable[Block], width: int) -> RenderableType:
    """Return several blocks as a single Rich renderable."""
    from rich.console import Group

    return _SafeRenderable(Group(*(_rich_renderable_of(block, width) for block in blocks)))


def stdout_shows_colour() -> bool:
    """Return whether stdout is a terminal that shows colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and terminal_type_has_escape_codes()


def make_rich_console() -> Console:
    """Return a new Rich console. Rich is imported only here, since that takes long."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


WIDTH = 100
"""The default width of plain text, in columns."""


def blocks_as_unwrapped_text(blocks: Iterable[Block], picture_width: int = WIDTH) -> str:
    """Return blocks as plain text, `picture_width` columns wide."""
    return "".join(
        f"{isolate_right_to_left_words(replace_unprintable(_unwrapped_plain_block(block, picture_width)))}\n"
        for block in blocks
    )


def result_as_text_storing_items(
    result: Result, width: int = WIDTH, command_form: CommandPrefix = AS_STRIKE
) -> str:
    """Return a result as plain text, including its items, such as the entries of `strike log`.

    The items may come from an iterator, which can be read only once. So they are also stored in the result as
    a list (`result.items.items`), for later readers.
    """
    blocks = [_rewrite_commands(block, command_form) for block in result.blocks]
    if (items := result.items) is not None:
        items.items = list(items.items)
        blocks += [line for lines, _ in items.items for line in lines] or items.empty_lines
    return blocks_as_unwrapped_text(blocks, width)


def _unwrapped_plain_block(block: Block, picture_width: int) -> str:
    if isinstance(block, Table):
        return _plain_table(block)
    if isinstance(block, Picture):
        return block.plain(picture_width)
    if isinstance(block, BarChart):
        longest = max((width_of(label) for label, _, _ in block.rows), default=0)
        return "\n".join(
            f"{pad(label, longest)}  {_text_bar(share)}  {text}" for label, share, text in block.rows
        )
    if isinstance(block, Section):
        return _plain_section(block)
    if isinstance(block, Columns):
        between = [""] if block.left and block.right else []
        return blocks_as_unwrapped_text([*block.left, *between, *block.right], picture_width).removesuffix(
            "\n"
        )
    if isinstance(block, Frame):
        foot = [("", ""), block.foot] if block.foot else []
        return blocks_as_unwrapped_text([block.title, *block.blocks, *foot], picture_width).removesuffix("\n")
    return _text_of_line(block)


def _plain_section(section: Section) -> str:
    title = _text_of_line(section.title)
    items = [(_text_of_line(mark), _text_of_line(line)) for mark, line in section.items]
    if section.flow:
        return f"{title}: " + ", ".join(f"{mark}{text}" for mark, text in items)
    longest = max((width_of(mark) for mark, _ in items), default=0)
    lead = longest + 1 if longest else 0
    head = [f"{title}:"] if title else []
    return "\n".join([*head, *(f"  {pad(mark, lead)}{text}" for mark, text in items)])


def _text_of_line(line: Line) -> str:
    return "".join(text for text, _ in styled_spans(line))


def _plain_table(table: Table) -> str:
    headings = list(table.headings)
    rows = [[styled_spans(cell)[0][0] for cell in row] for row in table.rows]
    widths = [max(width_of(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    lines = [table.title] if table.title else []
    for row in [headings, *rows]:
        cells = [
            pad(cell, width, align_right=isinstance(heading, NumberHeading))
            for cell, width, heading in zip(row, widths, table.headings, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _is_styled_span(line: Line) -> TypeGuard[tuple[str, str]]:
    return isinstance(line, tuple) and len(line) == 2 and isinstance(line[1], str) and line[1] in STYLES


def styled_spans(line: Line) -> list[tuple[str, str]]:
    """Return a line as pairs of a text and its style ("" for none), without control characters."""
    if isinstance(line, str):
        return [(replace_unprintable(line), "")]
    if _is_styled_span(line):
        return [(replace_unprintable(str(line[0])), line[1])]
    return [span for part in line for span in styled_spans(part)]


def _text_bar(share: float, width: int = 30) -> str:
    eighths = round(share * width * 8)
    whole, rest = divmod(eighths, 8)
    bar = "█" * whole + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
    return bar.ljust(width)


class _SafeRenderable:
    """A Rich renderable whose text has no character that a terminal would obey."""

    def __init__(self, drawn: RenderableType) -> None:
        self.drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        from rich.segment import Segment

        for segment in console.render(self.drawn, options):
            text = segment.text
            is_safe = text.isascii() and text.isprintable()
            yield (
                segment
                if is_safe
                else Segment(isolate_right_to_left_words(replace_unprintable(text)), segment.style)
            )


def _rich_renderable_of(block: Block, width: int) -> RenderableType:
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
                justify="right" if isinstance(heading, NumberHeading) else "left",
                header_style="dim",
                overflow="fold",
            )
        for row in block.rows:
            grid.add_row(*(_rich_text(cell) for cell in row))
        return grid
    if isinstance(block, BarChart):
        grid = RichTable.grid(padding=(0, 2))
        for label, share, text in block.rows:
            grid.add_row(Text(label), Text(_text_bar(share), style="cyan"), Text(text, style="bold"))
        return grid
    if isinstance(block, Section | Columns | Frame):
        from .rich_layout import lay_out_block

        return lay_out_block(block, width, _rich_renderable_of, _rich_text)
    return _rich_text(block)


def _rich_text(line: Line) -> Text:
    from rich.text import Text

    return Text.assemble(*((text, STYLES.get(style, "")) for text, style in styled_spans(line)))


def error_as_json(problem: Problem) -> EnvelopeError:
    """Return a problem as the `error` of an envelope."""
    return {"code": problem.code, "message": problem.message, "hint": problem.hint}


def refusal_envelope(problem: Problem, command: str) -> Envelope:
    """Return the envelope of a refused command."""
    return {"schema": SCHEMA, "ok": False, "command": command, "error": error_as_json(problem)}


def print_problem(
    problem: Problem, command: str, as_json: bool = False, command_form: CommandPrefix = AS_STRIKE
) -> None:
    """Print why a command was refused.

    By default it is printed as text on stderr; with `as_json`, as an envelope on stdout. `command_form` is
    the form in which commands for the user to type are printed.
    """
    if as_json:
        try:
            write_text_to_stdout(f"{to_one_line_json_for_stdout(refusal_envelope(problem, command))}\n")
            sys.stdout.flush()
            return
        except OSError:
            discard_output_to(sys.stdout)  # then at least on stderr
    print_to_stderr(command_form.adapt_prose(problem.message), "\033[1;31m")
    if problem.hint:
        print_to_stderr(command_form.adapt_prose(problem.hint), "\033[2m")


MOST_OPTIONS = 6
"""The most options of a decision that get a line each."""


def new_fact_and_reason_lines(performed: PerformedCommand, with_whole_rolls: bool = False) -> list[Line]:
    """Return a line for each new fact of a command, followed by the reasons of its rolls.

    With `with_whole_rolls`, the rolls are shown in full.
    """
    return fact_and_reason_lines(
        performed.facts[performed.shown :], performed.speaker.language if with_whole_rolls else None
    )


def fact_and_reason_lines(facts: Iterable[StoredFact], whole_rolls_in: Language | None = None) -> list[Line]:
    """Return a line for each fact with a text, followed by the reasons of that fact's rolls.

    With a language in `whole_rolls_in` the rolls are shown in full.
    """
    lines: list[Line] = []
    for fact in facts:
        if fact["text"]:
            style = style_of_fact(fact["kind"])
            lines.append((fact["text"], style) if style else fact["text"])
        for roll in rolls_in_fact(fact, "roll", "against", *(("helpers",) if whole_rolls_in else ())):
            lines += reason_and_full_roll_lines(roll, whole_rolls_in)
    return lines


def reasons_in_words(roll: ReasonsTold) -> str:
    """Return the sources and modifiers of a roll with their reasons; "" if it has none."""
    reasons = [f"{source['kind']}: {source['reason']}" for source in roll["sources"]]
    reasons += [f"{item['value']:+d}: {item['reason']}" for item in roll["modifiers"]]
    return "; ".join(reasons)


def reason_and_full_roll_lines(roll: RollTold, whole_roll_in: Language | None = None) -> list[Line]:
    """Return a line with the sources and modifiers of a roll, if the roll has any.

    With a language in `whole_roll_in`, one more line shows the whole roll.
    """
    reasons = reasons_in_words(roll)
    lines: list[Line] = [(f"  {reasons}", "dim")] if reasons else []
    if whole_roll_in:
        faces = ", ".join(map(str, roll["faces"]))
        dice = " + ".join(f"d{sides}" for sides in roll.get("dice", (roll["sides"],)))
        kept = "" if roll["kept"] is None else f"kept {roll['kept']}, "
        purpose = whole_roll_in.purpose(roll["purpose"])
        told = f"  {purpose}: {dice} {roll['mode']}, faces {faces}, {kept}total {roll['total']}"
        lines.append((told, "dim"))
    return lines


def question_lines(question: Choose, is_answered_at_prompt: bool = False) -> list[Line]:
    """Return the lines of a decision: the question, its options, and how to answer.

    With `is_answered_at_prompt` the answer is to be typed at once; otherwise it is given with `strike
    choose`.
    """
    lines: list[Line] = [(f"A decision for {question.asker}: {question.asks}", "strong")]
    labels = question.labels or ("",) * len(question.options)
    numbered = list(enumerate(zip(question.options, labels, strict=True), 1))
    # The likeliest come first; a long tail of others fits on a line.
    shown = len(numbered) if len(numbered) <= MOST_OPTIONS else MOST_OPTIONS - 1
    for number, (option, label) in numbered[:shown]:
        sign = f"{number}. " if is_answered_at_prompt else ""
        lines.append([f"  {sign}", (option, "command"), f"  {label}" if label else ""])
    if numbered[shown:]:
        names = [
            f"{number}. {option}" if is_answered_at_prompt else option
            for number, (option, _) in numbered[shown:]
        ]
        lines.append(("  or " + ", ".join(names), "dim"))
    if is_answered_at_prompt:
        empty = f"takes {question.default!r}" if question.default else "leaves it open"
        lines.append((f"A name or a number; an empty line {empty}.", "dim"))
    else:
        lines.append([("Answer with ", "dim"), (f"strike choose {question.options[0]}", "command")])
    if question.about and OTHER in question.about.worded and OTHER in question.options:
        example = "the guard hears" if is_answered_at_prompt else "strike choose the guard hears"
        lines.append([("Or in your own words: ", "dim"), (example, "command")])
    return lines


def unlabelled_question_of_decision(stored: WaitingDecision) -> Choose:
    """Return a decision stored in the state as a question, so that an answer can be parsed."""
    from ..tabletop.characters_and_names import decider_name

    told, options = stored.get("about"), stored["options"]
    about: Decision | None = None
    with contextlib.suppress(KeyError, TypeError, ValueError):
        about = QUESTION.from_json(told) if isinstance(told, dict) else None
    known = tuple(map(str, options)) if isinstance(options, list | tuple) else ()
    person, what, text = str(stored["who"]), str(stored["what"]), str(stored.get("text", ""))
    return Choose(person, what, known, text=text, about=about, asker=decider_name(stored))


def open_decision_lines(stored: WaitingDecision, language: Language, *, faces: bool = True) -> list[Line]:
    """Return the lines of a decision stored in the state: the events before it, then the question.

    With `faces`, the dice that are stored for later rolls come last.
    """
    from ..registry.scenes_and_decisions_in_state import (
        facts_before_decision_in_words,  # it brings all that scenes are made of
    )
    from ..tabletop.characters_and_names import GameMasterSpeaker

    speaker = GameMasterSpeaker(names=stored.get("names", {}), language=language)
    said: list[Line] = [(text, "dim") for text in facts_before_decision_in_words(stored, speaker)]
    question = unlabelled_question_of_decision(stored).but(labels=tuple(stored.get("labels", ())))
    return [*said, *question_lines(question), *_stored_dice_lines(stored.get("faces", ()) if faces else ())]


def _stored_dice_lines(faces: Iterable[int]) -> list[Line]:
    shown = _join_faces(faces)
    return [(f"Dice for the following rolls: {shown}.", "dim")] if shown else []


def _join_faces(faces: Iterable[int]) -> str:
    return ", ".join(map(str, faces))


def leftover_lines_unless_put_aside(performed: PerformedCommand) -> list[Line]:
    """Return the lines on what a command has left behind: an open decision, or unused dice and choices.

    If a decision is open, the lines show the decision, and the dice that are stored for later rolls. If no
    decision is open, they show the typed dice and choices that weren't needed. If the decision was put aside
    for another command, return no lines.
    """
    if performed.pending and performed.is_put_aside:
        return []
    if performed.pending:
        return [*question_lines(performed.pending), *_stored_dice_lines(performed.faces_left)]
    left = {"dice": _join_faces(performed.faces_left), "choices": ", ".join(performed.choices_left)}
    return [
        (f"Nothing needed these {what} after all: {given}.", "dim") for what, given in left.items() if given
    ]


def performed_result(
    performed: PerformedCommand,
    campaign: Campaign | None,
    lines: list[Line] | None = None,
    *,
    explain: bool = False,
) -> Result:
    """Return a played command as a result: its new facts, then the open decision.

    If `lines` is given, these lines are shown in place of the facts. With `explain`, the rolls in the facts
    are shown in full.
    """
    shown = new_fact_and_reason_lines(performed, explain) if lines is None else lines
    shown = [*shown, *leftover_lines_unless_put_aside(performed)]
    return Result(
        performed.command,
        performed.data,
        shown,
        facts=performed.facts,
        seq=performed.seq,
        pending=performed.pending,
        notices=campaign.notices if campaign else [],
    )
