"""The three requests that a rule can make, and the facts that result.

A rule is a generator. It yields a `Roll` and is sent the natural faces. It yields a `Choose` and is sent the
chosen option. It yields a `Happen`, and afterwards `world.state` has changed. It returns the `data` of the
command. Its parameters are the world and its typed arguments (`Args`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from ..immutable_records import Value
from ..problems import CampaignProblem
from .state_changes import (
    MADE_UP,
    Change,
    Found,
    State,
    apply_changes,
    look_up,
    places_to_restore,
    split_path,
)
from .statements import (
    OWN_KEYS,
    Clause,
    Decision,
    Fact,
    Speaker,
    option_effect_words,
    say,
    table_with_clauses_in_words,
)


class Roll(Value):
    """A request for `n` dice with `sides` sides, which are rolled together.

    The answer has all natural faces.

    Attributes:
        purpose: What the dice are for.
        who: The roller.
        matters: Returns the part of the faces that the rule reads, such as the highest face. If it is None,
            the rule reads every face. The exhaustive driver uses it: of several rolls with the same part, it
            plays only one.
        why: An addition to the purpose, which the roller reads: "Lantern Flare at Goblin 3; the worse counts:
            Winded".
        id: The key under which a journal has the answer. If it is "", the purpose is this key.
        formerly: A key under which an older journal may have the answer. If it is "", the purpose is this
            key.
    """

    n: int
    sides: int
    purpose: str
    who: str
    matters: Callable[[Sequence[int]], Hashable] | None = None
    why: str | Clause = ""
    id: str = ""
    formerly: str = ""

    @property
    def keys(self) -> tuple[str, str]:
        """The keys that the answer may have in a journal: the present key and that of older journals."""
        return self.id or self.purpose, self.formerly or self.purpose


class Choose(Value):
    """A decision that a player or the game master has to make.

    Attributes:
        who: The person whom the decision is about. Usually this person also decides.
        what: The key of the answer in a journal.
        options: The possible answers.
        labels: The meaning of each option, for people, if `about` doesn't give it.
        data: The command's data so far, for programs, while the decision is open.
        kind: The sort of decision, for programs.
        outcomes: The result of each option, for programs, in words of this `kind`.
        default: The answer if nobody can be asked. Without a default, the decision waits.
        secret: Whether the decision is the game master's secret. Players aren't told that it waits.
        text: The decision in words. It is used without `about`, if the key isn't clear enough.
        about: The decision as a statement, with everything that the decider needs to know. It is put into
            words wherever it is shown.
        formerly: The key of the answer in older journals, if it was another.
        asker: The name of the person who decides, of the game master, or of the table. It is set only in a
            copy made by `in_words`.
        decides: "gm" if the game master decides in place of `who`. "payer" for a Cost that `who` chooses and
            pays (STR-CORE-09). Otherwise "".
    """

    who: str
    what: str
    options: tuple[str, ...]
    labels: tuple[str | Clause, ...] = ()
    data: Data | None = None
    kind: str = ""
    outcomes: tuple[str, ...] = ()
    default: str | None = None
    secret: bool = False
    text: str = ""
    about: Decision | None = None
    formerly: str = ""
    asker: str = ""
    decides: str = ""

    @property
    def keys(self) -> tuple[str, str]:
        """The key under which a journal has the answer, and the key under which an older one may have it."""
        return self.what, self.formerly or self.what

    @property
    def asks(self) -> str:
        """The question in words, in a copy made by `in_words`."""
        return self.text or self.what

    def in_words(self, speaker: Speaker) -> Choose:
        """Return a copy with the question, and the meaning of its options, in words for an audience."""
        labels = tuple(one if isinstance(one, str) else say(one, speaker) or "" for one in self.labels)
        person = "the game master" if self.decides == "gm" else self.who
        asker = speaker.name("person", person) if person else "the table"
        if self.about is None:
            return self.but(labels=labels, asker=asker)
        if not labels:
            labels = tuple(option_effect_words(self.about, option, speaker) or "" for option in self.options)
            labels = labels if any(labels) else ()
        return self.but(text=say(self.about, speaker) or self.text, labels=labels, asker=asker)


class Prose(Value):
    """A fact that is only a kind and a sentence, as plugins may report it.

    It has no class of its own. Its sentence has no typed fields that could show who is hidden. So the
    sentence is searched for the names of hidden creatures before players see it.
    """

    kind: str
    who: str
    text: str
    details: Mapping[str, object]


class Happened(Value):
    """A fact (`told`), together with its changes of the state.

    `signed` names people who stand behind the fact and whom the fact's own fields don't name. An example is a
    person who decided for another.

    `before` is the state before the fact, which is needed to find the places of removed keys. If there is no
    `before`, `known_places` gives these places.
    """

    told: Fact | Prose
    changes: tuple[Change, ...]
    known_places: tuple[tuple[int, str], ...] = ()
    signed: Mapping[str, str] = {}
    before: State | None = None

    @property
    def places(self) -> Sequence[tuple[int, str]]:
        """The places to which undo puts back the keys that this fact removes or moves in the state.

        A place is a pair: the number of the change, and the key before which undo puts the key back. Only a
        journal needs the places.
        """
        return self.known_places if self.before is None else places_to_restore(self.before, self.changes)

    @property
    def kind(self) -> str:
        """The kind of the fact, as the journal has it."""
        return self.told.kind

    @property
    def who(self) -> str:
        """The id of the person that the fact is about; "" for nobody."""
        return self.told.who if isinstance(self.told, Prose) else self.told.subject

    @property
    def details(self) -> Mapping[str, object]:
        """The fields of the fact, by name, and the people behind it."""
        found = self.told.details if isinstance(self.told, Prose) else vars(self.told)
        return {**found, **self.signed} if self.signed else found

    def as_json(self, speaker: Speaker) -> StoredFact:
        """Return the fact for the journal and `--json`, with its text in the words of `speaker`."""
        places = self.places
        if isinstance(self.told, Prose):
            text, fields = self.told.text, table_with_clauses_in_words(self.told.details, speaker)
        else:
            text, fields = say(self.told, speaker) or "", self.told.as_json(speaker)
        return {
            "kind": self.kind,
            "who": self.who,
            "text": text,
            **{key: value for key, value in fields.items() if key != "who"},  # type: ignore[typeddict-item]  # its own
            **self._names_entry_if_declared(speaker),
            **self.signed,
            "changes": [list(change) for change in self.changes],
            **({"places": [list(place) for place in places]} if places else {}),
        }

    def attributed_to(self, **people: str) -> Happened:
        """Return a copy that names further people behind the fact, such as a trait's owner."""
        return self.but(signed={**self.signed, **people})

    def _names_entry_if_declared(self, speaker: Speaker) -> dict[str, dict[str, str]]:
        if isinstance(self.told, Prose) or not self.told.names_rollers:
            return {}
        people = dict.fromkeys(id for sort, id in self.told.ids() if sort == "person")
        return {"names": {person: speaker.name("person", person) for person in people}}


