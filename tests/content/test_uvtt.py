"""Universal VTT files in and out, and what comes of walls where doors sit."""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import nullcontext
from itertools import pairwise
from math import hypot
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import case

from strike_cli.content.map_picture_draw_and_shrink import draw_map
from strike_cli.content.universal_vtt import (
    cut_walls_at_doors,
    encode_uvtt,
    image_extension,
    read_uvtt,
    wall_sides_facing_rooms,
)
from strike_cli.problems import CampaignProblem
from strike_cli.systems.combat.commands.map_conversion_and_file_edits import (
    board_without_picture,
    encounter_picture_entry,
)
from strike_cli.tabletop.campaign_pictures import is_argb_color_without_hash, picture_size
from strike_cli.tabletop.foreign_map_files import (
    Ambient,
    Light,
    MapDoor,
    check_map_complexity,
    require_finite,
)
from strike_cli.tabletop.grid import Grid


def file_of(**more: Any) -> dict[str, Any]:
    """A small house in the middle of a map whose origin is not at 0."""

    def at(x: float, y: float) -> dict[str, float]:
        return {"x": x + 10, "y": y + 20.5}

    return {
        "format": 0.3,
        "resolution": {"map_origin": at(0, 0), "map_size": {"x": 7.5, "y": 5}, "pixels_per_grid": 64},
        "line_of_sight": [[at(1, 1), at(5, 1), at(5, 4), at(1, 4), at(1, 1)]],
        "objects_line_of_sight": [[at(2.5, 2.5), at(3, 3.25)]],
        "portals": [
            {"position": at(3, 1), "bounds": [at(2.5, 1), at(3.5, 1)], "rotation": 0, "closed": True,
             "freestanding": False},
            {"position": at(5, 2), "bounds": [at(5, 2.5), at(5, 1.5)], "rotation": 1.57, "closed": False,
             "freestanding": False},
        ],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [],
        "image": b64encode(draw_map(["..", ".#"], 8)).decode(),
        **more,
    }  # fmt: skip


def raw(**more: Any) -> bytes:
    return json.dumps(file_of(**more)).encode()


def test_everything_counts_from_the_corner_of_the_map() -> None:
    found = read_uvtt(raw(), "house.dd2vtt")
    assert (found.width, found.height, found.pixels) == (8, 5, 64)
    assert found.doors == [MapDoor((2.5, 1), (3.5, 1), False), MapDoor((5, 2.5), (5, 1.5), True)]
    assert found.walls == [
        [(1, 1), (2.5, 1)],
        [(3.5, 1), (5, 1), (5, 1.5)],
        [(5, 2.5), (5, 4), (1, 4), (1, 1)],
    ]
    assert found.terrain_walls == found.see_through_walls == [[(2.5, 2.5), (3, 3.25)]], "one sees into a rock"
    assert image_extension(found.image) == "png"


def test_files_of_other_versions_are_read_by_the_same_keys() -> None:
    """Format 1 of Arkenforge has the keys of 0.3, or some of them; 0.2 of Dungeondraft no objects."""
    whole = read_uvtt(raw(), "house.uvtt")
    for version in (0.2, 1, 1.0, "1.0", 1.1, None):
        with case(version):
            assert read_uvtt(raw(format=version, software="another", map_layers=[{}]), "house.uvtt") == whole
    bare = {key: file_of()[key] for key in ("resolution", "line_of_sight", "image")}
    found = read_uvtt(json.dumps({"format": 1.0, **bare}).encode(), "house.uvtt")
    assert not (found.doors or found.terrain_walls or found.lights)
    assert found.walls == [[(1, 1), (5, 1), (5, 4), (1, 4), (1, 1)]]


