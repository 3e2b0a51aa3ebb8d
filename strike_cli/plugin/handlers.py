"""Handlers that plugins define for the systems of other plugins.

Such a system lets each campaign choose one of the handlers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel.procedure import World
from ..problems import PluginProblem, listed
from ..registry.installed_plugins import import_object

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Protocol

    class BroughtHandler(Hashable, Protocol):
        """A function that a plugin defines under a name, and that a system of another plugin calls.

        The function and the system that calls it agree on its arguments and its result.
        """

        def __call__(self, *args: object, **named: object) -> object:
            """Call the handler and return its result."""


__all__ = ["load_handler"]


def load_handler(world: World, name: str) -> BroughtHandler:
    """Return the handler that a plugin defines as `plugin:name`.

    Raises PluginProblem if there is none.
    """
    handlers = world.book.handlers
    if name not in handlers:
        raise PluginProblem(f"No plugin has a handler {name!r}.", f"Known: {listed(handlers)}.")
    try:
        found: BroughtHandler = import_object(handlers[name]["calls"])
    except (ImportError, AttributeError) as error:
        raise PluginProblem(
            f"Handler {name!r} can't be loaded: {error}.", "Fix or remove its plugin."
        ) from error
    return found
