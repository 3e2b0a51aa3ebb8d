"""The difficulty of an encounter by a system's own rules, and rosters made for a difficulty.

This module knows no system by name.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ..content.merged_content import Book
from ..kernel.driver import default_of_decision, play_until_open_decision
from ..kernel.procedure import World
from ..kernel.state_changes import require_scene_table
from ..play.playable_moves_and_time_limit import find_move
from ..problems import Refused, Usage, did_you_mean, listed
from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from ..registry.system_declaration import System
from .simulated_fight import KeyedDice, simulation_rules_of
from .simulation_hooks import Lineup, SimulationRules

if TYPE_CHECKING:
    from ..tabletop.data import EncounterWritten

MOST_KINDS = 3
"""The most kinds of creature in a roster."""
MIN_CREATURES_PER_CHARACTER, MAX_CREATURES_PER_CHARACTER = 0.5, 2.5
"""The fewest and the most creatures for each character, where nobody says how many."""
MAX_BUDGET_FACTOR = 1.25
"""How far an encounter may exceed the hardest difficulty, in that difficulty's budgets."""
EMPTY = ""
ENEMIES, PARTY = "enemies", "party"
"""What a sign on a map may stand for, besides a single creature."""


class EncounterRating(NamedTuple):
    """The difficulty of an encounter by the rules.

    `worth` is the total worth of the encounter's creatures. `budgets` has the budget of each difficulty for
    this number of `players`, the easiest first. `difficulty` is the hardest difficulty whose budget `worth`
    reaches; it is "" if `worth` is below the lowest budget.
    """

    worth: float
    players: int
    budgets: Mapping[str, float]
    difficulty: str
    roster: Mapping[str, int]


def rate_encounter(system: System, book: Book, encounter: str, lineup: Lineup) -> EncounterRating | None:
    """Return the difficulty of an encounter at its start; None if the system has no rules for difficulty.

    Raises Refused if the encounter can't begin.
    """
    rules = simulation_rules_of(system)
    if rules.worth_of is None or rules.budgets is None:
        return None
    world = World(book)
    option = rules.begin(world, encounter, lineup)
    procedure = find_move(option.command).start(world, option.args)
    play_until_open_decision(procedure, world, KeyedDice(0, EMPTY), default_of_decision)
    table = require_scene_table(world.state, system.scene.key)
    people = scene_or_bare_scene_from_table(system, table, {}).people.values()
    foes = Counter(one.ref for one in people if one.side != rules.ours)
    players = sum(one.side == rules.ours and one.ref in book.characters for one in people)
    worth = sum(rules.worth_of(world, ref) * n for ref, n in foes.items() if ref in book.creatures)
    budgets = rules.budgets(world, players)
    return EncounterRating(worth, players, budgets, hardest_difficulty_reached(worth, budgets), dict(foes))


def hardest_difficulty_reached(worth: float, budgets: Mapping[str, float]) -> str:
    """Return the hardest difficulty whose budget a worth reaches; "" if it is below the easiest."""
    reached = [name for name, budget in budgets.items() if worth >= budget]
    return reached[-1] if reached else EMPTY


class Roster(NamedTuple):
    """Creatures with their numbers, their total worth, and the hardest difficulty that it reaches.

    The difficulty is "" if the total worth is below the budget of the easiest one.
    """

    creatures: Mapping[str, int]
    worth: float
    difficulty: str


