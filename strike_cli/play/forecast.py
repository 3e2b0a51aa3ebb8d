"""The possible results of any system's move: every fall of the dice, played by its own procedure.

Where there are too many to play, the same procedure gives an estimate. Begin with `outcomes`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, TypeVar, cast

from ..kernel.driver import drive
from ..kernel.estimate import MOST_WAYS, PLAYS, Chances, Start, ways_of
from ..kernel.exhaustive import Policy, first_option
from ..kernel.facts import scene_table
from ..kernel.procedure import Args, Data, Happen, Procedure, Prose, Roll, World
from ..kernel.statements import Fact
from ..registry.declaration import System
from ..registry.installed import load_object
from ..registry.scenes import scene_of
from .decision_weighing import Decide, Underway, decided_once, default_answer, with_decisions
from .legal_options import Option, bot_of, legal_options
from .moves import Given, find_move

Key = TypeVar("Key", bound=Hashable)
Came = TypeVar("Came", bound=Data)
"""The data that a move returns, in the type that the move's caller knows."""
Counts = Mapping[str, "bool | int | str | tuple[str, ...] | None"]
"""The counted results of a move: plain values by name, as its system defines them for odds."""
Watching = TypeVar("Watching", bound=World)


def _afresh(world: World) -> World:
    return World(world.book, world.state)


def chances(
    world: World,
    name: str,
    args: Given,
    read: Callable[[Came, Watching], Key],
    policy: Policy = first_option,
    watched_by: Callable[[World], Watching] = _afresh,  # type: ignore[assignment]  # Watching is what the caller says
    most: int = MOST_WAYS,
    plays: int = PLAYS,
    rolls: int = 0,
) -> Chances[Key]:
    """Return the chance of each value that `read` makes of a move's data and the world after it.

    `policy` answers choices; `watched_by` wraps the world before the move for `read`. The chances are exact
    where the dice can fall in no more than `most` ways, else an estimate from `plays`, or from fewer that
    make `rolls` rolls together. The world is not changed. Raises Refused where the move would be refused.
    """
    start, after = watched(world, name, args, read, watched_by)
    return ways_of(start, after, policy, most, plays, rolls)


def watched(
    world: World,
    name: str,
    args: Given,
    read: Callable[[Came, Watching], Key],
    watched_by: Callable[[World], Watching] = _afresh,  # type: ignore[assignment]  # Watching is what the caller says
) -> tuple[Start[Came], Callable[[Came], Key]]:
    """Return a move in the form for drivers that count and estimate.

    The first function begins the move anew; the second reads the data of the last play, and the world after
    it.
    """
    move = find_move(name)
    procedure = cast("Callable[[World, Args], Procedure[Came]]", move.procedure())
    given = move.args(args)
    latest: Watching

    def start() -> tuple[Procedure[Came], World]:
        nonlocal latest
        latest = watched_by(world)
        return procedure(latest, given), latest

    return start, lambda data: read(data, latest)


class Outcomes(list[tuple[Counts, Fraction]]):
    """The outcomes of a move that count and their chances, the likeliest first.

    `plays` is 0 where the chances are exact, else the number of plays of the estimate.
    """

    plays = 0


def outcomes(
    world: World,
    name: str,
    args: Given,
    policy: Policy = first_option,
    most: int | None = None,
    plays: int = PLAYS,
) -> Outcomes:
    """Return the counted outcomes of a move (`Move.odds`) with their chances, the likeliest first.

    They are exact where the dice can fall in no more than `most` ways (by default fewer, the more people are
    in the scene); else an estimate from `plays`. `policy` answers choices.
    """
    move = find_move(name)
    what_counts: Callable[[Data], Counts] = load_object(move.system.absolute(move.system.moves[name].odds))
    ways = chances(
        world,
        name,
        args,
        lambda data, _: tuple(what_counts(data).items()),
        policy,
        most=MOST_OF_ONE // people_in_scene(world, move.system) if most is None else most,
        plays=plays,
    )
    found = Outcomes(
        (dict(key), chance) for key, chance in sorted(ways.items(), key=lambda item: (-item[1], str(item[0])))
    )
    found.plays = ways.plays
    return found


