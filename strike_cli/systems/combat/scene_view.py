"""A fight in the form of a Scene, which all scenes share for the screens.

The Scene is made from the fight's table in the state. No rule is used for it except the limit for Bloodied.
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


def scene_of_state(system: str, key: str, table: Mapping[str, object]) -> Scene:
    """Return a fight as a Scene, made from `table`, the fight's table in the state."""
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
        {
            combatant: _with_bloodied_and_down(one, house)
            for combatant, one in read_people(combatants, METERS).items()
        },
        read_order(fight, combatants, "list"),
        read_board(fight),
    )


def _with_bloodied_and_down(person: Person, house: str) -> Person:
    """Return a person to whose HP the limit for Bloodied is added.

    If the person's state is "up" but the HP are 0 or less, the state becomes "down".
    """
    if not person.meters:
        return person
    hp, *others = person.meters
    hp = hp._replace(low=bloodied_at(hp.most or hp.value, house))
    down = person.state == "up" and hp.value <= 0
    return person._replace(meters=(hp, *others), state="down" if down else person.state)
