"""Team Conflict (STR-TC-01 to 16), in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.conflict import TEAM, WEIGH, Table, bonuses, odds
from support.game import Game

from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import World
from strike_cli.problems import Refused, Usage
from strike_cli.refusals import LacksSkill
from strike_cli.systems.conflict.conflict_odds import conflict_value_or_forecast_for_side
from strike_cli.systems.conflict.conflict_under_way import ACTIONS, find_key
from strike_cli.systems.conflict.endings import concessions_for_strikes, condition_severity_for_strikes
from strike_cli.systems.conflict.hits import HitWaits
from strike_cli.systems.conflict.roll_modifiers import (
    RollsOfConditionsAndFlaws,
    conditions_and_flaws_that_count,
    side_ready_to_roll,
)
from strike_cli.tabletop.characters_and_names import TooFewPoints


@pytest.fixture
def table(game: Game) -> Table:
    return Table(game)


def bare(game: Game, ours: list[int], theirs: list[int], *dice: int) -> Any:
    return game.play("conflict round", dice=dice, who="", ours=ours, theirs=theirs)


DEFENSE, NOWHERE = ({**WEIGH, "default": where} for where in ("defense", "none"))

# --- the outcome table

WIN, TIE, LOSE = 6, 3, 1  # an Advance that wins, ties, loses against a Defense of 3
CELLS = {
    ("win", "win"): ("push", ["ours", "theirs"]),
    ("win", "tie"): ("push", ["theirs"]),
    ("win", "lose"): ("win", []),
    ("tie", "win"): ("push", ["ours"]),
    ("tie", "tie"): ("double-tie", []),
    ("tie", "lose"): ("draw", []),
    ("lose", "win"): ("lose", []),
    ("lose", "tie"): ("draw", []),
    ("lose", "lose"): ("draw", []),
}
FACES = {"win": WIN, "tie": TIE, "lose": LOSE}


def test_each_cell(game: Game) -> None:
    """STR-TC-05: our comparison, then theirs."""
    for (ours, theirs), (outcome, hits) in CELLS.items():
        with case(ours, theirs):
            tied = [4] if ours == theirs == "tie" else []
            data = bare(game, [0, 0], [0, 0], FACES[ours], 3, FACES[theirs], 3, *tied)
            assert data["comparison"] == {"ours": ours, "theirs": theirs}
            assert (data["outcome"], data["hits"]) == (outcome, hits)
            assert data["ended"] == (outcome in ("win", "lose", "double-tie"))


def test_what_a_round_comes_to_is_told(game: Game) -> None:
    """STR-TC-05, STR-TC-08: who wins, who takes a Hit, or what the last die says."""
    for dice, told in (
        ((6, 3, 1, 3), "Our side wins."),
        ((1, 3, 6, 3), "Their side wins."),
        ((1, 3, 1, 3), "Draw: it goes on."),
        ((6, 3, 3, 3), "Push: Their side takes a Hit."),
        ((6, 3, 6, 3), "Push: Our side and Their side take a Hit."),
        ((3, 3, 3, 3, 6), "Double Tie: the conflict ends. Love."),
    ):
        with case(dice):
            bare(game, [0, 0], [0, 0], *dice)
            assert game.texts()[2:] == [told]


def test_the_house_may_say_what_single_ties_are(game_with: Callable[..., Game]) -> None:
    """STR-TC-05: a double tie stays one."""
    for rule, win_tie, tie_lose in (("tie-is-success", "push", "win"), ("tie-is-failure", "win", "draw")):
        with case(rule, win_tie, tie_lose):
            game = game_with(conflict_single_tie=rule)
            assert bare(game, [0, 0], [0, 0], 6, 3, 3, 3)["outcome"] == win_tie
            assert bare(game, [0, 0], [0, 0], 3, 3, 1, 3)["outcome"] == tie_lose
            assert bare(game, [0, 0], [0, 0], 3, 3, 3, 3, 6)["outcome"] == "double-tie"


def test_zero_or_less_loses(game: Game) -> None:
    """STR-TC-04: as if the enemy's Advance alone had succeeded; not where both are down."""
    for ours, theirs, outcome in (
        ([0, -1], [0, 0], "lose"), ([0, 0], [-1, 0], "win"), ([-1, 0], [-1, 0], "draw"),
        ([-1, 9], [0, 0], "lose"),
    ):  # fmt: skip
        with case(ours, theirs):
            assert bare(game, ours, theirs, 1, 1, 1, 1)["outcome"] == outcome


