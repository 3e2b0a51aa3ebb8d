"""A preview of a map: its picture with walls, doors, windows, lights and the grid drawn over it.

The preview is an SVG, or a PNG. A PNG needs Pillow, which is imported only for it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_look import LIGHT, TRACED

from ..tabletop.campaign_pictures import media_type_or_empty
from ..tabletop.grid import Grid
from ..tabletop.squares_and_lines import SEE_THROUGH, TERRAIN, WALK_THROUGH, column_name
from ..tabletop.wall_and_door_lines import lines_of_square_doors, wall_sides_facing_rooms

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept

LOOKS = {
    "walls": (TRACED["red"], 0.09),
    "one_way_walls": (TRACED["orange"], 0.09),
    SEE_THROUGH: (TRACED["blue"], 0.07),
    WALK_THROUGH: (TRACED["violet"], 0.07),
    TERRAIN: (TRACED["green"], 0.05),
    "closed doors": (TRACED["yellow"], 0.14),
    "open doors": (TRACED["yellow"], 0.05),
    "lights": (TRACED["white"], 0.08),
    "squares": (TRACED["squares"], 0.02),
}
"""Colour and width, in squares, of each kind of line."""
LINE_LEGEND = {
    "walls": "walls red",
    "one_way_walls": "one-way walls orange",
    SEE_THROUGH: "windows blue",
    WALK_THROUGH: "curtains violet",
    TERRAIN: "obstacles green",
    "closed doors": "closed doors yellow",
    "open doors": "open doors thin yellow",
    "lights": "lights white",
}
_LARGEST = 4000
"""The most pixels of a PNG's longer side."""


class PreviewLine(NamedTuple):
    """A line to draw over a map's picture: its kind, and the points that it connects.

    A point's position is counted in squares.
    """

    kind: str
    points: Sequence[Sequence[float]]


def lines_to_draw(board: BoardKept) -> Iterator[PreviewLine]:
    """Yield all lines to draw over a map's picture, from the lowest layer to the highest."""
    grid = Grid(board["rows"])
    for x in range(grid.width + 1):
        yield PreviewLine("squares", [(x, 0), (x, grid.height)])
    for y in range(grid.height + 1):
        yield PreviewLine("squares", [(0, y), (grid.width, y)])
    kinds: Mapping[str, Sequence[Sequence[Sequence[float]]]] = board  # type: ignore[assignment]  # keys of walls
    for kind in (TERRAIN, WALK_THROUGH, SEE_THROUGH, "one_way_walls", "walls"):
        for wall in kinds.get(kind, ()):
            if kind != SEE_THROUGH or wall not in kinds.get(TERRAIN, ()):
                yield PreviewLine(kind, wall)
    for wall in wall_sides_facing_rooms(grid):
        yield PreviewLine("walls", wall)
    doors = [(door.open, [door.start, door.end]) for door in lines_of_square_doors(grid)]
    for is_open, line in [*doors, *((door["open"], door["at"]) for door in board.get("doors", ()))]:
        yield PreviewLine("open doors" if is_open else "closed doors", line)
    for light in board.get("lights", ()):
        left, top = light["at"]
        cross = ((-0.2, 0), (0.2, 0), (0, 0), (0, -0.2), (0, 0.2))
        yield PreviewLine("lights", [(left + right, top + down) for right, down in cross])


def map_svg(board: BoardKept, picture: bytes, place: Mapping[str, float]) -> bytes:
    """Return the map as SVG, with its picture at `place`: x, y, width and height in squares."""
    from base64 import b64encode

    grid = Grid(board["rows"])
    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {grid.width + 2} {grid.height + 2}" '
        f'width="{(grid.width + 2) * 40}" height="{(grid.height + 2) * 40}">',
        f'<rect x="-1" y="-1" width="100%" height="100%" fill="{LIGHT["page"]}"/>',
    ]
    if picture:
        data = f"data:{media_type_or_empty(picture)};base64,{b64encode(picture).decode()}"
        where = " ".join(f'{key}="{value:g}"' for key, value in place.items())
        found.append(f'<image {where} preserveAspectRatio="none" href="{data}"/>')
    for kind, points in lines_to_draw(board):
        colour, width = LOOKS[kind]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        paint = f'stroke="{colour[:7]}" stroke-width="{width}"' + (
            ' stroke-opacity=".33"' if colour[7:] else ""
        )
        found.append(f'<polyline points="{path}" fill="none" stroke-linecap="round" {paint}/>')
    for x in range(grid.width):
        found.append(
            f'<text x="{x + 0.5}" y="-.2" font-size=".4" text-anchor="middle">{column_name(x)}</text>'
        )
    for y in range(grid.height):
        found.append(f'<text x="-.15" y="{y + 0.64}" font-size=".4" text-anchor="end">{y + 1}</text>')
    return "\n".join([*found, "</svg>\n"]).encode()


def map_png(board: BoardKept, picture: bytes, place: Mapping[str, float]) -> bytes:
    """Return the map as PNG, with its picture at `place`: x, y, width and height in squares.

    Raises ModuleNotFoundError without Pillow, and ValueError if the picture can't be read.
    """
    from PIL import Image, ImageDraw

    grid = Grid(board["rows"])
    side = max(8, min(70, _LARGEST // max(grid.width, grid.height)))
    drawn = Image.new("RGB", (grid.width * side, grid.height * side), LIGHT["page"])
    if picture:
        try:
            with Image.open(io.BytesIO(picture)) as opened:
                size = max(1, round(place["width"] * side)), max(1, round(place["height"] * side))
                drawn.paste(
                    opened.convert("RGB").resize(size), (round(place["x"] * side), round(place["y"] * side))
                )
        except (OSError, SyntaxError, Image.DecompressionBombError) as problem:
            raise ValueError("can't be read") from problem
    pen = ImageDraw.Draw(drawn, "RGBA")
    for kind, points in lines_to_draw(board):
        colour, width = LOOKS[kind]
        pen.line([(x * side, y * side) for x, y in points], fill=colour, width=max(1, round(width * side)))
    out = io.BytesIO()
    drawn.save(out, "PNG")
    return out.getvalue()
