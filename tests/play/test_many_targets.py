"""No number of targets, creatures or squares makes odds, options or a bot explode: exact where targets leave
each other alone, else an estimate that says so. What is played is counted, not timed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.crowd import crowd
from support.game import Game, book_with

from strike_cli.campaign import Campaign
from strike_cli.kernel.chance_estimates import (
    Chances,
    IndependentPart,
    estimate_chances,
    exact_or_estimated_chances,
    margin_of_error,
    outcomes_of_parts_if_independent,
)
from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.play.forecast import plays_per_option
from strike_cli.play.legal_options import Option
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.outcome_forecast import (
    MOST_WORK,
    WorkBudget,
    attack_odds,
    attack_odds_by_target,
    expected_outcome_within_effort,
)
from strike_cli.systems.combat.bots.position_value import expected_gain_to_side_acted_for
from strike_cli.systems.combat.powers.power_use import UsePower

QUAKE = """
[powers.quake]
name = "Quake"
burst = 3
damage = 2
who = "enemies"

[powers.chain]
name = "Chain"
burst = 3
damage = 2
who = "enemies"
effect = [{ do = "damage", amount = 1, to = "enemies" }]
"""

GOBLINS = [
    (".......", "...g...", "..gVg..", "...g...", ".......", "....g.."),
    (".......", "..g.g..", "..gVg..", "..ggg..", ".......", "....g.."),
    ("..g.g..", "..g.g..", "..gVg..", "..ggg..", ".g...g.", "....g.."),
]
"""Five, eight and twelve goblins of 4 HP around Vex."""


def burst(rows: tuple[str, ...], power: str = "quake") -> tuple[Game, UsePower]:
    game = Game(book_with(QUAKE, "vex")).draw(*rows).begin("vex")
    return game, UsePower(who="vex", power=power)


def by_hand(targets: int) -> dict[tuple[int, int, int], Fraction]:
    """Hits, damage, Taken Out of an attack for 2 on goblins of 4 HP, one die each: a 6 doubles, a 1 or 2
    misses."""
    found = {(0, 0, 0): Fraction(1)}
    for _ in range(targets):
        more: Counter[tuple[int, int, int]] = Counter()
        for (hit, damage, out), chance in found.items():
            more[hit, damage, out] += chance * Fraction(2, 6)
            more[hit + 1, damage + 2, out] += chance * Fraction(3, 6)
            more[hit + 1, damage + 4, out + 1] += chance * Fraction(1, 6)
        found = dict(more)
    return found


@pytest.mark.parametrize("rows", GOBLINS)
def test_a_burst_on_many_is_exact(rows: tuple[str, ...]) -> None:
    """STR-TAC-09, of five, eight and twelve: six to the power of twelve ways, which nobody plays."""
    game, args = burst(rows)
    odds = attack_odds_by_target(game.world, args)
    assert odds.plays == 0
    assert odds.totals == by_hand(len(odds.by_target))
    what = expected_outcome_within_effort(game.world, Option("combat attack", args, ()))
    count = len(odds.by_target)
    assert (what.plays, what.hit, what.damage) == (0, 1 - Fraction(1, 3) ** count, Fraction(10, 6) * count)


def test_who_is_not_rolled_against_leaves_the_others_exact() -> None:
    """STR-TAC-12: one of thirteen prevents the attack on it before the die. It adds nothing to what the
    attack does, and no estimate is made for its sake."""
    shy = """
