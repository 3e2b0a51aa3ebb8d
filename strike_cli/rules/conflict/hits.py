"""Hits: what the opponents of the team that was hit may choose, and what comes of it (STR-TC-06, 16)."""

from __future__ import annotations

from typing import Any

from ...problems import Refused, listed
from ..people import slug
from ..procedure import Procedure, World
from .contest import SIDES
from .scene import (
    Args,
    active,
    add_strike,
    can_regain,
    foe,
    for_round,
    give_bonus,
    may_regain,
    name_of,
    of,
    path,
    regain,
    strikes,
    trait,
    under_way,
    with_trait,
)

STRIKE, ABLATE, DRAIN = "strike", "ablate", "drain"


def hit_options(world: World, side: str) -> list[str]:
    """What a Hit on a side may do: a Strike, one of its traits, or what the traits of its opponents allow in
    place of both."""
    options = [STRIKE, *of(world, side, "traits", ())]
    if with_trait(world, foe(side), "ablates"):
        options.append(ABLATE)
    drains = any(does.get("drains") == "instead" for _, does in active(world, foe(side)))
    if drains and can_regain(world, foe(side)):
        options.append(DRAIN)
    return options


def take_hit(world: World, side: str, why: str) -> Procedure[None]:
    """A Hit. Where nothing but a Strike may come of it, it is one at once; else the opponents choose."""
    for shield, does in active(world, side):
        ignored = of(world, side, "ignored", {}).get(slug(shield), 0)
        if ignored < does.get("ignores_hits", 0):
            text = f"{name_of(world, side)} ignores a Hit ({why}): {shield}."
            sets = {path(side, f"ignored.{slug(shield)}"): ignored + 1}
            yield world.happen("conflict-hit-ignored", "", text, sets, side=side)
            return
    options = hit_options(world, side)
    if len(options) == 1:
        yield from _strike(world, side, f"a Hit, {why}", "")
        return
    due = of(world, side, "hits_due", 0) + 1
    text = f"{name_of(world, side)} takes a Hit ({why}): {listed(options)}?"
    yield world.happen("conflict-hit", "", text, {path(side, "hits_due"): due}, side=side, why=why)


def _strike(world: World, side: str, why: str, recover: str) -> Procedure[None]:
    yield from add_strike(world, side, why)
    yield from _drain_as_well(world, side, recover)


def _drain_as_well(world: World, side: str, recover: str) -> Procedure[None]:
    """Superior Draining: who dealt the Hit regains something besides."""
    for name, does in list(active(world, foe(side))):
        if does.get("drains") == "as-well":
            yield from regain(world, foe(side), recover, name)


def hits_must_be_decided(world: World) -> None:
    """Raises Refused while a Hit waits for what it does."""
    for side in SIDES:
        if of(world, side, "hits_due", 0):
            raise Refused(
                f"{name_of(world, side)} has taken a Hit that waits to be decided.",
                f"`strike conflict hit {side} strike`, or: {listed(hit_options(world, side)[1:])}.",
            )


def play_hit(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict hit`: what a Hit does, as the opponents of the team hit choose (STR-TC-06).

    Args: side, what (`strike`, the trait, `ablate`, `drain`), recover (what Draining brings back).
    """
    under_way(world, ended=True)
    side = args["side"]
    if not of(world, side, "hits_due", 0):
        name = name_of(world, side)
        raise Refused(
            f"No Hit on {name[0].lower() + name[1:]} waits to be decided.",
            "A Hit that can be nothing but a Strike is one at once.",
        )
    what = _option(world, side, args["what"])
    recover = may_regain(world, foe(side), args["recover"])
    yield _decided(world, side)
    if what == STRIKE:
        yield from _strike(world, side, "a Hit", recover)
    elif what == ABLATE:
        by = with_trait(world, foe(side), "ablates")
        # Hits are decided before the next round begins, so that round is the one that counts now.
        less = for_round(world, "defense", trait(world, by)["ablates"], by, ahead=0)
        yield from give_bonus(world, side, less, "this round")
    elif what == DRAIN:
        by = next(name for name, does in active(world, foe(side)) if does.get("drains") == "instead")
        yield from regain(world, foe(side), recover, by)
    else:
        yield _loses(world, side, what)
        yield from _drain_as_well(world, side, recover)
    while of(world, side, "hits_due", 0) and len(hit_options(world, side)) == 1:
        yield _decided(world, side)
        yield from _strike(world, side, "a Hit", "")
    return {
        "side": side,
        "what": what,
        "strikes": strikes(world),
        "traits": of(world, side, "traits", []),
        "lost_traits": of(world, side, "lost_traits", []),
        "hits_due": of(world, side, "hits_due", 0),
    }


def _option(world: World, side: str, word: str) -> str:
    options = hit_options(world, side)
    found = [one for one in options if slug(one) == slug(word)]
    found = found or [one for one in options if slug(one).startswith(slug(word))]
    if len(found) != 1:
        raise Refused(f"A Hit can't do {word!r} here: no active trait.", f"One of: {listed(options)}.")
    return found[0]


def _decided(world: World, side: str) -> Any:
    due = of(world, side, "hits_due") - 1
    return world.happen("conflict-hit-decided", "", "", {path(side, "hits_due"): due or None}, side=side)


def _loses(world: World, side: str, name: str) -> Any:
    sets = {
        path(side, "traits"): [one for one in of(world, side, "traits") if one != name],
        path(side, "lost_traits"): [*of(world, side, "lost_traits", ()), name],
    }
    text = f"{name_of(world, side)} loses {name}."
    return world.happen("conflict-trait-lost", "", text, sets, side=side, trait=name)
