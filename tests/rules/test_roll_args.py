"""What rolls and purchases are played with: journals' forms of it, whose sheets it is about, and what else it
rests on."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import case
from support.game import Game

from strike_cli.kernel.procedure import argument_as_json
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import CampaignProblem
from strike_cli.systems.core.roll_circumstances import favor_dependency_key, task_attempt_key

SAID = {"adv": ["rope"], "dis": [], "mods": [[1, "modifier"]]}
ROLL = {"who": "vex", "skill": "Climbing", "skilled": True, "known": True, **SAID}
BRANN = {"name": "brann", "skilled": False}
GUARD = {"who": "guard", "skill": "Watching", "skilled": True, "known": False, "adv": [], "dis": []}
PURCHASE = {"who": "vex", "price": 2, "what": "", "seller": "", "costs": [], "helpers": [], **SAID}


def without_defaults(recorded: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in recorded.items() if value not in ("", [])}


def test_what_was_recorded_is_read() -> None:
    """As journals of 0.1, and of before, have it; and what is written then is read as the same."""
    for move, recorded in (
        ("roll skill", {**ROLL, "helpers": [BRANN], "use": ["b1"], "bank": "Sneaking", "costs": ["winded"]}),
        ("roll linked", {**ROLL, "helpers": [], "linked": "Sneaking", "linked_for": "odo"}),
        ("roll opposed", {"who": "vex", "ours": {**ROLL, "helpers": [BRANN]}, "theirs": GUARD}),
        ("ap give", {"who": "vex", "n": 2, "why": ""}),
        ("awesome", {"giver": "vex", "who": "brann", "why": "the ferry"}),
        ("fallback", {"who": "vex", "text": ""}),
        ("roll wealth", {"who": "", "price": 3, "helpers": [{"name": "brann", "wealth": 1}], "wealth": 2}),
        ("wealth buy", {**PURCHASE, "helpers": [{"name": "brann"}], "ignore": ["core:short"]}),
        ("wealth pool", {**PURCHASE, "members": ["vex", "odo"], "parcels": [{"who": "", "rank": 1}]}),
        ("wealth cash spend", {"who": "vex", "rank": 2, "what": "the boat"}),
        ("wealth recover", {"who": "vex", "condition": "short", "parcel": True}),
    ):  # fmt: skip
        with case(move, recorded):
            args = find_move(move).read_args(recorded)
            written = argument_as_json(args)
            assert find_move(move).read_args(written) == args
            assert {*without_defaults(recorded)} - {*written} == set()
            assert {*written} <= {*recorded}


def test_what_nobody_knows_is_not_played() -> None:
    with pytest.raises(CampaignProblem):
        find_move("roll skill").read_args({**ROLL, "loudly": True})


@pytest.mark.parametrize(
    ("move", "args", "rests_on"),
    [
        ("roll skill", {**ROLL, "helpers": [BRANN], "asking": "Eel smokers", "intent": "a way up"},
         {"roll vex", "roll brann", favor_dependency_key("Eel smokers"),
          task_attempt_key("Climbing", "a way up")}),
        ("roll linked", {**ROLL, "linked": "Sneaking", "linked_for": "odo"}, {"roll vex", "roll odo"}),
        ("roll skill", {**ROLL, "who": "guard", "known": False}, {"bare dice"}),
        ("roll opposed",
         {"who": "vex", "ours": ROLL, "theirs": {**GUARD, "helpers": [BRANN], "asking": "Millers"}},
         {"roll vex", "roll brann", favor_dependency_key("Millers")}),
        ("wealth buy", {**PURCHASE, "helpers": [{"name": "brann"}], "intent": "to cross"},
         {"roll vex", "roll brann", task_attempt_key("Wealth", "to cross")}),
        ("wealth pool", {**PURCHASE, "members": ["vex", "odo"], "parcels": [{"who": "brann", "rank": 1}]},
         {"roll vex", "roll odo", "roll brann"}),
    ],
)  # fmt: skip
def test_whom_a_roll_is_about(game: Game, move: str, args: dict[str, Any], rests_on: set[str]) -> None:
    """STR-CORE-11, 15, 20, 28: who rolls, who helps, whose roll it prepares, who pools; what is owed to whom
    they ask, what was tried. Whoever has no sheet is nobody's."""
    assert find_move(move).state_parts_read(args, game.world) == rests_on
