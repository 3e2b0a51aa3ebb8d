"""Maps out of other programs on the page: a picture and its walls lie together, whatever the file's version,
shifts and scales. Measured on the pixels that a browser draws."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import pytest
from support.cases import case
from table.browsing import LinkAudience, becomes, watch

from strike_bridge.state_projection import project_scene
from strike_cli.content import foundry_scene, universal_vtt
from strike_cli.systems.combat.commands.map_conversion_and_file_edits import (
    board_without_picture,
    encounter_picture_entry,
)
from strike_cli.tabletop.campaign_pictures import picture_place_unless_whole_map
from strike_cli.tabletop.scene import read_scene
from strike_cli.visibility.audiences import Audience

pytestmark = pytest.mark.slow
Image, ImageChops = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageChops")
SIDE, WIDE, HIGH = 100, 1000, 700
CORNER = (310, 240)
"""Pixels of the scene, from its picture's corner: where a wall has its corner. The mark on the picture begins
half a square beside and below."""
NEAR = 0.02
LINES = """() => {
  const others = document.querySelectorAll(".map :is(.grid, .rim)");
  for (const one of others) one.style.setProperty("display", "none");
  for (const one of document.querySelectorAll(".map .wall-line")) {
    for (const each of ["display: inline", "stroke: #0ff", "stroke-width: .06"]) {
      const [name, value] = each.split(": ");
      one.style.setProperty(name, value);
    }
  }
}"""
"""Walls are shown over a picture, which is what shows them else."""


def foundry(scale: tuple[float, float] = (1, 1), **keys: Any) -> tuple[Any, tuple[float, float]]:
    """A scene with a wall around a corner, as Foundry counts: from the corner of the padding."""
    padding = keys.get("padding", 0.25)
    shift = [
        keys.get("background", {}).get(f"offset{axis}", 0) or keys.get(f"shift{axis}", 0) for axis in "XY"
    ]
    side = keys["grid"] if isinstance(keys.get("grid"), int) else keys.get("grid", {}).get("size", SIDE)
    begin = [-(-padding * long // side) * side - off for long, off in zip((WIDE, HIGH), shift, strict=True)]
    x, y = (start + at for start, at in zip(begin, CORNER, strict=True))
    walls = [
        {"c": [x + 200, y, x, y], "move": 20, "sight": 20},
        {"c": [x, y, x, y + 200], "move": 20, "sight": 20},
    ]
    scene = {
        "name": "Mill",
        "width": WIDE,
        "height": HIGH,
        "padding": padding,
        "walls": walls,
        "lights": [],
        **keys,
    }
    return foundry_scene.read_foundry_scene(json.dumps(scene).encode(), "mill.json"), scale


def universal(scale: float, origin: tuple[float, float]) -> tuple[Any, tuple[float, float]]:
    x, y = ((at / SIDE) + of for at, of in zip(CORNER, origin, strict=True))
    data = {
        "resolution": {
            "map_origin": dict(zip("xy", origin, strict=True)),
            "map_size": {"x": WIDE / SIDE, "y": HIGH / SIDE},
            "pixels_per_grid": SIDE,
        },
        "line_of_sight": [[{"x": x + 2, "y": y}, {"x": x, "y": y}, {"x": x, "y": y + 2}]],
    }
    return universal_vtt.read_uvtt(json.dumps(data).encode(), "mill.uvtt"), (scale, scale)


GRID = {"type": 1, "size": SIDE, "distance": 5}
LEVEL = {"_id": "a", "name": "Ground", "background": {"src": "a.png"}}
MAPS = {
    "8, shifted": foundry(grid=SIDE, gridType=1, shiftX=37, shiftY=-21),
    "9, another size": foundry((0.5, 0.5), grid=SIDE, gridType=1, padding=0),
    "12, shifted": foundry(grid=GRID, background={"src": "a.png", "offsetX": 40, "offsetY": -33}),
    "12, another grid": foundry((1.37, 1.37), grid={**GRID, "size": 93}, padding=0.1),
    "12, stretched": foundry(
        (0.8, 1.21), grid=GRID, background={"src": "a.png", "offsetX": -12, "offsetY": 5}
    ),
    "13, gridless": foundry((0.7, 0.7), grid={**GRID, "type": 0}, background={"src": "a.png", "offsetX": 61}),
    "14": foundry(grid=GRID, levels=[LEVEL], shiftX=28, shiftY=47),
    "universal": universal(0.694, (0, 0)),
    "universal, cut out": universal(1.0, (12.3, -4.7)),
}


def picture(scale: tuple[float, float]) -> bytes:
    """White, with a square in magenta beside and below the corner."""
    image = Image.new("RGB", (round(WIDE * scale[0]), round(HIGH * scale[1])), "white")
    left, top = (at + SIDE / 2 for at in CORNER)
    box = (left * scale[0], top * scale[1], (left + SIDE) * scale[0], (top + SIDE) * scale[1])
    image.paste((255, 0, 255), tuple(map(round, box)))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def edges(shot: Any, least: tuple[int, int, int], most: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the pixels of such a colour."""
    bands = zip(shot.convert("RGB").split(), least, most, strict=True)
    within = [band.point([255 * (low <= each <= high) for each in range(256)]) for band, low, high in bands]
    found = ImageChops.multiply(ImageChops.multiply(within[0], within[1]), within[2]).getbbox()
    assert found, "it is drawn"
    left, top, right, bottom = found
    return left, top, right, bottom


