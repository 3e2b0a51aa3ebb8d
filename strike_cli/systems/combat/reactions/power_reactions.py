"""Reactions with powers to an event that is about to happen or has just happened.

Such events are in `steps.REACTION_EVENTS`. For the game master's creatures a plan decides; players are asked.
"""

from __future__ import annotations

from typing import NamedTuple

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import effect_banning

from ..board.sight_and_hiding import is_hidden_from
from ..facts.attacks import DieOnTable
from ..facts.powers_and_fight_events import AnswerWith
from ..fight_state import Fight, meets_health_or_company_condition
from ..health_and_statuses import would_bring_down
from ..powers.power_use import perform_power, require_turn_action_for_power
from ..powers.powers_and_targets import (
    Aim,
    PowerUse,
    aim_power,
    must_be_usable,
    power_as_reason,
    require_power_as_user_has_it,
)
from ..powers.standard_powers_and_use_limits import Power
from ..steps import EVENT_CHANGING_STEPS, PARTS, doer_side_word, steps_with_nested, victim_side_key
from .reaction_events_and_moments import ReactionEvent, reaction_powers
from .status_and_trait_reactions import record_done_in_period, state_key_for, was_done_in_period

USE, PASS = "use", "pass"


def play_power_reactions(world: World, event: ReactionEvent) -> Procedure[None]:
    """Offer the reactions with powers to an event, one after the other, and play those that are taken.

    The affected creature comes first, then the others in turn order. Once the event is over, no more
    reactions are offered.
    """
    fight = Fight(world)
    powers = reaction_powers(world)[event.kind]
    order = dict.fromkeys((event.befallen, *fight.data.get("order", ()), *(one for one, _ in powers)))
    for combatant in order:
        for key in [key for holder, key in powers if holder == combatant]:
            if event.has_nothing_left_to_react_to:
                return
            if ready := _find_ready_reaction_worth_offering(fight, combatant, key, event):
                yield from _play_reaction_after_asking_players(world, combatant, ready, event)


def may_any_power_react(world: World, event: ReactionEvent) -> bool:
    """Return whether any combatant can now react to an event with a power, and might want to."""
    fight = Fight(world)
    return not event.has_nothing_left_to_react_to and any(
        _find_ready_reaction_worth_offering(fight, combatant, key, event)
        for combatant, key in reaction_powers(world)[event.kind]
    )


class _ReadyReaction(NamedTuple):
    """A power with which a combatant can react now, its aim, and whether the reaction is worthwhile."""

    power: Power
    aim: Aim
    worthwhile: bool


def _find_ready_reaction_worth_offering(
    fight: Fight, combatant: str, power_id: str, event: ReactionEvent
) -> _ReadyReaction | None:
    """Return the reaction of a combatant with the power `power_id` to an event, or None.

    If the power can't be used now, return None. If it could be used, but isn't worthwhile, it depends on the
    combatant: a player's reaction is returned, since the player may still want it. For any other creature,
    return None.
    """
    power = _usable_reaction_power(fight, combatant, power_id, event)
    aim = power and _find_reaction_aim(fight, combatant, power, event)
    if not power or not aim:
        return None
    sensible = is_reaction_worthwhile(fight, combatant, power, event)
    return _ReadyReaction(power, aim, sensible) if sensible or fight.is_player(combatant) else None


def _play_reaction_after_asking_players(
    world: World, combatant: str, ready: _ReadyReaction, event: ReactionEvent
) -> Procedure[None]:
    power, aim, sensible = ready
    fight = Fight(world)
    if fight.is_player(combatant) and ((yield _reaction_question(combatant, power, event, sensible)) == PASS):
        return
    event.was_reacted_to = True
    if "once" in power:
        yield from record_done_in_period(
            world, combatant, state_key_for(combatant, power["id"]), power["once"]
        )
    yield from perform_power(world, PowerUse(combatant, power, aim, reacting=True, event=event))


def _reaction_question(actor: str, power: Power, event: ReactionEvent, worthwhile: bool) -> Choose:
    """Return the question whether to react. The more sensible answer is the first option."""
    against = event.doer if event.doer != actor else event.befallen
    what = event.description
    if event.rolled:
        what = DieOnTable(event.doer, event.befallen, event.die, event.result)
    words = (USE, PASS) if worthwhile else (PASS, USE)
    about = AnswerWith(actor, power_as_reason(power, actor), against, what)
    key, formerly = f"{power['id']} against {against}", f"{power['name']} against {against}"
    return Choose(actor, key, words, kind="answer", about=about, formerly=formerly)


