"""The numbers of chases."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.user_cache import packaged_tables

if TYPE_CHECKING:
    from .data import ChaseNumbers


def numbers() -> ChaseNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("ChaseNumbers", packaged_tables(__package__, "ChaseNumbers"))
