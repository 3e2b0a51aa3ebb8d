"""The numbers of Wealth."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.kernel import numbers as tables

if TYPE_CHECKING:
    from .data import WealthNumbers


def numbers() -> WealthNumbers:
    """The tables of `numbers.toml`."""
    return cast("WealthNumbers", tables.numbers(__package__))