def test_double_tie(book: Book) -> None:
    """STR-TC-08: it ends the conflict; nobody dies unless the house lets them."""
    events = (
        "Foolish Mistake", "Horrifying Act of Evil", "Natural Disaster", "Third Power Enters/Is Born",
        "Astounding Discovery", "Love",
    )  # fmt: skip
    for die, event in enumerate(events, 1):
        with case(die):
            table = Table(Game(book))
            data = table.round({}, "obscure", 3, 4, 3, 2, die)
            assert (data["outcome"], data["ended"]) == ("double-tie", True)
            assert data["double_tie"]["event"] == event
            assert data["double_tie"]["swaps"], "what may come in the place of an event"
            table.do("end")
            assert table.game.get("conflict") is None


def test_death(game_with: Callable[..., Game]) -> None:
    """STR-TC-08: always possible, or only when announced, which nobody does in a bare round."""
    for rule, said, dies in (
        ("possible", False, True), ("announced", False, False), ("announced", True, True)
    ):  # fmt: skip
        with case(rule, said):
            table = Table(game_with(conflict_death=rule), death=said)
            event = table.round({}, "obscure", 3, 4, 3, 2, 1)["double_tie"]["event"]
            assert (event == "Death") is dies
    for rule, dies in (("possible", True), ("announced", False), ("never", False)):
        with case(rule):
            event = bare(game_with(conflict_death=rule), [0, 0], [0, 0], 3, 3, 3, 3, 1)["double_tie"]["event"]
            assert (event == "Death") is dies


@pytest.mark.slow
def test_odds_against_plain_enumeration() -> None:
    """STR-TC-04, STR-TC-05: the rules once more, in plain code."""
    for ours, theirs in [([6, 3], [2, 6]), ([0, 0], [0, 0]), ([-2, 3], [1, -1]), ([3, -3], [3, 3])]:
        found: Counter[Any] = Counter()
        for a, d, b, e in product(range(1, 7), repeat=4):
            us, them = (a + ours[0], d + ours[1]), (b + theirs[0], e + theirs[1])
            down = [min(us) <= 0, min(them) <= 0]
            if down[0] != down[1]:
                key = ("lose" if down[0] else "win", ())
            else:
                signs = [(x > y) - (x < y) for x, y in ((us[0], them[1]), (them[0], us[1]))]
                words = tuple({1: "win", 0: "tie", -1: "lose"}[sign] for sign in signs)
                outcome, hits = CELLS[words]  # type: ignore[index]
                key = (outcome, tuple(hits))
            found[key] += 1
        exact = {key: Fraction(ways, 6**4) for key, ways in found.items()}
        assert odds(World(None), "conflict round", ours=ours, theirs=theirs) == exact


# --- actions

SUMS = {
    "progress": (2, 0), "reckless-effort": (3, 0), "block": (0, 2), "take-one-for-the-team": (0, 3),
    "all-out-effort": (3, -1), "calculated-risk": (3, 0), "win-at-all-costs": (4, 0),
    "targeted-effort": (2, 0), "total-defense": (-1, 3), "prepare": (-1, 2), "observe": (1, 1),
    "obscure": (1, 1), "recover": (0, 1), "pass": (0, 0),
}  # fmt: skip


def test_what_an_action_adds(book: Book) -> None:
    """STR-TC-02, STR-TC-03: for the team, and for the opposition where it is theirs."""
    for action, adds in SUMS.items():
        with case(action):
            whose = ACTIONS[action].get("of")
            if whose != "opposition":
                table = Table(Game(book))
                assert bonuses(table.round({"vex": action}, "progress", 1, 6, 1, 6), "ours") == adds
            if whose != "players":
                table = Table(Game(book)).struck(1).set("theirs", traits=["Old money"])
                assert bonuses(table.round({}, action, 1, 6, 1, 6), "theirs") == adds


def test_start(game: Game) -> None:
    """STR-TC-01, STR-TC-03: intents and numbers; left out, one less than there are players."""
    table = Table(game, "Old money", advance=2, defense=5)
    assert (table.of("theirs", "advance"), table.of("theirs", "defense"), table.get("round")) == (2, 5, 1)
    with pytest.raises(Refused, match="not over"):
        Table(game)
    game.state = {}
    table.do("start", name="x", intent="a", against="b", their_intent="c", traits=[], team=TEAM)
    assert (table.of("theirs", "advance"), table.of("theirs", "defense")) == (3, 3)
    game.state = {}
    with pytest.raises(Refused, match="needs a team"):
        Table(game, team=[])
    with pytest.raises(Refused, match="no conflict"):
        table.act("vex", "progress")


def test_skills(table: Table) -> None:
    """STR-TC-02: without a relevant Skill basic actions only."""
    with pytest.raises(Refused, match="needs a relevant Skill"):
        table.act("vex", "observe", skill="")
    with pytest.raises(LacksSkill, match="Cooking"):
        table.act("vex", "observe", skill="Cooking")
    assert table.act("vex", "Observe", skill="climbing")["missing"] == ["brann", "odo", "vesna"]
    for wrong in ("obscure", "dance", ""):
        with pytest.raises(Usage):
            table.act("brann", wrong, skill="")
    with pytest.raises(Usage):
        table.oppose("observe")


