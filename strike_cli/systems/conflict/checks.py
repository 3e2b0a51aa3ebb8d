"""What is looked at of Team Conflicts besides what people write."""

from __future__ import annotations

from strike_cli.content.checks import Checks

from .numbers import numbers


class ConflictChecks(Checks):
    """The tables of numbers."""

    def tables(self) -> None:
        """Actions, outcomes and policies."""
        numbers()
