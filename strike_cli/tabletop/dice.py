"""Rolls of dice, with Advantage, Disadvantage and modifiers. Each of these has a reason in the record."""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar, cast

from ..immutable_records import Value
from ..kernel.procedure import Procedure, Roll
from ..kernel.statements import (
    ENGLISH,
    Clause,
    FieldType,
    Language,
    Reason,
    Speaker,
    Statement,
    clause_as_json,
    clause_as_known_json,
    say,
    statement_from_fields,
)

if TYPE_CHECKING:
    from ..kernel.roll_types import ModifierTold, RollTold, SourceTold

    Explained = TypeVar("Explained", SourceTold, ModifierTold)

ADVANTAGE = "advantage"
"""The mode of a roll of two dice of which the better counts. A source can also give it."""
DISADVANTAGE = "disadvantage"
"""The mode of a roll of two dice of which the worse counts. A source can also give it."""
PLAIN = "plain"
"""The mode of a roll without Advantage or Disadvantage."""


class Throw(Clause):
    """What the roller of two dice is told: what the roll is for, which of the dice counts, and why."""

    mode: str
    reasons: Sequence[Reason]
    about: Reason = ""

    says = "[{about}; ]{mode:advantage=the better counts|the worse counts}[: {reasons}]"


class Source(Value):
    """A reason for Advantage or Disadvantage on a roll.

    `of` is the id of the source, such as a Condition, a status, a Flaw, a Favor or a banked bonus. For a
    typed reason, `of` is "".
    """

    kind: str
    reason: Reason
    of: str = ""

    def as_json(self) -> "SourceTold":
        """Return the source's kind and reason, in the form of a command's result.

        If the reason is a clause, it is put into words only when it is shown.
        """
        return {"kind": self.kind, "reason": self.reason}


class Modifier(NamedTuple):
    """A number that is added to a roll, with the reason for it.

    `of` is the id of the source, as in `Source`.
    """

    value: int
    reason: Reason
    of: str = ""

    def as_json(self) -> "ModifierTold":
        """Return the modifier in the form of a command's result.

        A reason that is a clause stays a clause. It becomes words when it is shown.
        """
        return {"value": self.value, "reason": self.reason}


class Rolled:
    """A roll of one die, or of two dice of which one counts, with the reasons.

    `faces` are the natural faces, and `kept` is the face that counts. `total` is `kept` with the modifiers
    added; it isn't limited to the faces of a die.
    """

    __slots__ = ("faces", "kept", "mode", "modifiers", "purpose", "sides", "sources", "total", "who")

    def __init__(
        self,
        who: str,
        purpose: str,
        faces: Sequence[int],
        mode: str = PLAIN,
        sources: Sequence[Source] = (),
        modifiers: Sequence[Modifier] = (),
        sides: int = 6,
    ) -> None:
        self.who = who
        self.purpose = purpose
        self.faces = faces
        self.mode = mode
        self.sources = sources
        self.modifiers = modifiers
        self.sides = sides
        self.kept = kept = min(faces) if mode == DISADVANTAGE else max(faces)
        self.total = kept + sum([item.value for item in modifiers]) if modifiers else kept

    def as_json(self) -> "RollTold":
        """Return the roll as it is in a command's result.

        The reasons are not in words yet. `--json` prints the same table with the reasons as text.
        """
        return {
            "purpose": self.purpose,
            "who": self.who,
            "sides": self.sides,
            "faces": list(self.faces),
            "mode": self.mode,
            "kept": self.kept,
            "modifiers": [item.as_json() for item in self.modifiers],
            "total": self.total,
            "sources": [item.as_json() for item in self.sources],
        }

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Rolled) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash((self.who, self.purpose, tuple(self.faces)))

    def words(self, language: Language = ENGLISH) -> str:
        """Return the shown dice for a sentence: `5`, `5 of 5,2`, `4+1 = 5`."""
        words = f"{self.kept}" if len(self.faces) == 1 else language.best(self.kept, self.faces)
        if self.modifiers:
            words += "".join(f"{item.value:+d}" for item in self.modifiers) + f" = {self.total}"
        return words


