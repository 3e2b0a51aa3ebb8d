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

from ..problems import PluginProblem
from ..values import Value
from .sentence_templates import Telling, TemplateFault, compile_template

SIGNATURES = ("power_of", "decided_by", "trait_of")
"""Keys for people behind a fact who needn't be in its fields."""
OWN_KEYS = frozenset(("kind", "who", "text", "changes", "places", "names", *SIGNATURES))
"""The keys that every fact has besides its fields, in the journal and in `--json`."""

# Words and speakers


PURPOSES = {"save": "save against {of}", "skill": "{of}", "opposed": "{of}"}
"""Words for purposes of rolls that have a subject, by the key's part before the colon."""


class Language:
    """The words that the renderer itself uses, and translations of templates.

    `templates` are another language's templates, by key (a kind, or `kind:variant`) and attribute:
    `{"damaged": {"says": "..."}}`; those of a decision's answers are under `options.ANSWER`. A missing one
    stays English.
    """

    templates: Mapping[str, Mapping[str, str]] = {}
    purposes: Mapping[str, str] = {}
    """Purposes of rolls, by their keys in journals: `{"attack": "Angriff"}`; for keys like `save: Dazed` by
    the part before the colon, with `{of}` for the rest."""
    both = "and"
    either = "or"
    unseen = "somebody unseen"

    def template(self, statement: type[Statement], telling: str, own: str) -> str:
        """Return a template by attribute: the class's own, unless the language has another."""
        return self.templates.get(statement.key, {}).get(telling, own)

    def literal(self, words: str) -> str:
        """Return the translation of the words of a template between its fields."""
        return words

    def purpose(self, key: str) -> str:
        """Return a purpose in words: "save against Dazed" for `save: Dazed`, "raw force" for `raw-force`."""
        head, colon, of = key.partition(": ")
        head = head.replace("-", " ") if head.islower() and " " not in head else head
        words = self.purposes.get(head) or (PURPOSES.get(head) if of else None) or head
        return words.replace("{of}", of) if "{of}" in words else f"{words}{colon}{of}"

    def listed(self, words: Sequence[str], joint: str) -> str:
        """Return a list in words: `Vex`, `Vex and Odo`, `Vex, Odo and Brann`."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {joint} {words[-1]}"

    def possessive(self, name: str) -> str:
        """Return the possessive of a name: `Vex's`; `the Runners'`."""
        return f"{name}'" if name.endswith("s") and name[:4].lower() == "the " else f"{name}'s"

    def and_more(self, first: str, more: int) -> str:
        """Return the first item and the number of others: `#21 Goblin 1's turn ends; and 2 more`."""
        return f"{first}; and {more} more" if more else first

    def best(self, kept: int, faces: Sequence[int]) -> str:
        """Return the die that counts, with all faces: `5 of 5,2`."""
        return f"{kept} of {','.join(map(str, faces))}"

    def with_article(self, noun: str) -> str:
        """Return a noun with its indefinite article: `a Goblin`, `an Arrow`."""
        return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"

    def rectangle(self, first: str, last: str) -> str:
        """Return squares that fill a rectangle, by its corners: `C3 to D4`."""
        return f"{first} to {last}"

    def squares_around(self, count: int, middle: str) -> str:
        """Return squares that fill no rectangle, in words: `7 squares around C3`."""
        return f"{count} squares around {middle}"


ENGLISH = Language()
P = ParamSpec("P")
R = TypeVar("R")


class Speaker(Protocol):
    """The wording for an audience: the names of things, and the limits of what the audience may know."""

    language: Language

    def name(self, sort: str, id: str) -> str:
        """Return the name of something by its id: a person, a power, a zone."""

    def knows(self, sort: str, id: str) -> bool:
        """Return whether the audience may know that a thing exists."""

    def may_know_numbers_of(self, person: str) -> bool:
        """Return whether the audience may know somebody's numbers: how many HP they have."""

    def may_read(self, words: str) -> bool:
        """Return whether the audience may read words that people typed freely.

        They may name somebody hidden.
        """


# Sorts: what a field is

T = TypeVar("T")
K = TypeVar("K", bound=str)


