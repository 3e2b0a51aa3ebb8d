"""Clocks: made, advanced by hand and with what passes, and told to whom they are for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.problems import Refused
from strike_cli.systems.prep.clocks import Clock, clocks_of
from strike_cli.tabletop.scene import TableItem

CLOCKS = """
[clocks.flood]
name = "The river rises"
segments = 3
filled = 1
public = true
advances = ["session", "rest", "scene"]
then = "The mill is cut off."
[clocks.guild]
name = "The guild's patience"
advances = ["session"]
"""


@pytest.fixture
def game() -> Game:
    return Game(book_with(CLOCKS))


def test_a_clock_goes_on_and_back_and_says_when_it_is_full(game: Game) -> None:
    assert game.play("clock tick", clock="flood")["filled"] == 2
    assert game.texts() == ["The river rises: 2 of 3."]
    assert game.play("clock tick", clock="flood", by=5)["full"] is True
    assert game.texts() == ["The river rises is full: The mill is cut off."]
    with pytest.raises(Refused, match="3 of 3") as full:
        game.play("clock tick", clock="flood")
    assert full.value.hint == "`strike clock tick flood -1` sets it back by one segment."
    assert game.play("clock tick", clock="flood", by=-9)["filled"] == 0
    with pytest.raises(Refused, match="0 of 3"):
        game.play("clock tick", clock="flood", by=-1)


def test_a_clock_of_the_table_comes_and_goes(game: Game) -> None:
    made = game.play("clock add", name="The Watch comes", segments=4)
    assert (made["id"], made["public"]) == ("the-watch-comes", False)
    assert game.play("clock add", name="The moon")["segments"] == 6
    game.play("clock tick", clock="the-watch-comes", by=2)
    for wrong in (
        {"name": "The watch comes!"}, {"name": "!!"},
        {"name": "Long", "segments": 0}, {"name": "Long", "segments": 101},
    ):  # fmt: skip
        with pytest.raises(Refused):
            game.play("clock add", **wrong)
    for name, size in (("Short", 1), ("Long", 100)):
        assert game.play("clock add", name=name, segments=size)["segments"] == size
    game.play("clock remove", clock="the-watch-comes")
    assert game.get("clocks.the-watch-comes") is None
    game.play("clock remove", clock="flood")
    with pytest.raises(Refused, match="no clock 'flood'"):
        game.play("clock tick", clock="flood")


def facts_of(game: Game) -> list[tuple[str, Any]]:
    return [(fact.kind, fact.details["filled"]) for fact in game.facts if fact.kind.startswith("clock")]


def test_clocks_advance_with_what_passes(game: Game) -> None:
    """A session, a rest, a scene's end; each clock with what it says, and a full one no more."""
    game.play("session start")
    assert facts_of(game) == [("clock-moved", 2), ("clock-moved-in-secret", 1)]
    game.play("condition add", who="vex", condition="core:winded")
    game.play("rest", who="vex", rest="minutes")
    assert facts_of(game) == [("clock-moved", 3)]
    game.draw("V..g")
    game.play("combat finish", result="won")
    assert facts_of(game) == []
    game.play("clock tick", clock="flood", by=-1)
    game.draw("V..g")
    data = game.play("combat finish", result="won")
    assert facts_of(game) == [("clock-moved", 3)]
    assert [one["id"] for one in data["clocks"]] == ["flood"]


def test_an_evening_brings_public_clocks_to_the_table_once(game: Game) -> None:
    game.book.clocks["flood"]["advances"] = []
    laid = []
    for _ in range(2):
        game.play("session start")
        laid.append([fact.kind for fact in game.facts].count("table-laid"))
        game.play("session end")
    assert laid == [1, 0]
    kept = {"name": "The river rises", "segments": 3, "filled": 1, "public": True}
    assert game.get("clocks.flood") == kept


def test_an_evening_brings_what_campaign_toml_says_of_a_clock_now(game: Game) -> None:
    """One that has become public is shown though it had moved in secret; one that is secret again is not."""
    for clock in game.book.clocks.values():
        clock["advances"] = []
    game.play("clock tick", clock="guild")
    for flood, guild in ((True, True), (False, True), (True, False)):
        game.book.clocks["flood"]["public"], game.book.clocks["guild"]["public"] = flood, guild
        game.play("session start")
        assert (game.get("clocks.flood.public"), game.get("clocks.guild.public")) == (flood, guild)
        game.play("session end")
    assert game.get("clocks.guild.filled") == 1


def test_a_rest_that_ends_nothing_passes_time_all_the_same(game: Game) -> None:
    game.play("rest", who="vex", rest="minutes")
    assert game.get("clocks.flood.filled") == 2


def test_what_campaign_toml_says_of_a_clock_counts_before_what_was_kept(game: Game) -> None:
    """But for how far it is: a clock that was renamed goes on where it was."""
    game.play("clock tick", clock="flood")
    assert game.get("clocks.flood") == {
        "name": "The river rises", "segments": 3, "filled": 2, "public": True,
    }  # fmt: skip
    game.book.clocks["flood"]["name"] = "The sea rises"
    assert game.play("clock tick", clock="flood", by=-1)["name"] == "The sea rises"
    assert game.texts() == ["The sea rises: 1 of 3."]


def test_what_is_not_kept_of_a_clock_is_as_for_a_new_one(game: Game) -> None:
    """One that somebody wrote into state.toml by hand is the game master's, and leads to nothing."""
    game.set("clocks.dusk", {"filled": 1, "name": "Dusk", "segments": 4})
    (dusk,) = (one for one in clocks_of(game.world) if one.id == "dusk")
    assert dusk == Clock("dusk", "Dusk", 4, 1, False, (), "")


def test_what_lies_on_the_table_in_a_line() -> None:
    """A clock with its segments, of which none is filled unless said; a day with what there is to say."""
    for one, line in (
        (TableItem("a", "clock", "The flood", filled=2, segments=6), "The flood 2/6"),
        (TableItem("a", "clock", "The flood", segments=6), "The flood 0/6"),
        (TableItem("a", "day", "1 Frost", "the fair"), "1 Frost, the fair"),
        (TableItem("a", "day", "1 Frost"), "1 Frost"),
        (TableItem("a", "handout", "A letter", "Dear Odo"), "A letter"),
    ):
        with case(one, line):
            assert str(one) == line


def test_players_see_public_clocks_alone(folder: Path, in_campaign: Strike) -> None:
    with (folder / "campaign.toml").open("a") as file:
        file.write(CLOCKS)
    in_campaign("session start")
    in_campaign('clock add "Fire" 4 --public')
    in_campaign("clock tick guild")
    told = in_campaign("log --player").out
    assert "The river rises: 2 of 3." in told
    assert "Fire" in told
    assert "guild" not in told
    assert [one["filled"] for one in in_campaign.json("clock list")["data"]["clocks"]] == [2, 2, 0]
    rows = in_campaign("clock list").out.splitlines()[1:]
    assert ["by hand" in row for row in rows] == [False, False, True]
    for _ in range(3):
        in_campaign("undo")
    assert [one["filled"] for one in in_campaign.json("clock list")["data"]["clocks"]] == [1, 0]
    in_campaign("replay --verify")
