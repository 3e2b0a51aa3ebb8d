"""Damage and healing, and what they bring: Bloodied, Incapacitated, Taken Out (STR-TAC-15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.contributions import Held, held_by

from . import zones
from .bloodied import bloodied_at
from .fight import Fight, path_of
from .numbers import numbers

BLOODIED = "core:bloodied"
INCAPACITATED = "core:incapacitated"
PRONE = "core:prone"


def is_bloodied(world: World, hp: int, max_hp: int) -> bool:
    """At half HP or less, rounded down; the house may say less than half (conflict C-1)."""
    return hp <= bloodied_at(max_hp, world.book.house["bloodied"])


def hurt(world: World, who: str, amount: int, cause: str, *, by: str = "") -> Procedure[dict[str, Any]]:
    """Somebody loses HP. Returns `hp_before`, `hp_after` and `taken_out`. `by` is who did it, if anybody."""
    fight = Fight(world)
    before = int(fight.combatant(who)["hp"])
    if "threshold" in fight.combatant(who):
        sets, text, plain = _dent(fight, who, amount, cause)
    else:
        sets = {path_of(who, "hp"): before - amount}
        takes = f"{fight.name(who)} takes {amount} damage from {cause}"
        text, plain = f"{takes}: {_hp(before)} to {_hp(before - amount)} HP.", f"{takes}."
    doer = {"by": by} if by else {}
    yield world.happen("damaged", who, text, sets, without_hp=plain, amount=amount, **doer)
    if "out" not in fight.combatant(who):  # what the damage set off may have done it
        yield from settle(world, who)
    now = fight.combatant(who)
    return {"hp_before": before, "hp_after": now["hp"], "taken_out": "out" in now}


def would_fall(fight: Fight, who: str, amount: int) -> bool:
    """Whether so much damage would bring somebody who stands to 0 HP, or check the last box."""
    combatant = fight.combatant(who)
    lost = amount
    if "threshold" in combatant:
        lost = amount // combatant["threshold"] or int(bool(amount and combatant.get("dented")))
    return 0 < int(combatant["hp"]) <= lost


def _dent(fight: Fight, who: str, amount: int, cause: str) -> tuple[dict[str, Any], str, str]:
    """What damage does to who has boxes instead of HP (STR-TAC-27), a sentence about it, and one for players
    who may not know how many there are."""
    combatant, name = fight.combatant(who), fight.name(who)
    takes = f"{name} takes {amount} damage from {cause}"
    boxes, sets = amount // combatant["threshold"], {}
    if not boxes:
        if not amount:
            return {}, f"{takes}.", f"{takes}."
        if not combatant.get("dented"):
            less = f"less than {combatant['threshold']}: a dent, and the next one checks a box"
            return {path_of(who, "dented"): True}, f"{takes}, {less}.", f"{takes}."
        boxes, sets = 1, {path_of(who, "dented"): None}
    boxes = min(boxes, combatant["hp"])
    left = combatant["hp"] - boxes
    checked = "a box" if boxes == 1 else f"{boxes} boxes"
    text = f"{takes}: {checked} checked, {left} of {combatant['max_hp']} left."
    return {path_of(who, "hp"): left, **sets}, text, f"{takes}."


def is_whole(fight: Fight, who: str, amount: int = 1) -> bool:
    """Whether healing so much would give somebody nothing."""
    return _healed(fight, who, amount) == int(fight.combatant(who)["hp"])


def _healed(fight: Fight, who: str, amount: int) -> int:
    """HP, or boxes, after healing (STR-TAC-15)."""
    combatant = fight.combatant(who)
    gained = amount // combatant.get("threshold", 1)
    return int(min(max(combatant["hp"], 0) + gained, combatant["max_hp"]))


def heal(world: World, who: str, amount: int, cause: str) -> Procedure[dict[str, Any]]:
    """Somebody regains HP, from 0 where they were below (STR-TAC-15), never above their maximum."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    before, after = int(combatant["hp"]), _healed(fight, who, amount)
    unit = "boxes" if "threshold" in combatant else "HP"
    change = f"{_hp(before)} to {_hp(after)} {unit}"
    text = f"{fight.name(who)} regains {after - before} {unit} from {cause}: {change}."
    # Without the amount: less than was offered tells how much was lacking.
    plain = f"{fight.name(who)} regains {unit} from {cause}."
    if after == before:
        text = plain = f"{fight.name(who)} regains nothing from {cause}."
    sets = {path_of(who, "hp"): after}
    yield world.happen("healed", who, text, sets, without_hp=plain, amount=after - before)
    yield from settle(world, who)
    return {"hp_before": before, "hp_after": after, "taken_out": False}


def _hp(hp: int) -> str:
    return str(hp).replace("-", "\N{MINUS SIGN}")