[powers.shy]
name = "Shy"
action = "interrupt"
on = "declared"
effect = [{ do = "prevent" }]
"""
    rows = [*GOBLINS[2][:-1], "...p.g."]
    game = Game(book_with(QUAKE + shy, "vex", "post")).draw(*rows).begin("vex")
    what = expected_outcome_within_effort(
        game.world, Option("combat attack", UsePower(who="vex", power="quake"), ())
    )
    assert (what.plays, what.hit, what.damage) == (0, 1 - Fraction(1, 3) ** 12, Fraction(10, 6) * 12)
    assert (what.taken_out, what.own_damage) == (Fraction(1, 6) * 12, 0)


def test_apart_is_what_all_together_comes_to() -> None:
    """Three targets of different HP, with Disadvantage and a status among them: the same fractions as every
    way the dice can fall, played one by one."""
    game, args = burst(("......", ".gVx..", "..g...", "......"))
    game.afflict("goblin-1", "guarded").put("goblin-2", hp=1)
    together: Counter[Any] = Counter()
    for lines, chance in attack_odds(game.world, args).items():
        known = [line for line in lines if line]
        hits = sum(line.result != "miss" for line in known)
        together[hits, sum(line.damage for line in known), sum(line.taken_out for line in known)] += chance
    odds = attack_odds_by_target(game.world, args)
    assert odds.plays == 0
    assert odds.totals == dict(together)


def test_what_few_targets_do_to_each_other_is_played_out() -> None:
    """An effect that hurts everybody near makes one roll matter to the next target: not counted apart, but
    exact, since two rolls are few."""
    game, args = burst(("....", ".Vg.", "..g."), "chain")
    odds = attack_odds_by_target(game.world, args)
    alone = {target: sum(chance for (line,), chance in lines.items() if line and line.taken_out)
             for target, lines in odds.by_target.items()}  # fmt: skip
    assert odds.plays == 0
    # A 4 or 5 deals 2 and 1 to all, a 6 twice 2 and 1 to all. By hand, over 36 falls.
    out: Counter[str] = Counter()
    for first, second in product(range(1, 7), repeat=2):
        hp = {"goblin-1": 4, "goblin-2": 4}
        for target, face in zip(hp, (first, second), strict=True):
            if hp[target] > 0:
                hp[target] -= 0 if face < 3 else 4 if face == 6 else 2
                if face > 3:
                    hp = {who: left - 1 if left > 0 else left for who, left in hp.items()}
            out[target] += hp[target] <= 0
    assert alone["goblin-2"] == Fraction(out["goblin-2"], 36)


@pytest.mark.slow
def test_what_many_targets_do_to_each_other_is_estimated() -> None:
    """One Miss Token turns the first miss of twelve: the rolls touch each other, and the chances are said to
    be an estimate, each within what is stated."""
    game, args = burst(GOBLINS[2])
    game.put("vex", miss_tokens=1)
    odds = attack_odds_by_target(game.world, args)
    assert odds.plays > 0
    hits: Counter[int] = Counter()
    for totals, chance in odds.totals.items():
        hits[totals.hit] += chance
    exact: Counter[int] = Counter()
    for missed in range(13):
        exact[12 - max(missed - 1, 0)] += (
            comb(12, missed) * Fraction(1, 3) ** missed * Fraction(2, 3) ** (12 - missed)
        )
    for count in range(13):
        assert abs(hits[count] - exact[count]) < margin_of_error(odds.plays)
    assert odds == attack_odds_by_target(game.world, args)  # who asks again is told the same


def test_the_drivers_keep_to_their_plays() -> None:
    """Whatever the dice: no more plays than were allowed for counting, and for the estimate."""
    started = 0

    def rolls(sides: int) -> Procedure[int]:
        total = 0
        for _ in range(20):
            total += (yield Roll(1, sides, "a die", ""))[0]
            if total % 7 == 3:  # some branches end early, so that no product foretells how many there are
                return total
        return total

    def start() -> tuple[Procedure[int], None]:
        nonlocal started
        started += 1
        return rolls(6), None

    ways = exact_or_estimated_chances(start, lambda total: total, max_ways=100, plays=50)
    assert (ways.plays, ways.is_estimate) == (50, True)
    assert started <= 150
    assert sum(ways.values()) == 1


def test_more_dice_at_once_than_can_be_listed() -> None:
    """Twenty dice in one roll: their faces are never listed, whatever the rule reads of them."""

    def many() -> Procedure[int]:
        return max((yield Roll(20, 6, "dice", "", max)))

    ways = exact_or_estimated_chances(lambda: (many(), None), lambda highest: highest, plays=50)
    assert ways.plays == 50
    assert ways[6] > Fraction(4, 5)


def test_what_rolls_much_is_played_fewer_times() -> None:
    """An estimate ends once it has come to so many rolls, after three plays at least."""

    def many() -> Procedure[int]:
        total = 0
        for _ in range(10):
            total += sum((yield Roll(1, 6, "die", "")))
        return total

    for rolls, plays in ((0, 50), (100, 10), (5, 3)):
        ways: Chances[int] = exact_or_estimated_chances(
            lambda: (many(), None), lambda total: total, max_ways=100, plays=50, roll_limit=rolls
        )
        assert (ways.plays, sum(ways.values())) == (plays, 1)


def test_an_estimates_error_is_as_stated() -> None:
    """The mean of a roll of two dice, from many estimates: hardly ever further off than is said."""

    def two() -> Procedure[int]:
        return sum((yield Roll(2, 6, "dice", "")))

    for plays in (25, 100, 400):
        ways: Chances[int] = estimate_chances(lambda: (two(), None), lambda total: total, plays=plays)
        assert abs(ways.mean(float) - 7) <= ways.margin_of_error_of_mean(float)
        assert ways.margin_of_error_of_mean(float) < 6 / plays**0.5
    exact = exact_or_estimated_chances(lambda: (two(), None), lambda total: total)
    assert (exact.plays, exact.margin_of_error_of_mean(float)) == (0, 0.0)


def test_one_play_is_an_estimate() -> None:
    for plays in (0, 1, 2):
        ways = Chances({1: Fraction(1)})
        ways.plays = plays
        assert ways.is_estimate is (plays > 0), plays


def test_how_far_an_estimate_may_be_off() -> None:
    """Two standard errors: half as much from four times as many plays, ten times as much of what is ten times
    as large; and of what always came out alike as if it had once come out otherwise."""
    even = Chances({1: Fraction(1, 2), -1: Fraction(1, 2)})
    assert even.margin_of_error_of_mean(float) == 0, "it is exact"
    for plays, off in ((100, 0.2), (400, 0.1)):
        even.plays = plays
        assert even.mean(float) == 0
        assert even.margin_of_error_of_mean(float) == pytest.approx(off, rel=0.01)
        assert even.margin_of_error_of_mean(lambda value: 10.0 * value) == pytest.approx(10 * off, rel=0.01)
    lop = Chances({8: Fraction(1, 4), 0: Fraction(3, 4)})
    lop.plays = 300
    assert lop.mean(float) == 2
    assert lop.margin_of_error_of_mean(float) == pytest.approx(0.4, rel=0.01)
    sure = Chances({5: Fraction(1)})
    sure.plays = 50
    assert sure.margin_of_error_of_mean(float) == pytest.approx(2 / 50)


def test_parts_that_read_each_other_are_not_apart() -> None:
    """A part that reads what the other wrote is found out by playing the whole."""

    def part(world: World, who: str, reads: bool) -> Procedure[int]:
        face = (yield Roll(1, 6, "a die", who))[0]
        came = face + (world.get("score.one", 0) if reads else 0)
        yield world.happen("scored", who, "", {f"score.{who}": came})
        return came

    def whole(world: World, reads: bool) -> Procedure[int]:
        one = yield from part(world, "one", False)
        return one + (yield from part(world, "two", reads))

    def asked(reads: bool) -> Any:
        def made(play: Any, *more: Any) -> IndependentPart[int]:
            def start() -> Any:
                world = World(None)
                return play(world, *more), world

            return IndependentPart(start, int)

        return outcomes_of_parts_if_independent(
            made(whole, reads), [made(part, "one", False), made(part, "two", reads)], lambda each: sum(each)
        )

    assert asked(False) is not None
    assert asked(True) is None


@pytest.mark.parametrize(
    ("parts", "whole", "apart"),
    [
        ([[(1, 6)], [(1, 6)]], [(1, 6), (1, 6)], True),
        ([[(1, 6)], [(1, 6)]], [(1, 6)], False),  # a die of a part is never rolled
        ([[(1, 6)], [(1, 6)]], [(1, 6), (1, 6), (1, 6)], False),  # one is rolled that no part has
        ([[(1, 6)], [(1, 6)]], [(2, 6), (1, 6)], False),
        ([[(2, 6)], [(1, 6)]], [(1, 6), (1, 6)], False),
        ([[(1, 6)], [(1, 6)]], [(1, 4), (1, 6)], False),
        ([[(1, 4)], [(1, 4)]], [(1, 4), (1, 4)], True),
        ([[(1, 4)], [(1, 6), (1, 4)]], [(1, 4), (1, 6), (1, 4)], True),
        ([[(1, 6)], []], [(1, 6)], True),
    ],
)
def test_parts_have_the_dice_of_the_whole(
    parts: list[list[tuple[int, int]]], whole: list[tuple[int, int]], apart: bool
) -> None:
    """What rolls other dice than its parts, more or fewer, is not counted by them, even where it comes to the
    same."""

    def part(rolls: list[tuple[int, int]]) -> IndependentPart[int]:
        def procedure() -> Procedure[int]:
            for n, sides in rolls:
                yield Roll(n, sides, "dice", "")
            return 0

        return IndependentPart(lambda: (procedure(), None), int)

    found = outcomes_of_parts_if_independent(part(whole), [part(each) for each in parts], lambda each: 0)
    assert (found is not None) is apart
    for leaves in found or ():
        assert sum(leaf.chance for leaf in leaves) == 1


def test_parts_that_make_more_of_two_dice_are_not_apart() -> None:
    """Whichever face it is that counts double where both show it. Nor is falling alike enough: each is tried
    beside others of the other's faces, too."""

    def single() -> Procedure[int]:
        return (yield Roll(1, 6, "a die", ""))[0]

    def pair(more: Callable[[int, int], bool]) -> Procedure[int]:
        first, second = (yield from single()), (yield from single())
        return first + second + more(first, second)

    def apart(more: Callable[[int, int], bool], **how: Any) -> Any:
        whole = IndependentPart(lambda: (pair(more), None), int)
        parts = [IndependentPart(lambda: (single(), None), int)] * 2
        return outcomes_of_parts_if_independent(whole, parts, sum, **how)

    for face in range(1, 7):
        assert apart(lambda one, other, face=face: one == other == face) is None, face
    for rounds in (0, 1):
        assert apart(lambda one, other: one != other, rounds=rounds) is None, rounds
    assert apart(lambda one, other: False) is not None


