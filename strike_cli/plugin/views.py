"""What a system shows of people, scenes and maps, and the blocks that screens are made of."""

from ..tabletop.explained import ExplainedLine
from ..tabletop.own_sheet import Holding, OwnRoll, OwnSheet, SheetPart
from ..tabletop.ranges import Ranges
from ..terminal.result import Bars, Block, Line, Picture, Section, Span, Table
from ..terminal.scene_view import map_picture
from ..terminal.sheet_view import PartyView, SheetItem, SheetView
from ..terminal.views import ToDo, Views

__all__ = [
    "Bars",
    "Block",
    "ExplainedLine",
    "Holding",
    "Line",
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
