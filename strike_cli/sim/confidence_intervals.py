"""Confidence intervals for chances and means of simulated fights, and a test that compares two sides.

To look at an interval while the fights are still being played, compute it with the doubt of
`doubt_for_peek_after_share_of_fights`. Then somebody may look as often as they like. Only the standard
library is used.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple

DOUBT = 0.05
"""The default chance that an interval misses the true value: once in 20."""
EXACT, STRATIFIED = "exact binomial", "stratified by the same dice"
"""The methods by which an interval is found."""


class Interval(NamedTuple):
    """A chance or a mean (`value`), with its confidence interval from `low` to `high`.

    `method` is EXACT or STRATIFIED for a chance, "t" for a mean, and "paired" for a difference of two
    chances.
    """

    value: float
    low: float
    high: float
    method: str = EXACT

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


def exact_chance_interval(count: int, total: int, doubt: float = DOUBT) -> Interval:
    """Return the chance of an event that occurred `count` times in `total`, with its interval.

    The interval is Clopper and Pearson's, which is never too narrow: it misses the true chance with a
    probability of at most `doubt`.
    """
    if not total:
        return Interval(0.0, 0.0, 1.0)
    tail = doubt / 2
    low = 0.0 if count == 0 else _beta_quantile(count, total - count + 1, tail)
    high = 1.0 if count == total else 1 - _beta_quantile(total - count, count + 1, tail)
    return Interval(count / total, low, high)


class PairedWins(NamedTuple):
    """Pairs of fights that two players played with the same dice, counted by who won.

    Each pair has one fight of each player. `both` counts the pairs in which both players won. `first` counts
    the pairs in which only the first player won, and `second` those in which only the second player won.
    `neither` counts the pairs in which neither player won. The first player may also have played fights
    without a partner: `besides` is their number, and `won_besides` is how many of them were won.
    """

    both: int
    first: int
    second: int
    neither: int
    besides: int = 0
    won_besides: int = 0

    @property
    def pairs(self) -> int:
        """The number of fights that both players have played."""
        return self.both + self.first + self.second + self.neither


def second_players_win_interval(paired: PairedWins, doubt: float = DOUBT) -> Interval:
    """Return the second player's chance to win, with its confidence interval.

    Both players play some of the fights, the pairs. The pairs give the second player's share of wins in two
    cases: if the first player wins, and if the first player loses. The first player also plays further fights
    alone. All fights of the first player together show how often each case occurs. The estimate is the mean
    of the two shares, each weighted by how often its case occurs. If the pairs contain only one of the cases,
    the estimate is the second player's simple share of wins.

    The interval comes from a beta distribution, with mean and variance from Jeffreys' priors. If the second
    player won none or all of the pairs, the result is that of `exact_chance_interval`.
    """
    pairs, won = paired.pairs, paired.both + paired.second
    if won in (0, pairs):
        return exact_chance_interval(won, pairs, doubt)
    a, b = beta_parameters_of_wins(paired)
    low, high = _beta_quantile(a, b, doubt / 2), 1 - _beta_quantile(b, a, doubt / 2)
    return Interval(_stratified_win_chance_of_second(paired), low, high, STRATIFIED)


def beta_parameters_of_wins(pairs: PairedWins) -> tuple[float, float]:
    """Return `a` and `b`, the parameters of the beta distribution of the second player's chance to win.

    `second_players_win_interval` explains the distribution.
    """
    wins, losses = pairs.both + pairs.first, pairs.second + pairs.neither
    of_wins, spread_of_wins = _jeffreys_moments(pairs.both, wins)
    of_losses, spread_of_losses = _jeffreys_moments(pairs.second, losses)
    first, spread = _jeffreys_moments(wins + pairs.won_besides, pairs.pairs + pairs.besides)
    middle = first * of_wins + (1 - first) * of_losses
    wide = (spread + first**2) * spread_of_wins + (spread + (1 - first) ** 2) * spread_of_losses
    wide += spread * (of_wins - of_losses) ** 2
    size = middle * (1 - middle) / (wide * (1 + 1 / pairs.pairs)) - 1
    return middle * size, (1 - middle) * size


def _jeffreys_moments(count: int, total: int) -> tuple[float, float]:
    """Return the mean and variance of a chance, after `count` successes in `total` tries.

    The estimate begins with Jeffreys' prior: before the tries, nothing is known about the chance.
    """
    middle = (count + 0.5) / (total + 1)
    return middle, middle * (1 - middle) / (total + 2)


def _stratified_win_chance_of_second(pairs: PairedWins) -> float:
    wins, losses = pairs.both + pairs.first, pairs.second + pairs.neither
    if not (wins and losses):
        return (pairs.both + pairs.second) / pairs.pairs
    first = (wins + pairs.won_besides) / (pairs.pairs + pairs.besides)
    return first * pairs.both / wins + (1 - first) * pairs.second / losses


PEEKING_BOUNDARY = 2.241403
"""The standard errors of a boundary that a chance crosses by luck once in 20 runs, at any time up to the end
(O'Brien and Fleming's boundary, looked at without end: Brownian motion leaves it with 5%).
"""


def doubt_for_peek_after_share_of_fights(share: float) -> float:
    """Return the doubt for an interval that is shown while fights are still being played.

    The doubt is the chance that the interval misses the true value. The fewer fights have been played, the
    smaller the doubt is. So people may look at the interval as often as they like, and stop at any time: only
    about one run in 20 misleads them.

    Args:
        share: The share of all fights that have been played, from 0 to 1.
    """
    return 2 * NormalDist().cdf(-PEEKING_BOUNDARY / sqrt(min(max(share, 1e-3), 1.0)))


def played_share_of_needed_fights(known: Interval, half_width: float) -> float:
    """Return how many of the needed fights have been played, as a share: 0.5 means half of them.

    A share above 1 means that fewer fights would have been enough.

    Args:
        known: The ordinary confidence interval after the fights so far.
        half_width: Half of the interval's width that is wanted in the end.
    """
    off = max(known.half_width / NormalDist().inv_cdf(1 - DOUBT / 2), 1e-9)
    return (half_width / (PEEKING_BOUNDARY * off)) ** 2


def mean_interval(total: float, squares: float, count: int, doubt: float = DOUBT) -> Interval:
    """Return a mean and its Student's t interval, from the sum and the sum of squares of `count` numbers."""
    if count < 2:
        return Interval(total / max(count, 1), -inf, inf, "t")
    value = total / count
    off = _student_quantile(count - 1, doubt) * sqrt(variance(total, squares, count) / count)
    return Interval(value, value - off, value + off, "t")


