"""What may stand in places of commands of Team Conflicts, for Tab, by what the place is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.tabletop.people import slug

from ..numbers import ROLLS, SIDES
from .words import side_of

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


def _traits(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    return (slug(name) for side in SIDES for name in side_of(campaign, side).get("traits", ()))


NOUNS: dict[str, Callable[[Campaign, Mapping[str, object]], Iterable[str]]] = {
    "TRAIT": _traits,
    "conflict start NAME": lambda campaign, typed: (),
    "EVENT:OTHER": lambda campaign, typed: (),
    "[WHO or NAME:]ROLL": lambda campaign, typed: (*ROLLS, "none"),
}
