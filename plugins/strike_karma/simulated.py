"""The answers of these fights to `strike sim`.

The rules leave harm to the table (CIN-09), so nobody wins a fight, and `strike sim` says so. A plugin that
adds the effect of a hit can take the rest from here.
"""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.plugin import Option, Refused, World
from strike_cli.plugin.sim import Lineup, Simulated

from .action import KarmaAction
from .fight import ENEMIES, PARTY, KarmaFight
from .gm_moves import EndKarmaFight
from .setup import StartKarmaFight


def begin(world: World, encounter: str, lineup: Lineup) -> Option:
    """`karma start`; who has the first initiative is rolled for."""
    if lineup.difficulty:
        raise Refused("Karma counts no difficulty.", "--with CREATURE:N brings more.")
    args = StartKarmaFight(encounter=encounter, party=lineup.party, creatures=lineup.creatures, roll=True)
    return Option("karma start", args, ("start", encounter, "--roll"))


def result(world: World) -> str:
    """Return who is there alone."""
    fight = KarmaFight(world)
    sides = {str(fight.people[who].get("side")) for who in fight.there()}
    if sides >= {PARTY, ENEMIES}:
        return ""
    return "won" if PARTY in sides else "lost"


def finish(world: World) -> Option | None:
    """`karma end`."""
    return Option("karma end", EndKarmaFight(), ("end",))


def used(option: Option, data: Mapping[str, object]) -> str:
    """Return what an action is for: a Trope, a Trademark, or nothing."""
    return " and ".join(option.given(KarmaAction).for_) or "plain" if option.command == "karma act" else ""


SIMULATED = Simulated(
    begin,
    result,
    finish,
    health=("pool",),
    unit="dice",
    counted=("karma",),
    used=used,
    undecided="Karma leaves to the table what a hit does, so no fight of it is ever won or lost.",
)
