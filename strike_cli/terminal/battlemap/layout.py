"""The map with its legend beside or below it: lines of pieces, each a text and the name of a style.

`plain` writes the texts, `rich_renderable` colours the same texts, so the two never disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ...tabletop.scene import Scene
from ...tabletop.squares import Square
from .board import DrawnMap
from .colours import rich_style
from .labels import active_in, labels, side_of
from .legend import legend_lines, name_of
from .text_columns import Line, cut_line, line_columns, make_one_line, split_styled, wrap_items

if TYPE_CHECKING:
    from rich.text import Text

WIDE = 90  # Columns from which the legend goes beside the map.
GUTTER = 3  # Columns between the map and a legend beside it.
NARROWEST_LEGEND = 40
NARROWEST_NOTES = 24

# For terminals and files that know no Unicode: one character for one, so that nothing moves.
ASCII = str.maketrans(
    "█▒━░·◦◎▮▯▸✗→←↓↑↘↖↗↙─│┊┌┐└┘…—✶≈▩◌┃┏┓┗┛┣┫┳┻╋╸╹╺╻▬▭", "###~.o@+/>x********-|:++++.-^:%,|+++++++++-|-|=_"
)


# --- the two forms


def plain_text(
    scene: Scene,
    width: int = 80,
    *,
    path: Sequence[Square] = (),
    reach: Collection[Square] = (),
    ascii_only: bool = False,
) -> str:
    """Return the map and its legend as text of at most `width` columns, for pipes and files.

    `path` and `reach` are squares to mark: a path to walk, and the squares where a move may end. With
    `ascii_only` the drawing is in ASCII; names are unchanged.
    """
    lines = draw_map(scene, width, path=path, reach=reach)
    if ascii_only:
        lines = [[(text.translate(ASCII), style) for text, style in line] for line in lines]
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def coloured_map(
    scene: Scene, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> list[Line]:
    """Return the map and its legend in colour, in lines of pieces.

    A piece is a text, and its style in Rich's notation.
    """
    lines = draw_map(scene, width, path=path, reach=reach)
    return [[(text, rich_style(style)) for text, style in line] for line in lines]


def rich_renderable(
    scene: Scene, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> Text:
    """Return the map and its legend in colour, for a Rich console of `width` columns.

    Names are never read as markup.
    """
    from rich.style import Style
    from rich.text import Text

    styles: dict[str, Style] = {}
    picture = Text(no_wrap=True, overflow="crop")
    for number, line in enumerate(draw_map(scene, width, path=path, reach=reach)):
        if number:
            picture.append("\n")
        for text, style in line:
            if style not in styles:
                styles[style] = Style.parse(rich_style(style))
            picture.append(text, styles[style])
    return picture


# --- the layout


def draw_map(
    scene: Scene, width: int, *, path: Sequence[Square] = (), reach: Collection[Square] = ()
) -> list[Line]:
    """Return the whole picture in lines of pieces, none wider than `width` columns.

    `path` and `reach` are squares to mark: a walk, and where somebody can go.
    """
    tokens = labels(scene)
    title: Line = [(make_one_line(scene.name) or scene.system.capitalize(), "title")]
    if scene.round:
        title += [(" · ", "quiet"), (f"Round {scene.round}", "title")]
    active = active_in(scene)
    if active is not None:
        title += [(" · ", "quiet"), (f"{name_of(active)}'s turn", side_of(active))]
    goal = make_one_line(scene.goal)
    lines = [title, *(wrap_items(split_styled(f"Goal: {goal}", "quiet"), width, " ") if goal else ()), []]
    board = (
        DrawnMap(scene, scene.board, tokens, path, reach, width) if scene.board and scene.board.rows else None
    )
    if board is None:
        lines += legend_lines(scene, tokens, width)
    elif width >= WIDE and width - board.width - GUTTER >= NARROWEST_LEGEND:
        left = [*board.lines(), [], *board.notes(max(board.width, NARROWEST_NOTES))]
        room = width - max(map(line_columns, left)) - GUTTER
        lines += _side_by_side(left, legend_lines(scene, tokens, room))
    else:
        lines += [*board.lines(), *board.notes(width), [], *legend_lines(scene, tokens, width)]
    while not lines[-1]:
        lines.pop()
    return [cut_line(line, width) for line in lines]


def _side_by_side(left: list[Line], right: list[Line]) -> list[Line]:
    column = max(map(line_columns, left)) + GUTTER
    lines = []
    for number in range(max(len(left), len(right))):
        line = list(left[number]) if number < len(left) else []
        if number < len(right) and right[number]:
            line.append((" " * (column - line_columns(line)), ""))
            line += right[number]
        lines.append(line)
    return lines
