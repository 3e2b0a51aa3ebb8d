"""Rolls of dice: Advantage, Disadvantage, modifiers, and a record that explains itself."""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar, cast

from ..kernel.procedure import Procedure, Roll
from ..kernel.statements import (
    ENGLISH,
    Clause,
    Language,
    Reason,
    Sort,
    Speaker,
    Statement,
    clause_as_json,
    clause_as_known,
    say,
    statement_of,
)
from ..values import Value

if TYPE_CHECKING:
    from ..kernel.roll_data import ModifierTold, RollTold, SourceTold

    Explained = TypeVar("Explained", SourceTold, ModifierTold)

ADVANTAGE = "advantage"
"""The mode of a roll of two dice of which the better counts. A source can also give it."""
DISADVANTAGE = "disadvantage"
"""The mode of a roll of two dice of which the worse counts. A source can also give it."""
PLAIN = "plain"
"""The mode of a roll without Advantage or Disadvantage."""


class Throw(Clause):
    """What a roller is told about two dice: what they are for, which of them counts, and why."""

    mode: str
    reasons: Sequence[Reason]
    about: Reason = ""

    says = "[{about}; ]{mode:advantage=the better counts|the worse counts}[: {reasons}]"


class Source(Value):
    """A reason for Advantage or Disadvantage on a roll.

    `of` is the id of what it comes from: a Condition, a status, a Flaw, a Favor, a banked bonus. It is "" for
    a reason that somebody typed.
    """

    __slots__ = ("kind", "of", "reason")

    def __init__(self, kind: str, reason: Reason, of: str = "") -> None:
        self.kind = kind
        self.reason = reason
        self.of = of

    def as_json(self) -> "SourceTold":
        """Return the form in which commands return it.

        A reason that is a clause gets its words when it is shown.
        """
        return {"kind": self.kind, "reason": self.reason}


class Modifier(NamedTuple):
    """A number that is added to a roll, and the reason; `of` is as in `Source`."""

    value: int
    reason: Reason
    of: str = ""

    def as_json(self) -> "ModifierTold":
        """Return the form in which commands return it.

        A reason that is a clause gets its words when it is shown.
        """
        return {"value": self.value, "reason": self.reason}


class Rolled:
    """A roll, with its reasons.

    `faces` are the natural faces, and `kept` is the one that counts. `total` has the modifiers added, and is
    not clamped.
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
        """Return the form in which commands return it, and `--json` too once its reasons are in words."""
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
        """Return what the dice show, for a sentence: `5`, `5 of 5,2`, `4+1 = 5`."""
        words = f"{self.kept}" if len(self.faces) == 1 else language.best(self.kept, self.faces)
        if self.modifiers:
            words += "".join(f"{item.value:+d}" for item in self.modifiers) + f" = {self.total}"
        return words


class Handful(Rolled):
    """Dice that all count: `total` is what they come to together, and none is `kept`.

    `dice` are the sides of each, if they aren't the same; then `sides` are those of the largest.
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
        """Return the form of any roll, with `kept` None, and with `dice` if the sides differ."""
        told = super().as_json()
        told["kept"] = None
        if self.dice:
            told["dice"] = list(self.dice)
        return told


class UnlikeDice(Rolled):
    """Dice with different numbers of sides, the best of which counts.

    `dice` are the sides of each, and `sides` those of the largest.
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
        """Return the form of any roll, with `dice`."""
        return {**super().as_json(), "dice": list(self.dice)}


OF_SKILLS = ("skill", "opposed")
"""The kinds of roll whose purpose names a Skill."""


class _RollSort(Sort[Rolled]):
    """A roll in a fact, which is printed as its dice.

    An audience sees no reasons that name people whom it may not know, and nothing of such a person's roll.
    """

    def words(self, value: Rolled, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value.words(speaker.language) if self.is_known(value, statement, speaker) else None

    def is_known(self, value: Rolled, statement: Statement, speaker: Speaker) -> bool:
        return not value.who or speaker.knows("person", value.who)

    def left(self, value: Rolled, statement: Statement, speaker: Speaker) -> Rolled | None:
        if not self.is_known(value, statement, speaker):
            return None
        sources = [one for one in value.sources if _may_hear(one.reason, speaker)]
        modifiers = [one for one in value.modifiers if _may_hear(one.reason, speaker)]
        kind, _, skill = value.purpose.partition(": ")
        readable = kind not in OF_SKILLS or speaker.may_read(skill)  # it may be whatever somebody typed
        if readable and len(sources) == len(value.sources) and len(modifiers) == len(value.modifiers):
            return value
        left = copy(value)
        left.sources, left.modifiers = sources, modifiers
        left.purpose = value.purpose if readable else kind
        return left

    def to_json(self, value: Rolled, speaker: Speaker) -> dict[str, object]:
        return {**_word_reasons(value.as_json(), speaker, clause_as_json)}

    def known_json(self, value: Rolled, statement: Statement, speaker: Speaker) -> object:
        left = self.left(value, statement, speaker)
        if left is None:
            return None
        return _word_reasons(left.as_json(), speaker, clause_as_known)

    def of_json(self, value: object) -> Rolled:
        return rolled_of(cast("RollTold", value))

    def ids(self, value: Rolled) -> Iterator[tuple[str, str]]:
        if value.who:
            yield "person", value.who
        for reason in (*(one.reason for one in value.sources), *(one.reason for one in value.modifiers)):
            if not isinstance(reason, str):
                yield from reason.ids()


def _may_hear(reason: Reason, speaker: Speaker) -> bool:
    # Words alone are those of `--adv "why"`, which somebody typed.
    return speaker.may_read(reason) if isinstance(reason, str) else say(reason, speaker) is not None


ClauseAsJson = Callable[[Clause, Speaker], dict[str, object]]


def _word_reasons(stored: "RollTold", speaker: Speaker, as_json: ClauseAsJson) -> "RollTold":
    """Add the words for the reasons of a roll's sources and modifiers, beside their clauses."""
    stored["sources"] = [_worded(one, speaker, as_json) for one in stored["sources"]]
    stored["modifiers"] = [_worded(one, speaker, as_json) for one in stored["modifiers"]]
    return stored


