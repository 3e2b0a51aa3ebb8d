"""What is looked at of Wealth besides what people write."""

from __future__ import annotations

from strike_cli.content.checks import Checks

from .numbers import numbers


class WealthChecks(Checks):
    """The tables of numbers."""

    def tables(self) -> None:
        """Wealth rolls."""
        numbers()
