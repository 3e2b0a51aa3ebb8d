"""A plugin brings a kind of map file: `strike map` reads and writes it as those that come with strike."""

from __future__ import annotations

from pathlib import Path

import pytest
from content.conftest import Place
from support.cli import Strike

ROWS = """\
from strike_cli.plugin import Plugin
from strike_cli.plugin.files import CampaignProblem, MapFile, MapFormat

def read(raw, name):
    rows = raw.decode().split()
    if len({len(row) for row in rows}) != 1:
        raise CampaignProblem(f"{name}: its rows differ in length.", "Mend the file.")
    return MapFile(len(rows[0]), len(rows), 70, [], [], b"")

def write(board, image, pixels):
    return "\\n".join(board["rows"]).encode()

ROWS = MapFormat("Rows", read, write)
LOOKED_AT = MapFormat("Looked at", read)
plugin = Plugin("rows", map_formats={".rows": "plugin_rows:ROWS", ".seen": "plugin_rows:LOOKED_AT"})
"""


@pytest.fixture
def rows(place: Place, strike: Strike) -> Strike:
    place.install("rows", module=ROWS, files={})
    strike("new evening")
    return strike


def test_a_plugins_format_is_read_and_written(rows: Strike) -> None:
    """In a campaign that names the plugin; outside of all every one that is installed is."""
    Path("cave.rows").write_text("....\n....\n")
    for line in ("import cave.rows", "show cave.rows", "export out.rows ford"):
        assert '"elements", "rows"' in rows(f"map {line} -C evening", 2).err
    name_plugin()
    assert rows.json("map show cave.rows")["data"]["map"]["rows"] == ["....", "...."]
    data = rows.json("map import cave.rows -C evening")["data"]
    assert data["encounter"] == "cave"
    rows("map export out.rows ford -C evening")
    assert "~~~" in Path("out.rows").read_text()
    assert rows.json("plugin show rows")["data"]["brings"] == {"map formats": [".rows", ".seen"]}
    rows("map export out.uvtt ford -C evening")


def name_plugin() -> None:
    campaign = Path("evening/campaign.toml")
    campaign.write_text(campaign.read_text("utf-8").replace('["elements"]', '["elements", "rows"]'), "utf-8")


@pytest.mark.slow
def test_what_a_format_can_not_do_is_said(rows: Strike) -> None:
    name_plugin()
    Path("cave.rows").write_text("....\n...\n")
    assert "differ in length" in rows("map import cave.rows -C evening", 3).err
    assert (
        "can read this kind of file, but not write it" in rows("map export out.seen ford -C evening", 2).err
    )
    said = rows("map export out.pdf ford -C evening", 2).err
    assert ".uvtt" in said
    assert ".rows" in said


@pytest.mark.slow
def test_two_of_one_ending_are_told_apart(place: Place, rows: Strike) -> None:
    taken = 'from strike_cli.plugin import Plugin\nplugin = Plugin("grid", map_formats={".uvtt": "x:y"})\n'
    place.install("grid", module=taken, files={})
    assert "defines a format of maps '.uvtt'" in rows("plugin doctor", 4).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("def read(raw):", "`read(raw)` that should take 2 arguments: a file's content and its name"),
        ("def write(board, image):", "`write(board, image)` that should take 3 arguments"),
    ],
)
def test_the_doctor_tells_of_a_wrong_signature(wrong: str, told: str, place: Place, strike: Strike) -> None:
    """It was "sound" until somebody read a map."""
    right = {"def read": "def read(raw, name):", "def write": "def write(board, image, pixels):"}
    place.install("rows", module=ROWS.replace(right[wrong.partition("(")[0]], wrong), files={})
    assert f"of rows 1.0: plugin_rows:ROWS has a {told}" in strike("plugin doctor", 4).out


@pytest.mark.slow  # it plays the evenings of examples, too
def test_the_doctor_says_which_format_is_tried_with_an_empty_file_alone(rows: Strike) -> None:
    not_tried = rows.json("plugin doctor")["data"]["not_tried"]
    assert not_tried.keys() == {"map format .seen"}
