"""What is looked at of chases besides what people write."""

from __future__ import annotations

from strike_cli.content.checks import Checks

from .tables import numbers


class ChaseChecks(Checks):
    """The tables of numbers."""

    def tables(self) -> None:
        """Tracks and actions."""
        numbers()
