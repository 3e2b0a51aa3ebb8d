"""Chases: actions, predictions, rounds, danger, shooting, ends (STR-CH-01 to 07); their exact odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.game import Game
from support.thorough import few_of, some_of

from strike_cli.campaign.state_checks import state_faults
from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import EnteredDice, play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import Choose, Roll, World
from strike_cli.play.forecast import outcomes_of_move
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.refusals import SceneStillUnderWay
from strike_cli.systems.chase.bots_and_simulation import SIMULATED
from strike_cli.systems.chase.moves_without_dice import next_step_sentence
from strike_cli.systems.chase.rule_tables import is_action_possible

ACTIONS = ("flee", "hide", "double-back", "set-up", "risk")
RANGES = ("close", "medium", "far")
LEGAL = [
    (action, range_)
    for action, range_ in product(ACTIONS, RANGES)
    if (action, range_) not in (("hide", "close"), ("double-back", "far"))
]
ADV, DIS = "advantage", "disadvantage"
MATRIX = {
    "flee": (ADV, DIS, DIS, None, None),
    "hide": (DIS, ADV, None, None, None),
    "double-back": (DIS, None, ADV, None, None),
    "set-up": (None, None, None, ADV, DIS),
    "risk": (None, None, None, DIS, ADV),
}
"""What the Chasers have, by what the Runners did, for each prediction in the order of ACTIONS."""
PLAIN = {"flee": "risk", "hide": "risk", "double-back": "risk", "set-up": "flee", "risk": "flee"}
"""For each action a prediction that gives the Chasers neither."""
DRIVERS: dict[str, Any] = {
    side: {"who": "", "adv": [], "dis": [], "mods": []} for side in ("runners", "chasers")
}


def test_one_chase_at_a_time(game: Game) -> None:
    """STR-CH-01: until it is over."""
    begin(game)
    with pytest.raises(SceneStillUnderWay):
        begin(game)
    game.set("chase.ended", "escaped")
    assert begin(game, "close").get("chase.range") == "close"


def test_a_round_has_its_number(game: Game) -> None:
    """STR-CH-02: what is picked, predicted and told is for the round that comes; a prediction is open unless
    it is said to be secret."""
    begin(game)
    for number in (1, 2, 3):
        assert game.play("chase run", action="flee")["round"] == number
        assert game.texts() == [f"The Runners pick an action for round {number}."]
        assert game.play("chase predict", action="risk")["round"] == number
        assert game.texts() == [f"The Chasers predict Risk for round {number}."]
        assert game.get("chase.prediction_secret") is None
        if number == 2:
            game.play("chase predict", action="risk", secret=True)
            assert game.get("chase.prediction_secret") is True
        assert roll(game, 3, 3)["round"] == number
        assert "prediction_secret" not in game.get("chase")


def test_what_a_round_waits_for() -> None:
    """STR-CH-02: the Runners pick, the Chasers predict, then dice; the Chasers may predict first."""
    for chosen, command in (
        ({}, "run"),
        ({"prediction": "flee"}, "run"),
        ({"runners_action": "flee"}, "predict"),
        ({"runners_action": "flee", "prediction": "flee"}, "roll"),
    ):
        assert next_step_sentence(chosen).startswith(f"`strike chase {command}")


def rolled(
    game: Game, action: str, range_: str, *dice: int, choose: Any = (), predict: str = "", **more: Any
) -> dict[str, Any]:
    """A bare round."""
    args = {"danger": 0, "advantage": False, "range": range_, "prediction": predict or PLAIN[action], **more}
    return game.play("chase round", dice=dice, choose=choose, action=action, **args)


def came_to(data: dict[str, Any]) -> tuple[Any, ...]:
    return data["winner"], data["range_after"], data["ended"], data["runners_advantage_next"]


def begin(
    game: Game, range_: str = "medium", danger: int = 0, runners: Any = ("vex", "odo"), chasers: Any = None
) -> Game:
    args = {"id": "", "name": "The roofs", "runners": list(runners), "range": range_, "danger": danger}
    game.drive("chase start", {**args, "chasers": list(chasers or ("goblin", "the watch"))})
    return game


def pick(game: Game, action: str, prediction: str = "") -> Game:
    game.play("chase run", action=action)
    game.play("chase predict", action=prediction or PLAIN[action], secret=False)
    return game


def roll(game: Game, *dice: int, choose: Any = (), **more: Any) -> dict[str, Any]:
    return game.play("chase roll", dice=dice, choose=choose, **{**DRIVERS, **more})


def shoot(game: Game, who: str, at: str, driving: bool = False) -> None:
    game.play("chase shoot", who=who, at=at, driving=driving)


# --- STR-CH-01 to 03


def test_where_actions_are_possible(book: Book) -> None:
    """STR-CH-02: no Hide at Close, no Double Back at Far; the impossible may be predicted."""
    for action, range_ in product(ACTIONS, RANGES):
        with case(action, range_):
            assert is_action_possible(action, range_) == ((action, range_) in LEGAL)
            if (action, range_) not in LEGAL:
                game = Game(book)
                with pytest.raises(Refused, match=range_.capitalize()):
                    rolled(game, action, range_, 4, 4)
                with pytest.raises(Refused):
                    begin(game, range_).play("chase run", action=action)
                assert rolled(game, "set-up", range_, 6, 1, predict=action)["prediction"] == action


def test_the_prediction_matrix(game: Game) -> None:
    """STR-CH-03."""
    for action, (number, prediction) in product(ACTIONS, enumerate(ACTIONS)):
        with case(action, prediction):
            gives = MATRIX[action][number]
            dice = (5, 4, 6) if gives else (5, 4)
            choose = ("follow",) if action == "risk" else ()
            data = rolled(game, action, "medium", *dice, predict=prediction, choose=choose)
            assert (data["runners"]["mode"], data["chasers"]["mode"]) == ("plain", gives or "plain")
            assert data["chasers"]["kept"] == {ADV: 6, DIS: 4, None: 4}[gives]


# --- STR-CH-05

STEP = {"close": ("caught", "medium"), "medium": ("close", "far"), "far": ("medium", "escaped")}
"""One step nearer and one farther."""


def at(range_: str, winner: str | None, advantage: bool = False) -> tuple[Any, ...]:
    ended = range_ if range_ in ("caught", "escaped") else None
    return winner, range_, ended, advantage and ended is None


def test_every_action_result_and_range(game: Game) -> None:
    """STR-CH-04, 05, STR-CH-01: each cell, written out once more. The Range Modifier is the Chasers'; in Hide
    the Runners have the +1 at Far instead."""
    for action, range_ in LEGAL:
        nearer, farther = STEP[range_]
        flee = {"runners": at(farther, "runners"), "chasers": at(nearer, "chasers"), "tie": at(range_, None)}
        expected = {
            "flee": flee,
            "risk": flee,
            "hide": {
                "runners": ("runners", range_, "hidden", False), "chasers": at("caught", "chasers"),
                "tie": (None, range_, "pinned", False),
            },
            "double-back": {
                "runners": at("far", "runners"), "chasers": at(nearer, "chasers"),
                "tie": at("caught", "chasers") if range_ == "close" else at(range_, None),
            },
            "set-up": {
                "runners": at(range_, "runners", True), "chasers": at(nearer, "chasers", True),
                "tie": at(range_, None),
            },
        }[action]  # fmt: skip
        seen = set()
        for ours, theirs in product(range(4 if action == "risk" else 1, 7), repeat=2):
            difference = ours - theirs - {"close": -1, "medium": 0, "far": 1}[range_]
            if action == "hide":
                difference = ours + (range_ == "far") - theirs
            result = "runners" if difference > 0 else "chasers" if difference < 0 else "tie"
            with case(action, range_, ours, theirs):
                data = rolled(game, action, range_, ours, theirs, choose=("follow",) * (action == "risk"))
                assert came_to(data) == expected[result]
                assert data["tie"] == (result == "tie")
            seen.add(result)
        assert len(seen) == 3


def test_risk_crashes_at_three(game: Game) -> None:
    """STR-CH-05: the Runners roll first, and the Chasers need not roll. Who follows with 3 or less before the
    Range Modifier loses the chase."""
    for range_, die in product(RANGES, (1, 2, 3)):
        with case(range_, die):
            data = rolled(game, "risk", range_, die)
            assert came_to(data) == ("chasers", range_, "crash", False)
            assert (data["crashed"], data["chasers"]) == (["runners"], None)
            data = rolled(game, "risk", range_, 4, die, choose=("follow",))
            assert came_to(data) == ("runners", "escaped", "escaped", False)
            assert data["chasers_chose"] == "follow"


def test_risk_given_up(game: Game) -> None:
    """STR-CH-05: the range grows twice."""
    for range_, after in (("close", "far"), ("medium", "escaped"), ("far", "escaped")):
        assert came_to(rolled(game, "risk", range_, 4, choose=("give-up",))) == at(after, "runners")


def test_whether_to_follow_is_asked_with_the_roll_known(game: Game) -> None:
    """STR-CH-05."""
    args = {"range": "medium", "prediction": "flee", "danger": 0, "advantage": False}
    asked = game.asked("chase round", dice=(5,), action="risk", **args)
    assert asked.options == ("follow", "give-up")
    assert asked.data is not None
    assert asked.data["runners"]["total"] == 5


def test_the_advantage_of_a_set_up(game: Game) -> None:
    """STR-CH-05: on the Runners' next move, and that only."""
    pick(begin(game, "far"), "set-up")
    assert roll(game, 5, 1)["runners_advantage_next"]
    pick(game, "flee")
    data = roll(game, 2, 5, 4)
    assert (data["runners"]["mode"], data["runners"]["kept"]) == (ADV, 5)
    pick(game, "flee")
    assert roll(game, 2, 2)["runners"]["mode"] == "plain"


