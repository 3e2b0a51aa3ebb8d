"""Draws sections, columns and frames with Rich. It is imported only for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from .command_output import Columns, Frame, Section

if TYPE_CHECKING:
    from .command_output import Block, Line

WIDEST_FRAME = 112
INDENT = 2
SIDE_BY_SIDE = 88
"""Columns of text that two groups of blocks need to be side by side."""

Render = Callable[["Block", int], RenderableType]
Words = Callable[["Line"], Text]


def lay_out_block(
    block: Section | Columns | Frame, width: int, render_block: Render, render_line: Words
) -> RenderableType:
    """Return a block as a Rich renderable, `width` columns wide.

    `render_block` draws the blocks inside the block, and `render_line` draws a line.
    """
    if isinstance(block, Section):
        heading = render_line((block.title, "strong"))
        items = [(render_line(mark), render_line(line)) for mark, line in block.items]
        body = (
            _FlowingItemList([mark + line for mark, line in items])
            if block.flow
            else _IndentedItemList(items)
        )
        return Group(heading, body) if block.title else body
    if isinstance(block, Columns):
        if width < SIDE_BY_SIDE or not (block.left and block.right):
            between = [""] if block.left and block.right else []
            return Group(*(render_block(each, width) for each in [*block.left, *between, *block.right]))
        half = (width - 4) // 2
        grid = Grid.grid(padding=(0, 2), expand=True)
        grid.add_column(ratio=1)
        grid.add_column(ratio=1)
        sides = [Group(*(render_block(each, half) for each in side)) for side in (block.left, block.right)]
        grid.add_row(*sides)
        return grid
    outer = min(width, WIDEST_FRAME)
    inner = Group(*(render_block(each, outer - 4) for each in block.blocks))
    return Panel(
        inner,
        box=box.ROUNDED,
        border_style="cyan",
        title=Text.assemble(" ", render_line((block.title, "name")), " "),
        title_align="left",
        subtitle=Text.assemble(" ", render_line((block.foot, "dim")), " ") if block.foot else None,
        subtitle_align="right",
        width=outer,
        padding=(0, 1),
    )


class _IndentedItemList:
    """Items one below the other, each with a mark before its text, such as a number.

    Further lines of an item are indented more than its first line. If all marks are shorter than INDENT, the
    marks stand in the indentation. Otherwise the marks are indented, too.
    """

    def __init__(self, items: list[tuple[Text, Text]]) -> None:
        self.items = items
        longest = max(cell_len(mark.plain) for mark, _ in items)
        self.margin = INDENT if longest < INDENT else 0
        self.lead = INDENT if self.margin else INDENT + longest + 1

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        for mark, text in self.items:
            before = mark if self.margin else Text(" " * INDENT) + mark
            before.pad_right(self.lead - cell_len(before.plain))
            room = max(options.max_width - self.lead - INDENT, 10)
            for number, line in enumerate(text.wrap(console, room)):
                line.rstrip()
                yield Text(" " * (self.lead + INDENT)) + line if number else before + line


class _FlowingItemList:
    """Items that share lines; lines break only between items."""

    def __init__(self, items: list[Text]) -> None:
        self.items = items

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        between, indent = Text(" · ", style="dim"), " " * INDENT
        line = Text(indent)
        for number, item in enumerate(self.items):
            joined = len(line) > len(indent)
            more = Text(" ·", style="dim") if number < len(self.items) - 1 else Text()
            if joined and cell_len(line.plain) + 3 + cell_len(item.plain) + len(more) > options.max_width:
                yield Text.assemble(line, Text(" ·", style="dim"))
                line, joined = Text(indent), False
            line = Text.assemble(line, between, item) if joined else Text.assemble(line, item)
        yield line
