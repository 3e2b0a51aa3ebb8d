"""Statistics of many fights, added up as they are played.

They are whole numbers, so that the sum doesn't depend on order or grouping, and a million fights take no more
room than a hundred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from .confidence_intervals import Paired
from .fight import DayResult, FightResult, PersonResult, Used
from .simulated_system import OUTCOMES, WON

WHOLE = 1 << 256
"""The modulus for sums of digests, which makes their order and grouping irrelevant."""
MOST_REASONS = 5
"""The most reasons for giving up a fight that are told apart."""


class PersonTally:
    """The statistics of a person over many fights, who may not have been in all of them."""

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
        self.uses: dict[str, Used] = {}

    def take(self, result: PersonResult) -> None:
        """Add one more fight."""
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
            self.uses[power] = self.uses.get(power, Used()) + used

    def add(self, more: PersonTally) -> None:
        """Add another tally of the same person."""
        self.most = max(self.most, more.most)
        for key in ("fights", "left", "down", "out", "fled", "dealt", "taken", "healed"):
            setattr(self, key, getattr(self, key) + getattr(more, key))
        self.counted.update(more.counted)
        for power, used in more.uses.items():
            self.uses[power] = self.uses.get(power, Used()) + used


class FightTally:
    """The statistics of many fights of one encounter.

    For each margin and each length the number of the first such fight is stored, so that it can be played
    again.
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

    def take(self, fight: FightResult) -> None:
        """Add one more fight."""
        self.fights += 1
        self.outcomes[fight.outcome] += 1
        self.rounds[fight.rounds] += 1
        self.margins[fight.margin] += 1
        _keep_first(self.first_of_length, fight.rounds, fight.number)
        _keep_first(self.first_of_margin, fight.margin, fight.number)
        for combatant, one in fight.people.items():
            self.people.setdefault(combatant, PersonTally(one.name, one.side, one.ref)).take(one)
        for what, how in fight.came_of_it.items():
            self.came_of_it.setdefault(what, Counter())[how] += 1
        if fight.stuck:
            self._gave_up(fight.stuck, 1)
        self.unweighed.update(fight.unweighed)
        self.commands += fight.commands

    def add(self, more: FightTally) -> None:
        """Add another tally of the same fight."""
        self.fights += more.fights
        self.outcomes.update(more.outcomes)
        self.rounds.update(more.rounds)
        self.margins.update(more.margins)
        for mine, theirs in (
            (self.first_of_length, more.first_of_length),
            (self.first_of_margin, more.first_of_margin),
        ):
            for key, number in theirs.items():
                _keep_first(mine, key, number)
        for combatant, one in more.people.items():
            self.people.setdefault(combatant, PersonTally(one.name, one.side, one.ref)).add(one)
        for what, counts in more.came_of_it.items():
            self.came_of_it.setdefault(what, Counter()).update(counts)
        for why, times in more.stuck.items():
            self._gave_up(why, times)
        self.unweighed.update(more.unweighed)
        self.commands += more.commands

    def _gave_up(self, why: str, times: int) -> None:
        if why in self.stuck or len(self.stuck) < MOST_REASONS:
            self.stuck[why] += times
        else:
            self.stuck["Other reasons."] += times

    # Results

    @property
    def won(self) -> int:
        """The number of fights that the party has won."""
        return self.outcomes[WON]

    @property
    def mean_rounds(self) -> float:
        """The average number of rounds."""
        return sum(rounds * count for rounds, count in self.rounds.items()) / max(1, self.fights)

    def picks(self) -> dict[str, int]:
        """Fights worth looking at, by number: the worst, the best, the longest, one in the middle."""
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


def _keep_first(numbers: dict[int, int], key: int, number: int) -> None:
    numbers[key] = min(number, numbers.get(key, number))


