"""Faults of sheets and of a stored fight that can't be found by checking single values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Checks
from strike_cli.plugin.forms import Fault, Faults, Place, form_of

from .data import MomentumStatus

if TYPE_CHECKING:
    from .data import MomentumSheet, MomentumState


def faults_of_wielded_things(
    kind: str, id: str, tables: Mapping[str, Mapping[str, object]]
) -> Iterator[Fault]:
    """Yield a fault for each thing that a sheet `wields` although the sheet doesn't have it."""
    if kind not in ("characters", "creatures"):
        return
    sheet = cast("Mapping[str, MomentumSheet]", tables[kind][id]).get("momentum")
    if sheet is None:
        return
    for held in sheet.get("wields", ()):
        if held not in sheet["weapons"] and not (held == "shield" and "shield" in sheet):
            yield Fault(Place("momentum", "wields"), f"there is no {held!r} among its weapons")


def state_faults(state: Mapping[str, object]) -> Iterator[Fault]:
    """Yield faults of a stored fight that its table's schema doesn't check, such as unknown combatants."""
    fight = cast("MomentumState", state["momentum"])
    people = fight["people"]
    if fight.get("active") and fight["active"] not in people:
        yield Fault(Place("momentum", "active"), f"there is no {fight['active']!r}")
    for combatant, one in people.items():
        place = Place("momentum", "people", combatant)
        others = {"union": one.get("union"), "on": one.get("on"), "summoner": one.get("summoner")}
        for key, other in others.items():
            if other and other not in people:
                yield Fault(place / key, f"there is no {other!r}")
        for status in one.get("statuses", ()):
            faults: Faults = []
            form_of(MomentumStatus).check(status, place / "statuses", faults)
            yield from faults


class MomentumChecks(Checks):
    """The system's own checks of content and state, beyond the schemas of tables."""

    def content_faults(
        self, kind: str, id: str, tables: Mapping[str, Mapping[str, object]]
    ) -> Iterable[Fault]:
        return faults_of_wielded_things(kind, id, tables)

    def state_faults(self, state: Mapping[str, object]) -> Iterable[Fault]:
        return state_faults(state)
