"""What Karma adds to a sheet: Hero Dice, a Luck Die, a Trope and a Trademark (CIN-01, 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from strike_cli.plugin import Refused, World, listed
from strike_cli.plugin.tactics import sheet_with

from .dice_notation import parse_dice

if TYPE_CHECKING:
    from .data import KarmaSheet

Extra = Literal["trope", "trademark"]
EXTRAS: tuple[Extra, ...] = ("trope", "trademark")
"""The dice of a sheet that may be added to a roll."""


def sheet_of(world: World, ref: str) -> KarmaSheet:
    """Return the `karma` table of a character's or creature's sheet. Raises Refused if it has none."""
    found: KarmaSheet = sheet_with(world, ref, "karma", "Hero Dice", "hero = 3")["karma"]
    return found


def trope_and_trademark_names(sheet: KarmaSheet) -> dict[Extra, str]:
    """Return the names of the sheet's Trope and Trademark, such as `{"trope": "Gunslinger"}`."""
    return {kind: sheet[kind]["what"] for kind in EXTRAS if kind in sheet}


def trope_and_trademark_dice(sheet: KarmaSheet, words: Sequence[str]) -> list[int]:
    """Return the sides of the dice that the Tropes and Trademarks in `words` add to a roll.

    A word is `trope`, `trademark`, or the beginning of a name that a Trope or Trademark has on the sheet.
    Raises Refused for a word that fits nothing on the sheet.
    """
    kinds = dict.fromkeys(_find_trope_or_trademark(sheet, word) for word in words)
    return parse_dice(sheet[kind]["die"] for kind in kinds)


def _find_trope_or_trademark(sheet: KarmaSheet, word: str) -> Extra:
    low = word.strip().lower()
    extras = trope_and_trademark_names(sheet)
    for kind, what in (*zip(extras, extras, strict=True), *extras.items()):
        if low and what.lower().startswith(low):
            return kind
    known = listed(f"{kind} ({what})" for kind, what in extras.items())
    raise Refused(f"{word!r} is not a Trope or Trademark here.", f"There is: {known}.")
