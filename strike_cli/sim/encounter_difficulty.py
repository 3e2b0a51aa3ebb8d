"""The difficulty of an encounter by a system's own count, and rosters made to a difficulty.

Knows no system by name.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ..content.book import Book
from ..kernel.driver import default_or_pending, drive
from ..kernel.facts import table_under_way
from ..kernel.procedure import World
from ..play.moves import find_move
from ..problems import Refused, Usage, listed, nearest
from ..registry.declaration import System
from ..registry.scenes import scene_of
from .fight import KeyedDice, simulation_of
from .simulated_system import Lineup, Simulated

if TYPE_CHECKING:
    from ..tabletop.data import EncounterWritten

MOST_KINDS = 3
"""The most kinds of creature in a roster."""
FEWEST, MOST = 0.5, 2.5
"""The fewest and the most creatures for each character, where nobody says how many."""
BEYOND = 1.25
"""How far an encounter may exceed the hardest difficulty, in that difficulty's budgets."""
EMPTY = ""
ENEMIES, PARTY = "enemies", "party"
"""What a sign on a map may stand for, besides a single creature."""


class Count(NamedTuple):
    """The value of an encounter by the rules.

    `worth` is that of its creatures together; the budgets are those of each difficulty for a number of
    `players`, the easiest first; the hardest difficulty reached is "" where the worth is below the easiest.
    """

    worth: float
    players: int
    budgets: Mapping[str, float]
    difficulty: str
    roster: Mapping[str, int]


def count_encounter(system: System, book: Book, encounter: str, lineup: Lineup) -> Count | None:
    """Return the value of an encounter at its beginning by the rules; None where the system counts nothing.

    Raises Refused where it can't begin.
    """
    rules = simulation_of(system)
    if rules.worth_of is None or rules.budgets is None:
        return None
    world = World(book)
    option = rules.begin(world, encounter, lineup)
    procedure = find_move(option.command).start(world, option.args)
    drive(procedure, world, KeyedDice(0, EMPTY), default_or_pending)
    table = table_under_way(world.state, system.scene.key)
    people = scene_of(system, table, {}).people.values()
    foes = Counter(one.ref for one in people if one.side != rules.ours)
    players = sum(one.side == rules.ours and one.ref in book.characters for one in people)
    worth = sum(rules.worth_of(world, ref) * n for ref, n in foes.items() if ref in book.creatures)
    budgets = rules.budgets(world, players)
    return Count(worth, players, budgets, difficulty_of(worth, budgets), dict(foes))


def difficulty_of(worth: float, budgets: Mapping[str, float]) -> str:
    """Return the hardest difficulty that a worth in standard creatures comes to; "" below the easiest."""
    reached = [name for name, budget in budgets.items() if worth >= budget]
    return reached[-1] if reached else EMPTY


class Roster(NamedTuple):
    """Creatures by number, their worth together, and the hardest difficulty that this reaches.

    The difficulty is "" where the worth is below the easiest.
    """

    creatures: Mapping[str, int]
    worth: float
    difficulty: str


