"""The display of people, scenes and maps: a system's views, and the blocks that screens consist of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import import_on_first_use
from ..deprecated_api_names import resolve_old_name_with_warning
from ..terminal.system_views import Task, Views

if TYPE_CHECKING:
    from ..tabletop.distance_units import Ranges
    from ..tabletop.effects_in_plain_words import ExplainedLine
    from ..tabletop.own_sheet_types import Holding, OwnRoll, OwnSheet, SheetPart
    from ..terminal.command_output import BarChart, Block, Line, NumberHeading, Picture, Section, Span, Table
    from ..terminal.scene_view import map_picture
    from ..terminal.sheet_and_party_views import PartyView, SheetItem, SheetView

__all__ = [
    "BarChart",
    "Block",
    "ExplainedLine",
    "Holding",
    "Line",
    "NumberHeading",
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
    "Task",
    "Views",
    "map_picture",
]

_LATER = {
    "tabletop.effects_in_plain_words": ("ExplainedLine",),
    "tabletop.distance_units": ("Ranges",),
    "tabletop.own_sheet_types": ("Holding", "OwnRoll", "OwnSheet", "SheetPart"),
    "terminal.command_output": (
        "BarChart",
        "Block",
        "Line",
        "NumberHeading",
        "Picture",
        "Section",
        "Span",
        "Table",
    ),
    "terminal.scene_view": ("map_picture",),
    "terminal.sheet_and_party_views": ("PartyView", "SheetItem", "SheetView"),
}
"""Names for showing things, by module: imported late, since `strike status` asks every system for its
`Views`, and most show nothing there.
"""


_NEW_NAMES = {"Bars": "BarChart", "Numbers": "NumberHeading", "ToDo": "Task"}
"""The new names of exported objects, by their old names, which go on for a version."""


def __getattr__(name: str) -> object:
    """Return an object that is imported only when somebody asks for it, or that has an old name.

    The names in `_LATER` are imported on first use. The names in `_NEW_NAMES` are old names: they give the
    renamed object, and a warning.
    """
    if name in _NEW_NAMES:
        return resolve_old_name_with_warning(__name__, _NEW_NAMES, name)
    return import_on_first_use(__name__, _LATER, name)
