"""The loop that drives a procedure, and sources of answers to its questions: dice and decisions.

A driver needs a `Dice` and a `Choices`. In play, dice come from a seed, or people enter the faces of real
ones. A replay takes dice and decisions from the journal. The loop is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ..immutable_records import Value
from ..problems import CampaignProblem, Usage, did_you_mean, listed, pluralize
from .procedure import Choose, Data, Happen, Happened, Procedure, Roll, World, as_driven
from .state_changes import State, state_after_changes
from .statements import ENGLISH, OTHER

Answered = tuple[str, list[int] | str]
"""A question, by the first of its `keys`, and its answer: a list of faces, or an option."""

Dice = Callable[[Roll], list[int]]
Choices = Callable[[Choose], "str | None"]
"""Returns the option that was chosen, or None if nobody has decided yet."""


class DrivenPlay(Value):
    """The result of playing a procedure until it ends, or until a decision is open.

    Attributes:
        data: The procedure's return value. If a decision is open, it is the data that the procedure has so
            far.
        pending: The open decision; None if the procedure has ended.
        facts: The facts that happened.
        answers: The answers that were given.
        states: The states from first to last.
    """

    data: Data | None
    pending: Choose | None
    facts: list[Happened]
    answers: list[Answered]
    states: list[State]


def play_until_open_decision(
    procedure: Procedure[Data], world: World, dice: Dice, choices: Choices
) -> DrivenPlay:
    """Play a procedure to its end, or to the first decision that nobody has made.

    Args:
        procedure: The procedure; it must not have begun.
        world: The world of the procedure. Its `state` changes with every fact.
        dice: Returns the faces for a roll.
        choices: Returns the chosen option; None leaves the decision open.

    Returns:
        The result, with the open decision if there is one.

    Raises:
        TypeError: The procedure yields anything but a `Roll`, `Choose` or `Happen`.
    """
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
                answer = world.state = state_after_changes(world, question.fact.changes)
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
    """Dice whose faces follow from a seed, a number `n`, and a `salt`.

    The same seed, `n` and salt give the same faces. In a campaign, `n` is the number of rolls so far. So a
    command that is undone and played again has the same dice. Another salt gives other dice. With `--reroll`,
    the salt is the number of the previous entry. A dry run without its own seed has a word as its salt, so
    that it doesn't reveal the real dice.
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
    """Real dice: the faces that people entered, in the order of the rolls.

    `faces` are the faces entered now. `entered` has unused faces that were entered before a decision; they
    come first. `words` describes a roll for messages, such as "d6 for Vex, Climbing". `undivided_digits` has
    digits that were typed without commas. The first roll that needs them decides how the digits are split
    into faces.
    """

    def __init__(
        self,
        faces: Sequence[int],
        entered: Sequence[int] = (),
        words: Callable[[Roll], str] | None = None,
        undivided_digits: str = "",
    ) -> None:
        self.faces = [*entered, *faces]
        self.together = undivided_digits
        self.words = words or _roll_in_english
        self.kept = len(entered)
        self.used = 0
        self.asked: list[str] = []

    def __call__(self, roll: Roll) -> list[int]:
        self.asked.append(self.words(roll))
        if self.together and self.used >= self.kept:
            self.faces[self.kept :] = _split_digits(self.together, roll)
            self.together = ""
        answer = self.faces[self.used : self.used + roll.n]
        if len(answer) < roll.n:
            asked = "; ".join(self.asked)
            raise Usage(
                f"You gave {pluralize(len(self.faces), 'die', 'dice')}; this takes {self.used + roll.n} or "
                f"more ({asked}).",
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

    def unused_faces(self) -> list[int]:
        """Return the faces that no roll has used."""
        return self.faces[self.used :]

    def check_all_used(self) -> None:
        """Raise Usage if some of the faces that were entered now have not been used.

        Faces that were entered before a decision may stay unused, since the answer can make their rolls
        unnecessary.

        Raises:
            Usage: Faces are left over, and some faces were entered now.
        """
        if self.used < len(self.faces) > self.kept:
            asked = f"{self.used} ({'; '.join(self.asked)})" if self.asked else "none"
            raise Usage(
                f"You gave {pluralize(len(self.faces), 'die', 'dice')}; this takes {asked}.",
                "Give only these. Nothing was recorded."
                if self.asked
                else "Leave out --dice. Nothing was recorded.",
            )


def _split_digits(digits: str, roll: Roll) -> list[int]:
    """Return the faces for digits that were typed without a comma.

    The digits are one face if the die has a face with that number. Otherwise each digit is a face, and 0
    means ten on a d10. Raises Usage if they would have to be split for a die of more than ten sides.
    """
    if not digits.startswith("0") and int(digits) <= roll.sides:
        return [int(digits)]
    if roll.sides > 10:
        raise Usage(
            f"{digits} is not a face of a d{roll.sides}.",
            f"Put commas between the faces of a d{roll.sides}, like --dice 12,7. Nothing was recorded.",
        )
    return [10 if digit == "0" and roll.sides == 10 else int(digit) for digit in digits]


class FacesNeeded(Exception):
    """The signal that a roll waits for the faces of real dice."""

    def __init__(self, roll: Roll) -> None:
        super().__init__(roll.purpose)
        self.roll = roll


class PartlyRealDice:
    """Dice of which some are real: those of the rolls for which `asks` returns True.

    `given` has the faces of the real rolls, in order. If an item of `given` is None, `others` makes that
    roll. `others` also makes all rolls that aren't real. When `given` is used up, the next real roll raises
    FacesNeeded.
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
            raise FacesNeeded(roll)
        faces = self.given[self.used]
        self.used += 1
        return self.others(roll) if faces is None else faces


def dice_in_words(roll: Roll, person: str, purpose: str) -> str:
    """Return a roll in words, with person and purpose: `2d6 for Vex, attack`."""
    count = f"{roll.n}d{roll.sides}" if roll.n > 1 else f"d{roll.sides}"
    return f"{count}{f' for {person}' if person else ''}, {purpose}"


def _roll_in_english(roll: Roll) -> str:
    return dice_in_words(roll, roll.who, ENGLISH.purpose(roll.purpose))


class ScriptedChoices:
    """Answers that were given before their decisions came up, by `--choose` or `strike choose`, in order.

    When all answers are used, the next decision takes its default. If it has no default, or if `asking` is
    True, it stays open.
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

    def unused_answers(self) -> Sequence[str]:
        """Return the answers that no decision has used."""
        return self.options[self.used :]

    def check_all_used(self) -> None:
        """Raise Usage if there is an answer that no decision has used."""
        if self.used < len(self.options):
            raise Usage(
                f"Nothing asked for the choice {self.options[self.used]!r}.",
                f"{self.used} of {len(self.options)} choices were needed. Nothing was recorded.",
            )


class NotAnOption(Usage):
    """The error for a word that is none of a decision's options."""


def match_option(question: Choose, word: str) -> str:
    """Return the option that a word means: by its name or its unique beginning, ignoring case.

    If an option takes free text, the option is returned with the text, which follows a colon or a space:
    `flaw: the rope`, or `flaw the rope`.

    Args:
        question: The decision with the options.
        word: The typed word.

    Returns:
        The option, with its free text if any.

    Raises:
        NotAnOption: The word means no option, or several.
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
    raise NotAnOption(
        f"{word!r} is not an option here.{did_you_mean(word, question.options)}",
        f"The options: {listed(question.options)}. Nothing was recorded.",
    )


def _free_text_answer(question: Choose, word: str) -> str:
    """Return an answer that contains free text, such as `flaw: the rope`, for the typed text `word`.

    The first word says which option is meant, and the rest is the free text. If it means no option with free
    text, the whole is free text for the option OTHER. Return "" if neither is possible.
    """
    import re

    worded = question.about.worded if question.about else {}
    parts = re.split(r"\s*:\s*|\s+", word.strip(), maxsplit=1)
    head, words = parts[0].lower(), parts[1:]
    if words and head in worded and head in question.options:
        return f"{head}: {words[0]}"
    return f"{OTHER}: {word.strip()}" if words and OTHER in worded and OTHER in question.options else ""


class RecordedAnswers:
    """Dice and decisions from a journal entry.

    Once all recorded answers are used, the functions `more_dice` and `more_choices` answer.
    """

    def __init__(self, answers: Sequence[Sequence[object]], more_dice: Dice, more_choices: Choices) -> None:
        self.answers = [tuple(answer) for answer in answers]
        self.next = 0
        self.more_dice = more_dice
        self.more_choices = more_choices

    def replay_dice(self, roll: Roll) -> list[int]:
        """Return the recorded faces of a roll.

        Once all recorded answers are used, return faces from `more_dice`. Raises CampaignProblem if the
        recorded answer doesn't fit the roll.
        """
        answer = cast("list[int] | None", self._next_answer(roll.keys))
        if answer is None:
            return self.more_dice(roll)
        if isinstance(self.more_dice, SeededDice):
            self.more_dice.asked += 1
        if len(answer) != roll.n or any(not 1 <= face <= roll.sides for face in answer):
            raise CampaignProblem(f"The journal has {answer!r} where {_roll_in_english(roll)}, is asked.")
        return list(answer)

    def _next_answer(self, keys: tuple[str, str]) -> object:
        """Return the next recorded answer of the journal; None if all recorded answers have been used.

        `keys` are the keys under which the answer to the present question can be recorded. Raises
        CampaignProblem if the next answer was recorded for a different question.
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

    def replay_choice(self, question: Choose) -> str | None:
        """Return the recorded answer to a decision. After the last recorded answer, `more_choices` answers.

        A journal of an older version may have no answer to a decision that the rules ask for now. If the next
        recorded answer belongs to another decision, the decision's default is returned. Raises
        CampaignProblem if there is no default in this case.
        """
        if (
            question.default is not None
            and self.next < len(self.answers)
            and self.answers[self.next][0] not in question.keys
        ):
            return question.default
        answer = cast("str | None", self._next_answer(question.keys))
        return self.more_choices(question) if answer is None else match_option(question, answer)


def default_of_decision(question: Choose) -> str | None:
    """Return the default answer to a decision; None if it has no default.

    A decision without a default stays open.
    """
    return question.default


def refuse_more_dice(roll: Roll) -> list[int]:
    """Raise CampaignProblem: a replayed journal entry asks for dice that were not recorded."""
    raise CampaignProblem(f"The rules now ask {_roll_in_english(roll)}, which was not recorded.")
