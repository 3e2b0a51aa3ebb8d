"""Sections, columns and frames as a terminal shows them. Imported only where there is one to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from .result import Columns, Frame, Section

WIDEST = 112
SIDE_BY_SIDE = 88
"""Columns of text that two lots of blocks need to stand beside each other."""

Render = Callable[[Any, int], RenderableType]
Words = Callable[[Any], Text]


def boxed(block: Section | Columns | Frame, width: int, render: Render, words: Words) -> RenderableType:
    """A block for a terminal `width` columns wide; `render` and `words` show what is in it."""
    if isinstance(block, Section):
        return _section(block, words)
    if isinstance(block, Columns):
        return _columns(block, width, render)
    outer = min(width, WIDEST)
    inner = Group(*(render(each, outer - 4) for each in block.blocks))
    return Panel(
        inner,
        box=box.ROUNDED,
        border_style="cyan",
        title=Text(f" {block.title} ", style="bold cyan"),
        title_align="left",
        subtitle=Text(f" {block.foot} ", style="dim") if block.foot else None,
        subtitle_align="right",
        width=outer,
        padding=(0, 1),
    )


def _section(section: Section, words: Words) -> RenderableType:
    heading = Text(section.title, style="bold")
    body: RenderableType
    if section.flow:
        body = _Flow([Text.assemble(words(mark), words(line)) for mark, line in section.items])
    else:
        body = Grid.grid(padding=(0, 1))
        body.add_column(min_width=1, no_wrap=True)
        body.add_column(ratio=1, overflow="fold")
        for mark, line in section.items:
            body.add_row(words(mark), words(line))
    return Group(heading, body)


def _columns(columns: Columns, width: int, render: Render) -> RenderableType:
    if width < SIDE_BY_SIDE or not (columns.left and columns.right):
        return Group(*(render(each, width) for each in [*columns.left, *columns.right]))
    half = (width - 4) // 2
    grid = Grid.grid(padding=(0, 2), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    sides = [Group(*(render(each, half) for each in side)) for side in (columns.left, columns.right)]
    grid.add_row(*sides)
    return grid


class _Flow:
    """Items one after the other, broken between them where a line is full."""

    def __init__(self, items: list[Text]) -> None:
        self.items = items

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        between, indent = Text(" · ", style="dim"), "  "
        line = Text(indent)
        for number, item in enumerate(self.items):
            joined = len(line) > len(indent)
            more = Text(" ·", style="dim") if number < len(self.items) - 1 else Text()
            if joined and cell_len(line.plain) + 3 + cell_len(item.plain) + len(more) > options.max_width:
                yield Text.assemble(line, Text(" ·", style="dim"))
                line, joined = Text(indent), False
            line = Text.assemble(line, between, item) if joined else Text.assemble(line, item)
        yield line