# --- STR-CH-06


def test_the_danger_level(game: Game) -> None:
    """STR-CH-06: a roll at or below it crashes, whatever the range; both may."""
    for danger, range_, ours, theirs in product(range(3), RANGES, range(1, 7), range(1, 7)):
        with case(danger, range_, ours, theirs):
            data = rolled(game, "flee", range_, ours, theirs, danger=danger)
            crashed = [side for side, die in (("runners", ours), ("chasers", theirs)) if die <= danger]
            assert data["crashed"] == crashed
            if crashed:
                assert came_to(data)[:3] == {
                    "runners": ("chasers", range_, "crash"),
                    "chasers": ("runners", "escaped", "escaped"),
                    "both": (None, range_, "crash"),
                }[crashed[0] if len(crashed) == 1 else "both"]  # fmt: skip


def test_modifiers_but_the_ranges_count_for_a_crash(game: Game) -> None:
    """STR-CH-06: the kept die plus modifiers other than the range's."""
    pick(begin(game, "far", 2), "flee")
    chasers = {**DRIVERS["chasers"], "mods": [[-1, "mud"]]}
    assert roll(game, 5, 3, chasers=chasers)["crashed"] == ["chasers"]


def test_the_winner_may_change_the_danger_level(game: Game) -> None:
    """STR-CH-06: by one, between 0 and 2, once, before the next round."""
    begin(game)
    with pytest.raises(Refused, match="No round"):
        game.play("chase danger", by=1)
    pick(game, "flee")
    assert roll(game, 5, 4)["may_change_danger"] == "runners"
    with pytest.raises(Refused, match="from 0 to 2"):
        game.play("chase danger", by=-1)
    assert game.play("chase danger", by=1) == {"by": "runners", "before": 0, "danger": 1}
    with pytest.raises(Refused, match="decided"):
        game.play("chase danger", by=1)
    pick(game, "flee")
    assert roll(game, 4, 3)["danger"] == 1
    pick(game, "flee")
    assert roll(game, 3, 3)["may_change_danger"] == "chasers"
    won = game.state
    for choice, args in (("run", {"action": "flee"}), ("predict", {"action": "flee", "secret": True})):
        game.state = won
        game.play(f"chase {choice}", **args)
        with case(choice), pytest.raises(Refused, match="too late"):
            game.play("chase danger", by=1)


