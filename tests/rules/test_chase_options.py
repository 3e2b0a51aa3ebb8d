"""What may be done in a chase, as it is listed; what moves make of words that mean nothing; arguments as
journals have them."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.game import Game

from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import Args, World
from strike_cli.play.forecast import outcomes_of_move
from strike_cli.play.legal_options import legal_options_listed_by_bot
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Usage
from strike_cli.systems.chase import chase_solver, options_and_position_value
from strike_cli.systems.chase.rule_tables import actions, is_action_possible, ranges
from strike_cli.systems.chase.system import CHASE

TEAMS = {"runners": ["vex", "odo"], "chasers": ["goblin"]}
START: dict[str, Any] = {"id": "", "name": "Roofs", "range": "close", "danger": 0, **TEAMS}
ROUND: dict[str, Any] = {"action": "flee", "prediction": "flee", "range": "far"}


def listed(game: Game) -> list[str]:
    return [str(option) for option in legal_options_listed_by_bot(CHASE, game.world)]


def test_options_of_a_round(game: Game) -> None:
    """STR-CH-02, 03, 06, 07: each as one would type it, and only what its move accepts."""
    assert listed(game) == []
    game.drive("chase start", START)
    shots = [
        "shoot goblin --at runners --driving", "shoot vex --at chasers", "shoot vex --at chasers --driving",
        "shoot odo --at chasers", "shoot odo --at chasers --driving",
    ]  # fmt: skip
    before = listed(game)
    assert before[:4] == ["run flee", "run double-back", "run set-up", "run risk"]
    assert before[4:9] == [f"predict {action} --secret" for action in actions()]
    assert before[9:] == [*shots, "end"]
    game.play("chase run", action="flee")
    assert listed(game) == [*(f"predict {action}" for action in actions()), *shots, "end"]
    game.play("chase predict", action="risk")
    assert listed(game) == ["roll", *shots, "end"]
    game.play("chase shoot", who="odo", at="chasers")
    assert "shoot vex --at chasers" not in listed(game), "somebody has to drive"
    game.play("chase roll", dice=[6, 2, 2])
    assert listed(game)[:2] == ["danger up", "danger keep"]


def test_of_a_chase_that_is_over_only_its_end(game: Game) -> None:
    """And nothing while a decision waits: nothing else may be played then."""
    game.drive("chase start", START)
    game.play("chase run", action="risk")
    game.play("chase predict", action="flee")
    game.play("chase roll", dice=[1])
    assert listed(game) == ["end"]
    game.set("pending.chase", {"command": "chase roll"})
    assert listed(game) == []


def test_words_that_mean_nothing(book: Book) -> None:
    """STR-CH-01 to 07: refused by the move itself, whoever plays it, and nothing has changed."""
    for move, args, what in (
        ("chase start", START | {"runners": []}, "Who are the Runners"),
        ("chase start", START | {"chasers": ["goblin", "odo"]}, "odo is named twice"),
        ("chase start", START | {"range": "caught"}, "no range 'caught'"),
        ("chase start", START | {"danger": 3}, "no Danger Level 3"),
        ("chase run", {"action": "dance"}, "no action 'dance'"),
        ("chase predict", {"action": "dance"}, "no action 'dance'"),
        ("chase shoot", {"who": "vex", "at": "goblin"}, "no side 'goblin'"),
        ("chase round", ROUND | {"prediction": ""}, "no action ''"),
        ("chase round", ROUND | {"range": "escaped"}, "no range 'escaped'"),
        ("chase round", ROUND | {"danger": -1}, "no Danger Level -1"),
        ("chase round", ROUND | {"unskilled": "both"}, "no side 'both'"),
    ):
        game = Game(book)
        if move != "chase start":
            game.drive("chase start", START)
        before = game.state
        with case(move, args):
            with pytest.raises(Usage, match=what):
                game.drive(move, args)
            assert game.state == before


def test_nobody_helps_twice(game: Game) -> None:
    """STR-CORE-20: by the move itself."""
    game.drive("chase start", START)
    game.play("chase run", action="risk")
    game.play("chase predict", action="flee")
    game.set("chase.range", "far")
    game.set("chase.runners_action", "hide")
    before = game.world.state
    helper = {"name": "brann", "skilled": True}
    with pytest.raises(Usage, match="brann is named twice"):
        game.drive("chase roll", {"runners": {"helpers": [helper, helper]}})
    assert game.world.state == before


PLAYED: dict[str, dict[str, Any]] = {
    "chase start": START,
    "chase run": {"action": "flee"},
    "chase predict": {"action": "flee", "secret": False},
    "chase shoot": {"who": "odo", "at": "chasers", "driving": False},
    "chase roll": {
        "runners": {"who": "vex", "adv": [], "dis": ["rain"], "mods": [[1, "modifier"]]},
        "chasers": {
            "who": "", "adv": [], "dis": [], "mods": [], "skill": "Watching", "skilled": False,
            "helpers": [{"name": "brann", "skilled": True}],
        },
    },
    "chase danger": {"by": -1},
    "chase end": {},
    "chase round": ROUND | {"danger": 0, "advantage": False, "unskilled": "runners"},
}  # fmt: skip


def test_arguments_of_journals_of_before() -> None:
    """As strike 0.1 recorded them, every key of them; what is written now comes back the same."""
    for name in CHASE.moves:
        with case(name):
            args = find_move(name).read_args(PLAYED[name])
            assert isinstance(args, Args)
            assert find_move(name).read_args(args.as_json()) == args
            people = {
                "chase start": {"vex", "odo", "goblin"}, "chase shoot": {"odo"},
                "chase roll": {"vex", "brann"},
            }  # fmt: skip
            assert {who for who in args.people() if who} == people.get(name, set())


def without_crash(ended: str | None) -> str | None:
    """How a chase ended; that of the whole game says who crashed, too."""
    how, _, more = (ended or "").partition("-")
    return ended if more == "close" else how or None


@pytest.mark.slow
def test_what_a_standing_is_worth(game: Game) -> None:
    """STR-CH-06: to who has won the round the best of the Danger Levels that they may make of it; an end what
    it is, and without a chase nothing."""
    assert [options_and_position_value.chance_to_reach_goal(game.world, side) for side in TEAMS] == [0, 0]
    game.drive("chase start", {**START, "range": "medium"})
    worth = {}
    for level in range(3):
        game.set("chase.danger", level)
        worth[level] = options_and_position_value.chance_to_reach_goal(game.world, "runners")
        assert options_and_position_value.chance_to_reach_goal(game.world, "chasers") == pytest.approx(
            1 - worth[level]
        )
    game.set("chase.danger", 1)
    assert worth[0] > worth[1] > worth[2]
    for winner, best in (("runners", 0), ("chasers", 2)):
        game.set("chase.winner", winner)
        assert options_and_position_value.chance_to_reach_goal(game.world, "runners") == worth[best]
        assert options_and_position_value.best_danger_change(game.world) == best - 1
    for gone, left in ((["vex"], worth[2]), (["vex", "odo"], 0), (["goblin"], 1)):
        game.set("chase.out", gone)
        assert options_and_position_value.chance_to_reach_goal(game.world, "runners") == left
    for ended, won in (("escaped", 1), ("hidden", 1), ("pinned", 0.5), ("caught", 0), ("crash", 0)):
        game.set("chase.ended", ended)
        assert [options_and_position_value.chance_to_reach_goal(game.world, side) for side in TEAMS] == [
            won,
            1 - won,
        ]


@pytest.mark.slow
def test_how_long_a_risk_is_followed(game: Game) -> None:
    """STR-CH-05: at a high Danger Level a low roll of the Runners' alone, at a low one any or none."""
    for danger, prediction, follows in ((2, "risk", [True, False, False]), (0, "risk", [True, True, True]),
                                        (0, "flee", [False, False, False])):  # fmt: skip
        for die, follow in zip((4, 5, 6), follows, strict=True):
            with case(danger, prediction, die):
                game.state = {}
                game.drive("chase start", {**START, "danger": danger})
                game.play("chase run", action="risk")
                game.play("chase predict", action=prediction)
                question = game.drive("chase roll", {}, [die], []).pending
                assert options_and_position_value.best_answer_to_risk(game.world, question) == (
                    "follow" if follow else "give-up"
                )


@pytest.mark.slow
@pytest.mark.parametrize("range_", ranges())
def test_perfect_sides_play_the_very_rounds(range_: str) -> None:
    """STR-CH-02 to 06: the chances that the whole game is solved with are those of the move."""
    for advantage, danger in product((False, True), range(3)):
        ways = chase_solver.chances_after_round((range_, advantage, danger), chase_solver.Sides())
        assert list(ways) == [action for action in actions() if is_action_possible(action, range_)]
        for action, (number, prediction) in product(ways, enumerate(actions())):
            found: dict[Any, float] = defaultdict(float)
            for (ended, after, _, winner, _), chance in ways[action][number][-1].items():
                found[winner, after, without_crash(ended)] += chance
            args = {"action": action, "prediction": prediction, "range": range_, "danger": danger}
            rows = outcomes_of_move(World(None), "chase round", {**args, "advantage": advantage})
            assert found == pytest.approx({tuple(key.values()): float(chance) for key, chance in rows})
