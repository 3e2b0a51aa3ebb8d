"""A turn from its start effects to its saves (STR-TAC-03, 16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...problems import Refused
from ..contributions import held_by, reasons_for
from ..dice import roll_die
from ..numbers import numbers
from ..procedure import Procedure, World
from . import zones
from .fight import Fight, path_of
from .harm import INCAPACITATED, PRONE, end_status, has_status, heal, hurt, react, wait_a_turn
from .hide import vanish
from .place import start_in_zones


def play_turn(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat turn`: the next combatant's turn begins, with its start effects and Comeback Roll."""
    fight = Fight(world)
    if not fight.data["round"]:
        raise Refused("Initiative has not been rolled.", "`strike combat initiative` rolls it.")
    active = fight.data.get("active")
    if active:
        raise Refused(f"It is {fight.name(active)}'s turn.", "`strike combat end-turn` ends it.")
    who = fight.next_up()
    now = fight.data["round"]
    new_round = fight.combatant(who).get("acted", 0) >= now
    sets: dict[str, Any] = {"fight.active": who, "fight.turn": None}
    text = f"{fight.name(who)}'s turn."
    if new_round:
        now += 1
        sets["fight.round"] = now
        text = f"Round {now}. {text}"
    yield world.happen("turn-started", who, text, sets, round=now)
    data: dict[str, Any] = {"who": who, "round": now, "new_round": new_round, "comeback": None}
    yield from _ends_at(world, "turn-start", who)
    yield from react(world, who, "turn-started")
    yield from start_in_zones(world, who)
    yield from vanish(world, who)
    if "out" not in fight.combatant(who) and has_status(world, who, INCAPACITATED):
        data["comeback"] = yield from _comeback(world, who)
    data["by_hand"] = [
        f"{held.name}: {held.definition['by_hand']}"
        for held in held_by(world, who)
        if "by_hand" in held.definition
    ]
    if "out" in fight.combatant(who):
        yield world.happen("turn-ended", who, "", {"fight.active": None, path_of(who, "acted"): now})
    return data


def _comeback(world: World, who: str) -> Procedure[dict[str, Any]]:
    """The Comeback Roll of who is Incapacitated at the start of their turn (STR-TAC-16)."""
    rules = numbers("combat")["comeback"]
    fight = Fight(world)
    reasons, modifiers = reasons_for(world, who, "comeback")
    rolled = yield from roll_die(who, "comeback", reasons, modifiers)
    total = max(1, min(6, rolled.total))
    result = "lost" if total in rules["lost_on"] else "back" if total in rules["back_on"] else "nothing"
    told = {
        "lost": f"loses {rules['lost_hp']} HP",
        "back": "is back in the fight",
        "nothing": "nothing changes",
    }
    text = f"{fight.name(who)}'s Comeback Roll: {rolled.words()}, {told[result]}."
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    if result == "lost":
        yield from hurt(world, who, rules["lost_hp"], "the Comeback Roll")
    elif result == "back":
        now = fight.combatant(who)["hp"]
        yield from heal(world, who, rules["back_hp"] - max(now, 0), "the Comeback Roll")
    return {"roll": rolled.as_json(), "result": result}


def play_end_turn(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat end-turn`: a Saving Throw for each status that a save ends, then what ends with the turn."""
    fight = Fight(world)
    who = fight.data.get("active")
    if not who:
        raise Refused(
            "It is nobody's turn." if fight.data["round"] else "Initiative has not been rolled.",
            "`strike combat turn` begins the next." if fight.data["round"] else "`strike combat initiative`",
        )
    saves = []
    for status in [item for item in fight.combatant(who).get("statuses", []) if item["ends"] == "save"]:
        saves.append((yield from saving_throw(world, who, status)))
    yield from react(world, who, "turn-ended")
    yield from _ends_at(world, "turn-end", who)
    sets = {"fight.active": None, "fight.turn": None, path_of(who, "acted"): fight.data["round"]}
    yield world.happen("turn-ended", who, f"{fight.name(who)}'s turn ends.", sets)
    over = fight.decided()
    return {"who": who, "saves": saves, "next": None if over else fight.next_up(), "decided": over}


def saving_throw(world: World, who: str, status: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """One Saving Throw, against a status that somebody has (STR-TAC-03): its `status`, `roll` and `ended`."""
    fight = Fight(world)
    name = world.book.statuses[status["id"]]["name"]
    reasons, modifiers = reasons_for(world, who, "save")
    rolled = yield from roll_die(who, f"save: {name}", reasons, modifiers)
    ended = rolled.total >= numbers("combat")["save"]["target"]
    text = f"{fight.name(who)} saves against {name}: {rolled.words()}, " + (
        "it ends." if ended else "it stays."
    )
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    if ended:
        yield from end_status(world, who, status["id"], "", only=status)
    return {"status": status["id"], "roll": rolled.as_json(), "ended": ended}


def _ends_at(world: World, moment: str, of: str) -> Procedure[None]:
    """End every status whose duration is the start or end of this combatant's turn."""
    fight = Fight(world)
    for who in list(fight.in_the_fight()):
        for status in fight.combatant(who).get("statuses", []):
            if status["ends"] == moment and status.get("of", who) == of:
                if status.get("later"):
                    yield from wait_a_turn(world, who, status)
                else:
                    yield from end_status(world, who, status["id"], only=status)
    yield from zones.ended_at(world, moment, of)


def play_stand(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat stand`: a Move Action gets somebody up from Prone (STR-TAC-07)."""
    fight = Fight(world)
    who = args["who"]
    if not has_status(world, who, PRONE):
        raise Refused(f"{fight.name(who)} is not Prone.")
    action = fight.must_be_able(who, "move", args["trade"])
    yield world.happen("stood", who, "", {f"fight.turn.{action}": fight.taken(action) + 1})
    yield from end_status(world, who, PRONE, f"{fight.name(who)} stands up.")
    return {"who": who, "action": action}
