"""`strike map`, and zones and doors as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import Strike
from support.edits import append_to, replace_in

from strike_cli.content.map_picture_draw_and_shrink import draw_map
from strike_cli.content.universal_vtt import encode_uvtt, read_uvtt
from strike_cli.tabletop.foreign_map_files import Ambient, Light

HOUSE = {
    "rows": ["......."] * 4,
    "walls": [[[3, 0], [3, 4]]],
    "doors": [{"at": [[3, 1], [3, 2]], "open": False}],
    "lights": [{"at": [1.5, 2], "range": 3.5, "color": "ffeccd8b", "intensity": 0.8, "shadows": False}],
    "ambient": {"color": "ff202040", "baked": False},
}


@pytest.fixture
def house(folder: Path) -> Path:
    """A file as a map editor would write it, beside the campaign."""
    path = folder / "old_house.dd2vtt"
    path.write_bytes(encode_uvtt(HOUSE, draw_map(["."], 4), 64))
    return path


def test_a_file_becomes_an_encounter_that_can_be_played(
    in_campaign: Strike, folder: Path, house: Path
) -> None:
    """In, a fight on it through the door, and out again with the door as it stands and the
    lights as they were."""
    data = in_campaign.json(f"map import {house}")["data"]
    assert data["encounter"] == "old-house"
    assert data["map"]["image"]["file"] == "encounters/old-house.png"
    assert (folder / "encounters/old-house.png").read_bytes() == draw_map(["."], 4)
    place = 'at = { party = ["B2", "B3:C4"], goblin = ["F2"] }\n'
    append_to(folder / "encounters/old-house.toml", place)
    replace_in(folder / "campaign.toml", "schema = 1", 'schema = 1\ninclude = ["encounters/*.toml"]')
    in_campaign("combat start old-house")
    in_campaign("combat door open C2")
    assert "open already" in in_campaign("combat door open C2 D2", 1).err
    in_campaign("map export out.uvtt")
    again = read_uvtt(Path("out.uvtt").read_bytes(), "out.uvtt")
    assert [door.open for door in again.doors] == [True]
    assert again.walls == [[(3, 0), (3, 1)], [(3, 2), (3, 4)]]
    assert again.image == draw_map(["."], 4)
    assert again.lights == [Light((1.5, 2), 3.5, "ffeccd8b", 0.8, False)]
    assert again.ambient == Ambient("ff202040", baked=False)
    assert in_campaign.json("doctor")["ok"]


def test_an_import_writes_over_nothing(in_campaign: Strike, house: Path) -> None:
    in_campaign(f"map import {house} --dry-run")
    assert not (house.parent / "encounters").exists()
    assert "Include it in campaign.toml" in in_campaign(f"map import {house}").out
    in_campaign(f"map import {house}", 1)
    in_campaign(f"map import {house} --force")


def test_a_picture_becomes_an_encounter_in_one_line(
    in_campaign: Strike, folder: Path, tmp_path: Path
) -> None:
    """As wide as one says, or as the file's name does; as high as it is; one from elsewhere is copied."""
    elsewhere = tmp_path / "elsewhere" / "Old Mill 6x4.png"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(draw_map(["." * 6] * 4, 10))
    data = in_campaign.json(f"map new mill '{elsewhere}'")["data"]
    assert (data["encounter"], data["width"], data["height"]) == ("mill", 6, 4)
    text = (folder / "encounters/mill.toml").read_text(encoding="utf-8")
    assert 'image = "maps/Old Mill 6x4.png"' in text
    assert (folder / "maps/Old Mill 6x4.png").read_bytes() == elsewhere.read_bytes()
    (folder / "plain.png").write_bytes(draw_map(["." * 8] * 4, 10))
    assert "80 x 40 pixels" in in_campaign("map new paddock plain.png", 2).err
    in_campaign("map new paddock plain.png --across 8")
    assert 'image = "plain.png"' in (folder / "encounters/paddock.toml").read_text(encoding="utf-8")
    in_campaign("map new paddock plain.png --across 8", 1)
    assert "is not a png" in in_campaign("map new field campaign.toml --across 8", 2).err


def test_what_is_no_map(in_campaign: Strike, folder: Path) -> None:
    (folder / "bad.uvtt").write_text(json.dumps({"resolution": {}}), encoding="utf-8")
    assert "resolution.map_size is nothing" in in_campaign("map show bad.uvtt", 3).err
    assert "none.uvtt" in in_campaign("map show none.uvtt", 3).err
    assert ".uvtt" in in_campaign("map export ford.png", 2).err
    in_campaign("map export ford.uvtt", 1)  # of no fight


def test_zones_as_typed(in_campaign: Strike) -> None:
    in_campaign("combat start yard --party vex")
    data = in_campaign.json('combat zone add "Burning oil" C3:D4 --damage 2 --difficult --secret')["data"]
    assert data["zone"] == "secret-burning-oil"
    assert data["squares"] == ["C3", "D3", "C4", "D4"]
    assert data["secret"] is True
    assert "is outside the map" in in_campaign("combat zone add Oil ZZ99", 1).err
    assert "3C" in in_campaign("combat zone add Oil 3C", 2).err
    assert "no such moment" in in_campaign("combat zone add Oil C3 --ends soon", 2).err
    in_campaign("combat zone remove burning")
    assert "no zone" in in_campaign("combat zone remove burning", 2).err


def test_a_zone_in_the_open_tells_of_no_secret_one(in_campaign: Strike) -> None:
    """Not by a number in its id, which players' programs see."""
    in_campaign("combat start yard --party vex")
    in_campaign("combat zone add Mist C3 --gm")
    assert in_campaign.json("combat zone add Mist E3")["data"]["zone"] == "mist"


def test_looking_ahead_moves_nobody(in_campaign: Strike) -> None:
    """The way is the one that a move would take, and what it gives is said."""
    in_campaign("combat start yard --party vex --party brann --party odo")
    in_campaign("combat initiative --dice 6,2,1,1,1")
    in_campaign("combat turn")
    before = in_campaign.json("combat show")["data"]["fight"]
    assert "F2" in in_campaign.json("combat map --reach vex")["data"]["reach"]
    data = in_campaign.json("combat map --path . F2")["data"]
    assert "Vex to F2 by C2 D2 E2 F2, giving no Opportunity." in in_campaign("combat map --path vex F2").out
    assert in_campaign.json("combat show")["data"]["fight"] == before
    assert in_campaign.json("combat move vex F2")["data"]["path"] == data["path"]
