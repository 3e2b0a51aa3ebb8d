"""The numbers of chases."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel import numbers as tables


def numbers() -> dict[str, Any]:
    """The tables of `numbers.toml`."""
    return tables.numbers(__package__)
