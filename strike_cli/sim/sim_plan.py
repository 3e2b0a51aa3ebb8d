"""Plans for playing many fights: how many to play, when there are enough, and what they result in.

This module knows nothing of terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from .chunk_worker import Arm, Task, versions_and_source_digests
from .confidence_intervals import (
    DOUBT,
    Interval,
    doubt_for_peek_after_share_of_fights,
    exact_chance_interval,
    mcnemar_p_value,
    mean_interval,
    paired_difference,
    played_share_of_needed_fights,
    second_players_win_interval,
    variance,
)
from .simulated_fight import FrozenCampaign
from .simulation_hooks import OUTCOMES, WON
from .tallies import Chunk, ChunkResult, DaysTally, PairTally
from .task_backends import Backend, TaskSpreader

FIGHTS_PER_LOOK = 20
"""The number of fights after which the precision of the chance to win is checked: never in between, so that
the number of fights is the same wherever they are played.
"""
CHUNK = 10
"""The fights that a worker plays in one go."""
MAX_FIGHTS = 200_000
"""The most fights of a run that stops by itself."""
DEFAULT_FIGHTS = {"quick": 400, "good": 200, "full": 100}
"""The default number of fights."""
BETTER_PLAYER = "full"
"""The player whose chance to win is reported, unless only another's is asked for."""
REPLAYED_ONE_IN, MIN_REPLAYED = 5, 40
"""The better player replays every fifth of another player's fights, and at least forty in all."""
ALL, KNOWN, INTERRUPTED, LIMIT = "fights", "until", "interrupt", "limit"
"""The reasons for which a run ends."""


