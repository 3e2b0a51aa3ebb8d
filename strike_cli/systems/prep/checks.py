"""What must hold of things that are prepared, beyond their form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from strike_cli.faults import Fault, Faults, Place

from . import table
from .calendar import Calendar, CalendarWritten


def check(kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Faults:
    """Return the faults of a random table, or of the day of a deadline."""
    if kind == "deadlines":
        written = tables["calendar"].get("calendar")
        deadline = cast("Mapping[str, str]", tables["deadlines"][id])
        return _no_such_day(deadline["on"], cast("CalendarWritten | None", written))
    return table.check(kind, id, tables)


def _no_such_day(on: str, written: CalendarWritten | None) -> Faults:
    if written is None:
        return [Fault(Place("on"), "the campaign has no calendar; write one: [calendar]")]
    calendar = Calendar(written)
    try:
        calendar.number_of(on, calendar.today)
    except ValueError as error:
        return [Fault(Place("on"), str(error))]
    return []
