"""Scenes that Foundry exported, in the forms of its versions, become maps; what isn't one says where."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike

from strike_cli.content.foundry_scene import encode_foundry_scene, read_foundry_scene
from strike_cli.content.map_picture_draw_and_shrink import draw_map
from strike_cli.problems import CampaignProblem
from strike_cli.systems.combat.commands.map_conversion_and_file_edits import (
    board_without_picture,
    encounter_picture_entry,
)
from strike_cli.tabletop.foreign_map_files import Ambient, Light, MapDoor, MapFile, Stairs
from strike_cli.tabletop.grid import grid_of
from strike_cli.tabletop.squares_and_lines import WALL_KINDS

WALL = {"light": 20, "move": 20, "sight": 20, "sound": 20, "dir": 0, "door": 0, "ds": 0, "flags": {}}
LIGHT = {"dim": 30, "bright": 15, "color": "#FFAA00", "alpha": 0.5, "angle": 360, "negative": False}
MILL = {"name": "The Old Mill", "width": 1000, "height": 700, "padding": 0.25}
SCENE: dict[str, Any] = {
    **MILL,
    "background": {"src": "worlds/mill/scenes/old%20mill.webp", "offsetX": 0, "offsetY": 0},
    "grid": {"type": 1, "size": 100, "distance": 5, "units": "ft"},
    "environment": {"darknessLevel": 0.5, "globalLight": {"enabled": False}},
    "walls": [{**WALL, "c": [500, 400, 900, 400]}, {**WALL, "c": [900, 400, 900, 602]}],
    "lights": [{"x": 650, "y": 350, "walls": True, "hidden": False, "config": LIGHT}],
}
"""As version 12 and later write it: the padding is three squares wide and two high."""

OLD: dict[str, Any] = {
    **MILL,
    "img": "worlds/mill/scenes/old mill.webp", "shiftX": 0, "shiftY": 0,
    "grid": 100, "gridType": 1, "gridDistance": 5, "darkness": 0.5,
    "walls": [
        {"c": [500, 400, 900, 400], "move": 1, "sense": 1, "dir": 0, "door": 0, "ds": 0},
        {"c": [900, 400, 900, 602], "move": 1, "sense": 1, "dir": 0, "door": 0, "ds": 0},
    ],
    "lights": [
        {"t": "l", "x": 650, "y": 350, "dim": 30, "bright": 15, "tintColor": "#ffaa00", "tintAlpha": 0.5}
    ],
}  # fmt: skip
"""As version 8 wrote it."""


def found_in(scene: Any) -> MapFile:
    return read_foundry_scene(json.dumps(scene).encode(), "scene.json")


def with_walls(*walls: dict[str, Any]) -> MapFile:
    return found_in({**SCENE, "walls": [{**WALL, **wall} for wall in walls]})


LATER = {
    **{key: value for key, value in SCENE.items() if key != "background"},
    "levels": [{"_id": "ground", "background": {"src": "worlds/mill/scenes/old%20mill.webp"}}],
}


@pytest.mark.parametrize("scene", [SCENE, OLD, LATER], ids=["12", "8", "14"])
def test_a_scene_is_read_in_the_forms_of_all_versions(scene: Any) -> None:
    found = found_in(scene)
    assert (found.name, found.picture) == ("The Old Mill", "old mill.webp")
    assert (found.width, found.height, found.pixels) == (10, 7, 100)
    # From the picture's corner; a point beside a line snaps to it.
    assert found.walls == [[(2, 2), (6, 2), (6, 4)]]
    assert found.lights == [Light((3.5, 1.5), 6, "ffffaa00")], "thirty feet are six squares"
    assert found.ambient == Ambient("ff989898", baked=False)
    assert found.notes == []


@pytest.mark.parametrize(("padding", "corner"), [({}, 800), ({"padding": 0}, 0), ({"padding": 0.1}, 300)])
def test_the_padding_is_a_quarter_unless_said(padding: dict[str, float], corner: int) -> None:
    walls = [{**WALL, "c": [corner, corner, corner + 3000, corner]}]
    scene = {key: value for key, value in SCENE.items() if key != "padding"}
    large = {**scene, "width": 3000, "height": 3000, "walls": walls, **padding}
    assert found_in(large).walls == [[(0, 0), (30, 0)]]


@pytest.mark.parametrize("keys", [("background", "offset"), ("", "shift")])
def test_the_grid_may_be_shifted_against_the_picture(keys: tuple[str, str]) -> None:
    """A1 is where the bridge puts it: at the grid line next to the picture's corner, which lies off it."""
    inside, word = keys
    shift = {f"{word}X": 210, f"{word}Y": -95}
    found = found_in({**SCENE, **({inside: {**SCENE["background"], **shift}} if inside else shift)})
    assert found.walls[0][0] == (4, 1)
    assert found.place == (-0.1, -0.05, 10, 7) and not found.notes
    image = encounter_picture_entry(found._replace(image=draw_map(["." * 10] * 7, 50)), "mill")
    assert image == {"file": "encounters/mill.png", "pixels": 50, "offset": [5, 2.5]}


