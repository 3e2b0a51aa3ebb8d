"""The three things that a rule may ask of the table, and the facts that come of it.

A rule is a generator. It yields `Roll` and is sent natural faces; it yields `Choose` and is sent the
option taken; it yields `Happen` and finds `world.state` changed when it goes on. What it returns is the
`data` of the command that played it.
"""

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..values import Value
from .facts import Change, State, apply_changes, keys_of, look_up, places_of
from .statements import Clause, Decision, Fact, Speaker, option_words, say, spoken


class Roll(Value):
    """Dice are needed: `n` dice of `sides`, thrown together. Answered by all natural faces.

    `matters` maps the faces to all that the rule will read of them (say, the highest), None meaning every
    face. The exhaustive driver plays falls that agree in it once; others ignore it. `why` says, for people
    who roll, what its purpose doesn't: "Lantern Flare at Goblin 3; the worse counts: Winded".

    A journal knows its answer by its `id`, which is given where the purpose has a name in it, else by its
    purpose; older ones may know it by the purpose, or by what is said in `formerly`.
    """

    __slots__ = ("formerly", "id", "matters", "n", "purpose", "sides", "who", "why")

    def __init__(
        self,
        n: int,
        sides: int,
        purpose: str,
        who: str,
        matters: Callable[[Sequence[int]], Hashable] | None = None,
        why: str | Clause = "",
        id: str = "",
        formerly: str = "",
    ) -> None:
        self.n = n
        self.sides = sides
        self.purpose = purpose
        self.who = who
        self.matters = matters
        self.why = why
        self.id = id
        self.formerly = formerly

    @property
    def keys(self) -> tuple[str, str]:
        """By what a journal knows its answer, and by what an older one does."""
        return self.id or self.purpose, self.formerly or self.purpose


class Choose(Value):
    """Somebody must decide. `what` is the decision's key, by which a journal knows its answer again, older
    ones by `formerly`; `options` are the words that answer it. `about` is the decision with all that is
    needed to take it, in words wherever it is shown; `text` says what is to be decided where there is no
    `about` and the key doesn't.

    `labels` says what each option means, for people, where `about` doesn't; nothing reads it. What a plan
    needs is data: `kind` says which sort of decision it is, where plans tell them apart, and `outcomes` what
    each option comes to, in the words of that kind. `data` is what the command's data are so far, for whoever
    reads them while the decision is open. `default` is the option taken where nobody can be asked; without
    one the decision waits. A `secret` one is the game master's: players aren't told that it waits."""

    __slots__ = (
        "about",
        "data",
        "default",
        "formerly",
        "kind",
        "labels",
        "options",
        "outcomes",
        "secret",
        "text",
        "what",
        "who",
    )

    def __init__(
        self,
        who: str,
        what: str,
        options: tuple[str, ...],
        labels: tuple[str | Clause, ...] = (),
        data: "Data | None" = None,
        kind: str = "",
        outcomes: tuple[str, ...] = (),
        default: str | None = None,
        secret: bool = False,
        text: str = "",
        about: Decision | None = None,
        formerly: str = "",
    ) -> None:
        self.who = who
        self.what = what
        self.options = options
        self.labels = labels
        self.data = data
        self.kind = kind
        self.outcomes = outcomes
        self.default = default
        self.secret = secret
        self.text = text
        self.about = about
        self.formerly = formerly

    @property
    def keys(self) -> tuple[str, str]:
        """By what a journal knows its answer, and by what an older one does."""
        return self.what, self.formerly or self.what

    @property
    def asks(self) -> str:
        """What is to be decided, for people; of one `in_words`."""
        return self.text or self.what

    def in_words(self, speaker: Speaker) -> "Choose":
        """The same with the question and all that its options mean in words."""
        labels = tuple(one if isinstance(one, str) else say(one, speaker) or "" for one in self.labels)
        if self.about is None:
            return self.but(labels=labels)
        if not labels:
            labels = tuple(option_words(self.about, option, speaker) or "" for option in self.options)
            labels = labels if any(labels) else ()
        return self.but(text=say(self.about, speaker) or self.text, labels=labels)


class Prose(Value):
    """A fact of which there is no class: a kind and a sentence, as a plugin may tell one. Nothing is known of
    what its words name, so players' are searched for names of the hidden."""

    __slots__ = ("details", "kind", "text", "who")

    def __init__(
        self,
        kind: str,
        who: str,
        text: str,
        details: Mapping[str, object],
    ) -> None:
        self.kind = kind
        self.who = who
        self.text = text
        self.details = details


