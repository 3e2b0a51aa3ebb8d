"""Draws the map as a picture, for targets that take pictures and have no map.

It shows squares, walls, doors, zones, and the tokens with their state. Its input is already filtered for an
audience; nothing is hidden here. No other module of this package imports Pillow.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Iterable, Mapping
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from strike_cli.tabletop.campaign_pictures import picture_place_unless_whole_map
from strike_look import LIGHT

from .picture_files import PictureFile

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from strike_table.schemas import PointPayload, ZonePayload

    from .payloads import ShownOrder, ShownScene, ShownToken


_LONG_SIDE, _LARGEST_SQUARE, _SMALLEST_SQUARE = 1200, 64, 12  # pixels
_FLOOR, _GRID, _PAGE, _INK, _SOFT = (LIGHT[name] for name in ("floor", "grid", "panel", "ink", "soft"))
_GROUND = {"#": LIGHT["wall"], "~": LIGHT["rough"], "+": LIGHT["wood"], "/": LIGHT["rough"]}
_SIDES = {"party": LIGHT["party"], "allies": LIGHT["party"], "enemies": LIGHT["enemies"]}
_NEUTRAL, _GOLD, _DOOR = LIGHT["neutral"], LIGHT["hp-low"], LIGHT["wood"]
_OUT, _UNSEEN = LIGHT["hatch"], LIGHT["fog"]


# Pillow's own font has Latin letters alone. Others are drawn by the system's; where it has neither, as boxes.
_LAST_OF_LATIN, _OTHER_SCRIPTS = "\u024f", ("DejaVuSans.ttf", "arial.ttf")


def can_draw() -> bool:
    """Return whether Pillow is installed."""
    from importlib.util import find_spec

    return find_spec("PIL") is not None


def draw_map(
    scene: ShownScene,
    tokens: Iterable[ShownToken],
    order: ShownOrder | None,
    picture: PictureFile | None = None,
) -> bytes:
    """Return a scene's map as a PNG.

    `picture` is the map's background. Raises ImportError without Pillow, and ValueError for a scene without
    squares.
    """
    from PIL import Image, ImageDraw

    rows = scene["rows"]
    across, down = max(map(len, rows), default=0), len(rows)
    if not across:
        raise ValueError("the scene has no map")
    side = max(_SMALLEST_SQUARE, min(_LARGEST_SQUARE, _LONG_SIDE // max(across, down)))
    line, edge = max(16, side // 3), max(18, side // 2)
    people = [token for token in tokens if token["position"] is not None]
    legend = [_legend_words_and_colour(token, people) for token in people]
    width = max(edge + across * side + 8, 480)
    columns = max(1, width // 320)
    height = edge + down * side + 8 + line * 2 + line * math.ceil(len(legend) / columns)
    image = Image.new("RGB", (width, height), _PAGE)
    pen = ImageDraw.Draw(image, "RGBA")
    sheet = _MapCanvas(pen, side, edge, line)
    whole, named = (across * side, down * side), scene.get("image") or {}
    lies = (
        picture_place_unless_whole_map(picture.content, named.get("pixels"), named.get("offset"))
        if picture
        else None
    )
    left, top, *size = [round(part * side) for part in lies.values()] if lies else (0, 0, *whole)
    below = _load_background(picture, (max(1, size[0]), max(1, size[1]))) if picture else None
    if below is not None:
        ground = Image.new("RGB", whole, _FLOOR)
        ground.paste(below, (left, top))
        image.paste(ground, (edge, edge))
        sheet.draw_shut_doors(rows)
    else:
        sheet.draw_ground(rows)
    for zone in scene["zones"]:
        sheet.tint_zone(zone)
    sheet.draw_grid_and_labels(across, down)
    if fog := scene.get("fog"):
        sheet.draw_fog(fog["seen"])
    sheet.draw_walls_and_doors(scene)
    active = order["active"] if order else None
    for token in sorted(people, key=lambda token: token["state"] != "out"):
        sheet.draw_token(token, _token_letters_and_number(token, people), token["id"] == active)
    below_map = edge + down * side + 8
    round_ = (order["round"] if order else None) or scene.get("round")
    sheet.draw_text((8, below_map), scene["name"] + (f" · round {round_}" if round_ else ""), _INK, line)
    for number, (told, colour) in enumerate(legend):
        row, column = divmod(number, columns)
        place = 8 + column * (width // columns), below_map + line * (row + 2) - line // 2
        sheet.draw_text(place, told, colour, round(line * 0.8))
    return _encode_png(image)


def _encode_png(image: Image) -> bytes:
    made = io.BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()


class _MapCanvas:
    """The surface that the map is drawn on, with squares of `side` pixels.

    `edge` is the width in pixels of the border with the squares' names, and `line` the height of a line of
    text.
    """

    def __init__(self, pen: ImageDraw, side: int, edge: int, line: int) -> None:
        self.pen, self.side, self.edge, self.line = pen, side, edge, line

    def pixel_of_grid_point(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel position of the corner `x`, `y` of the grid; fractions lie between corners."""
        return self.edge + x * self.side, self.edge + y * self.side

    def corner_pixel(self, point: PointPayload) -> tuple[float, float]:
        return self.pixel_of_grid_point(point["x"], point["y"])

    def fill_square(self, x: int, y: int, colour: str) -> None:
        left, top = self.pixel_of_grid_point(x, y)
        self.pen.rectangle((left, top, left + self.side - 1, top + self.side - 1), fill=colour)

    def draw_ground(self, rows: list[str]) -> None:
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign != " ":
                    self.fill_square(x, y, _GROUND.get(sign, _FLOOR))

    def draw_shut_doors(self, rows: list[str]) -> None:
        """Draw the closed doors onto a background picture, in which every doorway looks open."""
        rim = self.side // 5
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign == "+":
                    (left, top), (right, bottom) = (
                        self.pixel_of_grid_point(x, y),
                        self.pixel_of_grid_point(x + 1, y + 1),
                    )
                    self.pen.rectangle(
                        (left + rim, top + rim, right - rim, bottom - rim), fill=_DOOR, outline=_INK
                    )

    def draw_grid_and_labels(self, across: int, down: int) -> None:
        from strike_cli.tabletop.grid import format_square

        size = max(10, self.edge // 2)
        for x in range(across + 1):
            self.pen.line(
                (*self.pixel_of_grid_point(x, 0), *self.pixel_of_grid_point(x, down)), fill=f"{_GRID}a0"
            )
            if x < across:
                left, _ = self.pixel_of_grid_point(x + 0.5, 0)
                self.draw_text((left, self.edge / 2), format_square((x, 0))[:-1], _SOFT, size, "mm")
        for y in range(down + 1):
            self.pen.line(
                (*self.pixel_of_grid_point(0, y), *self.pixel_of_grid_point(across, y)), fill=f"{_GRID}a0"
            )
            if y < down:
                _, top = self.pixel_of_grid_point(0, y + 0.5)
                self.draw_text((self.edge / 2, top), str(y + 1), _SOFT, size, "mm")

    def draw_fog(self, seen: list[str]) -> None:
        """Darken the squares that nobody in the party has seen."""
        for y, row in enumerate(seen):
            for x, mark in enumerate(row):
                if mark != ".":
                    self.fill_square(x, y, _UNSEEN)

    def tint_zone(self, zone: ZonePayload) -> None:
        colour = LIGHT.get(f"zone-{zone['kind']}", LIGHT["zone-other0"])
        for square in zone["squares"]:
            self.fill_square(square["x"], square["y"], f"{colour}60")

    def draw_walls_and_doors(self, scene: ShownScene) -> None:
        """Draw the walls between squares, and the doors in them."""
        thick = max(2, self.side // 10)
        for wall in scene["walls"]:
            points = [self.corner_pixel(point) for point in wall]
            self.pen.line(points, fill=_INK, width=thick, joint="curve")
        half = (scene.get("see_through_walls", ()), scene.get("walk_through_walls", ()))
        for wall in chain(*half, scene.get("terrain_walls", ())):
            points = [self.corner_pixel(point) for point in wall]
            self.pen.line(points, fill=_INK, width=max(1, thick // 3), joint="curve")
        for wall in scene["one_way_walls"]:
            for start, end in pairwise(wall):
                self._draw_wall_passable_to_left(start, end, thick // 2)
        for door in scene["doors"]:
            if door.get("to"):
                ends = (*self.corner_pixel(door["at"]), *self.corner_pixel(door["to"]))
                self.pen.line(ends, fill=_FLOOR if door["open"] else _DOOR, width=thick + 2)

    def _draw_wall_passable_to_left(self, start: PointPayload, end: PointPayload, thick: int) -> None:
        """Draw a one-way wall as a thin line, with an arrow in each square along it.

        The arrows show the direction in which one can pass: to the left, seen from `start` to `end`.
        """
        across, down = end["x"] - start["x"], end["y"] - start["y"]
        length = math.hypot(across, down)
        self.pen.line([self.corner_pixel(start), self.corner_pixel(end)], fill=_INK, width=thick)
        count = max(1, round(length)) if length else 0
        for number in range(count):
            part = (number + 0.5) / count
            x, y = start["x"] + across * part, start["y"] + down * part
            corners = [
                self.pixel_of_grid_point(
                    x + (across * on + down * left) / length, y + (down * on - across * left) / length
                )
                for on, left in ((-0.13, 0), (0, 0.24), (0.13, 0))
            ]
            self.pen.polygon(corners, fill=_INK)

    def draw_token(self, token: ShownToken, initials: str, active: bool) -> None:
        size, at = token["size"], token["position"]
        assert at is not None
        left, top = self.pixel_of_grid_point(at["x"], at["y"])
        middle = (left + size * self.side / 2, top + size * self.side / 2)
        radius = size * self.side * 0.42
        out = token["state"] == "out"
        if active:
            self._draw_shape("party", middle, radius * 1.16, _GOLD)
        colour = _OUT if out else _SIDES.get(token["side"], _NEUTRAL)
        self._draw_shape(token["side"], middle, radius, colour)
        share = None if out else _first_meter_share(token)
        if share is not None:
            inner = radius * 0.84
            box = (middle[0] - inner, middle[1] - inner, middle[0] + inner, middle[1] + inner)
            self.pen.arc(box, -90, -90 + 360 * share, fill=LIGHT["on-token"], width=max(2, self.side // 16))
        self.draw_text(
            middle, f"×{initials}" if out else initials, LIGHT["on-token"], round(self.side * 0.36), "mm"
        )

    def _draw_shape(self, side: str, middle: tuple[float, float], radius: float, colour: str) -> None:
        """Draw a token's shape: a circle for the party, a hexagon for enemies, a square for others."""
        if side in ("party", "allies"):
            box = (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius)
            self.pen.ellipse(box, fill=colour)
        else:
            corners = 6 if side == "enemies" else 4
            turn = 30 if corners == 6 else 45
            self.pen.regular_polygon((*middle, radius * 1.1), corners, rotation=turn, fill=colour)

    def draw_text(
        self, place: tuple[float, float], words: str, colour: str, size: int, anchor: str = "la"
    ) -> None:
        from PIL import ImageFont

        font = ImageFont.load_default(size)
        if any(sign.isalpha() and sign > _LAST_OF_LATIN for sign in words):
            for name in _OTHER_SCRIPTS:
                with contextlib.suppress(OSError):
                    font = ImageFont.truetype(name, size)
                    break
        self.pen.text(place, words, fill=colour, font=font, anchor=anchor)


def _load_background(picture: PictureFile, size: tuple[int, int]) -> Image | None:
    """Return the map's background, resized to `size` pixels; None if Pillow can't read it."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture.content)) as opened:
            return opened.convert("RGB").resize(size)
    except (OSError, ValueError, Image.DecompressionBombError):
        return None


def _token_letters_and_number(token: ShownToken, people: list[ShownToken]) -> str:
    """Return the text on a creature's token: the beginning of its name, and its number if it has one.

    The beginning is one letter. It is two letters if the name of somebody in `people` has a different first
    word with the same first letter.
    """
    words = token["name"].split()
    number = words[-1] if len(words) > 1 and words[-1].isdigit() else ""
    named = [word for word in words if word != number] or words
    same = {
        other["name"].split()[0]
        for other in people
        if other["name"][:1] == token["name"][:1] and other["name"].split()
    }
    letters = named[0][: 2 if len(same) > 1 else 1] if named else "?"
    return f"{letters}{number}"


def _first_meter_share(token: ShownToken) -> float | None:
    """Return how full a token's first meter is, from 0 to 1; None if its values aren't shown."""
    first = next(iter(token["meters"]), None)
    if first is None or first["value"] is None or not first["max"]:
        return None
    share: float = first["value"] / first["max"]
    return max(0.0, min(1.0, share))


def _legend_words_and_colour(token: ShownToken, people: list[ShownToken]) -> tuple[str, str]:
    """Return a token's line in the legend, such as `V  Vex 7/10 · Dazed`, and the line's colour."""
    first: Mapping[str, object] = next(iter(token["meters"]), {})
    told = ""
    if first.get("shown") == "exact" and first.get("value") is not None:
        told = f" {first['value']}" + (f"/{first['max']}" if first.get("max") is not None else "")
    elif first.get("wounds"):
        told = f" ({first['wounds']})"
    statuses = ["out"] if token["state"] == "out" else token["statuses"]
    words = " · ".join([f"{_token_letters_and_number(token, people)}  {token['name']}{told}", *statuses])
    return words, _OUT if token["state"] == "out" else _SIDES.get(token["side"], _NEUTRAL)
