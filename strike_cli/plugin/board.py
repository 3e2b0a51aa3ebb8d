"""Scenes as every screen shows them, turn order, squares, doors, and edits made on a virtual tabletop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import import_on_first_use
from ..tabletop.distance_measure import SQUARES, Measure, zones_apart
from ..tabletop.doors import is_door, is_open, moved_door
from ..tabletop.grid import (
    Grid,
    Predicate,
    Square,
    between,
    distance,
    footprint,
    format_square,
    gap,
    grid_of,
    is_diagonal,
    parse_square,
)
from ..tabletop.turn_order import (
    ACTED,
    ACTING,
    DELAYED,
    HELD,
    INITIATIVE,
    TAKEN,
    WAITING,
    Entry,
    has_acted,
    next_up,
    turns_taken,
    waiting,
)
from ..tabletop.walking_paths import Ways, ways_of

if TYPE_CHECKING:
    from ..registry.gm_override_hooks import LEFT
    from ..tabletop.scene import (
        Asked,
        Board,
        Card,
        Exhibit,
        Meter,
        Order,
        Person,
        Scene,
        Side,
        Status,
        Track,
        Zone,
        read_scene,
    )
    from ..tabletop.vtt_changes import DOOR, METER, MOVED, TabletopChange, TakenChange

__all__ = [
    "ACTED",
    "ACTING",
    "DELAYED",
    "DOOR",
    "HELD",
    "INITIATIVE",
    "LEFT",
    "METER",
    "MOVED",
    "SQUARES",
    "TAKEN",
    "WAITING",
    "Asked",
    "Board",
    "Card",
    "Entry",
    "Exhibit",
    "Grid",
    "Measure",
    "Meter",
    "Order",
    "Person",
    "Predicate",
    "Scene",
    "Side",
    "Square",
    "Status",
    "TabletopChange",
    "TakenChange",
    "Track",
    "Ways",
    "Zone",
    "between",
    "distance",
    "footprint",
    "format_square",
    "gap",
    "grid_of",
    "has_acted",
    "is_diagonal",
    "is_door",
    "is_open",
    "moved_door",
    "next_up",
    "parse_square",
    "read_scene",
    "turns_taken",
    "waiting",
    "ways_of",
    "zones_apart",
]

_LATER = {
    "registry.gm_override_hooks": ("LEFT",),
    "tabletop.vtt_changes": ("DOOR", "METER", "MOVED", "TabletopChange", "TakenChange"),
    "tabletop.scene": (
        *("Asked", "Board", "Card", "Exhibit", "Meter", "Order", "Person", "Scene"),
        *("Side", "Status", "Track", "Zone", "read_scene"),
    ),
}
"""Names for showing scenes, which rules don't need, by module: imported late, since every command of a plugin
imports this module.
"""


def __getattr__(name: str) -> object:
    """Import one of the names in `_LATER` when it is first asked for."""
    return import_on_first_use(__name__, _LATER, name)
