"""Finds the best answer to a decision in the middle of a command.

An answer is worth as much as the decider's position after it, once the rest of the command has been played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.chance_estimates import Chances, exact_or_estimated_chances
from ..kernel.driver import Dice, SeededDice, play_until_open_decision
from ..kernel.exact_odds import first_option
from ..kernel.procedure import Choose, Data, Procedure, Roll, World, as_driven
from ..kernel.state_changes import scene_table
from ..problems import Refused
from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from ..registry.system_declaration import System
from .legal_options import Option, bot_of
from .playable_moves_and_time_limit import find_move

if TYPE_CHECKING:
    from ..tabletop.scene import Person

MAX_WAYS_OF_DICE = 216
"""The most ways in which the dice can fall after an answer for all of them to be played."""
PLAYS = 24
"""How often an answer is played if the dice can fall in more ways."""
MANY_ANSWERS, ANSWERS_WEIGHED_FULLY = 12, 6
"""If a decision has more than `MANY_ANSWERS` answers, such as squares to go to, all are played once at first.

Only the `ANSWERS_WEIGHED_FULLY` best of these are then played in every way.
"""
Worth = Callable[[World, str], float]


class CommandUnderway(NamedTuple):
    """A command in the middle of being played.

    `before` is the world before the command, and `option` is the command. `answers` has all answers so far,
    in order: faces of dice and chosen options.
    """

    before: World
    option: Option
    answers: Sequence[object] = ()

    def with_answer(self, answer: object) -> CommandUnderway:
        """Return a copy of the command with one more answer."""
        return self._replace(answers=(*self.answers, answer))


Decide = Callable[[CommandUnderway, Choose], str]


def cache_decisions(decide: Decide) -> Decide:
    """Return a function that answers questions as `decide` does, but stores the answers.

    It is for a caller that plays one command many times. If a question comes up again after the same answers,
    the stored answer is returned.

    Questions with more than `ANSWERS_WEIGHED_FULLY` options take long to decide, and their answer depends
    little on the dice. So such a question is decided only once, whatever was answered before it.
    """
    known: dict[str, str] = {}

    def decide_cached(underway: CommandUnderway, question: Choose) -> str:
        many = len(question.options) > ANSWERS_WEIGHED_FULLY
        so_far = repr((question.what, question.options) if many else underway.answers)
        if so_far not in known:
            known[so_far] = decide(underway, question)
        return known[so_far]

    return decide_cached


def default_or_first_answer(question: Choose) -> str:
    """Return the default answer of a question or, without one, its first option."""
    return question.default or first_option(question)


def replay_and_continue_command(underway: CommandUnderway, world: World, decide: Decide) -> Procedure[Data]:
    """Play a command under way again in `world`: from its start to where it is, and then to its end.

    The answers that the command has got before (`underway.answers`) are given to it again, in order. After
    these, `decide` makes the command's decisions, and the procedure asks for each roll of dice.
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
            now = now.with_answer(answer) if asks else now
    except StopIteration as over:
        data: Data = over.value
        return data


def side_of_decider(system: System, world: World, person_or_side: str) -> str:
    """Return the side of the person who decides; "" if that person has no side in this scene.

    `person_or_side` may also be a side, such as "the party".
    """
    table: Mapping[str, object] | None = scene_table(world.state, system.scene.key)
    people: Mapping[str, Person] = scene_or_bare_scene_from_table(system, table, {}).people if table else {}
    if person_or_side in people:
        return str(people[person_or_side].side)
    side = person_or_side.removeprefix("the ")
    return side if any(one.side == side for one in people.values()) else ""


def best_answer(
    system: System, underway: CommandUnderway, question: Choose, plays: int = 0, evaluate: Worth | None = None
) -> str | None:
    """Return the answer that is worth most to the decider's side.

    If several answers are worth the same, the default wins. If the decider has no side, or the system has no
    bot, return None.

    To weigh an answer, the rest of the command is played with it, and the position at the end is evaluated.
    If there are more than `MANY_ANSWERS` answers, one play of each selects the best `ANSWERS_WEIGHED_FULLY`.
    Only these are weighed in full.

    Args:
        system: The system of the command.
        underway: The command with the open decision.
        question: The decision.
        plays: How often the rest is played. If it is 0, the average over all dice is computed or estimated.
            If it is 1, later decisions take their defaults. Otherwise later decisions are weighed, too.
        evaluate: Evaluates a position; by default, the system's bot does.
    """
    side = side_of_decider(system, underway.before, question.who)
    if not side or not system.bot:
        return None
    value: Worth = evaluate or bot_of(system).evaluate
    unasked = default_or_first_answer(question)
    order = [unasked, *(option for option in question.options if option != unasked)]

    def value_of_option(option: str, plays: int) -> float:
        return _value_after_answers(system, underway.with_answer(option), side, plays, value)

    if len(order) > MANY_ANSWERS and plays != 1:
        promised = {option: value_of_option(option, 1) for option in order}
        best = set(sorted(order, key=promised.__getitem__, reverse=True)[:ANSWERS_WEIGHED_FULLY])
        order = [option for option in order if option in best]
    return max(order, key=lambda option: value_of_option(option, plays))


def _value_after_answers(
    system: System, underway: CommandUnderway, side: str, plays: int, evaluate: Worth
) -> float:
    """Return the value of a side's position after a command.

    `underway` has the command, with the answers that were given so far. If the command is refused with these
    answers, the value is -infinity.
    """

    def decide_later(then: CommandUnderway, question: Choose) -> str:
        chooser = side_of_decider(system, then.before, question.who)
        if plays == 1 or not chooser:
            return default_or_first_answer(question)
        return best_answer(system, then, question, 1, evaluate) or default_or_first_answer(question)

    later = decide_later if plays == 1 else cache_decisions(decide_later)
    latest: World

    def start() -> tuple[Procedure[Data], World]:
        nonlocal latest
        latest = World(underway.before.book, underway.before.state)
        return replay_and_continue_command(underway, latest, later), latest

    def value_of_outcome(data: Data | None) -> float:
        return evaluate(latest, side)

    try:
        if not plays:
            found: Chances[float] = exact_or_estimated_chances(
                start, value_of_outcome, max_ways=MAX_WAYS_OF_DICE, plays=PLAYS
            )
            return found.mean(float)
        total = 0.0
        for number in range(plays):
            procedure, world = start()
            dice: Dice = middling_faces if plays == 1 else SeededDice("an answer", number)
            total += value_of_outcome(
                play_until_open_decision(procedure, world, dice, default_or_first_answer).data
            )
        return total / plays
    except Refused:
        return float("-inf")


def middling_faces(roll: Roll) -> list[int]:
    """Return faces near the middle for all dice of a roll, such as 3 and 4 for two d6."""
    return [(roll.sides + 1 + number % 2) // 2 for number in range(roll.n)]
