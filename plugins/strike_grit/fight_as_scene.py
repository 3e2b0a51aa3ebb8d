"""Makes a Scene, which every screen shows, from a stored fight by Grit.

Grit and the dice of attributes are the Scene's meters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin.board import Person, Scene, Status, read_scene

from .dice import ATTRIBUTES
from .facts import FLEES, GONE
from .vitals import states_of_attributes_at_zero

if TYPE_CHECKING:
    from .data import GritScene

METERS = {
    "grit": {"name": "Grit", "max": "max_grit", "vital": False},
    **{each: {"name": each.upper(), "max": f"max_{each}", "sign": "d"} for each in ATTRIBUTES},
}
AIDED = Status("on-the-brink", "On the brink")
DUE = Status("morale-due", "Morale due")
HELD = Status("direct-damage-due", "Direct Damage due")


def scene_of_state(system: str, key: str, table: Mapping[str, object]) -> Scene:
    """Return the Scene of a stored fight; `table` is the state's table `key`."""
    scene = read_scene(system, key, {**table, "meters": METERS})
    kept = cast("GritScene", table)["people"]
    people = {
        combatant: _with_statuses_and_state(one, kept[combatant]) for combatant, one in scene.people.items()
    }
    return scene._replace(people=people)


def _with_statuses_and_state(person: Person, numbers: Mapping[str, object]) -> Person:
    """Return a person with the statuses and the state that follow from the person's numbers.

    The statuses show attributes at zero, first aid, a Morale roll that is due, and Direct Damage that isn't
    settled. The state is "up" or "down". A person who is out of the fight stays unchanged, except that the
    place is removed if the person fled.
    """
    if person.state == "out":
        return person._replace(at=None) if person.out == GONE[FLEES] else person
    words = states_of_attributes_at_zero(numbers)
    statuses = [*person.statuses, *(Status(word, word.capitalize()) for word in words)]
    statuses += [AIDED] if numbers.get("aided") else []
    statuses += [DUE] if numbers.get("due") and not words else []
    statuses += [HELD] if numbers.get("unsettled") else []
    state, down = ("down", words[0]) if words else ("up", "")
    return person._replace(statuses=tuple(statuses), state=state, down=down)
