"""Confidence intervals for chances and means from a number of fights, and tests of pairs.

They stay valid when a reader looks at the numbers again and again. Standard library only.
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

    `method` is EXACT or STRATIFIED.
    """

    value: float
    low: float
    high: float
    method: str = EXACT

    @property
    def within(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


def chance_interval(count: int, of: int, doubt: float = DOUBT) -> Interval:
    """Return the chance of an event that occurred `count` times in `of`, with its interval.

    The interval is Clopper and Pearson's, which is never too narrow: it misses the true chance with a
    probability of at most `doubt`.
    """
    if not of:
        return Interval(0.0, 0.0, 1.0)
    tail = doubt / 2
    low = 0.0 if count == 0 else _beta_quantile(count, of - count + 1, tail)
    high = 1.0 if count == of else 1 - _beta_quantile(of - count, count + 1, tail)
    return Interval(count / of, low, high)


class PairedWins(NamedTuple):
    """Pairs of fights that two players played with the same dice, counted by who won them.

    `both` counts the pairs that both players won, `first` and `second` those that only that player won, and
    `neither` the rest. `besides` counts further fights of the first player, and `won_besides` how many of
    them it won.
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


def stratified_interval(paired: PairedWins, doubt: float = DOUBT) -> Interval:
    """Return the second player's chance to win, estimated with the first player's fights.

    The second player has one share of wins among the fights that the first player wins, and another among
    those that the first player loses. They are weighted by how often the first player wins in all its fights.
    That is the regression estimate, with its coefficient fitted to the pairs. If the first player's fights
    say nothing about the second's, the estimate is simply the second player's share of wins. The interval
    belongs to the beta distribution with the mean and the variance that Jeffreys' priors give to those three
    chances. It is used even if the interval of the second player's simple share is narrower: a choice by the
    width of an interval would promise too much.
    """
    pairs, won = paired.pairs, paired.both + paired.second
    if won in (0, pairs):
        return chance_interval(won, pairs, doubt)
    a, b = beta_of_wins(paired)
    low, high = _beta_quantile(a, b, doubt / 2), 1 - _beta_quantile(b, a, doubt / 2)
    return Interval(_stratified_estimate(paired), low, high, STRATIFIED)


def beta_of_wins(pairs: PairedWins) -> tuple[float, float]:
    """Return `a` and `b`, the parameters of a beta distribution for the second player's chance.

    That is the second player's chance to win.

    `stratified_interval` explains it.
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


def _jeffreys_moments(count: int, of: int) -> tuple[float, float]:
    """Return the mean and variance of a chance about which nothing else is known (Jeffreys' prior)."""
    middle = (count + 0.5) / (of + 1)
    return middle, middle * (1 - middle) / (of + 2)


def _stratified_estimate(pairs: PairedWins) -> float:
    wins, losses = pairs.both + pairs.first, pairs.second + pairs.neither
    if not (wins and losses):
        return (pairs.both + pairs.second) / pairs.pairs
    first = (wins + pairs.won_besides) / (pairs.pairs + pairs.besides)
    return first * pairs.both / wins + (1 - first) * pairs.second / losses


PEEKING = 2.241403
"""The standard errors of a boundary that a chance crosses by luck once in 20 runs, at any time up to the end
(O'Brien and Fleming's boundary, looked at without end: Brownian motion leaves it with 5%).
"""


def doubt_at_look(share: float) -> float:
    """Return the doubt that an interval may leave when it is looked at after a share of all fights.

    The doubt is the chance that the interval misses the true value; `share` is from 0 to 1. A reader may look
    as often as they like, and stop as early as they like. With this doubt, such a reader is wrong once in 20
    times.
    """
    return 2 * NormalDist().cdf(-PEEKING / sqrt(min(max(share, 1e-3), 1.0)))


def share_played(known: Interval, within: float) -> float:
    """Return how many fights have been played, as a share of those that a narrow interval needs.

    An interval is narrow if half of its width is at most `within`. `known` is the ordinary interval of the
    chance so far. The share is above 1 if fewer fights would have been enough.
    """
    off = max(known.within / NormalDist().inv_cdf(1 - DOUBT / 2), 1e-9)
    return (within / (PEEKING * off)) ** 2


def mean_interval(total: float, squares: float, of: int, doubt: float = DOUBT) -> Interval:
    """Return a mean and its Student's t interval, from the sum and the sum of squares of `of` numbers."""
    if of < 2:
        return Interval(total / max(of, 1), -inf, inf, "t")
    value = total / of
    off = _student_quantile(of - 1, doubt) * sqrt(variance(total, squares, of) / of)
    return Interval(value, value - off, value + off, "t")


def variance(total: float, squares: float, of: int) -> float:
    """Return the variance of `of` numbers, from their sum and the sum of their squares."""
    return max(0.0, (squares - total * total / of) / (of - 1)) if of > 1 else 0.0


def mcnemar_test(one_only: int, other_only: int) -> float:
    """Return the chance that luck alone makes two sides differ in their wins by at least this much.

    It is McNemar's exact test, approximated for many pairs. `one_only` is the number of pairs that only the
    first side has won, and `other_only` the number of pairs that only the second has won.
    """
    differ = one_only + other_only
    if not differ:
        return 1.0
    fewer = min(one_only, other_only)
    if differ > MOST_EXACT:
        off = (abs(one_only - other_only) - 1) / sqrt(differ)
        return min(1.0, 2 * (1 - NormalDist().cdf(off)))
    return float(min(1.0, sum(comb(differ, k) for k in range(fewer + 1)) * 2 / 2**differ))


MOST_EXACT = 1000
"""The most pairs that are counted exactly; for more the normal distribution is as good."""


def paired_difference(one_only: int, other_only: int, of: int, doubt: float = DOUBT) -> Interval:
    """Return how much more often the first side wins than the second, as a share of all pairs.

    `of` is the number of all pairs. `one_only` is the number of pairs that only the first side has won,
    `other_only` the number that only the second has won. Half a pair is added to each of the two numbers
    (Agresti and Min): without that, intervals from few pairs are too narrow.
    """
    if not of:
        return Interval(0.0, -1.0, 1.0, "paired")
    one, other, n = one_only + 0.5, other_only + 0.5, of + 2
    middle = (one - other) / n
    off = NormalDist().inv_cdf(1 - doubt / 2) * sqrt(max(0.0, (one + other) / n - middle**2) / n)
    return Interval((one_only - other_only) / of, max(-1.0, middle - off), min(1.0, middle + off), "paired")


# Numbers


def beta_share(a: float, b: float, x: float) -> float:
    """Return the share of the beta distribution below x, computed by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(a * log(x) + b * log1p(-x) - (lgamma(a) + lgamma(b) - lgamma(a + b)))
    if x < (a + 1) / (a + b + 2):
        return front * _continued_fraction(a, b, x) / a
    return 1 - front * _continued_fraction(b, a, 1 - x) / b


def _continued_fraction(a: float, b: float, x: float) -> float:
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


def _find_zero(rises: Callable[[float], float], low: float = 0.0, high: float = 1.0) -> float:
    """Return the zero of a rising function between `low` and `high`."""
    for _ in range(60):
        middle = (low + high) / 2
        if rises(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_quantile(a: float, b: float, share: float) -> float:
    """Return the value below which this share of the beta distribution is."""
    return _find_zero(lambda x: beta_share(a, b, x) - share)


def _student_quantile(freedom: int, doubt: float) -> float:
    """Return the size that a Student's t exceeds, in either direction, with the chance `doubt`.

    `freedom` is the number of degrees of freedom.
    """
    if freedom > 200:
        return NormalDist().inv_cdf(1 - doubt / 2)
    return _find_zero(
        lambda t: doubt - beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)), high=1000.0
    )
