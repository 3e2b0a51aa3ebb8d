"""An order of turns that goes round: how each place in it stands, and who comes next (STR-TAC-03, 06)."""

from __future__ import annotations

from typing import Any

from strike_cli.tabletop.turn_order import (
    Entry,
    first_with_turn_left,
    order_entries,
    turns_left_in_round,
    which_turns_have_begun,
)


def test_a_place_in_the_order_says_how_it_stands() -> None:
    """STR-TAC-03, STR-TAC-06: acting, waiting, acted, delayed or out; each of two turns by itself."""
    people: dict[str, Any] = {
        "vex": {"acted": 2, "initiative": 5},
        "odo": {"delayed": True},
        "ogre": {"acted": 2, "taken": 1},
        "goblin": {"out": "taken-out", "acted": 2},
        "post": {"count": 3},
    }
    scene = {
        "round": 2,
        "active": "ogre",
        "order": ["vex", "ogre", "goblin", "odo", "ogre", "post", "nobody"],
    }
    assert order_entries(scene, people) == [
        Entry("vex", "acted", 5), Entry("ogre", "acted"), Entry("goblin", "out"), Entry("odo", "delayed"),
        Entry("ogre", "acting"), Entry("post", "waiting", None, 3),
    ]  # fmt: skip
    assert which_turns_have_begun(scene, people) == [True, True, True, False, True, False]
    assert turns_left_in_round(scene, people) == ["odo", "ogre", "post"]
    assert first_with_turn_left(scene, people) == "odo"
    assert first_with_turn_left({**scene, "order": ["goblin", "vex"]}, people) == "vex", (
        "the first of the next round"
    )
    assert first_with_turn_left({**scene, "order": ["goblin"]}, people) is None


def test_each_of_several_turns_has_the_number_that_was_rolled_for_it() -> None:
    """STR-TAC-01: a champion's two turns are two places, each by its own die."""
    people = {"ogre": {"initiative": 6, "initiatives": [6, 2]}, "vex": {"initiative": 4}}
    scene = {"round": 1, "order": ["ogre", "vex", "ogre"]}
    assert [entry.initiative for entry in order_entries(scene, people)] == [6, 4, 2]
