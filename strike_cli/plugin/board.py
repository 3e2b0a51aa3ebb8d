"""Scenes as everybody sees them, turn order, squares, doors, and changes that somebody made on a virtual
tabletop."""

from ..tabletop.board import grid_of
from ..tabletop.changed import DOOR, METER, MOVED, Change, Taken
from ..tabletop.doors import is_door, is_open, moved_door
from ..tabletop.exhibit import Exhibit
from ..tabletop.grid import (
    Grid,
    Square,
    between,
    distance,
    footprint,
    format_square,
    gap,
    parse_square,
)
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
    Track,
    Zone,
    read_scene,
)
from ..tabletop.turn_order import ACTED, ACTING, DELAYED, HELD, WAITING, Entry, next_up, waiting
from ..tabletop.ways import Ways, ways_of

__all__ = [
    "ACTED",
    "ACTING",
    "DELAYED",
    "DOOR",
    "HELD",
    "METER",
    "MOVED",
    "WAITING",
    "Asked",
    "Board",
    "Card",
    "Change",
    "Entry",
    "Exhibit",
    "Grid",
    "Meter",
    "Order",
    "Person",
    "Scene",
    "Side",
    "Square",
    "Status",
    "Taken",
    "Track",
    "Ways",
    "Zone",
    "between",
    "distance",
    "footprint",
    "format_square",
    "gap",
    "grid_of",
    "is_door",
    "is_open",
    "moved_door",
    "next_up",
    "parse_square",
    "read_scene",
    "waiting",
    "ways_of",
]
