"""The numbers of Team Conflicts, and what its two sides and their two rolls are called."""

from __future__ import annotations

from typing import Any, Literal

from strike_cli.user_cache import packaged_tables

WhichSide = Literal["ours", "theirs"]
WhichRoll = Literal["advance", "defense"]
SIDES: tuple[WhichSide, WhichSide] = ("ours", "theirs")
ROLLS: tuple[WhichRoll, WhichRoll] = ("advance", "defense")


def numbers() -> dict[str, Any]:
    """The tables of `numbers.toml`."""
    return packaged_tables(__package__, "ConflictNumbers")
