"""What is said of a chance from so many fights holds as often as it promises."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import comb
from random import Random

import pytest
from support.thorough import THOROUGH

from strike_cli.sim.intervals import (
    Interval,
    at_any_time,
    beta_share,
    chance,
    mcnemar,
    mean,
    paired_difference,
)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        # Published values of Clopper and Pearson's interval at 95%.
        (5, 10, 0.1871, 0.8129),
        (1, 10, 0.0025, 0.4450),
        (50, 100, 0.3983, 0.6017),
        (3, 20, 0.0321, 0.3789),
    ],
)
def test_the_interval_of_a_chance_is_the_published_one(count: int, of: int, low: float, high: float) -> None:
    found = chance(count, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_of_none_there_is_a_bound() -> None:
    """The rule of three: of 0 in 100 no more than about 3%."""
    found = chance(0, 100)
    assert found.value == found.low == 0 and abs(found.high - (1 - 0.05 ** (1 / 100))) < 1e-9
    other = chance(100, 100)
    assert other.high == 1 and abs(other.low - (1 - found.high)) < 1e-9


@pytest.mark.parametrize("p", [0.03, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("of", [10, 60])
def test_the_interval_covers_the_truth_as_often_as_it_says(p: float, of: int) -> None:
    covered = sum(comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(of + 1) if _holds(chance(k, of), p))
    assert covered >= 0.949


def _holds(interval: tuple[float, float, float, str], p: float) -> bool:
    return interval[1] <= p <= interval[2]


def test_the_beta_distribution_sums_to_binomials() -> None:
    for k, n, p in ((3, 12, 0.2), (7, 9, 0.61), (40, 90, 0.5)):
        tail = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
        assert beta_share(k, n - k + 1, p) == pytest.approx(tail, rel=1e-10)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.85])
def test_whoever_peeks_is_wrong_no_more_often_than_promised(p: float) -> None:
    """A sequence looked at after every 50 of 2000 fights leaves the truth out in less than one of 20 runs,
    where the interval of a fixed number does so in far more."""
    source, runs = Random(f"peek {p}"), 20_000 if THOROUGH else 200
    step = 50 if THOROUGH else 100
    looks = range(step, 2001, step)
    bounds = [{n: _counts_that_hold(how, n, p) for n in looks} for how in (at_any_time, _bell_curve)]
    wrong = [0, 0]
    for _ in range(runs):
        won, left = 0, [False, False]
        for n in looks:
            won += sum(source.random() < p for _ in range(step))
            left = [was or won not in counts[n] for was, counts in zip(left, bounds, strict=True)]
        wrong = [so_far + now for so_far, now in zip(wrong, left, strict=True)]
    assert wrong[0] / runs < 0.05
    assert wrong[1] / runs > 0.1, "a plain interval fools whoever peeks"


def _bell_curve(count: int, of: int) -> Interval:
    """What everybody learns at school, and is right for one look."""
    p = count / of
    off = 1.96 * (p * (1 - p) / of) ** 0.5
    return Interval(p, p - off, p + off)


def _counts_that_hold(how: Callable[[int, int], Interval], n: int, p: float) -> range:
    """The counts of n whose interval has the truth in it: from one to another, by halving."""

    def first(holds: Callable[[int], bool], low: int, high: int) -> int:
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle + 1, high)
        return low

    begin = first(lambda count: how(count, n).high >= p, 0, n)
    end = first(lambda count: how(count, n).low > p, begin, n + 1)
    return range(begin, end)


def test_the_sequence_is_wider_than_an_interval_and_narrows() -> None:
    widths = [at_any_time(n // 2, n).within for n in (50, 200, 800, 3200)]
    assert all(one > other for one, other in pairwise(widths))
    assert at_any_time(400, 800).within > chance(400, 800).within


def test_mcnemar_counts_pairs_that_differ() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(3, 12) == pytest.approx(2 * sum(comb(15, k) for k in range(4)) / 2**15)
    assert mcnemar(6000, 6500) < 1e-4 < mcnemar(6200, 6300) < 1
    assert mcnemar(1, 9) == mcnemar(9, 1)


def test_a_difference_of_pairs_has_its_sign() -> None:
    found = paired_difference(30, 10, 100)
    assert found.value == 0.2 and 0 < found.low < 0.2 < found.high < 0.5
    assert paired_difference(0, 0, 0).low == -1


def test_a_mean_is_that_of_a_published_sample() -> None:
    """Ten extra hours of sleep (Student 1908): 2.33 more, 95% of t with nine degrees of freedom."""
    hours = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = mean(sum(hours), sum(hour**2 for hour in hours), 10)
    assert (round(found.value, 2), round(found.low, 2), round(found.high, 2)) == (2.33, 0.9, 3.76)
