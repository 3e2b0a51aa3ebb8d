"""Moments that somebody's statuses may react to, and the facts that they are of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Fact
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.vocabularies import MomentKind


class Moment(NamedTuple):
    """Something that somebody's statuses may react to. `other` is who stands on the other side of it,
    `targets` are those of an attack, `act` is what the holder does."""

    kind: str
    holder: str
    other: str = ""
    targets: tuple[str, ...] = ()
    act: str = "being"

    def doing(self, status: str) -> str:
        """What its holder does, in words: `shifting while Marked`."""
        if self.kind == "gaining":
            return f"becoming {status}"
        return f"{self.act} while {status}"


def moments_of(book: Any, fact: Fact) -> Iterator[Moment]:
    """What a fact means to those it is about."""
    own = _MOMENTS.get(fact.kind, _moved)(fact)
    return chain(own, _of_plugins(book, fact)) if book.moments else own


def _of_plugins(book: Any, fact: Fact) -> Iterator[Moment]:
    for word in book.moments:
        kind: MomentKind = brought_word(book, "moments", word)
        if kind.fact == fact.kind:
            yield from (Moment(word, holder, other, act=kind.act) for holder, other in kind.of(fact))


def _damaged(fact: Fact) -> Iterator[Moment]:
    if fact.details.get("amount"):
        yield Moment("damaged", fact.who, str(fact.details.get("by", "")))


def _action(fact: Fact) -> Iterator[Moment]:
    if fact.details.get("action") == "shift":
        yield Moment("shifts", fact.who, act="shifting")


def _shifting(fact: Fact) -> Iterator[Moment]:
    yield Moment("shifts", fact.who, act="shifting")


def _attacking(fact: Fact) -> Iterator[Moment]:
    yield Moment("attacks", fact.who, targets=tuple(fact.details["targets"]), act="attacking")


def _attacked(fact: Fact) -> Iterator[Moment]:
    target, missed = fact.details["target"], fact.details["result"] == "miss"
    yield Moment("missed" if missed else "hit", target, fact.who)
    if not fact.details.get("turned"):  # STR-TAC-10: Miss Tokens bring no more than the hit
        yield Moment("misses" if missed else "hits", fact.who, target)
    yield Moment("attacked", target, fact.who)


def _moved(fact: Fact) -> Iterator[Moment]:
    """Whoever stands elsewhere, by whatever means."""
    for path, _, after in fact.changes:
        keys = path.split(".")
        if keys[:2] == ["fight", "combatants"] and keys[3:] == ["at"] and after is not None:
            yield Moment("moved", keys[2])


_MOMENTS: Mapping[str, Callable[[Fact], Iterator[Moment]]] = {
    "damaged": _damaged,
    "action-taken": _action,
    "shifting": _shifting,
    "attacking": _attacking,
    "attacked": _attacked,
}