def test_twice_a_round(table: Table) -> None:
    """STR-TC-02: two of a team at most, but for basic actions; whoever changes their mind may."""
    for who in ("vex", "brann", "vex"):
        table.act(who, "prepare")
    with pytest.raises(Refused, match="taken twice"):
        table.act("odo", "prepare")
    for who in TEAM:
        table.act(who, "progress")


def test_take_one_once(table: Table) -> None:
    """STR-TC-02: once a player and conflict, and a personal Concession."""
    table.round({"vex": "take-one-for-the-team"}, "progress", 1, 3, 1, 6)
    with pytest.raises(Refused, match="has used"):
        table.act("vex", "take-one-for-the-team")
    data = table.round({"brann": "take-one-for-the-team"}, "progress", 6, 3, 1, 1)
    assert data["aftermath"]["personal"] == ["vex", "brann"]


def test_nobody_is_forgotten(table: Table) -> None:
    """STR-TC-01: what is missing is named."""
    table.act("vex", "progress")
    with pytest.raises(Refused, match="Brann, Odo, Vesna"):
        table.roll()
    for who in TEAM[1:]:
        table.act(who, "pass")
    with pytest.raises(Refused, match="The Company has chosen no action"):
        table.roll()


RIDERS = {
    "reckless-effort": {"draw": (1, 0), "push": (2, 1), "win": (1, 0)},
    "calculated-risk": {"draw": (1, 0), "push": (1, 1), "win": (0, 0)},
    "targeted-effort": {"draw": (0, 1), "push": (1, 1), "win": (0, 0)},
    "win-at-all-costs": {"draw": (1, 0), "push": (2, 1), "win": (1, 0)},
    "progress": {"draw": (0, 0), "push": (1, 1), "win": (0, 0)},
}
"""Strikes of both sides after one such action of ours, by outcome. A Push here is both sides'."""
DICE = {"draw": (1, 6, 1, 6), "push": (6, 1, 6, 1), "win": (6, 6, 1, 1)}


def test_every_rider_on_every_outcome(book: Book) -> None:
    """STR-TC-02, 03, 05: on a Draw, on a Push, and when its side wins; of the opposition the same, but for
    Win At All Costs, which takes a Strike from the players."""
    for (action, riders), outcome, whose in product(RIDERS.items(), DICE, ("ours", "theirs")):
        with case(action, outcome, whose):
            own, other = riders[outcome]
            mirrored = whose == "theirs"
            removes = mirrored and action == "win-at-all-costs"
            table = Table(Game(book)).struck(1 if removes else 0)
            dice = DICE[outcome]
            dice = (*dice[2:], *dice[:2]) if mirrored else dice
            picks = {} if mirrored else {"vex": action}
            data = table.round(picks, action if mirrored else "obscure", *dice)
            assert data["outcome"] == ({"win": "lose"}.get(outcome, outcome) if mirrored else outcome)
            strikes = {"ours": other, "theirs": own} if mirrored else {"ours": own, "theirs": other}
            if removes:
                pushed = int(outcome == "push")
                strikes = {"ours": pushed, "theirs": pushed}
            assert data["strikes"] == strikes
            if action != "win-at-all-costs":
                assert {side: data["hits"].count(side) for side in strikes} == strikes


def test_two_risks_are_two_hits(table: Table) -> None:
    """STR-TC-02: each rider for itself."""
    data = table.round({"vex": "calculated-risk", "odo": "calculated-risk"}, "block", 1, 6, 1, 6)
    assert data["strikes"]["ours"] == 2


def test_win_at_all_costs(table: Table) -> None:
    """STR-TC-02, STR-TC-03: ours leaves a Strike for good; theirs takes one away, and needs one to take."""
    with pytest.raises(Refused, match="has none"):
        table.oppose("win-at-all-costs")
    data = table.round({"vex": "win-at-all-costs"}, "block", 1, 3, 1, 6)
    assert (data["strikes"]["ours"], table.of("ours", "irremovable")) == (1, 1)
    with pytest.raises(Refused, match="none that can be removed"):
        table.oppose("win-at-all-costs")
    assert table.round({"vex": "recover"}, "block", 1, 6, 1, 6)["strikes"]["ours"] == 1
    table.struck(3)
    assert table.round({}, "win-at-all-costs", 1, 6, 1, 6)["strikes"]["ours"] == 2


def test_prepare(table: Table) -> None:
    """STR-TC-02: +1 Advance in the next round only, for each."""
    table.round({"vex": "prepare", "odo": "prepare"}, "prepare", 3, 3, 3, 3)
    data = table.round({}, "block", 1, 6, 1, 6)
    assert (bonuses(data, "ours"), bonuses(data, "theirs")) == ((2, 0), (1, 2))
    assert bonuses(table.round({}, "block", 1, 6, 1, 6), "ours") == (0, 0)


