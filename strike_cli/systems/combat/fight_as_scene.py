"""A fight in the form of a Scene, which the screens of all systems show.

The Scene is made from the fight's table in the state alone, without a World.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import Person, Scene, read_board, read_order, read_people

from .rule_numbers import highest_bloodied_hp

if TYPE_CHECKING:
    from strike_cli.tabletop.data import MeterKept

    from .data import FightState

METERS: Mapping[str, MeterKept] = {
    "hp": {"name": "HP", "max": "max_hp"},
    "strikes": {"name": "Strikes", "one": "Strike"},
    "miss_tokens": {"name": "Miss Tokens", "one": "Miss Token"},
}


def fight_as_scene(system: str, key: str, table: Mapping[str, object]) -> Scene:
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
            combatant: _with_bloodied_limit_and_down_state(one, house)
            for combatant, one in read_people(combatants, METERS).items()
        },
        read_order(fight, combatants, "list"),
        read_board(fight),
    )


def _with_bloodied_limit_and_down_state(person: Person, bloodied_rule: str) -> Person:
    """Return a copy of a person, with the limit for Bloodied added to the HP.

    If the HP are 0 or less and the person's state is "up", the state becomes "down". A person without HP is
    unchanged.
    """
    if not person.meters:
        return person
    hp, *others = person.meters
    hp = hp._replace(low=highest_bloodied_hp(hp.most or hp.value, bloodied_rule))
    down = person.state == "up" and hp.value <= 0
    return person._replace(meters=(hp, *others), state="down" if down else person.state)
