"""Statuses of combatants (STR-TAC-25): how they take hold, how they end, how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.contributions import Held, held_by
from strike_cli.tabletop.vocabularies import OF_TURNS, ROLL_KINDS, UNTIL

from .fight import Fight, path_of
from .steps import SCENE, duration_in, until_in

BLOODIED = "core:bloodied"
INCAPACITATED = "core:incapacitated"
PRONE = "core:prone"

_NOTHING: Mapping[str, Any] = {}
Status = Mapping[str, Any]
"""A status that somebody has, as the state keeps it: `id`, `ends`, perhaps `by`, `of`, `until`, `later`,
`value`."""


def statuses_of(world: World, who: str) -> Sequence[Status]:
    """What stands on somebody itself, implied statuses aside."""
    one = world.state.get("fight", _NOTHING).get("combatants", _NOTHING).get(who, _NOTHING)
    held: Sequence[Status] = one.get("statuses") or ()
    return held


def has_status(world: World, who: str, status: str) -> bool:
    """Whether the status stands on the combatant itself, implied ones aside."""
    return any(item["id"] == status for item in statuses_of(world, who))


def is_down(world: World, who: str) -> bool:
    """Whether somebody is Incapacitated, Taken Out or gone."""
    return has_status(world, who, INCAPACITATED) or "out" in world.get(f"fight.combatants.{who}", ())


def saved_against(world: World, who: str) -> list[Status]:
    """Those of somebody's statuses that a save ends."""
    return [status for status in statuses_of(world, who) if status["ends"] == "save"]


def lasting(book: Any, ends: str, until: str = "") -> dict[str, str]:
    """How long, in the form of a step: a fact that ends it may stand in the place of a duration."""
    if ends in UNTIL or ends in book.moments:
        return {"duration": "until", "until": ends}
    return {"duration": ends, "until": until}


def given_status(fight: Fight, given: Mapping[str, Any], by: str, of: str) -> dict[str, Any]:
    """The instance of a status as somebody gives it: `given` has its status and duration, perhaps amount and
    until. `by` is the giver, `of` whose turn a duration by turns waits for.

    `turn-end` is the end of their next turn, whoever gives it and however: given on their own turn it doesn't
    end with that. `this-turn` is the end of the turn under way, or of their next one where none is.
    """
    if given["status"] not in fight.world.book.statuses:
        raise Refused(f"There is no status {given['status']!r}.", "`strike content list statuses` has them.")
    status: dict[str, Any] = {"id": given["status"], "ends": given["duration"]}
    if by:
        status["by"] = by
    active = fight.data.get("active")
    if status["ends"] == "this-turn":
        status |= {"ends": "turn-end", "of": active or of}
    elif status["ends"] in OF_TURNS:
        status["of"] = of
        if status["ends"] == "turn-end" and active == of:
            status["later"] = True
    if until := given.get("until") or duration_in(fight.world.book, status["ends"]).until:
        status["until"] = until
    if isinstance(given.get("amount"), int):
        status["value"] = given["amount"]
    return status


def _lasts(world: World, status: Status) -> tuple[int, bool]:
    """For comparing which of two lasts longer."""
    return duration_in(world.book, status["ends"]).rank, bool(status.get("later"))


def add_status(world: World, who: str, status: dict[str, Any], text: str | None = None) -> Procedure[bool]:
    """A status takes hold, as its stacking says. Returns whether anything changed."""
    definition = world.book.statuses[status["id"]]
    stacks = definition["stacks"]
    same = [
        item
        for item in statuses_of(world, who)
        if item["id"] == status["id"] and _replaces(stacks, status, item)
    ]
    if same and stacks == "highest" and same[0].get("value", 0) >= status.get("value", 0):
        return False
    if same and stacks == "once" and _lasts(world, same[0]) > _lasts(world, status):
        return False  # what lasts longer holds
    if status in same:
        return False
    if any(reaction["on"] == "gaining" for reaction in definition["reactions"]):
        yield world.happen("status-gaining", who, "", status=status["id"], by=status.get("by", ""))
        if Fight(world).is_out(who):
            return False
    others = [item for item in statuses_of(world, who) if item not in same]
    if text is None:
        fight = Fight(world)
        value, ends = (f" {status['value']}" if "value" in status else ""), ending(fight, who, status)
        named = f"{definition['name']}{value}{f' ({ends})' if ends else ''}"
        text = f"{fight.name(who)} is {named}."
    sets = {path_of(who, "statuses"): [*others, status]}
    yield world.happen("status-added", who, text, sets, status=status["id"])
    return True


