"""The numbers of a system: every table of its game, as `numbers.toml` in its package, read once a process.
What Python's reader of TOML made of one is kept: the reader alone costs more than most rolls do.

A newcomer who looks for a number finds it in one of these files, and nowhere else.
"""

from __future__ import annotations

import os
from functools import cache


@cache
def numbers(package: str, name: str = "numbers") -> dict[str, object]:
    """The tables of a package's `numbers.toml`, or of another such file. Raises PluginProblem with what is
    wrong in it."""
    from importlib import import_module
    from zlib import crc32

    from ..user_cache import read_cache, write_cache

    # importlib.resources would do, and takes a tenth of a start.
    folder = os.path.dirname(import_module(package).__file__ or "")
    path = os.path.join(folder, f"{name}.toml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kept = f"numbers-{crc32(text.encode()):08x}.json"
    found: object = read_cache(kept, text)
    if not isinstance(found, dict):
        from ..reading import own_tables

        found = own_tables(text, path)
        write_cache(kept, text, found)
    tables: dict[str, object] = found
    return tables
