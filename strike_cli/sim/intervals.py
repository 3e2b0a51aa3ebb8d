"""What is known of a chance or of a mean from so many fights: intervals, a sequence of them that may be
looked at at any time, and tests of pairs. Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95
"""How sure an interval is, where nobody says."""
EXACT, SEQUENCE, PAIRED = "exact binomial", "beta mixture, at any time", "corrected by a paired sample"
"""How an interval was found."""


class Interval(NamedTuple):
    """A chance or a mean, as far as it is known."""

    value: float
    low: float
    high: float
    method: str = EXACT

    @property
    def within(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2


def chance(count: int, of: int, level: float = LEVEL) -> Interval:
    """The chance of what came about `count` times in `of`: Clopper and Pearson's interval, which never
    promises too much. Of what never or always came about the one bound that is unknown has all of the
    doubt."""
    if not of:
        return Interval(0.0, 0.0, 1.0)
    doubt = 1 - level
    tail = doubt if count in (0, of) else doubt / 2
    low = 0.0 if count == 0 else _solve(lambda p: beta_share(count, of - count + 1, p) - tail)
    high = 1.0 if count == of else _solve(lambda p: beta_share(count + 1, of - count, p) - (1 - tail))
    return Interval(count / of, low, high)


def at_any_time(count: int, of: int, level: float = LEVEL) -> Interval:
    """The same by a confidence sequence: whoever looks at it after every fight, and stops when they like, is
    wrong no more often than once in 20.

    It is what the likelihood of a chance, weighed against the mean of all chances' (the uniform beta
    mixture), leaves of them: a martingale, so that Ville's inequality bounds how often it ever leaves the
    truth out.
    """
    if not of:
        return Interval(0.0, 0.0, 1.0, SEQUENCE)
    missed = of - count
    bar = _log_beta(count + 1, missed + 1) + log(1 - level)

    def above(p: float) -> float:
        likelihood = (count * log(p) if count else 0.0) + (missed * log1p(-p) if missed else 0.0)
        return likelihood - bar

    middle = min(max(count / of, 1e-15), 1 - 1e-15)
    low = 0.0 if count == 0 else _solve(above, high=middle)
    high = 1.0 if missed == 0 else _solve(lambda p: -above(p), low=middle)
    return Interval(count / of, low, high, SEQUENCE)


def mean(total: float, squares: float, of: int, level: float = LEVEL) -> Interval:
    """A mean from the sum of so many numbers and of their squares; by Student's t."""
    if of < 2:
        return Interval(total / max(of, 1), -inf, inf, "t")
    value = total / of
    off = _t(of - 1, level) * sqrt(variance(total, squares, of) / of)
    return Interval(value, value - off, value + off, "t")


def variance(total: float, squares: float, of: int) -> float:
    """Of so many numbers, from their sum and that of their squares."""
    return max(0.0, (squares - total * total / of) / (of - 1)) if of > 1 else 0.0


def mcnemar(one_only: int, other_only: int) -> float:
    """How likely pairs differ at least so much by luck alone (McNemar's exact test): of those that differ,
    how many one side has won and how many the other."""
    differ = one_only + other_only
    if not differ:
        return 1.0
    fewer = min(one_only, other_only)
    if differ > MOST_EXACT:
        off = (abs(one_only - other_only) - 1) / sqrt(differ)
        return min(1.0, 2 * (1 - NormalDist().cdf(off)))
    return float(min(1.0, sum(comb(differ, k) for k in range(fewer + 1)) * 2 / 2**differ))


MOST_EXACT = 1000
"""Pairs that are counted; of more the bell curve is as good."""


def paired_difference(one_only: int, other_only: int, of: int, level: float = LEVEL) -> Interval:
    """How much more often one side of so many pairs wins than the other; with the half a pair more on each
    side (Agresti and Min) without which few pairs promise too much."""
    if not of:
        return Interval(0.0, -1.0, 1.0, "paired")
    one, other, n = one_only + 0.5, other_only + 0.5, of + 2
    middle = (one - other) / n
    off = NormalDist().inv_cdf((1 + level) / 2) * sqrt(max(0.0, (one + other) / n - middle**2) / n)
    return Interval((one_only - other_only) / of, max(-1.0, middle - off), min(1.0, middle + off), "paired")


# Numbers


def beta_share(a: float, b: float, x: float) -> float:
    """The part of the beta distribution below x, by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(a * log(x) + b * log1p(-x) - _log_beta(a, b))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Lentz's way through the continued fraction."""
    tiny = 1e-300
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1), tiny)
    found = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + step * d, tiny)
            c = _not_zero(1 + step / c, tiny)
            found *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return found


def _not_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _solve(rises: Callable[[float], float], low: float = 0.0, high: float = 1.0) -> float:
    """Where a function that rises passes 0."""
    for _ in range(60):
        middle = (low + high) / 2
        if rises(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t(freedom: int, level: float) -> float:
    """Student's t that leaves out 1 - level on both sides together."""
    if freedom > 200:
        return NormalDist().inv_cdf((1 + level) / 2)

    def share(t: float) -> float:
        return 1 - beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))

    return _solve(lambda t: share(t) - level, high=1000.0)