# --- STR-CH-07


def test_a_shooter_lessens_the_opponents_roll_once(book: Book) -> None:
    """STR-CH-07: after the drivers, against the opposing driver's total as it was made, which a shot must
    beat; both sides may."""
    for shooters, dice, totals, beats in (
        (("odo", "brann"), (4, 4, 5, 5), (4, 3), [True, True]),
        (("odo",), (4, 4, 4), (4, 4), [False]),
        (("odo", "the watch"), (3, 4, 5, 5), (2, 3), [True, True]),
    ):
        with case(shooters):
            game = pick(begin(Game(book), runners=("vex", "odo", "brann")), "flee")
            for who in shooters:
                shoot(game, who, "runners" if who == "the watch" else "chasers")
            data = roll(game, *dice)
            assert (data["runners"]["total"], data["chasers"]["total"]) == totals
            assert data["tie"] is (totals[0] == totals[1])
            assert [shot["beats"] for shot in data["shots"]] == beats
            assert game.get("chase.shooters") is None


def test_a_six_takes_somebody_out(game: Game) -> None:
    """STR-CH-07: one opponent, Injured where it is a character."""
    pick(begin(game, chasers=("goblin", "brann")), "flee")
    shoot(game, "odo", "chasers")
    data = roll(game, 5, 5, 6, choose=("brann",))
    assert data["shots"][0]["taken_out"] == "brann"
    assert game.get("chase.out") == ["brann"]
    assert game.get("characters.brann.conditions") == ["core:injured"]
    pick(game, "flee")
    with pytest.raises(Refused, match="taken out"):
        shoot(game, "brann", "runners")


