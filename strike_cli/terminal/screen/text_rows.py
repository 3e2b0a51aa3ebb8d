"""Rows of a screen, which are texts in Rich's styles: cut, wrapped and put side by side.

A row that was cut ends with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ...untrusted_input import isolate_right_to_left_words, replace_unprintable
from ..battlemap.colours import rich_style
from ..battlemap.text_width import Line as MapLine
from ..command_output import STYLES, Block, Line, rich_renderable, styled_spans

Row = list[Segment]

DIM, STRONG, PICKED = Style(dim=True), Style(bold=True), Style(bold=True, reverse=True)
CUT = "…"


@lru_cache(maxsize=256)
def parse_style(style: str) -> Style:
    """Return the Rich style for its notation."""
    return Style.parse(style)


def make_row(*pieces: tuple[str, Style]) -> Row:
    """Return a row of texts in styles, without characters that a terminal would obey."""
    return [
        Segment(text if text.isascii() and text.isprintable() else _safe_text(text), style)
        for text, style in pieces
        if text
    ]


def _safe_text(text: str) -> str:
    return isolate_right_to_left_words(replace_unprintable(text)).replace("\n", " ")


def row_from_map_line(map_line: MapLine) -> Row:
    """Return a line of the map or its legend as a row."""
    return [Segment(text, parse_style(rich_style(kind))) for text, kind in map_line if text]


def text_of_row(row: Row) -> str:
    """Return the text of a row, without styles."""
    return "".join(segment.text for segment in row)


def width_of_row(row: Row) -> int:
    """Return how many columns of a terminal a row takes."""
    return sum(cell_len(segment.text) for segment in row)


def clip_with_ellipsis(text: str, width: int) -> str:
    """Return a text, cut with an ellipsis if it is wider than `width` columns."""
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)) + CUT


def fit_width(row: Row, width: int) -> Row:
    """Return a row exactly `width` columns wide, padded or cut with an ellipsis."""
    have = width_of_row(row)
    if have <= width:
        return [*row, Segment(" " * (width - have), Style.null())] if have < width else row
    room, found = width - 1, Row()
    for segment in row:
        size = cell_len(segment.text)
        if size > room:
            found.append(Segment(set_cell_size(segment.text, room), segment.style))
            break
        found.append(segment)
        room -= size
    return [*found, Segment(CUT, DIM)] if width > 0 else []


def wrap_line(line: Line, width: int, indent: int = 0, first_indent: int = 0) -> list[Row]:
    """Return a line as rows of at most `width` columns.

    The first is indented by `first_indent` columns, the others by `indent`.
    """
    text = Text.assemble(*((each, STYLES.get(kind, "")) for each, kind in styled_spans(line)))
    room = max(width - max(first_indent, indent), 8)
    found = []
    for number, part in enumerate(text.wrap(_CONSOLE, room)):
        part.rstrip()
        lead = indent if number else first_indent
        found.append([Segment(" " * lead), *_row_from_text(part)])
    return found or [[]]


def wrap_row(row: Row, width: int) -> list[Row]:
    """Return a row as several rows of at most `width` columns."""
    if width_of_row(row) <= width:
        return [row]
    text = Text.assemble(*((each.text, each.style or "") for each in row))
    return [_row_from_text(part) for part in text.wrap(_CONSOLE, max(width, 8))]


def _row_from_text(text: Text) -> Row:
    return [
        Segment(isolate_right_to_left_words(s.text), s.style)
        for s in text.render(_CONSOLE)
        if s.text and s.text != "\n"
    ]


def rows_of_blocks(blocks: Iterable[Block], width: int) -> list[Row]:
    """Return blocks of a result as rows, `width` columns wide."""
    drawn = _CONSOLE.render_lines(
        rich_renderable(blocks, width), _CONSOLE.options.update(width=width, height=None), pad=False
    )
    return [[segment for segment in one if segment.text] for one in drawn]


_CONSOLE = Console(width=200, color_system=None, highlight=False, legacy_windows=False)


def fit_rows_marking_omissions(
    rows: Sequence[Row], height: int, *, focus_row: int = 0
) -> tuple[list[Row], int]:
    """Return at most `height` rows around the row `focus_row`, and an offset.

    Row `i` of the result is `rows[offset + i]`. If rows are left out, the first or last row of the result
    says how many instead. With a `height` under 3, it doesn't.
    """
    if len(rows) <= height:
        return list(rows), 0
    if height < 3:
        first = min(max(focus_row, 0), len(rows) - height)
        return list(rows[first : first + height]), first
    room = height - 1
    if focus_row < room:
        below = len(rows) - room
        return [*rows[:room], make_row((f"{CUT} {below} more", DIM))], 0
    if focus_row >= len(rows) - room:
        first = len(rows) - room
        return [make_row((f"{CUT} {first} above", DIM)), *rows[first:]], first - 1
    room = height - 2
    first = focus_row - room // 2
    first = min(max(first, 1), len(rows) - room - 1)
    below = len(rows) - first - room
    signs = make_row((f"{CUT} {first} above", DIM)), make_row((f"{CUT} {below} more", DIM))
    return [signs[0], *rows[first : first + room], signs[1]], first - 1


def rows_up_to_newest_marking_cut(rows: Sequence[Row], height: int, rows_back: int = 0) -> list[Row]:
    """Return the last `height` rows, or the `height` rows that end `rows_back` rows earlier.

    If rows are left out, the first or last row of the result says so, unless `height` is 1.
    """
    end = len(rows) - rows_back
    if len(rows) <= height:
        return list(rows)
    top = max(end - height, 0)
    shown = list(rows[top : top + height])
    if top and height > 1:
        shown[0] = make_row((f"{CUT} earlier", DIM))
    if top + height < len(rows) and height > 1:
        shown[-1] = make_row((f"{CUT} {len(rows) - top - height + 1} newer", DIM))
    return shown


def heading_row(title: str, width: int, tail: str = "") -> Row:
    """Return a heading `width` columns wide: `── Title ─────────`.

    `tail` is put at the end of the heading, if there is room.
    """
    end = f" {tail} ──" if tail else ""
    left = f"── {title} "
    fill = width - cell_len(left) - cell_len(end)
    if fill < 0:
        return (
            fit_width(make_row((left + "─" * width, DIM)), width) if not tail else heading_row(title, width)
        )
    return make_row(("── ", DIM), (title, STRONG), (" " + "─" * fill + end, DIM))


def fit_block(rows: Sequence[Row], width: int, height: int) -> list[Row]:
    """Return rows as a block of exactly `width` columns and `height` rows, padded or cut."""
    filled = [fit_width(one, width) for one in rows[:height]]
    return filled + [fit_width([], width) for _ in range(height - len(filled))]


def side_by_side(left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    """Return two blocks of the same height side by side, with a line between them."""
    return [[*one, Segment(" │ ", DIM), *other] for one, other in zip(left, right, strict=True)]