class Handful(Rolled):
    """A roll of dice that all count, so no single die is `kept`.

    `total` is the sum of the dice, or another result made from them. If the dice differ, `dice` has the
    number of sides of each, and `sides` is the largest of these numbers.
    """

    __slots__ = ("dice",)

    def __init__(
        self,
        who: str,
        purpose: str,
        faces: Sequence[int],
        total: int,
        sides: int = 6,
        modifiers: Sequence[Modifier] = (),
        dice: Sequence[int] = (),
    ) -> None:
        super().__init__(who, purpose, faces, modifiers=modifiers, sides=max(dice, default=sides))
        self.total = total
        self.dice = dice

    def as_json(self) -> "RollTold":
        """Return the roll in the form of a command's result.

        `kept` is always None, because no die counts alone. `dice` is there if the dice have different numbers
        of sides.
        """
        told = super().as_json()
        told["kept"] = None
        if self.dice:
            told["dice"] = list(self.dice)
        return told


class BestOfMixedDice(Rolled):
    """A roll of dice with different numbers of sides, of which one counts.

    The die that counts is the best one or, with Disadvantage, the worst one. `dice` has the number of sides
    of each die, and `sides` is the largest of these numbers.
    """

    __slots__ = ("dice",)

    def __init__(
        self,
        who: str,
        purpose: str,
        faces: Sequence[int],
        dice: Sequence[int],
        mode: str = PLAIN,
        sources: Sequence[Source] = (),
    ) -> None:
        super().__init__(who, purpose, faces, mode, sources, sides=max(dice))
        self.dice = dice

    def as_json(self) -> "RollTold":
        """Return the roll in the form of a command's result, with `dice`."""
        return {**super().as_json(), "dice": list(self.dice)}


ROLLS_NAMING_SKILLS = ("skill", "opposed")
"""The kinds of roll whose purpose names a Skill."""


