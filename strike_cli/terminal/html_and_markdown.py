"""Blocks of command output as HTML and as Markdown, for files and notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from ..untrusted_input import isolate_right_to_left_words
from .command_output import (
    BarChart,
    Block,
    Columns,
    Frame,
    Line,
    NumberHeading,
    Picture,
    Section,
    Table,
    blocks_as_unwrapped_text,
    styled_spans,
)


def blocks_html(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML, one below the other.

    Empty lines are left out, since the page's style separates blocks.
    """
    return "".join(_html_block(block) for block in blocks if block != "")


def line_html(line: Line) -> str:
    """Return a line as HTML, in which the names of the line's styles are classes."""
    return "".join(
        f'<span class="{style}">{escape(text)}</span>' if style else escape(text)
        for text, style in styled_spans(line)
    )


def _html_block(block: Block) -> str:
    if isinstance(block, Table):
        return _html_table(block)
    if isinstance(block, Section):
        title = f"<h2>{escape(block.title)}</h2>" if block.title else ""
        items = [(line_html(mark), line_html(line)) for mark, line in block.items]
        if block.flow:
            words = "</li><li>".join(f"{mark}{line}" for mark, line in items)
            return f'<section>{title}<ul class="flow"><li>{words}</li></ul></section>'
        if any(mark for mark, _ in items):
            rows = "".join(f"<dt>{mark}</dt><dd>{line}</dd>" for mark, line in items)
            return f"<section>{title}<dl>{rows}</dl></section>"
        return f"<section>{title}<ul>{''.join(f'<li>{line}</li>' for _, line in items)}</ul></section>"
    if isinstance(block, Columns):
        sides = [blocks_html(side) for side in (block.left, block.right) if side]
        return f'<div class="columns">{"".join(f"<div>{side}</div>" for side in sides)}</div>'
    if isinstance(block, Frame):
        foot = f'<p class="foot">{escape(block.foot)}</p>' if block.foot else ""
        return f"<article><h1>{escape(block.title)}</h1>{blocks_html(block.blocks)}{foot}</article>"
    if isinstance(block, Picture | BarChart):
        return f"<pre>{escape(blocks_as_unwrapped_text([block]))}</pre>"
    return f"<p>{line_html(block)}</p>"


def _html_table(table: Table) -> str:
    side = [' class="number"' if isinstance(heading, NumberHeading) else "" for heading in table.headings]
    head = "".join(
        f"<th{how}>{escape(text.strip())}</th>" for how, text in zip(side, table.headings, strict=True)
    )
    cells = (
        "".join(f"<td{how}>{line_html(cell)}</td>" for how, cell in zip(side, row, strict=True))
        for row in table.rows
    )
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f"<table>{title}<tr>{head}</tr>{rows}</table>"


def markdown_line(text: str) -> str:
    """Return a text escaped for Markdown, on a single line that doesn't begin a list or heading."""
    return re.sub(
        r"^([#+-]|\d+[.)])(?=\s)",
        r"\\\1",
        escape_markdown(isolate_right_to_left_words(" ".join(text.split()))),
    )


def escape_markdown(text: str) -> str:
    """Return a text escaped for use within a line of Markdown."""
    printable = "".join(char for char in text if char.isprintable())
    return re.sub(r"([\\`*_~&\[\]<>|])", r"\\\1", printable)


def markdown_row(cells: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def blocks_markdown(blocks: Iterable[Block], level: int = 2) -> list[str]:
    """Return blocks as lines of Markdown.

    `level` is the level of headings in the blocks: 2 means `##`. The title of a frame stands one level above,
    such as `#`.
    """
    lines: list[str] = []
    for block in blocks:
        if block != "":
            lines += ["", *_markdown_block(block, level)]
    return lines


def _markdown_block(block: Block, level: int) -> Iterator[str]:
    if isinstance(block, Table):
        yield markdown_row(escape_markdown(heading.strip()) for heading in block.headings)
        yield markdown_row("-:" if isinstance(heading, NumberHeading) else "-" for heading in block.headings)
        yield from (markdown_row(_inline_markdown(cell).strip() for cell in cells) for cells in block.rows)
    elif isinstance(block, Section):
        if block.title:
            yield from (f"{'#' * level} {escape_markdown(block.title)}", "")
        for mark, line in block.items:
            words = _text_of_line(mark).strip()
            yield (
                f"- **{escape_markdown(words)}** {_inline_markdown(line)}"
                if words
                else f"- {_inline_markdown(line)}"
            )
    elif isinstance(block, Columns):
        yield from blocks_markdown([*block.left, *block.right], level)
    elif isinstance(block, Frame):
        yield f"{'#' * (level - 1)} {escape_markdown(block.title)}"
        yield from blocks_markdown(block.blocks, level)
    elif isinstance(block, Picture | BarChart):
        yield from ("```text", blocks_as_unwrapped_text([block]).rstrip("\n"), "```")
    else:
        yield markdown_line(_text_of_line(block))


def _inline_markdown(line: Line) -> str:
    return "".join(
        f"**{escape_markdown(text.strip())}**"
        if style in ("strong", "name") and text.strip()
        else escape_markdown(text)
        for text, style in styled_spans(line)
    )


def _text_of_line(line: Line) -> str:
    return "".join(text for text, _ in styled_spans(line))