def test_scouting(table: Table) -> None:
    """STR-TC-02, STR-TC-07: the die seen is the die that counts, before the actions and for one round."""
    with pytest.raises(Refused, match="may scout nothing"):
        table.scout("")
    assert table.round({"vex": "observe"}, "block", 1, 6, 1, 6)["scouts"]["ours"] == 1
    assert table.scout("defense", 5)["roll"]["kept"] == 5
    with pytest.raises(Refused, match="may scout nothing"):
        table.scout("")
    data = table.round({"vex": "observe", "odo": "observe"}, "block", 1, 6, 2)
    assert data["theirs"]["defense_roll"]["faces"] == [5]
    assert data["scouts"]["ours"] == 2
    table.scout("", 1)
    with pytest.raises(Refused, match="is scouted"):
        table.scout("advance")
    table.scout("", 6)
    table.round({"vex": "observe"}, "block", 1, 6)
    table.act("vex", "progress")
    with pytest.raises(Refused, match="before the actions"):
        table.scout("")


def test_obscure(book: Book) -> None:
    """STR-TC-03: against Observe it cancels the scouting and helps next round, both ways against two."""
    for observers, next_, theirs in (
        (1, "", (1, 2)), (1, "defense", (0, 3)), (2, "", (1, 3)), (0, "", (0, 2))
    ):  # fmt: skip
        with case(observers, next_):
            table = Table(Game(book))
            table.oppose("obscure", next=next_)
            data = table.round(dict.fromkeys(TEAM[:observers], "observe"), "", 1, 6, 1, 6)
            assert data["scouts"]["ours"] == 0
            assert bonuses(table.round({}, "block", 1, 6, 1, 6), "theirs") == theirs


def test_recover(game: Game) -> None:
    """STR-TC-02: a Strike less or a trait again, that which was lost first."""
    table = Table(game, "Old money", "Aggressive").struck(2, 1)
    table.set("theirs", traits=["Aggressive"], lost_traits=["Old money", "A long arm"])
    assert table.round({"vex": "recover"}, "recover", 1, 6, 1, 6)["strikes"] == {"ours": 1, "theirs": 0}
    table.round({}, "recover", 1, 6, 1, 6)
    assert table.of("theirs", "traits") == ["Aggressive", "Old money"]
    table.struck(0, 1).set("theirs", traits=["Aggressive"], lost_traits=["Old money"])
    table.oppose("recover", recover="old-money")
    assert table.round({"vex": "recover"}, "", 1, 6, 1, 6)["strikes"] == {"ours": 0, "theirs": 1}
    assert "Old money" in table.of("theirs", "traits")
    with pytest.raises(Refused, match="not a trait to regain"):
        table.oppose("recover", recover="kindness")
    with pytest.raises(Usage):
        table.oppose("block", recover="strike")


def test_secondary_goals(book: Book) -> None:
    """STR-TC-13: instead of an action, and still one for the team."""
    for to, ours in (("advance", (1, 0)), ("defense", (0, 1))):
        table = Table(Game(book))
        assert table.secondary("vex", to, 5)["outcome"] == "success"
        table.all_pass()
        with pytest.raises(Refused, match="has rolled for a secondary goal"):
            table.act("vex", "progress")
        assert bonuses(table.roll(1, 6, 1, 6), "ours") == ours


def test_a_secondary_goal_is_a_skill_roll(table: Table) -> None:
    """STR-TC-13: resolved by the basic rules in the same act, Cost and all; the Skill is named."""
    with pytest.raises(Usage, match="Name the Skill|takes a Skill Roll"):
        table.secondary("vex", "advance", skill="")
    data = table.secondary("vex", "advance", 3, choose=["angry"])
    assert (data["outcome"], data["costs"], data["missing"]) == ("success", 1, TEAM[1:])
    assert table.game.get("characters.vex.conditions") == ["core:angry"]
    data = table.secondary("odo", "defense", 6, skill="Juggling", choose=["learn"])
    assert (data["skilled"], data["taken"]) == (False, "learn")
    assert table.game.get("characters.odo.skills_learned") == ["Juggling"]


def test_opponents_come_first(table: Table) -> None:
    """STR-TC-07: what they add is there before what we add: theirs is revealed before the dice."""
    table.round({"vex": "progress"}, "block", 1, 6, 1, 6)
    kinds = [fact.kind for fact in table.game.facts]
    assert kinds.index("conflict-revealed") < kinds.index("conflict-rolled")


# --- Hits


