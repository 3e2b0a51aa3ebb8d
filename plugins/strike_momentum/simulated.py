"""What `strike sim` is told of these fights: how one begins and ends, and what is lost in it (WSH-01, 16)."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.plugin import Option, Refused, World
from strike_cli.plugin.sim import Lineup, Simulated

from .battle import ENEMIES, PARTY, Battle
from .setup import LOST, WON, EndBattle, StartBattle

NAMED = {
    "momentum attack": "with",
    "momentum use": "ability",
    "momentum react": "ability",
    "momentum act": "action",
}
"""Commands, and which of their arguments names what is used."""


def begin(world: World, encounter: str, lineup: Lineup) -> Option:
    """`momentum start`."""
    if lineup.difficulty:
        raise Refused("Momentum counts no difficulty.", "--with CREATURE:N brings more.")
    args = StartBattle(encounter=encounter, party=lineup.party, creatures=lineup.creatures)
    return Option("momentum start", args, ("start", encounter))


def result(world: World) -> str:
    """Return who has somebody left who is up."""
    battle = Battle(world)
    up = {battle.side(who) for who in battle.there() if battle.is_up(who)}
    if up >= {PARTY, ENEMIES}:
        return ""
    return WON if PARTY in up else LOST


def finish(world: World) -> Option | None:
    """`momentum end`."""
    return Option("momentum end", EndBattle(), ("end",))


def used(option: Option, data: Mapping[str, object]) -> str:
    """Return the weapon, the Ability or the action of an option."""
    key = NAMED.get(option.command, "")
    return str(option.args.in_full().get(key, "")) if key else ""


SIMULATED = Simulated(
    begin,
    result,
    finish,
    health=("vitality",),
    fells=("vitality",),
    unit="Vitality",
    counted=("momentum",),
    used=used,
)
