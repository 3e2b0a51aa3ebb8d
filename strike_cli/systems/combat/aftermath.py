"""What a fight leaves behind: Conditions, Concessions, and the game master's hand (STR-TAC-18, 19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.systems.core.conditions import gain_condition

from .fight import PARTY, Fight
from .harm import add_status, end_status, given_status, has_status, heal, hurt, is_whole
from .numbers import numbers


def condition_for(strikes: int) -> str | None:
    """The Condition for a player's own Strikes (STR-TAC-18)."""
    rows = numbers()["aftermath"]
    return next((row["condition"] for row in rows if strikes >= row["strikes"]), None)


def concession_for(team_strikes: int, players: int) -> str:
    """The Concession of a won fight: none, minor, major or pyrrhic (STR-TAC-19)."""
    rows = numbers()["concession"]
    owed = (row["concession"] for row in rows if team_strikes >= row["strikes_a_player"] * players)
    return next(owed, "none")


def play_finish(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat finish`: won or lost, then Conditions and the Concession. Args: result ("", won, lost)."""
    fight = Fight(world)
    result = args["result"] or fight.decided()
    if result is None:
        standing = ", ".join(fight.name(who) for who in fight.in_the_fight())
        raise Refused(
            f"Both sides are still in the fight: {standing}.",
            "Play on, or say how it ended with --won or --lost; `strike combat abandon` has no aftermath.",
        )
    won = result == "won"
    strikes = {who: int(fight.combatant(who).get("strikes", 0)) for who in fight.players()}
    ours = [count for who, count in strikes.items() if fight.side(who) == PARTY]
    team = sum(ours)
    concession = concession_for(team, len(ours)) if won and ours else "none"
    name, goal = fight.data["name"], fight.data.get("goal", "")
    text = f"{name} is {result}." + _concession_words(concession, goal, won)
    yield world.happen("fight-ended", "", text, {"fight": None}, won=won, team_strikes=team)
    conditions = {}
    for who, count in strikes.items():
        condition = condition_for(count)
        if condition:
            gained = yield from gain_condition(world, who, condition, f"{count} Strikes")
            conditions[who] = world.book.conditions[gained]["name"]
    return {
        "won": won,
        "team_strikes": team,
        "strikes": strikes,
        "concession": concession,
        "conditions": conditions,
    }


def _concession_words(concession: str, goal: str, won: bool) -> str:
    if not won:
        return " The game master says what it costs."
    return {
        "none": f" The goal is reached: {goal}." if goal else "",
        "minor": " A Minor Concession: the goal is reached, but not everything went well.",
        "major": " A Major Concession: a bad omen, or the goal is one step short.",
        "pyrrhic": " A Pyrrhic victory: the goal is out of reach.",
    }[concession]


def play_abandon(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat abandon`: the fight ends with no winner and no aftermath."""
    name = Fight(world).data["name"]
    yield world.happen("fight-abandoned", "", f"{name} is abandoned.", {"fight": None})
    return {"name": name}


def play_damage(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat damage`: the game master takes HP from somebody."""
    fight = Fight(world)
    _must_be_in(fight, args["who"])
    _must_be_some(args["amount"])
    told = yield from hurt(world, args["who"], args["amount"], args["why"] or "the game master")
    return {"who": args["who"], **told}


def play_heal(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat heal`: the game master gives HP back."""
    fight = Fight(world)
    _must_be_in(fight, args["who"])
    _must_be_some(args["amount"])
    if is_whole(fight, args["who"], args["amount"]):
        one = fight.combatant(args["who"])
        unit = "boxes" if "threshold" in one else "HP"
        raise Refused(
            f"{fight.name(args['who'])} has {one['hp']} of {one['max_hp']} {unit}, and this gives none back.",
            "Nobody is healed beyond their maximum; a box takes as much as its threshold.",
        )
    told = yield from heal(world, args["who"], args["amount"], args["why"] or "the game master")
    return {"who": args["who"], **told}


def _must_be_some(amount: int) -> None:
    if amount < 1:
        raise Refused("0 HP is nothing to give or take.", "Say how many.")


def _must_be_in(fight: Fight, who: str) -> None:
    if "out" in fight.combatant(who):
        raise Refused(f"{fight.name(who)} is out of this fight.", "`strike override` can bring them back.")


def play_status_add(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat status add`: a status takes hold. Args: who, status (full id), ends, value, and perhaps by (who
    gave it), of (whose turn a duration by turns waits for, the holder's unless said), until (the fact)."""
    fight = Fight(world)
    who = args["who"]
    _must_be_in(fight, who)
    if args["ends"] == "this-turn" and not fight.data.get("active"):
        raise Refused("It is nobody's turn.", "turn-end lasts to the end of somebody's next one.")
    given = {"status": args["status"], "duration": args["ends"], "until": args.get("until")}
    status = given_status(fight, given, args.get("by", ""), of=args.get("of") or who)
    if args.get("value"):
        status["value"] = args["value"]
    changed = yield from add_status(world, who, status)
    if not changed:
        raise Refused(f"{fight.name(who)} is {world.book.statuses[args['status']]['name']} already.")
    return {"who": who, "status": args["status"], "ends": args["ends"]}


def play_status_remove(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat status remove`: a status ends."""
    fight = Fight(world)
    who = args["who"]
    if not has_status(world, who, args["status"]):
        raise Refused(f"{fight.name(who)} is not {world.book.statuses[args['status']]['name']}.")
    yield from end_status(world, who, args["status"])
    return {"who": who, "status": args["status"]}
