"""Reactions with powers to an event that is about to happen or has just happened (steps.ANSWERS).

The game master's creatures react by a plan; players are asked.
"""

from __future__ import annotations

from typing import NamedTuple

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.status_effects import ban_on

from ..board.sight import is_hidden_from
from ..facts.attacks import DieOnTable
from ..facts.powers import AnswerWith
from ..fight import Fight, standing_holds
from ..harm import brings_down
from ..powers.attack import action_for, perform_power
from ..powers.power import Aim, Deed, must_be_usable, power_of, power_with_owner, take_aim
from ..powers.uses import Power
from ..steps import CHANGING, PARTS, doers_words, victims_words, with_nested
from .reactions import is_done, mark_done, word_for
from .triggers import Impending, reaction_powers

USE, PASS = "use", "pass"


def play_reactions(world: World, coming: Impending) -> Procedure[None]:
    """Play all reactions with powers to an event, one after the other: first of the creature affected."""
    fight = Fight(world)
    powers = reaction_powers(world)[coming.kind]
    order = dict.fromkeys((coming.befallen, *fight.data.get("order", ()), *(one for one, _ in powers)))
    for combatant in order:
        for key in [key for holder, key in powers if holder == combatant]:
            if coming.is_over:
                return
            if ready := _find_reaction(fight, combatant, key, coming):
                yield from _react(world, combatant, ready, coming)


def is_ready(world: World, coming: Impending) -> bool:
    """Return whether any power may react to an event as things are, and its holder might want it to."""
    fight = Fight(world)
    return not coming.is_over and any(
        _find_reaction(fight, combatant, key, coming)
        for combatant, key in reaction_powers(world)[coming.kind]
    )


class _ReadyReaction(NamedTuple):
    """A power that may react, its aim, and whether that is worthwhile."""

    power: Power
    aim: Aim
    sensible: bool


def _find_reaction(fight: Fight, combatant: str, key: str, coming: Impending) -> _ReadyReaction | None:
    """Return a combatant's reaction with a power, if it may be used and is sensible or a player's choice."""
    power = _usable(fight, combatant, key, coming)
    aim = power and _find_aim(fight, combatant, power, coming)
    if not power or not aim:
        return None
    sensible = is_sensible(fight, combatant, power, coming)
    return _ReadyReaction(power, aim, sensible) if sensible or fight.is_player(combatant) else None


def _react(world: World, combatant: str, ready: _ReadyReaction, coming: Impending) -> Procedure[None]:
    power, aim, sensible = ready
    fight = Fight(world)
    if fight.is_player(combatant) and ((yield _make_question(combatant, power, coming, sensible)) == PASS):
        return
    coming.answered = True
    if "once" in power:
        yield from mark_done(world, combatant, word_for(combatant, power["id"]), power["once"])
    yield from perform_power(world, Deed(combatant, power, aim, reacting=True, answering=coming))


def _make_question(actor: str, power: Power, coming: Impending, sensible: bool) -> Choose:
    """Return the question whether to react, with the current die. The more sensible answer comes first."""
    against = coming.doer if coming.doer != actor else coming.befallen
    what = coming.what
    if coming.rolled:
        what = DieOnTable(coming.doer, coming.befallen, coming.die, coming.result)
    words = (USE, PASS) if sensible else (PASS, USE)
    about = AnswerWith(actor, power_with_owner(power, actor), against, what)
    key, formerly = f"{power['id']} against {against}", f"{power['name']} against {against}"
    return Choose(actor, key, words, kind="answer", about=about, formerly=formerly)


def is_sensible(fight: Fight, actor: str, power: Power, coming: Impending) -> bool:
    """Return whether a reaction is worthwhile, by the power's plan and for the user's side."""
    befallen = coming.befallen
    match power.get("plan"):
        case "never":
            return False
        case "bloodied" if befallen and not standing_holds(fight, befallen, "bloodied"):
            return False
        case "deadly" if befallen and not brings_down(fight, befallen, coming.amount):
            return False
    steps = [step["do"] for part in PARTS for step in with_nested(power.get(part, ()))]
    if set(CHANGING).isdisjoint(steps):
        return True
    against_own = _is_against_own(fight, actor, coming)
    return (coming.result != "miss") == against_own if "reroll" in steps else against_own


def _is_against_own(fight: Fight, combatant: str, coming: Impending) -> bool:
    """Return whether an event is caused by the other side and affects the user's side or nobody."""
    side = fight.side(combatant)
    if coming.doer and fight.acts_for(coming.doer) == side:
        return False
    return not coming.befallen or fight.side(coming.befallen) == side


# Whether a power can be used as a reaction


def _usable(fight: Fight, combatant: str, key: str, coming: Impending) -> Power | None:
    """Return the power as the combatant has it, or None if it isn't triggered or can't be used."""
    written = fight.world.book.powers[key]
    if fight.is_out(combatant) or not _is_occasion(fight, combatant, written, coming):
        return None
    if coming.kind == "missed" and ban_on(fight.world, combatant, "miss-effect"):
        return None
    if "once" in written and is_done(fight.world, word_for(combatant, key), written["once"]):
        return None
    power = power_of(fight, combatant, key)
    try:
        must_be_usable(fight, combatant, power)
        action_for(fight, combatant, power)
    except Refused:
        return None
    return power


def _is_occasion(fight: Fight, actor: str, power: Power, coming: Impending) -> bool:
    befallen, doer = coming.befallen, coming.doer
    if not (
        _is_fit(fight, actor, victims_words(power), befallen)
        and _is_fit(fight, actor, doers_words(power), doer)
    ):
        return False
    if actor not in (befallen, doer) and doer and is_hidden_from(fight, doer, actor):
        return False  # nobody reacts to an unseen creature
    if "result" in power and not _is_result(power["result"], coming.result):
        return False
    about = befallen if victims_words(power) else doer
    if "near" not in power or about == actor:
        return True
    return (
        fight.is_on_map(actor)
        and bool(about)
        and fight.is_on_map(about)
        and fight.is_within(actor, about, power["near"])
    )


def _is_result(wanted: str, result: str) -> bool:
    return wanted == result or (wanted == "hit" and result != "miss")


def _is_fit(fight: Fight, actor: str, wanted: str, target: str) -> bool:
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


def _find_aim(fight: Fight, actor: str, power: Power, coming: Impending) -> Aim | None:
    """Return the first possible aim of a reaction, or None.

    It tries the creature that causes the event, the creature that is affected, and then no named target. If
    the event is over (`hit`, `missed`), it tries only the first.
    """
    after = coming.kind in ("hit", "missed")
    causes = () if power.get("who") == "self" else (coming.doer, coming.befallen)
    for named in (*([one] for one in causes if one), []):
        try:
            return take_aim(fight, actor, power, named)
        except Refused:
            if after:
                return None
    return None
