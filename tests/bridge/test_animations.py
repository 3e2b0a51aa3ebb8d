"""What of a command a table can draw: whose turn, who struck whom, ways, blows, falls. From facts alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from strike_bridge.journal_results import results_of_entry
from strike_cli.kernel.state_changes import State
from strike_cli.visibility.audiences import Audience

from .helpers import council
from .test_projection import combatant, entry, fight

ROLL = {
    "who": "vex", "purpose": "attack", "sides": 6, "faces": [5], "kept": 5, "mode": "plain", "modifiers": [],
    "total": 5, "sources": [],
}  # fmt: skip


def plays(state: State, *facts: dict[str, Any], hp: str = "exact", gm: bool = False) -> list[dict[str, Any]]:
    return [result["play"] for result in results_of_entry(entry(*facts), state, gm, Audience(meters=hp))]


def moving(who: str, *squares: str) -> list[dict[str, Any]]:
    steps = pairwise(squares)
    path = f"fight.combatants.{who}.at"
    return [{"kind": "stepped", "who": who, "changes": [[path, was, now]]} for was, now in steps]


def test_a_way_is_told_square_by_square() -> None:
    state = fight(vex=combatant("Vex", side="party", at="A1"), brann=combatant("Brann", at="B2"))
    state["fight"]["active"] = "vex"
    said = {"kind": "moved", "who": "vex", "text": "Vex moves from A1 to C2."}
    (play,) = plays(state, *moving("vex", "A1", "B1", "C2"), said)
    path = [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 2, "y": 1}]
    assert play["effects"] == [{"kind": "moved", "id": "vex", "path": path}]
    assert play["turn"] == {
        "scene": "ford", "round": 1, "who": "vex", "name": "Vex", "side": "party", "begins": False
    }  # fmt: skip
    assert play["lines"] == [{"text": "Vex moves from A1 to C2.", "style": ""}]
    assert not play["outcome"]


def attack(target: str, hits: bool = True, harm: int = 2, **more: Any) -> list[dict[str, Any]]:
    path = f"fight.combatants.{target}.hp"
    hurt = {
        "kind": "damaged", "who": target, "text": "It takes 2 damage: 4 to 2 HP.",
        "without_hp": "It takes 2 damage.", "changes": [[path, 4, 4 - harm]],
    }  # fmt: skip
    struck = {"kind": "attacked", "who": "vex", "text": "Vex attacks: 5.", "target": target, "hits": hits}
    return [{**struck, "roll": ROLL, **more}, *([hurt] if hits else [])]


def test_a_blow_says_who_struck_whom_and_how_it_came_out() -> None:
    state = fight(vex=combatant("Vex", side="party"), goblin=combatant("Goblin 1"))
    (play,) = plays(state, *attack("goblin"))
    assert play["head"] == {
        "id": "vex", "name": "Vex", "side": "party", "what": "attack", "came": "hit",
        "at": [{"id": "goblin", "name": "Goblin 1", "side": "enemies"}],
    }  # fmt: skip
    assert play["effects"] == [
        {"kind": "hit", "id": "goblin", "by": "vex"},
        {"kind": "hurt", "id": "goblin", "amount": 2},
    ]
    assert [line.get("deed", False) for line in play["lines"]] == [True, False]
    (play,) = plays(state, *attack("goblin", power="Flare"))
    assert (play["head"]["power"], play["lines"][0]["deed"]) == ("Flare", True)
    (play,) = plays(state, *attack("goblin", tokens=2))  # which neither heading nor dice show
    assert "deed" not in play["lines"][0]
    (play,) = plays(state, *attack("goblin", hits=False))
    assert (play["head"]["came"], play["effects"]) == (
        "miss",
        [{"kind": "miss", "id": "goblin", "by": "vex"}],
    )
    (play,) = plays(state, *attack("goblin", harm=4), {
        "kind": "taken-out", "who": "goblin", "text": "Goblin 1 is Taken Out.",
        "changes": [["fight.combatants.goblin.out", None, "taken-out"]],
    })  # fmt: skip
    assert [effect["kind"] for effect in play["effects"]] == ["hit", "hurt", "down", "out"]


def test_amounts_of_others_are_told_only_where_players_know_numbers() -> None:
    state = fight(vex=combatant("Vex", side="party"), goblin=combatant("Goblin 1"))
    for hp in ("bar", "wounds", "none"):
        (play,) = plays(state, *attack("goblin"), hp=hp)
        assert [one for one in play["effects"] if one.get("amount") is not None] == []
        assert "4 to 2" not in str(play)


def test_nothing_is_drawn_of_the_hidden() -> None:
    state = fight(vex=combatant("Vex", side="party"), lurker=combatant("Reed Lurker", hidden=True))
    state["fight"]["active"] = "lurker"
    facts = [*moving("lurker", "C7", "C8"), *attack("lurker"), {"kind": "noted", "text": "A splash."}]
    public, secret = plays(state, *facts, gm=True)
    assert public["effects"] == []
    assert public["head"] is None
    assert public["turn"]["who"] == ""
    assert "urker" not in str(public)
    assert {effect["kind"] for effect in secret["effects"]} == {"moved", "hit", "hurt"}
    assert secret["turn"]["who"] == "lurker"


def test_cards_are_turned_up_by_the_fact_that_reveals_them_and_by_no_other() -> None:
    state = {"conflict": council("reckless-effort")}
    told = {"text": "The dice fall."}
    (before,) = plays(state, {**told, "kind": "noted"})
    assert "reckless" not in str(before)
    (play,) = plays(state, {**told, "kind": "conflict-revealed"})
    turned = {(effect["id"], effect["by"], effect["words"]) for effect in play["effects"]}
    assert turned == {("theirs", "", "reckless-effort"), ("ours", "vex", "progress")}


def test_what_a_scene_came_to_is_known_from_the_kind_of_fact() -> None:
    state = fight(vex=combatant("Vex", side="party"))
    ended = {"kind": "fight-ended", "text": "The Ford is won.", "changes": [["fight", state["fight"], None]]}
    gained = {"kind": "condition-gained", "who": "vex", "text": "Vex is Winded."}
    (play,) = plays(state, ended, gained)
    assert play["outcome"]
    assert play["turn"]["scene"] == "ford"
    assert play["lines"] == [
        {"text": "The Ford is won.", "style": "title"},
        {"text": "Vex is Winded.", "style": "warn"},
    ]