class SimPlan(NamedTuple):
    """A plan of fights to simulate.

    The fights are played in one or more arms. An arm is a frozen campaign and the player that plays it.
    Without `until`, `fights` fights are played. With `until`, fights are played until the chance to win is
    known with this precision.

    In a `corrected` plan, a second arm has the same campaign and a better player. The better player plays a
    part of the fights again. The results are then used to report the better player's chance to win.
    """

    arms: Sequence[tuple[FrozenCampaign, str]]
    seed: int
    fights: int
    until: float | None = None
    chunk: int = CHUNK
    corrected: bool = False

    @property
    def max_fights(self) -> int:
        """The maximum number of fights."""
        return self.fights if self.until is None else MAX_FIGHTS

    @property
    def fights_shared_by_all_arms(self) -> int:
        """The number of fights that every arm of the plan plays.

        Usually it is the number of all fights. A corrected plan is an exception, unless it has `until`: the
        arm of the better player plays only a first part of the fights. Then it is the size of this part.
        """
        if not self.corrected or self.until is not None:
            return self.max_fights
        return min(self.fights, max(MIN_REPLAYED, self.fights // REPLAYED_ONE_IN))


class PlayedPlan(NamedTuple):
    """The result of a plan: the results of its fights, and the reason for its end."""

    results: ChunkResult
    stopped_by: str

    @property
    def tally_of_first_arm(self) -> DaysTally:
        """The counts for the campaign and the player that were asked for.

        Campaigns or players that are compared with them are not counted here.
        """
        return self.results.arms[0]


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
    """Play the fights of a plan, and return their results.

    The run ends early in three cases: the user interrupts it, the chance to win is known as precisely as the
    plan demands (`plan.until`), or `enough` returns True. Both `watch` and `enough` are called with the
    results so far. `watch` is called after each chunk of fights.
    """
    packed = {frozen.digest: frozen.packed for frozen, _ in plan.arms}
    found, stopped_by = ChunkResult(len(plan.arms)), ALL
    try:
        backend.prepare_workers_for_campaigns(versions_and_source_digests(), packed)
        for chunk, came in TaskSpreader(backend, packed).play_and_yield_in_order(_make_tasks(plan)):
            found.merge(came)
            watch(found)
            if (
                (chunk.first + chunk.fights) % FIGHTS_PER_LOOK == 0
                and plan.until is not None
                and outcome_chances(plan, found)[WON].half_width <= plan.until
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
    strike = versions_and_source_digests()
    for chunk in split_into_chunks(
        plan.max_fights,
        plan.chunk,
        FIGHTS_PER_LOOK if plan.until is not None else plan.fights_shared_by_all_arms,
    ):
        yield Task(
            chunk, arms if chunk.first < plan.fights_shared_by_all_arms else arms[:1], plan.seed, strike, {}
        )


def split_into_chunks(fights: int, size: int, look_every: int = MAX_FIGHTS) -> Iterator[Chunk]:
    """Yield the fights in chunks of at most `size` fights.

    A new chunk also begins at each multiple of `look_every`.
    """
    first = number = 0
    while first < fights:
        count = min(size, fights - first, look_every - first % look_every)
        yield Chunk(number, first, count)
        first, number = first + count, number + 1


def digest_of_tallies(tallies: Sequence[DaysTally]) -> str:
    """Return a digest of all fights that the tallies count.

    The digest depends only on the fights, and not on the workers that played them. So the same seed gives the
    same digest.
    """
    text = ",".join(f"{tally.days}:{tally.digest:064x}" for tally in tallies)
    return sha256(text.encode()).hexdigest()[:16]


# The report


def outcome_chances(plan: SimPlan, results: ChunkResult, is_over: bool = False) -> dict[str, Interval]:
    """Return the chance of each outcome, with its confidence interval.

    If the run has a fixed number of fights and `is_over`, the intervals are ordinary ones. Otherwise they are
    wider, because a reader may look at the numbers several times and stop at any time. With the wider
    intervals, such a reader is wrong only once in 20 times.
    """
    how = partial(_outcome_interval, plan, results)
    if is_over and plan.until is None:
        return {outcome: how(outcome, DOUBT) for outcome in OUTCOMES}
    if plan.until is not None:
        share = played_share_of_needed_fights(how(WON, DOUBT), plan.until)
    else:
        share = results.arms[1 if plan.corrected else 0].days / plan.fights_shared_by_all_arms
    return {outcome: how(outcome, doubt_for_peek_after_share_of_fights(share)) for outcome in OUTCOMES}


def _outcome_interval(plan: SimPlan, results: ChunkResult, outcome: str, doubt: float) -> Interval:
    tally = results.arms[0]
    if not plan.corrected:
        return exact_chance_interval(tally.outcomes[outcome], tally.days, doubt)
    return second_players_win_interval(results.pairs.count_pairs_by_win_and_outcome(tally, outcome), doubt)


class Correction(NamedTuple):
    """The correction of a player's result by a better player, who played some of its fights again.

    `by` is the better player. `pairs` is the number of fights that both have played. `as_played` is the first
    player's chance to win in all its fights. `shift` is the better player's chance minus the first player's,
    in the pairs.
    """

    by: str
    pairs: int
    as_played: Interval
    shift: Interval


def correction_by_better_player(results: ChunkResult) -> Correction:
    """Return the correction of a player's chance to win, made with the fights of a better player.

    `results` are those of a plan in which the better player has played some of the player's fights again.
    """
    pairs, tally = results.pairs, results.arms[0]
    shift = paired_difference(pairs.pairs_won_by_second_only, pairs.pairs_won_by_first_only, pairs.pair_count)
    return Correction(
        BETTER_PLAYER, pairs.pair_count, exact_chance_interval(tally.days_won, tally.days), shift
    )


class Comparison(NamedTuple):
    """The comparison of two campaigns, a first and a second, that were played with the same dice.

    Attributes:
        wins: The second campaign's share of wins minus the first's.
        luck: The chance that luck alone would make a difference in wins that is as large or larger.
        margin: The average margin of the second campaign's fights minus the first's.
        worth: What the same dice saved. With separate dice, the comparison would have needed this many times
            as many fights.
    """

    wins: Interval
    luck: float
    margin: Interval
    worth: float | None


def compare_arms(pairs: PairTally) -> Comparison:
    """Return the comparison of two campaigns, from pairs of fights with the same dice."""
    wins = paired_difference(pairs.pairs_won_by_second_only, pairs.pairs_won_by_first_only, pairs.pair_count)
    together = variance(pairs.difference, pairs.squares, pairs.pair_count)
    apart = sum(variance(total, squares, pairs.pair_count) for total, squares in pairs.own)
    return Comparison(
        wins,
        mcnemar_p_value(pairs.pairs_won_by_first_only, pairs.pairs_won_by_second_only),
        mean_interval(pairs.difference, pairs.squares, pairs.pair_count),
        apart / together if together else None,
    )