class _RollField(FieldType[Rolled]):
    """The field type of a roll in a fact. As text, the roll is printed as its dice.

    An audience that may not know the roller learns nothing of the roll. Any other audience gets the roll
    without the reasons that it may not know.
    """

    def words(self, value: Rolled, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value.words(speaker.language) if self.is_known(value, statement, speaker) else None

    def is_known(self, value: Rolled, statement: Statement, speaker: Speaker) -> bool:
        return not value.who or speaker.audience_may_know("person", value.who)

    def known_part(self, value: Rolled, statement: Statement, speaker: Speaker) -> Rolled | None:
        if not self.is_known(value, statement, speaker):
            return None
        sources = [one for one in value.sources if _may_know_reason(one.reason, speaker)]
        modifiers = [one for one in value.modifiers if _may_know_reason(one.reason, speaker)]
        kind, _, skill = value.purpose.partition(": ")
        readable = kind not in ROLLS_NAMING_SKILLS or speaker.audience_may_read(
            skill
        )  # it may be whatever somebody typed
        if readable and len(sources) == len(value.sources) and len(modifiers) == len(value.modifiers):
            return value
        left = copy(value)
        left.sources, left.modifiers = sources, modifiers
        left.purpose = value.purpose if readable else kind
        return left

    def to_json(self, value: Rolled, speaker: Speaker) -> dict[str, object]:
        return {**_put_reasons_into_words_in_place(value.as_json(), speaker, clause_as_json)}

    def known_json(self, value: Rolled, statement: Statement, speaker: Speaker) -> object:
        left = self.known_part(value, statement, speaker)
        if left is None:
            return None
        return _put_reasons_into_words_in_place(left.as_json(), speaker, clause_as_known_json)

    def from_json(self, value: object) -> Rolled:
        return rolled_from_json(cast("RollTold", value))

    def ids(self, value: Rolled) -> Iterator[tuple[str, str]]:
        if value.who:
            yield "person", value.who
        for reason in (*(one.reason for one in value.sources), *(one.reason for one in value.modifiers)):
            if not isinstance(reason, str):
                yield from reason.ids()


def _may_know_reason(reason: Reason, speaker: Speaker) -> bool:
    # Words alone are those of `--adv "why"`, which somebody typed.
    return speaker.audience_may_read(reason) if isinstance(reason, str) else say(reason, speaker) is not None


ClauseAsJson = Callable[[Clause, Speaker], dict[str, object]]


def _put_reasons_into_words_in_place(
    stored: "RollTold", speaker: Speaker, as_json: ClauseAsJson
) -> "RollTold":
    """Put the reasons of a stored roll into words, in place, and return the roll.

    For a reason that is a clause, `reason` gets the words, and `because` the clause.
    """
    stored["sources"] = [_put_reason_into_words_in_place(one, speaker, as_json) for one in stored["sources"]]
    stored["modifiers"] = [
        _put_reason_into_words_in_place(one, speaker, as_json) for one in stored["modifiers"]
    ]
    return stored


def _put_reason_into_words_in_place(
    item: "Explained", speaker: Speaker, as_json: ClauseAsJson
) -> "Explained":
    reason = item["reason"]
    if not isinstance(reason, str):
        item["reason"], item["because"] = say(reason, speaker) or "", as_json(reason, speaker)
    return item


def rolled_from_json(stored: "RollTold") -> Rolled:
    """Return the roll that a journal stores as `stored`.

    Raises KeyError, TypeError or ValueError if `stored` isn't a roll.
    """
    reasons = [Source(one["kind"], _reason_from_json(one)) for one in stored["sources"]]
    modifiers = [Modifier(one["value"], _reason_from_json(one)) for one in stored["modifiers"]]
    person, purpose, faces = stored["who"], stored["purpose"], stored["faces"]
    if stored.get("kept") is None:  # state.toml has no null
        total, sides, dice = stored["total"], stored["sides"], stored.get("dice", ())
        return Handful(person, purpose, faces, total, sides, modifiers, dice)
    if "dice" in stored:
        return BestOfMixedDice(person, purpose, faces, stored["dice"], stored["mode"], reasons)
    rolled = Rolled(person, purpose, faces, stored["mode"], reasons, modifiers, stored["sides"])
    rolled.total = stored["total"]
    return rolled


def _reason_from_json(item: "SourceTold | ModifierTold") -> Reason:
    if "because" not in item:
        return str(item["reason"])
    found = statement_from_fields(str(item["because"]["clause"]), item["because"])
    return found if isinstance(found, Clause) else str(item["reason"])


DiceRoll = Annotated[Rolled, _RollField()]
"""A roll, as a field of a fact."""


def typed_sources(advantage: Sequence[str] = (), disadvantage: Sequence[str] = ()) -> list[Source]:
    """Return sources for typed reasons: those for Advantage, then those for Disadvantage."""
    return [Source(ADVANTAGE, reason) for reason in advantage] + [
        Source(DISADVANTAGE, reason) for reason in disadvantage
    ]


def mode_of(reasons: Sequence[Source]) -> str:
    """Return ADVANTAGE, DISADVANTAGE or PLAIN for these reasons (STR-CORE-04).

    Several reasons of one kind count once. Reasons of both kinds cancel each other.
    """
    kinds = {source.kind for source in reasons}
    return kinds.pop() if len(kinds) == 1 else PLAIN


OfTwo = Mapping[str, Callable[[Sequence[int]], Hashable]]
"""What returns the part of the dice that matters, by the mode of the roll."""


def roll_mode_and_dice_request(
    person: str,
    purpose: str,
    reasons: Sequence[Source] = (),
    sides: int = 6,
    about: Reason = "",
    id: str = "",
    matters: OfTwo | None = None,
) -> tuple[str, Roll]:
    """Return the mode of a roll, and the request for its dice.

    The mode is plain, Advantage or Disadvantage. A plain roll needs one die, and other rolls need two.

    Args:
        person: The roller.
        purpose: What the roll is for.
        reasons: The sources of Advantage and Disadvantage.
        sides: The number of sides of a die.
        about: What the roller is told besides the purpose, such as the target.
        id: The key of the answer in journals. It is needed if `purpose` contains a name.
        matters: A function for each mode. It takes the faces, and returns the part of them that makes a
            difference to the odds. By default, this part is the face that counts.
    """
    mode = mode_of(reasons) if reasons else PLAIN
    read = (matters or KEPT).get(mode)
    if mode == PLAIN:
        return mode, Roll(1, sides, purpose, person, read, about, id)
    why = Throw(mode, tuple(source.reason for source in reasons), about)
    return mode, Roll(2, sides, purpose, person, read, why, id)


def roll_die(
    person: str,
    purpose: str,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    sides: int = 6,
    about: Reason = "",
    id: str = "",
    matters: Callable[[int], Hashable] | None = None,
) -> Procedure[Rolled]:
    """Roll a die, or two of which one counts (STR-CORE-04), and add modifiers (STR-CORE-05).

    The total may be larger or smaller than the faces of the die: a table look-up limits it.

    Args:
        person: The roller.
        purpose: The purpose of the roll.
        reasons: The reasons for Advantage and Disadvantage.
        modifiers: The modifiers to add.
        sides: The number of sides of the die.
        about: More words about the purpose, for the roller.
        id: The key of the answer in journals; it is needed if `purpose` contains a name.
        matters: A function of the face that counts. When odds are computed, faces for which it returns the
            same are played only once. By default, every face is played.
    """
    mode, question = roll_mode_and_dice_request(
        person, purpose, reasons, sides, about, id, matters and _result_functions_by_mode(matters)
    )
    return Rolled(person, purpose, (yield question), mode, reasons, modifiers, sides)


@lru_cache(maxsize=256)
def _result_functions_by_mode(result_of_face: Callable[[int], Hashable]) -> OfTwo:
    """Return, for each mode of a roll, a function that applies `result_of_face` to the face that counts.

    Each function takes all faces of a roll. In a plain roll the first face counts, with Advantage the
    highest, and with Disadvantage the lowest.

    A second call with the same `result_of_face` returns the same functions. So odds that were computed for a
    function can be found again.
    """
    return {
        PLAIN: lambda faces: result_of_face(faces[0]),
        ADVANTAGE: lambda faces: result_of_face(max(faces)),
        DISADVANTAGE: lambda faces: result_of_face(min(faces)),
    }


def clamp_total(total: int, sides: int = 6) -> int:
    """Return a total limited to the range from 1 to `sides`, for a look-up in a table (STR-CORE-05)."""
    return 1 if total < 1 else min(total, sides)


def faces_allow_learning(faces: Sequence[int]) -> bool:
    """Return whether the faces of an Unskilled roll allow learning the Skill (STR-CORE-06).

    Modifiers don't count. A single die must show 6. Two dice must show 6 and 6, or 6 and 5.
    """
    return max(faces) == 6 and min(faces) >= 5


def sorted_faces(faces: Sequence[int]) -> tuple[int, ...]:
    """Return the faces sorted, for dice whose order doesn't matter."""
    return tuple(sorted(faces))


# Without and with a Skill to learn.
KEPT: OfTwo = {ADVANTAGE: max, DISADVANTAGE: min}
LEARNING: OfTwo = {
    ADVANTAGE: lambda faces: (max(faces), faces_allow_learning(faces)),
    DISADVANTAGE: lambda faces: (min(faces), faces_allow_learning(faces)),
}
