"""What places of commands of Team Conflicts are called, and what Tab offers there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.tabletop.people import slug
from strike_cli.terminal.lookup import content
from strike_cli.terminal.nouns import Noun

from ..numbers import ROLLS, SIDES, numbers

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


def _traits(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    from .words import side_of

    kept = (side_of(campaign, side) for side in SIDES)
    return (slug(name) for own in kept if own for name in own["traits"])


def _hits(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    return ["strike", *_traits(campaign, typed), "ablate", "drain"]


ACTION = Noun("ACTION", words=lambda: numbers()["actions"])
"""An action of a round."""
PREPARATION = Noun("ACTION", words=lambda: numbers()["prep"]["actions"])
"""An action of preparation."""
POLICY = Noun("POLICY", words=lambda: numbers()["policies"])
"""How a team plays in odds."""
CONFLICT = Noun("NAME", content("conflicts"))
"""A prepared conflict."""
TRAIT = Noun("NAME", content("traits"))
"""Any trait."""
RECOVERED = Noun("strike|TRAIT", lambda campaign, typed: ["strike", *_traits(campaign, typed)])
"""What comes back: a Strike, or a trait of the conflict under way."""
MAY_RECOVER = Noun("strike|TRAIT|none", lambda campaign, typed: ["strike", *_traits(campaign, typed), "none"])
"""What comes back, if anything."""
HIT = Noun("strike|TRAIT", _hits)
"""What a Hit may do in the conflict under way."""
WEIGHED = Noun("[WHO or NAME:]ROLL", words=lambda: (*ROLLS, "none"))
"""A roll of somebody, which counts double."""
