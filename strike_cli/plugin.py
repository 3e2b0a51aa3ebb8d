"""Everything that a plugin may import from strike, and the only module of it that a plugin may (and
`testing`, in its tests). What a target of the bridge is made of stands in `strike_bridge.targets.base`
instead.

A plugin is a distribution with an entry point in the group `strike_cli.plugins`, naming a `Plugin`: content
in TOML beside its module, and systems, handlers and targets named as "module:object" and imported when they
are used. docs/ plugins.md walks through all of it, docs/systems.md through a game system of one's own.

What is here is kept as it is within a version of the API (`API`); names that are not listed may go at any
time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .problems import CampaignProblem, Problem, Refused, Usage, listed, nearest
from .registry.system import API, FactKind, Move, Plugin, Scope, Secret, System
from .rules.args import Args
from .rules.procedure import Choose, Happen, Procedure, Roll, World

if TYPE_CHECKING:
    from .cli.declare import Call, Reads, plays
    from .cli.lookup import Character, InScene, find_one, find_word
    from .cli.options import Options, command, new_app
    from .cli.result import Bars, Line, Picture, Result, Section, Table
    from .play.legal import Option, why_not
    from .rules.combat.effects import do_steps
    from .rules.combat.fight import Fight
    from .rules.combat.powers import Deed
    from .rules.dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, roll_die
    from .rules.people import display_name
    from .tabletop.scene import Scene, read_scene
    from .tabletop.turn_order import next_up, waiting
    from .validation import (
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

__all__ = [
    "ADVANTAGE",
    "API",
    "DISADVANTAGE",
    "Args",
    "Bars",
    "Call",
    "CampaignProblem",
    "Character",
    "Choose",
    "Deed",
    "Either",
    "FactKind",
    "Faults",
    "Fight",
    "Flag",
    "Happen",
    "InScene",
    "Known",
    "Line",
    "ListOf",
    "Modifier",
    "Move",
    "Names",
    "Number",
    "OneOf",
    "Option",
    "Options",
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
    "Source",
    "System",
    "Table",
    "TableOf",
    "Text",
    "Usage",
    "World",
    "command",
    "display_name",
    "do_steps",
    "find_one",
    "find_word",
    "listed",
    "nearest",
    "new_app",
    "next_up",
    "plays",
    "read_scene",
    "roll_die",
    "waiting",
    "why_not",
]

_LATER = {
    "cli.declare": ("Call", "Reads", "plays"),
    "cli.lookup": ("Character", "InScene", "find_one", "find_word"),
    "cli.options": ("Options", "command", "new_app"),
    "cli.result": ("Bars", "Line", "Picture", "Result", "Section", "Table"),
    "play.legal": ("Option", "why_not"),
    "rules.dice": ("ADVANTAGE", "DISADVANTAGE", "Modifier", "Rolled", "Source", "roll_die"),
    "rules.people": ("display_name",),
    "tabletop.scene": ("Scene", "read_scene"),
    "tabletop.turn_order": ("next_up", "waiting"),
    "validation": (
        "Either", "Faults", "Flag", "Known", "ListOf", "Names", "Number", "OneOf", "Record", "Reference",
        "TableOf", "Text",
    ),
    "rules.combat.powers": ("Deed",),
    "rules.combat.fight": ("Fight",),
    "rules.combat.effects": ("do_steps",),
}  # fmt: skip
"""What not every plugin needs, by the module that has it: every start reads this one."""


def __getattr__(name: str) -> Any:
    """What comes later is imported when one asks for it."""
    module = next((module for module, names in _LATER.items() if name in names), None)
    if module is None:
        raise AttributeError(f"strike_cli.plugin has no {name!r}")
    from importlib import import_module

    return getattr(import_module(f"strike_cli.{module}"), name)