class Happen(Value):
    """A request to the driver: apply a fact at once."""

    fact: Happened


Question = Roll | Choose | Happen
T = TypeVar("T")
if TYPE_CHECKING:
    from .journal_types import StoredFact
    from .statements import Language

    Table = Mapping[str, Any]  # type: ignore[explicit-any]  # only a system knows what its things are
    """Things by id. A system declares the tables that it reads of a book in a Protocol: `ContentOfFights`."""

    class Reply(Any):  # type: ignore[misc, explicit-any]
        """The answer to what a procedure yields.

        A `Roll` is answered with faces, a `Choose` with an option, and a `Happen` with the state after its
        fact. A generator's type can't express this, so the type is Any.
        """

else:
    Reply = object
Procedure = Generator[Question, Reply, T]
"""The generator that a rule is. It yields `Roll`, `Choose` and `Happen`, and gets their answers.

It returns its result, which for a move is the data of the command.
"""
Driven = Generator[Question, object, T]
"""A procedure as its driver sees it: it is sent answers, and None at the start."""
Data = Mapping[str, object]
"""What a move returns. Each declares a TypedDict for it, in the `data` module of its system."""
Sets = dict[str, object]
"""The changes that a fact makes: paths in the state, with their new values; None removes one."""


def as_driven(procedure: Procedure[T]) -> Driven[T]:
    """Return a procedure unchanged, with the type that its driver needs."""
    return procedure  # type: ignore[return-value]  # a cast is a call more, at every step of a rule


