"""Fights that wait while another is played: nothing of them is lost, whichever is gone back to."""

from __future__ import annotations

import pytest
from support.game import Game

from strike_cli.problems import Refused
from strike_cli.registry import load_known_system
from strike_cli.registry.scenes_and_decisions_in_state import parked_scene_names


def test_a_fight_waits_and_goes_on_as_it_stood(game: Game) -> None:
    """STR-TAC-03: in the same round and turn; the last one that waited leaves nothing behind."""
    before = game.draw("V.g").begin("vex").get("fight")
    assert game.play("combat park") == {"name": "A fight", "fight": "drawn"}
    assert game.texts() == ["A fight is parked in round 1."]
    assert (game.get("fight"), list(game.get("parked_fights"))) == (None, ["drawn"])
    assert parked_scene_names(game.state, load_known_system("combat")) == {"drawn": "A fight"}
    assert game.play("combat return", fight="drawn") == {"name": "A fight", "fight": "drawn"}
    assert game.texts() == ["Back to A fight, round 1."]
    assert (game.get("fight"), game.get("parked_fights")) == (before, None)


def test_several_fights_wait_each_by_its_own_id(game: Game) -> None:
    """STR-TAC-03: of one encounter, too; whoever goes back to one parks what is under way."""
    for rows in (("V.g",), ("V.g", "..."), ("V.g", "...", "...")):
        game.draw(*rows)
        last = game.get("fight")
        game.play("combat park")
    assert list(game.get("parked_fights")) == ["drawn", "drawn-2", "drawn-3"]
    game.play("combat return", fight="drawn-3")
    assert game.get("fight") == last
    assert list(game.get("parked_fights")) == ["drawn", "drawn-2"]
    game.play("combat return", fight="drawn")
    assert len(game.get("fight.map.rows")) == 1
    assert list(game.get("parked_fights")) == ["drawn-2", "drawn-3"]
    assert len(game.get("parked_fights.drawn-3.map.rows")) == 3
    with pytest.raises(Refused, match="No scene 'drawn' is parked"):
        game.play("combat return", fight="drawn")
