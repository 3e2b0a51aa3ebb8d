"""The initiative: passing it, and holding one's action (CIN-03, 04)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Choose, OfOne, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.board import HELD
from strike_cli.plugin.telling import Somebody

from .conditional_actions import GAME_MASTER
from .delayed_actions import KINDS, give_up, take_effect
from .dice import HERO
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
from .fight import OPEN, OVER, PASSING, KarmaFight, RoundIsOver, public_words
from .sheet import sheet_of
from .standard_roll import RollFields, Rolling, standard_roll

if TYPE_CHECKING:
    from .data import HealthChecked, KarmaHoldData, KarmaPassData, KarmaRoundData, UncompletedAction


class Hold(Args):
    """Arguments of holding: the person, and the receiver of the initiative."""

    who: str
    to: str


def play_pass(world: World, args: OfOne) -> Procedure[KarmaPassData]:
    """Play `karma pass`: the holder passes the initiative to anybody who can still act in this round.

    The last one chooses who begins the next round. Without a holder, the game master passes it.
    """
    fight = KarmaFight(world)
    if fight.stage == OPEN:
        raise Refused(
            f"{fight.subject(fight.holder or '', 'has')} yet to act.",
            f"`strike karma act {fight.holder}`, or `strike karma hold {fight.holder} --pass WHO`.",
        )
    if fight.stage == OVER:
        raise RoundIsOver(fight.round)
    fight.must_be_settled()
    _must_receive(fight, args.who)
    if fight.able():
        number, giver = fight.segment + 1, fight.holder
        sets = {"karma.segment": number, "karma.active": args.who, "karma.stage": OPEN, "karma.holds": None}
        yield fight.world.tell(KarmaPassed(args.who, number, fight.is_group(args.who)), sets)
        return {"to": args.who, "from": giver, "segment": number, "due": fight.due()}
    sets = {"karma.starter": args.who, "karma.active": None, "karma.stage": OVER}
    yield world.tell(KarmaStarterChosen(args.who, fight.round), sets)
    return {"to": args.who, "round": fight.round, "starter_next": args.who}


def _must_receive(fight: KarmaFight, combatant: str) -> None:
    """Refuse somebody who can't receive the initiative, and name those who can."""
    fight.present(combatant)
    receivers = fight.receivers()
    if not receivers:
        raise Refused("Nobody can receive the initiative.", "`strike karma round` ends the round.")
    if combatant not in receivers:
        raise Refused(
            f"{fight.name(combatant)} {_why_not_receiver(fight, combatant)}.",
            f"Can receive it: {listed(receivers)}.",
        )


def _why_not_receiver(fight: KarmaFight, combatant: str) -> str:
    if fight.is_carrying(combatant):
        return f"is still busy: {fight.people[combatant]['delayed_action']['what']}"
    if fight.turns_left(combatant):
        return "has just acted, and others can"
    if fight.able():
        return f"has acted in round {fight.round}"
    return "has an uncompleted action, and can't begin the next round"


def play_hold(world: World, args: Hold) -> Procedure[KarmaHoldData]:
    """Play `karma hold`: postpone one's action within the round.

    The initiative goes to an opponent who can accept it, or to an ally where there is no such opponent.
    """
    fight = KarmaFight(world)
    one = fight.must_declare(args.who)
    if args.who in fight.data.get("holds", ()):
        raise Refused(
            f"{fight.subject(args.who, 'has')} held already, and nothing has happened since.",
            f"`strike karma act {args.who}`; add --no-roll to skip the turn.",
        )
    fight.present(args.to)
    may = fight.may_be_held_for(args.who)
    if not may:
        raise Refused(
            f"Nobody else can accept the initiative, so {one['name']} can't hold.",
            f"`strike karma act {args.who}`; add --no-roll to skip the turn.",
        )
    if args.to not in may:
        able = args.to in fight.able() and args.to != args.who
        why = "is an ally, and an opponent can accept it" if able else "can't accept it"
        raise Refused(f"{fight.name(args.to)} {why}.", f"Can be passed to: {listed(may)}.")
    sets = {
        "karma.active": args.to,
        fight.path(args.who, HELD): True,
        "karma.holds": [*fight.data.get("holds", ()), args.who],
    }
    yield world.tell(KarmaHeld(args.who, args.to, fight.is_group(args.who), fight.is_group(args.to)), sets)
    return {"who": args.who, "to": args.to, "segment": fight.segment}


COMPLETE, CONTINUE, ABANDON = "complete", "continue", "abandon"
PASSED, FAILED = "passed", "failed"
ROLLED = "rolled"
"""The value of the house rule `karma.health_check` for Health Checks that are standard rolls."""


class NextRound(Args):
    """Arguments of `karma round`, of which there are none."""


def play_round(world: World, args: NextRound) -> Procedure[KarmaRoundData]:
    """Play `karma round`.

    Uncompleted actions are completed, continued or abandoned; then come the Health Checks. Then pools and
    initiative refresh, and the next round begins.
    """
    _must_be_over(KarmaFight(world))
    settled = yield from _settle(world)
    checked = yield from _health_checks(world)
    yield from _refresh(world)
    first = yield from _choose_first(world)
    fight = KarmaFight(world)
    return {
        "round": fight.round,
        "first": first,
        "uncompleted": settled,
        "health": checked,
        "due": fight.due(),
    }


