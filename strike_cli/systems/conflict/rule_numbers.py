"""The numbers of Team Conflicts, and the words for the two sides and for a side's two rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from strike_cli.content.system_checks import Checks
from strike_cli.user_folders_and_cache import load_checked_packaged_file

if TYPE_CHECKING:
    from .data import ConflictNumbers

WhichSide = Literal["ours", "theirs"]
WhichRoll = Literal["advance", "defense"]
SIDES: tuple[WhichSide, WhichSide] = ("ours", "theirs")
ROLLS: tuple[WhichRoll, WhichRoll] = ("advance", "defense")


def numbers() -> ConflictNumbers:
    """Return the tables of `numbers.toml`."""
    return cast("ConflictNumbers", load_checked_packaged_file(__package__, "ConflictNumbers"))


class ConflictChecks(Checks):
    """Checks of the conflict rules' `numbers.toml`."""

    def check_tables(self) -> None:
        """Check the tables of the conflict rules by loading them."""
        numbers()
