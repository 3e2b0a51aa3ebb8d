"""What powers do besides their damage: the steps of an effect, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..contributions import remap_damage
from ..procedure import Procedure, World
from .fight import Fight
from .forced import displace
from .harm import add_status, heal, hurt


def do_effects(world: World, who: str, target: str, power: Mapping[str, Any]) -> Procedure[list[str]]:
    """The power's effect, op by op; what it says in words is left to the table."""
    fight = Fight(world)
    added = []
    for effect in power["effect"]:
        to = who if effect["to"] == "self" else target
        if "out" in fight.combatant(to):
            continue
        if effect["do"] == "apply":
            status = {"id": effect["status"], "ends": effect["duration"], "by": who}
            if effect["duration"] in ("turn-start", "turn-end"):
                status["of"] = who
                # Ruling: "until the end of your turn", said on that turn, means the next one's end.
                if effect["duration"] == "turn-end" and fight.data.get("active") == who:
                    status["later"] = True
            if "amount" in effect:
                status["value"] = effect["amount"]
            if (yield from add_status(world, to, status)):
                added.append(effect["status"])
        elif effect["do"] == "damage":
            damage, _ = remap_damage(world, who, effect["amount"])
            yield from hurt(world, to, damage, power["name"])
        elif effect["do"] == "heal":
            yield from heal(world, to, effect["amount"], power["name"])
        elif effect["do"] == "push":
            yield from displace(world, to, who, effect["amount"], "push")
        else:
            yield world.happen("noted", to, f"{power['name']}: {effect['text']}")
    return added
