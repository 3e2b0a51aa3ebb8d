"""The game systems that come with strike; each is made like a plugin's system.

Each package has rules, forms, commands and screens, and a `system.py` whose one value names them all; begin
there. No system imports another but `core`, on whose characters all of them play: `core` (Skill Rolls),
`wealth`, `conflict` (Team Conflicts), `chase`, `combat`; `prep` and `campaign` are no games.

Example: `strike roll skill` is `core/commands/roll.py`, its rule `core/skill_roll.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..registry.plugin_declaration import Plugin

    plugin: Plugin


def __getattr__(name: str) -> Plugin:
    """Import strike's own plugin when it is first asked for; AttributeError for any other name."""
    if name != "plugin":
        raise AttributeError(name)
    from .core_plugin import PLUGIN

    return PLUGIN
