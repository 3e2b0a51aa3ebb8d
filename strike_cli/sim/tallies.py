"""Statistics of many fights, added up as they are played.

They are whole numbers, so that the sum doesn't depend on order or grouping, and a million fights take no more
memory than a hundred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from .confidence_intervals import PairedWins
from .simulated_fight import DayResult, FightResult, PersonResult, UseCounts
from .simulation_hooks import OUTCOMES, WON

DIGEST_MODULUS = 1 << 256
"""The modulus for sums of digests, which makes their order and grouping irrelevant."""
MOST_REASONS = 5
"""The most reasons for giving up a fight that are told apart."""


class PersonTally:
    """The statistics of a person over many fights; they need not have been in all of them."""

    def __init__(self, name: str, side: str, ref: str) -> None:
        self.name = name
        self.side = side
        self.ref = ref
        self.fights = 0
        self.most = 0
        self.left = 0
        self.down = 0
        """The fights in which the person went down at least once."""
        self.out = 0
        self.fled = 0
        """The fights that the person got away from."""
        self.dealt = 0
        self.taken = 0
        self.healed = 0
        self.counted: Counter[str] = Counter()
        self.uses: dict[str, UseCounts] = {}

    def add_fight(self, result: PersonResult) -> None:
        """Add one more fight to the statistics."""
        self.fights += 1
        self.most = max(self.most, result.most)
        self.left += result.left
        self.down += result.down > 0
        self.out += result.out
        self.fled += result.fled
        self.dealt += result.dealt
        self.taken += result.taken
        self.healed += result.healed
        self.counted.update(result.counted)
        for power, used in result.uses.items():
            self.uses[power] = self.uses.get(power, UseCounts()) + used

    def merge(self, more: PersonTally) -> None:
        """Add another tally of the same person to this one."""
        self.most = max(self.most, more.most)
        for key in ("fights", "left", "down", "out", "fled", "dealt", "taken", "healed"):
            setattr(self, key, getattr(self, key) + getattr(more, key))
        self.counted.update(more.counted)
        for power, used in more.uses.items():
            self.uses[power] = self.uses.get(power, UseCounts()) + used


class FightTally:
    """The statistics of many fights of one encounter.

    A fight's margin is the party's health at the end, minus the others' health. For each margin, the tally
    has the lowest number of a fight with this margin. For each length in rounds, it has the lowest number of
    a fight of this length. With the number, the fight can be played again.
    """

    def __init__(self) -> None:
        self.fights = 0
        self.outcomes: Counter[str] = Counter()
        self.rounds: Counter[int] = Counter()
        self.margins: Counter[int] = Counter()
        self.first_of_length: dict[int, int] = {}
        self.first_of_margin: dict[int, int] = {}
        self.people: dict[str, PersonTally] = {}
        self.came_of_it: dict[str, Counter[str]] = {}
        self.stuck: Counter[str] = Counter()
        self.unweighed: Counter[str] = Counter()
        self.commands = 0

    def add_fight(self, fight: FightResult) -> None:
        """Add one more fight to the statistics."""
        self.fights += 1
        self.outcomes[fight.outcome] += 1
        self.rounds[fight.rounds] += 1
        self.margins[fight.margin] += 1
        _keep_lowest_number(self.first_of_length, fight.rounds, fight.number)
        _keep_lowest_number(self.first_of_margin, fight.margin, fight.number)
        for combatant, one in fight.people.items():
            self.people.setdefault(combatant, PersonTally(one.name, one.side, one.ref)).add_fight(one)
        for what, how in fight.came_of_it.items():
            self.came_of_it.setdefault(what, Counter())[how] += 1
        if fight.stuck:
            self._count_reason_for_being_stuck(fight.stuck, 1)
        self.unweighed.update(fight.unweighed)
        self.commands += fight.commands

    def merge(self, more: FightTally) -> None:
        """Add another tally of the same encounter to this one."""
        self.fights += more.fights
        self.outcomes.update(more.outcomes)
        self.rounds.update(more.rounds)
        self.margins.update(more.margins)
        for mine, theirs in (
            (self.first_of_length, more.first_of_length),
            (self.first_of_margin, more.first_of_margin),
        ):
            for key, number in theirs.items():
                _keep_lowest_number(mine, key, number)
        for combatant, one in more.people.items():
            self.people.setdefault(combatant, PersonTally(one.name, one.side, one.ref)).merge(one)
        for what, counts in more.came_of_it.items():
            self.came_of_it.setdefault(what, Counter()).update(counts)
        for why, times in more.stuck.items():
            self._count_reason_for_being_stuck(why, times)
        self.unweighed.update(more.unweighed)
        self.commands += more.commands

    def _count_reason_for_being_stuck(self, why: str, times: int) -> None:
        if why in self.stuck or len(self.stuck) < MOST_REASONS:
            self.stuck[why] += times
        else:
            self.stuck["Other reasons."] += times

    # Results

    @property
    def fights_won(self) -> int:
        """The number of fights that the party has won."""
        return self.outcomes[WON]

    @property
    def mean_rounds(self) -> float:
        """The average number of rounds."""
        return sum(rounds * count for rounds, count in self.rounds.items()) / max(1, self.fights)

    def worst_median_best_longest_fight(self) -> dict[str, int]:
        """Return the numbers of fights worth watching: the worst, the best, the longest, a median one."""
        if not self.fights:
            return {}
        ordered = sorted(self.margins)
        so_far, middle = 0, ordered[-1]
        for margin in ordered:
            so_far += self.margins[margin]
            if 2 * so_far >= self.fights:
                middle = margin
                break
        return {
            "worst": self.first_of_margin[ordered[0]],
            "median": self.first_of_margin[middle],
            "best": self.first_of_margin[ordered[-1]],
            "longest": self.first_of_length[max(self.rounds)],
        }


def _keep_lowest_number(numbers: dict[int, int], key: int, number: int) -> None:
    numbers[key] = min(number, numbers.get(key, number))


class DaysTally:
    """The statistics of many days: of each encounter, and of the days as wholes.

    A day has one or several fights.
    """

    def __init__(self) -> None:
        self.days = 0
        self.outcomes: Counter[str] = Counter()
        self.legs: list[FightTally] = []
        self.digest = 0

    def add_day(self, day: DayResult) -> None:
        """Add one more day to the statistics."""
        self.days += 1
        self.outcomes[day.outcome] += 1
        self.digest = (self.digest + day.digest) % DIGEST_MODULUS
        while len(self.legs) < len(day.fights):
            self.legs.append(FightTally())
        for leg, fight in zip(self.legs, day.fights, strict=False):
            leg.add_fight(fight)

    def merge(self, more: DaysTally) -> None:
        """Add another tally of the same encounters to this one."""
        self.days += more.days
        self.outcomes.update(more.outcomes)
        self.digest = (self.digest + more.digest) % DIGEST_MODULUS
        while len(self.legs) < len(more.legs):
            self.legs.append(FightTally())
        for leg, other in zip(self.legs, more.legs, strict=False):
            leg.merge(other)

    @property
    def days_won(self) -> int:
        """The number of days on which every fight was won."""
        return self.outcomes[WON]

    def days_by_outcome(self) -> Mapping[str, int]:
        """Return the number of days by outcome."""
        return {outcome: self.outcomes[outcome] for outcome in OUTCOMES}


class PairTally:
    """The statistics of days that both arms of a comparison have played with the same dice.

    A pair is the same day in the first and in the second arm. `outcomes` counts the pairs by their two
    outcomes. `difference` is the sum, over all pairs, of the second arm's margin minus the first arm's.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """The number of pairs by their two outcomes, the first's and the second's."""
        self.difference = 0
        self.squares = 0
        self.own: list[list[int]] = [[0, 0], [0, 0]]
        """The sum of margins and the sum of their squares, for each side."""

    @property
    def pair_count(self) -> int:
        """The number of pairs."""
        return self.outcomes.total()

    @property
    def pairs_won_by_first_only(self) -> int:
        """The number of pairs that only the first arm has won."""
        return sum(n for (one, other), n in self.outcomes.items() if one == WON != other)

    @property
    def pairs_won_by_second_only(self) -> int:
        """The number of pairs that only the second arm has won."""
        return sum(n for (one, other), n in self.outcomes.items() if one != WON == other)

    def count_pairs_by_win_and_outcome(self, first: DaysTally, outcome: str) -> PairedWins:
        """Count the pairs by two tests: the first arm won, and the second arm ended with `outcome`.

        In the result, the second arm counts as the winner of a pair if it ended with `outcome`. `first` is
        the tally of all days of the first arm. If the first arm played days that the second arm didn't play,
        `besides` is their number. `won_besides` is how many of these days were won.
        """
        table = Counter[tuple[bool, bool]]()
        for (one, other), count in self.outcomes.items():
            table[one == WON, other == outcome] += count
        won = table[True, True] + table[True, False]
        return PairedWins(
            table[True, True], table[True, False], table[False, True], table[False, False],
            first.days - self.pair_count, first.days_won - won,
        )  # fmt: skip

    def add_pair(self, first: DayResult, second: DayResult) -> None:
        """Add one more pair to the statistics."""
        self.outcomes[first.outcome, second.outcome] += 1
        margins = [final_health_margin(day) for day in (first, second)]
        apart = margins[1] - margins[0]
        self.difference += apart
        self.squares += apart * apart
        for sums, margin in zip(self.own, margins, strict=True):
            sums[0] += margin
            sums[1] += margin * margin

    def merge(self, more: PairTally) -> None:
        """Add another tally of the same two arms to this one."""
        self.outcomes.update(more.outcomes)
        self.difference += more.difference
        self.squares += more.squares
        for sums, others in zip(self.own, more.own, strict=True):
            sums[0] += others[0]
            sums[1] += others[1]


