"""The game systems that come with strike, each as any plugin's: rules, forms, commands, screens, and one
value that names them all. No system imports another but the core, on whose characters all of them play."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..registry.plugin import Plugin

    plugin: Plugin


def __getattr__(name: str) -> Plugin:
    """Import strike's own entry point when the installed plugins are first read."""
    if name != "plugin":
        raise AttributeError(name)
    from .core_plugin import PLUGIN

    return PLUGIN