@pytest.mark.parametrize(("dir_", "line"), [(1, [(7, 1), (9, 1)]), (2, [(9, 1), (7, 1)])])
def test_a_wall_with_a_direction_is_one_way(dir_: int, line: Any) -> None:
    found = with_walls({"c": [1000, 300, 1200, 300], "dir": dir_})
    assert (found.walls, found.one_way_walls) == ([], [line])
    grid = grid_of(board_without_picture(found))
    above, below = (7, 0), (7, 1)
    # 1 stops what strikes its left side: from above.
    assert grid.has_line_of_sight(above, below) is (dir_ == 2)
    assert grid.has_line_of_sight(below, above) is (dir_ == 1)


@pytest.mark.parametrize(
    ("wall", "opened", "told"),
    [
        ({"door": 1, "ds": 0}, False, ""),
        ({"door": 1, "ds": 1}, True, ""),
        ({"door": 1, "ds": 2}, False, "1 locked door is only closed"),
        ({"door": 1, "ds": 0, "dir": 1}, False, "1 one-way door works from both sides"),
        ({"door": 2, "ds": 1}, True, ""),
    ],
)
def test_doors_are_open_or_shut(wall: dict[str, Any], opened: bool, told: str) -> None:
    found = with_walls({"c": [500, 300, 600, 300], **wall})
    assert (found.doors, found.walls) == ([MapDoor((2, 1), (3, 1), opened)], [])
    assert told in " ".join(found.notes) and len(found.notes) == bool(told)


def test_what_walls_of_ours_can_not_say_is_told() -> None:
    for walls, count, told in (
        ([{"door": 2}], 1, "1 secret door becomes a wall"),
        ([{"sight": 0, "dir": 1}], 0, "1 one-way wall that stops only steps or only sight"),
        ([{"move": 0, "sight": 0}], 0, "1 wall that stops neither"),
        ([{"c": [0, 0, 200, 0]}], 0, "1 wall beyond the map's edge"),
        ([{"c": [100, 300, 500, 300]}], 1, ""),
    ):
        with case(walls, count, told):
            beside = ({"c": [300 + 200 * n, 300, 400 + 200 * n, 300]} for n in range(len(walls)))
            found = with_walls(*({**at, **wall} for at, wall in zip(beside, walls, strict=True)))
            assert len(found.walls) == count
            assert told in " ".join(found.notes) and len(found.notes) == bool(told)
            assert all(0 <= x <= 10 and 0 <= y <= 7 for wall in found.walls for x, y in wall), (
                "cut off at the edge"
            )