def test_hits_wait_for_a_choice(game: Game) -> None:
    """STR-TC-06: a Strike or a trait, as the other side says; nothing goes on before."""
    table = Table(game, "Old money", "Aggressive")
    data = table.round({"vex": "targeted-effort", "odo": "targeted-effort"}, "block", 1, 6, 1, 6)
    assert (data["hits_due"]["theirs"], data["strikes"]["theirs"]) == (2, 0)
    for blocked in (lambda: table.act("vex", "pass"), lambda: table.oppose("block"), lambda: table.roll()):
        with pytest.raises(HitWaits):
            blocked()
    with pytest.raises(Refused, match="no active trait"):
        table.hit("theirs", "kindness")
    with pytest.raises(Refused, match="No Hit"):
        table.hit("ours", "strike")
    assert table.hit("theirs", "aggressive")["lost_traits"] == ["Aggressive"]
    assert table.hit("theirs", "strike")["strikes"]["theirs"] == 1
    assert bonuses(table.round({}, "progress", 1, 6, 1, 6), "theirs") == (2, 0)


def test_the_last_trait(game: Game) -> None:
    """STR-TC-06: once no trait is left, what waits is a Strike."""
    table = Table(game, "Old money")
    table.round({"vex": "targeted-effort", "odo": "targeted-effort"}, "block", 1, 6, 1, 6)
    data = table.hit("theirs", "old money")
    assert (data["strikes"]["theirs"], data["hits_due"]) == (1, 0)


# --- aftermath


def test_aftermath_of_a_win(book: Book) -> None:
    """STR-TC-09, golden example 24."""
    for strikes, severity, owed in (
        (0, "", []), (1, "", ["minor"]), (2, "minor", ["minor"]), (3, "minor", ["major"]),
        (4, "major", ["major"]), (5, "major", ["major", "minor"]), (9, "major", ["major", "minor"]),
    ):  # fmt: skip
        with case(strikes):
            assert condition_severity_for_strikes(strikes) == severity
            assert concessions_for_strikes(strikes) == owed
            table = Table(Game(book)).struck(strikes)
            after = table.round({}, "block", 6, 6, 1, 1)["aftermath"]
            assert after["conditions"] == (dict.fromkeys(TEAM, severity) if severity else {})
            choose = {"": [], "minor": ["angry"] * 4, "major": ["injured"] * 4}[severity]
            data = table.do("end", (), choose)
            held = [table.game.get(f"characters.{who}.conditions", []) for who in TEAM]
            assert held == [[f"core:{word}"] if choose else [] for word in (choose or TEAM)]
            assert data["concessions"] == after["concessions"] == owed
            assert table.game.get("conflict") is None


@pytest.mark.parametrize("theirs", [0, 1])
def test_aftermath_of_a_loss(table: Table, theirs: int) -> None:
    """STR-TC-09: with a Strike on them it is a close loss, and the losers choose."""
    data = table.struck(1, theirs).round({}, "progress", 1, 1, 6, 6)
    assert (data["outcome"], data["aftermath"]["concessions"]) == ("lose", [])
    came = table.do("end", (), ["cheap"] * theirs)
    assert came.get("loser_chose") == ("cheap" if theirs else None)


def test_conditions_said_beforehand(table: Table) -> None:
    """STR-TC-09: by name; one of another kind, or for nobody, is refused."""
    table.struck(2).round({}, "block", 6, 6, 1, 1)
    for wrong in ({"vex": "core:injured"}, {"vex": "core:short"}, {"vex": "core:lost-confidence"}):
        with pytest.raises(Refused, match="not a Minor Condition"):
            table.do("end", conditions=wrong)
    table.do("end", conditions=dict.fromkeys(TEAM, "core:angry"))
    table = Table(table.game)
    table.round({}, "block", 6, 6, 1, 1, weigh=NOWHERE)
    with pytest.raises(Refused, match="gains no Condition"):
        table.do("end", conditions={"vex": "core:angry"})


def test_it_ends_when_it_is_over(table: Table) -> None:
    """STR-TC-01: not before, unless it is dropped; and then nothing more is played."""
    with pytest.raises(Refused, match="not decided"):
        table.do("end")
    table.round({}, "block", 6, 6, 1, 1)
    with pytest.raises(Refused, match="is over"):
        table.act("vex", "pass")
    assert table.do("end", abandon=True)["result"] == "abandoned"


def test_averting_a_loss(table: Table) -> None:
    """STR-TC-10, golden example 25."""
    table.struck(3, 2)
    with pytest.raises(Refused, match="no loss"):
        table.do("avert", who="vex")
    table.round({}, "progress", 1, 1, 6, 6)
    with pytest.raises(TooFewPoints):
        table.do("avert", who="brann")
    data = table.do("avert", who="vex")
    assert (data["strikes"], table.game.get("characters.vex.ap")) == ({"ours": 4, "theirs": 1}, 0)
    table.act("vex", "progress")


