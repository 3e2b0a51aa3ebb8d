"""Wealth as sheets show it: on a character's sheet, and on the sheet for the character's player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.characters_and_names import reason_words
from strike_cli.tabletop.own_sheet_types import OwnSheet
from strike_cli.terminal.command_output import Span
from strike_cli.terminal.sheet_and_party_views import CHANGED, SheetView
from strike_cli.terminal.system_views import Views

from ..effective_wealth_and_purchase_roll import (
    EffectiveWealth,
    effective_wealth,
    rank_name,
    ranks_of_cash_parcels,
    written_sheet_typed_for_wealth,
)


class WealthViews(Views):
    """The views of a character's Wealth on both kinds of sheet."""

    def sheet(self, world: World, person: str) -> SheetView:
        """Return the Wealth part of a character's sheet: Wealth rank, effective rank, and cash parcels.

        The effective rank is the rank that counts now.
        """
        return wealth_sheet_part(world, person)

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return the Wealth rank and cash parcels for the character's player."""
        return wealth_own_sheet_part(world, person)


def wealth_sheet_part(world: World, person: str) -> SheetView:
    """Return the Wealth part of a character's sheet; values that play has changed are marked."""
    written, now, parcels = (
        written_sheet_typed_for_wealth(world, person),
        effective_wealth(world, person),
        ranks_of_cash_parcels(world, person),
    )
    vitals: list[Span] = [
        ("Wealth ", "dim"),
        (_rank_words(now), "strong"),
        *_mark_of_changed_value(written["wealth"], now.wealth, rank_name),
    ]
    if now.reasons:
        vitals.append((f", {_effective_words(world, now)}", "warn"))
    if parcels or written["cash"]:
        vitals += [
            ("    Cash ", "dim"),
            (_parcel_words(parcels), "strong"),
            *_mark_of_changed_value(written["cash"], parcels, _parcel_words),
        ]
    data = {"wealth": now.wealth, "wealth_now": now.effective, "cash": parcels}
    changed = (written["wealth"], written["cash"]) != (now.wealth, parcels)
    return SheetView(data, vitals, ("Wealth", rank_name(now.wealth)), changed=changed)


def wealth_own_sheet_part(world: World, person: str) -> OwnSheet:
    """Return the Wealth part of a player's own sheet."""
    now, parcels = effective_wealth(world, person), ranks_of_cash_parcels(world, person)
    rank = f"{_rank_words(now)}, {_effective_words(world, now)}" if now.reasons else _rank_words(now)
    held = (
        [("Cash", _parcel_words(parcels))]
        if parcels or written_sheet_typed_for_wealth(world, person)["cash"]
        else []
    )
    return OwnSheet([("Wealth", rank), *held])


def _rank_words(wealth: EffectiveWealth) -> str:
    return f"{rank_name(wealth.wealth)} ({wealth.wealth})"


def _effective_words(world: World, wealth: EffectiveWealth) -> str:
    reasons = " and ".join(dict.fromkeys(reason_words(world, item.reason) for item in wealth.reasons))
    return f"counts as {wealth.effective} while {reasons}"


V = TypeVar("V")


def _mark_of_changed_value(before: V, now: V, in_words: Callable[[V], str]) -> list[Span]:
    return [] if before == now else [" ", CHANGED, (f" was {in_words(before)}", "dim")]


def _parcel_words(parcels: Sequence[int]) -> str:
    return ", ".join(f"rank {rank}" for rank in parcels) or "none"