def settle(world: World, who: str) -> Procedure[None]:
    """Bring the statuses that follow from HP into line with it."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    hp, name = combatant["hp"], combatant["name"]
    if fight.is_player(who):
        out = hp <= numbers()["defaults"]["taken_out_at"]
        down = hp <= 0
    else:
        # Creatures are Taken Out at once at 0 (STR-TAC-15).
        out = down = hp <= 0
    if out:
        yield from _first_bloodied(world, who)
        if not has_status(world, who, INCAPACITATED):
            yield from _house_strike(world, who, "Incapacitated")  # on the way: one blow may do both
        gone = {path_of(who, key): None for key in ("at", "statuses", "prepared", "delayed")}
        sets = {path_of(who, "out"): "taken-out", **gone}
        yield world.happen("taken-out", who, f"{name} is Taken Out.", sets)
        yield from _house_strike(world, who, "Taken Out")
        yield from let_go(world, who)
        return
    bloodied = is_bloodied(world, hp, combatant["max_hp"])
    if bloodied and not has_status(world, who, BLOODIED):
        yield from add_status(world, who, {"id": BLOODIED, "ends": "permanent"}, f"{name} is Bloodied.")
        yield from _first_bloodied(world, who)
    elif not bloodied and has_status(world, who, BLOODIED):
        yield from end_status(world, who, BLOODIED, f"{name} is no longer Bloodied.")
    if down and not has_status(world, who, INCAPACITATED):
        yield from add_status(
            world, who, {"id": INCAPACITATED, "ends": "permanent"}, f"{name} is Incapacitated."
        )
        yield from _house_strike(world, who, "Incapacitated")
    elif not down and has_status(world, who, INCAPACITATED):
        yield from end_status(world, who, INCAPACITATED, f"{name} is back, and still Prone.")
        # Ruling on STR-TAC-16: Stunned ends with it, Prone stays.
        yield from add_status(world, who, {"id": PRONE, "ends": "permanent"}, "")


def let_go(world: World, gone: str) -> Procedure[None]:
    """What was to last until a turn of somebody who has no more turns ends now."""
    fight = Fight(world)
    for who in list(fight.in_the_fight()):
        for status in fight.combatant(who).get("statuses", []):
            if status.get("of") == gone and status["ends"] in ("turn-start", "turn-end"):
                yield from end_status(world, who, status["id"], only=status)
    yield from zones.let_go(world, gone)


def _first_bloodied(world: World, who: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and not world.get(path_of(who, "was_bloodied")):
        yield world.happen("first-bloodied", who, "", {path_of(who, "was_bloodied"): True})
        yield from _house_strike(world, who, "first Bloodied")


def _house_strike(world: World, who: str, why: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and Fight(world).is_player(who):
        yield from gain_strike(world, who, why)


def gain_strike(world: World, who: str, why: str, count: int = 1) -> Procedure[None]:
    """A player takes Strikes (STR-TAC-17)."""
    fight = Fight(world)
    strikes = fight.combatant(who).get("strikes", 0) + count
    text = f"{fight.name(who)} takes a Strike ({strikes} now): {why}."
    yield world.happen("strike-taken", who, text, {path_of(who, "strikes"): strikes})


# Statuses


def has_status(world: World, who: str, status: str) -> bool:
    """Whether the status stands on the combatant itself, implied ones aside."""
    return any(item["id"] == status for item in world.get(path_of(who, "statuses"), []))


def is_down(world: World, who: str) -> bool:
    """Whether somebody is Incapacitated, Taken Out or gone."""
    return has_status(world, who, INCAPACITATED) or "out" in world.get(f"fight.combatants.{who}", ())


def given_status(fight: Fight, given: Mapping[str, Any], by: str, of: str) -> dict[str, Any]:
    """The instance of a status as somebody gives it: `given` has its status and duration, perhaps amount and
    until. `by` is the giver, `of` whose turn a duration by turns waits for.

    `turn-end` is the end of their next turn, whoever gives it and however: given on their own turn it doesn't
    end with that. `this-turn` is the end of the turn under way, or of their next one where none is.
    """
    status: dict[str, Any] = {"id": given["status"], "ends": given.get("duration", "save")}
    if by:
        status["by"] = by
    active = fight.data.get("active")
    if status["ends"] == "this-turn":
        status |= {"ends": "turn-end", "of": active or of}
    elif status["ends"] in ("turn-start", "turn-end"):
        status["of"] = of
        if status["ends"] == "turn-end" and active == of:
            status["later"] = True
    if status["ends"] == "until":
        status["until"] = given["until"]
    if isinstance(given.get("amount"), int):
        status["value"] = given["amount"]
    return status


_LASTS = {"turn-start": 0, "turn-end": 0, "save": 1, "escape": 1, "until": 1, "encounter": 2, "permanent": 3}


def _lasts(status: Mapping[str, Any]) -> tuple[int, bool]:
    """For comparing which of two lasts longer."""
    return _LASTS[status["ends"]], bool(status.get("later"))


def add_status(world: World, who: str, status: dict[str, Any], text: str | None = None) -> Procedure[bool]:
    """A status takes hold, as its stacking says. Returns whether anything changed."""
    held = list(world.get(path_of(who, "statuses"), []))
    definition = world.book.statuses[status["id"]]
    stacks = definition["stacks"]
    same = [item for item in held if item["id"] == status["id"] and _replaces(stacks, status, item)]
    if same and stacks == "highest" and same[0].get("value", 0) >= status.get("value", 0):
        return False
    if same and stacks == "once" and _lasts(same[0]) > _lasts(status):
        return False  # what lasts longer holds
    if status in same:
        return False
    if any(reaction["on"] == "gaining" for reaction in definition["reactions"]):
        yield world.happen("status-gaining", who, "", status=status["id"], by=status.get("by", ""))
        if "out" in Fight(world).combatant(who):
            return False
        held = list(world.get(path_of(who, "statuses"), []))
    kept = [item for item in held if item not in same]
    if text is None:
        fight = Fight(world)
        value, ends = (f" {status['value']}" if "value" in status else ""), _ending(fight, who, status)
        named = f"{definition['name']}{value}{f' ({ends})' if ends else ''}"
        text = f"{fight.name(who)} is {named}."
    sets = {path_of(who, "statuses"): [*kept, status]}
    yield world.happen("status-added", who, text, sets, status=status["id"])
    return True


def _replaces(stacks: str, status: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether of two instances of a status only one is kept. Those of which the highest counts are kept side
    by side, unless one giver gave both with the same end (STR-TAC-25)."""
    alike = {"once": (), "by-source": ("by",), "highest": ("by", "ends", "of", "until", "later")}[stacks]
    return all(status.get(key) == other.get(key) for key in alike)