def test_windows_and_curtains_are_what_they_are() -> None:
    for wall, kind, told in (
        ({"sight": 0}, "see_through_walls", ""),
        ({"sight": 30}, "see_through_walls", "1 window that is transparent only from nearby"),
        ({"move": 0}, "walk_through_walls", ""),
        ({"move": 0, "sight": 10}, "terrain_walls", ""),
        ({"move": 0, "sight": 30}, "see_through_walls", "1 window that is transparent"),
        ({"move": 20, "sight": 20}, "walls", ""),
    ):
        with case(wall, kind, told):
            found = with_walls({"c": [500, 300, 600, 300], **wall})
            assert [each for each in WALL_KINDS if getattr(found, each)] == [kind]
            assert told in " ".join(found.notes) and len(found.notes) == bool(told)


@pytest.mark.parametrize(
    ("move", "kinds"), [(20, ["see_through_walls", "terrain_walls"]), (0, ["terrain_walls"])]
)
def test_a_tree_is_seen_into_and_not_through(move: int, kinds: list[str]) -> None:
    """Foundry's terrain walls: sight passes one, and stops at the second."""
    box = ((700, 400), (1100, 400), (1100, 800), (700, 800), (700, 400))
    found = with_walls(*({"c": [*a, *b], "sight": 10, "move": move} for a, b in pairwise(box)))
    assert [each for each in WALL_KINDS if getattr(found, each)] == kinds and not found.notes
    grid = grid_of(board_without_picture(found))
    outside, inside, beyond = (2, 3), (5, 3), (9, 3)
    assert grid.has_line_of_sight(outside, inside) and grid.has_line_of_sight(inside, outside)
    assert not grid.has_line_of_sight(outside, beyond)
    assert grid.has_cover(outside, inside), "it gives cover"
    assert ((4, 3) in grid.neighbours((3, 3))) is (move == 0)


