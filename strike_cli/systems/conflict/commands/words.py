"""Words that commands of Team Conflicts take, as Tab offers them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strike_cli.tabletop.people import slug
from strike_cli.terminal.completion import content, offers, offers_words

from ..numbers import numbers

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

ACTION_WORDS = offers_words(lambda: numbers()["actions"])
PREPARATIONS = offers_words(lambda: numbers()["prep"]["actions"])
POLICIES = offers_words(lambda: numbers()["policies"])
TRAITS = content("traits")
CONFLICTS = content("conflicts")


def _hits(campaign: Campaign) -> Iterable[str]:
    scene = campaign.state.get("conflict", {})
    there = [slug(name) for side in ("ours", "theirs") for name in scene.get(side, {}).get("traits", ())]
    return ["strike", *there, "ablate", "drain"]


HITS = offers(_hits)
"""What a Hit may do in the conflict under way."""