CONFIRM = "go or stay"
"""The key of the question whether somebody does what has a cost."""


class Rulebook:
    """A campaign's content as rules read it; `content.merged_content.Book` reads it from files.

    Besides the attributes below, there is one for each kind of content that a system declares. For example,
    `statuses` has the table of statuses.
    """

    name: str
    house: Table
    characters: Table
    creatures: Table
    where: Mapping[str, str]
    """The file of each item, by kind and id: `creatures.goblin`."""

    if TYPE_CHECKING:

        def __getattr__(self, kind: str) -> Table:
            """Return the table of the items of a kind. Raises AttributeError for an unknown kind."""

        def with_made_up(self, state: State) -> Rulebook:
            """Return the book with the content in `state` that the game master made up in play."""

        def is_made_up(self, kind: str, id: str) -> bool:
            """Return whether the game master made up this item in play, so that no file has it."""

        def locale(self) -> Language:
            """Return the campaign's language. Raises PluginProblem where no plugin has it."""

        def table(self, kind: str) -> Table:
            """Return the items of a kind, by full id. Raises KeyError for an unknown kind."""

        def ids_matching(self, kind: str, name: str) -> list[str]:
            """Return the full ids of the items of a kind that a name may mean; [] if none fits."""

        def find(self, kind: str, name: str) -> str:
            """Return the full id of an item, by its id or display name. Raises Usage unless one item fits."""


class World:
    """The current state and the book, as a procedure sees them.

    The driver replaces `state` at every Happen. `book` has house rules and content; rules read it
    and never change it: `world.book.characters["ana"]`, `world.book.house["bloodied"]`,
    `world.book.find("statuses", "prone")`.
    """

    __slots__ = ("book", "confirms", "state")

    def __init__(self, book: Rulebook | None, state: State | None = None, *, confirms: bool = False) -> None:
        """Make a world of a book and a state; the state is empty by default.

        With `confirms`, the acting person is asked before an action that has a cost (`CONFIRM`).
        """
        self.confirms = confirms
        self.state: State = {} if state is None else state
        if book is not None and MADE_UP in self.state:
            book = book.with_made_up(self.state)
        self.book: Rulebook = book  # type: ignore[assignment] # None is for moves that need no campaign alone

    @overload
    def get(self, path: str) -> object: ...
    @overload
    def get(self, path: str, default: Found) -> Found: ...
    def get(self, path: str, default: object = None) -> object:
        """Return the value at a dotted path of the state, or `default` if there is none.

        The result has the default's type: `world.get("duel.round", 0)` is an int, and
        `world.get("duel.people", {})` has the type of the variable to which it is assigned. Nothing checks
        that. Without a default it is an object.
        """
        return look_up(self.state, path, default)

    def tell(self, fact: Fact | Prose, sets: Mapping[str, object] | None = None) -> Happen:
        """Return the request to report a fact and to set the paths in `sets` to their values.

        Setting a path to an equal value is no change.
        """
        changes: list[Change] = []
        state, left = self.state, len(sets or ())
        for path, after in (sets or {}).items():
            change = _change_to(state, path, after)
            left -= 1
            if change is not None:
                changes.append(change)
                state = apply_changes(state, [change]) if left else state
        return Happen(Happened(fact, tuple(changes), before=self.state))

    def happen(
        self, kind: str, who: str, text: str, sets: Mapping[str, object] | None = None, **details: object
    ) -> Happen:
        """Return the request to report a fact that is one plain sentence.

        It is for the handler of a plugin that has no system, and so no fact classes; use `tell` everywhere
        else. Raises TypeError for a detail whose name is a key of every fact.
        """
        if not OWN_KEYS.isdisjoint(details):
            raise TypeError(f"a fact {kind!r} has {', '.join(OWN_KEYS & details.keys())} already")
        return self.tell(Prose(kind, who, text, details), sets)


