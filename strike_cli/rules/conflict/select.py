"""What comes before the dice: the start, preparatory actions, actions, scouting (STR-TC-01 to 03, 13, 14)."""

from __future__ import annotations

from typing import Any

from ...problems import Refused, Usage, listed
from ..dice import Rolled
from ..numbers import numbers
from ..people import display_name, knows, slug
from ..procedure import Procedure, Roll, World
from .contest import ROLLS
from .scene import (
    ACTIONS,
    LIMITS,
    SECONDARY,
    Args,
    add_bonuses,
    find_action,
    find_key,
    hits_must_be_decided,
    may_regain,
    members,
    must_be_in,
    names,
    removable,
    strikes,
    take_hit,
    under_way,
)


def play_start(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict start`. Args: name, intent, against, their_intent, team, traits; id where it was prepared;
    advance and defense, where left out one less than there are players (STR-TC-03); death, announced."""
    if world.get("conflict"):
        raise Refused(
            f"{world.get('conflict.name')} is not over.", "`strike conflict end` ends it, with its aftermath."
        )
    team = list(args["team"])
    if not team:
        raise Refused("A conflict needs a team.", "Name who takes part: --team vex.")
    given = {which: args.get(which) for which in ROLLS}
    usual = max(0, len(team) - LIMITS["fewer"])
    scene: dict[str, Any] = {
        "name": args["name"],
        "intent": args["intent"],
        "against": args["against"],
        "their_intent": args["their_intent"],
        **{which: usual if value is None else value for which, value in given.items()},
        "round": 1,
        "team": team,
        "strikes": {"ours": 0, "theirs": 0},
        "traits": list(args["traits"]),
    }
    if args.get("id"):
        scene["id"] = args["id"]
    if args.get("death"):
        scene["death"] = True
    shown = [display_name(world, who) for who in team]
    text = (
        f"{args['name']}: {listed(shown)} against {args['against']} "
        f"(Advance {scene['advance']}, Defense {scene['defense']}"
        + (f"; {listed(scene['traits'])}" if scene["traits"] else "")
        + f"). At stake: {args['intent']}; or: {args['their_intent']}."
    )
    yield world.happen("conflict-started", "", text, {"conflict": scene}, team=team)
    return dict(scene)


def play_prep(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict prep`: one preparatory action a player, before the first round (STR-TC-14).

    Args: who, action.
    """
    scene, who = under_way(world), args["who"]
    must_be_in(world, who)
    table = numbers("conflict")["prep"]
    known = {key: str(item["name"]) for key, item in table["actions"].items()}
    key = find_key(args["action"], known, "preparatory action")
    name = display_name(world, who)
    if scene["round"] > 1 or scene.get("actions"):
        raise Refused("Preparations are over once the first round has begun.", "`strike conflict act` acts.")
    if who in scene.get("prepared", {}):
        raise Refused(
            f"{name} has prepared already: {known[scene['prepared'][who]]}.",
            "One preparatory action a player.",
        )
    faces = yield Roll(1, 6, known[key], who)
    roll = Rolled(who, known[key], faces)
    how = str(table["faces"][str(roll.kept)])
    does = table["badly"] if how == "badly" else table["actions"][key][how]
    sets: dict[str, Any] = {f"conflict.prepared.{who}": key}
    bonuses = [{"side": "ours", "why": f"{name}: {known[key]}", **bonus} for bonus in does.get("bonuses", ())]
    if bonuses:
        sets |= add_bonuses(world, *bonuses)
    if "scouts" in does:
        sets["conflict.scouts"] = min(len(ROLLS), scene.get("scouts", 0) + does["scouts"])
    for what, path in (("stock", "conflict.stock"), ("inspire", "conflict.inspired")):
        if what in does:
            sets[path] = [*world.get(path, []), does[what]]
    text = f"{name} prepares, {known[key]}: {roll.words()}, {how}."
    yield world.happen("conflict-prepared", who, text, sets, roll=roll.as_json(), action=key)
    if does.get("hit"):
        yield from take_hit(world, "theirs", known[key])
    return {"who": who, "action": key, "roll": roll.as_json(), "came": how, "gives": dict(does)}


def play_act(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict act`: what somebody does this round; it may be changed until the dice fall.

    Args: who, action, skill, secondary ("" or which roll it helps, STR-TC-13), recover (what Recover is for).
    """
    scene, who = under_way(world), args["who"]
    must_be_in(world, who)
    hits_must_be_decided(world)
    name, path = display_name(world, who), f"conflict.actions.{who}"
    if args["secondary"]:
        if args["action"] and slug(args["action"]) != SECONDARY:
            raise Usage("A secondary goal is instead of an action.", "Leave the action out.")
        chosen = {"action": SECONDARY, "to": args["secondary"]}
        text = (
            f"{name} is after a secondary goal, and helps {args['secondary'].capitalize()} "
            f"by {LIMITS['secondary']}: a Skill Roll says whether it is reached."
        )
        yield world.happen("conflict-acted", who, text, {path: chosen}, action=SECONDARY)
        return {"who": who, **chosen, "missing": missing(world)}
    if not args["action"] or slug(args["action"]) == SECONDARY:
        raise Usage("Which action?", "`strike conflict act WHO ACTION`, or --secondary advance|defense.")
    key = find_action(args["action"], "ours")
    action = ACTIONS[key]
    _skill_must_fit(world, who, key, args["skill"])
    others = [one for one, item in scene.get("actions", {}).items() if one != who and item["action"] == key]
    if not action.get("basic") and len(others) >= LIMITS["same_action"]:
        shown = listed(display_name(world, one) for one in others)
        raise Refused(
            f"{action['name']} is taken twice this round: {shown}.", "Choose another action, or a basic one."
        )
    if action.get("once") and who in scene.get("took_one", ()):
        raise Refused(
            f"{name} has used {action['name']} in this conflict.", "Each player may once: choose another."
        )
    chosen = {"action": key}
    if args["skill"]:
        chosen["skill"] = args["skill"]
    if args["recover"]:
        chosen["recover"] = _to_recover(world, "ours", key, args["recover"])
    with_skill = f" with {args['skill']}" if args["skill"] else ""
    text = f"{name}: {action['name']}{with_skill}."
    yield world.happen("conflict-acted", who, text, {path: chosen}, action=key)
    return {"who": who, **chosen, "missing": missing(world)}


def _skill_must_fit(world: World, who: str, key: str, skill: str) -> None:
    name, action = display_name(world, who), ACTIONS[key]
    if skill and not knows(world, who, skill):
        raise Refused(f"{name} does not have {skill}.", "Basic actions need no Skill.")
    if not skill and not action.get("basic"):
        basic = listed(
            item["name"] for item in ACTIONS.values() if item.get("basic") and item.get("of") != "theirs"
        )
        raise Refused(
            f"{action['name']} needs a relevant Skill of {name}'s.",
            f"Name it: --skill SKILL. Without one: {basic}.",
        )


def _to_recover(world: World, side: str, key: str, wanted: str) -> str:
    if not ACTIONS[key].get("recover"):
        raise Usage(f"{ACTIONS[key]['name']} recovers nothing.", "Leave --recover out.")
    return may_regain(world, side, wanted)


def missing(world: World) -> list[str]:
    """Who of the team has not acted this round."""
    done = world.get("conflict.actions", {})
    return [who for who in members(world) if who not in done]


def play_oppose(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict oppose`: the opposition's one action, kept from the players until the dice fall (STR-TC-03).

    Args: action, recover (what Recover is for), next (which roll Obscure helps, where it does).
    """
    under_way(world)
    hits_must_be_decided(world)
    key = find_action(args["action"], "theirs")
    action = ACTIONS[key]
    chosen = {"action": key}
    if action.get("their_removal") and not removable(world, "ours"):
        has = "none that can be removed" if strikes(world)["ours"] else "none"
        raise Refused(
            f"{action['name']} takes a Strike from the team, which has {has}.", "Choose another action."
        )
    if args["recover"]:
        chosen["recover"] = _to_recover(world, "theirs", key, args["recover"])
    if action.get("obscure"):
        chosen["next"] = args["next"] or ROLLS[0]
    elif args["next"]:
        raise Usage("Only Obscure gives a bonus of choice.", "Leave --next out.")
    text = f"{names(world)['theirs']}: {action['name']}, in secret."
    yield world.happen("conflict-opposed", "", text, {"conflict.opposition": chosen}, action=key)
    return {**chosen, "missing": missing(world)}


def play_scout(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict scout`: one of the opposition's dice, rolled now for this round's roll (STR-TC-02, 07).

    Args: which ("advance", "defense", or "" for the first that is not known yet).
    """
    scene = under_way(world)
    hits_must_be_decided(world)
    if not scene.get("scouts"):
        raise Refused(
            "The team may scout nothing this round.",
            "Observe gives it, for the round after; so may preparing.",
        )
    if scene.get("actions"):
        raise Refused(
            "Scouting comes before the actions, and some have acted.", "`strike undo` takes actions back."
        )
    known = scene.get("scouted", {})
    open_ones = [which for which in ROLLS if which not in known]
    which = args["which"] or open_ones[0]
    if which in known:
        raise Refused(
            f"Their {which.capitalize()} is scouted: {known[which]}.", f"Left: {listed(open_ones)}."
        )
    faces = yield Roll(1, 6, which, scene["against"])
    roll = Rolled(scene["against"], which, faces)
    left = min(scene["scouts"], len(open_ones)) - 1
    text = f"The team scouts {scene['against']}'s {which.capitalize()}: the die will be {roll.kept}."
    sets = {f"conflict.scouted.{which}": roll.kept, "conflict.scouts": left or None}
    yield world.happen("conflict-scouted", "", text, sets, roll=roll.as_json(), which=which)
    return {"which": which, "roll": roll.as_json(), "left": left}