def test_nobody_left_ends_it(game: Game) -> None:
    """STR-CH-07: a side of which all are out has lost."""
    pick(begin(game, chasers=("goblin",)), "flee")
    shoot(game, "odo", "chasers")
    assert came_to(roll(game, 4, 6, 6))[:3] == ("runners", "escaped", "escaped")
    assert not state_faults(game.state, game.book)


def test_whose_die_each_is_and_what_for(book: Book) -> None:
    """STR-CH-07: whoever has dice on the table is told, plain ones or two with Disadvantage."""
    for driving in (False, True):
        game = pick(begin(Game(book)), "flee")
        shoot(game, "goblin", "runners", driving=driving)
        asked: list[Roll] = []

        def dice(roll: Roll, asked: list[Roll] = asked) -> list[int]:
            asked.append(roll)
            return [3] * roll.n

        rolling = find_move("chase roll").start(game.world, DRIVERS)
        play_until_open_decision(rolling, game.world, dice, first_option)
        driver = "goblin" if driving else "the watch"
        assert [(each.who, each.purpose, each.n) for each in asked] == [
            ("vex", "runners", 1), (driver, "chasers", 1 + driving), ("goblin", "shooting", 1 + driving),
        ]  # fmt: skip


def test_odds_of_a_round_with_a_shot(book: Book) -> None:
    """STR-CH-07: as many falls of three dice as are played, whatever bears on the shot."""
    for conditions in ([], ["core:injured"]):
        game = pick(begin(Game(book), danger=1), "flee")
        game.set("characters.odo.conditions", conditions)
        shoot(game, "odo", "chasers")
        played = Counter[Any]()
        for faces in product(range(1, 7), repeat=3):
            world = game.world
            rolling = find_move("chase roll").start(world, DRIVERS)
            data = play_until_open_decision(rolling, world, EnteredDice(faces), first_option).data
            played[data["winner"], data["range_after"], data["ended"]] += 1
        expected = {key: Fraction(ways, 216) for key, ways in played.items()}
        assert odds_of(game.world, "chase roll", {}) == expected


def test_shooting_while_driving(game: Game) -> None:
    """STR-CH-07: both rolls have Disadvantage; somebody must drive."""
    pick(begin(game, runners=("vex",)), "flee")
    with pytest.raises(Refused, match="Nobody is left to drive"):
        shoot(game, "vex", "chasers")
    shoot(game, "vex", "chasers", driving=True)
    data = roll(game, 6, 2, 1, 5, 3)
    assert (data["runners"]["kept"], data["shots"][0]["roll"]["kept"]) == (2, 3)
    assert data["chasers"]["total"] == 0


def test_who_may_shoot_whom(game: Game) -> None:
    """STR-CH-07."""
    begin(game)
    for who, side in (("vex", "runners"), ("brann", "chasers")):
        with pytest.raises(Refused):
            shoot(game, who, side)
    shoot(game, "vex", "chasers")
    with pytest.raises(Refused, match="already"):
        shoot(game, "vex", "chasers")
    pick(game, "flee")
    with pytest.raises(Refused, match="shoots in this round"):
        roll(game, 4, 4, 4, runners={**DRIVERS["runners"], "who": "vex"})
    assert roll(game, 4, 4, 4)["runners"]["who"] == "odo"


def test_conditions_of_who_drives(game: Game) -> None:
    """STR-CH-04: as for a physical task."""
    game.set("characters.vex.conditions", ["core:winded", "core:injured"])
    pick(begin(game), "flee")
    data = roll(game, 6, 4, 3)
    assert (data["runners"]["mode"], data["runners"]["total"]) == (DIS, 3)
    pick(game, "flee")
    assert roll(game, 6, 3, runners={**DRIVERS["runners"], "who": "odo"})["runners"]["total"] == 6


