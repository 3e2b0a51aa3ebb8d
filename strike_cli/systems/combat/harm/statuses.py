"""Statuses of combatants (STR-TAC-25): how they take hold, how they end, how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Clause, say
from strike_cli.problems import Refused
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.contributions import ActiveEffect, held_by
from strike_cli.tabletop.naming import GameMaster
from strike_cli.tabletop.vocabularies import DURATIONS, OF_TURNS, ROLL_KINDS, UNTIL

from ..facts.statuses import (
    Lasting,
    StatusAdded,
    StatusEnded,
    StatusGaining,
    StatusIs,
    StatusLasts,
    StatusNumber,
)
from ..fight import Fight, path_of
from ..steps import SCENE, duration_in, until_in

if TYPE_CHECKING:
    from ..data import StatusHeld

BLOODIED = "core:bloodied"
INCAPACITATED = "core:incapacitated"
PRONE = "core:prone"

_NOTHING: Mapping[str, Any] = {}
Status: TypeAlias = "StatusHeld"
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


def harmful_statuses(world: World, who: str) -> list[str]:
    """Statuses that an effect may end: not those that follow from HP, which are permanent."""
    held = [item["id"] for item in statuses_of(world, who) if item["ends"] != "permanent"]
    return [status for status in held if world.book.statuses[status]["harmful"]]


def lasting(book: Any, ends: str, until: str = "") -> dict[str, str]:
    """How long, in the form of a step: a fact that ends it may stand in the place of a duration."""
    if ends in UNTIL or ends in book.moments:
        return {"duration": "until", "until": ends}
    return {"duration": ends, "until": until}


def given_status(fight: Fight, given: Mapping[str, Any], by: str, of: str) -> Status:
    """The instance of a status as somebody gives it: `given` has its status and duration, perhaps amount and
    until. `by` is the giver, `of` whose turn a duration by turns waits for.

    `turn-end` is the end of their next turn, whoever gives it and however: given on their own turn it doesn't
    end with that. `this-turn` is the end of the turn under way, or of their next one where none is.
    """
    if given["status"] not in fight.world.book.statuses:
        raise Refused(f"There is no status {given['status']!r}.", "`strike content list statuses` has them.")
    status: Status = {"id": given["status"], "ends": given["duration"]}
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


def add_status(world: World, who: str, status: Status, silent: bool = False) -> Procedure[bool]:
    """A status takes hold, as its stacking says; a `silent` one goes without saying. Returns whether anything
    changed."""
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
        yield world.tell(StatusGaining(who, status["id"], status.get("by", "")))
        if Fight(world).is_out(who):
            return False
    others = [item for item in statuses_of(world, who) if item not in same]
    told = StatusAdded(who, status["id"], silent=True)
    if not silent:
        told = StatusAdded(who, status["id"], status.get("value"), how_long(Fight(world), who, status))
    yield world.tell(told, {path_of(who, "statuses"): [*others, status]})
    return True


def _replaces(stacks: str, status: Status, other: Status) -> bool:
    """Whether of two instances of a status only one is kept. Those of which the highest counts are kept side
    by side, unless one giver gave both with the same end (STR-TAC-25)."""
    alike = {"once": (), "by-source": ("by",), "highest": ("by", "ends", "of", "until", "later")}[stacks]
    return all(status.get(key) == other.get(key) for key in alike)


def end_status(
    world: World, who: str, status: str, how: str = "", only: Status | None = None
) -> Procedure[None]:
    """A status ends, told as `how` says (`facts.StatusEnded`); with `only`, that instance of it alone, where
    there are several by source."""
    left = [item for item in statuses_of(world, who) if item["id"] != status or (only and item != only)]
    yield world.tell(StatusEnded(who, status, how), {path_of(who, "statuses"): left or None})


def set_number(world: World, who: str, status: Status, number: int) -> Procedure[None]:
    """The number of an instance of a status becomes another; at 0 the status ends."""
    if not number:
        yield from end_status(world, who, status["id"], only=status)
        return
    told = StatusNumber(who, status["id"], int(status.get("value", 0)), number)
    held = [{**item, "value": number} if item == status else item for item in statuses_of(world, who)]
    yield world.tell(told, {path_of(who, "statuses"): held})


def as_it_is(world: World, who: str, instance: Mapping[str, Any]) -> Status | None:
    """An instance of a status as it is by now, whatever its number; None where it is there no more."""
    same = ("id", "by", "ends", "of", "until")
    return next(
        (item for item in statuses_of(world, who) if all(item.get(key) == instance.get(key) for key in same)),
        None,
    )


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
    yield world.tell(StatusLasts(who), {path_of(who, "statuses"): held})


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


def _for_rounds(book: Any, held: ActiveEffect) -> str:
    """Which rolls somebody's Condition bears on in certain rounds alone: `attacks in round 1`."""
    found: dict[int, list[str]] = {}
    for source in held.definition["sources"]:
        if "round" in source:
            kind = ROLL_KINDS.get(source["on"]) or brought_word(book, "rolls", source["on"])
            found.setdefault(source["round"], []).append(kind)
    return "; ".join(f"{', '.join(rolls)} in round {number}" for number, rolls in found.items())


def status_in_words(fight: Fight, who: str, status: Status) -> str:
    """A status as it stands: `Ongoing damage 2 by Goblin (save ends)`."""
    return _said(fight, status_as_it_is(fight, who, status))


def status_as_it_is(fight: Fight, who: str, status: Status) -> StatusIs:
    """A status as it stands with somebody, for a sentence."""
    lasts = how_long(fight, who, status)
    return StatusIs(status["id"], status.get("value") or None, status.get("by", ""), lasts)


def status_name(fight: Fight, status: Status) -> str:
    """A status with its number, where it has one: `Ongoing damage 2`."""
    return _said(fight, StatusIs(status["id"], status.get("value") or None))


def ending(fight: Fight, who: str, status: Status) -> str:
    """When a status of somebody's ends, in words: `save ends`."""
    lasts = how_long(fight, who, status)
    return _said(fight, lasts).removeprefix("(").removesuffix(")") if lasts else ""


def how_long(
    fight: Fight, who: str, status: Mapping[str, Any], form: type[Lasting] = Lasting
) -> Lasting | None:
    """How long a status of somebody's lasts, in words of that form; None for what ends by itself alone."""
    ends, of = status["ends"], status.get("of", who)
    if ends == "permanent":
        return None
    if ends in OF_TURNS:
        now = fight.data.get("active") == of and not status.get("later")
        return form(ends, of, ends == "turn-start" or not now)
    if ends == "until":
        until = status["until"]
        words = "" if until in UNTIL else until_in(fight.world.book, until).standing
        return form(ends, until=until, words=words)
    if ends in DURATIONS:
        return form(ends)
    words, turn, after = duration_in(fight.world.book, ends).standing.partition("{}")
    return form(ends, of if turn else "", words=words.format(scene=SCENE), after=after.format(scene=SCENE))


def _said(fight: Fight, words: Clause) -> str:
    return say(words, GameMaster(fight.world.book, [fight.world.state])) or ""
