"""A turn from its start effects to its saves (STR-TAC-03, 16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.contributions import ban_on, decider_for, held_by, reasons_for
from strike_cli.tabletop.dice import roll_die

from .engine import fall_due
from .fight import Fight, path_of
from .harm import PRONE, end_status, has_status
from .upkeep import end_effects, saving_throws, start_effects


def play_turn(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat turn`: the next combatant's turn begins, with its start effects and Comeback Roll."""
    return (yield from begin_turn(world))


def begin_turn(world: World) -> Procedure[dict[str, Any]]:
    """The turn of who is next begins: their start effects, and who decides for them."""
    fight = Fight(world)
    if not fight.data["round"]:
        raise Refused("Initiative has not been rolled.", "`strike combat initiative` rolls it.")
    active = fight.data.get("active")
    if active:
        raise Refused(f"It is {fight.name(active)}'s turn.", "`strike combat end-turn` ends it.")
    who = fight.next_up()
    now = fight.data["round"]
    new_round = not fight.waiting()
    sets: dict[str, Any] = {"fight.active": who, "fight.turn": None, path_of(who, "delayed"): None}
    text = f"{fight.name(who)}'s turn."
    if new_round:
        now += 1
        sets["fight.round"] = now
        text = f"Round {now}. {text}"
    yield world.happen("turn-started", who, text, sets, round=now)
    if "prepared" in fight.combatant(who):
        wasted = f"What {fight.name(who)} prepared never came to it."
        yield world.happen("prepared-wasted", who, wasted, {path_of(who, "prepared"): None})
    data: dict[str, Any] = {"who": who, "round": now, "new_round": new_round}
    data["comeback"] = yield from start_effects(world, who)
    data["decided_by"] = yield from _say_who_decides(world, who)
    data["by_hand"] = [
        f"{held.name}: {held.definition['by_hand']}"
        for held in held_by(world, who)
        if "by_hand" in held.definition
    ]
    if "out" in fight.combatant(who):
        yield world.happen("turn-ended", who, "", {"fight.active": None, **fight.count_turn(who)})
    return data


def _say_who_decides(world: World, who: str) -> Procedure[str]:
    decider = decider_for(world, who)
    if decider != who:
        named = world.get(f"fight.combatants.{decider}.name", "The game master")
        text = f"{named} decides what {Fight(world).name(who)} does."
        yield world.happen("dominated", who, text, decided_by=decider)
    return decider


def play_end_turn(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat end-turn`: a Saving Throw for each status that a save ends, then what ends with the turn."""
    fight = Fight(world)
    who = fight.data.get("active")
    if not who:
        raise Refused(
            "It is nobody's turn." if fight.data["round"] else "Initiative has not been rolled.",
            "`strike combat turn` begins the next." if fight.data["round"] else "`strike combat initiative`",
        )
    yield from fall_due(world)
    saves = yield from saving_throws(world, who)
    yield from end_effects(world, who)
    sets = {"fight.active": None, "fight.turn": None, **fight.count_turn(who)}
    yield world.happen("turn-ended", who, f"{fight.name(who)}'s turn ends.", sets)
    over = fight.decided()
    return {"who": who, "saves": saves, "next": None if over else fight.next_up(), "decided": over}


def play_stand(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat stand`: a Move Action gets somebody up from Prone (STR-TAC-07)."""
    fight = Fight(world)
    who = args["who"]
    if not has_status(world, who, PRONE):
        lying = next((held for held in held_by(world, who) if held.id == PRONE), None)
        if lying is None:
            raise Refused(f"{fight.name(who)} is not Prone.")
        why = world.book.statuses[lying.instance["id"]]["name"]
        raise Refused(f"{fight.name(who)} can't stand up: {why}.")
    if reason := ban_on(world, who, "stand", 1):
        raise Refused(f"{fight.name(who)} can't stand up: {reason}.")
    action = fight.must_be_able(who, "move", args["trade"])
    yield world.happen("stood", who, "", {f"fight.turn.{action}": fight.taken(action) + 1})
    yield from end_status(world, who, PRONE, f"{fight.name(who)} stands up.")
    return {"who": who, "action": action}


def play_escape(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat escape`: a Move Action and a die against one status that an escape ends (STR-TAC-25).

    Args: who, status (full id, or "" where there is one or the choice is asked), trade.
    """
    fight = Fight(world)
    who = args["who"]
    held = [item for item in fight.combatant(who).get("statuses", []) if item["ends"] == "escape"]
    if args["status"]:
        held = [item for item in held if item["id"] == args["status"]]
    if not held:
        raise Refused(f"Nothing that {fight.name(who)} could escape from holds them.")
    action = fight.must_be_able(who, "move", args["trade"])
    status = yield from _which_hold(world, who, held)
    yield world.happen(
        "action-taken", who, "", {f"fight.turn.{action}": fight.taken(action) + 1}, action="escape"
    )
    name, target = world.book.statuses[status["id"]]["name"], world.book.house["escape_target"]
    rolled = yield from roll_die(who, "escape", *reasons_for(world, who, "escape"))
    ended = rolled.total >= target
    came = "free" if ended else "held"
    text = f"{fight.name(who)} tries to get out of being {name}: {rolled.words()}, {came}."
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    if ended:
        yield from end_status(world, who, status["id"], "", only=status)
    return {"who": who, "status": status["id"], "roll": rolled.as_json(), "ended": ended, "action": action}


def _which_hold(world: World, who: str, held: list[Mapping[str, Any]]) -> Procedure[Mapping[str, Any]]:
    if len(held) == 1:
        return held[0]
    keys = [
        f"{number + 1}-{item.get('by') or item['id'].rpartition(':')[2]}" for number, item in enumerate(held)
    ]
    labels = tuple(world.book.statuses[item["id"]]["name"] for item in held)
    return held[keys.index((yield Choose(who, "escape from", tuple(keys), labels)))]