def test_conceding(table: Table) -> None:
    """STR-TC-11, golden example 26."""
    table.struck(4).act("vex", "pass")
    with pytest.raises(Refused, match="some have acted: Vex"):
        table.concede()
    table.set("ours", actions=None).oppose("progress")
    data = table.concede(["vex", "Owes the ferryman"])
    assert table.of("theirs", "opposition") is None
    assert (data["strikes"]["ours"], table.game.get("characters.vex.ap")) == (2, 2)
    assert data["aftermath"]["conditions"] == dict.fromkeys(TEAM, "minor")
    with pytest.raises(Refused, match="no loss"):
        table.do("avert", who="vex")


def test_no_condition_is_offered_that_changes_nothing(table: Table) -> None:
    """STR-TC-09, STR-CORE-12: what is held already, but what grows into another."""
    table.struck(2).game.set("conflict.ended", "win")
    for held, offered in (
        ([], {"angry", "winded", "exhausted"}),
        (["angry"], {"winded", "exhausted"}),
        (["angry", "winded"], {"winded", "exhausted"}),
        (["angry", "winded", "exhausted"], {"winded"}),
    ):
        with case(held):
            table.game.set("characters.vex.conditions", [f"core:{one}" for one in held])
            question = table.game.asked("conflict end")
            assert (question.who, set(question.options)) == ("vex", offered)


def test_withdrawing(book: Book) -> None:
    """STR-TC-12: for good, with the Condition of that moment; the rest go on."""
    for strikes, choose in ((1, []), (2, ["angry"]), (4, ["sick"])):
        table = Table(Game(book)).struck(strikes)
        table.act("vex", "progress")
        table.do("withdraw", (), choose, who="vex")
        assert len(table.game.get("characters.vex.conditions", [])) == len(choose)
        with pytest.raises(Refused, match="has withdrawn"):
            table.act("vex", "progress")
        after = table.struck(2).round({}, "block", 6, 6, 1, 1)["aftermath"]
        assert after["conditions"] == dict.fromkeys(TEAM[1:], "minor")


def test_who_withdraws_takes_their_own_choice_along(table: Table) -> None:
    """STR-TC-11, 12: those of the others stay; after the only one nobody has acted, and they may concede."""
    for who in TEAM[:2]:
        table.act(who, "progress")
    assert table.do("withdraw", who="vex")["team"] == TEAM[1:]
    assert [*table.of("ours", "actions")] == ["brann"]
    assert table.do("withdraw", who="brann")["team"] == TEAM[2:]
    assert table.of("ours", "actions") is None
    assert table.concede()["ended"]


# --- preparation

PREPS = {
    ("fortify", 5): {1: (0, 1), 2: (0, 1), 3: (0, 1)},
    ("fortify", 3): {1: (0, 1), 2: (0, 0)},
    ("fortify", 2): {1: (-1, 0), 2: (0, 0)},
    ("long-game", 6): {1: (0, 0), 2: (1, 0), 3: (2, 0), 4: (2, 0), 5: (0, 0)},
    ("long-game", 4): {1: (0, 0), 2: (0, 0), 3: (1, 0), 4: (1, 0), 5: (0, 0)},
    ("seize-the-advantage", 3): {1: (1, 0), 2: (0, 0)},
}


def test_preparing_gives_bonuses(book: Book) -> None:
    """STR-TC-14: by round."""
    for (action, die), rounds in PREPS.items():
        table = Table(Game(book))
        table.do("prep", [die], who="vex", action=action)
        for number, expected in rounds.items():
            with case(action, die, number):
                assert bonuses(table.round({}, "block", 2, 6, 1, 6), "ours") == expected


def test_preparing_once_and_before(table: Table) -> None:
    """STR-TC-14: one a player, and only before the first round."""
    table.do("prep", [5], who="vex", action="fort")
    with pytest.raises(Refused, match="has prepared already"):
        table.do("prep", who="vex", action="scout")
    with pytest.raises(Usage):
        table.do("prep", who="odo", action="dance")
    table.act("vex", "pass")
    with pytest.raises(Refused, match="are over"):
        table.do("prep", who="odo", action="scout")


def test_fortify_until_a_push(table: Table) -> None:
    """STR-TC-14: our Push ends it."""
    table.do("prep", [6], who="vex", action="fortify")
    assert table.round({}, "block", 1, 6, 1, 6)["outcome"] == "draw"
    assert table.of("ours", "bonuses") is not None
    assert table.round({}, "progress", 6, 1, 6, 1)["outcome"] == "push"
    assert table.of("ours", "bonuses") is None


def test_preparing_to_scout_and_to_strike(book: Book) -> None:
    """STR-TC-14: both enemy rolls, or one; a Hit before it begins."""
    for die, scouts in ((6, 2), (4, 1), (1, 0)):
        table = Table(Game(book))
        table.do("prep", [die], who="vex", action="scout")
        assert table.of("ours", "scouts", 0) == scouts
        table.do("prep", [5], who="odo", action="seize-the-advantage")
        assert (table.of("ours", "strikes"), table.of("theirs", "strikes")) == (0, 1)


