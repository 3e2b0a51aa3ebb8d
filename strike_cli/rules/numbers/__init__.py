"""Every table of the game as TOML beside this module, read once a process.

A newcomer who looks for a number finds it in one of these files, and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def numbers(name: str) -> dict[str, Any]:
    """The tables of `<name>.toml`."""
    import tomllib
    from pathlib import Path

    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
