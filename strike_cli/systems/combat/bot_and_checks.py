"""The bot for fights, and the checks of the rules and content of fights.

Both have the form that all systems share. Their methods import the rules only when they are called, so that
other commands don't load them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.content.system_checks import CheckResult, Checks, ContentWithoutEffect, Tables
from strike_cli.file_faults import Fault
from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import State
from strike_cli.play.legal_options import Bot

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book
    from strike_cli.play.forecast import Preview
    from strike_cli.play.legal_options import Option


class FightBot(Bot):
    """The bot of fights: legal options, and the value of a fight to a side in HP."""

    def options(self, world: World) -> Iterable[Option]:
        """Return the legal options of the creature whose turn it is.

        Between turns, return the option that continues the fight, such as rolling initiative.
        """
        from .bots.legal_options import commands_that_may_be_legal

        return commands_that_may_be_legal(world)

    def evaluate(self, world: World, side: str) -> float:
        """Return the value of the fight to a side, in HP."""
        from .bots.position_value import fight_value_to_side_in

        return fight_value_to_side_in(world, side)

    def preview(self, world: World, option: Option) -> Preview:
        """Return the preview of an option, as `combat options` shows it."""
        from .bots.outcome_forecast import preview_option

        return preview_option(world, option)


class FightChecks(Checks):
    """Checks of powers, statuses, encounters and fights."""

    def check_tables(self) -> None:
        """Check the tables of the fights' `numbers.toml`, such as the attack table, defaults and tiers."""
        from .rule_numbers import combat_numbers

        combat_numbers()

    def content_faults(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults in an item of the book. The names in the item are already known to exist."""
        from .validation import fight_rule_faults_of_content_item

        return fight_rule_faults_of_content_item(kind, id, tables)

    def content_without_effect(self, book: Book) -> Iterable[ContentWithoutEffect]:
        """Return the parts of the book that have no effect, such as statuses that nothing gives."""
        from .validation import unused_content_and_short_map_rows

        return unused_content_and_short_map_rows(book)

    def campaign_results(self, book: Book, folder: Path) -> Iterable[CheckResult]:
        """Return the findings of `strike doctor` about the pictures of maps."""
        from .encounter.map_picture_checks import check_map_pictures

        return check_map_pictures(book, folder)

    def state_faults(self, state: State) -> Iterable[Fault]:
        """Return the faults of the fight under way, such as creatures on impossible squares."""
        from .validation import fight_state_faults

        return fight_state_faults(state)