def end_status(
    world: World, who: str, status: str, text: str | None = None, only: Mapping[str, Any] | None = None
) -> Procedure[None]:
    """A status ends; with `only`, that instance of it alone, where there are several by source."""
    held = world.get(path_of(who, "statuses"), [])
    kept = [item for item in held if item["id"] != status or (only and item != only)]
    if text is None:
        text = f"{Fight(world).name(who)} is no longer {world.book.statuses[status]['name']}."
    yield world.happen("status-ended", who, text, {path_of(who, "statuses"): kept or None}, status=status)


def wait_a_turn(world: World, who: str, status: dict[str, Any]) -> Procedure[None]:
    """A status that was given on the very turn whose end it waits for lasts until the next one's."""
    later = {key: value for key, value in status.items() if key != "later"}
    held = [later if item == status else item for item in world.get(path_of(who, "statuses"), [])]
    yield world.happen("status-lasts", who, "", {path_of(who, "statuses"): held})


def statuses_in_words(world: World, who: str) -> list[str]:
    """What somebody has, each with how it ends; what a status brings along is not said besides."""
    fight = Fight(world)
    said = ["Hidden"] if fight.combatant(who).get("hidden") else []
    if "hiding" in fight.combatant(who) and not said:
        said.append("hiding")
    said += [status_in_words(fight, who, status) for status in fight.combatant(who).get("statuses", ())]
    for held in held_by(world, who):
        if not held.instance and held.id in world.book.conditions:
            rounds = _for_rounds(held)
            said.append(f"{held.name} ({rounds})" if rounds else held.name)
    return said


def _for_rounds(held: Held) -> str:
    """Which rolls somebody's Condition bears on in certain rounds alone: `attacks in round 1`."""
    found: dict[int, list[str]] = {}
    for source in held.definition["sources"]:
        if "round" in source:
            found.setdefault(source["round"], []).append(_ROLLS.get(source["on"], source["on"]))
    return "; ".join(f"{', '.join(rolls)} in round {number}" for number, rolls in found.items())


_ROLLS = {"attack": "attacks", "save": "saves", "any": "all rolls", "escape": "escapes"}


def status_in_words(fight: Fight, who: str, status: Mapping[str, Any]) -> str:
    """A status as it stands: `Ongoing damage 2 by Goblin (save ends)`."""
    name = fight.world.book.statuses[status["id"]]["name"]
    value = f" {status['value']}" if status.get("value") else ""
    by = f" by {fight.name_or(status['by'])}" if status.get("by") else ""
    ends = _ending(fight, who, status)
    return f"{name}{value}{by}{f' ({ends})' if ends else ''}"


_UNTIL = {
    "damaged": "until hurt",
    "attacks": "until it attacks",
    "attacked": "until attacked",
    "moved": "until moved",
    "apart": "while near",
    "giver-down": "while the giver stands",
}


def _ending(fight: Fight, who: str, status: Mapping[str, Any]) -> str:
    ends = status["ends"]
    if ends in ("turn-start", "turn-end"):
        of = status.get("of", who)
        whose = "its" if of == who else f"{fight.name_or(of)}'s"
        return (
            f"{'start' if ends == 'turn-start' else 'end'} of {whose} {'next ' * status.get('later', 0)}turn"
        )
    words = {"save": "save ends", "escape": "until it escapes", "encounter": "this fight", "permanent": ""}
    return _UNTIL[status["until"]] if ends == "until" else words[ends]
