"""Systems' views of people, scenes and maps, and the blocks that screens are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import import_on_first_use
from ..terminal.system_views import ToDo, Views

if TYPE_CHECKING:
    from ..tabletop.distance_measure import Ranges
    from ..tabletop.effect_explanations import ExplainedLine
    from ..tabletop.own_sheet import Holding, OwnRoll, OwnSheet, SheetPart
    from ..terminal.result import Bars, Block, Line, Numbers, Picture, Section, Span, Table
    from ..terminal.scene_view import map_picture
    from ..terminal.sheet_parts import PartyView, SheetItem, SheetView

__all__ = [
    "Bars",
    "Block",
    "ExplainedLine",
    "Holding",
    "Line",
    "Numbers",
    "OwnRoll",
    "OwnSheet",
    "PartyView",
    "Picture",
    "Ranges",
    "Section",
    "SheetItem",
    "SheetPart",
    "SheetView",
    "Span",
    "Table",
    "ToDo",
    "Views",
    "map_picture",
]

_LATER = {
    "tabletop.effect_explanations": ("ExplainedLine",),
    "tabletop.distance_measure": ("Ranges",),
    "tabletop.own_sheet": ("Holding", "OwnRoll", "OwnSheet", "SheetPart"),
    "terminal.result": ("Bars", "Block", "Line", "Numbers", "Picture", "Section", "Span", "Table"),
    "terminal.scene_view": ("map_picture",),
    "terminal.sheet_parts": ("PartyView", "SheetItem", "SheetView"),
}
"""Names for showing things, by module: imported late, since `strike status` asks every system for its
`Views`, and most show nothing there.
"""


def __getattr__(name: str) -> object:
    """Import one of the names in `_LATER` when it is first asked for."""
    return import_on_first_use(__name__, _LATER, name)
