"""A system's declarations for play without people: begin, end, winner, and the numbers that are health.

Sim knows no system but by this. Begin with `Simulated`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..kernel.procedure import World
from ..play.legal import Option

WON = "won"
"""The party has won."""
LOST = "lost"
"""The party has lost, and nobody of it got away."""
FLED = "fled"
"""The party has lost, and some of it got away."""
DRAWN = "drawn"
"""Nobody has won."""
OUTCOMES = (WON, LOST, FLED, DRAWN)
"""How a fight may come out, for the party."""


HOW_MANY = ("none", "one", "two", "three", "four", "five", "six")


def how_many(people: int) -> str:
    """Return a number of people as a word, under which results are counted."""
    return HOW_MANY[people] if people < len(HOW_MANY) else "more"


class Lineup(NamedTuple):
    """The people besides those that an encounter has.

    They are the `party`, which is everybody if nobody is named; so many more of each of these `creatures`;
    and as many of the creatures that come by count as a `difficulty` needs.
    """

    party: Sequence[str] = ()
    creatures: Mapping[str, int] = {}
    difficulty: str = ""


def nothing_else(data: Mapping[str, object]) -> Mapping[str, str]:
    """Count nothing of a fight's end but the winner."""
    return {}


def nothing_used(option: Option, data: Mapping[str, object]) -> str:
    """Return the thing that was used with a command: none that has a name."""
    return ""


def in_words(world: World, what: str) -> str:
    """Return the name of a thing that was used, made from its id."""
    return what.rpartition(":")[2].replace("-", " ").capitalize()


class Simulated(NamedTuple):
    """A system's scenes as they are played without people.

    `begin` gives what begins a scene: called with the world, the id of what a campaign has `prepared` and
    the lineup; it may raise Refused. `result` says of a scene under way that it is WON, LOST, FLED or DRAWN
    for `ours`, or nothing while it goes on; `finish` gives what ends it then, or None. `health` are the keys
    of people's numbers that are lost as they are hurt; `counted` what else of their numbers is worth
    knowing at the end. `used` says what was used with a command that has been played, such as a power:
    called with it and its data. `came_of_it` reads what else is counted from the data of what ended it.
    """

    begin: Callable[[World, str, Lineup], Option]
    result: Callable[[World], str]
    finish: Callable[[World], Option | None]
    health: Sequence[str]
    fells: Sequence[str] = ()
    """Which of them bring somebody down at 0."""
    unit: str = "HP"
    """What a point of health is called, for people."""
    scene: str = "fight"
    """What one of its scenes is called."""
    counted: Sequence[str] = ()
    prepared: str = "encounters"
    ours: str = "party"
    used: Callable[[Option, Mapping[str, object]], str] = nothing_used
    named: Callable[[World, str], str] = in_words
    """What people call what was used."""
    came_of_it: Callable[[Mapping[str, object]], Mapping[str, str]] = nothing_else
    worth_of: Callable[[World, str], float] | None = None
    """What a creature counts against a difficulty, where the rules say: called with the world and its id."""
    budgets: Callable[[World, int], Mapping[str, float]] | None = None
    """What each difficulty may cost, the easiest first: called with the world and the number of
    characters."""
    fled: Collection[str] = ()
    """What somebody is who is out of a scene by having got away (`Person.out`)."""
    most_rounds: int = 100
    """Rounds after which nobody has won."""
    undecided: str = ""
    """Why no scene of it is ever won, where the rules leave that to the table: a sentence. Then no chance to
    win is told."""


def health_changes(
    rules: Simulated, changes: Iterable[tuple[str, object, object]], people: Collection[str]
) -> Iterator[tuple[str, str, int, int]]:
    """Yield the changes of health in a fact: the person, the number's key, its value before and after.

    Numbers stand below their owner.
    """
    for path, before, after in changes:
        above, _, key = path.rpartition(".")
        if key in rules.health and isinstance(before, int) and isinstance(after, int):
            combatant = above.rpartition(".")[2]
            if combatant in people:
                yield combatant, key, before, after