def propose_rosters(
    rules: SimulationRules, book: Book, difficulty: str, players: int, kinds: Sequence[str], size: int | None
) -> list[Roster]:
    """Return rosters of creatures of these `kinds` for a difficulty, the best first.

    First come the rosters that have exactly this difficulty. Among them, the one whose total worth is nearest
    to the budget of the difficulty is the best. Rosters of a lower difficulty follow. No two rosters have two
    kinds of creature in common. `size`, if given, is the number of creatures in a roster.

    Raises Usage if no roster fits, if the difficulty is unknown, or if the game doesn't rate difficulty.
    """
    if rules.worth_of is None or rules.budgets is None:
        raise Usage("This game doesn't rate difficulty.", "`strike sim ENCOUNTER` plays an encounter.")
    world = World(book)
    budgets = rules.budgets(world, players)
    if difficulty not in budgets:
        raise Usage(
            f"--difficulty: {difficulty!r} is not a difficulty.{did_you_mean(difficulty, budgets)}",
            f"Known: {listed(budgets)}.",
        )
    worth = {ref: rules.worth_of(world, ref) for ref in kinds}
    budget = budgets[difficulty]
    harder = [more for more in budgets.values() if more > budget]
    most = min(harder) if harder else budget * MAX_BUDGET_FACTOR
    sizes, usual = _roster_sizes(players, size), size or players * 1.25

    @cache  # many creatures are worth the same
    def best_rank_counts_and_total(
        worths: tuple[float, ...],
    ) -> tuple[tuple[float, ...], tuple[int, ...], float] | None:
        """Return the best number of creatures for each of these worths.

        The result is the rank of this choice, the numbers, and their total worth; None if no numbers fit. A
        lower rank is better. Numbers for an easier fight rank higher; those for a harder one don't fit.
        """
        best = None
        for counts in _positive_counts_within_budget(worths, most, sizes):
            total = sum(each * n for each, n in zip(worths, counts, strict=True))
            other = hardest_difficulty_reached(total, budgets) != difficulty
            if other and total >= budget:
                continue  # it is harder
            rank = float(other), abs(total - budget), abs(sum(counts) - usual), -len(counts)
            if best is None or rank < best[0]:
                best = rank, counts, total
        return best

    ranked: list[tuple[tuple[float, ...], Roster]] = []
    for chosen in _subsets_of_one_to_three_kinds(kinds):
        if found := best_rank_counts_and_total(tuple([worth[ref] for ref in chosen])):
            rank, counts, total = found
            reached = hardest_difficulty_reached(total, budgets)
            ranked.append((rank, Roster(dict(zip(chosen, counts, strict=True)), total, reached)))
    if not ranked:
        many = f"{size} of " if size else ""
        raise Usage(
            f"Nothing fits: {many}{listed(kinds)} for {budget:g} ({difficulty}).",
            "Another difficulty, another --size, or other creatures.",
        )
    ranked.sort(key=lambda item: item[0])
    return _drop_similar(roster for _, roster in ranked)


def _subsets_of_one_to_three_kinds(kinds: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for number in range(1, min(MOST_KINDS, len(kinds)) + 1):
        yield from combinations(kinds, number)


def _roster_sizes(players: int, size: int | None) -> range:
    if size:
        return range(size, size + 1)
    return range(
        max(1, round(players * MIN_CREATURES_PER_CHARACTER)),
        max(2, round(players * MAX_CREATURES_PER_CHARACTER)) + 1,
    )


def _positive_counts_within_budget(
    worth: Sequence[float], budget: float, sizes: range
) -> Iterator[tuple[int, ...]]:
    """Yield every selection of creatures that a budget allows, as the number of creatures of each kind.

    Each kind occurs at least once, and the total number of creatures is in `sizes`. `worth` has the worth of
    one creature of each kind.
    """

    def extend_counts(kind: int, left: float, room: int) -> Iterator[tuple[int, ...]]:
        if kind == len(worth):
            yield ()
            return
        others = len(worth) - kind - 1
        for n in range(1, room - others + 1):
            if worth[kind] * n > left:
                return
            for rest in extend_counts(kind + 1, left - worth[kind] * n, room - n):
                yield (n, *rest)

    for counts in extend_counts(0, budget, sizes.stop - 1):
        if sum(counts) in sizes:
            yield counts


def _drop_similar(rosters: Iterator[Roster]) -> list[Roster]:
    """Return the rosters without those that are similar to an earlier roster in the result.

    Two rosters are similar if they share two kinds of creature.
    """
    kept: list[Roster] = []
    taken: set[tuple[str, ...]] = set()
    for roster in rosters:
        same = set(combinations(sorted(roster.creatures), MOST_KINDS - 1))
        if taken.isdisjoint(same):
            kept.append(roster)
            taken |= same
    return kept


def encounter_with_roster(
    files: Mapping[str, bytes], encounter: str, id: str, roster: Roster
) -> dict[str, object]:
    """Return a new encounter with the map of an existing one, and with the creatures of a roster.

    `encounter` is the id of the existing encounter, and `id` that of the new one. The result is a table as in
    campaign.toml. The new creatures stand on the squares of the old ones. Raises Refused if the existing
    encounter isn't in `files`, the campaign's own files.
    """
    for name, data in files.items():
        if name.endswith(".toml"):
            table = tomllib.loads(data.decode("utf-8-sig")).get("encounters", {}).get(encounter)
            if table is not None:
                return _reuse_map_with_new_creatures(table, id, roster)
    raise Refused(
        f"The encounter {encounter!r} is not in the campaign's own files.", "Name another with --map."
    )


def _reuse_map_with_new_creatures(table: EncounterWritten, name: str, roster: Roster) -> dict[str, object]:
    found = {
        key: value
        for key, value in table.items()
        if key not in ("at", "creatures", "side", "summary", "goal", "objective")
    }
    place = {sign: ref if ref == PARTY else ENEMIES for sign, ref in table.get("place", {}).items()}
    return {
        **found,
        "name": name.replace("-", " ").capitalize(),
        "place": place,
        "creatures": dict(roster.creatures),
    }
