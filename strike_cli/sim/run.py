"""Many fights: how many are played, when it is enough, and what they come to. Knows nothing of terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from math import sqrt
from typing import NamedTuple

from .fight import Frozen
from .intervals import PAIRED, Interval, at_any_time, chance, mcnemar, mean, paired_difference, variance
from .spread import Backend, Spread
from .tally import Chunk, Chunked, PairTally, Tally
from .worker import Arm, Task, this_strike

LOOK = 50
"""Fights after which it is looked whether the chance to win is known well enough: never in between, so
that the number of fights is the same wherever they are played."""
CHUNK = 10
"""Fights that a worker plays in one go."""
MOST = 200_000
"""Fights of a run that stops by itself, at most."""
DEFAULT_FIGHTS = {"quick": 400, "good": 100, "full": 40}
"""Fights that are played where nobody says how many: what takes about as long."""
BETTER = "full"
"""The player that corrects `quick`."""
CHECKED, FEWEST_CHECKED, MOST_CHECKED = 20, 10, 200
"""Of how many fights of `quick` one is played again by a better player; how many at least, and at most."""
ALL, KNOWN, INTERRUPTED, LIMIT = "fights", "until", "interrupt", "limit"
"""What ended a run."""


class Plan(NamedTuple):
    """What to play: each arm is a frozen campaign and the player of it; `fights`, or as many as it takes
    to know the first arm's chance to win to within `until`."""

    arms: Sequence[tuple[Frozen, str]]
    seed: int
    fights: int
    until: float | None = None
    chunk: int = CHUNK


class Played(NamedTuple):
    """What came of a plan: all fights up to a number, and what ended it."""

    found: Chunked
    stopped_by: str

    @property
    def tally(self) -> Tally:
        """Of the first arm."""
        return self.found.arms[0]


Watch = Callable[[Chunked], None]


def nobody_watches(found: Chunked) -> None:
    """Where no progress is shown."""


def never_enough(found: Chunked) -> bool:
    """Where all that was asked for is played."""
    return False


def play(
    plan: Plan,
    backend: Backend,
    watch: Watch = nobody_watches,
    enough: Callable[[Chunked], bool] = never_enough,
) -> Played:
    """Play it. An interrupt ends it with what is known: all fights up to some number; so does what is
    `enough` for whoever asked."""
    packed = {frozen.digest: frozen.packed for frozen, _ in plan.arms}
    found, stopped_by = Chunked(len(plan.arms)), ALL
    try:
        backend.bring(this_strike(), packed)
        for chunk, came in Spread(backend, packed).chunks(_tasks(plan)):
            found.add(came)
            watch(found)
            if (chunk.first + chunk.fights) % LOOK == 0 and _is_known(plan, found.arms[0]):
                stopped_by = KNOWN
                break
            if enough(found):
                stopped_by = LIMIT
                break
        else:
            stopped_by = ALL if plan.until is None else LIMIT
    except KeyboardInterrupt:
        stopped_by = INTERRUPTED
        backend.close()
    return Played(found, stopped_by)


def _is_known(plan: Plan, tally: Tally) -> bool:
    return plan.until is not None and at_any_time(tally.won, tally.days).within <= plan.until


def _tasks(plan: Plan) -> Iterator[Task]:
    arms = tuple(Arm(frozen.digest, player) for frozen, player in plan.arms)
    strike = this_strike()
    for chunk in chunks(plan.fights if plan.until is None else MOST, plan.chunk, plan.until is not None):
        yield Task(chunk, arms, plan.seed, strike, {})


def chunks(fights: int, size: int, looked_at: bool = False) -> Iterator[Chunk]:
    """So many fights in chunks; where it is looked at them, no chunk goes on beyond a look."""
    first = number = 0
    while first < fights:
        count = min(size, fights - first)
        if looked_at:
            count = min(count, LOOK - first % LOOK)
        yield Chunk(number, first, count)
        first, number = first + count, number + 1


def digest_of(tallies: Sequence[Tally]) -> str:
    """All fights of all arms as a short word: the same for the same seed, wherever they were played."""
    text = ",".join(f"{tally.days}:{tally.digest:064x}" for tally in tallies)
    return sha256(text.encode()).hexdigest()[:16]


# What it says


def win_of(played: Played, plan: Plan) -> Interval:
    """The chance to win: by the sequence where it was looked at while it was played, else by its count."""
    tally = played.tally
    looked = plan.until is not None
    return (at_any_time if looked else chance)(tally.won, tally.days)


class Correction(NamedTuple):
    """How a better player does in the same fights: how many were played again, the shift of the chance to
    win, and that chance with the shift."""

    by: str
    pairs: int
    shift: Interval
    win: Interval


def checked(fights: int) -> int:
    """How many fights of `quick` are played again."""
    return min(fights, MOST_CHECKED, max(FEWEST_CHECKED, fights // CHECKED))


def corrected(win: Interval, by: str, pairs: PairTally) -> Correction:
    """The chance to win with the shift that better play brought in a sample of the same fights. The doubts
    of both are put together as if they were of different fights: of the same they are rather less."""
    shift = paired_difference(pairs.second_only, pairs.first_only, pairs.pairs)
    middle = min(1.0, max(0.0, win.value + shift.value))
    low = sqrt((win.value - win.low) ** 2 + (shift.value - shift.low) ** 2)
    high = sqrt((win.high - win.value) ** 2 + (shift.high - shift.value) ** 2)
    return Correction(
        by, pairs.pairs, shift, Interval(middle, max(0.0, middle - low), min(1.0, middle + high), PAIRED)
    )


class Comparison(NamedTuple):
    """Two campaigns, the same dice: how much more often the second wins, how likely so much is luck, by
    how much its margin is better, and how many times as many fights dice of their own would take."""

    wins: Interval
    luck: float
    margin: Interval
    worth: float | None


def compared(pairs: PairTally) -> Comparison:
    """What pairs say of the second arm against the first."""
    wins = paired_difference(pairs.second_only, pairs.first_only, pairs.pairs)
    together = variance(pairs.difference, pairs.squares, pairs.pairs)
    apart = sum(variance(total, squares, pairs.pairs) for total, squares in pairs.own)
    return Comparison(
        wins,
        mcnemar(pairs.first_only, pairs.second_only),
        mean(pairs.difference, pairs.squares, pairs.pairs),
        apart / together if together else None,
    )
