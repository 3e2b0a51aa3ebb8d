"""Finding plugins by entry point, once: what was found is cached until the environment changes.

Asking the environment costs more than all else that a command does, so the list is kept in the user's
cache beside a fingerprint of the places where distributions are installed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from ..problems import PluginProblem

GROUP = "strike_cli.plugins"

Found = dict[str, str]
"""One entry point: name, value (`module:attribute`), distribution, version."""


def cache_folder() -> Path:
    """Where derived data may be kept between commands; safe to delete at any time."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or os.path.join(os.path.expanduser("~"), ".cache")) / "strike"


def read_cache(name: str, key: Any) -> Any:
    """What was kept under this name, if it was kept for the same key; else None."""
    try:
        with open(cache_folder() / name, "rb") as file:
            kept = json.loads(file.read())
    except (OSError, ValueError):
        return None
    return kept.get("value") if isinstance(kept, dict) and kept.get("key") == key else None


def write_cache(name: str, key: Any, value: Any) -> None:
    """Keep a value for next time. A cache that can't be written is no trouble worth a word."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scratch = folder / f"{name}.{os.getpid()}"
        scratch.write_text(json.dumps({"key": key, "value": value}), encoding="utf-8")
        os.replace(scratch, folder / name)
    except OSError:
        return


def fingerprint() -> list[Any]:
    """What changes when a distribution is installed, upgraded or removed."""
    places: list[Any] = [sys.executable]
    for entry in sys.path[1:]:  # the first is where the script is, or the current folder
        try:
            places.append([entry, os.stat(entry or ".").st_mtime_ns])
        except OSError:
            continue
    return places


def discover() -> list[Found]:
    """Every entry point of the group, in a fixed order, from the cache where it still holds."""
    key = fingerprint()
    name = f"plugins-{_short(sys.prefix)}.json"
    found: list[Found] | None = read_cache(name, key)
    if found is None:
        found = _ask_environment()
        if settled(max((place[1] for place in key[1:]), default=0)):
            write_cache(name, key, found)
    return found


def settled(newest: int) -> bool:
    """Whether that moment (in nanoseconds) is so long ago that a change from now on has another stamp."""
    import time

    return time.time_ns() - newest > 50_000_000


def _ask_environment() -> list[Found]:
    from importlib.metadata import entry_points

    found = {
        (point.name, point.value): {
            "name": point.name,
            "value": point.value,
            "distribution": point.dist.name if point.dist else "",
            "version": point.dist.version if point.dist else "",
        }
        for point in entry_points(group=GROUP)
    }
    # The core first, so that others may override what it brings.
    return sorted(found.values(), key=lambda point: (point["name"] != "core", point["name"]))


def _short(text: str) -> str:
    from zlib import crc32

    return f"{crc32(text.encode()):08x}"


def load(found: Found) -> Any:
    """The Plugin that an entry point names. Raises PluginProblem naming its distribution."""
    from importlib import import_module

    from ..plugin import Plugin

    module, _, attribute = found["value"].partition(":")
    try:
        plugin = getattr(import_module(module), attribute or "plugin")
    except (Exception, SystemExit) as error:  # it may fail in any way; it must not take the tool down
        raise PluginProblem(
            f"Plugin {found['name']!r} of {found['distribution']} {found['version']} is broken: "
            f"{type(error).__name__}: {error}",
            f"Mend or remove {found['distribution']}; the rest of strike goes on without it.",
        ) from error
    if not isinstance(plugin, Plugin):
        raise PluginProblem(
            f"Plugin {found['name']!r} of {found['distribution']}: {found['value']} is no Plugin.",
            "Its entry point should name a strike_cli.plugin.Plugin.",
        )
    code = (plugin.targets, plugin.commands, plugin.handlers)
    names = [plugin.name, *plugin.content, *(what for table in code for what in table.values())]
    if not all(isinstance(name, str) for name in names):
        raise PluginProblem(
            f"Plugin {found['name']!r} of {found['distribution']} {found['version']} is broken: "
            "its name, content, targets, commands and handlers should be text.",
            'Targets, commands and handlers are named as "module:object", and imported when they are used.',
        )
    return plugin


def load_object(reference: str) -> Any:
    """What `module:attribute` names."""
    from importlib import import_module

    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)
