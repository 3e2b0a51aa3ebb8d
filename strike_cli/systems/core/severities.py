"""How grave a Condition is: minor, major and wealth, which rules know, and severities of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore

BUILT_IN = ("minor", "major", "wealth")
"""Severities that rules know (STR-CORE-12, 29)."""


def counts_as(book: ContentOfCore, definition: Mapping[str, object]) -> str:
    """Which of the built-in severities a Condition is to rules that tell them apart; empty for none."""
    severity = str(definition.get("severity", ""))
    return severity if severity in BUILT_IN else str(book.severities.get(severity, {}).get("like", ""))


def severity_name(book: ContentOfCore, severity: str) -> str:
    """`minor`; of one's own its name."""
    return severity if severity in BUILT_IN else str(book.severities.get(severity, {}).get("name", severity))


def stacks(book: ContentOfCore, definition: Mapping[str, object]) -> bool:
    """Return whether each instance of a Condition counts.

    The Condition says so itself, or its severity does; of Major and Wealth Conditions each counts.
    """
    if "stacks" in definition:
        return bool(definition["stacks"])
    severity = str(definition["severity"])
    return bool(severity != "minor" if severity in BUILT_IN else book.severities[severity]["stacks"])
