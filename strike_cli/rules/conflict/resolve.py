"""The round itself: dice, outcome, what actions and traits add; and deciding a Hit (STR-TC-04 to 09)."""

from __future__ import annotations

from typing import Any

from ...problems import Refused, listed
from ..dice import Modifier, Rolled
from ..people import display_name, slug
from ..procedure import Choose, Procedure, World
from .contest import ROLLS, SIDES, Contest, Rolls, compare, double_tie, may_die, roll_sides, single_tie, tell
from .leave import aftermath
from .scene import (
    ACTIONS,
    OURS,
    SECONDARY,
    Args,
    active,
    add_bonuses,
    add_strike,
    for_next_round,
    has_trait,
    hits_must_be_decided,
    may_regain,
    members,
    names,
    our_side,
    regain,
    removable,
    remove_strike,
    strikes,
    take_hit,
    their_side,
    under_way,
)
from .select import missing

KEEP = "keep"


def play_roll(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict roll`: the round once everybody has chosen.

    Args: weigh (the roll that Conditions are on: advance, defense, none), dis ({roll: [reasons]}), stock
    (the roll that a Stock Up from before rolling helps, or ""), recover (what the trait Recovery is for).
    """
    scene = under_way(world)
    hits_must_be_decided(world)
    _all_must_have_acted(world)
    recover = may_regain(world, "theirs", args["recover"])
    if args["stock"]:
        yield from _use_stock(world, "before")
    theirs = their_side(world)
    sides = {"ours": our_side(world, args["weigh"], args["dis"], args["stock"]), "theirs": theirs}
    opposed = ACTIONS[scene["opposition"]["action"]]["name"]
    yield world.happen("conflict-revealed", "", f"{scene['against']}: {opposed}.")
    rolls = yield from roll_sides(sides)
    if "after" in world.get("conflict.stock", []):
        yield from _stock_after(world, rolls)
    came = compare(rolls, single_tie(world), bool(has_trait(world, "ties")))
    tied = None
    if came.outcome == "double-tie":
        tied = yield from double_tie(may_die(world, bool(scene.get("death"))))
    yield from tell(world, came, names(world), tied)
    hits = yield from _hits(world, came)
    yield from _effects(world, came, recover)
    ended = came.outcome in ("win", "lose", "double-tie")
    if came.outcome == "win":
        shield = has_trait(world, "hit_for_loss")
        if shield:
            ended = False
            hits.append("theirs")
            yield from take_hit(world, "theirs", shield)
        else:
            for name, does in list(active(world)):
                for _ in range(does.get("strike_on_win", 0)):
                    yield from add_strike(world, "ours", name)
    number = scene["round"]
    yield from _close_round(world, came, ended)
    return {
        "round": number,
        **came.as_data(),
        "hits": hits,
        "opposition": scene["opposition"]["action"],
        "double_tie": tied,
        "strikes": strikes(world),
        "hits_due": world.get("conflict.hits_due", 0),
        "scouts": world.get("conflict.scouts", 0),
        "ended": ended,
        "aftermath": aftermath(world) if ended else None,
    }


def _all_must_have_acted(world: World) -> None:
    waits = [display_name(world, who) for who in missing(world)]
    if waits:
        raise Refused(
            f"Not everybody has chosen an action: {listed(waits)}.",
            "`strike conflict act WHO ACTION`; whoever does nothing: `act WHO pass`.",
        )
    if not world.get("conflict.opposition"):
        raise Refused(
            f"{names(world)['theirs']} has chosen no action.", "`strike conflict oppose ACTION`, in secret."
        )
    if not members(world):
        raise Refused("Nobody of the team is left.", "`strike conflict concede` loses it.")


def _use_stock(world: World, when: str) -> Procedure[None]:
    held: list[str] = world.get("conflict.stock", [])
    if when not in held:
        raise Refused("Nothing is stocked up for this.", "Stock Up is a preparatory action.")
    left = list(held)
    left.remove(when)
    yield world.happen(
        "conflict-stock-used", "", f"{OURS} uses what was stocked up: +1.", {"conflict.stock": left or None}
    )


def _stock_after(world: World, rolls: Rolls) -> Procedure[None]:
    """A bonus after the dice (STR-TC-07, 14). Changes `rolls`."""
    shown = {side: {which: roll.total for which, roll in rolls[side].items()} for side in SIDES}
    taken = yield Choose(
        OURS,
        "stocked up",
        (KEEP, *ROLLS),
        (
            f"keep it: {_totals(shown['ours'])} against {_totals(shown['theirs'])}",
            "Advance +1",
            "Defense +1",
        ),
    )
    if taken == KEEP:
        return
    yield from _use_stock(world, "after")
    old = rolls["ours"][taken]
    modifiers = [*old.modifiers, Modifier(1, "Stock Up")]
    rolls["ours"][taken] = Rolled(old.who, old.purpose, old.faces, old.mode, old.sources, modifiers)


def _totals(totals: dict[str, int]) -> str:
    return f"{totals['advance']}/{totals['defense']}"


def _hits(world: World, came: Contest) -> Procedure[list[str]]:
    """Hits of the outcome, of traits and of actions; returns the teams hit."""
    outcome = came.outcome
    due = [(side, outcome.capitalize()) for side in came.hits]
    theirs_push = outcome == "push" and came.counts_as["theirs"] == "win"
    for name, does in active(world):
        if does.get("hit_on") == "draw" == outcome or (does.get("hit_on") == "push" and theirs_push):
            due.append(("ours", name))
    for side, foe in (("theirs", "ours"), ("ours", "theirs")):
        for by, key in _chosen(world, side):
            action = ACTIONS[key]
            for rider, hit in (("hit_self", side), ("hit_foe", foe)):
                if action.get(rider) in ("always", outcome):
                    due.append((hit, f"{by}'s {action['name']}"))
    for side, why in due:
        yield from take_hit(world, side, why)
    return [side for side, _ in due]


def _chosen(world: World, side: str) -> list[tuple[str, str]]:
    """Whose actions a side has this round: name and action."""
    scene = world.get("conflict")
    if side == "theirs":
        return [(scene["against"], scene["opposition"]["action"])]
    return [
        (display_name(world, who), scene["actions"][who]["action"])
        for who in members(world)
        if scene["actions"][who]["action"] != SECONDARY
    ]


def _effects(world: World, came: Contest, recover: str) -> Procedure[None]:
    """What else actions and traits do, the opposition's first: Strikes removed and taken, bonuses to come."""
    scene = world.get("conflict")
    observers = [by for by, key in _chosen(world, "ours") if ACTIONS[key].get("scout")]
    own = scene["opposition"]
    action = ACTIONS[own["action"]]
    if action.get("their_removal") and removable(world, "ours"):
        yield from remove_strike(world, "ours", f"{scene['against']}'s {action['name']}")
    if action.get("recover"):
        yield from regain(world, "theirs", own.get("recover", ""), str(action["name"]))
    bonuses = []
    if action.get("next_advance"):
        bonuses.append(for_next_round(world, "theirs", "advance", action["next_advance"], action["name"]))
    if action.get("obscure") and observers:
        helped = ROLLS if len(observers) > 1 else (own["next"],)
        bonuses += [for_next_round(world, "theirs", which, 1, action["name"]) for which in helped]
    pushes = came.outcome == "push" and came.counts_as["theirs"] == "win"
    for name, does in list(active(world)):
        when = does.get("next_on")
        if (when == "draw" == came.outcome) or (when == "push" and pushes):
            bonuses.append(for_next_round(world, "ours", "defense", does["next_defense"], name))
        if does.get("recover_on") == came.outcome:
            yield from regain(world, "theirs", recover, name)
    for by, key in _chosen(world, "ours"):
        action = ACTIONS[key]
        if action.get("next_advance"):
            why = f"{by}: {action['name']}"
            bonuses.append(for_next_round(world, "ours", "advance", action["next_advance"], why))
        for _ in range(action.get("irremovable", 0)):
            yield from add_strike(world, "ours", f"{by}'s {action['name']}", irremovable=True)
    for who in members(world):
        chosen = scene["actions"][who]
        if ACTIONS.get(chosen["action"], {}).get("recover"):
            why = f"{display_name(world, who)}'s {ACTIONS[chosen['action']]['name']}"
            yield from regain(world, "ours", chosen.get("recover", ""), why)
    for bonus in bonuses:
        which = next(roll for roll in ROLLS if roll in bonus)
        text = (
            f"{names(world)[bonus['side']]} has {bonus[which]:+d} {which.capitalize()} next round: "
            f"{bonus['why']}."
        )
        yield world.happen("conflict-bonus", "", text, add_bonuses(world, bonus), side=bonus["side"])


def _close_round(world: World, came: Contest, ended: bool) -> Procedure[None]:
    """The next round, or the end: what was for this round only goes, what grows has grown."""
    scene = world.get("conflict")
    number = scene["round"] + 1
    takers = [
        who for who in members(world) if ACTIONS.get(scene["actions"][who]["action"], {}).get("concession")
    ]
    our_push = came.outcome == "push" and came.counts_as["ours"] == "win"
    left = [
        bonus
        for bonus in scene.get("bonuses", [])
        if bonus["last"] >= number and not (bonus.get("until_push") and (our_push or came.outcome == "lose"))
    ]
    scouts = sum(ACTIONS[key].get("scout", 0) for _, key in _chosen(world, "ours"))
    if ACTIONS[scene["opposition"]["action"]].get("obscure"):
        scouts = 0
    grown = dict(scene.get("grown", {}))
    for name, does in active(world):
        if "grows_advance" in does or "grows_defense" in does:
            grown[slug(name)] = grown.get(slug(name), 0) + 1
    sets: dict[str, Any] = {
        "conflict.round": number,
        "conflict.actions": None,
        "conflict.opposition": None,
        "conflict.scouted": None,
        "conflict.scouts": min(scouts, len(ROLLS)) or None,
        "conflict.bonuses": left or None,
    }
    if grown:
        sets["conflict.grown"] = grown
    if takers:
        sets["conflict.took_one"] = [*scene.get("took_one", []), *takers]
    if ended:
        sets["conflict.ended"] = came.outcome
    yield world.happen("conflict-round-closed", "", "", sets, round=number - 1)


def play_hit(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict hit`: what a Hit does, as the opponents of the team hit choose (STR-TC-06). Args: side, what
    ("strike", or the trait)."""
    scene, side, what = under_way(world, ended=True), args["side"], args["what"]
    if side != "theirs" or not scene.get("hits_due"):
        raise Refused(
            f"No Hit on {names(world)[side][0].lower() + names(world)[side][1:]} waits to be decided.",
            "A Hit on a side without traits is a Strike at once.",
        )
    left = {"conflict.hits_due": scene["hits_due"] - 1 or None}
    if what == "strike":
        yield world.happen("conflict-hit-decided", "", "", left, side=side)
        yield from add_strike(world, side, "a Hit")
    else:
        traits = scene.get("traits", [])
        found = [name for name in traits if slug(name) == slug(what)]
        found = found or [name for name in traits if slug(name).startswith(slug(what))]
        if len(found) != 1:
            raise Refused(f"{what!r} is no active trait.", f"`strike`, or one of: {listed(traits)}.")
        sets = {
            **left,
            "conflict.traits": [name for name in traits if name != found[0]],
            "conflict.lost_traits": [*scene.get("lost_traits", []), found[0]],
        }
        text = f"{names(world)[side]} loses {found[0]}."
        yield world.happen("conflict-trait-lost", "", text, sets, side=side, trait=found[0])
        while world.get("conflict.hits_due", 0) and not world.get("conflict.traits", []):
            due = world.get("conflict.hits_due") - 1
            yield world.happen("conflict-hit-decided", "", "", {"conflict.hits_due": due or None}, side=side)
            yield from add_strike(world, side, "a Hit")
    return {
        "side": side,
        "strikes": strikes(world),
        "traits": world.get("conflict.traits", []),
        "lost_traits": world.get("conflict.lost_traits", []),
        "hits_due": world.get("conflict.hits_due", 0),
    }
