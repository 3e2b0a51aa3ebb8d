"""Statements, the source of all words: facts, clauses and decisions, each a value of a declared class.

    class Damaged(Fact):
        \"\"\"Somebody loses HP (STR-TAC-15).\"\"\"

        who: Person
        amount: int
        cause: Cause
        hp: Hp

        says = "{who} takes {amount} damage from {cause}: {hp.before} to {hp.after} HP."
        says_without_hp = "{who} takes {amount} damage from {cause}."

A field's annotation is its sort: a person, a square, HP, a thing of the book, words that somebody typed.
It determines the subject of a fact, the parts that an audience may know, and the form in the journal. The
sentences are templates (`sentence_templates`), and `say` is the only place that makes words of them: nothing
is worded where it happens, so odds and bots word nothing.

Nothing here belongs to a game or reads a state: callers supply a `Speaker`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    ParamSpec,
    Protocol,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

from ..immutable_records import Value
from ..problems import PluginProblem
from .sentence_templates import CompiledTemplate, TemplateFault, compile_template

SIGNATURES = ("power_of", "decided_by", "trait_of")
"""The keys for people behind a fact who needn't be among its fields."""
OWN_KEYS = frozenset(("kind", "who", "text", "changes", "places", "names", *SIGNATURES))
"""The keys that every fact has besides its fields, in the journal and in `--json`."""

# Words and speakers


PURPOSES = {"save": "save against {of}", "skill": "{of}", "opposed": "{of}"}
"""The words for purposes of rolls that are about something, by what is before the colon in their key."""


class Language:
    """A language: translations of templates, and the words that are not in templates.

    This class is English, and a subclass is another language.

    `templates` has the translated templates, by the key of a statement and then by the attribute:
    `{"damaged": {"says": "..."}}`. A statement's key is its kind, or `kind:variant`. The templates for the
    answers of a decision are under `options.ANSWER`. A template that isn't translated stays English.
    """

    templates: Mapping[str, Mapping[str, str]] = {}
    purposes: Mapping[str, str] = {}
    """What rolls are for, by their keys in journals: `{"attack": "Angriff"}`.

    For keys such as `save: Dazed` it goes by the part before the colon, with `{of}` for the rest.
    """
    both = "and"
    either = "or"
    unseen = "somebody unseen"

    def template(self, statement: type[Statement], telling: str, own: str) -> str:
        """Return a statement's template in this language.

        A statement can have several templates. `telling` is the attribute that has the template, such as
        `says`. If the language has no translation, return `own`, which is the class's own template.
        """
        return self.templates.get(statement.key, {}).get(telling, own)

    def literal(self, words: str) -> str:
        """Return the translation of the words between the fields of a template."""
        return words

    def purpose(self, key: str) -> str:
        """Return a roll's purpose in words, such as "save against Dazed" for `save: Dazed`."""
        head, colon, of = key.partition(": ")
        head = head.replace("-", " ") if head.islower() and " " not in head else head
        words = self.purposes.get(head) or (PURPOSES.get(head) if of else None) or head
        return words.replace("{of}", of) if "{of}" in words else f"{words}{colon}{of}"

    def listed(self, words: Sequence[str], joint: str) -> str:
        """Return several words as a list: `Vex`, `Vex and Odo`, `Vex, Odo and Brann`."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {joint} {words[-1]}"

    def possessive(self, name: str) -> str:
        """Return the possessive of a name: `Vex's`, `the Runners'`."""
        return f"{name}'" if name.endswith("s") and name[:4].lower() == "the " else f"{name}'s"

    def and_more(self, first: str, more: int) -> str:
        """Return the first of several items and the number of others: `Goblin 1's turn ends; and 2 more`."""
        return f"{first}; and {more} more" if more else first

    def best(self, kept: int, faces: Sequence[int]) -> str:
        """Return the words for the face that counts among several: `5 of 5,2`."""
        return f"{kept} of {','.join(map(str, faces))}"

    def with_article(self, noun: str) -> str:
        """Return a noun with its indefinite article: `a Goblin`, `an Arrow`."""
        return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"

    def rectangle(self, first: str, last: str) -> str:
        """Return the words for squares that fill a rectangle: `C3 to D4`."""
        return f"{first} to {last}"

    def squares_around(self, count: int, middle: str) -> str:
        """Return the words for squares that don't fill a rectangle: `7 squares around C3`."""
        return f"{count} squares around {middle}"


ENGLISH = Language()
P = ParamSpec("P")
R = TypeVar("R")


class Speaker(Protocol):
    """The wording for an audience: the names of people and things, and what the audience may know."""

    language: Language

    def name(self, sort: str, id: str) -> str:
        """Return the name of a person, a power, a zone or another thing.

        `sort` says which sort of thing it is, such as "person". `id` is the id of the thing.
        """

    def audience_may_know(self, sort: str, id: str) -> bool:
        """Return whether the audience may know that the person, zone or other sort with this id exists."""

    def may_know_numbers_of(self, person: str) -> bool:
        """Return whether the audience may know a person's numbers, such as HP."""

    def audience_may_read(self, words: str) -> bool:
        """Return whether the audience may read words that somebody typed.

        It is False if they name somebody hidden from it.
        """


# Sorts: what a field is

T = TypeVar("T")
K = TypeVar("K", bound=str)


