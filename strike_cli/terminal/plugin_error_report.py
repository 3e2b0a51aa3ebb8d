"""The report of an unexpected error in a plugin: the plugin, the file and the line."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from types import FunctionType

from ..problems import PluginProblem, Problem
from ..registry.installed_plugins import InstalledPlugin
from ..registry.plugin_failures import plugin_of_file

DEBUG = "--debug"
OWN_CODE_FOLDER = Path(__file__).parents[1]
"""The folder of strike's own code."""


def plugin_error_problem(
    error: Exception,
    command: str,
    find_folder: Callable[[], Path | None],
    function: object = None,
    *,
    debug: bool,
) -> Problem | None:
    """Return the problem that reports a plugin's error; None if no plugin is to blame.

    The plugin is the one whose code raised the error. If there is none, it is the one that declares
    `function`, the command's function. No plugin is to blame if faults in the campaign's files explain the
    error, or if the operating system refused something to strike's own code.

    `find_folder` returns the campaign's folder. With `debug`, the traceback is printed to stderr.
    """
    found = next(_places_in_plugins(error, function), None)
    if found is None or _are_campaign_files_faulty(find_folder):
        return None
    plugin, place = found
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    move = getattr(error, "strike_move", "")
    told = f"{type(error).__name__}: {error}".rstrip(": ")
    recorded = "Nothing was recorded." if move else "`strike log --last 1` shows the last recorded command."
    return PluginProblem(
        f"`{move or command}` failed in {plugin.distribution} {plugin.version} ({plugin.name}), "
        f"{place}: {told}.",
        f"{recorded} `{DEBUG}` shows the whole trace; please tell its author.",
    )


def _places_in_plugins(error: Exception, function: object) -> Iterator[tuple[InstalledPlugin, str]]:
    """Yield each place in a plugin's code through which an error passed, with the plugin.

    A place is a file and a line. The innermost place comes first. The place of the command's `function` comes
    last.

    Strike itself may cause an OSError. For an OSError, the search therefore ends at the first place in
    strike's own code.
    """
    code = unwrap(function).__code__ if isinstance(function, FunctionType) else None
    lines = [(each.filename, each.lineno) for each in reversed(traceback.extract_tb(error.__traceback__))]
    for file, line in lines + ([(code.co_filename, code.co_firstlineno)] if code else []):
        if isinstance(error, OSError) and Path(file).is_relative_to(OWN_CODE_FOLDER):
            return
        if plugin := plugin_of_file(file):
            yield plugin, f"{file}, line {line}"


def _are_campaign_files_faulty(find_folder: Callable[[], Path | None]) -> bool:
    """Return whether the campaign's files have faults because of which they can't be played.

    Any error may come from such a fault, so no plugin is blamed for it.
    """
    from ..campaign.doctor import find_stored_data_problem

    try:
        folder = find_folder()
        return folder is not None and find_stored_data_problem(folder) is not None
    except Problem:
        return True
