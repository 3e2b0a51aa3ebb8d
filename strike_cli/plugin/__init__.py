"""The plugin API: everything that a plugin or a game system may import from strike.

It is this module and those beside it, as far as their `__all__` goes; all other names may go at any time.

- `strike_cli.plugin`: the plugin and its systems, rules as procedures, refusals.
- `parts`: the parts that a system is put together of.
- `facts`: facts, clauses and decisions, classes with typed fields and templates.
- `commands`: commands as signatures, and the words in them.
- `forms`: forms of sheets, content and state.
- `board`: scenes, turn order, squares, doors, changes on a virtual tabletop.
- `dice`: dice with Advantage and modifiers.
- `views`: how people and scenes are shown.
- `files`: formats of content and maps, drafts, checks for `strike doctor`.
- `sim`: playing without people.
- `fights`: steps, handlers and words for fights of Strike!.
- `tactics`: a fight under way, points to pay with, durations.
- `encounters`: maps that campaigns draw, and who stands on them.
- `handlers`: handlers that other plugins bring.
- `refusals`: refusals that games have in common.
- `testing`: helpers for a plugin's tests.

The parts of a target of the bridge are in `strike_bridge.targets.base`.

A plugin is a distribution with an entry point in the group `strike_cli.plugins` that names a `Plugin`:
content in TOML beside its module, and systems, handlers and targets named as "module:object", imported when
they are used. docs/plugins.md walks through all of it, docs/systems.md through a game system.

Listed names stay as they are within a version of the API (`API`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import import_on_first_use
from ..kernel.procedure import Args, Choose, Data, Happen, OfOne, Procedure, Roll, Sets, World
from ..problems import Refused, Usage, listed, nearest
from ..registry.plugin_declaration import API, Plugin

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..content.system_check_hooks import Checks
    from ..play.legal_options import Bot, Option, why_not
    from ..registry.system_declaration import Move, Scope, System
    from ..tabletop.people import display_name

__all__ = [
    "API",
    "Args",
    "Book",
    "Bot",
    "Checks",
    "Choose",
    "Data",
    "Happen",
    "Move",
    "OfOne",
    "Option",
    "Plugin",
    "Procedure",
    "Refused",
    "Roll",
    "Scope",
    "Sets",
    "System",
    "Usage",
    "World",
    "display_name",
    "listed",
    "nearest",
    "why_not",
]

_LATER = {
    "content.merged_content": ("Book",),
    "content.system_check_hooks": ("Checks",),
    "play.legal_options": ("Bot", "Option", "why_not"),
    "registry.system_declaration": ("Move", "Scope", "System"),
    "tabletop.people": ("display_name",),
}
"""Names that rules don't need, by module, imported late: every command of a plugin imports this one."""


def __getattr__(name: str) -> object:
    """Import one of the names in `_LATER` when it is first asked for."""
    return import_on_first_use(__name__, _LATER, name)
