"""The bot and the checks of fights, through which the rest of strike uses them.

Each method imports its rules when it is first used. Reactions to facts are in `reactions.engine`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.content.system_checks import Checks, Idle, LookedAt, Tables
from strike_cli.faults import Fault
from strike_cli.kernel.facts import State
from strike_cli.kernel.procedure import World
from strike_cli.play.legal_options import Bot

if TYPE_CHECKING:
    from strike_cli.content.book import Book
    from strike_cli.play.forecast import Preview
    from strike_cli.play.legal_options import Option


class FightBot(Bot):
    """The bot of fights: legal options, and the value of a fight to a side in HP."""

    def options(self, world: World) -> Iterable[Option]:
        """Return the legal options of the creature whose turn it is, or the one that carries the fight on."""
        from .bots.legal_options import options

        return options(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return the value of the fight to a side, in HP."""
        from .bots.bot import side_worth

        return side_worth(world, side)

    def preview(self, world: World, option: Option) -> Preview:
        """Return the preview of an option, as `combat options` shows it."""
        from .bots.forecast import preview_option

        return preview_option(world, option)


class FightChecks(Checks):
    """Checks of powers, statuses, encounters and fights."""

    def tables(self) -> None:
        """Check `numbers.toml`: attacks, defaults and tiers."""
        from .numbers import numbers

        numbers()

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of an item of the book. All names in it are known to exist."""
        from .validation import content_faults

        return content_faults(kind, id, tables)

    def idle(self, book: Book) -> Iterable[Idle]:
        """Return the parts of the book without an effect, such as statuses that nothing gives."""
        from .validation import content_notes

        return content_notes(book)

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Check the pictures of maps."""
        from .encounter.map_pictures import pictures_looked_at

        return pictures_looked_at(book, folder)

    def state(self, state: State) -> Iterable[Fault]:
        """Return the faults of the fight under way, such as creatures on impossible squares."""
        from .validation import state_faults

        return state_faults(state)
