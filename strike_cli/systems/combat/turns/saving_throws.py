"""Saving Throws (STR-TAC-03)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.tabletop.active_effects import roll_reasons_from_effects
from strike_cli.tabletop.dice import roll_die

from ..facts.harm import SaveRolled
from ..facts.statuses import WhichStatus
from ..fight_state import Fight, last_part_of_id
from ..health_and_statuses import (
    Status,
    end_status,
    status_clause,
    statuses_given_to,
    statuses_to_save_against,
)
from ..rule_numbers import combat_numbers

if TYPE_CHECKING:
    from strike_cli.tabletop.data import EffectWritten

    from ..data import SaveData


def play_saving_throws(world: World, combatant: str) -> Procedure[list[SaveData]]:
    """Roll a Saving Throw against each status of a combatant that a save ends (STR-TAC-03)."""
    made: list[SaveData] = []
    waiting = statuses_to_save_against(world, combatant)
    while waiting:
        status = yield from _choose_next_save(world, combatant, waiting)
        waiting.remove(status)
        made.append((yield from play_saving_throw(world, combatant, status)))
    return made


def play_saving_throw(world: World, combatant: str, status: Status) -> Procedure[SaveData]:
    """Roll one Saving Throw against a status (STR-TAC-03)."""
    name = world.book.statuses[status["id"]]["name"]
    reasons, modifiers = roll_reasons_from_effects(world, combatant, "save")
    rolled = yield from roll_die(combatant, f"save: {name}", reasons, modifiers)
    ended = rolled.total >= combat_numbers()["save"]["target"]
    several = sum(item["id"] == status["id"] for item in statuses_given_to(world, combatant)) > 1
    yield world.tell(
        SaveRolled(combatant, rolled, status["id"], ended, status.get("value") if several else None)
    )
    if ended:
        yield from end_status(world, combatant, status["id"], "silent", only=status)
    return {"status": status["id"], "roll": rolled.as_json(), "ended": ended}


def _choose_next_save(world: World, combatant: str, waiting: Sequence[Status]) -> Procedure[Status]:
    """Return the status against which a creature rolls its next Saving Throw.

    Usually it is the first of the statuses in `waiting`. The order matters only if one of them affects Saving
    Throws. If so, players choose the next status for their own characters. For any other creature, the status
    that affects Saving Throws is next.
    """
    burdens = [status for status in waiting if _status_affects_saves(world, status["id"])]
    if not burdens or len(waiting) == 1:
        return waiting[0]
    if not Fight(world).is_player(combatant):
        return burdens[0]
    names = [last_part_of_id(status["id"]) for status in waiting]
    keys = [name if names.count(name) == 1 else f"{name}-{n + 1}" for n, name in enumerate(names)]
    labels = tuple(status_clause(Fight(world), combatant, status) for status in waiting)
    about = WhichStatus(combatant, "order")
    key = yield Choose(combatant, "which save comes first", tuple(keys), labels, kind="order", about=about)
    return waiting[keys.index(key)]


def _status_affects_saves(world: World, status: str) -> bool:
    return any(
        item["on"] in ("save", "any") and item["side"] == "own"
        for definition in status_definitions_with_implied(world, status)
        for item in definition["sources"]
    )


def status_definitions_with_implied(world: World, status: str) -> Iterator[EffectWritten]:
    """Yield the definition of a status, and the definitions of all statuses that it implies."""
    definition: EffectWritten = world.book.statuses[status]
    yield definition
    for implied in definition.get("implies", ()):
        yield from status_definitions_with_implied(world, implied)
