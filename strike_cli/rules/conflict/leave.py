"""Ways out of a conflict: averting a loss, withdrawing, conceding, the aftermath (STR-TC-09 to 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...problems import Refused, Usage, listed
from ..conditions import gain_condition, stacks
from ..numbers import numbers
from ..people import display_name, spend_action_point
from ..points import use_complication
from ..procedure import Choose, Procedure, World
from .scene import (
    LIMITS,
    OURS,
    Args,
    active,
    hits_must_be_decided,
    may_regain,
    members,
    must_be_in,
    names,
    regain,
    strikes,
    take_hit,
    under_way,
)


def severity_for(count: int) -> str:
    """The severity of the Condition that so many Strikes of the team bring; empty for none."""
    for row in numbers("conflict")["aftermath"]["conditions"]:
        if count >= row["from"]:
            return str(row["severity"])
    return ""


def concessions_for(count: int) -> list[str]:
    """The Concessions that a win with so many Strikes owes."""
    for row in numbers("conflict")["aftermath"]["concessions"]:
        if count >= row["from"]:
            return list(row["owed"])
    return []


def aftermath(world: World) -> dict[str, Any]:
    """What the conflict comes to as it has ended: who gains which kind of Condition, what is owed. Nothing
    of it has happened before `conflict end`."""
    scene = world.get("conflict")
    ended, count = scene.get("ended"), strikes(world)
    severity = severity_for(count["ours"])
    owed = []
    if ended == "win":
        owed = concessions_for(count["ours"])
        for _, does in active(world):
            owed += does.get("owed_on_win", [])
    close = (
        ended in ("lose", "conceded") and count["theirs"] >= numbers("conflict")["aftermath"]["close_loss"]
    )
    options = numbers("skill")["opposed"]["loser_options"] if close else []
    return {
        "result": ended,
        "conditions": dict.fromkeys(members(world), severity) if severity else {},
        "concessions": owed,
        "personal": list(scene.get("took_one", [])),
        "loser_options": [option["id"] for option in options],
    }


def play_avert(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict avert`: an Action Point, and a loss is none (STR-TC-10). Args: who, theirs (what the
    opposition regains: strike, a trait, or "")."""
    scene, who = under_way(world, ended=True), args["who"]
    must_be_in(world, who)
    if scene.get("ended") != "lose":
        raise Refused("There is no loss to avert.", "It is for the round that the team has just lost.")
    wanted = may_regain(world, "theirs", args["theirs"])
    yield from spend_action_point(world, who, "averting the loss", LIMITS["avert"])
    text = f"{display_name(world, who)} averts the loss: {scene['name']} goes on."
    yield world.happen("conflict-averted", who, text, {"conflict.ended": None})
    yield from take_hit(world, "ours", "the loss averted")
    yield from regain(world, "theirs", wanted, "the loss averted")
    return {"who": who, "strikes": strikes(world), "traits": world.get("conflict.traits", []), "ended": False}


