"""The round itself, in three steps that odds take too: the reveal and bonuses, the dice, what comes of them
(STR-TC-04 to 08)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...problems import Refused, listed
from ..dice import Modifier, Rolled
from ..people import display_name, slug
from ..procedure import Choose, Procedure, World
from .contest import (
    ROLLS,
    SIDES,
    Contest,
    Rolls,
    Side,
    compare,
    double_tie,
    may_die,
    roll_sides,
    single_tie,
    tell,
)
from .hits import hits_must_be_decided, take_hit
from .leave import aftermath
from .scene import (
    LIMITS,
    Args,
    active,
    add_strike,
    both_are_teams,
    chosen,
    foe,
    for_round,
    give_bonus,
    is_team,
    may_regain,
    members,
    missing,
    name_of,
    names,
    of,
    path,
    regain,
    removable,
    remove_strike,
    strikes,
    under_way,
    with_trait,
)
from .weigh import brings, picks_must_fit

KEEP = "keep"
STOCK = "Stock Up"
THEIRS_FIRST = ("theirs", "ours")
"""Opponents come before the players (STR-TC-07)."""

Extra = dict[str, dict[str, list[Modifier]]]


def play_roll(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict roll`: the round once everybody has chosen.

    Args: weigh ({default: the roll that Conditions and Flaws are on, picks: [[word, roll]]}), dis ({roll:
    [reasons]} on ours), stock ({side: the roll that a Stock Up from before rolling helps}), recover (what a
    trait like Recovery is for).
    """
    sides = yield from bring_bonuses(world, args)
    came = yield from roll_and_compare(world, sides)
    return (yield from settle(world, args, came))


def bring_bonuses(world: World, args: Args) -> Procedure[dict[str, Side]]:
    """The reveal and the bonuses of before the dice; returns what both sides bring. Raises Refused with
    what is missing."""
    under_way(world)
    hits_must_be_decided(world)
    all_must_have_acted(world)
    picks_must_fit(world, args["weigh"])
    for side in SIDES:
        _recovers(world, side, args["recover"])
    for side in THEIRS_FIRST:
        if both_are_teams(world) or not is_team(world, side):
            told = listed(one.why if one.who else one.words for one in chosen(world, side))
            yield world.happen("conflict-revealed", "", f"{name_of(world, side)}: {told}.", side=side)
    extra: Extra = {side: {which: [] for which in ROLLS} for side in SIDES}
    for side in THEIRS_FIRST:
        yield from _versatile_before(world, side, extra)
        if side in args["stock"]:
            yield from _use_stock(world, side, "before")
            extra[side][args["stock"][side]].append(Modifier(LIMITS["stock"], STOCK))
    dis = {"ours": args["dis"], "theirs": {}}
    return {side: brings(world, side, args["weigh"], dis[side], extra[side]) for side in SIDES}


def all_must_have_acted(world: World) -> None:
    """Raises Refused with who has not chosen an action."""
    waits = [display_name(world, who) for side in SIDES for who in missing(world, side)]
    if waits:
        raise Refused(
            f"Not everybody has chosen an action: {listed(waits)}.",
            "`strike conflict act WHO ACTION`; whoever does nothing: `act WHO pass`.",
        )
    if not is_team(world, "theirs") and not of(world, "theirs", "opposition"):
        raise Refused(
            f"{name_of(world, 'theirs')} has chosen no action.", "`strike conflict oppose ACTION`, in secret."
        )
    for side in SIDES:
        if is_team(world, side) and not members(world, side):
            raise Refused(
                f"Nobody of {name_of(world, side)} is left.",
                f"`strike conflict concede{' --theirs' if side == 'theirs' else ''}` loses it for them.",
            )


def roll_and_compare(world: World, sides: Mapping[str, Side]) -> Procedure[Contest]:
    """The dice, the bonuses of after them, and what they come to."""
    rolls = yield from roll_sides(sides)
    for side in THEIRS_FIRST:
        for name, does in active(world, side):
            if does.get("either_when") == "after":
                yield from _add_after(world, rolls, side, name, does["either"], keep=False)
        if "after" in of(world, side, "stock", ()):
            used = yield from _add_after(world, rolls, side, STOCK, LIMITS["stock"], keep=True)
            if used:
                yield from _use_stock(world, side, "after")
    return _compared(world, rolls)


