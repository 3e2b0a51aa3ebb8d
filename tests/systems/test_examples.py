"""Examples that systems bring: for `strike new` and `strike demo`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.registry import installed_plugins

CAMPAIGN = 'schema = 1\nname = "Coins"\n[characters.ana]\nname = "Ana"\n[characters.bo]\nname = "Bo"\n'
EVENING = "# Bo wins.\ntoy start ana bo --coins 1\ntoy toss ana --dice 2\ntoy show\n"


@pytest.fixture
def with_example(with_toy: Strike, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Strike:
    """The toy system with an example."""
    import toy

    monkeypatch.setattr(toy, "TOY", toy.TOY._replace(example="example"))
    monkeypatch.setattr(toy, "__file__", str(tmp_path / "toy.py"))
    installed_plugins.drop_plugin_index()
    (tmp_path / "example").mkdir()
    for name, text in (("campaign.toml", CAMPAIGN), ("evening.strike", EVENING)):
        (tmp_path / "example" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return with_toy


def test_a_campaign_begins_with_it(with_example: Strike) -> None:
    data = with_example.json('new coins --system toy --name "The Last Coin"')["data"]
    assert data["name"] == "The Last Coin"
    assert "2 characters" in with_example("new more --system toy").out


@pytest.mark.parametrize("name", ["grit", "karma", "momentum"])
def test_ours_has_faces_and_maps(strike: Strike, tmp_path: Path, name: str) -> None:
    """Of the party and of every encounter with a map; each picture is a file of the new campaign."""
    strike(f"new {tmp_path / 'there'} --system {name}")
    with Campaign(tmp_path / "there") as campaign:
        people, places = campaign.book.characters.values(), campaign.book.encounters.values()
        pictures = [one.get("image") for one in (*people, *(place for place in places if place.get("map")))]
    assert len(pictures) >= 5
    assert all(file and (tmp_path / "there" / file).is_file() for file in pictures)


def test_a_demo_plays_it(with_example: Strike) -> None:
    """To the end of its script; what is asked takes the first option."""
    with_example("demo --system toy --no-table --keep evening")
    log = with_example("-C evening log").out
    assert "Bo has it all." in log


def test_who_has_none_is_refused(with_toy: Strike) -> None:
    refused = with_toy("new coins --system toy", 2).err
    assert "no example of 'toy'" in refused
    assert not Path("coins").exists()
    assert json.loads(with_toy("demo --system nothing --no-table --json", 2).out)["error"]["code"] == "usage"


@pytest.mark.slow
def test_the_doctor_misses_its_files(with_toy: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    import toy

    monkeypatch.setattr(toy, "TOY", toy.TOY._replace(example="nowhere"))
    installed_plugins.drop_plugin_index()
    assert "example 'nowhere' has no campaign.toml" in with_toy("plugin doctor", 4).out
