"""Reactions with powers to an event that is about to happen or has just happened.

Such events are in steps.ANSWERS. For the game master's creatures a plan decides; players are asked.
"""

from __future__ import annotations

from typing import NamedTuple

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.active_effects import effect_banning

from ..board.sight_and_hiding import is_hidden_from
from ..facts.attacks import DieOnTable
from ..facts.powers import AnswerWith
from ..fight_state import Fight, is_in_standing
from ..health_and_statuses import would_bring_down
from ..powers.power_use import action_needed_for_power, perform_power
from ..powers.powers_and_targets import (
    Aim,
    Deed,
    aim_power,
    must_be_usable,
    power_as_user_has_it,
    power_with_owner,
)
from ..powers.use_limits import Power
from ..steps import CHANGING, PARTS, doer_word, steps_with_nested, victim_word
from .status_and_trait_reactions import record_done_in_period, state_key_for, was_done_in_period
from .triggers import Impending, reaction_powers

USE, PASS = "use", "pass"


def play_power_reactions(world: World, coming: Impending) -> Procedure[None]:
    """Play all reactions with powers to an event, one after the other.

    The affected creature reacts first.
    """
    fight = Fight(world)
    powers = reaction_powers(world)[coming.kind]
    order = dict.fromkeys((coming.befallen, *fight.data.get("order", ()), *(one for one, _ in powers)))
    for combatant in order:
        for key in [key for holder, key in powers if holder == combatant]:
            if coming.is_over:
                return
            if ready := _find_ready_reaction(fight, combatant, key, coming):
                yield from _offer_and_play_reaction(world, combatant, ready, coming)


def may_any_power_react(world: World, coming: Impending) -> bool:
    """Return whether any combatant can now react to an event with a power, and might want to."""
    fight = Fight(world)
    return not coming.is_over and any(
        _find_ready_reaction(fight, combatant, key, coming)
        for combatant, key in reaction_powers(world)[coming.kind]
    )


class _ReadyReaction(NamedTuple):
    """A power with which a combatant can react now, its aim, and whether the reaction is worthwhile."""

    power: Power
    aim: Aim
    sensible: bool


def _find_ready_reaction(fight: Fight, combatant: str, key: str, coming: Impending) -> _ReadyReaction | None:
    """Return a combatant's reaction with the power `key`, or None if it can't be used.

    It is also None if the reaction isn't worthwhile, except for a player's character, whose player may still
    choose it.
    """
    power = _usable_reaction_power(fight, combatant, key, coming)
    aim = power and _find_reaction_aim(fight, combatant, power, coming)
    if not power or not aim:
        return None
    sensible = is_reaction_worthwhile(fight, combatant, power, coming)
    return _ReadyReaction(power, aim, sensible) if sensible or fight.is_player(combatant) else None


def _offer_and_play_reaction(
    world: World, combatant: str, ready: _ReadyReaction, coming: Impending
) -> Procedure[None]:
    power, aim, sensible = ready
    fight = Fight(world)
    if fight.is_player(combatant) and (
        (yield _reaction_question(combatant, power, coming, sensible)) == PASS
    ):
        return
    coming.answered = True
    if "once" in power:
        yield from record_done_in_period(
            world, combatant, state_key_for(combatant, power["id"]), power["once"]
        )
    yield from perform_power(world, Deed(combatant, power, aim, reacting=True, answering=coming))


def _reaction_question(actor: str, power: Power, coming: Impending, sensible: bool) -> Choose:
    """Return the question whether to react. The more sensible answer is the first option."""
    against = coming.doer if coming.doer != actor else coming.befallen
    what = coming.what
    if coming.rolled:
        what = DieOnTable(coming.doer, coming.befallen, coming.die, coming.result)
    words = (USE, PASS) if sensible else (PASS, USE)
    about = AnswerWith(actor, power_with_owner(power, actor), against, what)
    key, formerly = f"{power['id']} against {against}", f"{power['name']} against {against}"
    return Choose(actor, key, words, kind="answer", about=about, formerly=formerly)


