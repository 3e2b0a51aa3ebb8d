"""What Tab offers: the campaign's own names. One that can't be had is no completion, and never an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


def beginning_with(names: Callable[[Campaign], Iterable[str]], incomplete: str) -> list[str]:
    """The names that a campaign has for something, as far as they begin so; none where there is no
    campaign."""
    campaign = _campaign()
    return _beginning(dict.fromkeys(names(campaign)), incomplete) if campaign else []


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


def newcomers(incomplete: str) -> list[str]:
    """Characters and creatures of the campaign."""
    campaign = _campaign()
    return _beginning([*campaign.book.characters, *campaign.book.creatures], incomplete) if campaign else []


def encounters(incomplete: str) -> list[str]:
    """The encounters of the campaign."""
    campaign = _campaign()
    return _beginning(campaign.book.encounters, incomplete) if campaign else []


def skills(incomplete: str) -> list[str]:
    """Every Skill on a sheet."""
    campaign = _campaign()
    sheets = campaign.book.characters.values() if campaign else ()
    return _beginning(dict.fromkeys(name for sheet in sheets for name in sheet["skills"]), incomplete)


def powers(incomplete: str) -> list[str]:
    """Powers, by the last part of their ids."""
    campaign = _campaign()
    table = campaign.book.powers if campaign else {}
    return _beginning(sorted({key.rpartition(":")[2] for key in table}), incomplete)


def statuses(incomplete: str) -> list[str]:
    """Statuses, by the last part of their ids."""
    campaign = _campaign()
    table = campaign.book.statuses if campaign else {}
    return _beginning((key.rpartition(":")[2] for key in table), incomplete)


def conflicts(incomplete: str) -> list[str]:
    """The conflicts of the campaign."""
    campaign = _campaign()
    return _beginning(campaign.book.conflicts, incomplete) if campaign else []


def chases(incomplete: str) -> list[str]:
    """The chases of the campaign."""
    campaign = _campaign()
    return _beginning(campaign.book.chases, incomplete) if campaign else []


def traits(incomplete: str) -> list[str]:
    """Traits of a Team Conflict that do something, by the last part of their ids."""
    campaign = _campaign()
    table = campaign.book.traits if campaign else {}
    return _beginning((key.rpartition(":")[2] for key in table), incomplete)


def actions(incomplete: str) -> list[str]:
    """The actions of a Team Conflict."""
    from ..rules.conflict.scene import ACTIONS

    return _beginning(ACTIONS, incomplete)


def preparations(incomplete: str) -> list[str]:
    """The preparatory actions of a Team Conflict."""
    from ..rules.numbers import numbers

    return _beginning(numbers("conflict")["prep"]["actions"], incomplete)


def policies(incomplete: str) -> list[str]:
    """The policies by which the odds of a whole conflict are counted."""
    from ..rules.numbers import numbers

    return _beginning(numbers("conflict")["policies"], incomplete)


def hits(incomplete: str) -> list[str]:
    """What a Hit may do in the conflict under way."""
    from ..rules.people import slug

    campaign = _campaign()
    scene = campaign.state.get("conflict", {}) if campaign else {}
    there = [slug(name) for side in ("ours", "theirs") for name in scene.get(side, {}).get("traits", ())]
    return _beginning(["strike", *there, "ablate", "drain"], incomplete)


def chase_actions(incomplete: str) -> list[str]:
    """The actions of a chase."""
    from ..rules.chase.tables import actions as known

    return _beginning(known(), incomplete)


def in_chase(incomplete: str) -> list[str]:
    """Whoever is in the chase."""
    campaign = _campaign()
    chase = campaign.state.get("chase", {}) if campaign else {}
    return _beginning([*chase.get("runners", ()), *chase.get("chasers", ())], incomplete)