def test_two_sixes_take_out_two(game: Game) -> None:
    """STR-CH-07: each shooter's 6 one opponent; whoever is left drives on."""
    pick(begin(game, runners=("vex", "odo", "vesna"), chasers=("goblin", "brann", "the watch")), "flee")
    shoot(game, "odo", "chasers")
    shoot(game, "vesna", "chasers")
    shoot(game, "brann", "runners", driving=True)
    data = roll(game, 4, 5, 5, 6, 6, 6, 6, choose=("brann", "goblin", "vex"))
    assert [shot["taken_out"] for shot in data["shots"]] == ["brann", "goblin", "vex"]
    assert (data["runners"]["total"], data["chasers"]["total"], data["winner"]) == (3, 4, "chasers")
    assert [game.get(f"characters.{who}.conditions") for who in ("brann", "vex")] == [["core:injured"]] * 2
    pick(game, "flee")
    data = roll(game, 6, 1)
    assert (data["runners"]["who"], data["chasers"]["who"]) == ("odo", "the watch")


def test_a_shot_and_a_crash_of_both(game: Game) -> None:
    """STR-CH-06, STR-CH-07: both crash by what a shot takes, and who was shot is out and Injured besides."""
    pick(begin(game, danger=2, chasers=("brann", "goblin")), "flee")
    shoot(game, "odo", "chasers")
    shoot(game, "goblin", "runners")
    data = roll(game, 2, 3, 6, 1, choose=("brann",))
    assert (data["crashed"], data["ended"], data["winner"]) == (["runners", "chasers"], "crash", None)
    assert game.get("characters.brann.conditions") == ["core:injured"]
    assert (game.get("chase.ended"), game.get("chase.out")) == ("crash", ["brann"])
    assert SIMULATED.result(game.world) == "drawn"
    over = Game(game.book)
    over.state = game.state
    assert SIMULATED.came_of_it(over.play("chase end")) == {"ended": "both crashed"}
    assert "says what remains" in game.texts()[-1]


def test_nobody_left_on_either_side(game: Game) -> None:
    """STR-CH-07: the last of both are taken out at once: nobody has won."""
    pick(begin(game, runners=("vex",), chasers=("goblin",)), "flee")
    shoot(game, "vex", "chasers", driving=True)
    shoot(game, "goblin", "runners", driving=True)
    data = roll(game, 4, 4, 4, 4, 6, 6, 6, 6)
    assert (data["winner"], data["ended"]) == (None, "stopped")
    assert game.get("characters.vex.conditions") == ["core:injured"]


# --- order


def test_wrong_order_is_refused(game: Game) -> None:
    """STR-CH-02: with what is missing."""
    for name, args in (("run", {"action": "flee"}), ("roll", DRIVERS), ("end", {})):
        with pytest.raises(Refused, match="no chase"):
            game.play(f"chase {name}", **args)
    begin(game)
    with pytest.raises(Refused, match="have not picked"):
        game.play("chase predict", action="flee", secret=False)
    with pytest.raises(Refused, match="not picked an action and"):
        roll(game)
    game.play("chase run", action="risk")
    game.play("chase run", action="flee")  # on second thoughts
    with pytest.raises(Refused, match="not predicted"):
        roll(game)
    game.play("chase predict", action="flee", secret=False)
    game.play("chase predict", action="risk", secret=False)
    roll(game, 4, 3)
    with pytest.raises(Refused, match="have not picked"):
        game.play("chase predict", action="flee", secret=False)
    pick(game, "flee")
    assert roll(game, 6, 1)["ended"] == "escaped"
    for name, args in (("run", {"action": "flee"}), ("roll", DRIVERS), ("danger", {"by": 1})):
        with pytest.raises(Refused, match="is over: escaped"):
            game.play(f"chase {name}", **args)
    assert game.play("chase end") == {"name": "The roofs", "ended": "escaped", "rounds": 2}
    assert "chase" not in game.state
    begin(game)
    assert game.play("chase end")["ended"] == "stopped"


def test_a_secret_prediction_may_come_first(game: Game) -> None:
    """STR-CH-02: where the game master plays the Chasers."""
    begin(game).play("chase predict", action="hide", secret=True)
    assert "Hide" not in game.texts()[0]
    game.play("chase run", action="flee")
    assert "Flee" not in game.texts()[0]
    assert roll(game, 4, 5, 3)["prediction"] == "hide"


