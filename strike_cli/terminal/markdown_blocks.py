"""What commands show people, as Markdown: the same blocks that a terminal gets, for notes elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .result import Bars, Block, Columns, Frame, Line, Numbers, Picture, Section, Table, as_text, spans


def as_markdown(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return re.sub(r"^([#+-]|\d+[.)])(?=\s)", r"\\\1", inside(" ".join(text.split())))


def inside(text: str) -> str:
    """Return text that Markdown shows as it is, within a line."""
    printable = "".join(char for char in text if char.isprintable())
    return re.sub(r"([\\`*_~&\[\]<>|])", r"\\\1", printable)


def row(cells: Iterable[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def blocks_markdown(blocks: Iterable[Block], level: int = 2) -> list[str]:
    """Return lines of Markdown; headings begin at a level."""
    lines: list[str] = []
    for block in blocks:
        if block != "":
            lines += ["", *_block(block, level)]
    return lines


def _block(block: Block, level: int) -> Iterator[str]:
    if isinstance(block, Table):
        yield row(inside(heading.strip()) for heading in block.headings)
        yield row("-:" if isinstance(heading, Numbers) else "-" for heading in block.headings)
        yield from (row(_line(cell).strip() for cell in cells) for cells in block.rows)
    elif isinstance(block, Section):
        if block.title:
            yield from (f"{'#' * level} {inside(block.title)}", "")
        for mark, line in block.items:
            words = _words(mark).strip()
            yield f"- **{inside(words)}** {_line(line)}" if words else f"- {_line(line)}"
    elif isinstance(block, Columns):
        yield from blocks_markdown([*block.left, *block.right], level)
    elif isinstance(block, Frame):
        yield f"{'#' * (level - 1)} {inside(block.title)}"
        yield from blocks_markdown(block.blocks, level)
    elif isinstance(block, Picture | Bars):
        yield from ("```text", as_text([block]).rstrip("\n"), "```")
    else:
        yield as_markdown(_words(block))


def _line(line: Line) -> str:
    return "".join(
        f"**{inside(text.strip())}**" if style in ("strong", "name") and text.strip() else inside(text)
        for text, style in spans(line)
    )


def _words(line: Line) -> str:
    return "".join(text for text, _ in spans(line))
