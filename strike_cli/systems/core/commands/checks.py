"""What `strike doctor` is told of drafts and Tricks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strike_cli.content.checks import Checks, Idle
from strike_cli.faults import Place
from strike_cli.problems import nearest

if TYPE_CHECKING:
    from strike_cli.content.book import Book


class CoreChecks(Checks):
    """Drafts, and Tricks of Skills that aren't on the sheet."""

    def tables(self) -> None:
        """Skill Rolls, and what Skills are about."""
        from ..numbers import numbers, skill_tags

        numbers()
        skill_tags()

    def idle(self, book: Book) -> Iterable[Idle]:
        """Drafts whose numbers nobody has set, and Tricks of Skills that aren't on the sheet."""
        from .exchange.importing import notes

        yield from notes(book)
        for id, sheet in book.characters.items():
            skills = [*sheet.get("skills", ()), *sheet.get("connections", ())]
            known = {skill.lower() for skill in skills}
            for number, trick in enumerate(sheet.get("tricks", ()), 1):
                skill = "" if isinstance(trick, str) else trick.get("skill", "")
                if skill and skill.lower() not in known:
                    what = f"the sheet has no Skill {skill!r}.{nearest(skill, skills)}"
                    yield Idle(Place("characters", id, "tricks", number, "skill"), what)
