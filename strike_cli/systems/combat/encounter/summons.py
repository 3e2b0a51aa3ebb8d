"""Summons: how many there may be of one maker, how long they stay (steps/summon.py brings them)."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.gm_override_facts import Left

from ..facts.summons import SummonLasts
from ..fight import Fight, path_of
from .reinforcements import go

MOST_SUMMONED = 6
"""Those of one maker who are there at one time."""


def summoned_by(fight: Fight, maker: str) -> list[str]:
    """Return those whom somebody has summoned, and who are still there."""
    return [
        who for who in fight.in_the_fight() if fight.combatant(who).get("summoned", {}).get("by") == maker
    ]


def dismiss(world: World, who: str) -> Procedure[None]:
    """Remove a summoned creature."""
    if not Fight(world).is_out(who):
        yield from go(world, who, Left(who, gone=True))


def end_turn_of(world: World, moment: str, of: str) -> Procedure[None]:
    """Summons that last until this moment (`turn-start`, `turn-end`) of their maker's turn go."""
    for who, one in list(Fight(world).data["combatants"].items()):
        lasts = one.get("summoned")
        if lasts and lasts["by"] == of and lasts["ends"] == moment and not Fight(world).is_out(who):
            if lasts.get("later"):
                yield world.tell(SummonLasts(who), {path_of(who, "summoned.later"): None})
            else:
                yield from dismiss(world, who)


def follow_their_maker(world: World, gone: str) -> Procedure[None]:
    """Summons of somebody who is out of the fight go, but those that stay."""
    for who in summoned_by(Fight(world), gone):
        if not Fight(world).combatant(who)["summoned"].get("stays"):
            yield from dismiss(world, who)
