"""What to say of a mistake that nobody expected: whose it is, and where."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from ..problems import PluginProblem, Problem
from ..registry.installed import Installed
from ..registry.origin import plugin_of_file

DEBUG = "--debug"
OWN = Path(__file__).parents[1]
"""Where strike's own code is."""


def of_plugin(error: Exception, command: str, campaign: Callable[[], Path | None]) -> Problem | None:
    """Return a plugin's mistake as one sentence, with its trace on stderr where --debug asks for it.

    None where no plugin was involved, or the files of the campaign explain it, whose folder `campaign`
    returns; nor for a disk or a pipe that strike itself could not use for a plugin.
    """
    found = next(_frames_of_plugins(error), None)
    if found is None or _is_explained(campaign):
        return None
    plugin, frame = found
    if DEBUG in sys.argv:
        traceback.print_exception(error, file=sys.stderr)
    move = getattr(error, "strike_move", "")
    told = f"{type(error).__name__}: {error}".rstrip(": ")
    recorded = "Nothing was recorded." if move else "`strike log --last 1` has what was recorded last."
    return PluginProblem(
        f"`{move or command}` failed in {plugin.distribution} {plugin.version} ({plugin.name}), "
        f"{frame.filename}, line {frame.lineno}: {told}.",
        f"{recorded} `{DEBUG}` shows the whole trace; please tell its author.",
    )


def _frames_of_plugins(error: Exception) -> Iterator[tuple[Installed, traceback.FrameSummary]]:
    """Yield the plugins and frames that the mistake went through, the innermost first.

    For an error of the operating system they are only those further in than strike's own code.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if isinstance(error, OSError) and Path(frame.filename).is_relative_to(OWN):
            return
        if plugin := plugin_of_file(frame.filename):
            yield plugin, frame


def _is_explained(campaign: Callable[[], Path | None]) -> bool:
    """Return whether the campaign's files are in a form that nobody can play on: then that is what to say."""
    from ..campaign.doctor import wrong_form

    try:
        folder = campaign()
        return folder is not None and wrong_form(folder) is not None
    except Problem:
        return True
