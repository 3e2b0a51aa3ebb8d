"""Everything that a plugin may import from strike, and the only package of it that a plugin may: `fights` has
what handlers of powers and reactions need, `encounters` the maps that campaigns draw and who stands on them,
`testing` what a plugin's tests do. What a target of the bridge is
made of stands in `strike_bridge.targets.base` instead.

A plugin is a distribution with an entry point in the group `strike_cli.plugins`, naming a `Plugin`: content
in TOML beside its module, and systems, handlers and targets named as "module:object" and imported when they
are used. docs/ plugins.md walks through all of it, docs/systems.md through a game system of one's own.

What is here is kept as it is within a version of the API (`API`); names that are not listed may go at any
time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kernel.args import Args, OfOne
from ..kernel.procedure import Choose, Happen, Procedure, Roll, World
from ..problems import CampaignProblem, Problem, Refused, Usage, listed, nearest
from ..registry.system import API, Counted, Evening, Move, Outside, Plugin, Scope, Secret, System, Tally

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..play.legal import Option, why_not
    from ..reading import FileFormat
    from ..sim.declared import Lineup, Simulated
    from ..tabletop.board import grid_of
    from ..tabletop.changed import Change, Taken
    from ..tabletop.dice import (
        ADVANTAGE,
        DISADVANTAGE,
        PLAIN,
        Handful,
        Modifier,
        Rolled,
        Source,
        UnlikeDice,
        mode_of,
        roll_die,
    )
    from ..tabletop.doors import is_door, is_open, moved_door
    from ..tabletop.grid import Grid, Square, between, distance, footprint, format_square, gap, parse_square
    from ..tabletop.map_file import Ambient, Door, Light, MapFile, MapFormat
    from ..tabletop.own_sheet import Holding, OwnRoll, OwnSheet, SheetPart
    from ..tabletop.people import display_name
    from ..tabletop.scene import Order, Person, Scene, Status, read_scene
    from ..tabletop.scene_schema import scene_form
    from ..tabletop.turn_order import ACTED, ACTING, DELAYED, HELD, WAITING, Entry, next_up, waiting
    from ..tabletop.ways import Ways, ways_of
    from ..terminal.declare import Call, Like, Reads, plays
    from ..terminal.lookup import (
        Acting,
        Character,
        InScene,
        creatures_by_count,
        find_encounter,
        find_if_any,
        find_one,
        find_word,
    )
    from ..terminal.options import Options, command, new_app
    from ..terminal.result import Bars, Line, Picture, Result, Section, Span, Table
    from ..terminal.scene_view import map_picture
    from ..terminal.sheet_view import PartyView, SheetItem, SheetView
    from ..validation import (
        Anything,
        Either,
        Faults,
        Flag,
        Known,
        ListOf,
        Names,
        Number,
        OneOf,
        Record,
        Reference,
        TableOf,
        Text,
    )
    from .handlers import load_handler

__all__ = [
    "ACTED",
    "ACTING",
    "ADVANTAGE",
    "API",
    "DELAYED",
    "DISADVANTAGE",
    "HELD",
    "PLAIN",
    "WAITING",
    "Acting",
    "Ambient",
    "Anything",
    "Args",
    "Bars",
    "Call",
    "Campaign",
    "CampaignProblem",
    "Change",
    "Character",
    "Choose",
    "Counted",
    "Door",
    "Either",
    "Entry",
    "Evening",
    "Faults",
    "FileFormat",
    "Flag",
    "Grid",
    "Handful",
    "Happen",
    "Holding",
    "InScene",
    "Known",
    "Light",
    "Like",
    "Line",
    "Lineup",
    "ListOf",
    "MapFile",
    "MapFormat",
    "Modifier",
    "Move",
    "Names",
    "Number",
    "OfOne",
    "OneOf",
    "Option",
    "Options",
    "Order",
    "Outside",
    "OwnRoll",
    "OwnSheet",
    "PartyView",
    "Person",
    "Picture",
    "Plugin",
    "Problem",
    "Procedure",
    "Reads",
    "Record",
    "Reference",
    "Refused",
    "Result",
    "Roll",
    "Rolled",
    "Scene",
    "Scope",
    "Secret",
    "Section",
    "SheetItem",
    "SheetPart",
    "SheetView",
    "Simulated",
    "Source",
    "Span",
    "Square",
    "Status",
    "System",
    "Table",
    "TableOf",
    "Taken",
    "Tally",
    "Text",
    "UnlikeDice",
    "Usage",
    "Ways",
    "World",
    "between",
    "command",
    "creatures_by_count",
    "display_name",
    "distance",
    "find_encounter",
    "find_if_any",
    "find_one",
    "find_word",
    "footprint",
    "format_square",
    "gap",
    "grid_of",
    "is_door",
    "is_open",
    "listed",
    "load_handler",
    "map_picture",
    "mode_of",
    "moved_door",
    "nearest",
    "new_app",
    "next_up",
    "parse_square",
    "plays",
    "read_scene",
    "roll_die",
    "scene_form",
    "waiting",
    "ways_of",
    "why_not",
]

_LATER = {
    "campaign": ("Campaign",),
    "terminal.declare": ("Call", "Like", "Reads", "plays"),
    "terminal.lookup": (
        "Acting", "Character", "InScene", "creatures_by_count", "find_encounter", "find_if_any",
        "find_one", "find_word",
    ),
    "terminal.options": ("Options", "command", "new_app"),
    "terminal.result": ("Bars", "Line", "Picture", "Result", "Section", "Span", "Table"),
    "terminal.scene_view": ("map_picture",),
    "terminal.sheet_view": ("PartyView", "SheetItem", "SheetView"),
    "play.legal": ("Option", "why_not"),
    "tabletop.own_sheet": ("Holding", "OwnRoll", "OwnSheet", "SheetPart"),
    "reading": ("FileFormat",),
    "sim.declared": ("Lineup", "Simulated"),
    "tabletop.board": ("grid_of",),
    "tabletop.changed": ("Change", "Taken"),
    "tabletop.dice": (
        "ADVANTAGE", "DISADVANTAGE", "PLAIN", "Handful", "Modifier", "Rolled", "Source", "UnlikeDice",
        "mode_of", "roll_die",
    ),
    "tabletop.doors": ("is_door", "is_open", "moved_door"),
    "tabletop.grid": (
        "Grid", "Square", "between", "distance", "footprint", "format_square", "gap", "parse_square",
    ),
    "tabletop.map_file": ("Ambient", "Door", "Light", "MapFile", "MapFormat"),
    "tabletop.people": ("display_name",),
    "tabletop.scene": ("Order", "Person", "Scene", "Status", "read_scene"),
    "tabletop.scene_schema": ("scene_form",),
    "tabletop.ways": ("Ways", "ways_of"),
    "tabletop.turn_order": (
        "ACTED", "ACTING", "DELAYED", "HELD", "WAITING", "Entry", "next_up", "waiting",
    ),
    "validation": (
        "Anything", "Either", "Faults", "Flag", "Known", "ListOf", "Names", "Number", "OneOf", "Record",
        "Reference", "TableOf", "Text",
    ),
    "plugin.handlers": ("load_handler",),
    "plugin.fights": ("Deed", "Fight", "do_steps"),  # where plugins of 0.1 look for them
}  # fmt: skip
"""What not every plugin needs, by the module that has it: every start reads this one."""


def __getattr__(name: str) -> Any:
    """What comes later is imported when one asks for it."""
    module = next((module for module, names in _LATER.items() if name in names), None)
    if module is None:
        raise AttributeError(f"strike_cli.plugin has no {name!r}")
    from importlib import import_module

    return getattr(import_module(f"strike_cli.{module}"), name)
