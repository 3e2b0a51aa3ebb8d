"""What `strike sim` is told of these fights: how one begins and ends, and what is lost in it (GRT-01, 08)."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.plugin import Option, Refused, World
from strike_cli.plugin.sim import Lineup, Simulated

from .attack import GritAttack
from .fight import ENEMIES, PARTY, GritFight
from .morale import GONE
from .numbers import ATTRIBUTES
from .settle import held_by
from .setup import StartGritFight
from .turns import EndGritFight


def begin(world: World, encounter: str, lineup: Lineup) -> Option:
    """`grit start`."""
    if lineup.difficulty:
        raise Refused("Grit counts no difficulty.", "--with CREATURE:N brings more.")
    args = StartGritFight(encounter=encounter, party=lineup.party, creatures=lineup.creatures)
    return Option("grit start", args, ("start", encounter))


def result(world: World) -> str:
    """Return who has somebody left who can act; nobody has won while damage waits for its Save."""
    fight = GritFight(world)
    ours, theirs = (any(fight.up(side)) for side in (PARTY, ENEMIES))
    if (ours and theirs) or held_by(fight):
        return ""
    return "won" if ours else "lost"


def finish(world: World) -> Option | None:
    """`grit end`."""
    return Option("grit end", EndGritFight(), ("end",))


def used(option: Option, data: Mapping[str, object]) -> str:
    """Return the weapon of an option, or "aid"."""
    if option.command == "grit attack":
        return option.given(GritAttack).weapon or "bare hands"
    return "aid" if option.command == "grit aid" else ""


SIMULATED = Simulated(
    begin,
    result,
    finish,
    health=("grit", *ATTRIBUTES),
    fells=ATTRIBUTES,
    unit="Grit and dice",
    used=used,
    fled=tuple(GONE.values()),
)
