"""What would come of a move of any system, exactly: every fall of the dice, played by the procedure that
plays it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from ..kernel.drive import drive
from ..kernel.exhaustive import Policy, first_option, probabilities
from ..kernel.procedure import Happen, Roll, World
from ..registry.installed import load_object
from ..registry.system import System
from .legal import Option, legal_options
from .moves import Given, find_move

Key = TypeVar("Key", bound=Hashable)
Watching = TypeVar("Watching", bound=World)


def _afresh(world: World) -> World:
    return World(world.book, world.state)


def chances(
    world: World,
    name: str,
    args: Given,
    read: Callable[[dict[str, Any], Watching], Key],
    policy: Policy = first_option,
    watched_by: Callable[[World], Watching] = _afresh,  # type: ignore[assignment]
) -> dict[Key, Fraction]:
    """The exact chance of each thing that `read` makes of a move's data and of the world after it, which
    `watched_by` made of the one before.

    Nothing happens to the world that is looked at. Raises Refused where the move would be.
    """
    move = find_move(name)
    procedure, given = move.procedure(), move.args(args)
    latest = watched_by(world)

    def start() -> Any:
        nonlocal latest
        latest = watched_by(world)
        return procedure(latest, given), latest

    return probabilities(start, lambda data: read(data, latest), policy)


def outcomes(
    world: World, name: str, args: Given, policy: Policy = first_option
) -> list[tuple[dict[str, Any], Fraction]]:
    """Everything that counts of a move, as its system says (`Move.odds`), each with its exact chance; the
    likeliest first."""
    move = find_move(name)
    what_counts: Callable[[Mapping[str, Any]], Mapping[str, Any]] = load_object(
        move.system.absolute(move.move.odds)
    )
    found = chances(world, name, args, lambda data, _: tuple(what_counts(data).items()), policy)
    return [
        (dict(key), chance)
        for key, chance in sorted(found.items(), key=lambda item: (-item[1], str(item[0])))
    ]


def best_option(system: System, world: World, side: str, whose: str = "") -> Option | None:
    """The legal option, of those that are `whose` if that is said, that brings a side most, by what the
    system says its standing is worth, on average over the dice; of equals the first. None where nothing is
    legal."""
    worth: Callable[[World, str], float] = load_object(system.absolute(system.worth))

    def gain(option: Option) -> float:
        def after(data: dict[str, Any], latest: World) -> float:
            return worth(latest, side)

        ways = chances(world, option.command, option.args, after)
        return sum(value * float(chance) for value, chance in ways.items())

    options = [one for one in legal_options(system, world) if not whose or one.side == whose]
    return max(options, key=gain) if options else None


class Preview(NamedTuple):
    """What is to be expected of an option, exact: the chance of what comes about or not, and the average of
    what is a number, by what each is called; the squares that whoever acts passes, from where they stand; who
    gets to strike at them for it, by id; what bears on its rolls, with its reason."""

    chances: Mapping[str, Fraction] = {}
    averages: Mapping[str, Fraction] = {}
    way: tuple[str, ...] = ()
    provokes: tuple[str, ...] = ()
    bears: tuple[tuple[str | int, str], ...] = ()


def preview(system: System, world: World, option: Option) -> Preview:
    """What is to be expected of an option of a system's, with the first option of every choice, or as the
    system itself says (`System.foresees`). Raises Refused where the move would be."""
    if system.foresees:
        found: Preview = load_object(system.absolute(system.foresees))(world, option)
    elif system.moves[option.command].odds:
        found = _in_short(outcomes(world, option.command, option.args))
    else:
        found = Preview()
    return found if found.way else found._replace(way=way_of(world, option))


def _in_short(ways: Sequence[tuple[Mapping[str, Any], Fraction]]) -> Preview:
    """Chances of what is so or not, averages of numbers. An outcome that lacks one counts as nothing."""
    likely: dict[str, Fraction] = {}
    averages: dict[str, Fraction] = {}
    for outcome, chance in ways:
        for key, value in outcome.items():
            table = likely if isinstance(value, bool) else averages
            if isinstance(value, int):
                table[key] = table.get(key, Fraction()) + chance * value
    return Preview(likely, averages)


class _Walked(World):
    """A world that keeps in mind which squares somebody comes to stand on."""

    __slots__ = ("walker", "way")

    def __init__(self, world: World, walker: str) -> None:
        super().__init__(world.book, world.state)
        self.walker = walker
        self.way: list[str] = []

    def happen(
        self, kind: str, who: str, text: str, sets: Mapping[str, Any] | None = None, **details: Any
    ) -> Happen:
        """The fact, noted where it puts the walker on another square."""
        happened = super().happen(kind, who, text, sets, **details)
        for path, before, after in happened.fact.changes:
            if path.endswith(f".{self.walker}.at") and isinstance(after, str):
                self.way += [after] if self.way else [str(before), after]
        return happened


def way_of(world: World, option: Option) -> tuple[str, ...]:
    """The squares that whoever acts passes in a move, from where they stand, if dice on the way fall low and
    of every choice the first option is taken; none where it takes them nowhere. Raises Refused where the move
    would be."""
    who = getattr(option.args, "who", "")
    if not isinstance(who, str) or not who:
        return ()
    walked = _Walked(world, who)
    drive(find_move(option.command).start(walked, option.args), walked, _low, first_option)
    return tuple(walked.way)


def _low(roll: Roll) -> list[int]:
    return [1] * roll.n
