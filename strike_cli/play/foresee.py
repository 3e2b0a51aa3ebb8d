"""What would come of a command, exactly: every fall of the dice, played by the very procedure that plays it.

Nothing happens to the world that is looked at. Choices on the way are taken by a stated `Plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from ..facts import Change, State, apply_changes
from ..rules.procedure import Choose, World
from .exhaustive import Policy
from .forecast import chances
from .moves import Given

Key = TypeVar("Key", bound=Hashable)

GLANCING = ("damage", "effect")
TOKENS = ("keep", "hit", "best")
OPPORTUNITIES = ("take", "pass")


@dataclass(frozen=True)
class Plan:
    """How choices are taken where nobody is asked.

    Of a glancing hit damage or effect. Miss Tokens: kept, spent (as few as do) to turn a miss into a hit, or
    spent for the best result. Opportunities taken or passed. Of anything else the first option.
    """

    glancing: str = "damage"
    tokens: str = "hit"
    opportunities: str = "take"

    def __call__(self, question: Choose) -> str:
        """The option that the plan takes."""
        if question.what == "miss tokens":
            return self._tokens(question)
        wanted = self.glancing if question.what == "glancing" else self.opportunities
        return wanted if wanted in question.options else question.options[0]

    def _tokens(self, question: Choose) -> str:
        # The options go from spending none to the best result; the labels name what each comes to.
        missed = question.labels[0].endswith("miss")
        if self.tokens == "keep" or (self.tokens == "hit" and not missed):
            return question.options[0]
        return question.options[1 if self.tokens == "hit" else -1]


USUAL = Plan()


def foreseen(
    world: World,
    name: str,
    args: Given,
    read: Callable[[dict[str, Any], State], Key],
    plan: Policy = USUAL,
) -> dict[Key, Fraction]:
    """The exact chance of each thing that `read` makes of a command's data and of the state after it, choices
    being taken by a plan.

    Raises Refused where the command would be.
    """
    return chances(world, name, args, read, plan)


def in_turn(world: World, who: str) -> World:
    """The world as if it were just now somebody's turn, with nothing done in it yet."""
    if world.get("fight.active") == who:
        return world
    now = {"fight.active": who, "fight.turn": None, "fight.round": world.get("fight.round") or 1}
    changes: list[Change] = [(path, world.get(path), value) for path, value in now.items()]
    return World(world.book, apply_changes(world.state, changes))


class Line(NamedTuple):
    """How an attack comes out for one target: what `combat attack` says of it, without the dice."""

    result: str
    damage: int
    effect: bool
    strike: bool
    tokens_spent: int
    taken_out: bool


def line_of(attack: Mapping[str, Any]) -> Line:
    """The line of one target in the data of `combat attack`."""
    return Line(*(attack[field] for field in Line._fields))


MOST_TOGETHER = 4
"""Targets whose rolls are counted together: each one more takes six times as long."""


def attack_odds(
    world: World, args: Mapping[str, Any], plan: Policy = USUAL
) -> dict[tuple[Line | None, ...], Fraction]:
    """The exact chance of each way that an attack comes out: a line for each target in the order named, None
    for one that was not rolled for (STR-TAC-09 to 11).

    It is looked at as in the attacker's own turn, nothing done in it yet. Raises Refused for an attack that
    would be.
    """
    targets = args["targets"]

    def read(data: dict[str, Any], state: State) -> tuple[Line | None, ...]:
        lines = {attack["target"]: line_of(attack) for attack in data["attacks"]}
        return tuple(lines.get(target) for target in targets)

    return foreseen(in_turn(world, args["who"]), "combat attack", args, read, plan)


class Prospect(NamedTuple):
    """What is to be expected of an option: the chance that an attack hits anybody, the HP it takes in all and
    how many it Takes Out on average, who gets an Opportunity, and the HP those take on average."""

    hit: Fraction
    damage: Fraction
    taken_out: Fraction
    provokes: tuple[str, ...]
    harm: Fraction


def prospect(world: World, name: str, args: Mapping[str, Any], plan: Policy = USUAL) -> Prospect:
    """What is to be expected of a command as things stand, exact."""

    def read(data: dict[str, Any], state: State) -> tuple[Any, ...]:
        attacks = data.get("attacks", ())
        blows = data.get("opportunities", ())
        return (
            any(attack["result"] != "miss" for attack in attacks),
            sum(attack["damage"] for attack in attacks),
            sum(attack["taken_out"] for attack in attacks),
            tuple(blow["by"] for blow in blows),
            sum(blow["damage"] for blow in blows),
        )

    ways = foreseen(world, name, args, read, plan)

    def mean(field: int) -> Fraction:
        return sum((way[field] * chance for way, chance in ways.items()), Fraction())

    provoked = dict.fromkeys(taker for way in ways for taker in way[3])
    return Prospect(mean(0), mean(1), mean(2), tuple(provoked), mean(4))
