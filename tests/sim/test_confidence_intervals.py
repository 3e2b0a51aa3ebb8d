"""What is said of a chance from so many fights holds as often as it promises."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import accumulate, product
from math import comb
from random import Random

import pytest
from support.thorough import few_of, some_of

from strike_cli.sim.confidence_intervals import (
    DOUBT,
    Interval,
    PairedWins,
    beta_cdf,
    beta_parameters_of_wins,
    doubt_for_peek_after_share_of_fights,
    exact_chance_interval,
    mcnemar_p_value,
    mean_interval,
    paired_difference,
    played_share_of_needed_fights,
    second_players_win_interval,
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
    found = exact_chance_interval(count, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_of_none_there_is_a_bound() -> None:
    """Of 0 in 100 no more than 3.6%, and as much on the other side."""
    found = exact_chance_interval(0, 100)
    assert found.value == found.low == 0 and abs(found.high - (1 - 0.025 ** (1 / 100))) < 1e-9
    other = exact_chance_interval(100, 100)
    assert other.high == 1 and abs(other.low - (1 - found.high)) < 1e-9


@pytest.mark.parametrize("p", few_of([0.03, 0.05, 0.3, 0.5, 0.9, 0.96], 4))
@pytest.mark.parametrize("of", [10, 60])
def test_the_interval_covers_the_truth_as_often_as_it_says(p: float, of: int) -> None:
    covered = sum(
        comb(of, k) * p**k * (1 - p) ** (of - k)
        for k in range(of + 1)
        if _holds(exact_chance_interval(k, of), p)
    )
    assert covered >= 0.95


def _holds(interval: tuple[float, float, float, str], p: float) -> bool:
    return interval[1] <= p <= interval[2]


def test_the_beta_distribution_sums_to_binomials() -> None:
    for k, n, p in ((3, 12, 0.2), (7, 9, 0.61), (40, 90, 0.5)):
        tail = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
        assert beta_cdf(k, n - k + 1, p) == pytest.approx(tail, rel=1e-10)


# The better player's chance, from fights that both have played and others of the first


@cache
def _binomial(of: int, p: float) -> list[float]:
    return list(accumulate(comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(of + 1)))


def _fights(source: Random, fights: int, pairs: int, first: float, second: float, alike: float) -> PairedWins:
    """Fights of two players by chance: how often each wins, and how much alike they come out."""
    both = first * second + alike * (first * (1 - first) * second * (1 - second)) ** 0.5

    def draw(of: int, p: float) -> int:
        return bisect(_binomial(of, p), source.random(), hi=of)

    wins = draw(pairs, first)
    of_wins, of_losses = draw(wins, both / first), draw(pairs - wins, (second - both) / (1 - first))
    besides = fights - pairs
    losses = pairs - wins - of_losses
    return PairedWins(of_wins, wins - of_wins, of_losses, losses, besides, draw(besides, first))


def _covers(found: PairedWins, p: float) -> bool:
    """Whether the interval has the truth in it; the same as `stratified` says, and quicker."""
    won = found.both + found.second
    if won in (0, found.pairs):
        return (
            exact_chance_interval(won, found.pairs).low <= p <= exact_chance_interval(won, found.pairs).high
        )
    return DOUBT / 2 <= beta_cdf(*beta_parameters_of_wins(found), p) <= 1 - DOUBT / 2


SETTINGS = [
    (fights, pairs, first, second, alike)
    for (fights, pairs), first, second, alike in product(
        [(100, 40), (400, 80), (1000, 200)], [0.1, 0.3, 0.5, 0.94], [0.1, 0.3, 0.5, 0.8], [0.0, 0.3, 0.6]
    )
    if max(0.0, first + second - 1)
    <= first * second + alike * (first * (1 - first) * second * (1 - second)) ** 0.5
    <= min(first, second)
]
"""Fights of the first player, how many of them both play, how often each wins, how alike they come out."""


@pytest.mark.slow
@pytest.mark.parametrize(("fights", "pairs"), [(100, 40), (400, 80), (1000, 200)])
def test_the_better_players_chance_is_covered_as_often_as_promised(fights: int, pairs: int) -> None:
    """In 19 of 20 runs, never in less than 94 of 100 nor in more than 97, whatever the two players' fights
    have to do with each other."""
    own = [setting for setting in SETTINGS if setting[:2] == (fights, pairs)]
    assert len(own) > 20
    for setting in some_of(own):
        source, runs, covers = Random(f"cover {setting}"), 20_000, lru_cache(None)(_covers)
        covered = sum(covers(_fights(source, *setting), setting[3]) for _ in range(runs)) / runs
        assert 0.938 < covered < 0.972, setting  # the bounds, and two standard errors of so many runs


def test_the_better_players_chance_is_told_as_it_is_tested() -> None:
    source = Random("told")
    for setting in SETTINGS[::11]:
        found, p = _fights(source, *setting), source.random()
        told = second_players_win_interval(found)
        assert (told.low <= p <= told.high) == _covers(found, p)
        assert told.low <= told.value <= told.high


@pytest.mark.slow
def test_fights_of_the_other_player_help_as_far_as_they_come_out_alike() -> None:
    """The interval is never wider than that of the better player's fights alone; where the two come out
    alike, much narrower."""
    for alike, most in ((0.0, 1.0), (0.3, 0.96), (0.6, 0.84)):
        source = Random(f"width {alike}")
        runs = [_fights(source, 400, 80, 0.5, 0.5, alike) for _ in range(24)]
        own = sum(exact_chance_interval(found.both + found.second, 80).half_width for found in runs)
        assert sum(second_players_win_interval(found).half_width for found in runs) < most * own


def test_the_better_players_share_is_weighed_by_the_others_wins() -> None:
    """Nine of ten where the other wins, one of ten where it loses: by how often it wins in all."""
    assert second_players_win_interval(PairedWins(9, 1, 1, 9, 80, 40)).value == pytest.approx(0.5)
    assert second_players_win_interval(PairedWins(9, 1, 1, 9, 180, 170)).value == pytest.approx(
        0.9 * 0.9 + 0.1 * 0.1
    )
    assert second_players_win_interval(PairedWins(9, 11, 0, 0, 80, 70)).value == 9 / 20, (
        "where nothing is known of its losses"
    )
    assert second_players_win_interval(PairedWins(20, 20, 0, 0, 80, 70)).high < 1
    assert second_players_win_interval(PairedWins(20, 0, 20, 0)) == exact_chance_interval(40, 40)


# Looking again and again


@cache
def _at_look(won: int, of: int, within: float) -> Interval:
    return exact_chance_interval(
        won,
        of,
        doubt_for_peek_after_share_of_fights(
            played_share_of_needed_fights(exact_chance_interval(won, of), within)
        ),
    )


def _until(source: Random, p: float, within: float, step: int) -> Iterator[tuple[int, Interval]]:
    """What somebody sees who looks after every so many fights until the chance is known."""
    of = won = 0
    while True:
        of, won = of + step, won + sum(source.random() < p for _ in range(step))
        found = _at_look(won, of, within)
        yield of, found
        if found.half_width <= within:
            return


@pytest.mark.slow
@pytest.mark.parametrize(("p", "within"), [(0.5, 0.1), (0.5, 0.05), (0.3, 0.05), (0.9, 0.05), (0.02, 0.05)])
def test_who_looks_until_it_is_known_is_wrong_once_in_twenty(p: float, within: float) -> None:
    """At any look, the last one among them; and it takes little more than a third of the fights more than a
    number that was known beforehand."""
    source, runs = Random(f"until {p} {within}"), 3000
    wrong = fights = 0
    for _ in range(runs):
        seen = list(_until(source, p, within, 20))
        wrong += any(not found.low <= p <= found.high for _, found in seen)
        fights += seen[-1][0]
    assert wrong / runs < 0.056
    fixed = 1.96**2 * p * (1 - p) / within**2
    assert fights / runs < 1.5 * fixed + 40
    if fixed > 50:
        assert wrong / runs > 0.015, "no wider than it has to be"


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.1, 0.5])
def test_who_stops_a_run_when_they_like_is_wrong_once_in_twenty(p: float) -> None:
    """A run of 400 fights, looked at after every 40: the intervals on the way leave the truth out in less
    than one of 20 runs, those for one look in far more."""
    source, runs, looks = Random(f"peek {p}"), 600, range(40, 401, 40)
    bounds = [
        {n: _counts_that_hold(how, n, p) for n in looks}
        for how in (
            lambda won, n: exact_chance_interval(won, n, doubt_for_peek_after_share_of_fights(n / 400)),
            _bell_curve,
        )
    ]
    wrong = [0, 0]
    for _ in range(runs):
        won, left = 0, [False, False]
        for n in looks:
            won += sum(source.random() < p for _ in range(40))
            left = [was or won not in counts[n] for was, counts in zip(left, bounds, strict=True)]
        wrong = [so_far + now for so_far, now in zip(wrong, left, strict=True)]
    assert 0.01 < wrong[0] / runs < 0.05
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


def test_the_last_look_is_little_wider_than_the_only_one() -> None:
    """O'Brien and Fleming: 2.24 standard errors at the end, twice as many after a quarter of the fights."""

    def wider(of: int, share: float) -> float:
        return (
            exact_chance_interval(of // 2, of, doubt_for_peek_after_share_of_fights(share)).half_width
            / exact_chance_interval(of // 2, of).half_width
        )

    assert wider(4000, 1) == pytest.approx(2.2414 / 1.96, abs=0.01)
    assert wider(1000, 0.25) == pytest.approx(2 * 2.2414 / 1.96, abs=0.05)


def test_mcnemar_counts_pairs_that_differ() -> None:
    assert mcnemar_p_value(0, 0) == 1
    assert mcnemar_p_value(3, 12) == pytest.approx(2 * sum(comb(15, k) for k in range(4)) / 2**15)
    assert mcnemar_p_value(6000, 6500) < 1e-4 < mcnemar_p_value(6200, 6300) < 1
    assert mcnemar_p_value(1, 9) == mcnemar_p_value(9, 1)


def test_a_difference_of_pairs_has_its_sign() -> None:
    found = paired_difference(30, 10, 100)
    assert found.value == 0.2 and 0 < found.low < 0.2 < found.high < 0.5
    assert paired_difference(0, 0, 0).low == -1


def test_a_mean_is_that_of_a_published_sample() -> None:
    """Ten extra hours of sleep (Student 1908): 2.33 more, 95% of t with nine degrees of freedom."""
    hours = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = mean_interval(sum(hours), sum(hour**2 for hour in hours), 10)
    assert (round(found.value, 2), round(found.low, 2), round(found.high, 2)) == (2.33, 0.9, 3.76)
