"""Events and moments to which powers, statuses and traits can react.

Powers react to events. Statuses and traits react to moments, which follow from facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from strike_cli.immutable_records import Value
from strike_cli.kernel.procedure import Happen, Happened, Procedure, Prose, World
from strike_cli.kernel.state_changes import cached_by_identity, cached_values_of, split_path
from strike_cli.kernel.statements import Fact, Reason
from strike_cli.registry.installed_plugins import load_plugin_word
from strike_cli.tabletop.active_effects import reactions_to
from strike_cli.tabletop.dice import Rolled
from strike_cli.tabletop.rules_vocabulary import MomentKind
from strike_cli.user_folders_and_cache import strings_under_indexed_key_in_items

from ..facts.attacks import Attacked, Attacking
from ..facts.harm import Damaged
from ..facts.movement_and_sight import Shifting
from ..facts.turns_and_actions import ActionTaken, DoingWhile
from ..fight_state import Fight, combatants_in
from ..steps import REACTION_EVENTS

if TYPE_CHECKING:
    from ..data import ContentOfFights

MOMENTS_OF_ZONE_FACTS = {"zone-entered": "enters", "zone-left": "leaves", "zone-ending": "zone-ends"}
"""Facts about a creature and a zone, with the name of the moment that each brings."""


class ReactionEvent:
    """An event that creatures can react to, before or just after it happens.

    Attributes:
        kind: The kind of event, from `steps.REACTION_EVENTS`.
        doer: The creature that causes the event.
        befallen: The creature that the event happens to.
        description: The event in words.
        amount: Damage in HP, or movement in squares.
        rolled: The current roll. `die` is its die, and `result` is its result.
        roll: A function that makes a new roll.
        read: A function that returns the die and the result of a roll.
        prevented: Whether a reaction has prevented the event.
        redirected: The creature to which a reaction has redirected the event, or "".
        reasons: The reasons that reactions have added.
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
        self.description = what
        self.amount = amount
        self.has_amount = bool(amount)
        self.read = read
        self.roll = roll
        self.rolled: Rolled | None = None
        self.die = 0
        self.result = ""
        self.was_reacted_to = False
        self.prevented = False
        self.redirected = ""
        self.reasons: list[Reason] = []

    def set_current_roll(self, rolled: Rolled) -> None:
        """Set the current roll, its die and its result."""
        assert self.read is not None
        self.rolled = rolled
        self.die, self.result = self.read(rolled)

    @property
    def has_nothing_left_to_react_to(self) -> bool:
        """Whether nothing is left to react to.

        It is True if the event is prevented, redirected, or reduced to 0.
        """
        return self.prevented or bool(self.redirected) or (self.has_amount and not self.amount)


class PlayReactions(Happen):
    """A request to play the reactions to the event `coming`. The request itself is reported to nobody."""

    coming: ReactionEvent


def play_reactions_to_event(world: World, event: ReactionEvent) -> Procedure[ReactionEvent]:
    """Play the reactions to an event, and return the event, which the reactions may have changed."""
    if may_be_reacted_to(world, event.kind, event.befallen or event.doer):
        yield PlayReactions(Happened(Prose("", event.doer, "", {}), ()), event)
    return event


def event_kinds_with_reactions(book: ContentOfFights) -> frozenset[str]:
    """Return the kinds of event to which something in the book may react.

    For other kinds, nothing needs to be checked.
    """
    return _event_kinds_with_reactions_in(book.powers, book.statuses, book.conditions, book.creatures)


@cached_by_identity
def _event_kinds_with_reactions_in(
    powers: Mapping[str, object], *others: Mapping[str, object]
) -> frozenset[str]:
    changing = (kind for kind, answer in REACTION_EVENTS.items() if answer.steps)
    reacting = chain.from_iterable(strings_under_indexed_key_in_items(table, "on") for table in others)
    return frozenset(strings_under_indexed_key_in_items(powers, "on")).union(
        {*reacting}.intersection(changing)
    )


def may_be_reacted_to(world: World, kind: str, holder: str) -> bool:
    """Return whether anything in the fight may react to an event of this kind.

    `holder` is the creature that the event affects or, if it affects nobody, the one that causes it.
    """
    if kind not in event_kinds_with_reactions(world.book):
        return False
    return bool(REACTION_EVENTS[kind].steps and reactions_to(world, holder, kind)) or kind in reaction_powers(
        world
    )


ReactionPowers = Mapping[str, Sequence[tuple[str, str]]]
"""The powers in a fight that are reactions, with their holders, by the kind of event that triggers them."""