def test_any_systems_options_share_a_stated_number_of_plays() -> None:
    """What `options --odds` and `auto` of every system weigh with: few plays for each of many options, and
    all that there are for few."""
    assert plays_per_option(2, 4) == 1296
    for options, people in ((20, 30), (250, 30), (1000, 60)):
        assert options * plays_per_option(options, people) <= max(12_000 / people, 3 * options)


# Thirty combatants


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crowd(tmp_path_factory.mktemp("crowd") / "field")


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many rolls, or plays without any, are played."""
    found: Counter[str] = Counter()
    spend = WorkBudget.count_roll

    def counted(effort: WorkBudget) -> None:
        found["rolls"] += 1
        spend(effort)

    monkeypatch.setattr(WorkBudget, "count_roll", counted)
    return found


MOST = MOST_WORK // 30
"""Rolls that a question of thirty combatants is worth."""


@pytest.mark.slow
def test_a_bot_among_thirty(field: Path, spent: Counter[str]) -> None:
    """It weighs what it can with a stated effort, and takes what hits many."""
    with Campaign(field) as campaign:
        option = FullBot().choose_command(World(campaign.book, campaign.state), "hero-1")
    assert option.args.power in ("tremor", "storm")
    assert spent["rolls"] < 1.5 * MOST


@pytest.mark.slow
def test_twelve_cost_little_more_than_twice_six(field: Path, spent: Counter[str]) -> None:
    with Campaign(field) as campaign:
        world = World(campaign.book, campaign.state)
        cost = {}
        for power in ("quake", "tremor"):
            spent.clear()
            expected_gain_to_side_acted_for(
                world, "hero-1", Option("combat attack", UsePower(who="hero-1", power=power), ())
            )
            cost[power] = spent["rolls"]
    assert cost["tremor"] < 2.5 * cost["quake"]


@pytest.mark.slow
def test_options_among_thirty(
    field: Path, spent: Counter[str], strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All single targets, the best areas, and how many ways are not listed; the odds of each."""
    monkeypatch.chdir(field)
    data = strike.json("combat options")["data"]
    assert spent["rolls"] < 1.5 * MOST
    assert data["left_out"]["volley"] > 4000
    volleys = [one for one in data["options"] if one["args"].get("power") == "volley"]
    assert {tuple(one["args"]["targets"]) for one in volleys} >= {(f"brute-{n}",) for n in range(1, 16)}
    assert {"end-turn", "assess hero-1"} <= {one["typed"] for one in data["options"]}
    assert "Also possible" in strike("combat options").out


@pytest.mark.slow
def test_an_estimate_is_told_as_one(field: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the screen and in JSON; exact odds say nothing of the sort."""
    monkeypatch.chdir(field)
    strike("combat gm set hero-2 --tokens 1", None)
    exact = strike.json("odds attack hero-1 --power tremor")["data"]
    assert "estimate" not in exact
    assert len(exact["targets"]) == 12
    strike("combat token hero-1")
    found = strike.json("odds attack hero-1 --power tremor")["data"]
    assert found["estimate"] is True
    assert found["plays"] > 50
    assert 0 < found["within"] < 0.15
    assert "Estimated from" in strike("odds attack hero-1 --power tremor").out


def test_a_mean_is_the_same_on_every_python() -> None:
    tenths = Chances({face: Fraction(1, 10) for face in range(10)})
    assert tenths.mean(lambda _: 1.0) == 1.0
