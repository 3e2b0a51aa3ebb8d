"""Many fights: their number, when they suffice, and their results. Knows nothing of terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from .confidence_intervals import (
    DOUBT,
    Interval,
    chance_interval,
    doubt_at,
    mcnemar_test,
    mean_interval,
    paired_difference,
    share_played,
    stratified_interval,
    variance,
)
from .fight import Frozen
from .scheduler import Backend, Spread
from .simulated_system import OUTCOMES, WON
from .statistics import Chunk, Chunked, DaysTally, PairTally
from .worker import Arm, Task, this_strike

LOOK = 20
"""The number of fights after which the precision of the chance to win is checked: never in between, so that
the number of fights is the same wherever they are played.
"""
CHUNK = 10
"""The fights that a worker plays in one go."""
MOST = 200_000
"""The most fights of a run that stops by itself."""
DEFAULT_FIGHTS = {"quick": 400, "good": 200, "full": 100}
"""The default number of fights."""
BETTER = "full"
"""The player whose chance to win is reported, unless only another's is asked for."""
CHECKED, FEWEST_CHECKED = 5, 40
"""The better player replays every fifth of another player's fights, and at least forty in all."""
ALL, KNOWN, INTERRUPTED, LIMIT = "fights", "until", "interrupt", "limit"
"""The reasons for which a run ends."""


class SimPlan(NamedTuple):
    """A plan of fights; each arm is a frozen campaign and its player.

    It has `fights`, or as many as are needed to know the chance to win to within `until`. If it is
    `corrected`, the second arm is a better player of the same campaign, who plays the first fights again; the
    chance to win is that player's.
    """

    arms: Sequence[tuple[Frozen, str]]
    seed: int
    fights: int
    until: float | None = None
    chunk: int = CHUNK
    corrected: bool = False

    @property
    def most(self) -> int:
        """The maximum number of fights."""
        return self.fights if self.until is None else MOST

    @property
    def again(self) -> int:
        """The number of fights that are played in every arm.

        In a plan with a correction it is some of them, or all where `until` asks for the precision of the
        better player's chance.
        """
        if not self.corrected or self.until is not None:
            return self.most
        return min(self.fights, max(FEWEST_CHECKED, self.fights // CHECKED))


class FightPlayed(NamedTuple):
    """The result of a plan: all fights up to a number, and the reason for its end."""

    found: Chunked
    stopped_by: str

    @property
    def tally(self) -> DaysTally:
        """The tally of the first arm, which plays the campaign unchanged."""
        return self.found.arms[0]


Watch = Callable[[Chunked], None]


def nobody_watches(results: Chunked) -> None:
    """Show no progress."""


def never_enough(results: Chunked) -> bool:
    """Return False: play all fights that were asked for."""
    return False


def play_plan(
    plan: SimPlan,
    backend: Backend,
    watch: Watch = nobody_watches,
    enough: Callable[[Chunked], bool] = never_enough,
) -> FightPlayed:
    """Play a plan.

    An interrupt ends it with all fights up to some number; so does a result that is `enough` for the caller.
    """
    packed = {frozen.digest: frozen.packed for frozen, _ in plan.arms}
    found, stopped_by = Chunked(len(plan.arms)), ALL
    try:
        backend.bring(this_strike(), packed)
        for chunk, came in Spread(backend, packed).chunks(_tasks(plan)):
            found.add(came)
            watch(found)
            if (
                (chunk.first + chunk.fights) % LOOK == 0
                and plan.until is not None
                and outcome_chances(plan, found)[WON].within <= plan.until
            ):
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
    return FightPlayed(found, stopped_by)


def _tasks(plan: SimPlan) -> Iterator[Task]:
    arms = tuple(Arm(frozen.digest, player) for frozen, player in plan.arms)
    strike = this_strike()
    for chunk in split_into_chunks(plan.most, plan.chunk, LOOK if plan.until is not None else plan.again):
        yield Task(chunk, arms if chunk.first < plan.again else arms[:1], plan.seed, strike, {})


def split_into_chunks(fights: int, size: int, look: int = MOST) -> Iterator[Chunk]:
    """Yield the fights in chunks, none of which crosses a multiple of `look`."""
    first = number = 0
    while first < fights:
        count = min(size, fights - first, look - first % look)
        yield Chunk(number, first, count)
        first, number = first + count, number + 1


def digest_of(tallies: Sequence[DaysTally]) -> str:
    """Return a digest of all fights of all arms: the same for the same seed, on any worker."""
    text = ",".join(f"{tally.days}:{tally.digest:064x}" for tally in tallies)
    return sha256(text.encode()).hexdigest()[:16]


# The report


def outcome_chances(plan: SimPlan, results: Chunked, over: bool = False) -> dict[str, Interval]:
    """Return the chance of each outcome, the same wherever it is shown.

    While the run goes on, and where somebody stopped it, the interval is so wide that a reader who looks as
    often as they like is wrong once in 20 times. Where the run is `over`, with all its fights played, the
    interval is as wide as for one look.
    """
    how = partial(_outcome_interval, plan, results)
    if over and plan.until is None:
        return {outcome: how(outcome, DOUBT) for outcome in OUTCOMES}
    if plan.until is not None:
        share = share_played(how(WON, DOUBT), plan.until)
    else:
        share = results.arms[1 if plan.corrected else 0].days / plan.again
    return {outcome: how(outcome, doubt_at(share)) for outcome in OUTCOMES}


def _outcome_interval(plan: SimPlan, results: Chunked, outcome: str, doubt: float) -> Interval:
    tally = results.arms[0]
    if not plan.corrected:
        return chance_interval(tally.outcomes[outcome], tally.days, doubt)
    return stratified_interval(results.pairs.paired(tally, outcome), doubt)


class Correction(NamedTuple):
    """The better player's result, corrected by another player's fights.

    `by` is the better player. `pairs` is the number of fights that both have played, `as_played` the other
    player's chance to win in all its own fights, `shift` the difference between the two players in the pairs.
    """

    by: str
    pairs: int
    as_played: Interval
    shift: Interval


def correction_of(results: Chunked) -> Correction:
    """Return the correction from a plan that is corrected."""
    pairs, tally = results.pairs, results.arms[0]
    shift = paired_difference(pairs.second_only, pairs.first_only, pairs.pairs)
    return Correction(BETTER, pairs.pairs, chance_interval(tally.won, tally.days), shift)


class Comparison(NamedTuple):
    """The comparison of two campaigns with the same dice.

    `wins` is how much more often the second wins, `luck` the chance of this by luck alone, `margin` by how
    much its margin is better, `worth` how many times as many fights would be needed with separate dice.
    """

    wins: Interval
    luck: float
    margin: Interval
    worth: float | None


def compare_arms(pairs: PairTally) -> Comparison:
    """Return the comparison of the second arm with the first from their pairs."""
    wins = paired_difference(pairs.second_only, pairs.first_only, pairs.pairs)
    together = variance(pairs.difference, pairs.squares, pairs.pairs)
    apart = sum(variance(total, squares, pairs.pairs) for total, squares in pairs.own)
    return Comparison(
        wins,
        mcnemar_test(pairs.first_only, pairs.second_only),
        mean_interval(pairs.difference, pairs.squares, pairs.pairs),
        apart / together if together else None,
    )
