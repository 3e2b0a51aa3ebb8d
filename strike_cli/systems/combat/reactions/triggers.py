"""Moments that a creature's statuses may react to, and the facts behind them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import by_identity, keys_of
from strike_cli.kernel.procedure import Happen, Happened, Procedure, Prose, World
from strike_cli.kernel.statements import Fact, Reason
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.contributions import reactions_to
from strike_cli.tabletop.dice import Rolled
from strike_cli.tabletop.vocabularies import MomentKind
from strike_cli.user_cache import words_in
from strike_cli.values import Value

from ..facts.attacks import Attacked, Attacking
from ..facts.harm import Damaged
from ..facts.movement import Shifting
from ..facts.turns import ActionTaken, DoingWhile
from ..fight import Fight, combatants_in
from ..steps import ANSWERS

if TYPE_CHECKING:
    from ..data import ContentOfFights

PASSING = {"zone-entered": "enters", "zone-left": "leaves", "zone-ending": "zone-ends"}
"""Facts about a creature and a zone, with the moment of each."""


class Impending:
    """An event that is about to happen, before it is a fact (steps.ANSWERS): reactions may change it.

    `what` is its description; `amount` are HP of damage, or squares; `rolled`, `die` and `result` are the
    current die, which `roll` rolls again. Reactions set `prevented`, `redirected` (to a creature) and
    `reasons`.
    """

    def __init__(
        self,
        kind: str,
        doer: str,
        befallen: str,
        what: Reason,
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
        self.reasons: list[Reason] = []

    def lie(self, rolled: Rolled) -> None:
        """Set the current die, with its face and result."""
        assert self.read is not None
        self.rolled = rolled
        self.die, self.result = self.read(rolled)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to react to."""
        return self.prevented or bool(self.redirected) or (self.amounts and not self.amount)


class Before(Happen):
    """A moment before a fact. Only the engine sees it, and plays the reactions; it is never reported."""

    __slots__ = ("coming",)

    def __init__(self, coming: Impending) -> None:
        super().__init__(Happened(Prose("", coming.doer, "", {}), ()))
        self.coming = coming


def play_answers_before(world: World, coming: Impending) -> Procedure[Impending]:
    """Return a coming event as it is after all reactions."""
    if is_answered(world, coming.kind, coming.befallen or coming.doer):
        yield Before(coming)
    return coming


_known: deque[tuple[object, object, object, frozenset[str]]] = deque(maxlen=4)


def answered_moments(book: ContentOfFights) -> frozenset[str]:
    """Return the moments to which anything in the book may react; other moments need no check."""
    for powers, statuses, creatures, found in tuple(_known):
        if powers is book.powers and statuses is book.statuses and creatures is book.creatures:
            return found
    changing = (kind for kind, answer in ANSWERS.items() if answer.steps)
    reacting = [words_in(table, "on") for table in (book.statuses, book.conditions, book.creatures)]
    found = frozenset(words_in(book.powers, "on")).union(
        {*chain.from_iterable(reacting)}.intersection(changing)
    )
    _known.appendleft((book.powers, book.statuses, book.creatures, found))
    return found


def is_answered(world: World, kind: str, holder: str) -> bool:
    """Return whether anything in the fight may react to a moment that `holder` causes or is affected by.

    Most often nothing may, and the moment need not be played.
    """
    if kind not in answered_moments(world.book):
        return False
    if ANSWERS[kind].steps and reactions_to(world, holder, kind):
        return True
    people = combatants_in(world.state)
    refs = tuple([one["ref"] for one in people.values()])
    known = _answered_among(world.book.powers, world.book.characters, world.book.creatures)
    found = known.get(refs)
    if found is None:
        found = known[refs] = frozenset(
            chain.from_iterable(answers_of(Fight(world), combatant) for combatant in people)
        )
    return kind in found


def answers_of(fight: Fight, combatant: str) -> Mapping[str, Sequence[str]]:
    """Return the powers of a combatant that are reactions, by the moment that triggers them."""
    book, ref = fight.world.book, fight.combatant(combatant)["ref"]
    known = _answered_by(book.powers, book.characters, book.creatures)
    if ref not in known:
        known[ref] = {}
        for key in fight.sheet(combatant).get("powers", ()):
            if on := book.powers[key].get("on"):
                known[ref].setdefault(on, []).append(key)
    return known[ref]


