"""What commands show people, as HTML: the same blocks that a terminal gets, for pages and for paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .result import Bars, Block, Columns, Frame, Line, Numbers, Picture, Section, Span, Table, as_text, spans


def blocks_html(blocks: Iterable[Block]) -> str:
    """Return blocks one below the other, without empty lines: the page's style sets them apart."""
    return "".join(_block(block) for block in blocks if block != "")


def line_html(line: Line) -> str:
    """Return a line with its styles as classes."""
    return "".join(
        f'<span class="{style}">{escape(text)}</span>' if style else escape(text)
        for text, style in spans(line)
    )


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Section):
        return _section(block)
    if isinstance(block, Columns):
        sides = [blocks_html(side) for side in (block.left, block.right) if side]
        return f'<div class="columns">{"".join(f"<div>{side}</div>" for side in sides)}</div>'
    if isinstance(block, Frame):
        foot = f'<p class="foot">{escape(block.foot)}</p>' if block.foot else ""
        return f"<article><h1>{escape(block.title)}</h1>{blocks_html(block.blocks)}{foot}</article>"
    if isinstance(block, Picture | Bars):
        return f"<pre>{escape(as_text([block]))}</pre>"
    return f"<p>{line_html(block)}</p>"


def _section(section: Section) -> str:
    title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    items = [(line_html(mark), line_html(line)) for mark, line in section.items]
    if section.flow:
        words = "</li><li>".join(f"{mark}{line}" for mark, line in items)
        return f'<section>{title}<ul class="flow"><li>{words}</li></ul></section>'
    if any(mark for mark, _ in items):
        rows = "".join(f"<dt>{mark}</dt><dd>{line}</dd>" for mark, line in items)
        return f"<section>{title}<dl>{rows}</dl></section>"
    return f"<section>{title}<ul>{''.join(f'<li>{line}</li>' for _, line in items)}</ul></section>"


def _table(table: Table) -> str:
    side = [' class="number"' if isinstance(heading, Numbers) else "" for heading in table.headings]
    head = "".join(
        f"<th{how}>{escape(text.strip())}</th>" for how, text in zip(side, table.headings, strict=True)
    )
    rows = "".join(f"<tr>{_cells(row, side)}</tr>" for row in table.rows)
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f"<table>{title}<tr>{head}</tr>{rows}</table>"


def _cells(row: Sequence[Span], side: Sequence[str]) -> str:
    return "".join(f"<td{how}>{line_html(cell)}</td>" for how, cell in zip(side, row, strict=True))
