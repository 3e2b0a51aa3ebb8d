"""Forecasts a move: plays it, by its own procedure, in every way in which the dice can fall.

If there are too many ways, it is played a number of times for an estimate. Begin with `outcomes_of_move`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, TypeVar, cast

from ..kernel.chance_estimates import MOST_WAYS, PLAYS, Chances, ProcedureMaker, exact_or_estimated_chances
from ..kernel.driver import play_until_open_decision
from ..kernel.exact_odds import Policy, first_option
from ..kernel.procedure import Args, Data, Happen, Procedure, Prose, World
from ..kernel.state_changes import scene_table
from ..kernel.statements import Fact
from ..registry.installed_plugins import import_object
from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from ..registry.system_declaration import System
from .decision_weighing import (
    CommandUnderway,
    Decide,
    cache_decisions,
    default_or_first_answer,
    replay_and_continue_command,
)
from .legal_options import Option, bot_of, legal_options_listed_by_bot
from .playable_moves_and_time_limit import Given, find_move

Key = TypeVar("Key", bound=Hashable)
MoveData = TypeVar("MoveData", bound=Data)
"""The type of the data that a move returns, which the caller knows."""
Counts = Mapping[str, "bool | int | str | tuple[str, ...] | None"]
"""What odds count of a result: values by their names, as the system chooses them."""
Watching = TypeVar("Watching", bound=World)


def _fresh_world(world: World) -> World:
    return World(world.book, world.state)


def move_chances(
    world: World,
    name: str,
    args: Given,
    read_result: Callable[[MoveData, Watching], Key],
    policy: Policy = first_option,
    make_world: Callable[[World], Watching] = _fresh_world,  # type: ignore[assignment]  # Watching is what the caller says
    max_ways: int = MOST_WAYS,
    plays: int = PLAYS,
    max_rolls: int = 0,
) -> Chances[Key]:
    """Return the possible results of a move, each with its chance.

    `read_result` decides what counts as a result. It is called with the data that the move returns, and with
    the world after the move. `make_world` makes the world in which the move is played; `world` itself isn't
    changed. `policy` answers decisions.

    The chances are exact if the dice can fall in no more than `max_ways` ways. Otherwise, they are an
    estimate from `plays` plays. If `max_rolls` isn't 0, the estimate ends early once the plays have made that
    many rolls. Raises Refused if the move would be refused.
    """
    start, after = starter_and_reader_of_move(world, name, args, read_result, make_world)
    return exact_or_estimated_chances(start, after, policy, max_ways, plays, max_rolls)


def starter_and_reader_of_move(
    world: World,
    name: str,
    args: Given,
    read_result: Callable[[MoveData, Watching], Key],
    make_world: Callable[[World], Watching] = _fresh_world,  # type: ignore[assignment]  # Watching is what the caller says
) -> tuple[ProcedureMaker[MoveData], Callable[[MoveData], Key]]:
    """Return two functions for counting or estimating the outcomes of a move: a starter and a reader.

    The starter begins the move in a new world, made by `make_world`. After the move has been played, the
    caller gives its data to the reader. The reader passes these data, and the world after the move, to
    `read_result`, and returns the result.
    """
    move = find_move(name)
    procedure = cast("Callable[[World, Args], Procedure[MoveData]]", move.load_procedure_with_responses())
    given = move.read_args(args)
    latest: Watching

    def start() -> tuple[Procedure[MoveData], World]:
        nonlocal latest
        latest = make_world(world)
        return procedure(latest, given), latest

    return start, lambda data: read_result(data, latest)


class Outcomes(list[tuple[Counts, Fraction]]):
    """The possible results of a move with their chances, the likeliest first.

    A result has only the values by which `strike odds` tells results apart. `plays` is 0 if the chances are
    exact. Otherwise the chances are estimated, and `plays` is the number of plays.
    """

    plays = 0


def outcomes_of_move(
    world: World,
    name: str,
    args: Given,
    policy: Policy = first_option,
    max_ways: int | None = None,
    plays: int = PLAYS,
) -> Outcomes:
    """Return the different results of a move, as its odds count them, each with its chance.

    The likeliest result comes first. `Move.odds` says which values are counted. The chances are exact if the
    dice can fall in no more than `max_ways` ways. By default this limit is lower, the more people are in the
    scene. Otherwise the chances are an estimate from `plays` plays. `policy` answers decisions.
    """
    move = find_move(name)
    what_counts: Callable[[Data], Counts] = import_object(move.system.absolute(move.system.moves[name].odds))
    ways = move_chances(
        world,
        name,
        args,
        lambda data, _: tuple(what_counts(data).items()),
        policy,
        max_ways=MAX_WAYS_OF_MOVE // count_people_at_least_one(world, move.system)
        if max_ways is None
        else max_ways,
        plays=plays,
    )
    found = Outcomes(
        (dict(key), chance) for key, chance in sorted(ways.items(), key=lambda item: (-item[1], str(item[0])))
    )
    found.plays = ways.plays
    return found


def count_people_at_least_one(world: World, system: System) -> int:
    """Return the number of people in a system's scene, at least 1; 1 if no scene is under way."""
    table = scene_table(world.state, system.scene.key) if system.scene.key else None
    return 1 if table is None else max(1, len(scene_or_bare_scene_from_table(system, table, {}).people))


