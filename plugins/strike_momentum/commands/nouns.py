"""What may stand in places of these commands, for Tab, by what the place is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ..numbers import ARMORS, SHIELDS, TYPES

if TYPE_CHECKING:
    from strike_cli.plugin.commands import Campaign


def _of(*words: str) -> Callable[[Campaign, Mapping[str, object]], Iterable[str]]:
    return lambda campaign, typed: words


NOUNS = {
    "TYPE": _of(*TYPES),
    "WORN": _of(*ARMORS),
    "HELD": _of(*SHIELDS),
    "momentum status add WHEN": _of("start", "end", "fight", "upkeep"),
    "momentum end HOW": _of("won", "lost", "over"),
    "momentum leave HOW": _of("gone", "fled", "out"),
}
