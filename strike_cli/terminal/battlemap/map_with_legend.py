"""The map with its legend beside or below it, as lines of pieces.

A piece is a text and the name of its style. The plain and the coloured output are made from the same lines,
so that the two never disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ...tabletop.scene import Scene
from ...tabletop.squares_and_lines import Square
from .board import DrawnMap
from .colours import rich_style
from .labels_and_marks import active_person, map_labels, side_style_name
from .legend import legend_lines, name_or_id_on_one_line
from .text_width import Line, cut_line, make_printable_line, width_of_line, words_as_styled_lines, wrap_items

if TYPE_CHECKING:
    from rich.text import Text

SIDE_BY_SIDE_WIDTH = 90  # Columns from which the legend goes beside the map.
GUTTER = 3  # Columns between the map and a legend beside it.
NARROWEST_LEGEND = 40
NARROWEST_NOTES = 24


# --- the two forms


def map_and_legend_as_plain_text(
    scene: Scene, width: int = 80, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> str:
    """Return the map and its legend as plain text of at most `width` columns.

    The squares of a walk (`path`), and those where a move may end (`reach`), are marked.
    """
    lines = map_and_legend_lines(scene, width, path=path, reach=reach)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def map_and_legend_lines_in_rich_styles(
    scene: Scene, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> list[Line]:
    """Return the map and its legend, in colour, as lines of pieces.

    A piece is a text and its style in Rich's notation. The squares of a walk (`path`), and those where a move
    may end (`reach`), are marked.
    """
    lines = map_and_legend_lines(scene, width, path=path, reach=reach)
    return [[(text, rich_style(style)) for text, style in line] for line in lines]


def map_and_legend_as_rich_text(
    scene: Scene, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> Text:
    """Return the map and its legend as coloured Rich text, `width` columns wide.

    Names aren't read as markup.
    """
    from rich.style import Style
    from rich.text import Text

    styles: dict[str, Style] = {}
    picture = Text(no_wrap=True, overflow="crop")
    for number, line in enumerate(map_and_legend_lines(scene, width, path=path, reach=reach)):
        if number:
            picture.append("\n")
        for text, style in line:
            if style not in styles:
                styles[style] = Style.parse(rich_style(style))
            picture.append(text, styles[style])
    return picture


# --- the layout


def map_and_legend_lines(
    scene: Scene, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> list[Line]:
    """Return the title, the map and the legend as lines of pieces.

    No line is wider than `width` columns. The squares of a walk (`path`), and those where a move may end
    (`reach`), are marked.
    """
    tokens = map_labels(scene)
    title: Line = [(make_printable_line(scene.name) or scene.system.capitalize(), "title")]
    if scene.round:
        title += [(" · ", "quiet"), (f"Round {scene.round}", "title")]
    active = active_person(scene)
    if active is not None:
        title += [(" · ", "quiet"), (f"{name_or_id_on_one_line(active)}'s turn", side_style_name(active))]
    goal = make_printable_line(scene.goal)
    lines = [
        title,
        *(wrap_items(words_as_styled_lines(f"Goal: {goal}", "quiet"), width, " ") if goal else ()),
        [],
    ]
    board = (
        DrawnMap(scene, scene.board, tokens, path, reach, width) if scene.board and scene.board.rows else None
    )
    if board is None:
        lines += legend_lines(scene, tokens, width)
    elif width >= SIDE_BY_SIDE_WIDTH and width - board.width - GUTTER >= NARROWEST_LEGEND:
        left = [*board.lines(), [], *board.lines_below(max(board.width, NARROWEST_NOTES))]
        room = width - max(map(width_of_line, left)) - GUTTER
        lines += _side_by_side(left, legend_lines(scene, tokens, room))
    else:
        lines += [*board.lines(), *board.lines_below(width), [], *legend_lines(scene, tokens, width)]
    while not lines[-1]:
        lines.pop()
    return [cut_line(line, width) for line in lines]


def _side_by_side(left: list[Line], right: list[Line]) -> list[Line]:
    column = max(map(width_of_line, left)) + GUTTER
    lines = []
    for number in range(max(len(left), len(right))):
        line = list(left[number]) if number < len(left) else []
        if number < len(right) and right[number]:
            line.append((" " * (column - width_of_line(line)), ""))
            line += right[number]
        lines.append(line)
    return lines
