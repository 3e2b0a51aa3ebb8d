"""The one place that turns what came of a command into text, a picture on a terminal, or JSON.

Commands build a Result out of lines and tables; nothing else prints.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..kernel.procedure import Choose
from ..problems import PENDING_EXIT_CODE, Problem

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

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
"""What a style of a span means on a terminal."""

Span = str | tuple[str, str]
Line = Span | Sequence[Span]
"""A line of text: a string, a (text, style), or several of them."""


class Table:
    """Rows under headings. Cells are spans; columns whose heading starts with `>` are set to the right."""

    def __init__(self, headings: Sequence[str], rows: Iterable[Sequence[Span]], title: str = "") -> None:
        self.headings = headings
        self.rows = [list(row) for row in rows]
        self.title = title


class Picture:
    """Something drawn by a function of the width: plain text for a pipe, a Rich renderable on a terminal."""

    def __init__(self, plain: Callable[[int], str], rich: Callable[[int], Any]) -> None:
        self.plain = plain
        self.rich = rich


class Bars:
    """A bar chart: label, share of the longest bar, what to write behind it."""

    def __init__(self, rows: Sequence[tuple[str, float, str]]) -> None:
        self.rows = rows


class Section:
    """A heading with items below it, each with a mark in front; with `flow` they follow one another."""

    def __init__(self, title: str, items: Iterable[tuple[Span, Line]], *, flow: bool = False) -> None:
        self.title = title
        self.items = list(items)
        self.flow = flow


class Columns:
    """Blocks side by side where there is room for it, else one lot below the other."""

    def __init__(self, left: Iterable[Block], right: Iterable[Block]) -> None:
        self.left = list(left)
        self.right = list(right)


class Frame:
    """Blocks in a frame with a title, and words at its foot."""

    def __init__(self, title: str, blocks: Iterable[Block], foot: str = "") -> None:
        self.title = title
        self.blocks = list(blocks)
        self.foot = foot


Block = Line | Table | Picture | Bars | Section | Columns | Frame


class Result:
    """What came of a command: data for programs, blocks for people."""

    def __init__(
        self,
        command: str,
        data: Any,
        blocks: Iterable[Block] = (),
        *,
        facts: Sequence[Mapping[str, Any]] = (),
        seq: int | None = None,
        pending: Choose | None = None,
        notices: Sequence[str] = (),
        problem: Problem | None = None,
    ) -> None:
        self.command = command
        self.data = data
        self.blocks = list(blocks)
        self.facts = facts
        self.seq = seq
        self.pending = pending
        self.notices = list(notices)
        self.problem = problem
        """What is wrong, where a command that only looks has found something: `doctor`, `replay --verify`."""
        self.exit_code = problem.exit_code if problem else PENDING_EXIT_CODE if pending else 0

    def as_json(self) -> dict[str, Any]:
        """The envelope that scripts read."""
        pending = None
        if self.pending:
            pending = {
                "who": self.pending.who,
                "what": self.pending.what,
                "options": list(self.pending.options),
                "labels": list(self.pending.labels),
            }
        envelope = {
            "schema": SCHEMA,
            "ok": self.problem is None,
            "command": self.command,
            "seq": self.seq,
            "data": self.data,
            "facts": list(self.facts),
            "pending": pending,
        }
        return envelope | ({"error": error_of(self.problem)} if self.problem else {})


def show(result: Result, *, as_json: bool = False, plain: bool = False) -> None:
    """Print a result: JSON, plain text, or colour on a terminal. Notices go to stderr."""
    for notice in result.notices:
        sys.stderr.write(f"Note: {notice}\n")
    if as_json:
        sys.stdout.write(json.dumps(result.as_json(), ensure_ascii=False) + "\n")
    elif plain or not coloured():
        sys.stdout.write(as_text(result.blocks))
    else:
        console = terminal()
        for block in result.blocks:
            console.print(_rich(block, console.width), highlight=False)
    sys.stdout.flush()


def renderable(blocks: Iterable[Block], width: int) -> RenderableType:
    """The blocks as one thing that Rich can draw."""
    from rich.console import Group

    return Group(*(_rich(block, width) for block in blocks))


def coloured() -> bool:
    """Whether stdout is a terminal that wants colour."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def terminal() -> Console:
    """Rich's console, imported only here."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def as_text(blocks: Iterable[Block], width: int = 100) -> str:
    """The blocks as plain text."""
    return "".join(f"{_plain(block, width)}\n" for block in blocks)


def _plain(block: Block, width: int) -> str:
    if isinstance(block, Table):
        return _plain_table(block)
    if isinstance(block, Picture):
        return block.plain(width)
    if isinstance(block, Bars):
        longest = max((len(label) for label, _, _ in block.rows), default=0)
        return "\n".join(f"{label:<{longest}}  {_bar(share)}  {text}" for label, share, text in block.rows)
    if isinstance(block, Section):
        return _plain_section(block)
    if isinstance(block, Columns):
        between = [""] if block.left and block.right else []
        return as_text([*block.left, *between, *block.right], width).removesuffix("\n")
    if isinstance(block, Frame):
        foot = [("", ""), block.foot] if block.foot else []
        return as_text([block.title, *block.blocks, *foot], width).removesuffix("\n")
    return _words(block)


def _plain_section(section: Section) -> str:
    title = _words(section.title)
    items = [(_words(mark), _words(line)) for mark, line in section.items]
    if section.flow:
        return f"{title}: " + ", ".join(f"{mark}{text}" for mark, text in items)
    longest = max((len(mark) for mark, _ in items), default=0)
    lead = longest + 1 if longest else 0
    return "\n".join([f"{title}:", *(f"  {mark:{lead}}{text}" for mark, text in items)])


def _words(line: Line) -> str:
    return "".join(text for text, _ in spans(line))


def _plain_table(table: Table) -> str:
    headings = [heading.lstrip(">") for heading in table.headings]
    rows = [[spans(cell)[0][0] for cell in row] for row in table.rows]
    widths = [max(len(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    lines = [table.title] if table.title else []
    for row in [headings, *rows]:
        cells = [
            cell.rjust(width) if heading.startswith(">") else cell.ljust(width)
            for cell, width, heading in zip(row, widths, table.headings, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def spans(line: Line) -> list[tuple[str, str]]:
    """A line as (text, style) pairs. Control characters in names and notes never reach a terminal."""
    if isinstance(line, str):
        return [(_printable(line), "")]
    if isinstance(line, tuple) and len(line) == 2 and isinstance(line[1], str) and line[1] in STYLES:
        return [(_printable(str(line[0])), line[1])]
    return [span for part in line for span in spans(part)]


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def _bar(share: float, width: int = 30) -> str:
    eighths = round(share * width * 8)
    whole, rest = divmod(eighths, 8)
    bar = "█" * whole + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
    return bar.ljust(width)


def _rich(block: Block, width: int) -> Any:
    from rich.table import Table as RichTable
    from rich.text import Text

    if isinstance(block, Picture):
        return block.rich(width)
    if isinstance(block, Table):
        grid = RichTable(box=None, pad_edge=False, title=block.title or None, title_justify="left")
        for heading in block.headings:
            grid.add_column(
                heading.lstrip(">"),
                justify="right" if heading.startswith(">") else "left",
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
        from .rich_layout import boxed

        return boxed(block, width, _rich, _rich_text)
    return _rich_text(block)


def _rich_text(line: Line) -> Any:
    from rich.text import Text

    return Text.assemble(*((text, STYLES.get(style, "")) for text, style in spans(line)))


def error_of(problem: Problem) -> dict[str, str]:
    """A refusal as the envelope has it."""
    return {"code": problem.code, "message": problem.message, "hint": problem.hint}


def show_problem(problem: Problem, command: str, as_json: bool) -> None:
    """A refusal: text on stderr, or the envelope on stdout."""
    if as_json:
        envelope = {"schema": SCHEMA, "ok": False, "command": command, "error": error_of(problem)}
        sys.stdout.write(json.dumps(envelope, ensure_ascii=False) + "\n")
        return
    red, dim, end = ("\033[1;31m", "\033[2m", "\033[0m") if _error_colour() else ("", "", "")
    sys.stderr.write(f"{red}{_printable(problem.message)}{end}\n")
    if problem.hint:
        sys.stderr.write(f"{dim}{_printable(problem.hint)}{end}\n")


def _error_colour() -> bool:
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