def reaction_powers(world: World) -> ReactionPowers:
    """Return the reaction powers of all combatants, grouped by the kind of event to which they react.

    Each power is a pair: the combatant who has it, and the power's id.
    """
    known = cached_values_of(world)
    found: ReactionPowers | None = known.get(reaction_powers)
    if found is None:
        book, people = world.book, combatants_in(world.state)
        cast = tuple([(combatant, one["ref"]) for combatant, one in people.items()])
        of_casts = _powers_of_casts(book.powers, book.characters, book.creatures)
        if cast not in of_casts:
            of_casts[cast] = _find_reaction_powers(Fight(world))
        found = known[reaction_powers] = of_casts[cast]
    return found


def _find_reaction_powers(fight: Fight) -> ReactionPowers:
    found: dict[str, list[tuple[str, str]]] = {}
    for combatant in fight.data["combatants"]:
        for key in fight.sheet(combatant).get("powers", ()):
            if on := fight.world.book.powers[key].get("on"):
                found.setdefault(on, []).append((combatant, key))
    return found


def _new_reaction_powers_cache(
    powers: object, characters: object, creatures: object
) -> dict[tuple[tuple[str, str], ...], ReactionPowers]:
    return {}


_powers_of_casts = cached_by_identity(_new_reaction_powers_cache)
"""The reaction powers of some creatures together, cached by their ids and those of their sheets."""


class Moment(Value):
    """A moment at which the statuses and traits of a creature may react.

    Attributes:
        kind: The kind of moment.
        holder: The creature that has the statuses and traits.
        other: The other creature involved, or "".
        targets: The targets, if the moment is part of an attack.
        act: What the holder is doing.
        coming: The event that is about to happen, for a moment before a fact.
        amount: The damage in HP, for a moment after damage.
    """

    kind: str
    holder: str
    other: str = ""
    targets: tuple[str, ...] = ()
    act: str = "being"
    coming: ReactionEvent | None = None
    amount: int = 0

    def act_while_in_status(self, status: Reason) -> DoingWhile:
        """Return the holder's act as a clause: `shifting while Marked`."""
        if self.kind == "gaining":
            return DoingWhile("gaining", status)
        known = self.act in ("being", "shifting", "attacking")
        return DoingWhile(self.act, status) if known else DoingWhile("", status, self.act)


def moments_brought_by(book: ContentOfFights, fact: Happened) -> Iterable[Moment]:
    """Return the moments that a fact brings.

    At each moment, the statuses and traits of one creature can react.
    """
    own = _MOMENTS.get(type(fact.told), _moments_of_moved_creatures)(fact)
    return chain(own, _plugin_moments(book, fact)) if book.moments else own


def _plugin_moments(book: ContentOfFights, fact: Happened) -> Iterator[Moment]:
    for word in book.moments:
        kind: MomentKind = load_plugin_word(book, "moments", word)
        if kind.fact == fact.kind:
            yield from (Moment(word, holder, other, act=kind.act) for holder, other in kind.of(fact))


def _moments_of_damaged_creature(fact: Happened) -> Sequence[Moment]:
    told = fact.told
    if isinstance(told, Damaged) and told.amount:
        return (Moment("damaged", told.who, told.by, amount=told.amount),)
    return ()


def _shift_action_moments(fact: Happened) -> Sequence[Moment]:
    if isinstance(fact.told, ActionTaken) and fact.told.action == "shift":
        return (Moment("shifts", fact.told.who, act="shifting"),)
    return ()


def _shift_moments(fact: Happened) -> Sequence[Moment]:
    return (Moment("shifts", fact.who, act="shifting"),)


def _moments_of_attacker(fact: Happened) -> Sequence[Moment]:
    if isinstance(fact.told, Attacking):
        return (Moment("attacks", fact.told.who, targets=tuple(fact.told.targets), act="attacking"),)
    return ()


def _attack_result_moments(fact: Happened) -> Sequence[Moment]:
    told = fact.told
    if not isinstance(told, Attacked):
        return ()
    own = Moment("hits" if told.hits else "misses", told.who, told.target)
    return (
        Moment("hit" if told.hits else "missed", told.target, told.who),
        *(() if told.turned else (own,)),  # STR-TAC-10: Miss Tokens give only the hit itself
        Moment("attacked", told.target, told.who),
    )


def _moments_of_moved_creatures(fact: Happened) -> Sequence[Moment]:
    """Return a moment for each creature whose square has changed, for whatever reason."""
    places = [
        split_path(path) for path, _, after in fact.changes if path.endswith(".at") and after is not None
    ]
    return [
        Moment("moved", keys[2])
        for keys in places
        if keys[:2] == ("fight", "combatants") and keys[3:] == ("at",)
    ]


_MOMENTS: Mapping[type[Fact] | type[Prose], Callable[[Happened], Sequence[Moment]]] = {
    Damaged: _moments_of_damaged_creature,
    ActionTaken: _shift_action_moments,
    Shifting: _shift_moments,
    Attacking: _moments_of_attacker,
    Attacked: _attack_result_moments,
}
