"""Print a page of commands as a PDF of one A4 sheet, in the largest font size that fits.

No other module imports reportlab.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..problems import CampaignProblem, Refused
from .html import MADE

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MARGIN = 28
"""The margins of the page, in points."""
GAP = 14
"""The points between columns."""
LARGEST, SMALLEST, STEP = 10.0, 5.5, 0.25
"""The font sizes that are tried, in points."""
LEADING = 1.22
"""The height of a line, as a multiple of the font size."""
HEADING, BETWEEN = 1.2, 0.9
"""The lines for a heading with the space below it, and the space between two parts."""
TYPED_SHARE = 0.38
"""The share of a column for commands; a longer one has its words below it."""
PLAIN, BOLD = "Vera", "VeraBd"
"""The fonts, which come with reportlab, and are embedded."""

ARROWS = {"↑": "Up", "↓": "Down"}
"""The words for arrow keys, for which the fonts have no sign."""


class PdfRow(NamedTuple):
    """A row of the page: the letter for a command, the command, and what it does."""

    letter: str
    typed: str
    what: str


class PdfPart(NamedTuple):
    """A part of the page: rows under a heading."""

    title: str
    rows: Sequence[PdfRow]


class _Piece(NamedTuple):
    """A text in a column, at `x` points from the column's left and `y` points below its top."""

    x: float
    y: float
    font: str
    text: str


def one_page_pdf_and_lacking_characters(title: str, parts: Sequence[PdfPart]) -> tuple[bytes, str]:
    """Make a PDF of one page. Return its bytes, and the characters that the page's font lacks.

    Those characters are printed as `?`. Raises CampaignProblem if reportlab isn't installed. Raises Refused
    if the content doesn't fit on one page.
    """
    try:
        from reportlab.lib.pagesizes import A4
        from reportlab.pdfbase.pdfmetrics import registerFont
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        raise CampaignProblem(
            f"A PDF needs {error.name}, which is not installed.", 'pip install "strike-cli[pdf]"'
        ) from None
    fonts = [TTFont(PLAIN, "Vera.ttf"), TTFont(BOLD, "VeraBd.ttf")]
    for font in fonts:
        registerFont(font)
    known = set.intersection(*(set(font.face.charToGlyph) for font in fonts))
    everything = "".join([title, *(text for part in parts for text in (part.title, *sum(part.rows, ())))])
    lacking = "".join(sorted({letter for letter in everything if ord(letter) not in known} - ARROWS.keys()))
    shown = str.maketrans({**dict.fromkeys(lacking, "?"), **ARROWS})

    width, height = A4
    top = height - MARGIN - 2 * LARGEST
    column = (width - 2 * MARGIN - GAP) / 2
    said = [
        PdfPart(
            part.title.translate(shown),
            [PdfRow(*(cell.translate(shown) for cell in row)) for row in part.rows],
        )
        for part in parts
    ]
    size, columns = _largest_fitting_layout(said, column, top - MARGIN)
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator(MADE)
    _draw_text(canvas, BOLD, LARGEST + 2, MARGIN, height - MARGIN - LARGEST, title.translate(shown))
    for number, pieces in enumerate(columns):
        left = MARGIN + number * (column + GAP)
        for piece in pieces:
            _draw_text(canvas, piece.font, size, left + piece.x, top - piece.y, piece.text)
    canvas.showPage()
    canvas.save()
    return file.getvalue(), lacking


def _draw_text(canvas: Canvas, font: str, size: float, x: float, y: float, text: str) -> None:
    from strike_look import PAPER

    canvas.setFillColor(PAPER["gold-ink" if font == BOLD else "ink"])
    canvas.setFont(font, size)
    canvas.drawString(x, y, text)


def _largest_fitting_layout(
    parts: Sequence[PdfPart], width: float, height: float
) -> tuple[float, list[list[_Piece]]]:
    """Return the largest font size at which everything fits into two columns, and the columns.

    Raises Refused if the content doesn't fit even in the smallest size.
    """
    size = LARGEST
    while size >= SMALLEST:
        columns = _lay_out_columns(parts, size, width, height)
        if len(columns) <= 2:
            return size, columns
        size -= STEP
    raise Refused("So many games don't fit on one page.", "Name a few: `strike cheat combat --pdf`.")


def _lay_out_columns(
    parts: Sequence[PdfPart], size: float, width: float, height: float
) -> list[list[_Piece]]:
    """Return the texts of each column, in as many columns as needed.

    No heading is the last line of a column.
    """
    line = size * LEADING
    columns: list[list[_Piece]] = [[]]
    y = 0.0
    for part in parts:
        for number, (rows, pieces) in enumerate(_lay_out_rows(part, size, width)):
            first = HEADING if number == 0 else 0
            above = BETWEEN if first and columns[-1] else 0
            if columns[-1] and y + (above + first + rows) * line > height:
                columns.append([])
                y, above = 0.0, 0
            y += above * line
            if first:
                columns[-1].append(_Piece(0, y + line, BOLD, part.title.upper()))
                y += first * line
            columns[-1] += [_Piece(x, y + at * line, font, text) for x, at, font, text in pieces]
            y += rows * line
    return columns


def _lay_out_rows(part: PdfPart, size: float, width: float) -> Iterator[tuple[int, list[_Piece]]]:
    """Yield, for each row of a part, the number of its lines and its texts.

    The position `y` of a text is counted in lines from the top of the row.
    """
    from reportlab.lib.utils import simpleSplit
    from reportlab.pdfbase.pdfmetrics import stringWidth

    indent = 1.4 * size if any(row.letter for row in part.rows) else 0
    lengths = [stringWidth(row.typed, BOLD, size) for row in part.rows]
    share = max((each for each in lengths if each <= TYPED_SHARE * width), default=0)
    margin = indent + share + size
    for row, length in zip(part.rows, lengths, strict=True):
        told = simpleSplit(row.what, PLAIN, size, width - margin)
        pieces = [_Piece(0, 1, BOLD, row.letter), _Piece(indent, 1, BOLD, row.typed)]
        below = 1 if length > share else 0
        pieces += [_Piece(margin, 1 + below + at, PLAIN, text) for at, text in enumerate(told)]
        yield max(1, below + len(told)), pieces