def may_end(fight: KarmaFight) -> bool:
    """Return whether nothing of the round is left but its end.

    That is so once the starter of the next round is chosen, or nobody can begin it.
    """
    return fight.stage == OVER or (fight.stage == PASSING and not fight.receivers() and not fight.due())


def _must_be_over(fight: KarmaFight) -> None:
    if may_end(fight):
        return
    if fight.stage == OPEN:
        raise Refused(
            f"{fight.subject(fight.holder or '', 'has')} the initiative, and round {fight.round} goes on.",
            f"`strike karma act {fight.holder}`.",
        )
    why = (
        f"Can still act in round {fight.round}: {listed(map(fight.name, fight.able()))}"
        if fight.able()
        else "Nobody has said who begins the next round"
    )
    raise Refused(f"{why}.", f"`strike karma pass WHO`: {listed(fight.receivers())}.")


# Uncompleted actions


def _settle(world: World) -> Procedure[list[UncompletedAction]]:
    """Ask everybody with an uncompleted action whether to complete, continue or abandon it.

    An action with a number of segments can't be completed before its time, nor a conditional one without its
    cause.
    """
    settled: list[UncompletedAction] = []
    for combatant, kind in list(_uncompleted(KarmaFight(world))):
        action = KarmaFight(world).uncompleted_of(combatant, kind)
        if action is None:  # triggered by an action that was completed before
            continue
        may = [COMPLETE] if kind == "delayed" and "due" not in action else []
        what = f"what becomes of it: {action['what']}"
        secret = bool(action.get("secret"))
        about = WhatBecomes(combatant, action["what"])
        does: str = yield Choose(combatant, what, (*may, CONTINUE, ABANDON), secret=secret, about=about)
        if does == COMPLETE:
            yield from take_effect(world, combatant, Rolling())
        elif does == ABANDON:
            yield from give_up(world, combatant, kind)
        else:
            yield world.tell(
                KarmaContinued(combatant, public_words(action), KarmaFight(world).is_group(combatant))
            )
        settled.append({"who": combatant, "kind": kind, "does": does})
    return settled


def _uncompleted(fight: KarmaFight) -> Iterator[tuple[str, str]]:
    return (
        (combatant, kind)
        for combatant in fight.there()
        for kind in KINDS
        if f"{kind}_action" in fight.people[combatant]
    )


# Health Checks


def _health_checks(world: World) -> Procedure[list[HealthChecked]]:
    """Play the Health Checks that are due.

    The rules leave open what a Health Check is: the table says its result, or by a house rule it is a
    standard roll of the Hero Dice.
    """
    fight = KarmaFight(world)
    checked: list[HealthChecked] = []
    for combatant in [combatant for combatant in fight.there() if "health_due" in fight.people[combatant]]:
        why = listed(fight.people[combatant]["health_due"])
        if world.book.house["karma.health_check"] == ROLLED:
            dice = [HERO] * sheet_of(world, fight.people[combatant]["ref"])["hero"]
            came = yield from standard_roll(world, combatant, "Health Check", dice, Rolling())
            result, rolls = (PASSED if came.success else FAILED), came.as_fields()
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


def _refresh(world: World) -> Procedure[None]:
    """Refresh pools and initiative.

    The last round's segments count for an action that takes effect after a number of them.
    """
    fight = KarmaFight(world)
    sets: Sets = {"karma.round": fight.round + 1, "karma.segment": 1, "karma.holds": None}
    sets |= {"karma.active": None, "karma.stage": PASSING}
    for combatant in fight.there():
        one = fight.people[combatant]
        sets |= fight.sets(combatant, pool=one["max_pool"], held=None)
        if due := one.get("delayed_action", {}).get("due"):
            sets[fight.path(combatant, "delayed_action.due")] = max(1, due - fight.segment)
    yield world.tell(KarmaRoundBegan(fight.round + 1), sets)


def _choose_first(world: World) -> Procedure[str | None]:
    """Let the chosen person begin, or another of the game master's choice if they can't any more.

    Where nobody can act, delayed actions take effect at once, without waiting for segments.
    """
    fight = KarmaFight(world)
    able, first = fight.able(), fight.data.get("starter")
    sets: Sets = {"karma.starter": None}
    if not able:
        yield world.tell(KarmaBegan(), {**sets, **_run_down(fight)})
        return None
    if first not in able:
        labels = tuple(Somebody(one) for one in able)
        first = yield Choose(GAME_MASTER, "who begins the round", tuple(able), labels, about=WhoBegins())
    yield world.tell(
        KarmaBegan(first, group=fight.is_group(first)), {**sets, "karma.active": first, "karma.stage": OPEN}
    )
    return str(first)


def _run_down(fight: KarmaFight) -> dict[str, int]:
    at = {
        combatant: fight.people[combatant].get("delayed_action", {}).get("due") for combatant in fight.there()
    }
    counted = {combatant: due for combatant, due in at.items() if due}
    soonest = min(counted.values(), default=1)
    return {
        fight.path(combatant, "delayed_action.due"): due - soonest + fight.segment
        for combatant, due in counted.items()
    }
