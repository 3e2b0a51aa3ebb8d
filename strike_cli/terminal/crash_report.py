"""The report of an unexpected error in a plugin: which plugin, and which line."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from types import FunctionType

from ..problems import PluginProblem, Problem
from ..registry.code_origin import plugin_of_file
from ..registry.installed import Installed

DEBUG = "--debug"
OWN = Path(__file__).parents[1]
"""The folder of strike's own code."""


def report_plugin_error(
    error: Exception, command: str, campaign: Callable[[], Path | None], function: object = None
) -> Problem | None:
    """Return the problem that reports a plugin's error; with --debug, print its trace to stderr.

    Where no line of a plugin has failed, the plugin is the one that declares the command's function. Return
    None where no plugin was involved, or the campaign's files (in the folder that `campaign` returns) explain
    it; also for a disk or a pipe that strike itself could not use for a plugin.
    """
    found = next(_places_in_plugins(error, function), None)
    if found is None or _is_explained(campaign):
        return None
    plugin, place = found
    if DEBUG in sys.argv:
        traceback.print_exception(error, file=sys.stderr)
    move = getattr(error, "strike_move", "")
    told = f"{type(error).__name__}: {error}".rstrip(": ")
    recorded = "Nothing was recorded." if move else "`strike log --last 1` shows the last recorded command."
    return PluginProblem(
        f"`{move or command}` failed in {plugin.distribution} {plugin.version} ({plugin.name}), "
        f"{place}: {told}.",
        f"{recorded} `{DEBUG}` shows the whole trace; please tell its author.",
    )


def _places_in_plugins(error: Exception, function: object) -> Iterator[tuple[Installed, str]]:
    """Yield the plugins and lines that the error passed through, the innermost first, then the function's.

    For an error of the operating system they are only those further in than strike's own code.
    """
    code = unwrap(function).__code__ if isinstance(function, FunctionType) else None
    lines = [(each.filename, each.lineno) for each in reversed(traceback.extract_tb(error.__traceback__))]
    for file, line in lines + ([(code.co_filename, code.co_firstlineno)] if code else []):
        if isinstance(error, OSError) and Path(file).is_relative_to(OWN):
            return
        if plugin := plugin_of_file(file):
            yield plugin, f"{file}, line {line}"


def _is_explained(campaign: Callable[[], Path | None]) -> bool:
    """Return whether the campaign's files have a form that can't be played on, which explains the error."""
    from ..campaign.doctor import find_form_problem

    try:
        folder = campaign()
        return folder is not None and find_form_problem(folder) is not None
    except Problem:
        return True
