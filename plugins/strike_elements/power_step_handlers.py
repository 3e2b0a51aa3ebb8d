"""Steps of powers that TOML can't express. Each is named in `handlers` of the Plugin."""

from __future__ import annotations

from strike_cli.plugin import Procedure, World
from strike_cli.plugin.fights import Fight, PowerUse, do_steps


def ignite_weakest_neighbour(world: World, use: PowerUse, person: str) -> Procedure[list[str]]:
    """Set on fire the neighbour of `person` who has the fewest HP.

    The neighbour may be a friend or a foe, but not the power's user. Return the result of the `apply` step.
    If nobody is adjacent, return an empty list.
    """
    fight = Fight(world)
    beside = [
        one
        for one in fight.still_in_fight()
        if one not in (person, use.who) and "at" in fight.combatant(one) and fight.gap(one, person) == 1
    ]
    if not beside:
        return []
    burn = {"do": "apply", "to": "target", "status": "elements:burning", "duration": "save", "amount": 1}
    return (yield from do_steps(world, use, [burn], min(beside, key=lambda one: fight.combatant(one)["hp"])))
