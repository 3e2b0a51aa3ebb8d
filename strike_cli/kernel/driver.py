"""Drives a procedure, and has what can answer its questions.

A driver is a `Dice` and a `Choices`. In play, dice come from a seed or are entered from real ones; a replay
reads dice and decisions from the journal. The loop is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ..problems import CampaignProblem, Usage, listed, nearest
from ..values import Value
from .facts import State, next_state
from .procedure import Choose, Data, Happen, Happened, Procedure, Roll, World, as_driven
from .statements import ENGLISH, OTHER

Answered = tuple[str, list[int] | str]
"""A question, by the first of its `keys`, and its answer: a list of faces, or an option."""

Dice = Callable[[Roll], list[int]]
Choices = Callable[[Choose], "str | None"]
"""Returns the option that was chosen, or None if nobody has decided yet."""


class DrivenPlay(Value):
    """The result of driving a procedure to its end, or to an open decision.

    `data` is what it returned, or what it has so far. `pending` is the decision for which it waits. `facts`
    are what happened, and `answers` the answers that were given. `states` are the states on the way, with the
    names of that time.
    """

    __slots__ = ("answers", "data", "facts", "pending", "states")

    def __init__(
        self,
        data: Data | None,
        pending: Choose | None,
        facts: list[Happened],
        answers: list[Answered],
        states: list[State],
    ) -> None:
        self.data = data
        self.pending = pending
        self.facts = facts
        self.answers = answers
        self.states = states


def drive(procedure: Procedure[Data], world: World, dice: Dice, choices: Choices) -> DrivenPlay:
    """Play a procedure to its end, or to the first decision that nobody has made."""
    facts: list[Happened] = []
    answers: list[Answered] = []
    states = [world.state]
    answer: object = None
    rules = as_driven(procedure)
    try:
        while True:
            question = rules.send(answer)
            if type(question) is Happen:
                facts.append(question.fact)
                answer = world.state = next_state(world, question.fact.changes)
                states.append(world.state)
            elif type(question) is Roll:
                answer = dice(question)
                answers.append((question.keys[0], answer))
            elif type(question) is Choose:
                answer = choices(question)
                if answer is None:
                    data = None if question.data is None else dict(question.data)
                    return DrivenPlay(data, question, facts, answers, states)
                answers.append((question.what, answer))
            else:
                raise TypeError(f"a procedure asked {question!r}")
    except StopIteration as end:
        return DrivenPlay(end.value, None, facts, answers, states)


class SeededDice:
    """Dice from a seed: the n-th roll of a campaign always falls the same, so that undo can't change it.

    Another `salt` gives other dice: the number of the entry before, for `--reroll`, or a word, for a trial.
    """

    def __init__(self, seed: int | str, n: int, salt: int | str = 0) -> None:
        self.key = f"{seed}/{n}/{salt}"
        self.asked = 0

    def __call__(self, roll: Roll) -> list[int]:
        from random import Random

        # Each roll has its own generator, so that recorded answers don't shift later rolls.
        source = Random(f"{self.key}/{self.asked}")
        self.asked += 1
        return [source.randint(1, roll.sides) for _ in range(roll.n)]


class EnteredDice:
    """Real dice: the faces that people entered, in the order in which they are asked for.

    `entered` are faces left from before a decision. `words` returns what is rolled in words: "d6 for Vex,
    Climbing". `together` are the digits of faces that were typed without a comma: what they mean depends on
    the first die that is asked for.
    """

    def __init__(
        self,
        faces: Sequence[int],
        entered: Sequence[int] = (),
        words: Callable[[Roll], str] | None = None,
        together: str = "",
    ) -> None:
        self.faces = [*entered, *faces]
        self.together = together
        self.words = words or _dice_asked
        self.kept = len(entered)
        self.used = 0
        self.asked: list[str] = []

    def __call__(self, roll: Roll) -> list[int]:
        self.asked.append(self.words(roll))
        if self.together and self.used >= self.kept:
            self.faces[self.kept :] = _faces_of(self.together, roll)
            self.together = ""
        answer = self.faces[self.used : self.used + roll.n]
        if len(answer) < roll.n:
            asked = "; ".join(self.asked)
            raise Usage(
                f"You gave {_dice(len(self.faces))}; this takes {self.used + roll.n} or more ({asked}).",
                "Give every natural face in this order, like --dice 5,2. Nothing was recorded.",
            )
        for face in answer:
            if not 1 <= face <= roll.sides:
                raise Usage(
                    f"{face} is not a face of a d{roll.sides} ({self.asked[-1]}).",
                    f"Each face is a number from 1 to {roll.sides}. Nothing was recorded.",
                )
        self.used += roll.n
        return answer

    def left(self) -> list[int]:
        """Return the faces that no roll has used."""
        return self.faces[self.used :]

    def check_all_used(self) -> None:
        """Raise Usage if there are more faces than were asked for.

        Faces from before a decision may be left over, since the answer can make them needless.
        """
        if self.used < len(self.faces) > self.kept:
            asked = f"{self.used} ({'; '.join(self.asked)})" if self.asked else "none"
            raise Usage(
                f"You gave {_dice(len(self.faces))}; this takes {asked}.",
                "Give only these. Nothing was recorded."
                if self.asked
                else "Leave out --dice. Nothing was recorded.",
            )


def _faces_of(digits: str, roll: Roll) -> list[int]:
    """Return the faces that digits without a comma mean.

    It is one face if the die has it, otherwise each digit is one; 0 is the ten of a d10. Raises Usage for
    dice whose faces can have two digits.
    """
    if not digits.startswith("0") and int(digits) <= roll.sides:
        return [int(digits)]
    if roll.sides > 10:
        raise Usage(
            f"{digits} is not a face of a d{roll.sides}.",
            f"Put commas between the faces of a d{roll.sides}, like --dice 12,7. Nothing was recorded.",
        )
    return [10 if digit == "0" and roll.sides == 10 else int(digit) for digit in digits]


class FacesWanted(Exception):
    """Raised when a roll waits for the faces of real dice."""

    def __init__(self, roll: Roll) -> None:
        super().__init__(roll.purpose)
        self.roll = roll


class AskedDice:
    """Dice of which some are real ones: the rolls for which `asks` returns True.

    `given` are the faces of these so far, in order; None leaves a roll to strike. Raises FacesWanted for the
    first such roll that has no entry.
    """

    def __init__(self, asks: Callable[[Roll], bool], given: Sequence[list[int] | None], others: Dice) -> None:
        self.asks = asks
        self.given = given
        self.others = others
        self.used = 0

    def __call__(self, roll: Roll) -> list[int]:
        if not self.asks(roll):
            return self.others(roll)
        if self.used == len(self.given):
            raise FacesWanted(roll)
        faces = self.given[self.used]
        self.used += 1
        return self.others(roll) if faces is None else faces


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def dice_in_words(roll: Roll, person: str, purpose: str) -> str:
    """Return what is rolled, for whom and for what: `2d6 for Vex, attack`."""
    count = f"{roll.n}d{roll.sides}" if roll.n > 1 else f"d{roll.sides}"
    return f"{count}{f' for {person}' if person else ''}, {purpose}"


def _dice_asked(roll: Roll) -> str:
    return dice_in_words(roll, roll.who, ENGLISH.purpose(roll.purpose))


class Scripted:
    """Answers to decisions that were given beforehand, by `--choose` or `strike choose`, in their order.

    After the last of them a decision takes its default, if it has one and `asking` is False.
    """

    def __init__(self, options: Sequence[str], asking: bool = False) -> None:
        self.options = list(options)
        self.used = 0
        self.asking = asking

    def __call__(self, question: Choose) -> str | None:
        if self.used >= len(self.options):
            return None if self.asking else question.default
        word = self.options[self.used]
        self.used += 1
        return match_option(question, word)

    def left(self) -> Sequence[str]:
        """Return the answers that no decision has used."""
        return self.options[self.used :]

    def check_all_used(self) -> None:
        """Raise Usage if there is an answer that no decision has used."""
        if self.used < len(self.options):
            raise Usage(
                f"Nothing asked for the choice {self.options[self.used]!r}.",
                f"{self.used} of {len(self.options)} choices were needed. Nothing was recorded.",
            )


class NoAnswer(Usage):
    """Raised for a word that is none of a decision's options."""