def _worded(item: "Explained", speaker: Speaker, as_json: ClauseAsJson) -> "Explained":
    reason = item["reason"]
    if not isinstance(reason, str):
        item["reason"], item["because"] = say(reason, speaker) or "", as_json(reason, speaker)
    return item


def rolled_of(stored: "RollTold") -> Rolled:
    """Return the roll that is stored in a journal as `stored`.

    Raises KeyError, TypeError or ValueError for anything that no roll is stored as.
    """
    reasons = [Source(one["kind"], _reason_of(one)) for one in stored["sources"]]
    modifiers = [Modifier(one["value"], _reason_of(one)) for one in stored["modifiers"]]
    person, purpose, faces = stored["who"], stored["purpose"], stored["faces"]
    if stored.get("kept") is None:  # state.toml has no null
        total, sides, dice = stored["total"], stored["sides"], stored.get("dice", ())
        return Handful(person, purpose, faces, total, sides, modifiers, dice)
    if "dice" in stored:
        return UnlikeDice(person, purpose, faces, stored["dice"], stored["mode"], reasons)
    rolled = Rolled(person, purpose, faces, stored["mode"], reasons, modifiers, stored["sides"])
    rolled.total = stored["total"]
    return rolled


def _reason_of(item: "SourceTold | ModifierTold") -> Reason:
    if "because" not in item:
        return str(item["reason"])
    found = statement_of(str(item["because"]["clause"]), item["because"])
    return found if isinstance(found, Clause) else str(item["reason"])


DiceRoll = Annotated[Rolled, _RollSort()]
"""A roll, as a field of a fact."""


def typed_sources(advantage: Sequence[str] = (), disadvantage: Sequence[str] = ()) -> list[Source]:
    """Return sources for the reasons that people typed."""
    return [Source(ADVANTAGE, reason) for reason in advantage] + [
        Source(DISADVANTAGE, reason) for reason in disadvantage
    ]


def mode_of(reasons: Sequence[Source]) -> str:
    """Return ADVANTAGE, DISADVANTAGE or PLAIN for these reasons.

    Neither stacks, and if there are both, they cancel each other (STR-CORE-04).
    """
    kinds = {source.kind for source in reasons}
    return kinds.pop() if len(kinds) == 1 else PLAIN


OfTwo = Mapping[str, Callable[[Sequence[int]], Hashable]]
"""What returns the part of the dice that matters, by the mode of the roll."""


def ask_die(
    person: str,
    purpose: str,
    reasons: Sequence[Source] = (),
    sides: int = 6,
    about: Reason = "",
    id: str = "",
    matters: OfTwo | None = None,
) -> tuple[str, Roll]:
    """Return the mode of a roll, and the request for its dice.

    `about` tells the roller more than the purpose does: the target, what it is done with. `id` is the key of
    the answer in journals, if the purpose has a name in it. `matters` returns the part of the dice that
    matters, by mode, if that isn't the face that counts.
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

    The total is not clamped: looking it up in a table clamps it, a comparison doesn't. `about` is for the
    roller, and `id` for the journal (see `ask_die`). `matters` returns what the rule reads of the face that
    counts, such as whether it is 12: odds play equal parts only once. Without it every face matters.
    """
    mode, question = ask_die(person, purpose, reasons, sides, about, id, matters and _key_of_kept(matters))
    return Rolled(person, purpose, (yield question), mode, reasons, modifiers, sides)


@lru_cache(maxsize=256)
def _key_of_kept(matters: Callable[[int], Hashable]) -> OfTwo:
    """Return what reads the dice by mode, for a function that reads the face that counts.

    The same function gives the same result, which drivers recognize.
    """
    return {
        PLAIN: lambda faces: matters(faces[0]),
        ADVANTAGE: lambda faces: matters(max(faces)),
        DISADVANTAGE: lambda faces: matters(min(faces)),
    }


def clamp(total: int, sides: int = 6) -> int:
    """Return a total as it is looked up in a table: at least 1, at most `sides` (STR-CORE-05)."""
    return 1 if total < 1 else min(total, sides)


def may_learn(faces: Sequence[int]) -> bool:
    """Return whether the natural dice of an Unskilled roll let somebody learn the Skill (STR-CORE-06).

    That is so for a 6 on one die, and on two dice for 6 and 6, or 6 and 5. Modifiers don't count.
    """
    return max(faces) == 6 and min(faces) >= 5


def in_any_order(faces: Sequence[int]) -> tuple[int, ...]:
    """Return the faces sorted, for dice whose order doesn't matter."""
    return tuple(sorted(faces))


# Without and with a Skill to learn.
KEPT: OfTwo = {ADVANTAGE: max, DISADVANTAGE: min}
LEARNING: OfTwo = {
    ADVANTAGE: lambda faces: (max(faces), may_learn(faces)),
    DISADVANTAGE: lambda faces: (min(faces), may_learn(faces)),
}