def propose_rosters(
    rules: Simulated, book: Book, difficulty: str, players: int, kinds: Sequence[str], size: int | None
) -> list[Roster]:
    """Return rosters for a difficulty, of different kinds each, the best first.

    Rosters that reach it come first, nearest to its budget; then the nearest ones below. Raises Usage where
    there is none at all.
    """
    if rules.worth_of is None or rules.budgets is None:
        raise Usage("This game doesn't rate difficulty.", "`strike sim ENCOUNTER` plays an encounter.")
    world = World(book)
    budgets = rules.budgets(world, players)
    if difficulty not in budgets:
        raise Usage(
            f"--difficulty: {difficulty!r} is not one of them.{nearest(difficulty, budgets)}",
            f"Known: {listed(budgets)}.",
        )
    worth = {ref: rules.worth_of(world, ref) for ref in kinds}
    budget = budgets[difficulty]
    harder = [more for more in budgets.values() if more > budget]
    most = min(harder) if harder else budget * BEYOND
    sizes, usual = _sizes(players, size), size or players * 1.25

    @cache  # many creatures are worth the same
    def best_counts(worths: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[int, ...], float] | None:
        """Return the best numbers of creatures of these worths, after their rank and before their worth."""
        best = None
        for counts in _counts_within_budget(worths, most, sizes):
            total = sum(each * n for each, n in zip(worths, counts, strict=True))
            other = difficulty_of(total, budgets) != difficulty
            if other and total >= budget:
                continue  # it is harder
            rank = float(other), abs(total - budget), abs(sum(counts) - usual), -len(counts)
            if best is None or rank < best[0]:
                best = rank, counts, total
        return best

    ranked: list[tuple[tuple[float, ...], Roster]] = []
    for chosen in _nonempty_subsets(kinds):
        if found := best_counts(tuple([worth[ref] for ref in chosen])):
            rank, counts, total = found
            roster = Roster(dict(zip(chosen, counts, strict=True)), total, difficulty_of(total, budgets))
            ranked.append((rank, roster))
    if not ranked:
        many = f"{size} of " if size else ""
        raise Usage(
            f"Nothing fits: {many}{listed(kinds)} for {budget:g} ({difficulty}).",
            "Another difficulty, another --size, or other creatures.",
        )
    ranked.sort(key=lambda item: item[0])
    return _drop_similar(roster for _, roster in ranked)


def _nonempty_subsets(kinds: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for number in range(1, min(MOST_KINDS, len(kinds)) + 1):
        yield from combinations(kinds, number)


def _sizes(players: int, size: int | None) -> range:
    if size:
        return range(size, size + 1)
    return range(max(1, round(players * FEWEST)), max(2, round(players * MOST)) + 1)


def _counts_within_budget(worth: Sequence[float], budget: float, sizes: range) -> Iterator[tuple[int, ...]]:
    """Yield numbers of each kind, at least one, that fit the budget."""

    def more(at: int, left: float, room: int) -> Iterator[tuple[int, ...]]:
        if at == len(worth):
            yield ()
            return
        others = len(worth) - at - 1
        for n in range(1, room - others + 1):
            if worth[at] * n > left:
                return
            for rest in more(at + 1, left - worth[at] * n, room - n):
                yield (n, *rest)

    for counts in more(0, budget, sizes.stop - 1):
        if sum(counts) in sizes:
            yield counts


def _drop_similar(rosters: Iterator[Roster]) -> list[Roster]:
    """Return the rosters without those that share all kinds but one with an earlier one."""
    kept: list[Roster] = []
    taken: set[tuple[str, ...]] = set()
    for roster in rosters:
        same = set(combinations(sorted(roster.creatures), MOST_KINDS - 1))
        if taken.isdisjoint(same):
            kept.append(roster)
            taken |= same
    return kept


def place_roster(files: Mapping[str, bytes], encounter: str, id: str, roster: Roster) -> dict[str, object]:
    """Return a new encounter: the map of an existing one, with a roster in place of its creatures.

    It has the form of campaign.toml; the new creatures stand on the squares of the former ones.
    """
    for name, data in files.items():
        if name.endswith(".toml"):
            table = tomllib.loads(data.decode("utf-8-sig")).get("encounters", {}).get(encounter)
            if table is not None:
                return _encounter_with_roster(table, id, roster)
    raise Refused(
        f"The encounter {encounter!r} is not in the campaign's own files.", "Name another with --map."
    )


def _encounter_with_roster(table: EncounterWritten, id: str, roster: Roster) -> dict[str, object]:
    found = {
        key: value
        for key, value in table.items()
        if key not in ("at", "creatures", "side", "summary", "goal", "objective")
    }
    place = {sign: ref if ref == PARTY else ENEMIES for sign, ref in table.get("place", {}).items()}
    return {
        **found,
        "name": id.replace("-", " ").capitalize(),
        "place": place,
        "creatures": dict(roster.creatures),
    }
