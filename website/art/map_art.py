"""Drawings of the example campaign's maps as SVG: ground, water, walls, a few stones.

Each drawing is made from the rows of a map. The page adds the grid, the doors and the zones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

SQUARE = 64  # pixels
Place = tuple[int, int]


class MapLook(NamedTuple):
    """The colours of a place: ground and its specks, rough ground, walls with light and outline."""

    ground: str
    speck: str
    rough: str
    deep: str
    wall: str
    light: str
    line: str
    flags: bool = False  # whether the floor is laid
    things: bool = True  # whether "l" is a lamp and "c" are coals
    trees: str = ""  # signs of trees of glass


LOOKS = {
    "ford": MapLook("#8c9462", "#6b7748", "#5d8fa3", "#3f6f86", "#6d665c", "#8f877a", "#2f2a25"),
    "gallery": MapLook(
        "#a99b84", "#8d806b", "#8a7a5e", "#6f6049", "#5b5650", "#807a71", "#27231f", flags=True
    ),
    "last-lamp": MapLook("#8b8a63", "#6a6c47", "#6f7a55", "#566144", "#6b5a47", "#8f7b62", "#2c241c"),
    "old-kiln": MapLook("#a58a6b", "#876e53", "#7b6a55", "#5f5141", "#7c4f3c", "#a46c52", "#2e1d16"),
}


def draw_map(name: str, rows: list[str], look: MapLook) -> str:
    """Return one map as SVG; a square is SQUARE pixels wide."""
    chance = random.Random(name)
    width, height = max(map(len, rows)), len(rows)
    cells = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    walls = [at for at, sign in cells.items() if sign == "#"]
    rough = [at for at, sign in cells.items() if sign == "~"]
    size = f'width="{width * SQUARE}" height="{height * SQUARE}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">{_svg_filters()}'
        f'<rect width="{width}" height="{height}" fill="{look.ground}"/>'
        f'<rect width="{width}" height="{height}" filter="url(#clouds)"/>'
        f"{_draw_slab_floor(cells, look, chance) if look.flags else _draw_tufts_and_pebbles(cells, look, chance)}"
        f"{_draw_rough_ground(rough, look, chance)}{_draw_lamps_and_coals(cells) if look.things else ''}{_draw_glass_trees(cells, look)}{_draw_stone_walls(walls, look, chance)}"
        f'<rect width="{width}" height="{height}" filter="url(#edge)" opacity=".5"/></svg>'
    )


def _svg_filters() -> str:
    return (
        '<defs><filter id="clouds"><feTurbulence type="fractalNoise" baseFrequency=".006" numOctaves="4" seed="3"/>'
        '<feColorMatrix values="0 0 0 0 .1  0 0 0 0 .08  0 0 0 0 .05  1.1 0 0 0 -.38"/></filter>'
        '<filter id="shore" x="-5%" y="-5%" width="110%" height="110%"><feGaussianBlur stdDeviation=".22"/>'
        '<feComponentTransfer><feFuncA type="linear" slope="14" intercept="-6"/></feComponentTransfer></filter>'
        '<filter id="soft"><feGaussianBlur stdDeviation=".12"/></filter>'
        '<filter id="edge"><feTurbulence type="fractalNoise" baseFrequency=".35" numOctaves="2" seed="9"/>'
        '<feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 .3 0"/></filter>'
        '<radialGradient id="glow"><stop offset="0" stop-color="#ffdf8a" stop-opacity=".75"/>'
        '<stop offset="1" stop-color="#ffb84a" stop-opacity="0"/></radialGradient></defs>'
    )


def _draw_tufts_and_pebbles(cells: dict[Place, str], look: MapLook, chance: random.Random) -> str:
    """Draw tufts and pebbles."""
    drawn = []
    for (x, y), sign in cells.items():
        if sign in "#~ ":
            continue
        for _ in range(chance.randrange(4)):
            left, top = x + chance.random(), y + chance.random()
            if chance.random() < 0.6:
                blades = "".join(
                    f"M{left:.2f} {top:.2f}q{bend} -.1 {bend * 1.6:.2f} -.18" for bend in (-0.05, 0.0, 0.05)
                )
                drawn.append(f'<path d="{blades}" stroke="{look.speck}" stroke-width=".03" fill="none"/>')
            else:
                drawn.append(
                    f'<ellipse cx="{left:.2f}" cy="{top:.2f}" rx=".06" ry=".04" fill="{look.light}" opacity=".7"/>'
                )
    return "".join(drawn)


def _draw_slab_floor(cells: dict[Place, str], look: MapLook, chance: random.Random) -> str:
    """Draw a floor of slabs, each of another shade."""
    drawn = []
    for x, y in cells:
        for left, top, wide in (
            (0, 0, 0.5 + chance.uniform(-0.1, 0.1)),
            (0, 0.5, 0.5 + chance.uniform(-0.1, 0.1)),
        ):
            for start, length in ((left, wide), (wide, 1 - wide)):
                shade = chance.uniform(0, 0.16)
                drawn.append(
                    f'<rect x="{x + start + 0.015:.3f}" y="{y + top + 0.015:.3f}" width="{length - 0.03:.3f}" height=".47" '
                    f'rx=".03" fill="{look.speck}" fill-opacity="{shade:.2f}" stroke="{look.line}" stroke-opacity=".22" stroke-width=".02"/>'
                )
    return "".join(drawn)


def _draw_rough_ground(places: list[Place], look: MapLook, chance: random.Random) -> str:
    """Draw water, mud or rubble, with a shore and lines on it."""
    if not places:
        return ""
    lines = []
    for x, y in places:
        for _ in range(3):
            left, top = x + chance.uniform(0, 0.6), y + chance.uniform(0.15, 0.9)
            lines.append(f"M{left:.2f} {top:.2f}q.12 -.08 .24 0t.24 0")
    return (
        f'<path d="{_grown_squares_path(places, 0.1)}" fill="{look.speck}" filter="url(#shore)"/>'
        f'<path d="{_grown_squares_path(places)}" fill="{look.rough}" filter="url(#shore)"/>'
        f'<path d="{_grown_squares_path(places, -0.28)}" fill="{look.deep}" filter="url(#soft)" opacity=".6"/>'
        f'<path d="{"".join(lines)}" stroke="#fff" stroke-opacity=".3" stroke-width=".035" fill="none" stroke-linecap="round"/>'
    )


def _grown_squares_path(places: Iterable[Place], grown_by: float = 0) -> str:
    return "".join(
        f"M{x - grown_by} {y - grown_by}h{1 + 2 * grown_by}v{1 + 2 * grown_by}h{-1 - 2 * grown_by}z"
        for x, y in places
    )


def _draw_lamps_and_coals(cells: dict[Place, str]) -> str:
    """Return SVG of the lamps and coals on a map, whose signs are `l` and `c`."""
    drawn = []
    for (x, y), sign in cells.items():
        if sign == "l":
            drawn.append(
                f'<circle cx="{x + 0.5}" cy="{y + 0.5}" r="2.6" fill="url(#glow)"/>'
                f'<circle cx="{x + 0.5}" cy="{y + 0.5}" r=".3" fill="#3a2a18"/>'
                f'<circle cx="{x + 0.5}" cy="{y + 0.5}" r=".19" fill="#ffe9a8"/>'
            )
        if sign == "c":
            drawn.append(
                f'<circle cx="{x + 0.5}" cy="{y + 0.5}" r="1.1" fill="url(#glow)"/>'
                f'<path d="{_grown_squares_path([(x, y)], -0.12)}" fill="#3b1d14"/>'
                + "".join(
                    f'<circle cx="{x + 0.2 + i % 3 * 0.3:.2f}" cy="{y + 0.22 + i // 3 * 0.28:.2f}" r=".1" '
                    f'fill="{("#ff7a2e", "#c4381c", "#ffb347")[i % 3]}"/>'
                    for i in range(9)
                )
            )
    return "".join(drawn)


def _draw_glass_trees(cells: dict[Place, str], look: MapLook) -> str:
    """Draw trees of glass: crowns with facets that let the light through."""
    drawn = []
    for (x, y), sign in cells.items():
        if sign in look.trees:
            points = [(x + 0.5 + dx, y + 0.5 + dy) for dx, dy in _CROWN]
            drawn.append(
                f'<ellipse cx="{x + 0.6}" cy="{y + 0.66}" rx=".5" ry=".42" fill="#000" opacity=".28"/>'
            )
            for number, (one, other) in enumerate(zip(points, [*points[1:], points[0]], strict=True)):
                fill = ("#d8f0ea", "#9fd3cc", "#bfe6df", "#7fbdb8")[number % 4]
                drawn.append(
                    f'<path d="M{x + 0.5} {y + 0.5}L{one[0]:.2f} {one[1]:.2f}L{other[0]:.2f} {other[1]:.2f}z" '
                    f'fill="{fill}" fill-opacity=".88" stroke="#fff" stroke-opacity=".5" stroke-width=".02"/>'
                )
    return "".join(drawn)


_CROWN = (
    (0, -0.5),
    (0.34, -0.36),
    (0.48, 0.02),
    (0.36, 0.36),
    (0, 0.46),
    (-0.36, 0.34),
    (-0.47, -0.02),
    (-0.32, -0.38),
)
"""The outline of a tree's crown, in squares from its middle."""


def _draw_stone_walls(places: list[Place], look: MapLook, chance: random.Random) -> str:
    """Draw stones on a dark bed, with a shadow to the right and below."""
    stones = []
    for x, y in places:
        for row in range(3):
            at, top = 0.0, y + row / 3
            while at < 0.95:
                length = min(chance.uniform(0.28, 0.5), 1 - at)
                length = 1 - at if 1 - at - length < 0.18 else length
                fill = look.light if chance.random() < 0.35 else look.wall
                stones.append(
                    f'<rect x="{x + at + 0.02:.3f}" y="{top + 0.02:.3f}" width="{length - 0.04:.3f}" height=".293" rx=".07" '
                    f'fill="{fill}" fill-opacity="{chance.uniform(0.75, 1):.2f}"/>'
                )
                at += length
    bed = _grown_squares_path(places)
    return (
        f'<path d="{bed}" transform="translate(.14 .18)" fill="#000" opacity=".4" filter="url(#soft)"/>'
        f'<path d="{bed}" fill="{look.line}" stroke="{look.line}" stroke-width=".06" stroke-linejoin="round"/>{"".join(stones)}'
    )