def variance(total: float, squares: float, count: int) -> float:
    """Return the variance of `count` numbers, from their sum and the sum of their squares."""
    return max(0.0, (squares - total * total / count) / (count - 1)) if count > 1 else 0.0


def mcnemar_p_value(first_only: int, second_only: int) -> float:
    """Return the p value of McNemar's exact test of two sides' wins.

    It is the chance that luck alone makes a difference this large.

    `first_only` and `second_only` are the numbers of pairs that only the first or only the second side has
    won. With more than MOST_EXACT such pairs, the normal distribution is used.
    """
    differ = first_only + second_only
    if not differ:
        return 1.0
    fewer = min(first_only, second_only)
    if differ > MOST_EXACT:
        off = (abs(first_only - second_only) - 1) / sqrt(differ)
        return min(1.0, 2 * (1 - NormalDist().cdf(off)))
    return float(min(1.0, sum(comb(differ, k) for k in range(fewer + 1)) * 2 / 2**differ))


MOST_EXACT = 1000
"""The most pairs that are counted exactly; for more the normal distribution is as good."""


def paired_difference(first_only: int, second_only: int, pairs: int, doubt: float = DOUBT) -> Interval:
    """Return how much more often the first of two sides won, as a share of all pairs, with an interval.

    `pairs` is the number of pairs. `first_only` is the number of pairs that only the first side won, and
    `second_only` the number that only the second side won.

    For the interval, half a pair is added to each of the four kinds of pairs (Agresti and Min). Otherwise the
    interval would be too narrow for few pairs.
    """
    if not pairs:
        return Interval(0.0, -1.0, 1.0, "paired")
    one, other, n = first_only + 0.5, second_only + 0.5, pairs + 2
    middle = (one - other) / n
    off = NormalDist().inv_cdf(1 - doubt / 2) * sqrt(max(0.0, (one + other) / n - middle**2) / n)
    return Interval(
        (first_only - second_only) / pairs, max(-1.0, middle - off), min(1.0, middle + off), "paired"
    )


# Numbers


def beta_cdf(a: float, b: float, x: float) -> float:
    """Return the share of the beta distribution below x, computed by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(a * log(x) + b * log1p(-x) - (lgamma(a) + lgamma(b) - lgamma(a + b)))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_continued_fraction(a, b, x) / a
    return 1 - front * _beta_continued_fraction(b, a, 1 - x) / b


def _beta_continued_fraction(a: float, b: float, x: float) -> float:
    """Return the value of the beta distribution's continued fraction, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1), tiny)
    found = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + step * d, tiny)
            c = _away_from_zero(1 + step / c, tiny)
            found *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return found


def _away_from_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def _beta_quantile(a: float, b: float, share: float) -> float:
    return _find_zero(lambda x: beta_cdf(a, b, x) - share)


def _find_zero(rising_function: Callable[[float], float], low: float = 0.0, high: float = 1.0) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        if rising_function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _student_quantile(freedom: int, doubt: float) -> float:
    """Return the number that the absolute value of a Student's t exceeds with the chance `doubt`.

    `freedom` is the number of degrees of freedom.
    """
    if freedom > 200:
        return NormalDist().inv_cdf(1 - doubt / 2)
    return _find_zero(lambda t: doubt - beta_cdf(freedom / 2, 0.5, freedom / (freedom + t * t)), high=1000.0)
