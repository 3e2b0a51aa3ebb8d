"""Everything that a plugin may import from strike, and the only module of it that a plugin may. What a target
of the bridge is made of stands in `strike_bridge.targets.base` instead.

A plugin is a distribution with an entry point in the group `strike_cli.plugins`, naming a `Plugin`. Its
content is TOML beside its module; its code is named as "module:object" and imported when it is used.

A handler plays a step of a power that the steps of TOML can't say. It is a procedure: a generator that asks
for dice with `Roll`, for decisions with `Choose`, tells what is so with `world.happen(...)`, and may do any
of the usual steps with `do_steps`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .rules.procedure import Choose, Happen, Procedure, Roll, World

if TYPE_CHECKING:
    from .rules.combat.effects import do_steps
    from .rules.combat.fight import Fight
    from .rules.combat.powers import Deed

__all__ = ["Choose", "Deed", "Fight", "Happen", "Plugin", "Procedure", "Roll", "World", "do_steps"]

_LATER = {
    "Deed": "strike_cli.rules.combat.powers",
    "Fight": "strike_cli.rules.combat.fight",
    "do_steps": "strike_cli.rules.combat.effects",
}


def __getattr__(name: str) -> Any:
    """What only handlers need is imported when one asks for it: every start reads this module."""
    if name not in _LATER:
        raise AttributeError(f"strike_cli.plugin has no {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


class Plugin:
    """What a plugin brings.

    `name` is the namespace of its ids: content `burning` of plugin `elements` is `elements:burning`.
    `content` lists TOML files beside the module that holds the Plugin. `targets` maps a kind of virtual
    tabletop to "module:Class". `commands` maps a command group to "module:app", a Typer app. `handlers` maps
    a name that powers may give as `handler` to "module:function": called with the world, the Deed and the one
    it is for (a combatant's id), it returns a procedure. A reaction of a status may name one too: that is
    called with the world, what is held (its definition and instance) and the holder's id.
    """

    def __init__(
        self,
        name: str,
        *,
        content: Sequence[str] = (),
        targets: Mapping[str, str] | None = None,
        commands: Mapping[str, str] | None = None,
        handlers: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.content = list(content)
        self.targets = dict(targets or {})
        self.commands = dict(commands or {})
        self.handlers = dict(handlers or {})