def match_option(question: Choose, word: str) -> str:
    """Return the option that `word` names, in whole or by a unique beginning; case doesn't matter.

    If free text may follow the option, it comes after a colon or a space: `flaw: the rope`, or `flaw the
    rope`. Raises NoAnswer for anything else.
    """
    low = word.strip().lower()
    exact = [option for option in question.options if option.lower() == low]
    begins = [option for option in question.options if option.lower().startswith(low)] if low else []
    found = exact or begins
    if len(found) == 1:
        return found[0]
    own = _free_text_answer(question, word)
    if own:
        return own
    raise NoAnswer(
        f"{word!r} is not an option here.{nearest(word, question.options)}",
        f"The options: {listed(question.options)}. Nothing was recorded.",
    )


def _free_text_answer(question: Choose, word: str) -> str:
    """Return the answer with its free text; "" if the decision takes none."""
    import re

    worded = question.about.worded if question.about else {}
    parts = re.split(r"\s*:\s*|\s+", word.strip(), maxsplit=1)
    head, words = parts[0].lower(), parts[1:]
    if words and head in worded and head in question.options:
        return f"{head}: {words[0]}"
    return f"{OTHER}: {word.strip()}" if words and OTHER in worded and OTHER in question.options else ""


class Recorded:
    """Answers that were recorded, dice and decisions; after the last of them another driver answers."""

    def __init__(self, answers: Sequence[Sequence[object]], dice: Dice, choices: Choices) -> None:
        self.answers = [tuple(answer) for answer in answers]
        self.next = 0
        self.more_dice = dice
        self.more_choices = choices

    def _take(self, keys: tuple[str, str]) -> object:
        """Return the recorded answer to a question with these keys; None after the last of them.

        Raises CampaignProblem if the journal has another question here.
        """
        if self.next >= len(self.answers):
            return None
        recorded, answer = self.answers[self.next]
        if recorded not in keys:
            raise CampaignProblem(
                f"The journal answers {recorded!r} where the rules now ask {keys[0]!r}.",
                "A rule or value that this command depends on has changed since: `strike undo`, and play it "
                "again.",
            )
        self.next += 1
        return answer

    def dice(self, roll: Roll) -> list[int]:
        """Return the faces of a roll, recorded or from the other driver."""
        answer = cast("list[int] | None", self._take(roll.keys))
        if answer is None:
            return self.more_dice(roll)
        if isinstance(self.more_dice, SeededDice):
            self.more_dice.asked += 1
        if len(answer) != roll.n or any(not 1 <= face <= roll.sides for face in answer):
            raise CampaignProblem(f"The journal has {answer!r} where {_dice_asked(roll)}, is asked.")
        return list(answer)

    def choices(self, question: Choose) -> str | None:
        """Return the answer to a decision, recorded or from the other driver.

        Older journals lack decisions that newer versions ask. If the record goes on with another question,
        the decision takes its default.
        """
        if (
            question.default is not None
            and self.next < len(self.answers)
            and self.answers[self.next][0] not in question.keys
        ):
            return question.default
        answer = cast("str | None", self._take(question.keys))
        return self.more_choices(question) if answer is None else match_option(question, answer)


def default_or_pending(question: Choose) -> str | None:
    """Return the default answer; without one None, so that the decision waits."""
    return question.default


def refuse_more_dice(roll: Roll) -> list[int]:
    """Raise CampaignProblem for a roll that the journal doesn't have, when an entry is played again."""
    raise CampaignProblem(f"The rules now ask {_dice_asked(roll)}, which was not recorded.")