def test_a_file_that_is_no_map_is_refused_with_the_reason() -> None:
    for broken, match in (
        (b"{", "line 1, column 2 is not JSON"),
        (b"[]", "not a readable Universal VTT"),
        (b"{}", "`resolution` is missing"),
        (raw(line_of_sight=[[{"x": float("nan"), "y": 0}]]), "NaN is not a number"),
        (raw(line_of_sight=[[{"x": float("inf"), "y": 0}]]), "Infinity is not a number"),
        (raw(line_of_sight=[[{"x": "1", "y": 0}]]), r'line_of_sight\[0\]\[0\].x is "1"'),
        (raw(resolution={"map_size": {"x": 0, "y": 5}, "pixels_per_grid": 70}), "is 0 x 5 squares"),
        (raw(resolution={"map_size": {"x": 9e9, "y": 5}, "pixels_per_grid": 70}), "400 a side is the most"),
        (raw(portals=[{"position": {"x": 1, "y": 1}}]), r"there is no portals\[0\].bounds"),
    ):
        with case(broken, match), pytest.raises(CampaignProblem, match=match):
            read_uvtt(broken, "house.dd2vtt")


def test_a_picture_that_cannot_be_read_leaves_the_walls() -> None:
    for image in ("a", "AAAA", 5, ["x"], "data:image/png;base64,%%%", "Zm9v" * 9):
        with case(image):
            found = read_uvtt(raw(image=image), "house.dd2vtt")
            assert found.walls == read_uvtt(raw(), "house.dd2vtt").walls
            assert found.image == b""
            assert "Its picture can't be read, and is left out." in found.notes
            assert len(read_uvtt(raw(image=""), "house.dd2vtt").notes) == 1, "the word on objects"


@pytest.mark.parametrize(("wide", "high", "sound"), [(400, 400, True), (400.1, 5, False), (5, 400.1, False)])
def test_a_map_has_four_hundred_squares_along_a_side_at_most(wide: float, high: float, sound: bool) -> None:
    with nullcontext() if sound else pytest.raises(CampaignProblem, match="400 a side is the most"):
        read_uvtt(raw(resolution={"map_size": {"x": wide, "y": high}, "pixels_per_grid": 70}), "house.dd2vtt")


def test_how_much_a_map_may_have_in_it() -> None:
    """Both sides of every limit: points of walls, doors, lights, and points by doors."""
    for most, what in (
        ((50_000, 0, 0), "points of walls"), ((0, 2000, 0), "doors"), ((0, 0, 2000), "lights"),
        ((2000, 2000, 0), "doors|walls by doors"),
    ):  # fmt: skip
        with case(most):
            check_map_complexity(*most)
            with pytest.raises(ValueError, match=f" ({what}); at most .* are allowed"):
                check_map_complexity(*(count and count + 1 for count in most))


def test_a_picture_that_ends_before_its_size_has_none() -> None:
    """Of each kind, at each length; and what is whole has the size that its bytes say."""
    jpeg = b"\xff\xd8\xff\xe0\0\4ab\xff\xc0\0\x11\x08\0\4\0\7"
    webp = b"RIFF\0\0\0\0WEBP"
    for whole, size in (
        (draw_map(["..."] * 2, 10)[:24], (30, 20)),
        (jpeg, (7, 4)),
        (webp + b"VP8X" + bytes(8) + b"\6\0\0\3\0\0", (7, 4)),
        (webp + b"VP8L" + bytes(5) + (6 | 3 << 14).to_bytes(4, "little"), (7, 4)),
        (webp + b"VP8 " + bytes(10) + b"\7\0\4\0", (7, 4)),
    ):
        assert picture_size(whole) == size
        for length in range(12, len(whole)):
            with case(whole, length), pytest.raises(ValueError, match="ends before its size|has no size"):
                picture_size(whole[:length])
    with pytest.raises(ValueError, match="no width or height"):
        picture_size(webp + b"VP8 " + bytes(14))


