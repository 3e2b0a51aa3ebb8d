"""Faults of what is prepared that no form finds. Each check is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.content.checks import Checks, LookedAt, Tables
from strike_cli.faults import Fault

if TYPE_CHECKING:
    from strike_cli.content.book import Book


class PrepChecks(Checks):
    """Random tables, deadlines, scenes and handouts."""

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Tables that lead to each other in a circle, and deadlines on no day."""
        from ..checks import check

        return check(kind, id, tables)

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Check everything that can begin, scenes and handouts."""
        from .checkup import campaign_checks

        return campaign_checks(book, folder)
