"""What `strike doctor` is told of drafts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strike_cli.content.checks import Checks, Idle

if TYPE_CHECKING:
    from strike_cli.content.book import Book


class CoreChecks(Checks):
    """Drafts."""

    def tables(self) -> None:
        """Skill Rolls, and what Skills are about."""
        from ..numbers import numbers, skill_tags

        numbers()
        skill_tags()

    def idle(self, book: Book) -> Iterable[Idle]:
        """Drafts whose numbers nobody has set."""
        from .exchange.importing import notes

        return notes(book)