def _compared(world: World, rolls: Rolls) -> Contest:
    fated = [side for side in SIDES if with_trait(world, side, "ties")]
    return compare(rolls, single_tie(world), fated)


def _versatile_before(world: World, side: str, extra: Extra) -> Procedure[None]:
    for name, does in active(world, side):
        if does.get("either_when") == "before":
            labels = [f"{which.capitalize()} {does['either']:+d}" for which in ROLLS]
            which = yield Choose(name_of(world, side), slug(name), ROLLS, tuple(labels))
            extra[side][which].append(Modifier(does["either"], name))


def _add_after(world: World, rolls: Rolls, side: str, why: str, value: int, *, keep: bool) -> Procedure[bool]:
    """A bonus with the dice in sight (STR-TC-07, 14, 16). Changes `rolls`; returns whether it was used."""

    def added(which: str) -> Rolls:
        old = rolls[side][which]
        new = Rolled(
            old.who, old.purpose, old.faces, old.mode, old.sources, [*old.modifiers, Modifier(value, why)]
        )
        return {**rolls, side: {**rolls[side], which: new}}

    comes_to = {KEEP: _compared(world, rolls).outcome} if keep else {}
    comes_to |= {which: _compared(world, added(which)).outcome for which in ROLLS}
    labels = {KEEP: f"keep it: {_totals(rolls)}"} | {
        which: f"{which.capitalize()} {value:+d}" for which in ROLLS
    }
    shown = tuple(f"{labels[option]}, {outcome}" for option, outcome in comes_to.items())
    data = {"side": side, "comes_to": comes_to}
    taken = yield Choose(name_of(world, side), slug(why), tuple(comes_to), shown, data)
    if taken == KEEP:
        return False
    rolls[side] = added(taken)[side]
    return True


def _totals(rolls: Rolls) -> str:
    ours, theirs = ("/".join(str(roll.total) for roll in rolls[side].values()) for side in SIDES)
    return f"{ours} against {theirs}"


def _use_stock(world: World, side: str, when: str) -> Procedure[None]:
    left = list(of(world, side, "stock", []))
    if when not in left:
        raise Refused("Nothing is stocked up for this.", "Stock Up is a preparatory action.")
    left.remove(when)
    text = f"{name_of(world, side)} uses what was stocked up: {LIMITS['stock']:+d}."
    yield world.happen("conflict-stock-used", "", text, {path(side, "stock"): left or None}, side=side)


def settle(world: World, args: Args, came: Contest) -> Procedure[dict[str, Any]]:
    """All that comes of a round's dice: Hits, riders, traits, the next round or the end."""
    scene = world.get("conflict")
    opposed = scene["theirs"].get("opposition", {}).get("action")
    tied = None
    if came.outcome == "double-tie":
        tied = yield from double_tie(may_die(world, bool(scene.get("death"))), scene.get("swaps"))
    yield from tell(world, came, names(world), tied)
    hits = yield from _hits(world, came)
    for side in THEIRS_FIRST:
        yield from _actions_take_effect(world, side)
        yield from _traits_take_effect(world, side, came, args["recover"])
    ended = yield from _who_wins(world, came, hits)
    yield from _close_round(world, came, ended)
    return {
        "round": scene["round"],
        **came.as_data(),
        "hits": hits,
        "opposition": opposed,
        "double_tie": tied,
        "strikes": strikes(world),
        "hits_due": {side: of(world, side, "hits_due", 0) for side in SIDES},
        "scouts": {side: of(world, side, "scouts", 0) for side in SIDES},
        "ended": ended,
        "aftermath": aftermath(world) if ended else None,
    }


def _hits(world: World, came: Contest) -> Procedure[list[str]]:
    """Hits of the outcome, of traits and of actions; returns the teams hit."""
    due = [(side, came.outcome.capitalize()) for side in came.hits]
    for side in THEIRS_FIRST:
        for name, does in active(world, side):
            if "hit_on" in does and came.is_for(side, does["hit_on"]):
                due.append((foe(side), name))
        for one in chosen(world, side):
            for rider, hit in (("hit_self", side), ("hit_foe", foe(side))):
                if one.action.get(rider) in ("always", came.outcome):
                    due.append((hit, f"{one.by}'s {one.action['name']}"))
    for side, why in due:
        yield from take_hit(world, side, why)
    return [side for side, _ in due]