class Happened(Value):
    """A fact, and what it changes. `signed` are people behind it who aren't in it: by whose trait it came,
    who decided for whom."""

    __slots__ = ("changes", "places", "signed", "told")

    def __init__(
        self,
        told: Fact | Prose,
        changes: tuple[Change, ...],
        places: tuple[tuple[int, str], ...] = (),
        signed: Mapping[str, str] = {},
    ) -> None:
        self.told = told
        self.changes = changes
        self.places = places
        self.signed = signed

    @property
    def kind(self) -> str:
        """What happened, as journals call it."""
        return self.told.kind

    @property
    def who(self) -> str:
        """Whom it happened to; "" for nobody."""
        return self.told.who if isinstance(self.told, Prose) else self.told.subject

    @property
    def details(self) -> Mapping[str, object]:
        """What is to be known of it besides, by name."""
        found = self.told.details if isinstance(self.told, Prose) else vars(self.told)
        return {**found, **self.signed} if self.signed else found

    def as_json(self, speaker: Speaker) -> dict[str, Any]:
        """The form kept in the journal and shown by `--json`, in the words of `speaker`."""
        if isinstance(self.told, Prose):
            text, fields = self.told.text, spoken(self.told.details, speaker)
        else:
            text, fields = say(self.told, speaker) or "", self.told.as_json(speaker)
        return {
            "kind": self.kind,
            "who": self.who,
            "text": text,
            **{key: value for key, value in fields.items() if key != "who"},
            **self._names(speaker),
            **self.signed,
            "changes": [list(change) for change in self.changes],
            **({"places": [list(place) for place in self.places]} if self.places else {}),
        }

    def signed_by(self, **people: str) -> "Happened":
        """The same with people behind it."""
        return Happened(self.told, self.changes, self.places, {**self.signed, **people})

    def _names(self, speaker: Speaker) -> dict[str, dict[str, str]]:
        """The names of those who rolled, where it has them."""
        if isinstance(self.told, Prose) or not self.told.names_rollers:
            return {}
        people = dict.fromkeys(id for sort, id in self.told.ids() if sort == "person")
        return {"names": {who: speaker.name("person", who) for who in people}}


class Happen(Value):
    """A fact for the driver to apply at once."""

    __slots__ = ("fact",)

    def __init__(
        self,
        fact: Happened,
    ) -> None:
        self.fact = fact


Question = Roll | Choose | Happen
T = TypeVar("T")
if TYPE_CHECKING:

    class Reply(Any):  # type: ignore[misc]
        """What a question is answered with: faces for a `Roll`, an option for a `Choose`, the state for a
        `Happen`. Who asks knows which it is; a generator's type can't tell them apart."""

else:
    Reply = object
Procedure = Generator[Question, Reply, T]
"""A rule that is played: a generator that yields `Roll`, `Choose` and what happens, is sent what they come to
(the faces, an option, the state), and returns what came of it."""
Driven = Generator[Question, object, T]
"""A procedure as its driver sees it, who sends it what it asked for, and None to begin with."""
Data = Mapping[str, object]
"""What a move returns, whichever it is: a move's own is a TypedDict in the `data` module of its system."""
Sets = dict[str, object]
"""What a fact sets: paths in the state, and the values to be there; None takes one away."""


def driven(procedure: Procedure[T]) -> Driven[T]:
    """A procedure for its driver."""
    return cast("Driven[T]", procedure)


class World:
    """What a procedure sees: the state as it is now, and the book of what people wrote.

    The driver replaces `state` at every Happen. `book` holds house rules and content
    (`strike_cli.content.book.Book`); rules read it and never change it.
    """

    __slots__ = ("book", "state")

    def __init__(self, book: Any, state: State | None = None) -> None:
        self.book = book
        self.state: State = {} if state is None else state

    def get(self, path: str, default: Any = None) -> Any:
        """The value at a dotted path, or `default` where nothing is."""
        return look_up(self.state, path, default)

    def tell(self, fact: Fact | Prose, sets: Mapping[str, object] | None = None) -> Happen:
        """A fact that sets the given paths. A path whose value stays the same is no change."""
        changes: list[Change] = []
        places: tuple[tuple[int, str], ...] = ()
        state, left = self.state, len(sets or ())
        for path, after in (sets or {}).items():
            change = _change(state, path, after)
            left -= 1
            if change is not None:
                changes.append(change)
                state = apply_changes(state, [change]) if left else state
        if any(after is None for _, _, after in changes):
            places = tuple(places_of(self.state, changes))
        return Happen(Happened(fact, tuple(changes), places))

    def happen(
        self, kind: str, who: str, text: str, sets: Mapping[str, object] | None = None, **details: object
    ) -> Happen:
        """A plain sentence, for a handler whose plugin brings no system, and so no classes; `tell` is for all
        else."""
        return self.tell(Prose(kind, who, text, details), sets)


def _change(state: State, path: str, after: object) -> Change | None:
    """The change that sets `path`. Where the tables that hold it are missing too, the change is about
    the uppermost missing one, so that taking it back leaves nothing behind."""
    at: object = state
    keys = keys_of(path)
    for depth, key in enumerate(keys):
        below = at.get(key) if isinstance(at, dict) else None
        if below is None:
            if after is None:
                return None
            for missing in reversed(keys[depth + 1 :]):
                after = {missing: after}
            return ".".join(keys[: depth + 1]), None, after
        at = below
    return None if at == after and type(at) is type(after) else (path, at, after)
