"""Everything that a plugin may import from strike, and the only module of it that a plugin may. What a target
of the bridge is made of stands in `strike_bridge.targets.base` instead.

A plugin is a distribution with an entry point in the group `strike_cli.plugins`, naming a `Plugin`. Its
content is TOML beside its module; its code is named as "module:object" and imported when it is used.

A handler plays a step of a power that the steps of TOML can't say. It is a procedure: a generator that asks
for dice with `Roll`, for decisions with `Choose`, tells what is so with `world.happen(...)`, and may do any
of the usual steps with `do_steps`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .registry.system import FactKind, Move, Plugin, Scope, Secret, System
from .rules.procedure import Choose, Happen, Procedure, Roll, World

if TYPE_CHECKING:
    from .rules.combat.effects import do_steps
    from .rules.combat.fight import Fight
    from .rules.combat.powers import Deed

__all__ = [
    "Choose",
    "Deed",
    "FactKind",
    "Fight",
    "Happen",
    "Move",
    "Plugin",
    "Procedure",
    "Roll",
    "Scope",
    "Secret",
    "System",
    "World",
    "do_steps",
]

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