def final_health_margin(day: DayResult) -> int:
    """Return the party's health minus the others' at the end of a day's last fight."""
    return day.fights[-1].margin


class Chunk(NamedTuple):
    """A chunk of consecutive fights or days.

    `number` is the chunk's number. `first` is the number of its first fight, and `fights` is how many fights
    it has. If days are played, `first` and `fights` count days.
    """

    number: int
    first: int
    fights: int


class ChunkResult:
    """The result of one or more chunks: a tally for each arm, and one for the pairs of the first two arms."""

    def __init__(self, arms: int) -> None:
        self.arms = [DaysTally() for _ in range(arms)]
        self.pairs = PairTally()

    def add_day(self, days: list[DayResult]) -> None:
        """Add one more day: its result in each arm of the simulation.

        `days` has the results in the order of the arms.
        """
        for tally, day in zip(self.arms, days, strict=True):
            tally.add_day(day)
        if len(days) > 1:
            self.pairs.add_pair(days[0], days[1])

    def merge(self, more: ChunkResult) -> None:
        """Add the result of another chunk to this one.

        The other chunk may have fewer arms. Its missing arms add nothing.
        """
        for tally, other in zip(self.arms, more.arms, strict=False):
            tally.merge(other)
        self.pairs.merge(more.pairs)
