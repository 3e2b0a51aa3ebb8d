"""Everything that a plugin may import from strike, and the only module of it that a plugin may.

A plugin is a distribution with an entry point in the group `strike_cli.plugins`, naming a `Plugin`. Its
content is TOML beside its module; its code is named as "module:object" and imported when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["Plugin"]


class Plugin:
    """What a plugin brings.

    `name` is the namespace of its ids: content `burning` of plugin `elements` is `elements:burning`.
    `content` lists TOML files beside the module that holds the Plugin. `targets` maps a kind of virtual
    tabletop to "module:Class". `commands` maps a command group to "module:app", a Typer app.
    """

    def __init__(
        self,
        name: str,
        *,
        content: Sequence[str] = (),
        targets: Mapping[str, str] | None = None,
        commands: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.content = list(content)
        self.targets = dict(targets or {})
        self.commands = dict(commands or {})
