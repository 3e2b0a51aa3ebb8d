"""The initiative: how it is passed, what holding does, and how a round ends (CIN-03, 04, 09)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Choose, PersonArgs, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.board import HELD
from strike_cli.plugin.facts import Somebody

from .conditional_actions import GAME_MASTER
from .delayed_actions import UNCOMPLETED_KINDS, abandon_action, play_delayed_action
from .dice_notation import HERO_DIE_SIDES
from .facts import (
    HealthCheck,
    KarmaBegan,
    KarmaContinued,
    KarmaHealthChecked,
    KarmaHeld,
    KarmaPassed,
    KarmaRoundBegan,
    KarmaStarterChosen,
    WhatBecomes,
    WhoBegins,
)
from .fight_state import OPEN, OVER, PASSING, KarmaFight, RoundIsOver, description_unless_secret
from .sheet import sheet_of
from .standard_roll import RollFields, RollOptions, standard_roll

if TYPE_CHECKING:
    from .data import HealthChecked, KarmaHoldData, KarmaPassData, KarmaRoundData, UncompletedAction


class Hold(Args):
    """The arguments of `karma hold`: who holds back (`who`), and who gets the initiative (`to`)."""

    who: str
    to: str


def play_pass(world: World, args: PersonArgs) -> Procedure[KarmaPassData]:
    """Play `karma pass`: the initiative goes to somebody who can still act in this round.

    If nobody can, `who` will begin the next round. Raises RoundIsOver after the last segment. Raises Refused
    if the holder has not acted, or if `who` can't receive the initiative.
    """
    fight = KarmaFight(world)
    if fight.stage == OPEN:
        raise Refused(
            f"{fight.name_and_verb(fight.initiative_holder or '', 'has')} yet to act.",
            f"`strike karma act {fight.initiative_holder}`, or `strike karma hold "
            f"{fight.initiative_holder} --pass WHO`.",
        )
    if fight.stage == OVER:
        raise RoundIsOver(fight.round)
    fight.must_have_no_due_action()
    _must_be_possible_receiver(fight, args.who)
    if fight.combatants_able_to_act():
        number, giver = fight.segment + 1, fight.initiative_holder
        sets = {"karma.segment": number, "karma.active": args.who, "karma.stage": OPEN, "karma.holds": None}
        yield fight.world.tell(KarmaPassed(args.who, number, fight.is_group(args.who)), sets)
        return {"to": args.who, "from": giver, "segment": number, "due": fight.combatants_with_due_action()}
    sets = {"karma.starter": args.who, "karma.active": None, "karma.stage": OVER}
    yield world.tell(KarmaStarterChosen(args.who, fight.round), sets)
    return {"to": args.who, "round": fight.round, "starter_next": args.who}


def _must_be_possible_receiver(fight: KarmaFight, combatant: str) -> None:
    fight.require_present(combatant)
    receivers = fight.next_holders_or_next_round_starters()
    if not receivers:
        raise Refused("Nobody can receive the initiative.", "`strike karma round` ends the round.")
    if combatant not in receivers:
        raise Refused(
            f"{fight.name(combatant)} {_why_not_receiver(fight, combatant)}.",
            f"Can receive it: {listed(receivers)}.",
        )


def _why_not_receiver(fight: KarmaFight, combatant: str) -> str:
    if fight.has_carried_over_delayed_action(combatant):
        return f"is still busy: {fight.people[combatant]['delayed_action']['what']}"
    if fight.turns_left(combatant):
        return "has just acted, and others can"
    if fight.combatants_able_to_act():
        return f"has acted in round {fight.round}"
    return "has an uncompleted action, and can't begin the next round"


def play_hold(world: World, args: Hold) -> Procedure[KarmaHoldData]:
    """Play `karma hold`: the holder puts off their action, and passes the initiative to another combatant.

    The holder can still act later in this round.

    Raises Refused in these cases:
    - The holder held before, and nothing but holds has happened since.
    - Nobody can receive the initiative.
    - The chosen combatant can't receive it. In particular, an ally can't as long as an opponent can act.
    """
    fight = KarmaFight(world)
    one = fight.must_be_free_to_declare(args.who)
    if args.who in fight.data.get("holds", ()):
        raise Refused(
            f"{fight.name_and_verb(args.who, 'has')} held already, and nothing has happened since.",
            f"`strike karma act {args.who}`; add --no-roll to skip the turn.",
        )
    fight.require_present(args.to)
    may = fight.hold_receivers(args.who)
    if not may:
        raise Refused(
            f"Nobody else can accept the initiative, so {one['name']} can't hold.",
            f"`strike karma act {args.who}`; add --no-roll to skip the turn.",
        )
    if args.to not in may:
        able = args.to in fight.combatants_able_to_act() and args.to != args.who
        why = "is an ally, and an opponent can accept it" if able else "can't accept it"
        raise Refused(f"{fight.name(args.to)} {why}.", f"Can be passed to: {listed(may)}.")
    sets = {
        "karma.active": args.to,
        fight.state_path(args.who, HELD): True,
        "karma.holds": [*fight.data.get("holds", ()), args.who],
    }
    yield world.tell(KarmaHeld(args.who, args.to, fight.is_group(args.who), fight.is_group(args.to)), sets)
    return {"who": args.who, "to": args.to, "segment": fight.segment}


COMPLETE, CONTINUE, ABANDON = "complete", "continue", "abandon"
PASSED, FAILED = "passed", "failed"
ROLLED = "rolled"
"""What the house rule `karma.health_check` says if Health Checks are standard rolls."""


class NextRound(Args):
    """The arguments of `karma round`, which takes none."""


def play_round(world: World, args: NextRound) -> Procedure[KarmaRoundData]:
    """Play `karma round`: end the round, and begin the next one.

    First, uncompleted actions are completed, continued or abandoned, and Health Checks are made. Then
    Reaction Pools are refilled, and everybody can act again. Raises Refused while the round isn't over.
    """
    _round_must_be_over(KarmaFight(world))
    settled = yield from _ask_and_settle_uncompleted_actions(world)
    checked = yield from _decide_or_roll_health_checks(world)
    yield from _begin_next_round(world)
    first = yield from _give_initiative_or_make_delays_due(world)
    fight = KarmaFight(world)
    return {
        "round": fight.round,
        "first": first,
        "uncompleted": settled,
        "health": checked,
        "due": fight.combatants_with_due_action(),
    }


def may_end_round(fight: KarmaFight) -> bool:
    """Return whether only `karma round` is left to do in this round.

    This is so once it is decided who begins the next round. It is also so after an action, if nobody can
    receive the initiative and no delayed action is due.
    """
    return fight.stage == OVER or (
        fight.stage == PASSING
        and not fight.next_holders_or_next_round_starters()
        and not fight.combatants_with_due_action()
    )


def _round_must_be_over(fight: KarmaFight) -> None:
    if may_end_round(fight):
        return
    if fight.stage == OPEN:
        raise Refused(
            f"{fight.name_and_verb(fight.initiative_holder or '', 'has')} the initiative, and "
            f"round {fight.round} goes on.",
            f"`strike karma act {fight.initiative_holder}`.",
        )
    why = (
        f"Can still act in round {fight.round}: {listed(map(fight.name, fight.combatants_able_to_act()))}"
        if fight.combatants_able_to_act()
        else "Nobody has said who begins the next round"
    )
    raise Refused(
        f"{why}.", f"`strike karma pass WHO`: {listed(fight.next_holders_or_next_round_starters())}."
    )


# Uncompleted actions


def _ask_and_settle_uncompleted_actions(world: World) -> Procedure[list[UncompletedAction]]:
    """Ask each combatant with an uncompleted action whether to complete, continue or abandon it.

    Only a delayed action without a fixed segment can be completed.
    """
    settled: list[UncompletedAction] = []
    fight = KarmaFight(world)
    uncompleted = [
        (combatant, kind)
        for combatant in fight.combatants_there()
        for kind in UNCOMPLETED_KINDS
        if f"{kind}_action" in fight.people[combatant]
    ]
    for combatant, kind in uncompleted:
        action = KarmaFight(world).uncompleted_action(combatant, kind)
        if action is None:  # triggered by an action that was completed before
            continue
        may = [COMPLETE] if kind == "delayed" and "due" not in action else []
        what = f"what becomes of it: {action['what']}"
        secret = bool(action.get("secret"))
        about = WhatBecomes(combatant, action["what"])
        does: str = yield Choose(combatant, what, (*may, CONTINUE, ABANDON), secret=secret, about=about)
        if does == COMPLETE:
            yield from play_delayed_action(world, combatant, RollOptions())
        elif does == ABANDON:
            yield from abandon_action(world, combatant, kind)
        else:
            yield world.tell(
                KarmaContinued(
                    combatant, description_unless_secret(action), KarmaFight(world).is_group(combatant)
                )
            )
        settled.append({"who": combatant, "kind": kind, "does": does})
    return settled


# Health Checks


def _decide_or_roll_health_checks(world: World) -> Procedure[list[HealthChecked]]:
    """Play the Health Checks that are due.

    The rules leave open what a Health Check is. The game master decides its outcome or, by a house rule, it
    is a standard roll of the Hero Dice.
    """
    fight = KarmaFight(world)
    checked: list[HealthChecked] = []
    for combatant in [
        combatant for combatant in fight.combatants_there() if "health_due" in fight.people[combatant]
    ]:
        why = listed(fight.people[combatant]["health_due"])
        if world.book.house["karma.health_check"] == ROLLED:
            dice = [HERO_DIE_SIDES] * sheet_of(world, fight.people[combatant]["ref"])["hero"]
            came = yield from standard_roll(world, combatant, "Health Check", dice, RollOptions())
            result, rolls = (PASSED if came.success else FAILED), came.as_fact_fields()
        else:
            result = yield Choose(
                GAME_MASTER,
                f"how the Health Check of {combatant} goes",
                (PASSED, FAILED),
                about=HealthCheck(combatant, why),
                formerly=f"how the Health Check of {fight.name(combatant)} goes",
            )
            rolls = RollFields()
        checked_one = KarmaHealthChecked(
            who=combatant, why=why, outcome=result, group=fight.is_group(combatant), **rolls
        )
        yield world.tell(checked_one, fight.sets(combatant, health_due=None))
        checked.append({"who": combatant, "why": why, "passed": result == PASSED})
    return checked


# The next round


def _begin_next_round(world: World) -> Procedure[None]:
    """Begin the next round: refill Reaction Pools, and let everybody act again.

    In the new round, segments are counted from 1 again. So the segment in which a delayed action takes effect
    (`due`) is reduced by the number of segments of the round that has ended. It is never reduced below 1.
    """
    fight = KarmaFight(world)
    sets: Sets = {"karma.round": fight.round + 1, "karma.segment": 1, "karma.holds": None}
    sets |= {"karma.active": None, "karma.stage": PASSING}
    for combatant in fight.combatants_there():
        one = fight.people[combatant]
        sets |= fight.sets(combatant, pool=one["max_pool"], held=None)
        if due := one.get("delayed_action", {}).get("due"):
            sets[fight.state_path(combatant, "delayed_action.due")] = max(1, due - fight.segment)
    yield world.tell(KarmaRoundBegan(fight.round + 1), sets)


def _give_initiative_or_make_delays_due(world: World) -> Procedure[str | None]:
    """Give the first initiative of the round to a combatant, and return their id.

    If a combatant was chosen for it and can act, take this combatant. Otherwise ask the game master. If
    nobody can act, return None; then the delayed actions with the lowest segment are due at once.
    """
    fight = KarmaFight(world)
    able, first = fight.combatants_able_to_act(), fight.data.get("starter")
    sets: Sets = {"karma.starter": None}
    if not able:
        yield world.tell(KarmaBegan(), {**sets, **_sets_delays_brought_forward(fight)})
        return None
    if first not in able:
        labels = tuple(Somebody(one) for one in able)
        first = yield Choose(GAME_MASTER, "who begins the round", tuple(able), labels, about=WhoBegins())
    yield world.tell(
        KarmaBegan(first, group=fight.is_group(first)), {**sets, "karma.active": first, "karma.stage": OPEN}
    )
    return str(first)


def _sets_delays_brought_forward(fight: KarmaFight) -> dict[str, int]:
    at = {
        combatant: fight.people[combatant].get("delayed_action", {}).get("due")
        for combatant in fight.combatants_there()
    }
    counted = {combatant: due for combatant, due in at.items() if due}
    soonest = min(counted.values(), default=1)
    return {
        fight.state_path(combatant, "delayed_action.due"): due - soonest + fight.segment
        for combatant, due in counted.items()
    }
