"""The numbers of a system: every table of its game, as `numbers.toml` in its package, read once a process.

A newcomer who looks for a number finds it in one of these files, and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def numbers(package: str) -> dict[str, Any]:
    """The tables of a package's `numbers.toml`."""
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files(package) / "numbers.toml").read_text(encoding="utf-8"))
