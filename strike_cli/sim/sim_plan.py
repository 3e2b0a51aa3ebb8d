"""Plans of many fights: how many to play, when they suffice, and their results.

This module knows nothing of terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from .confidence_intervals import (
    DOUBT,
    Interval,
    chance_interval,
    doubt_at_look,
    mcnemar_test,
    mean_interval,
    paired_difference,
    share_played,
    stratified_interval,
    variance,
)
from .scheduler import Backend, TaskSpreader
from .simulated_fight import FrozenCampaign
from .simulation_hooks import OUTCOMES, WON
from .tallies import Chunk, ChunkResult, DaysTally, PairTally
from .worker import Arm, Task, describe_this_strike

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
    """A plan of fights; each of its arms is a frozen campaign with the player that plays it.

    It has `fights` fights. With `until`, it has as many as are needed until the chance to win is known that
    precisely. If the plan is `corrected`, its second arm has the same campaign with a better player, who
    plays the first part of the fights again. The chance to win that is reported is then the better player's.
    """

    arms: Sequence[tuple[FrozenCampaign, str]]
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
    def fights_in_every_arm(self) -> int:
        """The number of fights that are played in every arm: all of them if the plan isn't corrected.

        In a corrected plan, the better player plays only the first part of the fights. If `until` asks for a
        precision, the better player plays all of them, too.
        """
        if not self.corrected or self.until is not None:
            return self.most
        return min(self.fights, max(FEWEST_CHECKED, self.fights // CHECKED))


class PlayedPlan(NamedTuple):
    """The result of a plan: the results of its fights, and the reason for its end."""

    found: ChunkResult
    stopped_by: str

    @property
    def tally(self) -> DaysTally:
        """The tally of the first arm: of the requested campaign and player, before any comparison."""
        return self.found.arms[0]


Watch = Callable[[ChunkResult], None]


def ignore_progress(results: ChunkResult) -> None:
    """Show no progress: the default of `watch`."""


def never_enough(results: ChunkResult) -> bool:
    """Return False, so that all fights of the plan are played."""
    return False


def play_plan(
    plan: SimPlan,
    backend: Backend,
    watch: Watch = ignore_progress,
    enough: Callable[[ChunkResult], bool] = never_enough,
) -> PlayedPlan:
    """Play a plan, and return its results.

    It ends early at an interrupt, or once `enough` returns True for the results so far. Fights are counted in
    order, so the results then have every fight up to some number, in all its arms. `watch` is called with the
    results after each chunk.
    """
    packed = {frozen.digest: frozen.packed for frozen, _ in plan.arms}
    found, stopped_by = ChunkResult(len(plan.arms)), ALL
    try:
        backend.send_campaigns(describe_this_strike(), packed)
        for chunk, came in TaskSpreader(backend, packed).results_in_order(_make_tasks(plan)):
            found.merge(came)
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
    return PlayedPlan(found, stopped_by)


def _make_tasks(plan: SimPlan) -> Iterator[Task]:
    arms = tuple(Arm(frozen.digest, player) for frozen, player in plan.arms)
    strike = describe_this_strike()
    for chunk in split_into_chunks(
        plan.most, plan.chunk, LOOK if plan.until is not None else plan.fights_in_every_arm
    ):
        yield Task(chunk, arms if chunk.first < plan.fights_in_every_arm else arms[:1], plan.seed, strike, {})


def split_into_chunks(fights: int, size: int, look: int = MOST) -> Iterator[Chunk]:
    """Yield the fights in chunks of at most `size`, split also at each multiple of `look`."""
    first = number = 0
    while first < fights:
        count = min(size, fights - first, look - first % look)
        yield Chunk(number, first, count)
        first, number = first + count, number + 1


def digest_of(tallies: Sequence[DaysTally]) -> str:
    """Return a digest of all fights of all arms.

    With the same seed it is the same on any worker.
    """
    text = ",".join(f"{tally.days}:{tally.digest:064x}" for tally in tallies)
    return sha256(text.encode()).hexdigest()[:16]


# The report


def outcome_chances(plan: SimPlan, results: ChunkResult, over: bool = False) -> dict[str, Interval]:
    """Return the chance of each outcome, with its interval.

    While the run goes on, or if somebody stopped it, the intervals are wide enough for a reader who looks
    again and again: such a reader is wrong once in 20 times. They are only as wide as for a single look if
    the run is `over` after a number of fights that was fixed beforehand.
    """
    how = partial(_outcome_interval, plan, results)
    if over and plan.until is None:
        return {outcome: how(outcome, DOUBT) for outcome in OUTCOMES}
    if plan.until is not None:
        share = share_played(how(WON, DOUBT), plan.until)
    else:
        share = results.arms[1 if plan.corrected else 0].days / plan.fights_in_every_arm
    return {outcome: how(outcome, doubt_at_look(share)) for outcome in OUTCOMES}


def _outcome_interval(plan: SimPlan, results: ChunkResult, outcome: str, doubt: float) -> Interval:
    tally = results.arms[0]
    if not plan.corrected:
        return chance_interval(tally.outcomes[outcome], tally.days, doubt)
    return stratified_interval(results.pairs.by_wins(tally, outcome), doubt)


class Correction(NamedTuple):
    """The better player's result, with the other player's fights from which it was estimated.

    `by` is the better player. `pairs` is the number of fights that both have played. `as_played` is the other
    player's chance to win in all its own fights. `shift` is how much higher the better player's chance to win
    is in the pairs.
    """

    by: str
    pairs: int
    as_played: Interval
    shift: Interval


def correct_by_pairs(results: ChunkResult) -> Correction:
    """Return the correction from the results of a corrected plan."""
    pairs, tally = results.pairs, results.arms[0]
    shift = paired_difference(pairs.second_only, pairs.first_only, pairs.pairs)
    return Correction(BETTER, pairs.pairs, chance_interval(tally.won, tally.days), shift)


class Comparison(NamedTuple):
    """The comparison of two campaigns that were played with the same dice.

    `wins` is how much more often the second campaign is won than the first. `luck` is the chance that luck
    alone makes such a difference. `margin` is how much higher the margins of the second are. `worth` is a
    factor: with separate dice, the comparison would need that many times as many fights.
    """

    wins: Interval
    luck: float
    margin: Interval
    worth: float | None


def compare_arms(pairs: PairTally) -> Comparison:
    """Return the comparison of the second arm with the first, from their pairs."""
    wins = paired_difference(pairs.second_only, pairs.first_only, pairs.pairs)
    together = variance(pairs.difference, pairs.squares, pairs.pairs)
    apart = sum(variance(total, squares, pairs.pairs) for total, squares in pairs.own)
    return Comparison(
        wins,
        mcnemar_test(pairs.first_only, pairs.second_only),
        mean_interval(pairs.difference, pairs.squares, pairs.pairs),
        apart / together if together else None,
    )
