"""The plugin API: everything that a plugin or a game system may import from strike.

The API has the names in the `__all__` of this module and of the modules below. All other names may change at
any time.

- `strike_cli.plugin`: the plugin and its systems, rules as procedures, refusals.
- `parts`: the parts of a system's declaration.
- `facts`: facts, clauses and decisions, classes with typed fields and templates.
- `commands`: commands as signatures, and the words in them.
- `forms`: schemas of sheets, content and state.
- `board`: scenes, turn order, squares, doors, changes on a virtual tabletop.
- `scene_tables`: types of a scene's tables in the state.
- `dice`: dice with Advantage and modifiers.
- `views`: the display of people and scenes.
- `files`: formats of content and maps, drafts, checks for `strike doctor`.
- `sim`: playing without people.
- `fights`: steps, handlers and words for fights of Strike!.
- `tactics`: a fight under way, points to pay with, durations.
- `encounters`: maps that campaigns draw, and the people on them.
- `handlers`: handlers from other plugins.
- `refusals`: refusals that games have in common.
- `testing`: helpers for a plugin's tests.

The classes for a target of the bridge are in `strike_bridge.targets.base`.

A plugin is a distribution with an entry point in the group `strike_cli.plugins`. The entry point names a
`Plugin`. The plugin has content in TOML beside its module. It names its systems, handlers and targets as
"module:object"; they are imported when they are used. docs/plugins.md explains all of this step by step, and
docs/systems.md explains a game system.

The names in the API stay as they are within a version of the API (`API`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import import_on_first_use
from ..deprecated_api_names import resolve_old_name_with_warning
from ..kernel.procedure import Args, Choose, Data, Happen, PersonArgs, Procedure, Roll, Rulebook, Sets, World
from ..problems import Refused, Usage, did_you_mean, listed
from ..registry.plugin_declaration import API, Plugin

if TYPE_CHECKING:
    from ..content.merged_content import Book
    from ..content.system_checks import Checks
    from ..play.legal_options import Bot, Option, refusal_of_move
    from ..registry.system_declaration import Move, Scope, System
    from ..tabletop.characters_and_names import display_name

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
    "Option",
    "PersonArgs",
    "Plugin",
    "Procedure",
    "Refused",
    "Roll",
    "Rulebook",
    "Scope",
    "Sets",
    "System",
    "Usage",
    "World",
    "did_you_mean",
    "display_name",
    "listed",
    "refusal_of_move",
]

_LATER = {
    "content.merged_content": ("Book",),
    "content.system_checks": ("Checks",),
    "play.legal_options": ("Bot", "Option", "refusal_of_move"),
    "registry.system_declaration": ("Move", "Scope", "System"),
    "tabletop.characters_and_names": ("display_name",),
}
"""Names that rules don't need, by module, imported late: every command of a plugin imports this one."""


_NEW_NAMES = {"OfOne": "PersonArgs", "nearest": "did_you_mean", "why_not": "refusal_of_move"}
"""The new names of exported objects, by their old names, which go on for a version."""


def __getattr__(name: str) -> object:
    """Return the object for a name that the module hasn't loaded yet.

    A name in `_LATER` is imported on its first use. For an old name in `_NEW_NAMES`, return the object with
    the new name, and warn.
    """
    if name in _NEW_NAMES:
        return resolve_old_name_with_warning(__name__, _NEW_NAMES, name)
    return import_on_first_use(__name__, _LATER, name)
