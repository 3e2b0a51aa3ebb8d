"""`strike map preview`, `shift` and `draw`: maps looked at, moved under their squares, and drawn by hand."""

from __future__ import annotations

import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from content.test_foundry_scene import SCENE
from support.cases import case
from support.cli import Strike
from support.edits import append_to, replace_in

from strike_cli.content.map_picture_draw_and_shrink import draw_map

Image = pytest.importorskip("PIL.Image")


@pytest.fixture
def mill(in_campaign: Strike, folder: Path) -> Strike:
    """A campaign with an imported map, which its picture's grid lies beside."""
    scene = {**SCENE, "background": {"src": "mill.png", "offsetX": 30, "offsetY": 0}}
    (folder / "mill.json").write_text(json.dumps(scene), encoding="utf-8")
    (folder / "mill.png").write_bytes(draw_map(["." * 10] * 7, 40))
    replace_in(folder / "campaign.toml", "schema = 1", 'schema = 1\ninclude = ["encounters/*.toml"]')
    in_campaign("map import mill.json --name Mill")
    return in_campaign


def written(folder: Path, name: str = "mill") -> dict[str, Any]:
    tables: dict[str, Any] = tomllib.loads((folder / f"encounters/{name}.toml").read_text("utf-8"))[
        "encounters"
    ]
    return dict(tables[name])


def test_what_is_known_of_a_map_is_drawn_over_its_picture(mill: Strike, folder: Path) -> None:
    said = mill("map preview mill").out
    assert "Walls red" in said and "lights white" in said
    text = (folder / "mill.svg").read_text("utf-8")
    assert text.count("data:image/png;base64") == 1 and 'points="2,2 6,2 6,4"' in text
    mill("map preview mill.json look.png")
    shot = Image.open(io.BytesIO((folder / "look.png").read_bytes()))
    side = shot.width // 10
    assert shot.size == (10 * side, 7 * side)
    assert shot.getpixel((4 * side, 2 * side)) == (0xE6, 0x19, 0x4B), "a wall"
    assert "an .svg or a .png" in mill("map preview mill look.gif", 2).err


def test_a_picture_is_moved_until_it_fits(mill: Strike, folder: Path) -> None:
    """The preview tells by the picture's own lines how far."""
    assert written(folder)["image"] == {"file": "encounters/mill.png", "pixels": 40, "offset": [12, 0]}
    before = written(folder)
    told = mill("map preview mill").out
    assert "strike map shift mill 0.29 0" in told, "to a pixel"
    assert "encounters.mill.image: encounters/mill.png: lines off the squares" in mill("doctor", None).out
    mill("map shift mill 0.3 0")
    after = written(folder)
    assert after["image"]["offset"] == [0, 0]
    assert {**after, "image": before["image"]} == before, "nothing else is changed"
    assert "map shift" not in (told := mill("map preview mill").out) and "lines on the squares" in told
    assert "maps: 1 picture (lines on the squares: 1)" in mill("doctor", None).out
    mill("map shift mill -0.5 1 --scale 2")
    assert written(folder)["image"] == {"file": "encounters/mill.png", "pixels": 20, "offset": [10, -20]}
    assert "has no picture" in mill("map shift yard 1 0", 1).err
    unchanged = (folder / "encounters/mill.toml").read_bytes()
    mill("map shift mill 1 0 --dry-run")
    assert (folder / "encounters/mill.toml").read_bytes() == unchanged


def test_each_picture_is_checked_whatever_is_wrong_with_others(mill: Strike, folder: Path) -> None:
    """By `doctor`: maps without a picture, with one that is missing, and pictures without a map."""
    names = ["bare", "missing", "unmapped", "lost"]
    pictures = {"missing": "no.png", "unmapped": "mill.png", "lost": "none.png"}
    tables = [
        f'[encounters.{name}]\nname = "{name}"\n'
        + ("" if name == "unmapped" else 'map = "...."\n')
        + (f'image = "{pictures[name]}"\n' if name in pictures else "")
        for name in names
    ]
    (folder / "encounters/first.toml").write_text("\n".join(tables), encoding="utf-8")
    told = mill("doctor", None).out
    assert [name for name in names if f"encounters.{name}.image: " in told] == ["missing", "lost"]
    assert "encounters.mill.image: encounters/mill.png: lines off the squares" in told
    assert "maps: 1 picture (" in told