def test_what_is_a_number_of_squares_and_what_is_a_colour() -> None:
    for value, sound in (
        (0, True), (-3.5, True), (9e11, True), (1e12, False), (-1e12, False), (float("nan"), False),
        (float("inf"), False), (True, False), ("1", False), (None, False),
    ):  # fmt: skip
        with case(value, sound), nullcontext() if sound else pytest.raises(ValueError, match="not a number"):
            assert require_finite(value) == value
    colors = ["ffeccd8b", "FFA09f00", "ffeccd8", "ffeccd8b0", "#feccd8b", "fgeccd8b", ""]
    assert [is_argb_color_without_hash(color) for color in colors] == [
        True,
        True,
        False,
        False,
        False,
        False,
        False,
    ]


BOARD: Any = {
    "rows": ["#####", "#...#", "#.+.#", "#####"],
    "walls": [[[1, 2], [2, 2]], [[3, 2], [4, 2]]],
    "doors": [{"at": [[2, 2], [3, 2]], "open": True}],
}


def test_what_other_programs_read_of_ours() -> None:
    theirs = json.loads(encode_uvtt(BOARD, b"", 70))
    del theirs["strike"]
    found = read_uvtt(json.dumps(theirs).encode(), "again.uvtt")
    assert (found.width, found.height, found.image) == (5, 4, b"")
    assert MapDoor((2, 2), (3, 2), True) in found.doors
    assert MapDoor((2.5, 2), (2.5, 3), False) in found.doors, "a door that is a square runs across its middle"
    assert [(1, 2), (2, 2)] in found.walls
    assert [(1, 1), (4, 1)] in found.walls, "walls of whole squares become the lines around them"


HALF: Any = {
    **BOARD,
    "one_way_walls": [[[1, 3], [2, 3]]],
    "see_through_walls": [[[0, 1], [1, 1]], [[2.5, 2.5], [3, 3.25]]],
    "walk_through_walls": [[[0, 2], [0, 3.5]]],
    "terrain_walls": [[[2.5, 2.5], [3, 3.25]]],
    "lights": [{"at": [1.5, 2.25], "range": 4, "color": "ffeccd8b", "intensity": 0.5, "shadows": False}],
    "ambient": {"color": "ff202040", "baked": False},
}


@pytest.mark.parametrize("image", [{}, {"image": {"file": "a.png", "pixels": 8, "offset": [3, -2.5]}},
                                   {"image": {"file": "a.png", "pixels": [8, 10.5]}}])  # fmt: skip