def test_stocking_up(table: Table) -> None:
    """STR-TC-14: +1 once, before rolling or after it."""
    table.set("ours", traits=["Versatility"])
    with pytest.raises(Refused, match="Nothing is stocked up"):  # before anybody is asked
        table.round({}, "block", stock={"ours": "advance"})
    table.set("ours", traits=[])
    table.set("ours", actions=None).set("theirs", opposition=None)
    table.do("prep", [6], who="vex", action="stock-up")
    table.do("prep", [3], who="odo", action="stock-up")
    data = table.round({}, "block", 3, 6, 1, 6, stock={"ours": "defense"}, choose=["advance"])
    assert bonuses(data, "ours") == (1, 1)
    assert table.of("ours", "stock") is None


def test_what_a_standing_is_worth(table: Table) -> None:
    """STR-TC-04: in Strikes and traits; what is good for one side is as bad for the other. Nothing without a
    conflict."""
    assert conflict_value_or_forecast_for_side(Game(table.game.book).world, "ours") == 0
    table.set("ours", strikes=1, traits=["Old rope"]).set("theirs", strikes=3)
    worth = [conflict_value_or_forecast_for_side(table.game.world, side) for side in ("ours", "theirs")]
    assert worth == [3, -3]


def test_what_is_done_may_be_named_in_full(table: Table) -> None:
    """STR-TC-14: by its name, its word, or the beginning of a part of it; nothing is a beginning of all."""
    for word in ("Play the Long Game", "long-game", "long", "game"):
        assert find_key(word, {"long-game": "Play the Long Game", "scout": "Scout"}, "action") == "long-game"
    for word in ("gaming", "", "-"):
        with pytest.raises(Usage):
            find_key(word, {"long-game": "Play the Long Game"}, "action")
    assert table.do("prep", [6], who="vex", action="Play the Long Game")["action"] == "long-game"


def test_what_is_stocked_up_may_be_kept(table: Table) -> None:
    """STR-TC-07, STR-TC-14: who keeps a bonus with the dice in sight has it in a later round."""
    table.do("prep", [6], who="vex", action="stock-up")
    asked = table.all_pass().game.asked("conflict roll", dice=[3, 6, 1, 6])
    assert (asked.what, asked.options) == ("stock-up", ("keep", "advance", "defense"))
    for choice, left, gained in (("keep", ["after"], (0, 0)), ("defense", None, (0, 1))):
        data = table.all_pass().roll(3, 6, 1, 6, choose=[choice])
        assert (table.of("ours", "stock"), bonuses(data, "ours")) == (left, gained)


def test_conditions_and_inspire(book: Book) -> None:
    """STR-TC-14, STR-TC-15: each Major takes 1 every round, a Minor is Disadvantage, on the roll picked."""
    for die, majors, minor in ((5, 1, False), (3, 1, True), (1, 2, True)):
        with case(die):
            table = Table(Game(book))
            table.game.set("characters.vex.conditions", ["core:injured", "core:sick"])
            table.game.set("characters.odo.conditions", ["core:angry", "core:short"])
            table.do("prep", [die], who="vex", action="inspire")
            table.set("ours", bonuses=None)
            ours = table.round({}, "block", *([6] * minor), 5, 5, 1, 6)["ours"]
            assert (ours["advance_bonus"], len(ours["advance_roll"]["faces"])) == (-majors, 1 + minor)


def test_where_conditions_weigh(table: Table) -> None:
    """STR-TC-15: on Defense, or nowhere; a Flaw by hand; Disadvantage does not stack."""
    table.game.set("characters.vex.conditions", ["core:injured", "core:angry"])
    data = table.round({}, "block", 3, 6, 5, 1, 6, weigh=DEFENSE, dis={"defense": ["a torn map"]})
    assert (data["ours"]["defense"], len(data["ours"]["defense_roll"]["sources"])) == (4, 2)
    assert table.round({}, "block", 1, 6, 1, 6, weigh=NOWHERE)["ours"]["defense"] == 6


def test_nothing_is_added_for_those_who_left(table: Table) -> None:
    """STR-TC-12."""
    for who in TEAM:
        table.act(who, "progress")
    table.do("withdraw", who="vex")
    ours = side_ready_to_roll(table.game.world, "ours", RollsOfConditionsAndFlaws(), {}, {})
    assert sum(item.value for item in ours.modifiers["advance"]) == 6


def test_withdrawing_may_be_forbidden(game: Game) -> None:
    """STR-TC-12: then whoever wants out just does not act."""
    table = Table(game, no_withdrawal=True)
    with pytest.raises(Refused, match="ruled it out"):
        table.do("withdraw", who="vex")
    table.act("vex", "pass")


