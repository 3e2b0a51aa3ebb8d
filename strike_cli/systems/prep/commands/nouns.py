"""What may stand in places of these commands, for Tab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


def _tables(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    return (key.rpartition(":")[2] for key in campaign.book.tables)


def _clocks(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    from strike_cli.kernel.procedure import World

    from ..clocks import clocks_of

    return (one.id for one in clocks_of(World(campaign.book, campaign.state)))


NOUNS = {"TABLE": _tables, "CLOCK": _clocks}