def is_reaction_worthwhile(fight: Fight, actor: str, power: Power, coming: Impending) -> bool:
    """Return whether a reaction is worthwhile, by the power's `plan` and by what it changes."""
    befallen = coming.befallen
    match power.get("plan"):
        case "never":
            return False
        case "bloodied" if befallen and not is_in_standing(fight, befallen, "bloodied"):
            return False
        case "deadly" if befallen and not would_bring_down(fight, befallen, coming.amount):
            return False
    steps = [step["do"] for part in PARTS for step in steps_with_nested(power.get(part, ()))]
    if set(CHANGING).isdisjoint(steps):
        return True
    against_own = _is_hostile_event(fight, actor, coming)
    return (coming.result != "miss") == against_own if "reroll" in steps else against_own


def _is_hostile_event(fight: Fight, combatant: str, coming: Impending) -> bool:
    """Return whether an event is to be seen as hostile by `combatant`.

    It is if the event is caused by the other side or by nobody, and affects `combatant`'s own side or nobody.
    """
    side = fight.side(combatant)
    if coming.doer and fight.side_acted_for(coming.doer) == side:
        return False
    return not coming.befallen or fight.side(coming.befallen) == side


# Whether a power can be used as a reaction


def _usable_reaction_power(fight: Fight, combatant: str, key: str, coming: Impending) -> Power | None:
    """Return the power `key` with the combatant's own numbers.

    Returns None if the event doesn't trigger the power, or if the combatant can't use it.
    """
    written = fight.world.book.powers[key]
    if fight.is_out(combatant) or not _is_triggered(fight, combatant, written, coming):
        return None
    if coming.kind == "missed" and effect_banning(fight.world, combatant, "miss-effect"):
        return None
    if "once" in written and was_done_in_period(fight.world, state_key_for(combatant, key), written["once"]):
        return None
    power = power_as_user_has_it(fight, combatant, key)
    try:
        must_be_usable(fight, combatant, power)
        action_needed_for_power(fight, combatant, power)
    except Refused:
        return None
    return power


def _is_triggered(fight: Fight, actor: str, power: Power, coming: Impending) -> bool:
    befallen, doer = coming.befallen, coming.doer
    if not (
        _is_on_wanted_side(fight, actor, victim_word(power), befallen)
        and _is_on_wanted_side(fight, actor, doer_word(power), doer)
    ):
        return False
    if actor not in (befallen, doer) and doer and is_hidden_from(fight, doer, actor):
        return False  # nobody reacts to an unseen creature
    if "result" in power and not _is_wanted_result(power["result"], coming.result):
        return False
    about = befallen if victim_word(power) else doer
    if "near" not in power or about == actor:
        return True
    return (
        fight.is_on_map(actor)
        and bool(about)
        and fight.is_on_map(about)
        and fight.is_within(actor, about, power["near"])
    )


def _is_wanted_result(wanted: str, result: str) -> bool:
    return wanted == result or (wanted == "hit" and result != "miss")


def _is_on_wanted_side(fight: Fight, actor: str, wanted: str, target: str) -> bool:
    if not wanted:
        return True
    if not target:
        return wanted == "anybody"
    friend = fight.side(target) == fight.side(actor)
    return {
        "self": target == actor,
        "ally": friend and target != actor,
        "friend": friend,
        "foe": not friend,
        "anybody": True,
    }[wanted]


def _find_reaction_aim(fight: Fight, actor: str, power: Power, coming: Impending) -> Aim | None:
    """Return the first possible aim of a reaction, or None.

    First the creature that causes the event is tried as the target, then the affected creature, then an aim
    without a named target. For a power on its user only the last of these is tried. If the event is over
    (`hit`, `missed`), only the first possibility is tried.
    """
    after = coming.kind in ("hit", "missed")
    causes = () if power.get("who") == "self" else (coming.doer, coming.befallen)
    for named in (*([one] for one in causes if one), []):
        try:
            return aim_power(fight, actor, power, named)
        except Refused:
            if after:
                return None
    return None
