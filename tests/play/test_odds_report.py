"""How odds are told: sums of any number of dice exactly, each thing by itself before all together, numbers in
the order of numbers, and what is an estimate beside each number."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.cases import case

from strike_cli.kernel.chance_estimates import exact_or_estimated_chances
from strike_cli.kernel.exact_odds import distinct_falls, first_option, play_all_outcomes
from strike_cli.kernel.procedure import Procedure, Roll
from strike_cli.tabletop.dice import DISADVANTAGE, Source, roll_die
from strike_cli.terminal.command_output import BarChart, Result, Table
from strike_cli.terminal.odds_view import chances_result_and_chart_file, odds_result_and_chart_file


def test_a_sum_is_counted_as_all_its_falls_are() -> None:
    for n, sides in ((0, 6), (1, 20), (3, 4), (5, 6)):
        with case(n, sides):
            listed = Counter(sum(faces) for faces in product(range(1, sides + 1), repeat=n))
            assert {sum(faces): ways for faces, ways in distinct_falls(n, sides, sum)} == listed
            assert all(len(faces) == n for faces, _ in distinct_falls(n, sides, sum))


@pytest.mark.parametrize("n", [8, 40])
def test_a_sum_of_many_dice_is_exact(n: int) -> None:
    """Eight dice fall in 1.7 million ways, and in 41 sums."""

    def rolled() -> Procedure[int]:
        return sum((yield Roll(n, 6, "damage", "mira", sum)))

    ways = exact_or_estimated_chances(lambda: (rolled(), None), int)
    assert not ways.is_estimate
    assert ways[n] == Fraction(1, 6**n)
    assert ways.mean(float) == pytest.approx(3.5 * n)


@pytest.mark.parametrize(
    ("reasons", "chance"), [((), Fraction(9, 20)), ((Source(DISADVANTAGE, "fog"),), Fraction(81, 400))]
)
def test_what_matters_of_a_die_is_played_once(reasons: tuple[Source, ...], chance: Fraction) -> None:
    """A d20 against 12 falls in two ways, with Disadvantage too."""

    def hits(face: int) -> bool:
        return face >= 12

    def rolled() -> Procedure[bool]:
        return hits((yield from roll_die("mira", "attack", reasons, sides=20, matters=hits)).kept)

    found = list(play_all_outcomes(lambda: (rolled(), None), first_option))
    assert len(found) == 2
    assert sum(Fraction(ways, of) for hit, ways, of in found if hit) == chance


def burst(targets: int, *, plays: int = 0, joint: bool = False) -> Result:
    """Each of so many takes two d6 of damage, if a coin falls so."""
    coin = Fraction(1, 2)
    two = Counter(sum(faces) for faces in product(range(1, 7), repeat=2))
    one = {(False, 0): coin, **{(True, damage): coin * Fraction(n, 36) for damage, n in two.items()}}
    rows: list[tuple[dict[str, Any], Fraction]] = [({}, Fraction(1))]
    for number in range(targets):
        rows = [
            (row | {f"t{number}_hits": hits, f"t{number}_damage": damage}, chance * more)
            for row, chance in rows
            for (hits, damage), more in one.items()
        ]
    return odds_result_and_chart_file("odds burst", {}, rows, None, plays, joint)


def test_each_by_itself_comes_before_all_together() -> None:
    """Of 144 combinations none is listed unasked; programs get all of them."""
    result = burst(2)
    assert isinstance(result.blocks[0], Table)
    assert not any(isinstance(block, BarChart) for block in result.blocks)
    assert len(result.data["outcomes"]) == 144
    each = result.data["each"]
    assert each["t0_hits"] == {"probability": "1/2", "p": 0.5}
    assert each["t1_damage"]["mean"] == 3.5
    assert each["t1_damage"]["at_least"]["10"] == {"probability": "1/12", "p": 0.0833}
    assert any(isinstance(block, BarChart) for block in burst(2, joint=True).blocks)


def test_damage_sorts_as_a_number() -> None:
    found = [({"damage": damage}, Fraction(1, 5)) for damage in (10, 9, 2, 100, 11)]
    told = odds_result_and_chart_file("odds", {}, found, None).data["outcomes"]
    assert [each["damage"] for each in told] == [2, 9, 10, 11, 100]


def test_an_estimate_says_so_beside_each_number() -> None:
    """400 plays, half of which hit: 45 to 55%. No fraction is told that wasn't counted."""
    result = burst(2, plays=400, joint=True)
    table, bars = result.blocks[0], result.blocks[1]
    assert isinstance(table, Table)
    assert isinstance(bars, BarChart)
    numbers = [str(row[1]) for row in table.rows] + [words for _, _, words in bars.rows]
    assert all(words.startswith("about ") and "±" in words for words in numbers)
    assert result.data["each"]["t0_hits"] == {"p": 0.5, "within": pytest.approx(0.05, abs=1e-3)}
    assert all(set(one) >= {"p", "within"} and "probability" not in one for one in result.data["outcomes"])
    sure = chances_result_and_chart_file("odds", {}, [({"hits": True}, "hits", Fraction(1))], None, 400).data[
        "outcomes"
    ][0]
    assert sure["within"] > 0, "what came up every time is not certain"