# --- odds, by plain enumeration


def die(mode: str | None) -> Counter[int]:
    if mode is None:
        return Counter(range(1, 7))
    return Counter((max if mode == ADV else min)(faces) for faces in product(range(1, 7), repeat=2))


def odds_of(world: World, move: str, args: dict[str, Any], give_up: bool = False) -> dict[Any, Fraction]:
    """The chance of each (winner, range after it, end), from the move itself."""

    def answer(question: Choose) -> str:
        return question.options[-1] if question.what == "follow" and give_up else question.options[0]

    return {tuple(key.values()): chance for key, chance in outcomes_of_move(world, move, args, answer)}


def enumerated(
    action: str, predict: str, range_: str, danger: int, advantage: bool, give_up: bool
) -> dict[Any, Fraction]:
    """The rules once more, in plain code."""
    found: Counter[Any] = Counter()
    theirs = die(MATRIX[action][ACTIONS.index(predict)])
    track = ["caught", *RANGES, "escaped"]
    here = track.index(range_)
    for (a, m), (b, n) in product(die(ADV if advantage else None).items(), theirs.items()):
        ours, chasers = a, b
        if action == "hide":
            ours += range_ == "far"
        else:
            chasers += here - 2
        key: tuple[Any, ...]
        to, winner = here, "runners" if ours > chasers else "chasers" if chasers > ours else None
        if action == "risk" and a <= 3:
            key = ("chasers", range_, "crash")
        elif action == "risk" and give_up:
            key = at(track[min(here + 2, 4)], "runners")[:3]
        elif a <= danger and b <= danger:
            key = (None, range_, "crash")
        elif a <= danger:
            key = ("chasers", range_, "crash")
        elif b <= danger or (action == "risk" and b <= 3):
            key = ("runners", "escaped", "escaped")
        elif action == "hide":
            close = "-close" if abs(ours - chasers) < 3 else ""
            if winner == "chasers":
                key = ("chasers", "caught", f"caught{close}")
            else:
                key = (winner, range_, f"hidden{close}" if winner else "pinned")
        else:
            if winner == "chasers":
                to -= 1
            elif winner == "runners":
                to = {"double-back": 3, "set-up": here}.get(action, here + 1)
            elif action == "double-back" and here == 1:
                winner, to = "chasers", 0
            key = at(track[to], winner)[:3]
        found[key] += m * n
    every = sum(found.values())
    return {key: Fraction(ways, every) for key, ways in found.items()}


@pytest.mark.parametrize(("action", "range_"), few_of(some_of(LEGAL, every=2)))
def test_exact_odds(action: str, range_: str) -> None:
    """STR-CH-03 to 06: every prediction, Danger Level and Advantage, followed or given up."""
    for predict, danger, advantage, give_up in product(ACTIONS, range(3), (False, True), (False, True)):
        args = {"action": action, "prediction": predict, "range": range_, "danger": danger}
        odds = odds_of(World(None), "chase round", {**args, "advantage": advantage}, give_up)
        assert odds == enumerated(action, predict, range_, danger, advantage, give_up)
        assert sum(odds.values()) == 1


def test_odds_with_modifiers(game: Game) -> None:
    """STR-CH-06: at Danger Level 1 somebody Injured crashes on a 2."""
    game.set("characters.vex.conditions", ["core:injured"])
    pick(begin(game, danger=1), "flee")
    odds = odds_of(game.world, "chase roll", {})
    assert sum(chance for key, chance in odds.items() if key[2] == "crash") == Fraction(1, 3)


# --- Hide is an Opposed Roll


def hiding(game: Game, runners: Any = ("odo",), chasers: Any = ("brann",), range_: str = "medium") -> Game:
    begin(game, range_, runners=runners, chasers=chasers)
    return pick(game, "hide")


def with_skills(ours: Any = None, theirs: Any = None) -> dict[str, Any]:
    """Drivers who name a Skill, as (skill, whether they are Skilled)."""
    named = {}
    for side, pair in (("runners", ours), ("chasers", theirs)):
        more = {"skill": pair[0], "skilled": pair[1]} if pair else {}
        named[side] = {**DRIVERS[side], **more}
    return named