def test_a_picture_is_moved_in_the_scene_under_way(mill: Strike, folder: Path) -> None:
    """From where it lies there, and undo takes it back there."""
    append_to(folder / "encounters/mill.toml", 'at = { party = ["A1:D1"], goblin = ["A7"] }\n')

    def shown() -> tuple[float, float]:
        offset = mill.json("combat show")["data"]["fight"]["map"]["image"]["offset"]
        return offset[0], offset[1]

    mill("combat start mill")
    mill("map shift mill 0.3 0 --dry-run")
    assert shown() == (12, 0) == tuple(written(folder)["image"]["offset"])
    assert mill.json("map shift mill 0.3 0")["data"]["scenes"] == ["combat"]
    assert shown() == (0, 0) == tuple(written(folder)["image"]["offset"])
    mill("map shift mill 0 0.5")
    mill("undo")
    assert shown() == (0, 0) != tuple(written(folder)["image"]["offset"])
    mill("map shift mill 0.1 0")
    assert shown() == (-4, 0) == tuple(written(folder)["image"]["offset"])


def test_walls_and_doors_are_drawn_between_squares(mill: Strike, folder: Path) -> None:
    for line, name, item in (
        ("wall C3 above", "walls", [[2, 2], [3, 2]]),
        ("window B2:C3 left", "walls", {"line": [[1, 1], [1, 3]], "sight": False}),
        ("curtain C3 right", "walls", {"line": [[3, 2], [3, 3]], "steps": False}),
        ("obstacle H5:I6 around", "walls",
         {"line": [[7, 4], [9, 4], [9, 6], [7, 6], [7, 4]], "sight": "terrain"}),
        ("door E5 E6", "doors", {"at": [[4, 5], [5, 5]], "open": False}),
    ):  # fmt: skip
        with case(line):
            had = written(folder)
            mill(f"map draw mill {line}")
            now = written(folder)
            assert (
                now[name] == [item, *had.get(name, [])]
                or now[name] == [*had.get(name, []), item]
                or item in now[name]
            )
            assert {**now, name: None} == {**had, name: None}
    for line in ("door C3 E9", "wall C3 beneath", "wall 3C above"):
        with case(line):
            mill(f"map draw mill {line}", 2)
    assert "campaign.toml: walls has" in mill("map draw yard wall C3 above").out
    assert [[2, 2], [3, 2]] in mill.json("map show yard")["data"]["fight"]["map"]["walls"]


def test_a_door_that_is_drawn_into_a_wall_lets_through_once_it_is_open(mill: Strike, folder: Path) -> None:
    mill("map draw mill wall A5:J5 below")
    mill("map draw mill door E5 E6")
    append_to(folder / "encounters/mill.toml", 'at = { party = ["A1:D1"], goblin = ["A7"] }\n')
    mill("combat start mill")
    mill("combat door open E5 E6")
    walls = mill.json("combat show")["data"]["fight"]["map"]["walls"]
    assert [[0, 5], [4, 5]] in walls and [[5, 5], [10, 5]] in walls


def test_what_short_rows_mean_is_said(in_campaign: Strike, folder: Path) -> None:
    short = '[encounters.nook]\nname = "Nook"\nmap = """\n....\n..\n....\n"""\nat = { party = ["A1"] }\n'
    append_to(folder / "campaign.toml", short)
    assert "Row 2 is shorter than others" in in_campaign("map show nook").err


@pytest.mark.slow
def test_a_picture_that_is_too_large_is_made_smaller_at_the_import(in_campaign: Strike, folder: Path) -> None:
    from base64 import b64encode

    from strike_cli.tabletop.campaign_pictures import LARGEST_MAP, WIDEST, picture_size

    out = io.BytesIO()
    Image.new("1", (12_000, 1_000)).save(out, "PNG")
    data = {
        "resolution": {"map_size": {"x": 24, "y": 2}, "pixels_per_grid": 500},
        "image": b64encode(out.getvalue()).decode(),
    }
    (folder / "huge.uvtt").write_text(json.dumps(data), encoding="utf-8")
    said = in_campaign("map import huge.uvtt --name Huge")
    assert "12000 x 1000 pixels" in said.err and "is made smaller" in said.err
    kept = (folder / "encounters/huge.webp").read_bytes()
    wide, high = picture_size(kept)
    assert max(wide, high) <= WIDEST and len(kept) <= LARGEST_MAP and wide * high <= 50_000_000
    assert written(folder, "huge")["image"]["pixels"] == pytest.approx(wide / 24, abs=0.01)