MAX_WAYS_OF_MOVE = 50_000
"""The most ways in which the dice of a single move can fall for all of them to be played.

In a scene this is divided by the number of its people, since a play takes longer.
"""
PLAYS_OF_ALL_OPTIONS = 12_000
"""How many plays all options share at first. In a scene this is divided by the number of its people."""
MIN_PLAYS = 3
"""How often an option is played at least, for an estimate."""
ROLLS_PER_PLAY = 4
"""How many rolls a play is taken to make. A move that rolls more often is played less often."""
MIN_GAIN = 1e-6
"""How much an option has to gain so that the first member of a side takes it."""
ESTIMATES_REFINED = 6
"""How many estimated options are played more often at the end."""


def plays_per_option(options: int, people: int) -> int:
    """Return how often to play each option, so that all of them together don't take too long."""
    return max(MIN_PLAYS, min(MOST_WAYS, PLAYS_OF_ALL_OPTIONS // people // max(options, 1)))


def best_option(
    system: System, world: World, side_to_gain: str, person_or_side: str = "", decide: Decide | None = None
) -> Option | None:
    """Return the legal option that is worth most to `side_to_gain`, or None if there is none.

    The system's bot gives the worth of the positions to which an option leads. If several options are worth
    the same, the first one is returned. Reactions (`Option.answers`) are left out.

    Each option is played with every possible result of the dice. If there are too many results, it is played
    a limited number of times, and its worth is an estimate. The options with the best estimates are then
    played more often.

    If the people of a side may act in any order, they are tried in turn. The first one with an option that
    improves the position takes the best one.

    `person_or_side` is the person or side whose options are considered (`Option.side`), or "" for all.
    `decide` answers decisions. Without it, the first option of each decision is taken.
    """
    worth = bot_of(system).evaluate
    known: dict[Hashable, float] = {}
    people = count_people_at_least_one(world, system)

    def chances_of_values(option: Option, plays: int) -> Chances[float]:
        def value_after(data: Data, latest: World) -> float:
            # Many falls lead to the same state, and evaluating it may take longer than playing.
            came_to = _hashable_differences(world.state, latest.state)
            if came_to not in known:
                known[came_to] = worth(latest, side_to_gain)
            return known[came_to]

        rolls = ROLLS_PER_PLAY * plays
        if decide is None:
            return move_chances(
                world, option.command, option.args, value_after, max_ways=plays, plays=plays, max_rolls=rolls
            )
        once = cache_decisions(decide)
        latest: World

        def start() -> tuple[Procedure[Data], World]:
            nonlocal latest
            latest = _fresh_world(world)
            return replay_and_continue_command(CommandUnderway(world, option), latest, once), latest

        return exact_or_estimated_chances(
            start, lambda data: value_after(data, latest), default_or_first_answer, plays, plays, rolls
        )

    legal = (one for one in legal_options_listed_by_bot(system, world) if not one.answers)
    mine = (one for one in legal if not person_or_side or one.side == person_or_side)
    if not _is_order_of_sides(system, world):
        return _best_worth_and_option(list(mine), people, chances_of_values)[1]
    # Options of nobody in particular, such as the other side's turn, come last.
    now, most, best = worth(world, side_to_gain), float("-inf"), None
    for person, alike in groupby(mine, key=lambda one: str(getattr(one.args, "who", ""))):
        gained, option = _best_worth_and_option(list(alike), people, chances_of_values)
        if gained > now + MIN_GAIN:
            return option
        if gained > most or not person:
            most, best = (gained if person else float("inf")), option
    return best


def _is_order_of_sides(system: System, world: World) -> bool:
    table = scene_table(world.state, system.scene.key)
    order = None if table is None else scene_or_bare_scene_from_table(system, table, {}).order
    return order is not None and order.kind == "sides"


def _hashable_differences(before: object, after: object) -> Hashable:
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [key for key in {**before, **after} if before.get(key) is not after.get(key)]
        return tuple((key, _hashable_differences(before.get(key), after.get(key))) for key in keys)
    return repr(after)


def _best_worth_and_option(
    options: Sequence[Option], people: int, chances_of: Callable[[Option, int], Chances[float]]
) -> tuple[float, Option | None]:
    """Return the average worth of the best option, and that option.

    If several options are the best, return the first of them. If there are no options, return -infinity and
    None.

    Args:
        options: The options to compare.
        people: The number of people for whom forecasts are made. The more people, the less often an option is
            played.
        chances_of: Plays an option a given number of times, and returns the chances of its worths.
    """
    if not options:
        return float("-inf"), None
    each = plays_per_option(len(options), people)
    gains: list[float] = []
    unsure: list[int] = []
    for number, option in enumerate(options):
        ways = chances_of(option, each)
        gains.append(ways.mean(float))
        unsure += [number] if ways.is_estimate else []
    for number in sorted(unsure, key=lambda number: -gains[number])[:ESTIMATES_REFINED]:
        gains[number] = chances_of(
            options[number], max(MIN_PLAYS, PLAYS_OF_ALL_OPTIONS // people // ESTIMATES_REFINED)
        ).mean(float)
    best = max(range(len(options)), key=gains.__getitem__)
    return gains[best], options[best]


class Preview(NamedTuple):
    """The possible results of an option.

    `chances` has the chance of each event, and `averages` the average of each number, by name. `way` has the
    squares of the actor's path, beginning with the actor's own square. `provokes` has the ids of the people
    who may strike at the actor because of that path. `bears` has the modifiers of the option's rolls, each
    with its reason. `plays` is 0 if the numbers are exact, otherwise the number of plays of the estimate.
    """

    chances: Mapping[str, Fraction] = {}
    averages: Mapping[str, Fraction] = {}
    way: tuple[str, ...] = ()
    provokes: tuple[str, ...] = ()
    bears: tuple[tuple[str | int, str], ...] = ()
    plays: int = 0


def preview(system: System, world: World, option: Option) -> Preview:
    """Return the forecast of an option: the possible results of playing it.

    If the system has a forecast of its own (`Bot.preview`), the result is that forecast. Otherwise the
    forecast comes from the odds of the option's move, with the first answer at every decision. If the move
    has no odds, only the actor's path is given. Raises Refused if the move is refused.
    """
    found = bot_of(system).preview(world, option) if system.bot else None
    if found is not None:
        pass
    elif option.command in system.moves and system.moves[option.command].odds:
        ways = outcomes_of_move(world, option.command, option.args, max_ways=MOST_WAYS)
        # Chances of yes-or-no results and averages of numbers; a missing number counts as 0.
        likely: dict[str, Fraction] = {}
        averages: dict[str, Fraction] = {}
        for outcome, chance in ways:
            for name, number in outcome.items():
                table = likely if isinstance(number, bool) else averages
                if isinstance(number, int):
                    table[name] = table.get(name, Fraction()) + chance * number
        found = Preview(likely, averages)._replace(plays=ways.plays)
        named = {name_of_average(system, key): value for key, value in found.averages.items()}
        found = found._replace(averages=named)
    else:
        found = Preview()
    return found if found.way else found._replace(way=path_of_move_with_lowest_dice(world, option))


def name_of_average(system: System, key: str) -> str:
    """Return the displayed name of the average whose key in a system's odds is `key`.

    With several targets, the key begins with the name of a target, and so does the displayed name.
    """
    before, space, last = key.rpartition(" ")
    return f"{before}{space}{system.measures.get(last, last)}"


class _PathRecorder(World):
    """A world that records the squares to which `walker` moves."""

    __slots__ = ("walker", "way")

    def __init__(self, world: World, walker: str) -> None:
        super().__init__(world.book, world.state)
        self.walker = walker
        self.way: list[str] = []

    def tell(self, fact: Fact | Prose, sets: Mapping[str, object] | None = None) -> Happen:
        """Record a fact, and the square to which the fact moves the walker."""
        happened = super().tell(fact, sets)
        for path, before, after in happened.fact.changes:
            if path.endswith(f".{self.walker}.at") and isinstance(after, str):
                self.way += [after] if self.way else [str(before), after]
        return happened


def path_of_move_with_lowest_dice(world: World, option: Option) -> tuple[str, ...]:
    """Return the squares of the actor's path in a move, beginning with the actor's own square.

    The path is empty if the actor doesn't move. The move is played with a 1 on every die and the first option
    of every decision. Some moves report all their steps as one fact; then the squares come from `path` in the
    move's data. Raises Refused if the move would be refused.
    """
    person = getattr(option.args, "who", "")
    if not isinstance(person, str) or not person:
        return ()
    walked = _PathRecorder(world, person)
    played = play_until_open_decision(
        find_move(option.command).start(walked, option.args), walked, lambda roll: [1] * roll.n, first_option
    )
    way = walked.way
    path = (played.data or {}).get("path")
    over = list(path) if isinstance(path, list) else []
    if (
        way and over and over[-1] == way[-1] and len(over) >= len(way)
    ):  # told as one fact, walked as many steps
        way = over if over[0] == way[0] else [way[0], *over]
    return tuple(way)
