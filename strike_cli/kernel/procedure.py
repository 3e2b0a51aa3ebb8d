"""The three things that a rule may ask of the table, and the facts that come of it.

A rule is a generator. It yields `Roll` and is sent natural faces; it yields `Choose` and is sent the
option taken; it yields `Happen` and finds `world.state` changed when it goes on. What it returns is the
`data` of the command that played it.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from .facts import Change, State, apply_changes, keys_of, look_up, places_of


class Roll(NamedTuple):
    """Dice are needed: `n` dice of `sides`, thrown together. Answered by all natural faces.

    `matters` maps the faces to all that the rule will read of them (say, the highest), None meaning every
    face. The exhaustive driver plays falls that agree in it once; others ignore it. `why` says, for people
    who roll, what its purpose doesn't: "Lantern Flare at Goblin 3; the worse counts: Winded".
    """

    n: int
    sides: int
    purpose: str
    who: str
    matters: Callable[[Sequence[int]], Hashable] | None = None
    why: str = ""


class Choose(NamedTuple):
    """Somebody must decide. `what` is the decision's key, by which a journal knows its answer again, and
    `options` are the words that answer it. `text` says for people what is to be decided, where the key
    doesn't; nothing reads it, and it may be worded anew.

    `labels` says what each option means, for people; nothing reads it. What a plan needs is data: `kind` says
    which sort of decision it is, where plans tell them apart, and `outcomes` what each option comes to, in
    the words of that kind. `data` is what the command's data are so far, for whoever reads them while the
    decision is open. `default` is the option taken where nobody can be asked; without one the decision waits.
    A `secret` one is the game master's: players aren't told that it waits.
    """

    who: str
    what: str
    options: tuple[str, ...]
    labels: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
    kind: str = ""
    outcomes: tuple[str, ...] = ()
    default: str | None = None
    secret: bool = False
    text: str = ""

    @property
    def asks(self) -> str:
        """What is to be decided, for people."""
        return self.text or self.what


class Fact(NamedTuple):
    """Something that is now true: past tense, absolute changes, a sentence about it."""

    kind: str
    who: str
    text: str
    changes: tuple[Change, ...]
    details: Mapping[str, Any]
    places: tuple[tuple[int, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The form kept in the journal and shown by `--json`."""
        return {
            "kind": self.kind,
            "who": self.who,
            "text": self.text,
            **self.details,
            "changes": [list(change) for change in self.changes],
            **({"places": [list(place) for place in self.places]} if self.places else {}),
        }


class Happen(NamedTuple):
    """A fact for the driver to apply at once."""

    fact: Fact


Question = Roll | Choose | Happen
T = TypeVar("T")
Procedure = Generator[Question, Any, T]


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

    def happen(
        self, kind: str, who: str, text: str, sets: Mapping[str, Any] | None = None, **details: Any
    ) -> Happen:
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
        return Happen(Fact(kind, who, text, tuple(changes), details, places))


def _change(state: State, path: str, after: Any) -> Change | None:
    """The change that sets `path`. Where the tables that hold it are missing too, the change is about
    the uppermost missing one, so that taking it back leaves nothing behind."""
    at: Any = state
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
