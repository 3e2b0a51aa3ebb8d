"""The numbers of a system: every table of its game, as `numbers.toml` in its package, read once a process.

A newcomer who looks for a number finds it in one of these files, and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def numbers(package: str, name: str = "numbers") -> dict[str, Any]:
    """The tables of a package's `numbers.toml`, or of another such file."""
    import tomllib
    from importlib import import_module
    from pathlib import Path

    # importlib.resources would do, and takes a tenth of a start.
    file = Path(import_module(package).__file__ or "").with_name(f"{name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