def test_each_condition_where_the_game_master_puts_it(table: Table) -> None:
    """STR-TC-15: one by one, by whose it is or what it is; the last word counts."""
    table.game.set("characters.vex.conditions", ["core:injured", "core:angry"])
    table.game.set("characters.odo.conditions", ["core:shaken"])
    picks = [["vex", "defense"], ["Injured", "none"], ["vex angry", "defense"], ["shaken", "none"]]
    data = table.round({}, "block", 2, 6, 5, 1, 6, weigh={"default": "advance", "picks": picks})
    ours = data["ours"]
    assert [source["reason"] for source in ours["defense_roll"]["sources"]] == ["Vex: Angry"]
    assert (ours["advance_bonus"], ours["defense_bonus"]) == (0, 0)
    table.all_pass()
    with pytest.raises(Usage, match="'brann' modifies a team"):
        table.roll(weigh={"default": "advance", "picks": [["brann", "none"]]})


def test_flaws_count_by_themselves(book: Book) -> None:
    """STR-TC-15: a Flaw of the Skill or the item that somebody acts with."""
    flaws = [{"id": "f1", "on": "climbing", "text": "a bad knee"}, {"id": "f2", "on": "rope"}]
    for skill, using, counts in (("Climbing", "", 1), ("Sneaking", "", 0), ("Sneaking", "Rope", 1)):
        with case(skill, using):
            table = Table(Game(book))
            table.game.set("characters.vex.flaws", flaws)
            table.act("vex", "observe", skill=skill, using=using)
            data = table.all_pass().roll(5, *[6] * (1 + counts), 1, 1)
            assert len(data["ours"]["advance_roll"]["sources"]) == counts


def test_a_secondary_goal_minds_its_own_flaws_and_no_others(table: Table) -> None:
    """STR-TC-15: those of who else acts count."""
    for who, skill in (("vex", "climbing"), ("brann", "hauling")):
        table.game.set(f"characters.{who}.flaws", [{"id": f"f-{who}", "on": skill}])
    table.secondary("vex", "advance", 5)
    table.act("brann", "observe", skill="Hauling")
    for who in TEAM[2:]:
        table.act(who, "pass")
    reasons = [weight.who for weight in conditions_and_flaws_that_count(table.game.world, "ours")]
    assert reasons == ["brann"]


def test_the_worst_of_a_team_is_what_inspire_covers(table: Table) -> None:
    """STR-TC-14, STR-TC-15: whoever has it."""
    table.game.set("characters.vex.conditions", ["core:angry"])
    table.game.set("characters.odo.conditions", ["core:winded", "core:sick"])
    for inspired, left in (
        (None, ["sick", "angry", "winded"]), (["one"], ["angry", "winded"]), (["each"], ["winded"])
    ):  # fmt: skip
        table.set("ours", inspired=inspired)
        found = conditions_and_flaws_that_count(table.game.world, "ours")
        assert [weight.id for weight in found] == left


def test_choosing_again(table: Table) -> None:
    """STR-TC-02, STR-TC-03: until the dice fall everybody may choose again; of several in a line all, or
    none."""
    for action in ("progress", "block"):
        table.act("vex", action)
        table.oppose(action)
    assert table.of("ours", "actions.vex.action") == table.of("theirs", "opposition.action") == "block"
    acts = [{"who": who, "action": "pass"} for who in ("vex", "nobody")]
    with pytest.raises((Refused, Usage)):
        table.game.play("conflict acts", acts=acts)
    assert table.of("ours", "actions.vex.action") == "block"
    table.game.play("conflict acts", acts=[{"who": who, "action": "pass"} for who in TEAM])
    assert {table.of("ours", f"actions.{who}.action") for who in TEAM} == {"pass"}


def test_the_double_tie_s_table_is_swappable(game: Game) -> None:
    """STR-TC-08: any of the four in the place of any of the six, each once."""
    swaps = {
        "love": "betrayal",
        "Natural Disaster": "Selfless Sacrifice",
        "death": "miracle-supernatural-event",
    }
    table = Table(game, swaps=swaps)
    assert table.get("swaps") == {
        "6": "Betrayal", "3": "Selfless Sacrifice", "1": "Miracle/Supernatural Event",
    }  # fmt: skip
    start = game.state
    for die, event in ((6, "Betrayal"), (5, "Astounding Discovery"), (1, "Miracle/Supernatural Event")):
        game.state = start
        assert table.round({}, "obscure", 3, 4, 3, 2, die)["double_tie"]["event"] == event
    for wrong in ({"peace": "betrayal"}, {"love": "peace"}, {"love": "betrayal", "death": "betrayal"}):
        game.state = {}
        with pytest.raises(Usage):
            Table(game, swaps=wrong)
