"""Deciding a Hit, and going on with what it held up (STR-TC-06, 07, 16)."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused

from .consequences import REST, go_on
from .endings import aftermath
from .hits import (
    ABLATE,
    DRAIN,
    STRIKE,
    a_hit_waits,
    deactivate,
    drain_as_well,
    hit_decided,
    hit_options,
    option_meant,
    strike_of_a_hit,
)
from .numbers import WhichSide
from .state import (
    active,
    foe,
    for_round,
    give_bonus,
    may_regain,
    name_of,
    of,
    regain,
    strikes,
    trait,
    under_way,
    with_trait,
)


class Decide(Args):
    """What a Hit on a side does: `strike`, the trait, `ablate`, `drain`; and what Draining brings back."""

    side: WhichSide
    what: str
    recover: str = ""


def play_hit(world: World, args: Decide) -> Procedure[dict[str, Any]]:
    """`conflict hit`: what a Hit does, as the opponents of the team hit choose (STR-TC-06). What it held up
    comes then (STR-TC-07)."""
    under_way(world, ended=True)
    side = args.side
    if not of(world, side, "hits_due", 0):
        name = name_of(world, side)
        raise Refused(
            f"No Hit on {name[0].lower() + name[1:]} waits to be decided.",
            "A Hit that can be nothing but a Strike is one at once.",
        )
    what = option_meant(world, side, args.what)
    recover = may_regain(world, foe(side), args.recover)
    yield hit_decided(world, side)
    if what == STRIKE:
        yield from strike_of_a_hit(world, side, "a Hit", recover)
    elif what == ABLATE:
        yield from _ablate(world, side)
    elif what == DRAIN:
        by = next(name for name, does in active(world, foe(side)) if does.get("drains") == "instead")
        yield from regain(world, foe(side), recover, by)
    else:
        yield deactivate(world, side, what)
        yield from drain_as_well(world, side, recover)
    while of(world, side, "hits_due", 0) and len(hit_options(world, side)) == 1:
        yield hit_decided(world, side)
        yield from strike_of_a_hit(world, side, "a Hit", "")
    if world.get(REST) and not a_hit_waits(world):
        yield from go_on(world, world.get(REST))
    ended = bool(world.get("conflict.ended"))
    return {
        "side": side,
        "what": what,
        "strikes": strikes(world),
        "traits": of(world, side, "traits", []),
        "lost_traits": of(world, side, "lost_traits", []),
        "hits_due": of(world, side, "hits_due", 0),
        "ended": ended,
        "aftermath": aftermath(world) if ended else None,
    }


def _ablate(world: World, side: str) -> Procedure[None]:
    """Less Defense for a round in place of a Strike or a trait: in the next one, which is the one that counts
    already where the round of the Hit is over, as before the first."""
    by = with_trait(world, foe(side), "ablates")
    ahead = 1 if world.get(REST) else 0
    less = for_round(world, "defense", trait(world, by)["ablates"], by, ahead=ahead)
    yield from give_bonus(world, side, less, "next round" if ahead else "this round")
