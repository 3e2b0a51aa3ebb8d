"""A map's picture with what the game knows of it drawn over: walls, doors, windows, obstacles, lights,
squares. As SVG, or as PNG by Pillow, which is imported late."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..tabletop.grid import Grid
from ..tabletop.map_lines import outlines, square_doors
from ..tabletop.pictures import media_type_of
from ..tabletop.squares import SEE_THROUGH, TERRAIN, WALK_THROUGH, column_name

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept

LOOKS = {
    "walls": ("#e6194b", 0.09),
    "one_way_walls": ("#f58231", 0.09),
    SEE_THROUGH: ("#00c8e6", 0.07),
    WALK_THROUGH: ("#b45ad2", 0.07),
    TERRAIN: ("#3cd24b", 0.05),
    "closed doors": ("#ffe119", 0.14),
    "open doors": ("#ffe119", 0.05),
    "lights": ("#ffffff", 0.08),
    "squares": ("#00000055", 0.02),
}
"""Colour and width, in squares, of each kind of line."""
CALLED = {
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
"""Pixels of a PNG's longer side."""


class Line(NamedTuple):
    """A line through points, in squares, and its kind."""

    kind: str
    points: Sequence[Sequence[float]]


def lines_of(board: BoardKept) -> Iterator[Line]:
    """All that is drawn over a picture, the lowest first."""
    grid = Grid(board["rows"])
    for x in range(grid.width + 1):
        yield Line("squares", [(x, 0), (x, grid.height)])
    for y in range(grid.height + 1):
        yield Line("squares", [(0, y), (grid.width, y)])
    kinds: Mapping[str, Sequence[Sequence[Sequence[float]]]] = board  # type: ignore[assignment]  # keys of walls
    for kind in (TERRAIN, WALK_THROUGH, SEE_THROUGH, "one_way_walls", "walls"):
        for wall in kinds.get(kind, ()):
            if kind != SEE_THROUGH or wall not in kinds.get(TERRAIN, ()):
                yield Line(kind, wall)
    for wall in outlines(grid):
        yield Line("walls", wall)
    doors = [(door.open, [door.start, door.end]) for door in square_doors(grid)]
    for is_open, line in [*doors, *((door["open"], door["at"]) for door in board.get("doors", ()))]:
        yield Line("open doors" if is_open else "closed doors", line)
    for light in board.get("lights", ()):
        left, top = light["at"]
        cross = ((-0.2, 0), (0.2, 0), (0, 0), (0, -0.2), (0, 0.2))
        yield Line("lights", [(left + right, top + down) for right, down in cross])


def svg(board: BoardKept, picture: bytes, place: Mapping[str, float] | None) -> bytes:
    """The map as SVG, its picture in it."""
    from base64 import b64encode

    grid = Grid(board["rows"])
    lies = place or {"x": 0, "y": 0, "width": grid.width, "height": grid.height}
    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {grid.width + 2} {grid.height + 2}" '
        f'width="{(grid.width + 2) * 40}" height="{(grid.height + 2) * 40}">',
        '<rect x="-1" y="-1" width="100%" height="100%" fill="#f4efe4"/>',
    ]
    if picture:
        data = f"data:{media_type_of(picture)};base64,{b64encode(picture).decode()}"
        where = " ".join(f'{key}="{value:g}"' for key, value in lies.items())
        found.append(f'<image {where} preserveAspectRatio="none" href="{data}"/>')
    for kind, points in lines_of(board):
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


def png(board: BoardKept, picture: bytes, place: Mapping[str, float] | None) -> bytes:
    """The map as PNG. Raises ModuleNotFoundError without Pillow, ValueError where a picture can't be read."""
    from PIL import Image, ImageDraw

    grid = Grid(board["rows"])
    lies = place or {"x": 0, "y": 0, "width": grid.width, "height": grid.height}
    side = max(8, min(70, _LARGEST // max(grid.width, grid.height)))
    drawn = Image.new("RGB", (grid.width * side, grid.height * side), "#f4efe4")
    if picture:
        try:
            with Image.open(io.BytesIO(picture)) as opened:
                size = max(1, round(lies["width"] * side)), max(1, round(lies["height"] * side))
                drawn.paste(
                    opened.convert("RGB").resize(size), (round(lies["x"] * side), round(lies["y"] * side))
                )
        except (OSError, SyntaxError, Image.DecompressionBombError) as problem:
            raise ValueError("can't be read") from problem
    pen = ImageDraw.Draw(drawn, "RGBA")
    for kind, points in lines_of(board):
        colour, width = LOOKS[kind]
        pen.line([(x * side, y * side) for x, y in points], fill=colour, width=max(1, round(width * side)))
    out = io.BytesIO()
    drawn.save(out, "PNG")
    return out.getvalue()


_FAR, _CLEAR = 0.06, 1.35
"""Squares that a grid is off before that is told; how much stronger its lines are than where they belong."""


def off_by(picture: bytes, pixels: Sequence[float], offset: Sequence[float]) -> tuple[float, float]:
    """How far, in squares right and down, lines that a picture repeats at every square lie off the game's; 0
    where nothing can be told. Raises ModuleNotFoundError without Pillow."""
    from PIL import Image, ImageChops

    try:
        with Image.open(io.BytesIO(picture)) as opened:
            grey = opened.convert("L")
    except (OSError, SyntaxError, Image.DecompressionBombError):
        return 0, 0
    found = []
    for axis in (0, 1):
        # How much changes from each column, or row, to the next.
        step = ImageChops.difference(grey, ImageChops.offset(grey, 1 - axis, axis))
        size = (grey.width, 1) if axis == 0 else (1, grey.height)
        strip = array("f", step.convert("F").resize(size, Image.Resampling.BOX).tobytes())
        found.append(_phase(strip[1:], pixels[axis], offset[axis]))
    return found[0], found[1]


def _phase(changes: Sequence[float], pixels: float, offset: float) -> float:
    """How far, in squares, the strongest lines of a step lie off those that are meant."""
    if pixels < 8 or len(changes) < 4 * pixels:
        return 0
    sums = [0.0] * round(pixels)
    for at, change in enumerate(changes, 1):
        sums[int((at - offset) % pixels / pixels * len(sums)) % len(sums)] += change

    def near(bin_: int) -> float:
        return sum(sums[(bin_ + by) % len(sums)] for by in (-1, 0, 1))

    best = max(range(len(sums)), key=near)
    away = ((best + 0.5) / len(sums) + 0.5) % 1 - 0.5
    clear = near(best) > _CLEAR * max(near(0), sum(sums) / len(sums) * 3)
    return round(away, 2) if clear and abs(away) > _FAR else 0
