"""What commands give back, whole: scripts read every key of it (docs/scripting.md)."""

from __future__ import annotations

from typing import Any

import pytest
from support.game import Game


@pytest.mark.parametrize(
    ("command", "args", "dice", "data"),
    [
        ("ap give", {"who": "vex", "n": 2, "why": "a feast"}, [], {"who": "vex", "before": 1, "ap": 3}),
        ("ap spend", {"who": "vex", "n": 1, "why": "a feast"}, [], {"who": "vex", "before": 1, "ap": 0}),
        ("skill learn", {"who": "vex", "skill": "Riding"}, [],
         {"who": "vex", "skill": "Riding", "learned": ["Riding"]}),
        (
            "condition add",
            {"who": "vex", "condition": "core:winded"},
            [],
            {
                "who": "vex",
                "condition": "core:winded",
                "escalated": False,
                "conditions": ["core:winded"],
                "doubts": [],
            },
        ),
        ("session start", {"title": "One"}, [], {"number": 1, "title": "One"}),
        ("override", {"path": "characters.vex.ap", "value": 4, "why": "a gift"}, [],
         {"path": "characters.vex.ap", "before": None, "after": 4}),
    ],
)  # fmt: skip
def test_what_the_core_gives_back(
    game: Game, command: str, args: dict[str, Any], dice: list[int], data: dict[str, Any]
) -> None:
    came = game.play(command, dice=dice, **args)
    assert {key: came[key] for key in came if command != "session start" or key in data} == data


def test_a_condition_lost(game: Game) -> None:
    game.play("condition add", who="vex", condition="core:winded")
    data = game.play("condition remove", who="vex", condition="core:winded")
    assert data == {"who": "vex", "condition": "core:winded", "left": 0}


def test_an_evening_s_end(game: Game) -> None:
    game.play("session start", title="One")
    assert game.play("session end")["number"] == 1


def test_how_a_fight_begins(game: Game) -> None:
    game.draw("V.g")
    game.play("combat abandon")
    data = game.play("combat start", encounter="drawn", party=["vex"], goal="To the door")
    assert {key: data[key] for key in data if key != "combatants"} == {
        "encounter": "drawn",
        "name": "A fight",
        "goal": "To the door",
    }
    assert set(data["combatants"]) == {"vex", "goblin"}


@pytest.mark.parametrize(
    ("command", "args", "dice", "data"),
    [
        ("combat hide", {"who": "vex", "now": True}, [], {"who": "vex", "hidden": True}),
        ("combat hide", {"who": "vex"}, [], {"who": "vex", "hidden": False}),
        ("combat heal", {"who": "vex", "amount": 2}, [], {"who": "vex", "hp_before": 5, "hp_after": 7}),
        ("combat damage", {"who": "vex", "amount": 2}, [], {"who": "vex", "hp_before": 5, "hp_after": 3}),
    ],
)
def test_what_a_fight_gives_back(
    game: Game, command: str, args: dict[str, Any], dice: list[int], data: dict[str, Any]
) -> None:
    game.draw("V.#.g").begin("vex").put("vex", hp=5)
    came = game.play(command, dice=dice, **args)
    assert {key: came[key] for key in data} == data


def test_who_is_revealed(game: Game) -> None:
    game.draw("V.#.g").begin("vex")
    game.play("combat hide", who="vex", now=True)
    assert game.play("combat reveal", who="vex") == {"who": "vex"}
    assert not game.of("vex", "hidden")
