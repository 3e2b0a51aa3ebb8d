"""Team Conflicts keep the contract of all systems, against an opposition and between players.

STRIKE_THOROUGH=1 plays a thousand evenings.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.evenings import EVENINGS
from support.thorough import THOROUGH, few_of

from strike_cli.play import command_execution
from strike_cli.plugin.testing import Contract
from strike_cli.systems.conflict.rule_numbers import ROLLS, numbers

PARTS = 4 if THOROUGH else 2
"""Tests that share the evenings, so that several processes can play them."""
CAMPAIGN = """
schema = 1
name = "The Council"
seed = 1

[house]
conflict_death = "announced"

[characters]
vex = { name = "Vex", skills = ["Climbing", "Sneaking"], complications = ["Owes the ferryman"], ap = 2 }
brann = { name = "Brann", skills = ["Hauling"], ap = 1 }
odo = { name = "Odo" }
vesna = { name = "Vesna", skills = ["Riding"], complications = ["Promises too much"], ap = 3 }

[conflicts.council]
name = "The Council"
intent = "a road"
against = "The Company"
their_intent = "a toll"
"""
TRAITS = ["Versatility", "Superior Versatility", "Dangerous", "Costly", "Penetrating", "Ablating", "Draining"]
OWN = ["Recovery", "Fortified", "Consequential", "Increasing Power", "Old money"]
START: dict[str, Any] = {
    "id": "council", "name": "The Council", "intent": "a road", "against": "The Company",
    "their_intent": "a toll", "team": ["vex", "brann", "odo"], "our_traits": OWN, "traits": TRAITS,
}  # fmt: skip
WORDS: dict[str, list[Any]] = {
    "action": [*numbers()["actions"], *numbers()["prep"]["actions"], "secondary", "", "dance"],
    "complications": [[], [["vex", "Owes the ferryman"]], [["odo", "Nothing"]], [["vex"]]],
    "conditions": [{}, {"vex": "core:angry"}, {"odo": "core:injured"}],
    "default": [*ROLLS, "none"],
    "dis": [{}, {"advance": ["a torn map"]}],
    "helpers": [[], [{"name": "vesna", "skill": "Riding", "skilled": True}]],
    "id": [""],
    "mods": [[], [[1, "a rope"]]],
    "recover": ["strike", "none", "", "Old money", "Ablating"],
    "roll": [*ROLLS, "none"],
    "skill": ["Climbing", "Hauling", "Riding", ""],
    "stock": [{}, {"ours": "advance"}, {"theirs": "defense"}],
    "swaps": [{}, {"love": "betrayal"}, {"hate": "love"}],
    "team": [["vex"], ["vex", "odo"], []],
    "their_team": [[], ["vesna"], ["vex"]],
    "theirs": ["strike", "Dangerous", "", [1, 2], []],
    "what": ["strike", "ablate", "drain", "Old money", "Dangerous"],
    "word": ["vex", "injured", "vex-angry"],
}
RARELY = ["conflict withdraw", "conflict concede", "conflict end"]
CONTRACTS = {
    kind: Contract(
        "conflict",
        campaign=CAMPAIGN,
        begin=[("conflict start", {**START, **more})],
        words=WORDS,
        rarely=RARELY,
    )
    for kind, more in (("opposition", {}), ("teams", {"their_team": ["vesna"], "their_intent": "a toll"}))
}  # fmt: skip


def test_all_that_it_names_is_there() -> None:
    CONTRACTS["teams"].check_references()


def test_it_finds_a_pick_that_players_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """STR-TC-03."""
    monkeypatch.setattr(command_execution, "_is_face_down_pick", lambda *_: False)
    with pytest.raises(AssertionError, match=r"players read conflict\.theirs\.opposition in the log"):
        CONTRACTS["opposition"].check(evenings=3)


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
@pytest.mark.parametrize("kind", CONTRACTS)
def test_random_evenings(kind: str, part: int) -> None:
    """STR-TC-01 to 16: undone and put back, replayed, refused without a trace, and nobody told too much."""
    count = max(1, EVENINGS // (PARTS * len(CONTRACTS)))
    for seed in range(part * count, (part + 1) * count):
        CONTRACTS[kind].play_checked_evening(seed)
