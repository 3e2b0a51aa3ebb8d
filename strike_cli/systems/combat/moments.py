"""Moments that somebody's statuses may react to, and the facts that they are of."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Happen, Happened, Procedure, Prose, World
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.dice import Rolled
from strike_cli.tabletop.vocabularies import MomentKind

from .steps import ANSWERS

PASSING = {"zone-entered": "enters", "zone-left": "leaves", "zone-ending": "zone-ends"}
"""Facts about somebody and a zone, and the moments that they are."""


class Impending:
    """What is about to come, before it is a fact (steps.ANSWERS): what answers it may change it. `what` says
    it in words; `amount` are HP of damage, or squares; `rolled`, `die` and `result` are the die on the table,
    which `roll` rolls again. What came of it: `prevented`, or `redirected` to somebody, and the `reasons`."""

    def __init__(
        self,
        kind: str,
        doer: str,
        befallen: str,
        what: str,
        amount: int = 0,
        read: Callable[[Rolled], tuple[int, str]] | None = None,
        roll: Callable[[], Procedure[Rolled]] | None = None,
    ) -> None:
        self.kind = kind
        self.doer = doer
        self.befallen = befallen
        self.what = what
        self.amount = amount
        self.amounts = bool(amount)
        self.read = read
        self.roll = roll
        self.rolled: Rolled | None = None
        self.die = 0
        self.result = ""
        self.answered = False
        self.prevented = False
        self.redirected = ""
        self.reasons: list[str] = []

    def lie(self, rolled: Rolled) -> None:
        """The die lies on the table so, and comes to what it comes to."""
        assert self.read is not None
        self.rolled = rolled
        self.die, self.result = self.read(rolled)

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is left to answer."""
        return self.prevented or bool(self.redirected) or (self.amounts and not self.amount)


class Before(Happen):
    """A moment before a fact. The engine alone sees it, and plays what answers it; it is never told."""

    coming: Impending


def before(world: World, coming: Impending) -> Procedure[Impending]:
    """What is about to come, as all that answers it leaves it."""
    if coming.kind in answered_in(world.book):
        question = Before(Happened(Prose("", coming.doer, "", {}), ()))
        question.coming = coming
        yield question
    return coming


_known: deque[tuple[Any, Any, Any, frozenset[str]]] = deque(maxlen=4)


def answered_in(book: Any) -> frozenset[str]:
    """The moments that anything in the book answers: for others nobody has to be asked."""
    for powers, statuses, creatures, found in _known:
        if powers is book.powers and statuses is book.statuses and creatures is book.creatures:
            return found
    answers = {power["on"] for power in book.powers.values() if "on" in power}
    definitions = [*book.statuses.values(), *book.conditions.values()]
    for creature in book.creatures.values():
        definitions += [trait for trait in creature.get("traits", ()) if not isinstance(trait, str)]
    changing = {kind for kind, answer in ANSWERS.items() if answer.steps}
    reacting = changing & {does["on"] for one in definitions for does in one["reactions"]}
    found = frozenset(answers | reacting)
    _known.appendleft((book.powers, book.statuses, book.creatures, found))
    return found


class Moment(NamedTuple):
    """Something that somebody's statuses may react to. `other` is who stands on the other side of it,
    `targets` are those of an attack, `act` is what the holder does; `coming` is what isn't a fact yet."""

    kind: str
    holder: str
    other: str = ""
    targets: tuple[str, ...] = ()
    act: str = "being"
    coming: Impending | None = None

    def doing(self, status: str) -> str:
        """What its holder does, in words: `shifting while Marked`."""
        if self.kind == "gaining":
            return f"becoming {status}"
        return f"{self.act} while {status}"


def moments_of(book: Any, fact: Happened) -> Iterator[Moment]:
    """What a fact means to those it is about."""
    own = _MOMENTS.get(fact.kind, _moved)(fact)
    return chain(own, _of_plugins(book, fact))


def _of_plugins(book: Any, fact: Happened) -> Iterator[Moment]:
    for word in book.moments:
        kind: MomentKind = brought_word(book, "moments", word)
        if kind.fact == fact.kind:
            yield from (Moment(word, holder, other, act=kind.act) for holder, other in kind.of(fact))


def _damaged(fact: Happened) -> Iterator[Moment]:
    if fact.details.get("amount"):
        yield Moment("damaged", fact.who, str(fact.details.get("by", "")))


def _action(fact: Happened) -> Iterator[Moment]:
    if fact.details.get("action") == "shift":
        yield Moment("shifts", fact.who, act="shifting")


def _shifting(fact: Happened) -> Iterator[Moment]:
    yield Moment("shifts", fact.who, act="shifting")


def _attacking(fact: Happened) -> Iterator[Moment]:
    yield Moment("attacks", fact.who, targets=tuple(fact.details["targets"]), act="attacking")


def _attacked(fact: Happened) -> Iterator[Moment]:
    target, missed = fact.details["target"], fact.details["result"] == "miss"
    yield Moment("missed" if missed else "hit", target, fact.who)
    if not fact.details.get("turned"):  # STR-TAC-10: Miss Tokens bring no more than the hit
        yield Moment("misses" if missed else "hits", fact.who, target)
    yield Moment("attacked", target, fact.who)


def _moved(fact: Happened) -> Iterator[Moment]:
    """Whoever stands elsewhere, by whatever means."""
    for path, _, after in fact.changes:
        if not path.endswith(".at"):
            continue
        keys = path.split(".")
        if keys[:2] == ["fight", "combatants"] and keys[3:] == ["at"] and after is not None:
            yield Moment("moved", keys[2])


_MOMENTS: Mapping[str, Callable[[Happened], Iterator[Moment]]] = {
    "damaged": _damaged,
    "action-taken": _action,
    "shifting": _shifting,
    "attacking": _attacking,
    "attacked": _attacked,
}
