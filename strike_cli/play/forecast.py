"""What would come of a move of any system, exactly: every fall of the dice, played by the procedure that
plays it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from ..kernel.exhaustive import Policy, first_option, probabilities
from ..kernel.procedure import World
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

    legal = (one for one in legal_options(system, world) if not one.answers)
    options = [one for one in legal if not whose or one.side == whose]
    return max(options, key=gain) if options else None
