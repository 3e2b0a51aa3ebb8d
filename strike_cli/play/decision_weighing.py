"""Decisions in the middle of a command, weighed as commands are.

The value of an answer is that of the decider's position after it, with the rest of the command played by its
own procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.driver import Dice, SeededDice, drive
from ..kernel.estimate import Chances, ways_of
from ..kernel.exhaustive import first_option
from ..kernel.facts import scene_table
from ..kernel.procedure import Choose, Data, Procedure, Roll, World, driven
from ..problems import Refused
from ..registry.declaration import System
from ..registry.scenes import scene_of
from .legal_options import Option, bot_of
from .moves import find_move

if TYPE_CHECKING:
    from ..tabletop.scene import Person

MOST = 216
"""The most falls of the dice after an answer for which each fall is played."""
PLAYS = 24
"""The number of plays of an answer after which the dice can fall in more ways."""
MANY, FEW = 12, 6
"""Of more answers than `MANY`, such as squares to go to, only the `FEW` that look best after one play of each
are played over every fall of the dice.
"""
Worth = Callable[[World, str], float]


class Underway(NamedTuple):
    """A command in the middle of being played.

    It has the world before it, the procedure, and all answers so far, dice and decisions, in order.
    """

    before: World
    option: Option
    answers: Sequence[object] = ()

    def answered(self, answer: object) -> Underway:
        """Return the command under way with one more answer."""
        return self._replace(answers=(*self.answers, answer))


Decide = Callable[[Underway, Choose], str]


def decided_once(decide: Decide) -> Decide:
    """Wrap `decide` to be asked once for each sequence of dice and decisions.

    It serves callers that play one command again and again: each play repeats the decisions of the one
    before. A choice among many, such as a destination, is asked once only, whatever came before: it takes
    long to evaluate and depends little on the dice.
    """
    known: dict[str, str] = {}

    def once(then: Underway, question: Choose) -> str:
        many = len(question.options) > FEW
        so_far = repr((question.what, question.options) if many else then.answers)
        if so_far not in known:
            known[so_far] = decide(then, question)
        return known[so_far]

    return once


def default_answer(question: Choose) -> str:
    """Return the default answer, for runs without anybody to ask; else the first option."""
    return question.default or first_option(question)


def with_decisions(underway: Underway, world: World, decide: Decide) -> Procedure[Data]:
    """Play a command on from its present point, in a world of its own, with decisions taken by `decide`.

    Only dice that have not fallen, and facts, are left to the driver.
    """
    procedure = driven(find_move(underway.option.command).start(world, underway.option.args))
    known, now = list(underway.answers), underway._replace(answers=())
    answer: object = None
    try:
        while True:
            question = procedure.send(answer)
            asks = isinstance(question, Choose | Roll)
            if asks and known:
                answer = known.pop(0)
            elif isinstance(question, Choose):
                answer = decide(now, question)
            else:
                answer = yield question
            now = now.answered(answer) if asks else now
    except StopIteration as over:
        data: Data = over.value
        return data


def side_of(system: System, world: World, person: str) -> str:
    """Return the side of a person who decides, or the side if that is named; "" for neither."""
    table: Mapping[str, object] | None = scene_table(world.state, system.scene.key)
    people: Mapping[str, Person] = scene_of(system, table, {}).people if table else {}
    if person in people:
        return str(people[person].side)
    side = person.removeprefix("the ")
    return side if any(one.side == side for one in people.values()) else ""


def best_answer(
    system: System, underway: Underway, question: Choose, plays: int = 0, worth: Worth | None = None
) -> str | None:
    """Return the answer with the highest expected value for the decider's side; None where none is known.

    The value of a position is the system's own, or `worth`. It is averaged over `plays` of the rest, or over
    every fall of the dice; among equal answers the default wins. Later decisions are evaluated too, by one
    play of each answer.
    """
    side = side_of(system, underway.before, question.who)
    if not side or not system.bot:
        return None
    value: Worth = worth or bot_of(system).evaluate
    unasked = default_answer(question)
    order = [unasked, *(option for option in question.options if option != unasked)]

    def gain(option: str, plays: int) -> float:
        return _gain(system, underway.answered(option), side, plays, value)

    if len(order) > MANY and plays != 1:
        promised = {option: gain(option, 1) for option in order}
        best = set(sorted(order, key=promised.__getitem__, reverse=True)[:FEW])
        order = [option for option in order if option in best]
    return max(order, key=lambda option: gain(option, plays))


def _gain(system: System, underway: Underway, side: str, plays: int, worth: Worth) -> float:
    """Return the value of a side's position after a command with these answers."""

    def weighed(then: Underway, question: Choose) -> str:
        chooser = side_of(system, then.before, question.who)
        if plays == 1 or not chooser:
            return default_answer(question)
        return best_answer(system, then, question, 1, worth) or default_answer(question)

    later = weighed if plays == 1 else decided_once(weighed)
    latest: World

    def start() -> tuple[Procedure[Data], World]:
        nonlocal latest
        latest = World(underway.before.book, underway.before.state)
        return with_decisions(underway, latest, later), latest

    def outcome(data: Data | None) -> float:
        return worth(latest, side)

    try:
        if not plays:
            found: Chances[float] = ways_of(start, outcome, most=MOST, plays=PLAYS)
            return found.mean(float)
        total = 0.0
        for number in range(plays):
            procedure, world = start()
            dice: Dice = middling if plays == 1 else SeededDice("an answer", number)
            total += outcome(drive(procedure, world, dice, default_answer).data)
        return total / plays
    except Refused:
        return float("-inf")


def middling(roll: Roll) -> list[int]:
    """Return faces that are neither good nor bad for a roll."""
    return [(roll.sides + 1 + number % 2) // 2 for number in range(roll.n)]
