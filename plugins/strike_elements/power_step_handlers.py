"""Steps of powers that TOML can't express. Each is named in `handlers` of the Plugin."""

from __future__ import annotations

from strike_cli.plugin import Procedure, World
from strike_cli.plugin.fights import Deed, Fight, do_steps


def leap_to_neighbour(world: World, deed: Deed, person: str) -> Procedure[list[str]]:
    """Set on fire the neighbour of `person` who has the fewest HP.

    That may be a friend or a foe, but not the power's user. Returns what the `apply` step returns; an empty
    list if nobody is adjacent.
    """
    fight = Fight(world)
    beside = [
        one
        for one in fight.still_in_fight()
        if one not in (person, deed.who) and "at" in fight.combatant(one) and fight.gap(one, person) == 1
    ]
    if not beside:
        return []
    burn = {"do": "apply", "to": "target", "status": "elements:burning", "duration": "save", "amount": 1}
    return (yield from do_steps(world, deed, [burn], min(beside, key=lambda one: fight.combatant(one)["hp"])))