@pytest.mark.parametrize("board", [BOARD, HALF])
def test_out_and_in_again_is_exact(board: Any, image: Any) -> None:
    """Lines, squares, lights and the picture's place; but not once somebody has changed the file."""
    picture = draw_map(["." * 9] * 5, 5) if image else b""
    raw = encode_uvtt({**board, **image}, picture, 8)
    found = read_uvtt(raw, "again.uvtt")
    assert board_without_picture(found) == board
    if image:
        kept = encounter_picture_entry(found, "a")
        assert kept and {**kept, "file": "a.png"} == image["image"]
    changed = json.loads(raw)
    changed["line_of_sight"].append([{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    assert [(0, 0), (1, 1)] in [
        [
            (x + changed["resolution"]["map_origin"]["x"], y + changed["resolution"]["map_origin"]["y"])
            for x, y in wall
        ]
        for wall in read_uvtt(json.dumps(changed).encode(), "again.uvtt").walls
    ] or image


LAMP = {
    "position": {"x": 13.5, "y": 22.5}, "range": 4.5, "intensity": 0.8, "color": "ffeccd8b", "shadows": False,
}  # fmt: skip


def test_lights_count_from_the_corner_too() -> None:
    dusk = {"baked_lighting": False, "ambient_light": "FF202040"}
    bare = {"position": {"x": 10, "y": 20.5}, "range": 2, "color": "#aa0000"}
    for least in (0, 1000):
        (found,) = read_uvtt(
            raw(lights=[{**LAMP, "range": least, "intensity": least}]), "house.dd2vtt"
        ).lights
        assert (found.range, found.intensity) == (least, least)
    found = read_uvtt(raw(lights=[LAMP, bare], environment=dusk), "house.dd2vtt")
    assert found.lights == [Light((3.5, 2), 4.5, "ffeccd8b", 0.8, False), Light((0, 0), 2, "ffaa0000")]
    assert found.ambient == Ambient("ff202040", baked=False)
    assert read_uvtt(raw(environment=None), "house.dd2vtt").ambient == Ambient()


def test_a_light_that_is_none_is_left_out_with_a_word() -> None:
    for changed, match, kept in (
        ({"color": "red"}, 'lights[0].color is "red", not a colour', True),
        ({"range": -1}, "lights[0].range is -1", False),
        ({"range": 1000.5}, "lights[0].range is 1000.5", False),
        ({"intensity": 1000.5}, "lights[0].intensity is 1000.5", False),
        ({"intensity": -0.5}, "lights[0].intensity is -0.5", False),
        ({"range": "far"}, 'lights[0].range is "far", not a number', False),
    ):
        with case(changed, match):
            found = read_uvtt(raw(lights=[{**LAMP, **changed}]), "house.dd2vtt")
            assert len(found.lights) == kept and any(match in note for note in found.notes)


def test_a_written_file_has_finite_numbers_and_colours_with_alpha_first() -> None:
    data = json.loads(encode_uvtt({"rows": ["..+", ".#."]}, b"", 50), parse_constant=pytest.fail)
    assert data["environment"]["ambient_light"] == "ffffffff"
    assert data["resolution"]["map_size"] == {"x": 3, "y": 2}
    assert data["portals"][0]["closed"] is True


points = st.tuples(st.integers(0, 8), st.integers(0, 8))


@pytest.mark.slow
@given(st.lists(points, min_size=2, max_size=5), st.tuples(points, points))
def test_only_the_stretch_of_the_door_is_cut_out(wall: list[Any], ends: Any) -> None:
    """Against samples along the wall: what is near the door's line and between its ends is gone, no more."""
    door = MapDoor(*ends, False)
    left = cut_walls_at_doors([wall], [door])

    def on(lines: Any, point: tuple[float, float], slack: float) -> bool:
        return any(_distance(point, a, b) <= slack for line in lines for a, b in pairwise(line))

    for a, b in pairwise(wall):
        for step in range(21):
            point = a[0] + (b[0] - a[0]) * step / 20, a[1] + (b[1] - a[1]) * step / 20
            if a == b:
                continue
            if not on(left, point, 0.02):
                assert _distance(point, *ends) <= 0.2, "nothing else is cut out"
    assert all(on([wall], point, 0.02) for line in left for point in line), "and nothing is added"


def _distance(point: Any, a: Any, b: Any) -> float:
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    along = 0.0 if not length else sum((point[i] - a[i]) * (b[i] - a[i]) for i in (0, 1)) / length
    part = min(1.0, max(0.0, along))
    return hypot(*(point[i] - a[i] - part * (b[i] - a[i]) for i in (0, 1)))


@given(st.lists(st.text(".#", min_size=5, max_size=5), min_size=2, max_size=5))
def test_outlines_part_rock_from_room(rows: list[str]) -> None:
    grid = Grid(rows)
    pieces = set()
    for (ax, ay), (bx, by) in wall_sides_facing_rooms(grid):
        steps = int(max(bx - ax, by - ay))
        for n in range(steps):
            pieces.add((ax + n, ay, "level") if ay == by else (ax, ay + n, "upright"))
    expected = {
        (x, y, "level")
        for y in range(1, grid.height)
        for x in range(grid.width)
        if rows[y][x] != rows[y - 1][x]
    } | {
        (x, y, "upright")
        for y in range(grid.height)
        for x in range(1, grid.width)
        if rows[y][x] != rows[y][x - 1]
    }
    assert pieces == expected
