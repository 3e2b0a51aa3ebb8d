"""The bot and the checks of fights, as strike asks for them.

Each imports its rules on first use. Reactions to facts are in `reactions.engine`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.content.checks import Checks, Idle, LookedAt, Tables
from strike_cli.faults import Fault
from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Bot

if TYPE_CHECKING:
    from strike_cli.content.book import Book
    from strike_cli.play.forecast import Preview
    from strike_cli.play.legal import Option


class FightBot(Bot):
    """The bot of fights: the legal options, and the worth of a side's standing in HP."""

    def options(self, world: World) -> Iterable[Option]:
        """Return the legal options of the turn, or those by which the fight goes on."""
        from .bots.legal_options import options

        return options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return the worth of a side's standing, in HP."""
        from .bots.bot import worth

        return worth(world, side)

    def preview(self, world: World, option: Option) -> Preview:
        """Return the preview of an option, as `combat options` shows it."""
        from .bots.forecast import preview

        return preview(world, option)


class FightChecks(Checks):
    """Faults of powers, statuses, encounters and fights."""

    def tables(self) -> None:
        """Check attacks, defaults and tiers."""
        from .numbers import numbers

        numbers()

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of an item of the book; everything that it names is known."""
        from .checks import content_faults

        return content_faults(kind, id, tables)

    def idle(self, book: Book) -> Iterable[Idle]:
        """Return the parts of the book without effect: statuses that nothing gives, useless steps, others."""
        from .checks import content_notes

        return content_notes(book)

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Look at the pictures of maps."""
        from .encounter.map_pictures import pictures_looked_at

        return pictures_looked_at(book, folder)

    def state(self, state: State) -> Iterable[Fault]:
        """Return the faults of a fight: turns of nobody, and creatures on impossible squares."""
        from .checks import state_faults

        return state_faults(state)
