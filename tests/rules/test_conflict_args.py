"""What moves of a conflict are played with: journals' forms of it, and whose sheets it is about."""

from __future__ import annotations

import pytest
from support.cases import case
from support.conflict import Table
from support.game import Game

from strike_cli.kernel.procedure import argument_as_json
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import CampaignProblem
from strike_cli.systems.conflict.conflict_odds import odds_by_policies_from_round_start
from strike_cli.systems.core.roll_circumstances import favor_dependency_key, task_attempt_key

ROLLED = {"weigh": {"default": "advance", "picks": []}, "dis": {}, "stock": {}, "recover": ""}
SECOND = {
    "who": "vex",
    "skill": "Riding",
    "using": "",
    "to": "advance",
    "adv": ["rope"],
    "dis": [],
    "mods": [[1, "x"]],
}


def test_what_was_recorded_is_read() -> None:
    """As journals of 0.1, and of before, have it. What means nothing is not written again, but for empty
    lists."""
    for move, recorded, means in (
        ("act", {"who": "vex", "skill": "", "using": "", "action": "block", "recover": "", "next": ""},
         {"who": "vex", "action": "block"}),
        ("act", {"who": "vex", "skill": "", "action": "block", "secondary": "", "recover": ""},
         {"who": "vex", "action": "block"}),
        ("oppose", {"action": "recover", "recover": "strike", "next": "", "instead": True},
         {"action": "recover", "recover": "strike"}),
        ("scout", {"which": "defense"}, {"which": "defense"}),
        ("roll", ROLLED, {}),
        ("roll", {**ROLLED, "weigh": {"default": "none", "picks": [["vex", "defense"]]}},
         {"weigh": {"default": "none", "picks": [["vex", "defense"]]}}),
        ("hit", {"side": "ours", "what": "strike"}, {"side": "ours", "what": "strike"}),
        ("concede", {"complications": [["vex", "Owes the ferryman"]]},
         {"complications": [["vex", "Owes the ferryman"]]}),
        ("round", {"who": "", "ours": [6, 3], "theirs": [2, 6]}, {"ours": [6, 3], "theirs": [2, 6]}),
        ("secondary", SECOND, {"who": "vex", "skill": "Riding", "to": "advance", "adv": ["rope"],
                               "mods": [[1, "x"]]}),
    ):  # fmt: skip
        with case(move, recorded, means):
            args = find_move(f"conflict {move}").read_args(recorded)
            assert {
                key: value
                for key, value in argument_as_json(args).items()
                if value not in ([], {}, {"picks": []})
            } == means


def test_what_nobody_knows_is_not_played() -> None:
    with pytest.raises(CampaignProblem):
        find_move("conflict act").read_args({"who": "vex", "action": "block", "loudly": True})


def test_whom_a_secondary_goal_is_about(game: Game) -> None:
    """STR-CORE-11, 15, 20: who rolls and who helps, what is owed to whom they ask, what was tried."""
    table = Table(game, team=["vex", "brann"])
    args = {"who": "vex", "to": "advance", "skill": "Climbing", "asking": "Eel smokers", "intent": "a way up"}
    helped = {**args, "helpers": [{"name": "odo", "skilled": True}]}
    reads = find_move("conflict secondary").state_parts_read(helped, table.game.world)
    assert reads == {
        "conflict", "roll vex", "roll odo", favor_dependency_key("Eel smokers"),
        task_attempt_key("Climbing", "a way up"),
    }  # fmt: skip
    assert "roll brann" in find_move("conflict concede").state_parts_read({}, table.game.world)


@pytest.mark.slow
def test_a_bonus_of_choice_is_its_side_s_whatever_it_is_called(game: Game) -> None:
    """STR-TC-16: two sides of one name play by their own policies."""
    table = Table(game, our_traits=["Versatility"], team=["vex"], advance=1, defense=1)
    before = odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive")
    table.set("theirs", name=table.of("ours", "name"))
    assert odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive") == before
