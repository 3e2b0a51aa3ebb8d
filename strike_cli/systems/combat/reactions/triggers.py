"""The moments to which a creature's statuses and powers may react, and the facts that bring them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from strike_cli.kernel.facts import about, keys_of, remember_by_identity
from strike_cli.kernel.procedure import Happen, Happened, Procedure, Prose, World
from strike_cli.kernel.statements import Fact, Reason
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.dice import Rolled
from strike_cli.tabletop.status_effects import reactions_to
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
"""Facts about a creature and a zone, with the name of the moment that each brings."""


class Impending:
    """An event that is about to happen and isn't a fact yet (steps.ANSWERS), so that reactions may change it.

    `doer` causes it and `befallen` is affected. `what` describes it. `amount` is HP of damage or squares of
    movement. `rolled`, `die` and `result` are the current roll, which `roll` rolls again and `read` reads.
    Reactions set `prevented`, `redirected` (to a creature) and `reasons`.
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
        """Set the current roll, with its die and result."""
        assert self.read is not None
        self.rolled = rolled
        self.die, self.result = self.read(rolled)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to react to: it is prevented, redirected, or reduced to 0."""
        return self.prevented or bool(self.redirected) or (self.amounts and not self.amount)


class Before(Happen):
    """A moment before a fact. It is never reported: the engine plays the reactions to it."""

    __slots__ = ("coming",)

    def __init__(self, coming: Impending) -> None:
        super().__init__(Happened(Prose("", coming.doer, "", {}), ()))
        self.coming = coming


def play_answers_before(world: World, coming: Impending) -> Procedure[Impending]:
    """Return a coming event as it is after all reactions to it."""
    if is_answered(world, coming.kind, coming.befallen or coming.doer):
        yield Before(coming)
    return coming


_known: deque[tuple[object, object, object, frozenset[str]]] = deque(maxlen=4)


def answered_moments(book: ContentOfFights) -> frozenset[str]:
    """Return the kinds of event to which anything in the book may react. Others need no check."""
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
    """Return whether anything in the fight may react to an event that affects or is caused by `holder`.

    Usually nothing may, and the event need not be played.
    """
    if kind not in answered_moments(world.book):
        return False
    return bool(ANSWERS[kind].steps and reactions_to(world, holder, kind)) or kind in reaction_powers(world)


ReactionPowers = Mapping[str, Sequence[tuple[str, str]]]
"""The powers in a fight that are reactions, with their holders, by the moment that triggers them."""


def reaction_powers(world: World) -> ReactionPowers:
    """Return the powers of everybody in the fight that are reactions, in the order of the combatants."""
    known = about(world)
    found: ReactionPowers | None = known.get(reaction_powers)
    if found is None:
        book, people = world.book, combatants_in(world.state)
        cast = tuple([(combatant, one["ref"]) for combatant, one in people.items()])
        of_casts = _powers_of_casts(book.powers, book.characters, book.creatures)
        if cast not in of_casts:
            of_casts[cast] = _reaction_powers(Fight(world))
        found = known[reaction_powers] = of_casts[cast]
    return found


def _reaction_powers(fight: Fight) -> ReactionPowers:
    found: dict[str, list[tuple[str, str]]] = {}
    for combatant in fight.data["combatants"]:
        for key in fight.sheet(combatant).get("powers", ()):
            if on := fight.world.book.powers[key].get("on"):
                found.setdefault(on, []).append((combatant, key))
    return found


def _no_casts(
    powers: object, characters: object, creatures: object
) -> dict[tuple[tuple[str, str], ...], ReactionPowers]:
    return {}


_powers_of_casts = remember_by_identity(_no_casts)
"""The reaction powers of some creatures together, cached by their ids and those of their sheets."""


class Moment(Value):
    """A moment to which a creature's statuses may react.

    `holder` is that creature, `other` the other one involved, and `targets` are those of an attack. `act` is
    what the holder does. `coming` is the event if it isn't a fact yet; `amount` is the damage in HP if it is
    a fact of damage.
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
        """Return the holder's act as a clause: `shifting while Marked`."""
        if self.kind == "gaining":
            return DoingWhile("gaining", status)
        known = self.act in ("being", "shifting", "attacking")
        return DoingWhile(self.act, status) if known else DoingWhile("", status, self.act)


def moments_of(book: ContentOfFights, fact: Happened) -> Iterable[Moment]:
    """Return the moments that a fact brings for the creatures that it is about."""
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
        *(() if told.turned else (own,)),  # STR-TAC-10: Miss Tokens give only the hit itself
        Moment("attacked", told.target, told.who),
    )


def _movement_moments(fact: Happened) -> Sequence[Moment]:
    """Return the moments that a change of place brings, however it came about."""
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
