"""The numbers of Wealth."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.user_cache import packaged_tables

if TYPE_CHECKING:
    from .data import WealthNumbers


def numbers() -> WealthNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("WealthNumbers", packaged_tables(__package__, "WealthNumbers"))