def _replaces(stacks: str, status: Status, other: Status) -> bool:
    """Whether of two instances of a status only one is kept. Those of which the highest counts are kept side
    by side, unless one giver gave both with the same end (STR-TAC-25)."""
    alike = {"once": (), "by-source": ("by",), "highest": ("by", "ends", "of", "until", "later")}[stacks]
    return all(status.get(key) == other.get(key) for key in alike)


def end_status(
    world: World, who: str, status: str, text: str | None = None, only: Status | None = None
) -> Procedure[None]:
    """A status ends; with `only`, that instance of it alone, where there are several by source."""
    left = [item for item in statuses_of(world, who) if item["id"] != status or (only and item != only)]
    if text is None:
        text = f"{Fight(world).name(who)} is no longer {world.book.statuses[status]['name']}."
    yield world.happen("status-ended", who, text, {path_of(who, "statuses"): left or None}, status=status)


def end_turn_of(world: World, moment: str, of: str) -> Procedure[None]:
    """End every status that somebody else holds and whose duration is the start or end (`moment`) of this
    combatant's turn; those that wait for the turn after it have one turn less to wait."""
    for who in list(Fight(world).in_the_fight()):
        for status in statuses_of(world, who):
            if status["ends"] != moment or status.get("of", who) != of:
                continue
            if status.get("later"):
                yield from _wait_a_turn(world, who, status)
            elif who != of:
                yield from end_status(world, who, status["id"], only=status)


def _wait_a_turn(world: World, who: str, status: Status) -> Procedure[None]:
    """A status that was given on the very turn whose end it waits for lasts until the next one's."""
    later = {key: value for key, value in status.items() if key != "later"}
    held = [later if item == status else item for item in statuses_of(world, who)]
    yield world.happen("status-lasts", who, "", {path_of(who, "statuses"): held})


def end_waiting_for(world: World, gone: str) -> Procedure[None]:
    """Statuses that were to last until a turn of somebody who has no more turns end now."""
    for who in list(Fight(world).in_the_fight()):
        for status in statuses_of(world, who):
            if status.get("of") == gone and status["ends"] in OF_TURNS:
                yield from end_status(world, who, status["id"], only=status)


# In words


def statuses_in_words(world: World, who: str) -> list[str]:
    """What somebody has, each with how it ends; what a status brings along is not said besides."""
    return list(_in_words(Fight(world), who))


def _in_words(fight: Fight, who: str) -> Iterator[str]:
    combatant = fight.combatant(who)
    if combatant.get("hidden"):
        yield "Hidden"
    elif "hiding" in combatant:
        yield "hiding"
    yield from (status_in_words(fight, who, status) for status in combatant.get("statuses", ()))
    for held in held_by(fight.world, who):
        if not held.instance and held.id in fight.world.book.conditions:
            rounds = _for_rounds(fight.world.book, held)
            yield f"{held.name} ({rounds})" if rounds else held.name


def _for_rounds(book: Any, held: Held) -> str:
    """Which rolls somebody's Condition bears on in certain rounds alone: `attacks in round 1`."""
    found: dict[int, list[str]] = {}
    for source in held.definition["sources"]:
        if "round" in source:
            kind = ROLL_KINDS.get(source["on"]) or brought_word(book, "rolls", source["on"])
            found.setdefault(source["round"], []).append(kind)
    return "; ".join(f"{', '.join(rolls)} in round {number}" for number, rolls in found.items())


def status_in_words(fight: Fight, who: str, status: Status) -> str:
    """A status as it stands: `Ongoing damage 2 by Goblin (save ends)`."""
    by = f" by {fight.name_or(status['by'])}" if status.get("by") else ""
    ends = ending(fight, who, status)
    return f"{status_name(fight, status)}{by}{f' ({ends})' if ends else ''}"


def status_name(fight: Fight, status: Status) -> str:
    """A status with its number, where it has one: `Ongoing damage 2`."""
    value = f" {status['value']}" if status.get("value") else ""
    return f"{fight.world.book.statuses[status['id']]['name']}{value}"


def ending(fight: Fight, who: str, status: Status) -> str:
    """When a status of somebody's ends, in words: `save ends`."""
    if status["ends"] == "until":
        return until_in(fight.world.book, status["until"]).standing
    of = status.get("of", who)
    whose = "its" if of == who else f"{fight.name_or(of)}'s"
    words = duration_in(fight.world.book, status["ends"]).standing
    return words.format(f"{whose} {'next ' * status.get('later', 0)}turn", scene=SCENE)