def _actions_take_effect(world: World, side: str) -> Procedure[None]:
    """What else a side's actions do: Strikes removed and taken, traits regained, bonuses to come."""
    observed = sum(bool(one.action.get("scout")) for one in chosen(world, foe(side)))
    for one in chosen(world, side):
        action, why = one.action, f"{one.by}'s {one.action.get('name')}"
        if is_team(world, side):
            for _ in range(action.get("irremovable", 0)):
                yield from add_strike(world, side, why, irremovable=True)
        elif action.get("their_removal") and removable(world, foe(side)):
            yield from remove_strike(world, foe(side), why)
        if action.get("recover"):
            yield from regain(world, side, one.item.get("recover", ""), why)
        if action.get("next_advance"):
            yield from give_bonus(world, side, for_round(world, "advance", action["next_advance"], one.why))
        if action.get("obscure") and observed:
            helped = ROLLS if observed > 1 else (one.item["next"],)
            for which in helped:
                yield from give_bonus(world, side, for_round(world, which, action["obscure"], one.why))


def _recovers(world: World, side: str, wanted: str) -> str:
    """What a trait like Recovery is for, where the side has one."""
    return may_regain(world, side, wanted) if with_trait(world, side, "recover_on") else ""


def _traits_take_effect(world: World, side: str, came: Contest, recover: str) -> Procedure[None]:
    """What a side's traits do after the round."""
    for name, does in list(active(world, side)):
        if "next_on" in does and came.is_for(side, does["next_on"]):
            less = does["next_defense"]
            value = -max(0, came.margin(side)) if less == "margin" else less
            if value:
                yield from give_bonus(world, foe(side), for_round(world, "defense", value, name))
        if "recover_on" in does and came.is_for(side, does["recover_on"]):
            yield from regain(world, side, _recovers(world, side, recover), name)


def _who_wins(world: World, came: Contest, hits: list[str]) -> Procedure[bool]:
    """Whether it is over; the traits that have a word in that. Appends to `hits`."""
    if came.outcome not in ("win", "lose"):
        return came.outcome == "double-tie"
    winner = "ours" if came.outcome == "win" else "theirs"
    shield = with_trait(world, foe(winner), "hit_for_loss")
    if shield:
        hits.append(foe(winner))
        yield from take_hit(world, foe(winner), shield)
        return False
    for name, does in list(active(world, foe(winner))):
        for _ in range(does.get("strike_on_win", 0)):
            yield from add_strike(world, winner, name)
    return True


def _close_round(world: World, came: Contest, ended: bool) -> Procedure[None]:
    """The next round, or the end: what was for this round only goes, what grows has grown."""
    number = world.get("conflict.round") + 1
    sets: dict[str, Any] = {"conflict.round": number}
    for side in SIDES:
        sets |= {path(side, key): value for key, value in _side_after(world, side, came, number).items()}
    if ended:
        sets["conflict.ended"] = came.outcome
    yield world.happen("conflict-round-closed", "", "", sets, round=number - 1)


def _side_after(world: World, side: str, came: Contest, number: int) -> dict[str, Any]:
    """What to set about a side as a round closes."""
    broken = came.pushes(side) or came.outcome == ("lose" if side == "ours" else "win")
    bonuses = [
        bonus
        for bonus in of(world, side, "bonuses", [])
        if bonus["last"] >= number and not (bonus.get("until_push") and broken)
    ]
    observed = sum(one.action.get("scout", 0) for one in chosen(world, side))
    obscured = any(one.action.get("obscure") for one in chosen(world, foe(side)))
    after: dict[str, Any] = {
        "actions": None,
        "opposition": None,
        "scouted": None,
        "scouts": None if obscured else min(observed, len(ROLLS)) or None,
        "bonuses": bonuses or None,
    }
    grown = dict(of(world, side, "grown", {}))
    for name, does in active(world, side):
        if does.get("grows_advance") or does.get("grows_defense"):
            grown[slug(name)] = grown.get(slug(name), 0) + 1
    if grown:
        after["grown"] = grown
    takers = [one.who for one in chosen(world, side) if one.action.get("concession")]
    if takers:
        after["took_one"] = [*of(world, side, "took_one", ()), *takers]
    return after
