"""The odds of a whole Team Conflict: against plain code, and both ways of counting against each other."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.conflict import Table, odds
from support.game import Game
from support.thorough import some_of

from strike_cli.kernel import absorbing_chain as under_test
from strike_cli.kernel.procedure import World
from strike_cli.problems import Refused
from strike_cli.systems.conflict import conflict_odds
from strike_cli.systems.conflict.conflict_odds import (
    ActionJudge,
    ConflictEnd,
    conflict_value_or_forecast_for_side,
    odds_by_policies_from_round_start,
    policies_by_name,
)
from strike_cli.systems.conflict.moves_before_dice import DeclareAction

pytestmark = pytest.mark.slow

Chances = dict[tuple[str, int, int], Fraction]
"""By result, our Strikes (5 and more as 5), their Strikes (1 and more as 1)."""


def one_round(
    ours: tuple[int, int],
    theirs: tuple[int, int],
    our_draw: bool,
    where: Callable[[int], bool] = lambda their_advance: True,
) -> dict[Any, Fraction]:
    """What a round comes to: ("win"...) or Strikes gained by each. `our_draw`: a Draw is a Hit on us. `where`
    leaves out falls by the die of their Advance."""
    found: dict[Any, Fraction] = {}
    for a, d, b, e in product(range(1, 7), repeat=4):
        if not where(b):
            continue
        us, them = (a + ours[0], d + ours[1]), (b + theirs[0], e + theirs[1])
        first, second = us[0] - them[1], them[0] - us[1]
        came: Any
        if (min(us) <= 0) != (min(them) <= 0):
            came = "lose" if min(us) <= 0 else "win"
        elif first > 0 > second:
            came = "win"
        elif second > 0 > first:
            came = "lose"
        elif first == second == 0:
            came = "double-tie"
        elif first > 0 or second > 0:
            came = (int(second > 0), int(first > 0))
        else:
            came = (int(our_draw), 0)
        found[came] = found.get(came, Fraction(0)) + Fraction(1, 6**4)
    return found


def worth_of_a_round(ours: tuple[int, int], theirs: tuple[int, int], draw: int) -> Any:
    """In Strikes: what we win or lose is worth 5, a Hit 1, and a Draw what is said."""
    worth: dict[Any, int] = {"win": 5, "lose": -5, "double-tie": 0}
    worth |= {(0, 0): draw, (0, 1): 1, (1, 0): -1, (1, 1): 0}
    came = one_round(ours, theirs, False).items()
    return pytest.approx(float(sum(worth[what] * chance for what, chance in came)))


def whole(plans: list[dict[Any, Fraction]], struck: int = 0, them: int = 0, memo: Any = None) -> Chances:
    """The whole conflict: each round is one of the plans, each as likely."""
    found: Chances = {}
    stays = Fraction(0)
    memo = {} if memo is None else memo
    if (struck, them) in memo:
        return memo[struck, them]
    for plan in plans:
        for came, chance in plan.items():
            share = chance / len(plans)
            if isinstance(came, str):
                key = came, struck, them
                found[key] = found.get(key, Fraction(0)) + share
                continue
            after = min(5, struck + came[0]), min(1, them + came[1])
            if after == (struck, them):
                stays += share
                continue
            for key, more in whole(plans, *after, memo).items():
                found[key] = found.get(key, Fraction(0)) + share * more
    memo[struck, them] = {key: chance / (1 - stays) for key, chance in found.items()}
    return dict(memo[struck, them])


def as_end(result: str, struck: int, them: int) -> ConflictEnd:
    owed = {0: (), 1: ("minor",), 2: ("minor",), 3: ("major",), 4: ("major",)}.get(struck, ("major", "minor"))
    severity = "" if struck < 2 else "minor" if struck < 4 else "major"
    return ConflictEnd(result, result == "lose" and them > 0, owed if result == "win" else (), severity, "")


@pytest.mark.parametrize(
    ("policies", "ours", "our_draw", "actions", "strikes"),
    [
        (("aggressive", "defensive"), (3, 0), True, [(0, 2), (-1, 3)], (3, 1)),
        (("defensive", "aggressive"), (0, 2), False, [(3, -1), (3, 0)], (0, 0)),
    ],
)
def test_against_plain_code(
    game: Game,
    policies: tuple[str, str],
    ours: tuple[int, int],
    our_draw: bool,
    actions: list[tuple[int, int]],
    strikes: tuple[int, int],
) -> None:
    """STR-TC-02, 04, 05, 09: one player against an opposition of 1/2, from any Strikes on, exact."""
    table = Table(game, team=["vex"], advance=1, defense=2).struck(*strikes)
    found = odds_by_policies_from_round_start(table.game.world, *policies)
    plans = []
    for number, (advance, defense) in enumerate(actions):
        theirs = 1 + advance, 2 + defense
        plan = one_round(ours, theirs, our_draw)
        if policies[1] == "aggressive" and number == 1:  # their Calculated Risk: a Hit on them on a Draw
            plan[0, 1] = plan.get((0, 1), Fraction(0)) + plan.pop((0, 0), Fraction(0))
        plans.append(plan)
    expected: dict[ConflictEnd, Fraction] = {}
    for key, chance in whole(plans, *strikes).items():
        end = as_end(*key)
        expected[end] = expected.get(end, Fraction(0)) + chance
    assert found.gap == 0
    assert found.chances == expected


def test_a_bonus_counts_for_the_rounds_that_it_is_for(game: Game) -> None:
    """STR-TC-14: now, in the next one, in both, as of the round that is to come, whichever number it has."""
    table = Table(game, team=["vex"], advance=1, defense=2)
    losses = []
    for number, rounds in ((1, ()), (4, (1, 3)), (1, (2, 2)), (1, (1, 2)), (4, (4, 5))):
        bonus = [{"first": rounds[0], "last": rounds[1], "advance": 3, "why": "a plan"}] if rounds else []
        table.set("ours", bonuses=bonus).game.set("conflict.round", number)
        losses.append(
            results(odds_by_policies_from_round_start(game.world, "aggressive", "defensive"))["lose"]
        )
    none, over, later, both, both_then = losses
    assert none == over > later > both == both_then


@pytest.mark.parametrize(("their_team", "takes"), [((), "trait"), (("brann",), "strike")])
def test_what_is_taken_for_a_hit_that_waits(game: Game, their_team: tuple[str, ...], takes: str) -> None:
    """STR-TC-06: players take a trait of an opposition while there are any; of another team a Strike."""
    found = []
    for waits in (True, False):
        game.set("conflict", None)
        other = {"their_team": list(their_team)} if their_team else {"advance": 1, "defense": 1}
        table = Table(game, "Block", team=["vex"], **other)
        if waits:
            table.set("theirs", hits_due=1)
        elif takes == "strike":
            table.set("theirs", strikes=1)
        else:
            table.set("theirs", traits=[], lost_traits=["Block"])
        found.append(odds_by_policies_from_round_start(game.world, "aggressive", "aggressive").chances)
    assert found[0] == found[1]


def test_a_round_is_worth_what_it_brings_on_average(game: Game) -> None:
    """STR-TC-05, STR-TC-14: Injured takes 1 of our Advance, which Targeted Effort adds 2 to; it hits them on
    a Draw, too. A win is worth 5 Strikes, and so is what a loss costs: no Action Point averts it."""
    table = Table(game, team=["vex"], advance=1, defense=2)
    game.set("characters.vex.conditions", ["core:injured"])
    game.set("characters.vex.ap", 5)
    table.oppose("block")
    value = conflict_value_or_forecast_for_side(game.world, "ours")
    assert value == worth_of_a_round((2 - 1, 0), (1, 2 + 2), draw=1)
    assert conflict_value_or_forecast_for_side(game.world, "theirs") == pytest.approx(-value)


def test_who_may_not_do_what_a_policy_says_does_something_else(game: Game) -> None:
    """STR-TC-03: without a Skill no Targeted Effort, but Progress, which hits nobody on a Draw."""
    game.book = copy(game.book)
    game.book.characters = {**game.book.characters, "vex": {**game.book.characters["vex"], "skills": []}}
    table = Table(game, team=["vex"], advance=1, defense=2)
    table.oppose("block")
    assert conflict_value_or_forecast_for_side(game.world, "ours") == worth_of_a_round(
        (2, 0), (1, 2 + 2), draw=0
    )


def test_a_basic_action_is_taken_without_a_skill(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """STR-TC-03, STR-TC-15: so that no Flaw of a Skill weighs on the round, as it does on Targeted Effort."""
    table = Table(game, team=["vex"], advance=1, defense=2)
    table.oppose("block")
    weighs = {}
    for action in ("progress", "targeted-effort"):
        policy = {**policies_by_name()["balanced"], "each": [action]}
        monkeypatch.setattr(conflict_odds, "policies_by_name", lambda policy=policy: {"balanced": policy})
        whole = conflict_value_or_forecast_for_side(game.world, "ours")
        game.set("characters.vex.flaws", [{"id": "f1", "on": game.book.characters["vex"]["skills"][0]}])
        weighs[action] = conflict_value_or_forecast_for_side(game.world, "ours") < whole
        game.set("characters.vex.flaws", None)
    assert weighs == {"progress": False, "targeted-effort": True}


@pytest.mark.parametrize(("traits", "policy"), [(["Crafty"], "aggressive"), ([], "careful")])
def test_solved_and_followed_agree(
    game: Game, monkeypatch: pytest.MonkeyPatch, traits: list[str], policy: str
) -> None:
    """STR-TC-16: the chain as a whole, and round by round with its gap stated."""
    table = Table(game, *traits, team=["vex", "odo"], advance=1, defense=1).struck(2)
    world = table.game.world
    monkeypatch.setattr(under_test, "MOST_STATES", 15 if policy == "careful" else 100)
    monkeypatch.setattr(under_test, "UNDECIDED", Fraction(1, 100))
    exact = odds_by_policies_from_round_start(world, policy, policy)
    monkeypatch.setattr(under_test, "_solve_exactly", lambda after, start, known: None)
    followed = odds_by_policies_from_round_start(world, policy, policy)
    assert sum(exact.chances.values()) + exact.gap == 1
    assert sum(followed.chances.values()) + followed.gap == 1
    slack = max(exact.gap, followed.gap)
    for end in exact.chances | followed.chances:
        assert abs(exact.chances.get(end, 0) - followed.chances.get(end, 0)) <= slack
    assert followed.rounds <= exact.rounds + slack
    assert bool(exact.gap) == (policy == "careful")
    if not exact.gap:
        assert exact.rounds - followed.rounds < 100 * slack


def test_superior_versatility_is_used_well(game: Game) -> None:
    """STR-TC-16: a bonus with the dice in sight is worth more than one before them."""
    wins = []
    for trait in ([], ["Versatility"], ["Superior Versatility"]):
        game.state = {}
        table = Table(game, our_traits=trait, team=["vex"], advance=1, defense=1)
        found = odds_by_policies_from_round_start(table.game.world, "balanced", "balanced")
        wins.append(sum(chance for end, chance in found.chances.items() if end.result == "win"))
    assert wins[0] < wins[1] < wins[2]


def test_players_on_both_sides(game: Game) -> None:
    """STR-TC-09: the same policy for both is a fair fight, and the losers may choose."""
    table = Table(game, team=["vex", "brann"], their_team=["odo", "vesna"])
    found = odds_by_policies_from_round_start(table.game.world, "balanced", "balanced")
    for side, mirrored in (("win", "lose"), ("lose", "win")):
        for end, chance in found.chances.items():
            if end.result == side:
                other = ConflictEnd(mirrored, end.close, (), end.theirs, end.ours)
                assert found.chances[other] == chance
    assert any(end.close for end in found.chances)
    assert all(end.concessions == () for end in found.chances)


def test_the_round_as_declared(game: Game) -> None:
    """STR-TC-05: the odds of the very round that the next `conflict roll` plays."""
    table = Table(game, advance=3, defense=3)
    weigh = {"default": "none"}
    with pytest.raises(Refused, match="Not everybody"):
        odds(table.game.world, "conflict roll", weigh=weigh)
    for who, action in (("vex", "progress"), ("brann", "block"), ("odo", "pass"), ("vesna", "observe")):
        table.act(who, action)
    table.oppose("total-defense")
    before = table.game.state
    bare = odds(World(None), "conflict round", ours=[3, 3], theirs=[2, 6])
    assert odds(table.game.world, "conflict roll", weigh=weigh) == bare
    assert table.game.state == before


def test_hits_of_actions_are_in_the_odds(game: Game) -> None:
    """STR-TC-02: Targeted Effort deals its Hit on a Draw, too: odds and roll name the same."""
    table = Table(game, advance=4, defense=2)
    table.act("vex", "targeted-effort", skill="Climbing")
    for who in ("brann", "odo", "vesna"):
        table.act(who, "block")
    table.oppose("progress")
    found = odds(table.game.world, "conflict roll", weigh={"default": "none"})
    assert {hits for outcome, hits in found if outcome == "draw"} == {("theirs",)}
    assert sum(found.values()) == 1


def test_as_it_is_typed(in_campaign: Strike) -> None:
    """STR-TC-05: a policy by a beginning of its name; a fraction for each end, summing to one."""
    in_campaign("odds conflict --policy balanced", 1)
    in_campaign("odds conflict", 2)
    in_campaign("conflict start Duel --intent a --against b --their-intent c --team vex")
    in_campaign("odds conflict --policy reckless", 2)
    in_campaign("odds conflict --gm", 1)
    data = in_campaign.json("odds conflict --policy agg --their-policy def")["data"]
    assert sum(Fraction(row["probability"]) for row in data["outcomes"]) == 1
    assert (data["of"]["ours"], data["of"]["theirs"], data["gap"]) == ("aggressive", "defensive", 0)
    assert "rounds more on average" in in_campaign("odds conflict --policy balanced").out
    in_campaign("conflict oppose progress")
    in_campaign("conflict act vex progress")
    assert in_campaign.json("odds conflict --gm")["data"]["outcomes"][0]["outcome"] == "win"


def results(found: Any) -> dict[str, Fraction]:
    """The chance of each result, whatever the Strikes."""
    assert found.gap == 0
    told: dict[str, Fraction] = {}
    for end, chance in found.chances.items():
        told[end.result] = told.get(end.result, Fraction(0)) + chance
    return told


@pytest.mark.parametrize("points", some_of([0, 1, 3], every=2))
def test_averting(game: Game, points: int) -> None:
    """STR-TC-10: each loss averted is a conflict begun anew, where Strikes bear on nothing; as far as there
    are Action Points."""
    game.set("characters.vex.ap", points)
    table = Table(game, team=["vex"], advance=1, defense=2)
    once = results(odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive"))
    found = results(odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive", averts=2))
    losses = once["lose"] ** 0, once["lose"], once["lose"] ** 2
    averted = min(2, points)
    for result in ("win", "double-tie"):
        assert found[result] == once[result] * sum(losses[: averted + 1])
    assert found["lose"] == once["lose"] ** (averted + 1)


def test_who_averts_takes_a_hit_and_they_lose_a_strike(game: Game) -> None:
    """STR-TC-10: so that nobody who averted wins without a Strike, and losers choose less often."""
    table = Table(game, team=["vex"], advance=1, defense=2).struck(0, 1)
    game.set("characters.vex.ap", 1)
    once = odds_by_policies_from_round_start(table.game.world, "balanced", "balanced")
    found = odds_by_policies_from_round_start(table.game.world, "balanced", "balanced", averts=1)
    unhurt = ConflictEnd("win", False, (), "", "")
    assert found.chances[unhurt] == once.chances[unhurt]
    assert found.gap == once.gap == 0
    assert all(end.close for end in once.chances if end.result == "lose")
    assert not all(end.close for end in found.chances if end.result == "lose")


def test_what_is_scouted_is_used(game: Game) -> None:
    """STR-TC-02, STR-TC-07: an Observe in every round, and a plan for what it shows of their Advance."""
    table = Table(game, team=["vex", "brann"], advance=1, defense=1)
    found = results(odds_by_policies_from_round_start(table.game.world, "watchful", "balanced"))
    plain, scouted = {}, {}
    for advance, defense in ((2, 0), (0, 2)):
        theirs = 1 + advance, 1 + defense
        for came, chance in one_round((1, 3), theirs, False).items():
            plain[came] = plain.get(came, 0) + chance / 2
        for high, ours in ((True, (1, 3)), (False, (3, 1))):
            for came, chance in one_round(ours, theirs, False, lambda b, high=high: (b >= 4) == high).items():
                scouted[came] = scouted.get(came, 0) + chance / 2
    ends = ("win", "lose", "double-tie")
    on = 1 - sum(plain.get(end, Fraction(0)) for end in ends)
    over = sum(scouted.get(end, Fraction(0)) for end in ends)
    assert sum(plain.values()) == sum(scouted.values()) == 1
    for end in ends:
        assert found[end] == plain.get(end, 0) + on * scouted.get(end, 0) / over


def test_obscure_against_scouting(game: Game) -> None:
    """STR-TC-03: who is obscured has nothing to go by."""
    table = Table(game, team=["vex", "brann"], advance=1, defense=1)
    table.set("ours", scouts=1)
    assert (
        sum(results(odds_by_policies_from_round_start(table.game.world, "watchful", "watchful")).values())
        == 1
    )


def test_what_was_stocked_up_is_used(game: Game) -> None:
    """STR-TC-14: in the first round, on the roll that the policy prefers."""
    table = Table(game, team=["vex"], advance=1, defense=2)
    without = results(odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive"))
    table.set("ours", stock=["before"])
    stocked = results(odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive"))
    assert stocked["win"] > without["win"]
    assert stocked["lose"] < without["lose"]


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_what_an_action_is_worth_against_another_team(game: Game, side: str) -> None:
    """STR-TC-05: their team plays by the usual policy: Targeted Effort, which hits on a Draw, too."""
    table = Table(game, team=["vex"], their_team=["odo"])
    for each in ("ours", "theirs"):
        table.set(each, advance=1, defense=2)
    act = DeclareAction(who=table.of(side, "team")[0], action="block")
    judged = ActionJudge(game.world).value_after_round_with_action(side, act)
    assert judged == worth_of_a_round((1, 2 + 2), (1 + 2, 2), draw=-1)


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_what_an_action_is_worth_with_the_rest_of_ones_team(game: Game, side: str) -> None:
    """STR-TC-03, 05: who has not chosen yet does what is theirs by the usual policy: the first of a team
    Targeted Effort, which hits on a Draw, too, the second Block."""
    table = Table(game, team=["vex", "brann"], their_team=["odo", "vesna"])
    for each in ("ours", "theirs"):
        table.set(each, advance=1, defense=2)
    other, team = (1 + 2, 2 + 2), table.of(side, "team")
    for who, own, draw in ((team[0], (1, 2 + 2 + 2), -1), (team[1], other, 0)):
        act = DeclareAction(who=who, action="block")
        judged = ActionJudge(game.world).value_after_round_with_action(side, act)
        assert judged == worth_of_a_round(own, other, draw), who


@pytest.mark.parametrize(("side", "traits"), [("ours", ["Fated"]), ("theirs", ["Superior Versatility"])])
def test_what_an_action_is_worth_whatever_was_asked_before(game: Game, side: str, traits: list[str]) -> None:
    """STR-TC-16: with a trait that the side has not any more."""
    table, act = Table(game, team=["vex"], their_team=["odo"]), DeclareAction(who="vex", action="progress")
    for now in (traits, []):
        judged = ActionJudge(table.set(side, traits=now).game.world).value_after_round_with_action(
            "ours", act
        )
    assert (
        ActionJudge(World(copy(game.book), game.state)).value_after_round_with_action("ours", act) == judged
    )


def test_what_was_stocked_up_is_used_up(game: Game) -> None:
    """STR-TC-14: each is for one roll, with the dice in sight."""
    wins = []
    for count in (1, 2):
        game.state = {}
        table = Table(game, team=["vex"], advance=1, defense=2)
        table.set("ours", stock=["after"] * count)
        wins.append(results(odds_by_policies_from_round_start(game.world, "aggressive", "defensive"))["win"])
    assert wins[0] < wins[1]


def test_strikes_that_averted_losses_may_take_are_counted(game: Game) -> None:
    """STR-TC-09, 10: each loss that is averted takes one of theirs; who had two has one left."""
    table = Table(game, team=["vex"], advance=1, defense=2).struck(0, 2)
    for points in (1, 2):
        game.set("characters.vex.ap", points)
        found = odds_by_policies_from_round_start(table.game.world, "aggressive", "defensive", averts=points)
        assert all(end.close for end in found.chances if end.result == "lose") == (points == 1)


def test_strikes_beyond_the_last_that_counts_are_minded_where_some_may_be_removed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """STR-TC-02, 09, 16: two more than owe all that is owed; who may lose some owes it for longer."""
    monkeypatch.setattr(under_test, "MOST_STATES", 10)
    monkeypatch.setattr(under_test, "UNDECIDED", Fraction(1, 50))
    plain = policies_by_name()["defensive"]
    policies = {
        "plain": plain, "mends": {**plain, "recover_from": 2}, "rests": {**plain, "one_of": ["recover"]}
    }  # fmt: skip
    monkeypatch.setattr(conflict_odds, "policies_by_name", lambda: policies)
    for side, most, traits, policy, minds in (
        ("ours", 5, [], "plain", False),
        ("ours", 5, ["Recovery"], "plain", True),
        ("ours", 5, ["Superior Draining"], "plain", True),
        ("ours", 5, [], "mends", True),
        ("theirs", 1, [], "plain", False),
        ("theirs", 1, ["Superior Draining"], "plain", True),
        ("theirs", 1, [], "rests", True),
    ):
        game.state = {}
        table = Table(game, team=["vex"], advance=1, defense=1).set(side, traits=traits)
        by, found = {"ours": "plain", "theirs": "plain", side: policy}, []
        for strikes in (most, most + 2):
            table.set(side, strikes=strikes)
            found.append(odds_by_policies_from_round_start(game.world, by["ours"], by["theirs"]).chances)
        with case(side, traits, policy):
            assert (found[0] != found[1]) is minds


def test_the_first_who_may_recovers(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """STR-TC-02: from so many Strikes on, in place of what that member's turn would be."""
    monkeypatch.setattr(under_test, "MOST_STATES", 10)
    plain = {**policies_by_name()["balanced"], "each": ["block", "progress"]}
    table = {
        "theirs": policies_by_name()["balanced"],
        "mends": {**plain, "recover_from": 0},
        "always": {**plain, "each": ["recover", "progress"], "or_else": "block", "recover_from": 100},
    }
    monkeypatch.setattr(conflict_odds, "policies_by_name", lambda: table)
    Table(game, team=["vex", "brann"], advance=1, defense=1).struck(1)
    mends, always = (
        odds_by_policies_from_round_start(game.world, by, "theirs").chances for by in list(table)[1:]
    )
    assert mends == always


def test_what_lasts_until_a_push_is_the_same_in_any_round(game: Game) -> None:
    """STR-TC-14: to Fortify well, before the first round and in the third."""
    found = []
    for number in (1, 3):
        game.state = {}
        table = Table(game, team=["vex"], advance=1, defense=2)
        table.do("prep", [6], who="vex", action="fortify")
        game.set("conflict.round", number)
        found.append(odds_by_policies_from_round_start(game.world, "aggressive", "defensive"))
    assert found[0] == found[1]
    assert found[0].gap == 0
