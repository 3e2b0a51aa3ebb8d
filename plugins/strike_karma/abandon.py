"""Giving up what one has delayed, or the condition that one waits for (CIN-05, 06, 09)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from strike_cli.plugin import Args, Procedure, Refused, World, listed

from .facts import KarmaAbandoned
from .fight import KarmaFight, told_of, uncompleted

if TYPE_CHECKING:
    from .data import KarmaAbandonData

KINDS = ("delayed", "conditional")


class Abandon(Args):
    """Who gives up what; it has to be said where they have both."""

    who: str
    kind: Literal["", "delayed", "conditional"] = ""


def play_abandon(world: World, args: Abandon) -> Procedure[KarmaAbandonData]:
    """Play `karma abandon`, which is possible at any time.

    It makes somebody available again; they act once they are passed the initiative.
    """
    fight = KarmaFight(world)
    one = fight.present(args.who)
    there = [kind for kind in KINDS if f"{kind}_action" in one]
    kinds = [kind for kind in there if args.kind in ("", kind)]
    if not kinds:
        at_it = [who for who in fight.there() if uncompleted(fight.people[who])]
        raise Refused(
            f"{fight.subject(args.who, 'has')} nothing to abandon.", f"Uncompleted: {listed(at_it)}."
        )
    if len(kinds) > 1:
        raise Refused(f"{fight.subject(args.who, 'has')} both.", "Say --delayed or --conditional.")
    yield from give_up(world, args.who, kinds[0])
    return {"who": args.who, "kind": kinds[0], "available": args.who in fight.able()}


def give_up(world: World, who: str, kind: str) -> Procedure[None]:
    """Somebody gives up an uncompleted action."""
    fight = KarmaFight(world)
    action = fight.uncompleted_of(who, kind)
    assert action is not None  # the caller has looked
    what = told_of(action)
    sets = {**fight.sets_going_on(), fight.path(who, f"{kind}_action"): None}
    yield world.tell(KarmaAbandoned(who, what, fight.is_group(who)), sets)
