"""Faults of a stored fight that can't be found by checking its values one by one (GRT-01)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Checks
from strike_cli.plugin.board import LEFT
from strike_cli.plugin.forms import Fault, Place
from strike_cli.plugin.tactics import ENEMIES, PARTY

from .facts import DEAD
from .morale import GONE

if TYPE_CHECKING:
    from .data import GritScene


def state_faults(state: Mapping[str, object]) -> Iterator[Fault]:
    """Yield the faults of a stored fight that the schema of its table can't find.

    They are faults of the sides, the turns and the rounds.
    """
    fight = cast("GritScene", state["grit"])
    if fight.get("active") not in (PARTY, ENEMIES):
        yield Fault(Place("grit", "active"), f"should be {PARTY} or {ENEMIES}")
    if fight.get("turns") != "sides" or not fight.get("round"):
        yield Fault(Place("grit"), "turns should be sides, and round 1 or more")
    for combatant, one in fight["people"].items():
        place = Place("grit", "people", combatant)
        if one.get("out") not in (None, DEAD, LEFT, *GONE.values()):
            yield Fault(place / "out", f"should be {DEAD}, {LEFT}, {' or '.join(GONE.values())}")
        if one.get("side") not in (PARTY, ENEMIES) or "ref" not in one:
            yield Fault(place, f"needs a ref, and {PARTY} or {ENEMIES} as its side")


class GritChecks(Checks):
    """The system's own checks of the state, beyond the schemas of tables."""

    def state(self, state: Mapping[str, object]) -> Iterable[Fault]:
        return state_faults(state)