class DaysTally:
    """The statistics of many days of one or several fights: of each encounter, and of the whole."""

    def __init__(self) -> None:
        self.days = 0
        self.outcomes: Counter[str] = Counter()
        self.legs: list[FightTally] = []
        self.digest = 0

    def take(self, day: DayResult) -> None:
        """Add one more day."""
        self.days += 1
        self.outcomes[day.outcome] += 1
        self.digest = (self.digest + day.digest) % WHOLE
        while len(self.legs) < len(day.fights):
            self.legs.append(FightTally())
        for leg, fight in zip(self.legs, day.fights, strict=False):
            leg.take(fight)

    def add(self, more: DaysTally) -> None:
        """Add another tally of the same days."""
        self.days += more.days
        self.outcomes.update(more.outcomes)
        self.digest = (self.digest + more.digest) % WHOLE
        while len(self.legs) < len(more.legs):
            self.legs.append(FightTally())
        for leg, other in zip(self.legs, more.legs, strict=False):
            leg.add(other)

    @property
    def won(self) -> int:
        """The number of days on which every fight was won."""
        return self.outcomes[WON]

    def by_outcome(self) -> Mapping[str, int]:
        """Return the number of days by outcome."""
        return {outcome: self.outcomes[outcome] for outcome in OUTCOMES}


class PairTally:
    """Fights that were played twice with the same dice.

    It counts the outcomes of each side of the pair, and the differences of the margins (the second less the
    first).
    """

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """The number of pairs by their two outcomes, the first's and the second's."""
        self.difference = 0
        self.squares = 0
        self.own: list[list[int]] = [[0, 0], [0, 0]]
        """The sum of margins and the sum of their squares, for each side."""

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.outcomes.total()

    @property
    def first_only(self) -> int:
        """The number of pairs that only the first has won."""
        return sum(n for (one, other), n in self.outcomes.items() if one == WON != other)

    @property
    def second_only(self) -> int:
        """The number of pairs that only the second has won."""
        return sum(n for (one, other), n in self.outcomes.items() if one != WON == other)

    def paired(self, first: DaysTally, outcome: str) -> Paired:
        """Return the pairs by whether the first has won and whether the second had this outcome.

        All other fights of the `first` side are counted besides.
        """
        table = Counter[tuple[bool, bool]]()
        for (one, other), count in self.outcomes.items():
            table[one == WON, other == outcome] += count
        won = table[True, True] + table[True, False]
        return Paired(
            table[True, True], table[True, False], table[False, True], table[False, False],
            first.days - self.pairs, first.won - won,
        )  # fmt: skip

    def take(self, first: DayResult, second: DayResult) -> None:
        """Add one more pair."""
        self.outcomes[first.outcome, second.outcome] += 1
        margins = [margin_of(day) for day in (first, second)]
        apart = margins[1] - margins[0]
        self.difference += apart
        self.squares += apart * apart
        for sums, margin in zip(self.own, margins, strict=True):
            sums[0] += margin
            sums[1] += margin * margin

    def add(self, more: PairTally) -> None:
        """Add another tally of the same pairs."""
        self.outcomes.update(more.outcomes)
        self.difference += more.difference
        self.squares += more.squares
        for sums, others in zip(self.own, more.own, strict=True):
            sums[0] += others[0]
            sums[1] += others[1]


def margin_of(day: DayResult) -> int:
    """Return the health left to the party less that of the others, at the day's end."""
    return day.fights[-1].margin


class Chunk(NamedTuple):
    """Consecutive fights: the number of the first, and how many."""

    number: int
    first: int
    fights: int


class Chunked:
    """The result of a chunk of fights: a tally for each arm played, and the comparison of two arms."""

    def __init__(self, arms: int) -> None:
        self.arms = [DaysTally() for _ in range(arms)]
        self.pairs = PairTally()

    def take(self, days: list[DayResult]) -> None:
        """Count a fight that was played in each arm."""
        for tally, day in zip(self.arms, days, strict=True):
            tally.take(day)
        if len(days) > 1:
            self.pairs.take(days[0], days[1])

    def add(self, more: Chunked) -> None:
        """Add another chunk, of all arms or of the first ones."""
        for tally, other in zip(self.arms, more.arms, strict=False):
            tally.add(other)
        self.pairs.add(more.pairs)