class FieldType(Generic[T]):
    """The type of a field of a statement.

    It decides how a value is put into words, who may know it, and how the journal stores it.

    This base class is for plain values: a number, or a yes or no. It is also for a word that a template tests
    but never prints (`{result:miss=a miss|...}`).
    """

    side_by_side = False
    """Whether several values are separated by commas alone, and not joined by "and"."""

    def words(self, value: T, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        """Return the words for a value, or None if the audience may not know it.

        If the value is a list, `joint` is the word before its last item, such as "or". If `joint` is "", the
        usual word is used.
        """
        return "" if value is None or value is False else str(value)

    def is_known(self, value: T, statement: Statement, speaker: Speaker) -> bool:
        """Return whether the audience may know all of the value."""
        return True

    def known_part(self, value: T, statement: Statement, speaker: Speaker) -> T | None:
        """Return the part of the value that the audience may know; None if it may know nothing of it."""
        return value if self.is_known(value, statement, speaker) else None

    def to_json(self, value: T, speaker: Speaker) -> object:
        """Return the value in the form in which the journal stores it.

        If that form contains words, they come from `speaker`.
        """
        return value

    def known_json(self, value: T, statement: Statement, speaker: Speaker) -> object:
        """Return the part of a value that the audience may know, in the form of the journal.

        If the audience may know nothing of the value, return None.
        """
        left = self.known_part(value, statement, speaker)
        return None if left is None else self.to_json(left, speaker)

    def from_json(self, value: object) -> T:
        """Return the value that a journal stores as `value`.

        Raises TypeError, KeyError or ValueError if `value` isn't a form in which this sort is stored.
        """
        return value  # type: ignore[return-value]  # one that has no other form is as it is kept

    def ids(self, value: T) -> Iterator[tuple[str, str]]:
        """Yield the people, zones and other things that the value names, each with its sort and id."""
        yield from ()

    @property
    def can_have_ids(self) -> bool:
        """Whether a value of this sort can name something by id."""
        return type(self).ids is not FieldType.ids

    def typed_words(self, value: T) -> Iterator[str]:
        """Yield the words in the value that are printed as they were typed."""
        yield from ()


class Text(FieldType[str]):
    """The type of a field that is a plain text, such as an id. The text isn't checked for an audience."""

    def from_json(self, value: object) -> str:
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is not text")
        return value


class NamedId(Text):
    """The id of a thing or person that has a name.

    `sort` says what has the name: "person", or a kind of content in the book, such as a status.
    """

    def __init__(self, sort: str) -> None:
        self.sort = sort

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        if not value:
            return ""
        if not speaker.audience_may_know(self.sort, value):
            return None
        return speaker.name(self.sort, value)

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return not value or speaker.audience_may_know(self.sort, value)

    def ids(self, value: str) -> Iterator[tuple[str, str]]:
        if value:
            yield self.sort, value


class BookText(Text):
    """Words of the book, printed unchanged: the name of a weapon, the effect of a power.

    They name nobody in a scene, so everybody who may see the statement may read them.
    """

    def typed_words(self, value: str) -> Iterator[str]:
        if value:
            yield value


class TypedText(BookText):
    """Words that somebody typed: a note, a reason, a title."""

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value if not value or speaker.audience_may_read(value) else None

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return not value or speaker.audience_may_read(value)


class TypedNameId(NamedId):
    """The id of something to which somebody gave a name.

    The audience may not know it if the name gives away somebody hidden.
    """

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        said = super().words(value, statement, speaker, joint)
        return said if not said or speaker.audience_may_read(said) else None

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return self.words(value, statement, speaker) is not None


class Verbatim(Text):
    """Text that people type for the program, the same in every language: a command, a path of the state."""


class PersonNumber(FieldType[T]):
    """A person's number, such as HP, that some audiences may not know."""

    def is_known(self, value: T, statement: Statement, speaker: Speaker) -> bool:
        return speaker.may_know_numbers_of(statement.subject)

    def words(self, value: T, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return str(value) if self.is_known(value, statement, speaker) else None


class BeforeAfter(Value):
    """A number before and after a change."""

    before: int
    after: int

    def __repr__(self) -> str:
        return f"{self.before} to {self.after}"


class NumberChange(PersonNumber[BeforeAfter]):
    """A person's number before and after a change. Some audiences may not know these numbers."""

    def to_json(self, value: BeforeAfter, speaker: Speaker) -> list[int]:
        return [value.before, value.after]

    def from_json(self, value: object) -> BeforeAfter:
        match value:
            case [int(before), int(after)]:
                return BeforeAfter(before, after)
        raise TypeError(f"{value!r} is not a number before and after")


SIDE_BY_SIDE = ","
"""The `joint` of a list that has commas only, such as a list of clauses."""


class ListField(FieldType[Sequence[T]]):
    """Several values of one sort, as a list.

    Values that the audience may not know are left out. If there are only such values, the audience may not
    know the list at all.
    """

    def __init__(self, one: FieldType[T]) -> None:
        self.one = one

    def words(
        self, value: Sequence[T], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        said = [self.one.words(item, statement, speaker) for item in value]
        known = [words for words in said if words is not None]
        if said and not known:
            return None
        # Clauses stand side by side; names are joined as people do.
        if joint == SIDE_BY_SIDE or (not joint and self.one.side_by_side):
            return ", ".join(known)
        return speaker.language.listed(known, joint or speaker.language.both)

    def is_known(self, value: Sequence[T], statement: Statement, speaker: Speaker) -> bool:
        return all(self.one.is_known(item, statement, speaker) for item in value)

    def known_part(self, value: Sequence[T], statement: Statement, speaker: Speaker) -> Sequence[T] | None:
        left = [self.one.known_part(item, statement, speaker) for item in value]
        known = [item for item in left if item is not None]
        return known if known or not left else None

    def to_json(self, value: Sequence[T], speaker: Speaker) -> list[object]:
        return [self.one.to_json(item, speaker) for item in value]

    def known_json(self, value: Sequence[T], statement: Statement, speaker: Speaker) -> object:
        told = [self.one.known_json(item, statement, speaker) for item in value]
        known = [item for item in told if item is not None]
        return known if known or not told else None

    def from_json(self, value: object) -> Sequence[T]:
        if not isinstance(value, list | tuple):
            raise TypeError(f"{value!r} is not a list")
        # [] and not (): a value equal to the default () would be left out when it is stored again.
        return tuple(self.one.from_json(item) for item in value) or []

    def ids(self, value: Sequence[T]) -> Iterator[tuple[str, str]]:
        for item in value:
            yield from self.one.ids(item)

    @property
    def can_have_ids(self) -> bool:
        return self.one.can_have_ids

    def typed_words(self, value: Sequence[T]) -> Iterator[str]:
        for item in value:
            yield from self.one.typed_words(item)


class FirstAndCount(ListField[T]):
    """Several values of one sort, of which the text only names the first.

    Values that the audience may not know are ignored. The text has the first of the known values, and the
    number of the others.
    """

    def words(
        self, value: Sequence[T], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        said = (self.one.words(item, statement, speaker) for item in value)
        known = [words for words in said if words is not None]
        return speaker.language.and_more(known[0], len(known) - 1) if known else None


class MarkedList(ListField[T]):
    """Several values of one sort, separated by the same mark in every language."""

    def __init__(self, one: FieldType[T], mark: str) -> None:
        super().__init__(one)
        self.mark = mark

    def words(
        self, value: Sequence[T], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        said = [self.one.words(item, statement, speaker) for item in value]
        known = [words for words in said if words is not None]
        return self.mark.join(known) if known or not said else None


class MappingField(FieldType[Mapping[str, T]]):
    """Values by key, such as dice by person.

    Entries with a key that the audience may not know are left out. A template can't print such a field.
    """

    def __init__(self, key: FieldType[str], value: FieldType[T]) -> None:
        self.key = key
        self.value = value

    def words(
        self, value: Mapping[str, T], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        raise TypeError("a mapping has no words: say a list of clauses")

    def is_known(self, value: Mapping[str, T], statement: Statement, speaker: Speaker) -> bool:
        return all(
            self.key.is_known(key, statement, speaker) and self.value.is_known(item, statement, speaker)
            for key, item in value.items()
        )

    def known_part(
        self, value: Mapping[str, T], statement: Statement, speaker: Speaker
    ) -> Mapping[str, T] | None:
        left = {
            key: self.value.known_part(item, statement, speaker)
            for key, item in value.items()
            if self.key.is_known(key, statement, speaker)
        }
        known = {key: item for key, item in left.items() if item is not None}
        return known if known or not value else None

    def to_json(self, value: Mapping[str, T], speaker: Speaker) -> dict[str, object]:
        return {key: self.value.to_json(item, speaker) for key, item in value.items()}

    def known_json(self, value: Mapping[str, T], statement: Statement, speaker: Speaker) -> object:
        told = {
            key: self.value.known_json(item, statement, speaker)
            for key, item in value.items()
            if self.key.is_known(key, statement, speaker)
        }
        known = {key: item for key, item in told.items() if item is not None}
        return known if known or not value else None

    def from_json(self, value: object) -> Mapping[str, T]:
        if not isinstance(value, dict):
            raise TypeError(f"{value!r} is not a table")
        return {key: self.value.from_json(item) for key, item in value.items()}

    def ids(self, value: Mapping[str, T]) -> Iterator[tuple[str, str]]:
        for key, item in value.items():
            yield from self.key.ids(key)
            yield from self.value.ids(item)

    def typed_words(self, value: Mapping[str, T]) -> Iterator[str]:
        for item in value.values():
            yield from self.value.typed_words(item)


class _ClauseField(FieldType["Clause"]):
    """The type of a field that contains a clause.

    A clause has its own fields and its own template. If it names a person whom the audience may not know, the
    clause is left out. This is so even if the statement with the clause calls the same person "somebody
    unseen".
    """

    side_by_side = True

    def words(self, value: Clause, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return say(value, _unwrap_unseen_speaker(speaker))

    def is_known(self, value: Clause, statement: Statement, speaker: Speaker) -> bool:
        return say(value, _unwrap_unseen_speaker(speaker)) is not None

    def to_json(self, value: Clause, speaker: Speaker) -> dict[str, object]:
        return clause_as_json(value, speaker)

    def known_json(self, value: Clause, statement: Statement, speaker: Speaker) -> object:
        return clause_as_known_json(value, speaker) if self.is_known(value, statement, speaker) else None

    def from_json(self, value: object) -> Clause:
        found = _statement_from_table(value, "clause")
        if not isinstance(found, Clause):
            raise TypeError(f"{found.kind} is not a clause")
        return found

    def ids(self, value: Clause) -> Iterator[tuple[str, str]]:
        return value.ids()

    def typed_words(self, value: Clause) -> Iterator[str]:
        return value.typed_words()


class _DecisionField(FieldType["Decision"]):
    """The type of a field whose value is a decision."""

    def words(self, value: Decision, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return say(value, speaker)

    def is_known(self, value: Decision, statement: Statement, speaker: Speaker) -> bool:
        return say(value, speaker) is not None

    def to_json(self, value: Decision, speaker: Speaker) -> dict[str, object]:
        return decision_as_json(value, speaker)

    def known_json(self, value: Decision, statement: Statement, speaker: Speaker) -> object:
        known = self.is_known(value, statement, speaker)
        return {"decision": value.kind, **value.as_json_known_to(speaker)} if known else None

    def from_json(self, value: object) -> Decision:
        found = _statement_from_table(value, "decision")
        if not isinstance(found, Decision):
            raise TypeError(f"{found.kind} is not a decision")
        return found

    def ids(self, value: Decision) -> Iterator[tuple[str, str]]:
        return value.ids()

    def typed_words(self, value: Decision) -> Iterator[str]:
        return value.typed_words()


class _WordsOrClause(FieldType["str | Clause"]):
    """The sort of a field whose value is a clause, or a text.

    The text comes from the program or from the book, so it names nobody in a scene.
    """

    side_by_side = True

    def words(
        self, value: str | Clause, statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        return value if isinstance(value, str) else NESTED.words(value, statement, speaker)

    def is_known(self, value: str | Clause, statement: Statement, speaker: Speaker) -> bool:
        return isinstance(value, str) or NESTED.is_known(value, statement, speaker)

    def to_json(self, value: str | Clause, speaker: Speaker) -> object:
        return value if isinstance(value, str) else clause_as_json(value, speaker)

    def known_json(self, value: str | Clause, statement: Statement, speaker: Speaker) -> object:
        return value if isinstance(value, str) else NESTED.known_json(value, statement, speaker)

    def from_json(self, value: object) -> str | Clause:
        return value if isinstance(value, str) else NESTED.from_json(value)

    def ids(self, value: str | Clause) -> Iterator[tuple[str, str]]:
        return iter(()) if isinstance(value, str) else value.ids()

    def typed_words(self, value: str | Clause) -> Iterator[str]:
        return iter(()) if isinstance(value, str) else value.typed_words()


def _unwrap_unseen_speaker(speaker: Speaker) -> Speaker:
    return speaker.speaker if isinstance(speaker, _UnseenSpeaker) else speaker


if TYPE_CHECKING:
    AnyFieldType = FieldType[Any]  # type: ignore[explicit-any]  # a field is read by its name, whatever is in it
    """The sort of a field, for any type of value."""
    _Field = tuple[str, str, AnyFieldType, object]
    """A field: its name, its name in the journal, its sort, and its default if a journal lacks it."""
PLAIN: AnyFieldType = FieldType()
NESTED = _ClauseField()
QUESTION = _DecisionField()

Person = Annotated[str, NamedId("person")]
"""The id of somebody in a scene, of a character, or of somebody who is only named; "" for nobody."""
Zone = Annotated[str, NamedId("zone")]
"""The id of a zone in a scene."""
Square = Annotated[str, NamedId("square")]
"""A square of the map, such as C7. Players aren't told of squares in the fog."""
Words = Annotated[str, TypedText()]
"""Words that somebody typed: a note, a reason, a title. They are withheld if they name somebody hidden."""
Code = Annotated[str, Verbatim()]
"""Text that people type for the program: a command, a path of the state."""
BookWords = Annotated[str, BookText()]
"""Words of the book, such as the name of a weapon."""
Hp = Annotated[BeforeAfter, NumberChange()]
"""The HP of the person in the field `who`, before and after. Not every audience may know them."""
HpNumber = Annotated[int, PersonNumber()]
"""A number that only those may know who may know the person's HP."""


Reason = Annotated["str | Clause", _WordsOrClause()]
"""A reason: a clause, or words.

Everybody who sees the statement sees plain words, so they are the book's, or name nobody. For text that
somebody typed, use a clause with `Words`.
"""


def field_type(annotation: object) -> AnyFieldType:
    """Return the sort of a field with this annotation. Raises TypeError if there is none."""
    origin = get_origin(annotation)
    found: AnyFieldType | None = None
    if origin is Annotated:
        value, *said = get_args(annotation)
        found = next((one for one in said if isinstance(one, FieldType)), None) or field_type(value)
    elif origin in (Union, UnionType):
        sorts = [field_type(one) for one in get_args(annotation) if one is not NoneType]
        found = sorts[0] if len({type(sort) for sort in sorts}) == 1 else None
    elif isinstance(origin, type):
        inner = [field_type(one) for one in get_args(annotation) if one is not Ellipsis]
        if issubclass(origin, Mapping):
            found = MappingField(*inner)
        elif issubclass(origin, Sequence) and len(inner) == 1:
            found = ListField(inner[0])
    elif isinstance(annotation, type):
        ways = {(str, int): PLAIN, (Clause,): NESTED, (Decision,): QUESTION}
        found = next((sort for types, sort in ways.items() if issubclass(annotation, types)), None)
    if found is None:
        raise TypeError(f"no such type of field: {annotation!r}")
    return found


# Statements

S = TypeVar("S", bound="Statement")

classes_by_key: dict[str, type[Statement]] = {}
"""The classes that are imported, by kind, or `kind:variant`.

`registry.statement_class` also finds one that isn't imported yet.
"""

class_finders: list[Callable[[str], type[Statement] | None]] = []
"""What finds a class that isn't imported. The registry sets it, since only it knows where to look."""


@dataclass_transform(frozen_default=True)
class Statement:
    """The base class of facts, clauses and decisions: typed fields, in order, and sentence templates.

    An instance never changes. If a field's name is a reserved word of Python, `_` is added: `for_`.

    The class is no dataclass, to save time at each start, which imports several hundred such classes.
    Defining a dataclass with slots takes 615 µs, a NamedTuple 109 µs, and a class of this kind 16 µs. The
    constructor is compiled at its first use.
    """

    kind: ClassVar[str] = ""
    """The key of the class in journals: its name with hyphens, unless it declares another."""
    variant: ClassVar[str] = ""
    """What tells classes of one kind apart in journals: a save is a roll, and so are many other things.

    `class SaveRolled(DiceRolled, variant="save")` declares one. A statement of such a kind without a known
    variant has no class, and so no words.
    """
    key: ClassVar[str] = ""
    """The kind, or `kind:variant`; no other class has the same."""
    has_variants: ClassVar[bool]
    """Whether it is the base of classes that are its variants."""

    says: ClassVar[str | None] = None
    """The sentence; None for a statement without words."""
    says_without_hp: ClassVar[str | None] = None
    """The sentence for audiences that may not know somebody's numbers."""
    says_unseen: ClassVar[str | None] = None
    """The sentence for audiences that may not know of somebody in it, who is then "somebody unseen"."""
    unseen: ClassVar[tuple[str, ...]] = ()
    """The fields whose people are "somebody unseen" to audiences that may not know of them.

    If they have several people and none is known, nothing of the statement is shown.
    """
    needs: ClassVar[tuple[str, ...]] = ()
    """The fields that an audience has to know although no words have them, such as the owner of a power.

    Otherwise nothing of the statement is shown.
    """

    _form: ClassVar[str]
    """What the class is: "fact", "clause" or "decision"."""
    _made: ClassVar[_Declaration | None] = None

    @property
    def subject(self) -> str:
        """The id of the person in the field `who`; "" for nobody."""
        return getattr(self, "who", None) or ""

    def __init_subclass__(cls, kind: str = "", variant: str = "") -> None:
        # This does little, since most classes that a start imports aren't used in it.
        # A variant keeps the kind of its base class.
        cls.variant, cls.has_variants = variant, False
        if variant:
            cls.key = f"{cls.kind}:{variant}"
            cls.__mro__[1].has_variants = True  # type: ignore[attr-defined]  # a Statement, too
        else:
            cls.kind = cls.key = kind or _hyphenate(cls.__name__)
        cls._made = None
        cls.__init__ = _compile_and_call_constructor  # type: ignore[method-assign, assignment]  # until it is first called
        # A plugin with a kind that exists already is switched off, so it must not replace that class.
        if not cls.__name__.startswith("_") and (
            cls.key not in classes_by_key or classes_by_key[cls.key].__module__ == cls.__module__
        ):
            classes_by_key[cls.key] = cls

    @classmethod
    def declaration(cls) -> _Declaration:
        """Return what the class's annotations declare.

        The annotations are evaluated when the declaration is first needed. After that, the stored result is
        returned.
        """
        if cls._made is None:
            cls._made = _Declaration(cls)
        return cls._made

    @classmethod
    def field_types(cls) -> Mapping[str, AnyFieldType]:
        """Return the type of each field (a `FieldType`), by the field's name."""
        return cls.declaration().sorts

    @classmethod
    def template_types(cls) -> Mapping[str, AnyFieldType]:
        """Return the sorts of all names that the class's templates may use: its fields and its properties.

        The sort of a property is that of its return annotation.
        """
        derived: dict[str, AnyFieldType] = {}
        for base in cls.__mro__:
            for name, value in () if base in _BASES else vars(base).items():
                if isinstance(value, property) and value.fget:
                    # Annotations are text. typing.get_type_hints would read those of every base, too, at
                    # several times the price of a field.
                    returned = value.fget.__annotations__["return"]
                    if isinstance(returned, str):
                        returned = eval(returned, value.fget.__globals__)
                    derived.setdefault(name, field_type(returned))
        return {**derived, **cls.field_types()}

    @classmethod
    def own_templates(cls) -> Iterator[tuple[str, str]]:
        """Yield the name of each class attribute that has a template, with the template."""
        for name in TEMPLATE_ATTRIBUTES:
            template = getattr(cls, name, None)
            if template is not None:
                yield name, template

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.field_types()
        )

    def __hash__(self) -> int:
        fields = tuple(value for value in vars(self).values() if isinstance(value, (str, int)))
        return hash((self.kind, fields))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.field_types())
        return f"{type(self).__name__}({fields})"

    def as_json(self, speaker: Speaker) -> dict[str, object]:
        """Return the fields as the journal and the state store them.

        A field is left out if it has its default. It is also left out if it is None, since TOML has no null.
        """
        said = self._fields_not_at_default(self.declaration().fields)
        return self._variant_field() | {key: sort.to_json(value, speaker) for key, sort, value in said}

    def _variant_field(self) -> dict[str, object]:
        return {"variant": self.variant} if self.variant else {}

    def _fields_not_at_default(self, fields: Sequence[_Field]) -> Iterator[tuple[str, AnyFieldType, object]]:
        """Yield the key in the journal, the sort and the value of each of the `fields` that is set.

        A field is not set if it is None or has its default value.
        """
        for name, key, sort, default in fields:
            value = getattr(self, name)
            if value is not None and value != default:
                yield key, sort, value

    @classmethod
    def from_json(cls: type[S], fields: Mapping[str, object]) -> S:
        """Return the statement with these fields from a journal; other keys are ignored.

        Raises TypeError, KeyError or ValueError if a field is missing or has another form.
        """
        given: dict[str, object] = {}
        for name, key, sort, default in cls.declaration().fields:
            value = fields.get(key)
            if value is not None:
                given[name] = sort.from_json(value)
            elif default is None or key in fields:
                given[name] = None
        return cls(**given)

    def as_json_known_to(self, speaker: Speaker) -> dict[str, object]:
        """Return the fields that the speaker's audience may know, in the form of the journal."""
        found = self._variant_field()
        for key, sort, value in self._fields_not_at_default(self.declaration().fields):
            told = sort.known_json(value, self, speaker)
            if told is not None:
                found[key] = told
        return found

    def ids(self) -> Iterator[tuple[str, str]]:
        """Yield the sort and the id of each thing that the statement names, such as a person."""
        for _, sort, value in self._fields_not_at_default(self.declaration().fields_with_ids):
            yield from sort.ids(value)

    def typed_words(self) -> Iterator[str]:
        """Yield the words in the statement that are printed as they were typed."""
        for _, sort, value in self._fields_not_at_default(self.declaration().fields_with_typed_words):
            yield from sort.typed_words(value)


class _Declaration:
    """The declaration of a class of statements, read from its annotations: fields, sorts and defaults.

    The class's compiled templates are cached here too.
    """

    __slots__ = (
        "compiled_templates",
        "defaults",
        "fields",
        "fields_with_ids",
        "fields_with_typed_words",
        "sorts",
    )

    def __init__(self, cls: type[Statement]) -> None:
        self.sorts: dict[str, AnyFieldType] = {}
        self.defaults: dict[str, object] = {}
        self.compiled_templates: dict[tuple[Language, str], CompiledTemplate | None] = {}
        optional: set[str] = set()
        for base in reversed(cls.__mro__):
            if base in _BASES:
                continue
            space = vars(sys.modules[base.__module__])
            # What a base says alone, in every Python from 3.10 on.
            for name, annotation in base.__annotations__.items():
                said = annotation if isinstance(annotation, str) else repr(annotation)
                if name.startswith("_") or "ClassVar" in said:
                    continue
                said = eval(annotation, space) if isinstance(annotation, str) else annotation
                self.sorts[name] = field_type(said)
                if _may_be_none(said):
                    optional.add(name)
                if name in vars(base):
                    self.defaults[name] = vars(base)[name]
        self.fields: list[_Field] = [
            (name, name.rstrip("_"), sort, self.defaults.get(name, None if name in optional else _NO_DEFAULT))
            for name, sort in self.sorts.items()
        ]
        for name, key, sort, default in self.fields:
            if key in _OWN_KEYS[cls._form] and not (key in SIGNATURES and isinstance(sort, NamedId)):
                raise TypeError(
                    f"{cls.__name__}.{name}: {key!r} is a key of every {cls._form}; rename the field"
                )
            if name in optional and default is not None:
                raise TypeError(
                    f"{cls.__name__}.{name} may be None, and is {default!r} by default: a journal can't tell "
                    "which it was; let the default be None"
                )
        self.fields_with_ids = [field for field in self.fields if field[2].can_have_ids]
        self.fields_with_typed_words = [
            field for field in self.fields if type(field[2]).typed_words is not FieldType.typed_words
        ]


_NO_DEFAULT = object()
_OWN_KEYS: dict[str, frozenset[str]] = {
    "fact": OWN_KEYS - {"who"} | {"variant"},
    "clause": frozenset({"clause", "variant"}),
    "decision": frozenset({"decision", "variant"}),
}
"""The keys that each form of statement has besides its fields, in the journal and in the state."""


def _may_be_none(annotation: object) -> bool:
    origin, inner = get_origin(annotation), get_args(annotation)
    return _may_be_none(inner[0]) if origin is Annotated else NoneType in inner


_BASES: set[type] = {object}
"""The base classes without fields, and without properties for templates."""

TEMPLATE_ATTRIBUTES = ("says", "says_without_hp", "says_unseen", "says_face_down", "headline", "asks")
"""The names of the attributes that have templates."""


def _hyphenate(name: str) -> str:
    # By hand: a regular expression takes longer to compile than it takes to make a topic's classes.
    said = name[:1]
    for before, after in pairwise(name):
        said += f"-{after}" if after.isupper() and not before.isupper() else after
    return said.lower()


def _compile_and_call_constructor(self: Statement, *args: object, **given: object) -> None:
    """Construct the first object of a class, and compile the class's real constructor on this occasion.

    The compiled constructor takes the place of this function in the class, and is called.
    """
    cls = type(self)
    names, defaults = cls.declaration().sorts, cls.declaration().defaults
    required = [name for name in names if name not in defaults]
    parameters = [*required, *(f"{name}=_defaults[{name!r}]" for name in names if name in defaults)]
    body = "; ".join(f"self.{name} = {name}" for name in names) or "pass"
    space: dict[str, object] = {"_defaults": defaults}
    exec(f"def __init__(self, {', '.join(parameters)}): {body}", space)
    cls.__init__ = space["__init__"]  # type: ignore[method-assign, assignment]  # compiled above
    cls.__init__(self, *args, **given)


class Clause(Statement):
    """A part of a sentence: a reason, a cause, an option.

    It decides by itself what an audience may know: if it names somebody unknown, it is left out, and the
    statement around it stays.
    """

    _form = "clause"


class Somebody(Clause):
    """A person's name as a clause: an option to choose, or the cause of something."""

    who: Person

    says = "{who}"


class Said(Clause):
    """Words that somebody typed, as a reason or a cause."""

    words: Words

    says = "{words}"


class Fact(Statement):
    """Something that has happened, and is now true.

    The fact's changes of the state are in `Happened`. The class also says how screens and reports show the
    fact.
    """

    _form = "fact"
    says_face_down: ClassVar[str | None] = None
    """The sentence for a fact about something that is face down, picked in secret."""
    headline: ClassVar[str | None] = None
    """A few words for a banner, such as "Critical hit"; None for a fact without one."""
    event: ClassVar[str] = ""
    """What sort of event it is, for icons and sounds: one of EVENTS.

    `shown` can change it for a single fact.
    """
    tone: ClassVar[str] = ""
    """Whether it is "good" or "bad" for its person; "" for neither."""
    section: ClassVar[str] = ""
    """The heading under which the report of a session lists it; "" if it is reported with its scene."""
    style: ClassVar[str] = ""
    """The style of its line on a terminal (`strike_cli.terminal.command_output.STYLES`)."""
    is_roll: ClassVar[bool] = False
    """Whether it is somebody's roll, which reports count. Then `outcome` and `costs` have the result."""
    in_short: ClassVar[bool] = False
    """Whether its section of the report leaves it out if it happens in a scene."""
    highlight: ClassVar[bool] = False
    """Whether the report of its scene has it."""
    closes_scene: ClassVar[bool] = False
    """Whether its words say how the scene ends."""
    begins_turn: ClassVar[bool] = False
    """Whether a turn begins with it."""
    first_of_round: ClassVar[str] = ""
    """The field that says whether this turn is the first of its round.

    For players, the first that they see.
    """
    in_story: ClassVar[bool] = True
    """Whether the story of a session tells it, which leaves out the end of a turn, for example."""
    gm_only: ClassVar[bool] = False
    """Whether players never see it."""
    discreet: ClassVar[bool] = False
    """Whether its words give away nothing of what was picked in secret."""
    names_rollers: ClassVar[bool] = False
    """Whether the journal has the names of those who rolled, for screens that show the dice."""
    names_scene: ClassVar[bool] = False
    """Whether its words begin with the name of its scene."""

    def shown(self) -> Shown:
        """Return how screens mark this fact: its event and tone.

        By default these are the event and tone of the class. If they differ between facts of a class,
        override this method there.
        """
        return Shown(self.event, self.tone)


class Shown(Value):
    """The way in which screens mark a fact.

    `event` is the sort of event, such as "hit" or "fall". `tone` is "good" or "bad" for the person that the
    fact is about. Either is "" if there is none.
    """

    event: str = ""
    tone: str = ""


EVENTS = (
    *(
        "critical",
        "hit",
        "glancing",
        "miss",
        "harm",
        "heal",
        "fall",
        "status",
        "save",
        "roll",
        "cost",
        "gain",
    ),
    *("move", "turn", "scene", "reveal", "talk"),
)
"""The sorts of events that screens tell apart."""
STANDS_OUT = ("critical", "fall", "save", "cost")
"""The events whose headline is shown even if there is little room."""


OTHER = "other"
"""The answer that is typed in words of one's own."""


class Decision(Statement):
    """A decision, worded so that the decider can make it from this text alone."""

    _form = "decision"
    asks: ClassVar[str | None] = None
    """The question."""
    options: ClassVar[Mapping[str, str]] = {}
    """What each answer does: a template for each answer that is known beforehand."""
    worded: ClassVar[Mapping[str, str]] = {}
    """The answers that free text can follow, as in `flaw: the rope`, each with a question for the text.

    Words that are no answer count as OTHER, if that is here.
    """
    answers: ClassVar[str] = ""
    """What the other answers are, which are ids: "person" or "square".

    They are shown by name. Those that an audience may not know can't be chosen by it.
    """


def clause_as_json(clause: Clause, speaker: Speaker) -> dict[str, object]:
    """Return a clause in the form in which a journal stores it within its statement."""
    return {"clause": clause.kind, **clause.as_json(speaker)}


def clause_as_known_json(clause: Clause, speaker: Speaker) -> dict[str, object]:
    """Return the parts of a clause that the audience may know, in the form of the journal."""
    return {"clause": clause.kind, **clause.as_json_known_to(_unwrap_unseen_speaker(speaker))}


def clause_from_json(value: str | Mapping[str, object]) -> Clause:
    """Return the clause that the state or a journal stores as `value`.

    Older journals have plain text instead, which is returned as `Said`. Raises KeyError, TypeError or
    ValueError for anything else.
    """
    return Said(value) if isinstance(value, str) else NESTED.from_json(value)


def decision_as_json(decision: Decision, speaker: Speaker) -> dict[str, object]:
    """Return a decision as it is stored in the state and in the journal."""
    return {"decision": decision.kind, **decision.as_json(speaker)}


def _statement_from_table(value: object, kind_key: str) -> Statement:
    """Return the statement stored in a table, which has its kind under the key `kind_key`.

    Raises TypeError or KeyError for any other value.
    """
    if not isinstance(value, Mapping) or not isinstance(kind := value[kind_key], str):
        raise TypeError(f"{value!r} is no {kind_key}")
    return statement_from_fields(kind, value)


_BASES.update((Statement, Clause, Fact, Decision))


def statement_from_fields(kind: str, fields: Mapping[str, object]) -> Statement:
    """Return the statement of this kind with these fields from a journal.

    Raises KeyError for a kind that no class has, and TypeError, KeyError or ValueError for other fields.
    """
    variant = fields.get("variant")
    found = class_of_kind(f"{kind}:{variant}" if variant else kind)
    if found.has_variants:
        raise KeyError(kind)
    return found.from_json(fields)


def class_of_kind(kind: str) -> type[Statement]:
    """Return the class of statements with this kind.

    `kind` may also be written as `kind:variant`. Raises KeyError if there is no such class.
    """
    found = classes_by_key.get(kind) or next(filter(None, (find(kind) for find in class_finders)), None)
    if found is None:
        raise KeyError(kind)
    return found


# Saying


def say(statement: Statement, speaker: Speaker, attribute: str = "") -> str | None:
    """Return a statement in words.

    Args:
        statement: The fact, clause or decision.
        speaker: Knows names, and the limits of the audience's knowledge.
        attribute: The class attribute that has the words' template. If it is "", the statement's first
            sentence that the audience may know is used.

    Returns:
        The words. They are "" if the statement has no template. They are None if the audience may not know
        the statement.
    """
    names: Sequence[str] = (attribute,)
    if not attribute:
        for name in statement.needs:
            value = getattr(statement, name)
            if value and not statement.field_types()[name].is_known(
                value, statement, _unwrap_unseen_speaker(speaker)
            ):
                return None
        names = ("asks",) if statement.says is None else SENTENCES
    if getattr(statement, names[0], None) is None:
        return ""
    words = _first_known_sentence(statement, speaker, names)
    return (
        _first_known_sentence(statement, _UnseenSpeaker(speaker, statement), names[::-1])
        if words is None
        else words
    )


def _first_known_sentence(statement: Statement, speaker: Speaker, attributes: Sequence[str]) -> str | None:
    """Return a statement's sentence from the first template that the audience may see, or None.

    `attributes` has the names of the statement's templates to try, in order. A template is skipped if it
    would tell the audience what it may not know.
    """
    for name in attributes:
        if (
            getattr(statement, name) is not None
            and (words := _say_template(statement, speaker, name)) is not None
        ):
            return words
    return None


def option_effect_words(decision: Decision, option: str, speaker: Speaker) -> str | None:
    """Return the effect of an answer to a decision, in words; None if the audience may not know it.

    It is "" if the answer itself says enough.
    """
    if option in decision.options:
        return _say_template(decision, speaker, f"options.{option}")
    if not decision.answers:
        return ""
    if not speaker.audience_may_know(decision.answers, option):
        return None
    name = speaker.name(decision.answers, option)
    return "" if name == option else name


SENTENCES = ("says", "says_without_hp", "says_unseen")
"""The attributes that have sentences, in the order in which they are tried.

It is reversed for a speaker that says "somebody unseen".
"""


def _say_template(statement: Statement, speaker: Speaker, attribute: str) -> str | None:
    cls, language = type(statement), speaker.language
    tellings = cls.declaration().compiled_templates
    found = tellings.get((language, attribute))
    if found is None:
        whole, _, option = attribute.partition(".")
        own = getattr(cls, whole, None)
        own = own[option] if option and own else own
        if own is None:
            return ""
        try:
            found = compile_template(
                language.template(cls, attribute, own), cls.template_types(), language.literal
            )
        except (TemplateFault, NameError, TypeError, KeyError) as fault:  # of a template, or of an annotation
            raise PluginProblem(
                f"{cls.__name__} of {cls.__module__} can't be told: {attribute}: {fault}.",
                "Nothing was recorded. `strike plugin doctor` reads all templates.",
            ) from fault
        tellings[language, attribute] = found
    words = found(statement, speaker)
    if not words or isinstance(statement, Clause) or attribute.startswith("options"):
        return words
    # Somebody's name keeps its letters, as do dice, like d6, and what is nothing but words that people typed.
    if words[0].islower() and not (
        words[1:2].isdigit() or _may_begin_with_small_letter(words, statement, speaker)
    ):
        words = words[0].upper() + words[1:]
    return words.rstrip()


def _may_begin_with_small_letter(words: str, statement: Statement, speaker: Speaker) -> bool:
    """Return whether a sentence may begin with a small letter.

    It may if it has no letters but those of words that are printed unchanged, such as typed words. It also
    may if it begins with a person's name, such as "von Reet".
    """
    for typed in statement.typed_words():
        if words.startswith(typed) and not any(char.isalpha() for char in words[len(typed) :]):
            return True
    names = ((id, speaker.name(sort, id)) for sort, id in statement.ids() if sort == "person")
    as_written = [name for id, name in names if name not in (id, speaker.language.unseen)]
    return any(words.startswith(name) for name in as_written)


class _UnseenSpeaker:
    """A `Speaker` that says "somebody unseen" for a person whom the audience may not know of.

    A `Speaker` supplies the names in a sentence. This one replaces only the names of people in the
    statement's `unseen` fields. If these fields name several people, and the audience may know none of them,
    the statement stays hidden.
    """

    def __init__(self, speaker: Speaker, statement: Statement) -> None:
        self.speaker = speaker
        self.language = speaker.language
        sorts = statement.field_types()
        people = {
            name: [id for sort, id in sorts[name].ids(getattr(statement, name)) if sort == "person"]
            for name in statement.unseen
            if getattr(statement, name) is not None
        }
        everybody = [id for ids in people.values() for id in ids]
        known = [id for id in everybody if speaker.audience_may_know("person", id)]
        self.allowed = set(everybody) if known or len(everybody) == 1 else set()

    def name(self, sort: str, id: str) -> str:
        """Return a name, or "somebody unseen" for a person whom the audience may not know."""
        if sort == "person" and not self.speaker.audience_may_know(sort, id):
            return self.language.unseen
        return self.speaker.name(sort, id)

    def audience_may_know(self, sort: str, id: str) -> bool:
        """Return whether a sentence for the audience may mention a person or a thing.

        It may if the audience may know of the person or thing. It may also mention a person whom it calls
        "somebody unseen".
        """
        return (sort == "person" and id in self.allowed) or self.speaker.audience_may_know(sort, id)

    def may_know_numbers_of(self, person: str) -> bool:
        """Return whether the audience may know a person's numbers, such as HP.

        The result is False for each person who is called "somebody unseen".
        """
        return self.speaker.audience_may_know("person", person) and self.speaker.may_know_numbers_of(person)

    def audience_may_read(self, words: str) -> bool:
        return self.speaker.audience_may_read(words)


def data_with_clauses_in_words(value: object, speaker: Speaker) -> object:
    """Return plain data with every clause in it put into words."""
    if isinstance(value, Clause):
        return say(value, speaker) or ""
    if isinstance(value, (list, tuple)):
        return (
            value
            if hasattr(value, "_fields")
            else [data_with_clauses_in_words(item, speaker) for item in value]
        )
    return table_with_clauses_in_words(value, speaker) if isinstance(value, Mapping) else value


def table_with_clauses_in_words(table: Mapping[str, object], speaker: Speaker) -> dict[str, object]:
    """Return a table of plain data with every clause in it put into words."""
    return {
        key: item if type(item) in _WORDLESS else data_with_clauses_in_words(item, speaker)
        for key, item in table.items()
    }


_WORDLESS = frozenset({NoneType, bool, int, str})
"""The types of values that can't have a clause in them, so that data is checked quickly."""
