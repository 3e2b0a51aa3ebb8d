"""A system's declaration for `strike sim`: how scenes begin and end, which side wins, what health is.

The simulation knows a system only through this declaration. Begin with `SimulationRules`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..kernel.procedure import World
from ..play.legal_options import Option

WON = "won"
"""The party has won."""
LOST = "lost"
"""The party has lost, and nobody in it got away."""
FLED = "fled"
"""The party has lost, and some of its members got away."""
DRAWN = "drawn"
"""Nobody has won."""
OUTCOMES = (WON, LOST, FLED, DRAWN)
"""The possible outcomes of a fight for the party."""


NUMBER_WORDS = ("none", "one", "two", "three", "four", "five", "six")


def number_word_or_more(people: int) -> str:
    """Return a number of people as a word, such as "two"; "more" from seven on.

    Simulations count their results by these words.
    """
    return NUMBER_WORDS[people] if people < len(NUMBER_WORDS) else "more"


class Lineup(NamedTuple):
    """Changes to the participants of an encounter.

    `party` has the ids of the characters who take part; if it is empty, all do. `creatures` has the number of
    each additional creature, by id. With a `difficulty`, the numbers of creatures in the encounter's list are
    raised or lowered to fit it.
    """

    party: Sequence[str] = ()
    creatures: Mapping[str, int] = {}
    difficulty: str = ""


def no_further_results(data: Mapping[str, object]) -> Mapping[str, str]:
    """Return {}: the data of the last command have no results to count besides the winner.

    This is the default of `SimulationRules.came_of_it`.
    """
    return {}


def no_thing_used(option: Option, data: Mapping[str, object]) -> str:
    """Return "", which means that a command uses nothing that has a name.

    This is the default of `SimulationRules.used`.
    """
    return ""


def spell_thing_id_as_name(world: World, thing_id: str) -> str:
    """Return a name for a thing that was used, made from its id.

    It is the default of `SimulationRules.named`.
    """
    return thing_id.rpartition(":")[2].replace("-", " ").capitalize()


class SimulationRules(NamedTuple):
    """A system's functions and words for playing its scenes without people.

    Attributes:
        begin: Returns the option that begins a scene. It is called with the world, the id of a prepared
            thing, and the lineup. It may raise Refused.
        result: Returns the result for the side `ours`: WON, LOST, FLED or DRAWN. While the scene goes on, it
            returns "".
        finish: Returns the option that ends a scene with a result, or None.
        health: The keys of the numbers that people lose when they are hurt.
        counted: The keys of other numbers to report at the end.
        prepared: The kind of content that has the prepared things.
        used: Returns the name of what a played command used, such as a power. It is called with the command
            and its data.
        came_of_it: Returns other results to count. It is called with the data of the command that ended the
            scene.
    """

    begin: Callable[[World, str, Lineup], Option]
    result: Callable[[World], str]
    finish: Callable[[World], Option | None]
    health: Sequence[str]
    fells: Sequence[str] = ()
    """The keys among `health` that bring somebody down at 0."""
    unit: str = "HP"
    """The name of a point of health."""
    scene: str = "fight"
    """The name of one of the system's scenes."""
    counted: Sequence[str] = ()
    prepared: str = "encounters"
    ours: str = "party"
    used: Callable[[Option, Mapping[str, object]], str] = no_thing_used
    named: Callable[[World, str], str] = spell_thing_id_as_name
    """The function that names a thing that was used."""
    came_of_it: Callable[[Mapping[str, object]], Mapping[str, str]] = no_further_results
    worth_of: Callable[[World, str], float] | None = None
    """The function for a creature's worth against a difficulty, where the rules have one: called with the
    world and the creature's id.
    """
    budgets: Callable[[World, int], Mapping[str, float]] | None = None
    """The function for the budget of each difficulty, the easiest first: called with the world and the number
    of characters.
    """
    fled: Collection[str] = ()
    """The values of `Person.out` for people who have left a scene by getting away."""
    most_rounds: int = 100
    """The number of rounds after which nobody has won."""
    undecided: str = ""
    """A sentence on why no scene of the system is ever won, where the rules leave that to the table. No
    chance to win is reported then.
    """


def health_changes(
    rules: SimulationRules, changes: Iterable[tuple[str, object, object]], people: Collection[str]
) -> Iterator[tuple[str, str, int, int]]:
    """Yield each change of a person's health as (person, number, old value, new value).

    The person is given by id, and the number by its key. `changes` are the changes that a fact makes to the
    state. Only health changes of the people in `people` are yielded. The path of such a change ends with the
    person's id and the number's key.
    """
    for path, before, after in changes:
        above, _, key = path.rpartition(".")
        if key in rules.health and isinstance(before, int) and isinstance(after, int):
            combatant = above.rpartition(".")[2]
            if combatant in people:
                yield combatant, key, before, after
