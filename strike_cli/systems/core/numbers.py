"""The numbers of rolls and points."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel import numbers as tables


def numbers() -> dict[str, Any]:
    """The tables of `numbers.toml`."""
    return tables.numbers(__package__)


def skill_tags() -> dict[str, Any]:
    """The tables of `tags.toml`: by their names, what Skills are about."""
    return tables.numbers(__package__, "tags")