def is_reaction_worthwhile(fight: Fight, actor: str, power: Power, event: ReactionEvent) -> bool:
    """Return whether a reaction is worthwhile, by the power's `plan` and by what it changes."""
    befallen = event.befallen
    match power.get("plan"):
        case "never":
            return False
        case "bloodied" if befallen and not meets_health_or_company_condition(fight, befallen, "bloodied"):
            return False
        case "deadly" if befallen and not would_bring_down(fight, befallen, event.amount):
            return False
    steps = [step["do"] for part in PARTS for step in steps_with_nested(power.get(part, ()))]
    if set(EVENT_CHANGING_STEPS).isdisjoint(steps):
        return True
    against_own = _is_hostile_event(fight, actor, event)
    return (event.result != "miss") == against_own if "reroll" in steps else against_own


def _is_hostile_event(fight: Fight, combatant: str, event: ReactionEvent) -> bool:
    """Return whether an event is hostile to `combatant`'s side.

    An event that the combatant's own side causes is not hostile. Nor is an event that happens to a creature
    of another side. Every other event is hostile.
    """
    side = fight.side(combatant)
    if event.doer and fight.side_acted_for(event.doer) == side:
        return False
    return not event.befallen or fight.side(event.befallen) == side


# Whether a power can be used as a reaction


def _usable_reaction_power(fight: Fight, combatant: str, power_id: str, event: ReactionEvent) -> Power | None:
    """Return the power `power_id` with the combatant's own numbers.

    Returns None if the event doesn't trigger the power, or if the combatant can't use it.
    """
    written = fight.world.book.powers[power_id]
    if fight.is_out(combatant) or not _is_triggered(fight, combatant, written, event):
        return None
    if event.kind == "missed" and effect_banning(fight.world, combatant, "miss-effect"):
        return None
    if "once" in written and was_done_in_period(
        fight.world, state_key_for(combatant, power_id), written["once"]
    ):
        return None
    power = require_power_as_user_has_it(fight, combatant, power_id)
    try:
        must_be_usable(fight, combatant, power)
        require_turn_action_for_power(fight, combatant, power)
    except Refused:
        return None
    return power


def _is_triggered(fight: Fight, actor: str, power: Power, event: ReactionEvent) -> bool:
    befallen, doer = event.befallen, event.doer
    if not (
        _is_on_wanted_side(fight, actor, victim_side_key(power), befallen)
        and _is_on_wanted_side(fight, actor, doer_side_word(power), doer)
    ):
        return False
    if actor not in (befallen, doer) and doer and is_hidden_from(fight, doer, actor):
        return False  # nobody reacts to an unseen creature
    wanted = power.get("result", event.result)
    if wanted != event.result and not (wanted == "hit" and event.result != "miss"):
        return False
    about = befallen if victim_side_key(power) else doer
    if "near" not in power or about == actor:
        return True
    return (
        fight.is_on_map(actor)
        and bool(about)
        and fight.is_on_map(about)
        and fight.is_within(actor, about, power["near"])
    )


def _is_on_wanted_side(fight: Fight, actor: str, wanted_side: str, creature: str) -> bool:
    if not wanted_side:
        return True
    if not creature:
        return wanted_side == "anybody"
    friend = fight.side(creature) == fight.side(actor)
    return {
        "self": creature == actor,
        "ally": friend and creature != actor,
        "friend": friend,
        "foe": not friend,
        "anybody": True,
    }[wanted_side]


def _find_reaction_aim(fight: Fight, actor: str, power: Power, event: ReactionEvent) -> Aim | None:
    """Return the first possible aim for using a power as a reaction; None if no aim is possible.

    The aims are tried in this order:

    - at the creature that causes the event,
    - at the creature that the event affects,
    - without a named target.

    An aim at a creature is skipped if the event has no such creature, or if the power targets only its user.
    If the event has already happened (`hit`, `missed`), only the first aim that isn't skipped is tried.
    """
    after = event.kind in ("hit", "missed")
    causes = () if power.get("who") == "self" else (event.doer, event.befallen)
    for named in (*([one] for one in causes if one), []):
        try:
            return aim_power(fight, actor, power, named)
        except Refused:
            if after:
                return None
    return None
