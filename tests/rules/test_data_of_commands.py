"""What commands give back, whole: scripts read every key of it (docs/scripting.md)."""

from __future__ import annotations

from support.cases import case
from support.game import Game


def test_what_the_core_gives_back(game: Game) -> None:
    winded = {"who": "vex", "condition": "core:winded"}
    for command, args, data in (
        ("ap give", {"who": "vex", "n": 2, "why": "a feast"}, {"who": "vex", "before": 1, "ap": 3}),
        ("ap spend", {"who": "vex", "n": 1, "why": "a feast"}, {"who": "vex", "before": 3, "ap": 2}),
        ("skill learn", {"who": "vex", "skill": "Riding"},
         {"who": "vex", "skill": "Riding", "learned": ["Riding"]}),
        ("condition add", winded,
         {**winded, "escalated": False, "conditions": ["core:winded"], "doubts": []}),
        ("condition remove", winded, {**winded, "left": 0}),
        ("override", {"path": "characters.odo.ap", "value": 4, "why": "a gift"},
         {"path": "characters.odo.ap", "before": None, "after": 4}),
    ):  # fmt: skip
        with case(command):
            assert game.play(command, **args) == data
    begun = game.play("session start", title="One")
    assert (begun["number"], begun["title"]) == (1, "One")
    assert game.play("session end")["number"] == 1


def test_how_a_fight_begins(game: Game) -> None:
    game.draw("V.g")
    game.play("combat abandon")
    data = game.play("combat start", encounter="drawn", party=["vex"], goal="To the door")
    assert {key: data[key] for key in data if key != "combatants"} == {
        "encounter": "drawn", "name": "A fight", "goal": "To the door",
    }  # fmt: skip
    assert set(data["combatants"]) == {"vex", "goblin"}


def test_what_a_fight_gives_back(game: Game) -> None:
    game.draw("V.#.g").begin("vex").put("vex", hp=5)
    for command, args, data in (
        ("combat hide", {}, {"hidden": False}),
        ("combat hide", {"now": True}, {"hidden": True}),
        ("combat reveal", {}, {}),
        ("combat heal", {"amount": 2}, {"hp_before": 5, "hp_after": 7}),
        ("combat damage", {"amount": 3}, {"hp_before": 7, "hp_after": 4}),
    ):
        with case(command, args):
            came = game.play(command, who="vex", **args)
            assert came.items() >= {"who": "vex", **data}.items()
            assert command != "combat reveal" or (len(came) == 1 and not game.of("vex", "hidden"))