@pytest.mark.parametrize("audience", LinkAudience)
def test_a_picture_lies_under_its_walls(page: Any, table: Any, audience: LinkAudience) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    for name, (found, scale) in MAPS.items():
        content = picture(scale)
        digest = hashlib.sha256(content).hexdigest()
        kept = encounter_picture_entry(found._replace(image=content), "mill")
        assert kept
        state: Any = {"map": board_without_picture(found), "name": name, "people": {}}
        whole = project_scene(read_scene("combat", name, state), Audience(True)).scene
        assert whole
        place = picture_place_unless_whole_map(content, kept["pixels"], kept.get("offset"))
        body = {**whole, "image": {"hash": digest, "place": place}}
        if audience is LinkAudience.PLAYERS:
            seen = ["." * len(row) for row in whole["rows"]]
            body["fog"] = {
                "seen": seen,
                "ground": {key: whole[key] for key in ("rows", "walls", "doors", "zones")},
            }
        answer = table.client.put(
            f"/api/v1/images/{digest}", content=content, headers={"Content-Type": "image/png"}
        )
        assert answer.is_success
        table.tell("PUT", "scene", body)
        watch(page, table, audience)
        page.evaluate(LINES)
        page.wait_for_function(
            "[...document.querySelectorAll('.map image.picture')].every((one) => one.hasAttribute('href'))"
        )
        page.wait_for_timeout(600)
        shot = Image.open(io.BytesIO(page.locator("#map").screenshot()))
        mark = edges(shot, (190, 0, 190), (255, 120, 255))
        wall = edges(shot, (0, 200, 200), (100, 255, 255))
        squares = SIDE / found.pixels  # of this map, that the mark is wide
        side = (mark[2] - mark[0]) / squares
        thick = 0.06 * side
        corner = wall[0] + thick / 2, wall[1] + thick / 2
        with case(name, audience, mark, wall, side):
            for at in (0, 1):
                expected = mark[at] - squares / 2 * side
                assert abs(corner[at] - expected) <= NEAR * side + 1, "a pixel is what a screen can tell"


def test_a_step_loads_the_tiles_that_it_changes_and_no_other(page: Any, table: Any) -> None:
    """At most 60 KB, on a painting without any plain ground."""
    columns, rows, pixels = 40, 30, 140
    noise = Image.effect_noise((columns * pixels // 4, rows * pixels // 4), 90)
    large = Image.merge("RGB", [noise] * 3).resize((columns * pixels, rows * pixels))
    out = io.BytesIO()
    large.save(out, "JPEG", quality=85)
    digest = hashlib.sha256(out.getvalue()).hexdigest()
    table.client.put(
        f"/api/v1/images/{digest}", content=out.getvalue(), headers={"Content-Type": "image/jpeg"}
    )

    def tell(x: int) -> None:
        seen = [
            "".join(
                "." if (at - x) ** 2 + (y - 12) ** 2 < 30 or (at < x and 8 < y < 16) else " "
                for at in range(columns)
            )
            for y in range(rows)
        ]
        ground = {"rows": seen, "walls": [], "doors": [], "zones": []}
        scene = {"id": "s", "name": "S", "rows": ["." * columns] * rows, "image": {"hash": digest}}
        table.tell("PUT", "scene", {**scene, "fog": {"seen": seen, "ground": ground}})

    page.set_viewport_size({"width": 1280, "height": 800})
    tell(8)
    watch(page, table)
    page.locator("#map").focus()
    page.keyboard.press("0")  # the camera stays where it is
    page.wait_for_timeout(1500)
    loaded: list[Any] = []
    page.on("response", lambda answer: loaded.append(answer) if "/tiles/" in answer.url else None)
    for x in (9, 10, 11):
        loaded.clear()
        before = {one["id"] for one in players_tiles(table)}
        tell(x)
        new = {one["id"] for one in players_tiles(table)} - before

        def asked() -> set[str]:
            page.wait_for_timeout(50)  # in which answers are heard of
            return {answer.url.split("/tiles/")[1].split("/")[0] for answer in loaded}

        becomes(asked, new)
        assert 0 < sum(len(answer.body()) for answer in loaded) <= 60 * 1024


def players_tiles(table: Any) -> Any:
    return table.store.snapshot(LinkAudience.PLAYERS)["scene"]["tiles"]
