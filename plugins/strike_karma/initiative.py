"""The initiative goes from hand to hand: passing it, and holding one's action (CIN-03, 04)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import Args, OfOne, Procedure, Refused, World, listed
from strike_cli.plugin.board import HELD

from .facts import KarmaHeld, KarmaPassed, KarmaStarterChosen
from .fight import OPEN, OVER, KarmaFight
from .refusals import RoundIsOver

if TYPE_CHECKING:
    from .data import KarmaHoldData, KarmaPassData


class Hold(Args):
    """Who isn't ready to act, and whom they pass the initiative to instead."""

    who: str
    to: str


def play_pass(world: World, args: OfOne) -> Procedure[KarmaPassData]:
    """Play `karma pass`: the holder passes the initiative to anybody who can still act in this round.

    The last one says who begins the next round. Where nobody has the initiative, the game master gives it.
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
        return (yield from _begin_segment(fight, args.who))
    sets = {"karma.starter": args.who, "karma.active": None, "karma.stage": OVER}
    yield world.tell(KarmaStarterChosen(args.who, fight.round), sets)
    return {"to": args.who, "round": fight.round, "starter_next": args.who}


def _begin_segment(fight: KarmaFight, who: str) -> Procedure[KarmaPassData]:
    number, giver = fight.segment + 1, fight.holder
    sets = {"karma.segment": number, "karma.active": who, "karma.stage": OPEN, "karma.holds": None}
    yield fight.world.tell(KarmaPassed(who, number, fight.is_group(who)), sets)
    return {"to": who, "from": giver, "segment": number, "due": fight.due()}


def _must_receive(fight: KarmaFight, who: str) -> None:
    """Refuse somebody who can't receive the initiative, and name those who can."""
    fight.present(who)
    receivers = fight.receivers()
    if not receivers:
        raise Refused("Nobody can receive the initiative.", "`strike karma round` ends the round.")
    if who not in receivers:
        raise Refused(f"{fight.name(who)} {_why_not(fight, who)}.", f"May receive it: {listed(receivers)}.")


def _why_not(fight: KarmaFight, who: str) -> str:
    if fight.is_carrying(who):
        return f"is still at it: {fight.people[who]['delayed_action']['what']}"
    if fight.turns_left(who):
        return "has just acted, and others can"
    if fight.able():
        return f"has acted in round {fight.round}"
    return "has an uncompleted action, and can't begin the next round"


def play_hold(world: World, args: Hold) -> Procedure[KarmaHoldData]:
    """Play `karma hold`: not now, and later in the round.

    The initiative goes to an opponent who can accept it, and only where there is none to an ally.
    """
    fight = KarmaFight(world)
    one = fight.must_declare(args.who)
    if args.who in fight.data.get("holds", ()):
        raise Refused(
            f"{fight.subject(args.who, 'has')} held already, and nothing has happened since.",
            f"`strike karma act {args.who}`; with --no-roll to let the turn go.",
        )
    fight.present(args.to)
    may = fight.may_be_held_for(args.who)
    if not may:
        raise Refused(
            f"Nobody else can accept the initiative, so {one['name']} can't hold.",
            f"`strike karma act {args.who}`; with --no-roll to let the turn go.",
        )
    if args.to not in may:
        able = args.to in fight.able() and args.to != args.who
        why = "is an ally, and an opponent can accept it" if able else "can't accept it"
        raise Refused(f"{fight.name(args.to)} {why}.", f"May be passed to: {listed(may)}.")
    sets = {
        "karma.active": args.to,
        fight.path(args.who, HELD): True,
        "karma.holds": [*fight.data.get("holds", ()), args.who],
    }
    yield world.tell(KarmaHeld(args.who, args.to, fight.is_group(args.who), fight.is_group(args.to)), sets)
    return {"who": args.who, "to": args.to, "segment": fight.segment}