class Sort(Generic[T]):
    """The sort of a field: it determines the field's words, its audience, and its form in the journal.

    This base class is for plain values: a word of the program that templates read but never print
    (`{result:miss=a miss|...}`), a number, or a yes or no.
    """

    side_by_side = False
    """Whether several values stand side by side, rather than joined as names are."""

    def words(self, value: T, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        """Return the value in words; None where the audience may not know it.

        `joint` is the word before the last of several values, "" for the usual one.
        """
        return "" if value is None or value is False else str(value)

    def is_known(self, value: T, statement: Statement, speaker: Speaker) -> bool:
        """Return whether the audience may know the whole value."""
        return True

    def left(self, value: T, statement: Statement, speaker: Speaker) -> T | None:
        """Return the part of the value that the audience may know; None where it may know none."""
        return value if self.is_known(value, statement, speaker) else None

    def to_json(self, value: T, speaker: Speaker) -> object:
        """Return the form in the journal, with words from `speaker`."""
        return value

    def known_json(self, value: T, statement: Statement, speaker: Speaker) -> object:
        """Return the journal's form of the part that the audience may know; None where it may know none."""
        left = self.left(value, statement, speaker)
        return None if left is None else self.to_json(left, speaker)

    def of_json(self, value: object) -> T:
        """Return the value from its form in the journal.

        Raises TypeError, KeyError or ValueError for another form.
        """
        return value  # type: ignore[return-value]  # one that has no other form is as it is kept

    def ids(self, value: T) -> Iterator[tuple[str, str]]:
        """Yield the things that the value names, by sort and id."""
        yield from ()

    @property
    def has_ids(self) -> bool:
        """Whether a value of this sort may contain ids."""
        return type(self).ids is not Sort.ids

    def typed(self, value: T) -> Iterator[str]:
        """Yield the typed words in the value, which are printed unchanged."""
        yield from ()


class Text(Sort[str]):
    """A text: an id, or words."""

    def of_json(self, value: object) -> str:
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is not text")
        return value


class Named(Text):
    """The id of a named thing: `sort` is "person" or a kind of content of the book."""

    def __init__(self, sort: str) -> None:
        self.sort = sort

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        if not value:
            return ""
        if not speaker.knows(self.sort, value):
            return None
        return speaker.name(self.sort, value)

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return not value or speaker.knows(self.sort, value)

    def ids(self, value: str) -> Iterator[tuple[str, str]]:
        if value:
            yield self.sort, value


class Written(Text):
    """Words of the book, printed unchanged: the name of a weapon, the effect of a power.

    They name nobody in a scene, so everybody who may see the statement may read them.
    """

    def typed(self, value: str) -> Iterator[str]:
        if value:
            yield value


class Typed(Written):
    """Words that somebody typed freely: a note, a reason, a title."""

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value if not value or speaker.may_read(value) else None

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return not value or speaker.may_read(value)


class TypedName(Named):
    """The id of a thing whose name somebody typed, withheld where the name mentions somebody hidden."""

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        said = super().words(value, statement, speaker, joint)
        return said if not said or speaker.may_read(said) else None

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return self.words(value, statement, speaker) is not None


class Verbatim(Text):
    """Text that people type to the program, unchanged in every language: a command, a path of the state."""


class Number(Sort[T]):
    """A number of a person's that not every audience may know, such as HP."""

    def is_known(self, value: T, statement: Statement, speaker: Speaker) -> bool:
        return speaker.may_know_numbers_of(statement.subject)

    def words(self, value: T, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return str(value) if self.is_known(value, statement, speaker) else None


class BeforeAfter:
    """A number before and after a change."""

    __slots__ = ("after", "before")

    def __init__(self, before: int, after: int) -> None:
        self.before = before
        self.after = after

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BeforeAfter) and (self.before, self.after) == (other.before, other.after)

    def __hash__(self) -> int:
        return hash((self.before, self.after))

    def __repr__(self) -> str:
        return f"{self.before} to {self.after}"


class Change(Number[BeforeAfter]):
    """A number of a person's before and after a change."""

    def to_json(self, value: BeforeAfter, speaker: Speaker) -> list[int]:
        return [value.before, value.after]

    def of_json(self, value: object) -> BeforeAfter:
        match value:
            case [int(before), int(after)]:
                return BeforeAfter(before, after)
        raise TypeError(f"{value!r} is not a number before and after")


SIDE_BY_SIDE = ","
"""The `joint` of a list that has only commas, such as a list of clauses."""


class Several(Sort[Sequence[T]]):
    """Several values of a sort, as a list.

    Those that the audience doesn't know of are left out; where none is left, the audience may not know the
    list at all.
    """

    def __init__(self, one: Sort[T]) -> None:
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

    def left(self, value: Sequence[T], statement: Statement, speaker: Speaker) -> Sequence[T] | None:
        left = [self.one.left(item, statement, speaker) for item in value]
        known = [item for item in left if item is not None]
        return known if known or not left else None

    def to_json(self, value: Sequence[T], speaker: Speaker) -> list[object]:
        return [self.one.to_json(item, speaker) for item in value]

    def known_json(self, value: Sequence[T], statement: Statement, speaker: Speaker) -> object:
        told = [self.one.known_json(item, statement, speaker) for item in value]
        known = [item for item in told if item is not None]
        return known if known or not told else None

    def of_json(self, value: object) -> Sequence[T]:
        if not isinstance(value, list | tuple):
            raise TypeError(f"{value!r} is not a list")
        # [] and not (): a value equal to the default () would be left out when it is stored again.
        return tuple(self.one.of_json(item) for item in value) or []

    def ids(self, value: Sequence[T]) -> Iterator[tuple[str, str]]:
        for item in value:
            yield from self.one.ids(item)

    @property
    def has_ids(self) -> bool:
        return self.one.has_ids

    def typed(self, value: Sequence[T]) -> Iterator[str]:
        for item in value:
            yield from self.one.typed(item)


class FirstOf(Several[T]):
    """Several values of a sort, printed as the first that the audience knows and the number of others."""

    def words(
        self, value: Sequence[T], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        said = (self.one.words(item, statement, speaker) for item in value)
        known = [words for words in said if words is not None]
        return speaker.language.and_more(known[0], len(known) - 1) if known else None


class Listed(Several[T]):
    """Several values of a sort, separated by the same mark in every language."""

    def __init__(self, one: Sort[T], mark: str) -> None:
        super().__init__(one)
        self.mark = mark

    def words(
        self, value: Sequence[T], statement: Statement, speaker: Speaker, joint: str = ""
    ) -> str | None:
        said = [self.one.words(item, statement, speaker) for item in value]
        known = [words for words in said if words is not None]
        return self.mark.join(known) if known or not said else None


class ByEach(Sort[Mapping[str, T]]):
    """Values by their owners: dice by person, say.

    Those of owners that the audience doesn't know of are left out. A template never prints the whole mapping.
    """

    def __init__(self, key: Sort[str], value: Sort[T]) -> None:
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

    def left(self, value: Mapping[str, T], statement: Statement, speaker: Speaker) -> Mapping[str, T] | None:
        left = {
            key: self.value.left(item, statement, speaker)
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

    def of_json(self, value: object) -> Mapping[str, T]:
        if not isinstance(value, dict):
            raise TypeError(f"{value!r} is not a table")
        return {key: self.value.of_json(item) for key, item in value.items()}

    def ids(self, value: Mapping[str, T]) -> Iterator[tuple[str, str]]:
        for key, item in value.items():
            yield from self.key.ids(key)
            yield from self.value.ids(item)

    def typed(self, value: Mapping[str, T]) -> Iterator[str]:
        for item in value.values():
            yield from self.value.typed(item)


class _Nested(Sort["Clause"]):
    """A clause, with fields and a template of its own, redacted by itself.

    The statement around it may call a person "somebody unseen"; a clause that names such a person is left out
    all the same.
    """

    side_by_side = True

    def words(self, value: Clause, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return say(value, _inner_speaker(speaker))

    def is_known(self, value: Clause, statement: Statement, speaker: Speaker) -> bool:
        return say(value, _inner_speaker(speaker)) is not None

    def to_json(self, value: Clause, speaker: Speaker) -> dict[str, object]:
        return clause_as_json(value, speaker)

    def known_json(self, value: Clause, statement: Statement, speaker: Speaker) -> object:
        return clause_as_known(value, speaker) if self.is_known(value, statement, speaker) else None

    def of_json(self, value: object) -> Clause:
        found = _statement_of_table(value, "clause")
        if not isinstance(found, Clause):
            raise TypeError(f"{found.kind} is not a clause")
        return found

    def ids(self, value: Clause) -> Iterator[tuple[str, str]]:
        return value.ids()

    def typed(self, value: Clause) -> Iterator[str]:
        return value.typed()


class _Question(Sort["Decision"]):
    """The decision that a fact announces."""

    def words(self, value: Decision, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return say(value, speaker)

    def is_known(self, value: Decision, statement: Statement, speaker: Speaker) -> bool:
        return say(value, speaker) is not None

    def to_json(self, value: Decision, speaker: Speaker) -> dict[str, object]:
        return decision_as_json(value, speaker)

    def known_json(self, value: Decision, statement: Statement, speaker: Speaker) -> object:
        known = self.is_known(value, statement, speaker)
        return {"decision": value.kind, **value.known_to(speaker)} if known else None

    def of_json(self, value: object) -> Decision:
        found = _statement_of_table(value, "decision")
        if not isinstance(found, Decision):
            raise TypeError(f"{found.kind} is not a decision")
        return found

    def ids(self, value: Decision) -> Iterator[tuple[str, str]]:
        return value.ids()

    def typed(self, value: Decision) -> Iterator[str]:
        return value.typed()


class _WordsOrClause(Sort["str | Clause"]):
    """A clause, or fixed words of the program or the book that name nobody."""

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

    def of_json(self, value: object) -> str | Clause:
        return value if isinstance(value, str) else NESTED.of_json(value)

    def ids(self, value: str | Clause) -> Iterator[tuple[str, str]]:
        return iter(()) if isinstance(value, str) else value.ids()

    def typed(self, value: str | Clause) -> Iterator[str]:
        return iter(()) if isinstance(value, str) else value.typed()


def _inner_speaker(speaker: Speaker) -> Speaker:
    return speaker.speaker if isinstance(speaker, _Unseen) else speaker


if TYPE_CHECKING:
    FieldSort = Sort[Any]  # type: ignore[explicit-any]  # a field is read by its name, whatever is in it
    """The sort of a field of any class."""
    _Field = tuple[str, str, FieldSort, object]
    """A field: its name, its name in the journal, its sort, and its default where the journal lacks it."""
PLAIN: FieldSort = Sort()
NESTED = _Nested()
QUESTION = _Question()

Person = Annotated[str, Named("person")]
"""The id of somebody in a scene, of a character, or of a person who is only named; "" for nobody."""
Zone = Annotated[str, Named("zone")]
"""The id of a zone of a scene."""
Square = Annotated[str, Named("square")]
"""A square of the map, like C7; squares in the fog are withheld from players."""
Words = Annotated[str, Typed()]
"""Words that people typed freely: a note, a reason, a title. They are withheld where they name somebody
hidden."""
Code = Annotated[str, Verbatim()]
"""Text that people type to the program: a command, a path of the state."""
BookWords = Annotated[str, Written()]
"""Words of the book, such as the name of a weapon."""
Hp = Annotated[BeforeAfter, Change()]
"""HP before and after, of the person in the field `who`. Only audiences that may know them are shown them."""
HpNumber = Annotated[int, Number()]
"""A number of somebody's that only audiences that may know their HP may know."""


Reason = Annotated["str | Clause", _WordsOrClause()]
"""A reason: a clause, or words. Plain words are shown to every audience of the statement, so they are the
book's, or name nobody; text that somebody typed is a clause with `Words`."""


def sort_of(annotation: object) -> FieldSort:
    """Return the sort of a field from its annotation. Raises TypeError for one without a sort."""
    origin = get_origin(annotation)
    found: FieldSort | None = None
    if origin is Annotated:
        value, *said = get_args(annotation)
        found = next((one for one in said if isinstance(one, Sort)), None) or sort_of(value)
    elif origin in (Union, UnionType):
        sorts = [sort_of(one) for one in get_args(annotation) if one is not NoneType]
        found = sorts[0] if len({type(sort) for sort in sorts}) == 1 else None
    elif isinstance(origin, type):
        inner = [sort_of(one) for one in get_args(annotation) if one is not Ellipsis]
        if issubclass(origin, Mapping):
            found = ByEach(*inner)
        elif issubclass(origin, Sequence) and len(inner) == 1:
            found = Several(inner[0])
    elif isinstance(annotation, type):
        ways = {(str, int): PLAIN, (Clause,): NESTED, (Decision,): QUESTION}
        found = next((sort for types, sort in ways.items() if issubclass(annotation, types)), None)
    if found is None:
        raise TypeError(f"no such type of field: {annotation!r}")
    return found


# Statements

S = TypeVar("S", bound="Statement")

classes: dict[str, type[Statement]] = {}
"""Every imported class, by its kind, or `kind:variant`. `registry.statement_class` finds one that isn't
imported yet."""

find_class: list[Callable[[str], type[Statement] | None]] = []
"""The function that finds a class that isn't imported; the registry sets it, since only it knows where to
look."""


@dataclass_transform(frozen_default=True)
class Statement:
    """The base class of facts, clauses and decisions: typed fields, in order, and their templates.

    It is never changed once it is made. Where Python reserves a word, such as `for`, the field is `for_`.

    It is no dataclass, as there are some hundreds of these, imported together at each start: one of them
    costs 16 µs, a NamedTuple 109, a dataclass with slots 615. The constructor is compiled at its first use.
    """

    kind: ClassVar[str] = ""
    """The key of the class in journals: its name with hyphens, unless it declares another."""
    variant: ClassVar[str] = ""
    """The name that distinguishes classes of one kind in journals: a save is a roll, as many other things
    are. `class SaveRolled(DiceRolled, variant="save")`. A statement of such a kind without a declared variant
    has no class, and so no words."""
    key: ClassVar[str] = ""
    """Its kind, or `kind:variant`, which is unique."""
    has_variants: ClassVar[bool]
    """Whether it is the common base of classes that are its variants."""

    says: ClassVar[str | None] = None
    """The sentence; None for a statement without words."""
    says_without_hp: ClassVar[str | None] = None
    """The sentence for audiences that may not know somebody's numbers."""
    says_unseen: ClassVar[str | None] = None
    """The sentence for audiences that don't know of a person in it, called "somebody unseen"."""
    unseen: ClassVar[tuple[str, ...]] = ()
    """Fields whose people are shown as "somebody unseen" to audiences that don't know of them. Where they
    name several people of whom none is known, the statement is withheld."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Fields that an audience has to know although no words print them, such as the owner of a power.
    Otherwise the statement is withheld."""

    _form: ClassVar[str] = "statement"
    """The category of the class: "fact", "clause" or "decision"."""
    _made: ClassVar[_Made | None] = None

    @property
    def subject(self) -> str:
        """The id of the person in its field `who`; "" for nobody."""
        return getattr(self, "who", None) or ""

    def __init_subclass__(cls, kind: str = "", variant: str = "") -> None:
        # This does little, since most classes that a start imports aren't used in it.
        # A variant keeps the kind of its base class.
        cls.variant, cls.has_variants = variant, False
        if variant:
            cls.key = f"{cls.kind}:{variant}"
            cls.__mro__[1].has_variants = True  # type: ignore[attr-defined]  # a Statement, too
        else:
            cls.kind = cls.key = kind or _hyphened(cls.__name__)
        cls._made = None
        cls.__init__ = _compile_constructor  # type: ignore[method-assign, assignment]  # until it is first called
        # A plugin with a kind that exists already is switched off, so it must not replace that class.
        if not cls.__name__.startswith("_") and (
            cls.key not in classes or classes[cls.key].__module__ == cls.__module__
        ):
            classes[cls.key] = cls

    @classmethod
    def made(cls) -> _Made:
        """Return what its annotations declare, read at the first use."""
        if cls._made is None:
            cls._made = _Made(cls)
        return cls._made

    @classmethod
    def sorts(cls) -> Mapping[str, FieldSort]:
        """Return the sort of each field, by its name."""
        return cls.made().sorts

    @classmethod
    def slots(cls) -> Mapping[str, FieldSort]:
        """Return the sorts of the names that its templates may use.

        These are its fields, and its derived values: properties whose annotation is that of a field.
        """
        derived: dict[str, FieldSort] = {}
        for base in cls.__mro__:
            for name, value in () if base in _BASES else vars(base).items():
                if isinstance(value, property) and value.fget:
                    # Annotations are text. typing.get_type_hints would read those of every base, too, at
                    # several times the price of a field.
                    returned = value.fget.__annotations__["return"]
                    if isinstance(returned, str):
                        returned = eval(returned, value.fget.__globals__)
                    derived.setdefault(name, sort_of(returned))
        return {**derived, **cls.sorts()}

    @classmethod
    def tellings(cls) -> Iterator[tuple[str, str]]:
        """Yield the name of each of its template attributes, with the template."""
        for name in TELLINGS:
            template = getattr(cls, name, None)
            if template is not None:
                yield name, template

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.sorts()
        )

    def __hash__(self) -> int:
        fields = tuple(value for value in vars(self).values() if isinstance(value, (str, int)))
        return hash((self.kind, fields))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.sorts())
        return f"{type(self).__name__}({fields})"

    def as_json(self, speaker: Speaker) -> dict[str, object]:
        """Return its fields in the form of journal and state.

        Fields at their defaults, and those that are None, are left out: TOML has no null.
        """
        said = self._filled(self.made().fields)
        return self._variant_field() | {key: sort.to_json(value, speaker) for key, sort, value in said}

    def _variant_field(self) -> dict[str, object]:
        return {"variant": self.variant} if self.variant else {}

    def _filled(self, fields: Sequence[_Field]) -> Iterator[tuple[str, FieldSort, object]]:
        """Yield the fields that aren't at their default: name in the journal, sort and value."""
        for name, key, sort, default in fields:
            value = getattr(self, name)
            if value is not None and value != default:
                yield key, sort, value

    @classmethod
    def of_json(cls: type[S], fields: Mapping[str, object]) -> S:
        """Return a statement from its fields in the journal's form; others are ignored.

        Raises TypeError, KeyError or ValueError where a field is missing or has another form.
        """
        given: dict[str, object] = {}
        for name, key, sort, default in cls.made().fields:
            value = fields.get(key)
            if value is not None:
                given[name] = sort.of_json(value)
            elif default is None or key in fields:
                given[name] = None
        return cls(**given)

    def known_to(self, speaker: Speaker) -> dict[str, object]:
        """Return the part of its fields that an audience may know, in the journal's form."""
        found = self._variant_field()
        for key, sort, value in self._filled(self.made().fields):
            told = sort.known_json(value, self, speaker)
            if told is not None:
                found[key] = told
        return found

    def ids(self) -> Iterator[tuple[str, str]]:
        """Yield all things that it names, by sort and id."""
        for _, sort, value in self._filled(self.made().naming):
            yield from sort.ids(value)

    def typed(self) -> Iterator[str]:
        """Yield the typed words in it, which are printed unchanged."""
        for _, sort, value in self._filled(self.made().worded):
            yield from sort.typed(value)


class _Made:
    """The annotations of a class, read: the sort of each field, in their order, and the defaults.

    Compiled templates are stored here, too.
    """

    __slots__ = ("defaults", "fields", "naming", "sorts", "tellings", "worded")

    def __init__(self, cls: type[Statement]) -> None:
        self.sorts: dict[str, FieldSort] = {}
        self.defaults: dict[str, object] = {}
        self.tellings: dict[tuple[Language, str], Telling | None] = {}
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
                self.sorts[name] = sort_of(said)
                if _may_be_none(said):
                    optional.add(name)
                if name in vars(base):
                    self.defaults[name] = vars(base)[name]
        self.fields: list[_Field] = [
            (name, name.rstrip("_"), sort, self.defaults.get(name, None if name in optional else _NO_DEFAULT))
            for name, sort in self.sorts.items()
        ]
        for name, key, sort, default in self.fields:
            if key in _OWN_KEYS[cls._form] and not (key in SIGNATURES and isinstance(sort, Named)):
                raise TypeError(
                    f"{cls.__name__}.{name}: {key!r} is a key of every {cls._form}; rename the field"
                )
            if name in optional and default is not None:
                raise TypeError(
                    f"{cls.__name__}.{name} may be None, and is {default!r} by default: a journal can't tell "
                    "which it was; let the default be None"
                )
        self.naming = [field for field in self.fields if field[2].has_ids]
        self.worded = [field for field in self.fields if type(field[2]).typed is not Sort.typed]


_NO_DEFAULT = object()
_OWN_KEYS: dict[str, frozenset[str]] = {
    "fact": OWN_KEYS - {"who"} | {"variant"},
    "clause": frozenset({"clause", "variant"}),
    "decision": frozenset({"decision", "variant"}),
    "statement": frozenset(),
}
"""The keys that statements of each category have besides their fields, in the journal and in the state."""


def _may_be_none(annotation: object) -> bool:
    origin, inner = get_origin(annotation), get_args(annotation)
    return _may_be_none(inner[0]) if origin is Annotated else NoneType in inner


_BASES: set[type] = {object}
"""Base classes without fields, and without derived values for templates."""

TELLINGS = ("says", "says_without_hp", "says_unseen", "says_face_down", "headline", "asks")
"""The names of the attributes that hold templates."""


def _hyphened(name: str) -> str:
    # By hand: a regular expression takes longer to compile than it takes to make a topic's classes.
    said = name[:1]
    for before, after in pairwise(name):
        said += f"-{after}" if after.isupper() and not before.isupper() else after
    return said.lower()


def _compile_constructor(self: Statement, *args: object, **given: object) -> None:
    """Compile the constructor of a class, which replaces this function."""
    cls = type(self)
    names, defaults = cls.made().sorts, cls.made().defaults
    required = [name for name in names if name not in defaults]
    parameters = [*required, *(f"{name}=_defaults[{name!r}]" for name in names if name in defaults)]
    body = "; ".join(f"self.{name} = {name}" for name in names) or "pass"
    space: dict[str, object] = {"_defaults": defaults}
    exec(f"def __init__(self, {', '.join(parameters)}): {body}", space)
    cls.__init__ = space["__init__"]  # type: ignore[method-assign, assignment]  # compiled above
    cls.__init__(self, *args, **given)


class Clause(Statement):
    """A part of a sentence: a reason, a cause, an option.

    It is redacted by itself: where it names somebody unknown it is left out, and the statement around it
    remains.
    """

    _form = "clause"


class Somebody(Clause):
    """A person as an option or a cause."""

    who: Person

    says = "{who}"


class Said(Clause):
    """Words that somebody typed: a reason, a cause."""

    words: Words

    says = "{words}"


class Fact(Statement):
    """Something that is now true, in the past tense; `Happened` adds its changes.

    The class also says how screens and reports show it.
    """

    _form = "fact"
    says_face_down: ClassVar[str | None] = None
    """The sentence for a fact about something that still lies face down, picked in secret."""
    headline: ClassVar[str | None] = None
    """A few words for a banner: "Critical hit". None for a fact without a banner."""
    event: ClassVar[str] = ""
    """The sort of event, for icons and sounds: one of EVENTS. `shown` may override it for one fact."""
    tone: ClassVar[str] = ""
    """"good" or "bad" for its person; "" for neither."""
    section: ClassVar[str] = ""
    """The heading under which an evening's report lists it; "" for a fact that is reported with its scene."""
    style: ClassVar[str] = ""
    """The style of its line on a terminal (strike_cli.terminal.result.STYLES)."""
    is_roll: ClassVar[bool] = False
    """Whether it is somebody's roll, which reports count; `outcome` and `costs` then hold the result."""
    in_short: ClassVar[bool] = False
    """Whether its section of the report leaves it out when it happens within a scene."""
    highlight: ClassVar[bool] = False
    """Whether a report of its scene includes it."""
    closes_scene: ClassVar[bool] = False
    """Whether its words give the result of the scene."""
    begins_turn: ClassVar[bool] = False
    """Whether it marks the beginning of a turn."""
    first_of_round: ClassVar[str] = ""
    """The field that says whether this turn is the first of its round (for players: the first they see)."""
    in_story: ClassVar[bool] = True
    """Whether an evening's story includes it: the end of a turn, say, is left out."""
    gm_only: ClassVar[bool] = False
    """Whether players never see it."""
    discreet: ClassVar[bool] = False
    """Whether its words reveal nothing of what is picked in secret."""
    names_rollers: ClassVar[bool] = False
    """Whether its form in the journal has the names of the rollers, for screens that show the dice."""
    names_scene: ClassVar[bool] = False
    """Whether its words begin with the name of its scene."""

    def shown(self) -> Shown:
        """Return its event and tone for screens. Classes whose facts differ override it."""
        return Shown(self.event, self.tone)


class Shown(Value):
    """The look of a fact on a screen: its event, and whether that is good or bad for its person."""

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
"""The sorts of events that screens distinguish."""
STANDS_OUT = ("critical", "fall", "save", "cost")
"""Events whose headline is shown even where there is little room."""


OTHER = "other"
"""The answer that is wholly in the typist's own words."""


class Decision(Statement):
    """A decision to take, with everything necessary to answer it on a screen that shows nothing else."""

    _form = "decision"
    asks: ClassVar[str | None] = None
    """The question."""
    options: ClassVar[Mapping[str, str]] = {}
    """The consequences of answers, by answer: a template for each that is known beforehand."""
    worded: ClassVar[Mapping[str, str]] = {}
    """Answers that free text may follow, `flaw: the rope`, each with the question for that text. Words that
    match no answer count as OTHER, if that is listed here."""
    answers: ClassVar[str] = ""
    """The sort of the remaining answers, which are ids: "person", "square". They are shown by name; those
    that an audience doesn't know of aren't open to it."""


def clause_as_json(clause: Clause, speaker: Speaker) -> dict[str, object]:
    """Return a clause in the form that it has within a statement in the journal."""
    return {"clause": clause.kind, **clause.as_json(speaker)}


def clause_as_known(clause: Clause, speaker: Speaker) -> dict[str, object]:
    """Return the part of a clause that an audience may know, in the journal's form."""
    return {"clause": clause.kind, **clause.known_to(_inner_speaker(speaker))}


def clause_of_json(value: str | Mapping[str, object]) -> Clause:
    """Return a clause from its form in the state or a journal.

    Older journals have words instead, which are read as if somebody had typed them. Raises KeyError,
    TypeError or ValueError for another form.
    """
    return Said(value) if isinstance(value, str) else NESTED.of_json(value)


def decision_as_json(decision: Decision, speaker: Speaker) -> dict[str, object]:
    """Return a decision in the form of state and journal."""
    return {"decision": decision.kind, **decision.as_json(speaker)}


def _statement_of_table(value: object, says_kind: str) -> Statement:
    """Return the statement of a table that has its kind under the key `says_kind`."""
    if not isinstance(value, Mapping) or not isinstance(kind := value[says_kind], str):
        raise TypeError(f"{value!r} is no {says_kind}")
    return statement_of(kind, value)


_BASES.update((Statement, Clause, Fact, Decision))


def statement_of(kind: str, fields: Mapping[str, object]) -> Statement:
    """Return a statement of this kind from its fields in the journal's form.

    Raises KeyError for a kind that nobody declares, and TypeError, KeyError or ValueError for fields of
    another form.
    """
    variant = fields.get("variant")
    found = class_of(f"{kind}:{variant}" if variant else kind)
    if found.has_variants:
        raise KeyError(kind)
    return found.of_json(fields)


def class_of(kind: str) -> type[Statement]:
    """Return the class of a kind, or of `kind:variant`. Raises KeyError where nobody declares it."""
    found = classes.get(kind) or next(filter(None, (find(kind) for find in find_class)), None)
    if found is None:
        raise KeyError(kind)
    return found


# Saying


def say(statement: Statement, speaker: Speaker, telling: str = "") -> str | None:
    """Return a statement in words.

    `telling` is the name of a template's attribute; without it, the first sentence that the audience may see
    is taken. "" for a statement without words, None where the audience may not see it.
    """
    names: Sequence[str] = (telling,)
    if not telling:
        for name in statement.needs:
            value = getattr(statement, name)
            if value and not statement.sorts()[name].is_known(value, statement, _inner_speaker(speaker)):
                return None
        names = ("asks",) if statement.says is None else SENTENCES
    if getattr(statement, names[0], None) is None:
        return ""
    words = _first_known_sentence(statement, speaker, names)
    return (
        _first_known_sentence(statement, _Unseen(speaker, statement), names[::-1]) if words is None else words
    )


def _first_known_sentence(statement: Statement, speaker: Speaker, names: Sequence[str]) -> str | None:
    """Return the first of these sentences that the audience may see; None where there is none."""
    for name in names:
        if (
            getattr(statement, name) is not None
            and (words := _say_variant(statement, speaker, name)) is not None
        ):
            return words
    return None


def option_words(decision: Decision, option: str, speaker: Speaker) -> str | None:
    """Return the meaning of an answer to a decision, in words.

    None where the audience may not know it, "" where the answer itself says everything.
    """
    if option in decision.options:
        return _say_variant(decision, speaker, f"options.{option}")
    if not decision.answers:
        return ""
    if not speaker.knows(decision.answers, option):
        return None
    name = speaker.name(decision.answers, option)
    return "" if name == option else name


SENTENCES = ("says", "says_without_hp", "says_unseen")
"""The attributes with sentences, in the order in which they are tried; reversed for a speaker that says
"somebody unseen"."""


def _say_variant(statement: Statement, speaker: Speaker, name: str) -> str | None:
    cls, language = type(statement), speaker.language
    tellings = cls.made().tellings
    found = tellings.get((language, name))
    if found is None:
        whole, _, option = name.partition(".")
        own = getattr(cls, whole, None)
        own = own[option] if option and own else own
        if own is None:
            return ""
        try:
            found = compile_template(language.template(cls, name, own), cls.slots(), language.literal)
        except (TemplateFault, NameError, TypeError, KeyError) as fault:  # of a template, or of an annotation
            raise PluginProblem(
                f"{cls.__name__} of {cls.__module__} can't be told: {name}: {fault}.",
                "Nothing was recorded. `strike plugin doctor` reads all templates.",
            ) from fault
        tellings[language, name] = found
    words = found(statement, speaker)
    if not words or isinstance(statement, Clause) or name.startswith("options"):
        return words
    # Somebody's name keeps its letters, as do dice, like d6, and what is nothing but words that people typed.
    if words[0].islower() and not (words[1:2].isdigit() or _keeps_first_letter(words, statement, speaker)):
        words = words[0].upper() + words[1:]
    return words.rstrip()


def _keeps_first_letter(words: str, statement: Statement, speaker: Speaker) -> bool:
    """Return whether words keep their first letter unchanged at the start of a sentence.

    They do where they are only what somebody typed, or begin with a person's name, such as "von Reet".
    """
    for typed in statement.typed():
        if words.startswith(typed) and not any(char.isalpha() for char in words[len(typed) :]):
            return True
    names = ((id, speaker.name(sort, id)) for sort, id in statement.ids() if sort == "person")
    as_written = [name for id, name in names if name not in (id, speaker.language.unseen)]
    return any(words.startswith(name) for name in as_written)


class _Unseen:
    """A speaker that says "somebody unseen" for people unknown to the audience, in the fields that allow it.

    Another person in those fields has to be known, unless there is only one.
    """

    def __init__(self, speaker: Speaker, statement: Statement) -> None:
        self.speaker = speaker
        self.language = speaker.language
        sorts = statement.sorts()
        people = {
            name: [id for sort, id in sorts[name].ids(getattr(statement, name)) if sort == "person"]
            for name in statement.unseen
            if getattr(statement, name) is not None
        }
        everybody = [id for ids in people.values() for id in ids]
        known = [id for id in everybody if speaker.knows("person", id)]
        self.allowed = set(everybody) if known or len(everybody) == 1 else set()

    def name(self, sort: str, id: str) -> str:
        """Return a name, or the words for somebody unseen."""
        if sort == "person" and not self.speaker.knows(sort, id):
            return self.language.unseen
        return self.speaker.name(sort, id)

    def knows(self, sort: str, id: str) -> bool:
        """Return whether a thing may be named, or shown as "somebody unseen"."""
        return (sort == "person" and id in self.allowed) or self.speaker.knows(sort, id)

    def may_know_numbers_of(self, person: str) -> bool:
        """Return whether the audience may know somebody's numbers: never those of an unknown person."""
        return self.speaker.knows("person", person) and self.speaker.may_know_numbers_of(person)

    def may_read(self, words: str) -> bool:
        """Return whether the speaker's audience may read these words."""
        return self.speaker.may_read(words)


def spoken(value: object, speaker: Speaker) -> object:
    """Return a value of plain data, with all clauses in it put in words."""
    if isinstance(value, Clause):
        return say(value, speaker) or ""
    if isinstance(value, (list, tuple)):
        return value if hasattr(value, "_fields") else [spoken(item, speaker) for item in value]
    return spoken_table(value, speaker) if isinstance(value, Mapping) else value


def spoken_table(table: Mapping[str, object], speaker: Speaker) -> dict[str, object]:
    """Return a table of plain data, with all clauses in it put in words."""
    return {key: item if type(item) in _WORDLESS else spoken(item, speaker) for key, item in table.items()}


_WORDLESS = frozenset({NoneType, bool, int, str})
"""Types of values that can't contain a clause, to check returned data quickly."""