def _change_to(state: State, path: str, after: object) -> Change | None:
    """Return the change that sets `path` to `after`; None if nothing changes.

    If tables above the path are missing, the change sets the topmost missing table, so that undo leaves no
    empty table behind.
    """
    at: object = state
    keys = split_path(path)
    for depth, key in enumerate(keys):
        below = at.get(key) if type(at) is dict else None
        if below is None:
            if after is None:
                return None
            for missing in reversed(keys[depth + 1 :]):
                after = {missing: after}
            return ".".join(keys[: depth + 1]), None, after
        at = below
    return None if at == after and type(at) is type(after) else (path, at, after)


Plain = dict[str, object]
"""Arguments as the journal has them: text, numbers, flags, lists and tables."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Args(Value):
    """The typed arguments of a move: annotated fields. A field without a default has to be given.

    If Python reserves a name, the field ends in an underscore (`for_`), which the journal leaves out.
    """

    RETIRED: ClassVar[tuple[str, ...]] = ()
    """Keys of older journals that no longer mean anything."""
    made_up: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """What the game master makes up along with the move (`MADE_UP`)."""

    def __init__(self, **given: object) -> None:
        unknown = given.keys() - {*self.FIELDS, MADE_UP}
        missing = [name for name in self.REQUIRED if name not in given]
        if unknown or missing:
            wrong = f"has no {', '.join(unknown)}" if unknown else f"needs {', '.join(missing)}"
            raise TypeError(f"{type(self).__name__} {wrong}")
        vars(self).update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is never changed: `but` makes a changed copy")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Args) and type(self) is type(other) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash(repr(self.as_json()))

    def but(self, **changed: object) -> Self:
        """Return a copy in which some fields are changed."""
        return type(self)(**{**vars(self), **changed})

    def people(self) -> Iterable[str]:
        """Return the people whose sheets a move with these arguments reads or changes."""
        person = getattr(self, "who", "")
        return [person] if person else []

    def rests_on(self) -> Iterable[str]:
        """Return the names of parts of the state, besides sheets and scenes, on which the move depends.

        For example, a roll may depend on the Favors that are owed to somebody. By default, there are no such
        parts. `System.touches` uses the same names.
        """
        return ()

    # The journal

    def as_json(self) -> Plain:
        """Return the arguments for the journal, without those that have their default value."""
        given = vars(self)
        return {
            name.rstrip("_"): said
            for name in (*self.FIELDS, MADE_UP)
            if (value := given.get(name)) is not None
            and value is not (usual := getattr(type(self), name, ...))
            and (said := argument_as_json(value)) != argument_as_json(usual)
        }

    def in_full(self) -> Plain:
        """Return all arguments that have a value, defaults too, in the form of the journal."""
        return {
            name.rstrip("_"): argument_as_json(value)
            for name in self.FIELDS
            if (value := getattr(self, name)) is not None
        }

    @classmethod
    def read(cls, raw: Mapping[str, object]) -> Self:
        """Return the arguments from their form in the journal.

        Raises CampaignProblem if they can't be read.
        """
        kinds = cls._field_types()
        given = {}
        for key, value in raw.items():
            name = key if key in kinds else f"{key}_"
            if name in kinds:
                if value is not None:
                    given[name] = _read_argument(kinds[name], value, f"{cls.__name__}.{key}")
            elif key == MADE_UP:
                given[key] = _require_table(value, f"{cls.__name__}.{key}")
            elif key not in cls.RETIRED:
                raise _unreadable_args_problem(f"{key!r} is no attribute of {cls.__name__}")
        if missing := [name for name in cls.REQUIRED if name not in given]:
            raise _unreadable_args_problem(f"{cls.__name__} lacks {', '.join(missing)}")
        return cls(**given)

    @classmethod
    def _field_types(cls) -> dict[str, object]:
        hints = _cached_type_hints(cls)
        return {name: hints[name] for name in cls.FIELDS}


class PersonArgs(Args):
    """The arguments of a move that takes only a person."""

    who: str


_hints: dict[type, dict[str, object]] = {}


def _cached_type_hints(kind: type) -> dict[str, object]:
    if kind not in _hints:
        _hints[kind] = get_type_hints(kind)
    return _hints[kind]


def args_as_json(given: Args | Mapping[str, object]) -> Plain:
    """Return arguments in the form of the journal."""
    return (
        given.as_json()
        if isinstance(given, Args)
        else {key: argument_as_json(item) for key, item in given.items()}
    )


def argument_as_json(value: object) -> object:
    """Return an argument of a move as it is stored in the journal."""
    if value is None or isinstance(value, (str, int)):  # a tuple: `str | int` would be created at each call
        return value
    if isinstance(value, (list, tuple)):
        items = [argument_as_json(item) for item in value]
        for default in reversed(list(getattr(value, "_field_defaults", {}).values())):
            if items[-1] != default:
                break
            items.pop()
        return items
    return args_as_json(value) if isinstance(value, (Args, Mapping)) else value


def _read_argument(kind: object, value: object, where: str) -> object:
    """Return a value of type `kind` from its form in the journal; errors name it as `where`."""
    if kind is Any or kind is object or type(value) is kind:
        return value
    origin = get_origin(kind)
    if origin is Literal:
        if value not in get_args(kind):
            raise _wrong_value_problem(value, where)
        return value
    if origin in (Union, UnionType):
        inner = [one for one in get_args(kind) if one is not type(None)]
        return _read_first_fitting(inner, value, where)
    if origin is not None and issubclass(origin, Mapping):
        of_each = get_args(kind)[1]
        return {
            key: _read_argument(of_each, item, f"{where}.{key}")
            for key, item in _require_table(value, where).items()
        }
    if origin is not None and issubclass(origin, Sequence):
        of_each = get_args(kind)[0]
        return [
            _read_argument(of_each, item, f"{where}[{n}]")
            for n, item in enumerate(_require_list(value, where), 1)
        ]
    assert isinstance(kind, type), f"{where} can't be kept in a journal: {kind}"
    if issubclass(kind, Args):
        return kind.read(_require_table(value, where))
    if issubclass(kind, tuple) and hasattr(kind, "_make"):
        return _read_named_tuple_filling_defaults(
            cast("type[NamedTuple]", kind), _require_list(value, where), where
        )
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise _wrong_value_problem(value, where)
    return value


def _require_table(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _wrong_value_problem(value, where)
    return value


def _require_list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise _wrong_value_problem(value, where)
    return value


def _read_named_tuple_filling_defaults(kind: type[NamedTuple], value: Sequence[object], where: str) -> object:
    """Return a named tuple from a list; values with defaults may be missing at its end."""
    kinds, defaults = _cached_type_hints(kind), [*kind._field_defaults.values()]
    left_out = len(kinds) - len(value)
    if not 0 <= left_out <= len(defaults):
        raise _wrong_value_problem(value, where)
    given = (_read_argument(each, item, where) for each, item in zip(kinds.values(), value, strict=False))
    return kind._make((*given, *defaults[len(defaults) - left_out :]))


def _read_first_fitting(kinds: Sequence[object], value: object, where: str) -> object:
    for kind in kinds[:-1]:
        try:
            return _read_argument(kind, value, where)
        except CampaignProblem:
            continue
    return _read_argument(kinds[-1], value, where)


def _wrong_value_problem(value: object, where: str) -> CampaignProblem:
    return _unreadable_args_problem(f"{where} can't be {value!r}")


def _unreadable_args_problem(reason: str) -> CampaignProblem:
    return CampaignProblem(
        f"The arguments of a command can't be read: {reason}.",
        "A newer strike recorded it, or somebody changed the file; `strike doctor` checks the campaign.",
    )
