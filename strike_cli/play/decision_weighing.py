"""Decisions in the middle of a command: which answer is best.

An answer is worth what the decider's position is worth after it, with the rest of the command played by its
own procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.driver import Dice, SeededDice, drive
from ..kernel.estimate import Chances, ways_of
from ..kernel.exhaustive import first_option
from ..kernel.facts import scene_table
from ..kernel.procedure import Choose, Data, Procedure, Roll, World, as_driven
from ..problems import Refused
from ..registry.declaration import System
from ..registry.scenes import scene_of
from .legal_options import Option, bot_of
from .moves import find_move

if TYPE_CHECKING:
    from ..tabletop.scene import Person

MOST = 216
"""How many ways the dice may fall after an answer for each of them to be played."""
PLAYS = 24
"""How often an answer is played if there are more ways."""
MANY, FEW = 12, 6
"""If a decision has more than `MANY` answers, such as squares to go to, all are played once at first.

Only the `FEW` best of these are then played in every way.
"""
Worth = Callable[[World, str], float]


class Underway(NamedTuple):
    """A command in the middle of being played.

    It has the world before the command, the command, and all answers so far, dice and decisions, in order.
    """

    before: World
    option: Option
    answers: Sequence[object] = ()

    def answered(self, answer: object) -> Underway:
        """Return the command with one more answer."""
        return self._replace(answers=(*self.answers, answer))


Decide = Callable[[Underway, Choose], str]


def decide_once(decide: Decide) -> Decide:
    """Return a function that asks `decide` only once for the same dice and decisions before.

    It is for callers that play one command again and again. If a decision has many answers, such as squares
    to go to, it is asked only once whatever came before: that takes long, and depends little on the dice.
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
    """Return the default answer, or the first option if there is none."""
    return question.default or first_option(question)


def play_on_with_decisions(underway: Underway, world: World, decide: Decide) -> Procedure[Data]:
    """Play a command on from where it is, in a world of its own; `decide` answers its decisions.

    Only the facts, and the dice that have not fallen yet, go to the driver of the procedure.
    """
    procedure = as_driven(find_move(underway.option.command).start(world, underway.option.args))
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
    """Return the side of the decider, who may also be a side; "" if they are neither."""
    table: Mapping[str, object] | None = scene_table(world.state, system.scene.key)
    people: Mapping[str, Person] = scene_of(system, table, {}).people if table else {}
    if person in people:
        return str(people[person].side)
    side = person.removeprefix("the ")
    return side if any(one.side == side for one in people.values()) else ""


def best_answer(
    system: System, underway: Underway, question: Choose, plays: int = 0, worth: Worth | None = None
) -> str | None:
    """Return the answer that is worth most to the decider's side; None if the decider has no side here.

    What a position is worth the system's bot says, or `worth`. With `plays` the rest of the command is played
    that often, otherwise in every way in which the dice can fall. Among answers that are worth the same, the
    default wins. Later decisions are made in the same way, with one play of each answer.
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
    """Return what a side's position is worth after a command with these answers."""

    def weighed(then: Underway, question: Choose) -> str:
        chooser = side_of(system, then.before, question.who)
        if plays == 1 or not chooser:
            return default_answer(question)
        return best_answer(system, then, question, 1, worth) or default_answer(question)

    later = weighed if plays == 1 else decide_once(weighed)
    latest: World

    def start() -> tuple[Procedure[Data], World]:
        nonlocal latest
        latest = World(underway.before.book, underway.before.state)
        return play_on_with_decisions(underway, latest, later), latest

    def outcome(data: Data | None) -> float:
        return worth(latest, side)

    try:
        if not plays:
            found: Chances[float] = ways_of(start, outcome, most=MOST, plays=PLAYS)
            return found.mean(float)
        total = 0.0
        for number in range(plays):
            procedure, world = start()
            dice: Dice = middling_faces if plays == 1 else SeededDice("an answer", number)
            total += outcome(drive(procedure, world, dice, default_answer).data)
        return total / plays
    except Refused:
        return float("-inf")


def middling_faces(roll: Roll) -> list[int]:
    """Return faces for a roll that are neither good nor bad."""
    return [(roll.sides + 1 + number % 2) // 2 for number in range(roll.n)]