def test_a_close_loser_of_a_hide_chooses(book: Book) -> None:
    """STR-CH-05, STR-CORE-16: found but, hidden but: by one or two the loser has an option; by three or more
    nobody has."""
    for dice, winner, ended, loser in (
        ((5, 4), "runners", "hidden", "brann"), ((5, 3), "runners", "hidden", "brann"),
        ((3, 4), "chasers", "caught", "odo"), ((1, 3), "chasers", "caught", "odo"),
    ):  # fmt: skip
        with case(dice):
            game = hiding(Game(book))
            asked = game.asked("chase roll", dice=dice, **DRIVERS)
            assert (asked.who, asked.what) == (loser, "loser's option")
            assert asked.options == ("insecure", "costly", "cheap", "extra")
            data = roll(game, *dice, choose=["cheap"])
            assert (data["winner"], data["ended"], data["complete"]) == (winner, ended, False)
            assert (data["loser_chose"], data["margin"]) == ("cheap", abs(dice[0] - dice[1]))
            assert game.get("chase.ended") == ended
    for dice in ((6, 3), (1, 4), (6, 1)):
        with case(dice):
            data = roll(hiding(Game(book)), *dice)
            assert (data["complete"], data["loser_options"]) == (True, [])


def test_the_range_makes_the_margin(game: Game) -> None:
    """STR-CH-05: at Far the Runners have 1 more, and the Chasers have not."""
    hiding(game, range_="far")
    assert roll(game, 5, 3)["complete"] is True


def test_a_tie_in_a_hide_may_be_broken(game: Game) -> None:
    """STR-CH-05, STR-CORE-17: by a Complication, before the Runners are pinned; ours first, then theirs."""
    hiding(game, runners=("vex",), chasers=("odo",))
    before = game.state
    data = roll(game, 4, 4, choose=["stand", "stand"])
    assert (data["winner"], data["ended"], data["tie"]) == (None, "pinned", True)
    game.state = before
    data = roll(game, 4, 4, choose=["complication-1", "extra"])
    assert (data["winner"], data["ended"], data["tie_broken_by"]) == ("chasers", "caught", "runners")
    assert (data["margin"], data["complete"]) == (0, False)
    assert (data["loser_chose"], game.get("characters.vex.ap")) == ("extra", 2)
    game.state = before
    data = roll(game, 4, 4, choose=["stand", "complication-1", "insecure"])
    assert (data["winner"], data["ended"]) == ("runners", "hidden")
    assert "The Runners are hidden, but" in game.texts()[-1]
    assert game.get("characters.odo.ap") == 3


def test_who_has_nothing_to_break_a_hide_with(game: Game) -> None:
    """STR-CORE-17: nobody is asked."""
    hiding(game, runners=("brann",), chasers=("goblin",))
    assert roll(game, 4, 4)["ended"] == "pinned"


def test_skills_of_a_hide(book: Book) -> None:
    """STR-CH-05, STR-CORE-16: where Skills are named, the one side that is Unskilled has Disadvantage."""
    for ours, theirs, modes in (
        (("Sneaking", True), ("Watching", False), ("plain", "disadvantage")),
        (("Sneaking", False), ("Watching", True), ("disadvantage", "plain")),
        (("Sneaking", False), ("Watching", False), ("plain", "plain")),
        (("Sneaking", False), None, ("disadvantage", "plain")),
        (None, None, ("plain", "plain")),
    ):
        with case(ours, theirs):
            game = hiding(Game(book), runners=("vex",), chasers=("goblin",))
            dice = [
                one
                for face, mode in zip((6, 1), modes, strict=True)
                for one in [face] * (1 + (mode != "plain"))
            ]
            data = roll(game, *dice, **with_skills(ours, theirs))
            assert (data["runners"]["mode"], data["chasers"]["mode"]) == modes


def test_what_bears_on_the_skill_of_a_hide(game: Game) -> None:
    """STR-CORE-07, 13, 32: as in any Opposed Roll: doubts and what ends them, bonuses, uses; no learning."""
    doubt = {"who": "vex", "condition": "core:lost-confidence", "why": "", "about": ["Sneaking"]}
    game.play("condition add", **doubt)
    game.play("bonus bank", who="vex", gives="advantage", why="", **{"for": "Sneaking"})
    hiding(game, runners=("vex",), chasers=("goblin",))
    data = roll(game, 6, 1, **with_skills(("Sneaking", True)))
    assert len(data["runners"]["sources"]) == 2
    assert game.get("characters.vex.banked") is None
    assert game.get("characters.vex.conditions") is None
    assert game.get("characters.vex.skill_uses") == {"sneaking": 1}


