"""The game systems that come with strike. A plugin's game system is made in the same way.

Each package has rules, schemas, commands and screens. Its `system.py` has one value that names them all;
begin there. The games are `core` (Skill Rolls), `wealth`, `conflict` (Team Conflicts), `chase` and `combat`.
`prep` and `campaign` are no games. `core` has the characters, so the other systems may import it.

Example: `strike roll skill` is `core/commands/roll.py`, its rule `core/skill_roll.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..registry.plugin_declaration import Plugin

    plugin: Plugin


def __getattr__(name: str) -> Plugin:
    """Return strike's own plugin for the name `plugin`.

    The plugin's module is imported only when this name is asked for. Raises AttributeError for any other
    name.
    """
    if name != "plugin":
        raise AttributeError(name)
    from .built_in_plugin import PLUGIN

    return PLUGIN
