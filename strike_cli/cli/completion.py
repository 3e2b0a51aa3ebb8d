"""What Tab offers: the campaign's own names. One that can't be had is no completion, and never an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..problems import Problem

if TYPE_CHECKING:
    from ..campaign import Campaign


def _campaign() -> Campaign | None:
    from ..campaign import Campaign, find_campaign

    try:
        folder = find_campaign()
        return Campaign(folder) if folder else None
    except (Problem, OSError):
        return None


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.lower().startswith(incomplete.lower())]


def people(incomplete: str) -> list[str]:
    """Characters, and whoever is in the fight."""
    campaign = _campaign()
    if campaign is None:
        return []
    there = campaign.state.get("fight", {}).get("combatants", {})
    return _beginning(dict.fromkeys([*campaign.book.characters, *there]), incomplete)


def combatants(incomplete: str) -> list[str]:
    """Whoever is still in the fight."""
    campaign = _campaign()
    there = campaign.state.get("fight", {}).get("combatants", {}) if campaign else {}
    return _beginning((who for who, item in there.items() if "out" not in item), incomplete)


def encounters(incomplete: str) -> list[str]:
    """The encounters of the campaign."""
    campaign = _campaign()
    return _beginning(campaign.book.encounters, incomplete) if campaign else []


def skills(incomplete: str) -> list[str]:
    """Every Skill on a sheet."""
    campaign = _campaign()
    sheets = campaign.book.characters.values() if campaign else ()
    return _beginning(dict.fromkeys(name for sheet in sheets for name in sheet["skills"]), incomplete)


def statuses(incomplete: str) -> list[str]:
    """Statuses, by the last part of their ids."""
    campaign = _campaign()
    table = campaign.book.statuses if campaign else {}
    return _beginning((key.rpartition(":")[2] for key in table), incomplete)