def test_skills_are_for_a_hide(game: Game) -> None:
    """STR-CH-05: no other action has any."""
    begin(game)
    pick(game, "flee")
    with pytest.raises(Refused, match="Skills are for a Hide"):
        roll(game, 4, 3, **with_skills(("Sneaking", True)))


def test_a_crash_is_no_opposed_roll(game: Game) -> None:
    """STR-CH-06: who crashes while hiding has nothing to choose."""
    begin(game, danger=2, runners=("vex",), chasers=("goblin",))
    pick(game, "hide")
    data = roll(game, 2, 4)
    assert (data["ended"], data["margin"], data["complete"]) == ("crash", None, None)


def test_odds_of_a_hide_with_skills() -> None:
    """STR-CH-05: Disadvantage for the one who is Unskilled, by plain enumeration."""
    for side in ("runners", "chasers"):
        args = {"action": "hide", "prediction": "risk", "range": "medium", "danger": 0, "advantage": False}
        found: Counter[Any] = Counter()
        dice = {one: die("disadvantage" if one == side else None) for one in ("runners", "chasers")}
        for (ours, m), (theirs, n) in product(dice["runners"].items(), dice["chasers"].items()):
            found["win" if ours > theirs else "lose" if theirs > ours else "tie"] += m * n
        odds = odds_of(World(None), "chase round", {**args, "unskilled": side})
        wins = sum(chance for key, chance in odds.items() if key[0] == "runners")
        assert wins == Fraction(found["win"], found.total())
        assert odds[None, "medium", "pinned"] == Fraction(found["tie"], found.total())


def test_a_hide_is_helped(game: Game) -> None:
    """STR-CORE-20, STR-CH-05: as any Opposed Roll is; what helpers have kept is spent."""
    begin(game, danger=1, runners=("vex", "odo"), chasers=("goblin", "brann"))
    pick(game, "hide")
    game.play("bonus bank", who="odo", gives="advantage", why="", **{"for": "Sneaking"})
    sides = with_skills(("Sneaking", True))
    sides["runners"]["helpers"] = [{"name": "odo", "skilled": True}, {"name": "Old Tom", "skilled": False}]
    sides["chasers"]["helpers"] = [{"name": "brann", "skilled": True}]
    data = roll(game, 2, 3, 1, 5, 6, 2, 6, choose=["cheap"], **sides)
    assert {one["name"]: one["added"] for one in data["helpers"]} == {"odo": 1, "Old Tom": 1, "brann": 1}
    assert (data["winner"], data["margin"]) == ("runners", 1)
    assert game.get("characters.odo.banked") is None


def test_who_drives_or_shoots_helps_nobody_hide(game: Game) -> None:
    """STR-CH-07, STR-CORE-20; and help is for a Hide."""
    begin(game, runners=("vex", "odo", "vesna"))
    shoot(game, "odo", "chasers")
    pick(game, "hide")
    for who in ("vex", "odo"):
        sides = with_skills()
        sides["runners"]["helpers"] = [{"name": who, "skilled": True}]
        with pytest.raises(Refused, match="drive or shoot"):
            roll(game, **sides)
    game.state = {}
    begin(game)
    pick(game, "flee")
    sides["runners"]["helpers"] = [{"name": "vesna", "skilled": True}]
    with pytest.raises(Refused, match="and so is help"):
        roll(game, **sides)


def test_one_of_a_side_drives_while_shooting(game: Game) -> None:
    """STR-CH-07: another may shoot, and not drive as well; each shoots once, at the other side."""
    begin(game, runners=("vex", "odo", "brann"))
    shoot(game, "vex", "chasers", driving=True)
    for who, at, driving, why in (
        ("odo", "chasers", True, "Vex drives the Runners already"),
        ("vex", "chasers", False, "already shoots"),
        ("odo", "runners", False, "is one of the Runners"),
        ("vesna", "runners", False, "is not in the chase"),
    ):
        with pytest.raises(Refused, match=why):
            shoot(game, who, at, driving)
    shoot(game, "odo", "chasers")
    shoot(game, "brann", "chasers")
    assert [item["driving"] for item in game.get("chase.shooters")] == [True, False, False]