def people_in_scene(world: World, system: System) -> int:
    """Return how many people are in a system's scene; 1 where there is none."""
    table = scene_table(world.state, system.scene.key) if system.scene.key else None
    return 1 if table is None else max(1, len(scene_of(system, table, {}).people))


MOST_OF_ONE = 50_000
"""The most falls of the dice that are played one by one for a single move. In a scene each person adds as
many, fewer the more there are, since a play takes longer.
"""
PLAYS_IN_ALL = 12_000
"""The plays in which all options together are weighed at first; in a scene that many per person."""
FEWEST = 3
"""The fewest plays of an option that is estimated."""
ROLLS_OF_ONE = 4
"""The rolls assumed for a play: a move that rolls more, such as a blast among many, is played fewer times."""
WORTH_IT = 1e-6
"""The least gain for which the first member of a side takes an option."""
LOOKED_AT = 6
"""The number of estimated options that are examined again, with more plays."""


def plays_for_each(options: int, people: int) -> int:
    """Return the number of plays for each of many options that keeps them all affordable.

    The more people in a scene, the fewer plays.
    """
    return max(FEWEST, min(MOST_WAYS, PLAYS_IN_ALL // people // max(options, 1)))


def _differences(before: object, after: object) -> Hashable:
    """Return the differences between two states as a hashable value; shared parts are not gone through."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [key for key in {**before, **after} if before.get(key) is not after.get(key)]
        return tuple((key, _differences(before.get(key), after.get(key))) for key in keys)
    return repr(after)


def best_option(
    system: System, world: World, side: str, whose: str = "", decide: Decide | None = None
) -> Option | None:
    """Return the legal option with the highest expected value for a side; None where nothing is legal.

    The value of a position is the system's own. Of equals the first wins; `whose` limits the options to one
    person's. Where there is too much to play it all, options that look best by an estimate are examined more
    closely. Decisions on the way are made by `decide`, or else by their first option.
    """
    worth = bot_of(system).evaluate
    known: dict[Hashable, float] = {}
    people = people_in_scene(world, system)

    def weighed(option: Option, plays: int) -> Chances[float]:
        def after(data: Data, latest: World) -> float:
            # Many falls lead to the same state, and evaluating it may take longer than playing.
            came_to = _differences(world.state, latest.state)
            if came_to not in known:
                known[came_to] = worth(latest, side)
            return known[came_to]

        rolls = ROLLS_OF_ONE * plays
        if decide is None:
            return chances(world, option.command, option.args, after, most=plays, plays=plays, rolls=rolls)
        once = decided_once(decide)
        latest: World

        def start() -> tuple[Procedure[Data], World]:
            nonlocal latest
            latest = _afresh(world)
            return with_decisions(Underway(world, option), latest, once), latest

        return ways_of(start, lambda data: after(data, latest), default_answer, plays, plays, rolls)

    legal = (one for one in legal_options(system, world) if not one.answers)
    mine = (one for one in legal if not whose or one.side == whose)
    if not _is_turn_by_side(world, system):
        return _best(list(mine), people, weighed)[1]
    # It matters little who of a side acts first: each person in turn takes a good option. Options of nobody
    # in particular, such as the other side's turn, come last.
    now, most, best = worth(world, side), float("-inf"), None
    for person, alike in groupby(mine, key=lambda one: str(getattr(one.args, "who", ""))):
        gained, option = _best(list(alike), people, weighed)
        if gained > now + WORTH_IT:
            return option
        if gained > most or not person:
            most, best = (gained if person else float("inf")), option
    return best


def _is_turn_by_side(world: World, system: System) -> bool:
    table = scene_table(world.state, system.scene.key)
    order = None if table is None else scene_of(system, table, {}).order
    return order is not None and order.kind == "sides"


def _best(
    options: Sequence[Option], people: int, weighed: Callable[[Option, int], Chances[float]]
) -> tuple[float, Option | None]:
    """Return the best of some options, of equals the first, and its average value."""
    if not options:
        return float("-inf"), None
    each = plays_for_each(len(options), people)
    gains: list[float] = []
    unsure: list[int] = []
    for number, option in enumerate(options):
        ways = weighed(option, each)
        gains.append(ways.mean(float))
        unsure += [number] if ways.estimate else []
    for number in sorted(unsure, key=lambda number: -gains[number])[:LOOKED_AT]:
        gains[number] = weighed(options[number], max(FEWEST, PLAYS_IN_ALL // people // LOOKED_AT)).mean(float)
    best = max(range(len(options)), key=gains.__getitem__)
    return gains[best], options[best]


class Preview(NamedTuple):
    """The forecast of an option.

    It has the chance of each event and the average of each number, by their names; the squares on the actor's
    path, the first being their own; the ids of those who get to strike at them for it; and the modifiers of
    its rolls, with reasons. `plays` is 0 where it is exact, else the number of plays of the estimate.
    """

    chances: Mapping[str, Fraction] = {}
    averages: Mapping[str, Fraction] = {}
    way: tuple[str, ...] = ()
    provokes: tuple[str, ...] = ()
    bears: tuple[tuple[str | int, str], ...] = ()
    plays: int = 0


def preview(system: System, world: World, option: Option) -> Preview:
    """Return the forecast of an option, with the first option of every choice.

    A system may bring its own (`Bot.preview`). Raises Refused where the move would be refused.
    """
    found = bot_of(system).preview(world, option) if system.bot else None
    if found is not None:
        pass
    elif option.command in system.moves and system.moves[option.command].odds:
        ways = outcomes(world, option.command, option.args, most=MOST_WAYS)
        found = _summarize_ways(ways)._replace(plays=ways.plays)
        named = {measure_of(system, key): value for key, value in found.averages.items()}
        found = found._replace(averages=named)
    else:
        found = Preview()
    return found if found.way else found._replace(way=way_of(world, option))


def measure_of(system: System, key: str) -> str:
    """Return the label of an average in a system's odds; with several targets it follows each one's name."""
    before, space, last = key.rpartition(" ")
    return f"{before}{space}{system.measures.get(last, last)}"


def _summarize_ways(ways: Sequence[tuple[Counts, Fraction]]) -> Preview:
    """Return chances of yes-or-no results and averages of numbers; a missing number counts as 0."""
    likely: dict[str, Fraction] = {}
    averages: dict[str, Fraction] = {}
    for outcome, chance in ways:
        for key, value in outcome.items():
            table = likely if isinstance(value, bool) else averages
            if isinstance(value, int):
                table[key] = table.get(key, Fraction()) + chance * value
    return Preview(likely, averages)


class _Walked(World):
    """A world that remembers the squares that somebody comes to stand on."""

    __slots__ = ("walker", "way")

    def __init__(self, world: World, walker: str) -> None:
        super().__init__(world.book, world.state)
        self.walker = walker
        self.way: list[str] = []

    def tell(self, fact: Fact | Prose, sets: Mapping[str, object] | None = None) -> Happen:
        """Record a fact, and the square to which it moves the walker."""
        happened = super().tell(fact, sets)
        for path, before, after in happened.fact.changes:
            if path.endswith(f".{self.walker}.at") and isinstance(after, str):
                self.way += [after] if self.way else [str(before), after]
        return happened


def way_of(world: World, option: Option) -> tuple[str, ...]:
    """Return the squares on the actor's path in a move, from their present one; none without movement.

    Dice on the way fall low, and every choice takes its first option. A move that is one fact has the squares
    in its data, as `path`. Raises Refused where the move would be refused.
    """
    person = getattr(option.args, "who", "")
    if not isinstance(person, str) or not person:
        return ()
    walked = _Walked(world, person)
    played = drive(find_move(option.command).start(walked, option.args), walked, _low, first_option)
    way = walked.way
    path = (played.data or {}).get("path")
    over = list(path) if isinstance(path, list) else []
    if (
        way and over and over[-1] == way[-1] and len(over) >= len(way)
    ):  # told as one fact, walked as many steps
        way = over if over[0] == way[0] else [way[0], *over]
    return tuple(way)


def _low(roll: Roll) -> list[int]:
    return [1] * roll.n
