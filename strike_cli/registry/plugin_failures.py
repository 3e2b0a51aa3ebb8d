"""The plugin to blame for a file, an error or a line on the stack, and messages about its failure."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ..problems import PluginProblem, Problem
from .installed_plugins import InstalledPlugin, plugin_index
from .plugin_discovery import CORE, error_words_with_place


def plugin_of_file(filename: str) -> InstalledPlugin | None:
    """Return the plugin to which a Python file belongs.

    If the file is a part of strike itself, or belongs to no plugin, return None.
    """
    path = Path(filename)
    for plugin in plugin_index().plugins:
        if plugin.file and plugin.name != CORE:
            # The folder of a plugin's modules, or its only module
            file = Path(plugin.file)
            home = file.parent if file.stem == "__init__" else file
            if path == home or home in path.parents:
                return plugin
    return None


def failure_message(plugin: InstalledPlugin, error: BaseException) -> str:
    """Return the message for a plugin whose code has failed.

    The message names the plugin's distribution, the innermost line of the plugin's code that led to the
    error, and the error. A PluginProblem already has a message that names the plugin, so its own message is
    returned.
    """
    if isinstance(error, PluginProblem):  # its message names the plugin
        return error.message
    return (
        f"Plugin {plugin.name!r} of {plugin.distribution} {plugin.version} has failed: "
        f"{error_with_place(error)}."
    )


def error_with_place(error: BaseException) -> str:
    """Return an error in words: its place in a plugin's code, its type and its message.

    The place is the file and line of the innermost call in a plugin's code. It is left out if no plugin's
    code was involved.
    """
    return error_words_with_place(error, plugin_of_file)


@contextmanager
def failures_as_plugin_problem(plugin: InstalledPlugin) -> Iterator[None]:
    """Raise PluginProblem if the code in the `with` block fails. The block runs code of a plugin.

    Use it for code that the current command needs. A Problem is raised as it is, and so is any failure of
    strike's own code.
    """
    try:
        yield
    except Problem:
        raise
    except (Exception, SystemExit) as error:
        if plugin.name == CORE:
            raise
        raise PluginProblem(
            failure_message(plugin, error), "Nothing was changed. Please tell its author."
        ) from error


def note_failed_module(module: str, error: BaseException) -> None:
    """Note that a module of a plugin has failed and is left out, so that the plugin is reported later."""
    plugin = plugin_of_file(getattr(sys.modules.get(module), "__file__", None) or "")
    if plugin is not None:
        plugin_index().failed[module] = failure_message(plugin, error)


def plugin_line_on_stack(frame: FrameType | None) -> str:
    """Return the innermost line of a plugin's code on the stack, with its distribution and file.

    The search goes outwards from `frame`. The result is, for instance, "strike-toy 1.0 (toy), /.../toy.py,
    line 7"; it is "" if no plugin's code is on the stack.
    """
    while frame is not None:
        if plugin := plugin_of_file(frame.f_code.co_filename):
            return f"{plugin.origin}, {frame.f_code.co_filename}, line {frame.f_lineno}"
        frame = frame.f_back
    return ""
