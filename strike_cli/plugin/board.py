"""The part of the plugin API for scenes, turn order, squares, doors and edits at virtual tabletops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import import_on_first_use
from ..deprecated_api_names import resolve_old_name_with_warning
from ..tabletop.distance_units import SQUARES, Measure, count_borders_between
from ..tabletop.doors import changes_moving_door, has_door, is_door_open
from ..tabletop.grid import (
    Grid,
    Predicate,
    Square,
    distance,
    distance_between_spaces,
    footprint,
    format_square,
    grid_of,
    is_diagonal,
    parse_square,
    squares_between_spaces,
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
    first_with_turn_left,
    has_acted,
    turns_left_in_round,
    turns_taken,
)
from ..tabletop.walking_distances import WalkingDistances, ways_of

if TYPE_CHECKING:
    from ..registry.gm_override_hooks import LEFT
    from ..tabletop.scene import (
        Asked,
        Board,
        Card,
        Meter,
        Order,
        Person,
        Scene,
        Side,
        Status,
        TableItem,
        Track,
        Zone,
        read_scene,
    )
    from ..tabletop.vtt_edit_types import DOOR, METER, MOVED, InterpretedChange, TabletopChange

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
    "Grid",
    "InterpretedChange",
    "Measure",
    "Meter",
    "Order",
    "Person",
    "Predicate",
    "Scene",
    "Side",
    "Square",
    "Status",
    "TableItem",
    "TabletopChange",
    "Track",
    "WalkingDistances",
    "Zone",
    "changes_moving_door",
    "count_borders_between",
    "distance",
    "distance_between_spaces",
    "first_with_turn_left",
    "footprint",
    "format_square",
    "grid_of",
    "has_acted",
    "has_door",
    "is_diagonal",
    "is_door_open",
    "parse_square",
    "read_scene",
    "squares_between_spaces",
    "turns_left_in_round",
    "turns_taken",
    "ways_of",
]

_LATER = {
    "registry.gm_override_hooks": ("LEFT",),
    "tabletop.vtt_edit_types": ("DOOR", "METER", "MOVED", "TabletopChange", "InterpretedChange"),
    "tabletop.scene": (
        *("Asked", "Board", "Card", "TableItem", "Meter", "Order", "Person", "Scene"),
        *("Side", "Status", "Track", "Zone", "read_scene"),
    ),
}
"""Names for showing scenes, which rules don't need, by module: imported late, since every command of a plugin
imports this module.
"""


_NEW_NAMES = {
    "Exhibit": "TableItem",
    "TakenChange": "InterpretedChange",
    "Ways": "WalkingDistances",
    "between": "squares_between_spaces",
    "gap": "distance_between_spaces",
    "is_door": "has_door",
    "is_open": "is_door_open",
    "moved_door": "changes_moving_door",
    "next_up": "first_with_turn_left",
    "waiting": "turns_left_in_round",
    "zones_apart": "count_borders_between",
}
"""The new names of exported objects, by their old names, which go on for a version."""


def __getattr__(name: str) -> object:
    """Return a name of this module that isn't imported until it is needed.

    The names in `_LATER` are imported on first use. For an old name, return what has the new name, and warn.
    """
    if name in _NEW_NAMES:
        return resolve_old_name_with_warning(__name__, _NEW_NAMES, name)
    return import_on_first_use(__name__, _LATER, name)