def _no_powers_on_sheets(
    powers: object, characters: object, creatures: object
) -> dict[str, dict[str, list[str]]]:
    return {}


_answered_by = by_identity(_no_powers_on_sheets)
"""The reaction powers of a sheet by their triggers, cached by the sheet's id."""


def _no_moments(
    powers: object, characters: object, creatures: object
) -> dict[tuple[str, ...], frozenset[str]]:
    return {}


_answered_among = by_identity(_no_moments)
"""The moments to which some creatures together may react, cached by the ids of their sheets."""


class Moment(Value):
    """A moment that a creature's statuses may react to.

    `other` is the other creature involved, `targets` are an attack's targets, `act` is the holder's act;
    `coming` is an event that isn't a fact yet, `amount` the HP of a fact of damage.
    """

    __slots__ = ("act", "amount", "coming", "holder", "kind", "other", "targets")

    def __init__(
        self,
        kind: str,
        holder: str,
        other: str = "",
        targets: tuple[str, ...] = (),
        act: str = "being",
        coming: Impending | None = None,
        amount: int = 0,
    ) -> None:
        self.kind = kind
        self.holder = holder
        self.other = other
        self.targets = targets
        self.act = act
        self.coming = coming
        self.amount = amount

    def doing(self, status: Reason) -> DoingWhile:
        """Return the holder's act in words: `shifting while Marked`."""
        if self.kind == "gaining":
            return DoingWhile("gaining", status)
        known = self.act in ("being", "shifting", "attacking")
        return DoingWhile(self.act, status) if known else DoingWhile("", status, self.act)


def moments_of(book: ContentOfFights, fact: Happened) -> Iterable[Moment]:
    """Return the moments that a fact causes for the creatures that it is about."""
    own = _MOMENTS.get(type(fact.told), _movement_moments)(fact)
    return chain(own, _plugin_moments(book, fact)) if book.moments else own


def _plugin_moments(book: ContentOfFights, fact: Happened) -> Iterator[Moment]:
    for word in book.moments:
        kind: MomentKind = brought_word(book, "moments", word)
        if kind.fact == fact.kind:
            yield from (Moment(word, holder, other, act=kind.act) for holder, other in kind.of(fact))


def _damaged(fact: Happened) -> Sequence[Moment]:
    told = fact.told
    if isinstance(told, Damaged) and told.amount:
        return (Moment("damaged", told.who, told.by, amount=told.amount),)
    return ()


def _action(fact: Happened) -> Sequence[Moment]:
    if isinstance(fact.told, ActionTaken) and fact.told.action == "shift":
        return (Moment("shifts", fact.told.who, act="shifting"),)
    return ()


def _shifting(fact: Happened) -> Sequence[Moment]:
    return (Moment("shifts", fact.who, act="shifting"),)


def _attacking(fact: Happened) -> Sequence[Moment]:
    if isinstance(fact.told, Attacking):
        return (Moment("attacks", fact.told.who, targets=tuple(fact.told.targets), act="attacking"),)
    return ()


def _attacked(fact: Happened) -> Sequence[Moment]:
    told = fact.told
    if not isinstance(told, Attacked):
        return ()
    own = Moment("hits" if told.hits else "misses", told.who, told.target)
    return (
        Moment("hit" if told.hits else "missed", told.target, told.who),
        *(() if told.turned else (own,)),  # STR-TAC-10: Miss Tokens bring no more than the hit
        Moment("attacked", told.target, told.who),
    )


def _movement_moments(fact: Happened) -> Sequence[Moment]:
    """Return the moments of a change of place, by any means."""
    places = [keys_of(path) for path, _, after in fact.changes if path.endswith(".at") and after is not None]
    return [
        Moment("moved", keys[2])
        for keys in places
        if keys[:2] == ("fight", "combatants") and keys[3:] == ("at",)
    ]


_MOMENTS: Mapping[type[Fact] | type[Prose], Callable[[Happened], Sequence[Moment]]] = {
    Damaged: _damaged,
    ActionTaken: _action,
    Shifting: _shifting,
    Attacking: _attacking,
    Attacked: _attacked,
}