def play_withdraw(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict withdraw`: for good, with the Condition that the Strikes bring now (STR-TC-12). Args: who,
    conditions ({who: condition})."""
    scene, who = under_way(world), args["who"]
    must_be_in(world, who)
    severity = severity_for(strikes(world)["ours"])
    left = {one: item for one, item in scene.get("actions", {}).items() if one != who}
    sets = {
        "conflict.withdrawn": [*scene.get("withdrawn", []), who],
        "conflict.actions": left or None,
    }
    text = f"{display_name(world, who)} withdraws, and shares in how it ends."
    yield world.happen("conflict-withdrew", who, text, sets)
    gained = {}
    if severity:
        gained[who] = yield from _condition(world, who, severity, args["conditions"])
    return {"who": who, "conditions": gained, "team": members(world)}


def play_concede(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict concede`: everybody agrees to lose, at a round's start (STR-TC-11). Args: complications
    ([who, name] of each whose Complication explains it)."""
    scene = under_way(world)
    if scene.get("actions"):
        acted = listed(display_name(world, who) for who in scene["actions"])
        raise Refused(
            f"The team may concede at the start of a round, and some have acted: {acted}.",
            "Play the round, or `strike undo` takes actions back.",
        )
    hits_must_be_decided(world)
    had = strikes(world)["ours"]
    now = max(0, had - LIMITS["concede"])
    text = f"{OURS} concedes {scene['name']}; Strikes: {now} in place of {had}."
    sets = {
        "conflict.ended": "conceded",
        "conflict.strikes.ours": now,
        "conflict.actions": None,
        "conflict.opposition": None,
    }
    yield world.happen("conflict-conceded", "", text, sets)
    used: list[dict[str, Any]] = []
    for who, name in args["complications"]:
        must_be_in(world, who)
        if who in [item["who"] for item in used]:
            raise Usage(f"{display_name(world, who)} is named twice.", "One Complication each.")
        used.append((yield from use_complication(world, who, name, "concede")))
    return {
        "strikes": strikes(world),
        "ended": True,
        "complications": used,
        "aftermath": aftermath(world),
    }


def play_end(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`conflict end`: the aftermath happens, and the conflict is over (STR-TC-09). Args: conditions ({who:
    condition} said beforehand), abandon (drop it as it stands, with nothing of that)."""
    scene = under_way(world, ended=True)
    if args["abandon"]:
        yield world.happen(
            "conflict-abandoned", "", f"{scene['name']} is dropped as it stands.", {"conflict": None}
        )
        return {"result": "abandoned", "conditions": {}, "concessions": [], "personal": []}
    if not scene.get("ended"):
        raise Refused(
            f"{scene['name']} is not decided.",
            "Play on, `strike conflict concede`, or `strike conflict end --abandon`.",
        )
    if scene["ended"] == "lose":
        hits_must_be_decided(world)  # a Strike of theirs makes the loss a close one
    data = aftermath(world)
    unknown = [who for who in args["conditions"] if who not in data["conditions"]]
    if unknown:
        raise Refused(
            f"{listed(display_name(world, who) for who in unknown)} gains no Condition.",
            "Leave --condition out for them.",
        )
    if data["loser_options"]:
        choices = numbers("skill")["opposed"]["loser_options"]
        taken = yield Choose(
            OURS,
            "loser's option",
            tuple(option["id"] for option in choices),
            tuple(option["label"] for option in choices),
            data,
        )
        data["loser_chose"] = taken
        label = next(option["label"] for option in choices if option["id"] == taken)
        yield world.happen("conflict-loser-chose", "", f"The losers choose: {label}.", option=taken)
    gained = {}
    for who, severity in data["conditions"].items():
        gained[who] = yield from _condition(world, who, severity, args["conditions"])
    data["gained"] = gained
    yield world.happen("conflict-ended", "", _ending(world, data), {"conflict": None}, result=data["result"])
    return data


def _ending(world: World, data: Mapping[str, Any]) -> str:
    scene, name = world.get("conflict"), world.get("conflict.name")
    theirs = f"{names(world)['theirs']} gets its way: {scene['their_intent']}."
    told = {
        "win": f"The team wins: {scene['intent']}.",
        "lose": f"The team loses; {theirs}",
        "conceded": f"The team has conceded; {theirs}",
    }
    text = f"{name} is over. {told.get(data['result'], 'Neither side has its way.')}"
    owed = [f"a {one.capitalize()} Concession" for one in data["concessions"]]
    owed += [f"a personal Concession of {display_name(world, who)}" for who in data["personal"]]
    return f"{text} Owed: {listed(owed)}." if owed else text


def _condition(world: World, who: str, severity: str, said: Mapping[str, str]) -> Procedure[str]:
    """A Condition of a severity, said beforehand or chosen. One that touches Skills needs to be given by
    hand, so it is not offered; nor is one that would change nothing, unless there is no other."""
    known = {
        key: item
        for key, item in world.book.conditions.items()
        if item["severity"] == severity and not item.get("doubts")
    }
    if who in said:
        if said[who] not in known:
            raise Refused(
                f"{said[who].rpartition(':')[2]} is no {severity.capitalize()} Condition to gain here.",
                f"One of: {listed(key.rpartition(':')[2] for key in known)}.",
            )
        return (yield from gain_condition(world, who, said[who], "the conflict"))
    held = world.get(f"characters.{who}.conditions", [])
    fresh = [key for key, item in known.items() if key not in held or stacks(item) or "escalates" in item]
    keys = fresh or list(known)
    short = [key.rpartition(":")[2] for key in keys]
    options = short if len(set(short)) == len(short) else [key.replace(":", "-") for key in keys]
    taken = yield Choose(
        who,
        f"{severity.capitalize()} Condition",
        tuple(options),
        tuple(str(known[key]["name"]) for key in keys),
    )
    return (yield from gain_condition(world, who, keys[options.index(taken)], "the conflict"))
