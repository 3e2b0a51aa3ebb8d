"""The numbers of Team Conflicts, and what its two sides and their two rolls are called."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel import numbers as tables

SIDES = ("ours", "theirs")
ROLLS = ("advance", "defense")


def numbers() -> dict[str, Any]:
    """The tables of `numbers.toml`."""
    return tables.numbers(__package__)
