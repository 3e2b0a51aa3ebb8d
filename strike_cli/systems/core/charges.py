"""Charges: uses of something that are kept between scenes, until a rest brings them back."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.people import charges_spent, kept

from .facts.conditions import ChargeSpent, ChargesRegained

TIMES = ("minutes", "long", "day", "week", "year")
"""How long somebody rests, or works and lives frugally; a longer time does for a shorter one."""


def spend_charge(world: World, who: str, key: str, most: int, back: str) -> Procedure[None]:
    """Spend one charge of `most` of a power; the rest `back` (one of TIMES) restores them all."""
    spent = charges_spent(world, who, key) + 1
    sets = {f"characters.{who}.charges.{key}": {"spent": spent, "back": back}}
    yield world.tell(ChargeSpent(who, key, most - spent, most), sets)


def charges_back(world: World, who: str, rest: str) -> Procedure[list[str]]:
    """Restore all charges that so much rest brings back; return their names."""
    spent = kept(world, who).get("charges", {})
    found = [key for key, one in spent.items() if TIMES.index(one["back"]) <= TIMES.index(rest)]
    if found:
        left = {key: one for key, one in spent.items() if key not in found}
        sets = {f"characters.{who}.charges": left or None}
        yield world.tell(ChargesRegained(who, found), sets)
    return found