UP = {"flags": {"wall-height": {"bottom": 10, "top": 20}}}
BELOW = {"flags": {"wall-height": {"bottom": 0, "top": 10}}}
TILE = {"width": 500, "height": 400, "x": 400, "y": 300, "texture": {"src": "maps/up%20there.webp"}}
BUILDINGS: dict[str, dict[str, Any]] = {
    "14": {
        "levels": [
            {"_id": "c", "name": "Down", "elevation": {"bottom": -10, "top": 0},
             "background": {"src": "a/down.png"}},
            {"_id": "u", "name": "Up", "elevation": {"bottom": 0}, "background": {"src": "a/up there.webp"}},
        ],
        "initialLevel": "c",
        "walls": [{**WALL, "c": [500, 400, 600, 400], "levels": ["c"]},
            {**WALL, "c": [500, 500, 600, 500], "levels": ["u"]},
            {**WALL, "c": [500, 600, 600, 600], "levels": []}],
        "lights": [{**SCENE["lights"][0], "levels": ["u"]}],
        "regions": [{
            "behaviors": [{"type": "changeLevel"}], "levels": ["c", "u"],
            "shapes": [{"type": "rectangle", "x": 300, "y": 200, "width": 100, "height": 200}],
        }],
    },
    "Levels": {
        "flags": {"levels": {"sceneLevels": [[0, 9, "Down"], ["10", "20", "Up"]]}},
        "walls": [{**WALL, "c": [500, 400, 600, 400], **BELOW}, {**WALL, "c": [500, 500, 600, 500], **UP},
            {**WALL, "c": [500, 600, 600, 600]}],
        "lights": [{**SCENE["lights"][0], "flags": {"levels": {"rangeBottom": 10, "rangeTop": 20}}}],
        "tiles": [{**TILE, "flags": {"levels": {"rangeBottom": 10, "rangeTop": 20}}}],
    },
    "Wall Height": {
        "walls": [{**WALL, "c": [500, 400, 600, 400], **BELOW}, {**WALL, "c": [500, 500, 600, 500], **UP},
            {**WALL, "c": [500, 600, 600, 600]}],
        "lights": [{**SCENE["lights"][0], "elevation": 12}],
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", BUILDINGS)
def test_each_level_of_a_building_is_a_map(kind: str) -> None:
    found = found_in({**SCENE, **BUILDINGS[kind]})
    down, up = found.levels
    assert found == down._replace(levels=found.levels), "the first"
    assert down.walls == [[(2, 2), (3, 2)], [(2, 4), (3, 4)]]
    assert up.walls == [[(2, 3), (3, 3)], [(2, 4), (3, 4)]]
    assert (len(down.lights), len(up.lights)) == (0, 1)
    if kind == "Levels":
        assert up.picture == "up there.webp" and up.place == (1, 1, 5, 4), "its floor is a tile"
    if kind == "14":
        assert (down.picture, up.picture) == ("down.png", "up there.webp")
        assert down.stairs == [Stairs(["Up"], ["A1", "A2"])]


@pytest.mark.parametrize("points", [[], [5], ["a", "b"]])
def test_a_region_without_a_box_is_no_stairs(points: list[Any]) -> None:
    (region,) = BUILDINGS["14"]["regions"]
    odd = {**region, "shapes": [{"type": "polygon", "points": points}]}
    assert found_in({**SCENE, **BUILDINGS["14"], "regions": [odd]}).levels[0].stairs == []


@pytest.mark.parametrize("far", [float("inf"), 10**400])
def test_a_region_beyond_all_numbers_is_refused(far: float) -> None:
    (region,) = BUILDINGS["14"]["regions"]
    odd = {**region, "shapes": [{"type": "polygon", "points": [300, 200, far, 400]}]}
    with pytest.raises(CampaignProblem, match="is not a number"):
        found_in({**SCENE, **BUILDINGS["14"], "regions": [odd]})


def test_a_level_with_a_picture_in_its_name_becomes_an_encounter(in_campaign: Strike, folder: Any) -> None:
    levels = [{**level, "name": f"{level['name']} \N{DRAGON}\x7f"} for level in BUILDINGS["14"]["levels"]]
    (folder / "mill.json").write_text(json.dumps({**SCENE, **BUILDINGS["14"], "levels": levels}), "utf-8")
    in_campaign("map import mill.json --all-levels --name Mill")
    (encounter,) = tomllib.loads((folder / "encounters/mill-down.toml").read_text("utf-8"))[
        "encounters"
    ].values()
    assert encounter["zones"][0]["name"].startswith("Stairs to Up \N{DRAGON}")


def test_levels_become_encounters(in_campaign: Strike, folder: Path) -> None:
    (folder / "mill.json").write_text(json.dumps({**SCENE, **BUILDINGS["14"]}), encoding="utf-8")
    assert "Left out: Up (2 walls, 0 doors, 1 light)" in in_campaign("map import mill.json").err
    assert "It has Down, Up" in in_campaign("map import mill.json --level Attic", 2).err
    in_campaign("map import mill.json --level up --name Top")
    data = in_campaign.json("map import mill.json --all-levels --name Mill")["data"]
    assert [one["encounter"] for one in data["levels"]] == ["mill-down", "mill-up"]
    text = (folder / "encounters/mill-down.toml").read_text("utf-8")
    (encounter,) = tomllib.loads(text)["encounters"].values()
    assert encounter["zones"] == [{"name": "Stairs to Up", "squares": ["A1", "A2"]}]
    assert encounter["summary"] == "Stairs above: Up (mill-up)"


def test_lights_that_are_off_or_dark_are_left_out() -> None:
    kinds: list[dict[str, Any]] = [
        {"hidden": True},
        {"config": {**LIGHT, "negative": True}},
        {"config": {**LIGHT, "angle": 90, "color": None}},
        {"config": {**LIGHT, "dim": 0, "bright": 0}},
        {"walls": False, "config": {"dim": 10, "bright": 20}},
    ]
    found = found_in({**SCENE, "lights": [{**SCENE["lights"][0], **kind} for kind in kinds]})
    assert [(light.range, light.color, light.shadows) for light in found.lights] == [
        (6, "ffffffff", True),
        (4, "ffffffff", False),
    ]
    assert [note.split()[:2] for note in found.notes] == [["2", "lights"], ["1", "light"]]


def test_a_bright_scene_without_lights_shows_its_picture_as_it_is() -> None:
    assert found_in({**SCENE, "lights": [], "environment": {}}).ambient == Ambient()


def test_what_is_no_scene_says_which_key() -> None:
    for changed, match in (
        ({"width": None}, "there is no width"),
        ({"height": "tall"}, 'height is "tall", not a number'),
        ({"width": 10**400}, "width is 1000"),
        ({"width": 1_000_000}, "10000 x 7 squares"),
        ({"grid": 0}, "grid is 0 pixels"),
        ({"grid": [100]}, r"grid.size is \[100\]"),
        ({"walls": {}}, "walls is {}, not a list"),
        ({"walls": [7]}, r"walls\[0\] is 7, not a table"),
        ({"walls": [{"c": [1, 2, 3]}]}, r"walls\[0\].c is \[1, 2, 3\], not four numbers"),
        ({"walls": [{**WALL, "c": [1, 2, 3, None]}]}, r"walls\[0\].c is nothing"),
        ({"walls": [{**WALL, "c": [500, 400, 600, 400], "dir": "left"}]}, r"walls\[0\].dir"),
        ({"environment": {"darknessLevel": 7}}, "environment.darknessLevel is 7"),
        ({"background": "a.png"}, "background is"),
    ):
        with case(changed, match):
            with pytest.raises(CampaignProblem, match=match) as caught:
                found_in({**SCENE, **changed})
            assert str(caught.value).startswith("scene.json is not a readable Foundry scene")


# --- as it is typed


def test_a_scene_becomes_an_encounter_with_the_picture_beside_it(in_campaign: Strike, folder: Path) -> None:
    (folder / "fvtt-Scene-mill.json").write_text(json.dumps(SCENE), encoding="utf-8")
    said = in_campaign("map import fvtt-Scene-mill.json")
    assert "The Old Mill: 10 x 7 squares, 1 wall, 0 doors, 1 light." in said.out
    assert "put old mill.webp beside fvtt-Scene-mill.json" in said.err
    (folder / "old mill.webp").write_bytes(b"\x1aE\xdf\xa3 a film")
    assert "is not a png, jpg or webp" in in_campaign("map import fvtt-Scene-mill.json --name Film").err
    assert [file.name for file in (folder / "encounters").iterdir() if file.suffix != ".toml"] == []
    (folder / "old mill.webp").write_bytes(draw_map(["." * 10] * 7, 10))
    data = in_campaign.json("map import fvtt-Scene-mill.json --force --name Mill")["data"]
    assert (data["encounter"], data["map"]["image"]["pixels"]) == ("mill", 10), "a square of the picture's"
    assert (folder / "encounters/mill.png").read_bytes() == draw_map(["." * 10] * 7, 10)


def include_encounters(folder: Path) -> None:
    campaign = folder / "campaign.toml"
    campaign.write_text(f'include = ["encounters/*.toml"]\n{campaign.read_text("utf-8")}', "utf-8")


def test_windows_of_a_scene_are_windows_in_a_fight(in_campaign: Strike, folder: Path) -> None:
    walls = [{"c": [500, 300, 600, 300], "sight": 0}, {"c": [600, 300, 700, 300], "move": 0}]
    (folder / "fvtt-Scene-glass.json").write_text(json.dumps({**SCENE, "walls": walls}), encoding="utf-8")
    in_campaign("map import fvtt-Scene-glass.json --name Glass")
    text = (folder / "encounters" / "glass.toml").read_text("utf-8")
    assert "{ line = [[2, 1], [3, 1]], sight = false }" in text
    assert "{ line = [[3, 1], [4, 1]], steps = false }" in text
    include_encounters(folder)
    assert "only sight become plain walls for other programs" in in_campaign("map export out.uvtt glass").err


def test_a_scene_may_be_called_anything(in_campaign: Strike, folder: Path) -> None:
    """Nothing of its name gets past its letters, into a terminal or the encounter's file."""
    scene = {
        **SCENE,
        "name": '\U0001f525 "Forge"\x1b[31m\x7f\ud800 Ärger',
        "background": {"src": "../\x1b/a\x00b.png"},
    }
    (folder / "forge.json").write_text(json.dumps(scene), encoding="utf-8")
    said = in_campaign("map import forge.json")
    assert "\x1b" not in said.out + said.err
    assert "put ab.png beside forge.json" in said.err
    (written,) = (folder / "encounters").iterdir()
    (encounter,) = tomllib.loads(written.read_text(encoding="utf-8"))["encounters"].values()
    assert encounter["name"] == '\U0001f525 "Forge"[31m Ärger'


def test_one_way_walls_are_plain_ones_where_a_format_has_none(in_campaign: Strike, folder: Path) -> None:
    ledge = {**WALL, "c": [500, 400, 900, 400], "dir": 1}
    (folder / "ledge.json").write_text(json.dumps({**SCENE, "walls": [ledge]}), encoding="utf-8")
    include_encounters(folder)
    assert "1 one-way wall," in in_campaign("map import ledge.json --name Ledge").out
    assert in_campaign.json("map show ledge")["data"]["fight"]["map"]["one_way_walls"] == [[[2, 2], [6, 2]]]
    said = in_campaign("map export ledge.uvtt ledge").err
    assert "One-way walls become plain walls for other programs" in said
    assert in_campaign.json("map show ledge.uvtt")["data"]["map"]["one_way_walls"] == [[[2, 2], [6, 2]]]


# --- out again

BOARD: Any = {
    "rows": ["." * 10] * 7,
    "walls": [[[0, 2], [3.5, 2], [3.5, 4]]],
    "one_way_walls": [[[5, 1], [8, 1]]],
    "see_through_walls": [[[1, 5], [3, 5]], [[6, 3], [8, 3.25], [6, 3]]],
    "walk_through_walls": [[[9, 0], [9, 2.13]]],
    "terrain_walls": [[[6, 3], [8, 3.25], [6, 3]], [[4, 5], [6, 6]]],
    "doors": [{"at": [[3.5, 4], [3.5, 5]], "open": True}, {"at": [[1, 4], [2, 4]], "open": False}],
    "lights": [{"at": [3.5, 2], "range": 4, "color": "ffeccd8b", "intensity": 0.5, "shadows": False}],
    "ambient": {"color": "ff989898", "baked": False},
}


def pieces(walls: Any) -> set[str]:
    """The straight parts of walls."""
    return {str(pair) for line in walls for pair in pairwise(line)}


@pytest.mark.parametrize(
    "image",
    [{}, {"file": "m.png", "pixels": 50, "offset": [20, -12.5]}, {"file": "m.png", "pixels": [40, 56]}],
)
def test_out_and_in_again_is_exact(image: Any) -> None:
    """Whatever kinds of walls there are, and wherever the picture lies, to a hundredth of a square."""
    picture = draw_map(["." * 10] * 7, 50) if image else b""
    found = read_foundry_scene(
        encode_foundry_scene({**BOARD, **({"image": image} if image else {})}, picture, 50), "again.json"
    )
    board, but_walls = board_without_picture(found), dict.fromkeys(WALL_KINDS)
    for kind in WALL_KINDS:
        assert pieces(board.get(kind, ())) == pieces(BOARD[kind])
    assert {**board, **but_walls} == {**BOARD, **but_walls} or image
    assert (found.doors, found.lights, found.notes) == (
        [MapDoor((3.5, 4), (3.5, 5), True), MapDoor((1, 4), (2, 4), False)],
        [Light((3.5, 2), 4, "ffeccd8b", 0.5, False)],
        [],
    )
    if image:
        kept = encounter_picture_entry(found._replace(image=picture), "m")
        assert kept and {**kept, "file": "m.png"} == image


def test_a_scene_goes_out_with_its_picture_beside(in_campaign: Strike, folder: Path) -> None:
    in_campaign("map export yard.json yard")
    data = in_campaign.json("map import yard.json --name Again")["data"]
    assert data["map"]["image"]["pixels"] == 70
    (folder / "yard.png").write_bytes(b"another")
    assert "yard.png" in in_campaign("map export yard.json yard", 1).err
