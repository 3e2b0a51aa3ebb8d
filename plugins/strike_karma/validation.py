"""Checks of encounters and of stored fights (CIN-01, 10).

They find faults that a check of single values misses, such as a combatant who isn't in the fight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Checks, did_you_mean
from strike_cli.plugin.forms import Fault, Place

from .fight_state import OPEN

if TYPE_CHECKING:
    from .data import EncounterWithKarma, KarmaScene


def state_faults(state: Mapping[str, object]) -> Iterator[Fault]:
    """Yield faults of a stored fight that its table's schema doesn't check, such as unknown combatants."""
    fight = cast("KarmaScene", state["karma"])
    there = [combatant for combatant, one in fight["people"].items() if "out" not in one]
    named = [
        (key, str(combatant)) for key in ("active", "starter") if (combatant := fight.get(key)) is not None
    ]
    named += [("holds", str(combatant)) for combatant in fight.get("holds", ())]
    for key, combatant in named:
        if combatant not in there:
            yield Fault(
                Place("karma", key), f"{combatant!r} is not in the fight.{did_you_mean(combatant, there)}"
            )
    if fight["stage"] == OPEN and "active" not in fight:
        yield Fault(Place("karma", "stage"), "open, and nobody has the initiative")


def encounter_group_faults(kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Sequence[Fault]:
    """Return a fault for each group of an encounter whose creature doesn't exist."""
    if kind != "encounters":
        return []
    creatures, encounter = tables["creatures"], cast("EncounterWithKarma", tables[kind][id])
    return [
        Fault(Place("karma", "groups", ref), f"there is no such creature.{did_you_mean(ref, creatures)}")
        for ref in (encounter["karma"]["groups"] if "karma" in encounter else ())
        if ref not in creatures
    ]


class KarmaChecks(Checks):
    """The system's own checks of content and state, beyond the schemas of tables."""

    def content_faults(
        self, kind: str, id: str, tables: Mapping[str, Mapping[str, object]]
    ) -> Iterable[Fault]:
        return encounter_group_faults(kind, id, tables)

    def state_faults(self, state: Mapping[str, object]) -> Iterable[Fault]:
        return state_faults(state)
