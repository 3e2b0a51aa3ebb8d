"""A fight in the form that all scenes share, for every screen.

It reads the fight's table in the state, and contains no rule but the limit for Bloodied.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import Person, Scene, read_board, read_order, read_people

from .numbers import bloodied_at

if TYPE_CHECKING:
    from strike_cli.tabletop.data import MeterKept

    from .data import FightState

METERS: Mapping[str, MeterKept] = {
    "hp": {"name": "HP", "max": "max_hp"},
    "strikes": {"name": "Strikes", "one": "Strike"},
    "miss_tokens": {"name": "Miss Tokens", "one": "Miss Token"},
}


def read(system: str, key: str, table: Mapping[str, object]) -> Scene:
    """Return the scene of a fight."""
    fight = cast("FightState", table)
    combatants = fight.get("combatants", {})
    house = fight.get("bloodied", "")
    return Scene(
        system,
        key,
        str(fight.get("id", "")),
        str(fight.get("name", "")),
        str(fight.get("goal", "")),
        int(fight.get("round", 0)),
        "",
        {combatant: _add_state(one, house) for combatant, one in read_people(combatants, METERS).items()},
        read_order(fight, combatants, "list"),
        read_board(fight),
    )


def _add_state(person: Person, house: str) -> Person:
    """Return a person with the HP at which it is Bloodied, and in the state "down" at 0 HP or less."""
    if not person.meters:
        return person
    hp, *others = person.meters
    hp = hp._replace(low=bloodied_at(hp.most or hp.value, house))
    down = person.state == "up" and hp.value <= 0
    return person._replace(meters=(hp, *others), state="down" if down else person.state)
