"""The forms of Wealth: what a character's sheet says of it, and what play changes."""

from __future__ import annotations

from strike_cli.validation import Fields, ListOf, Number

CHARACTER: Fields = {"wealth": (Number(0, 3), 1), "cash": (ListOf(Number(0, 4)), [])}
"""What a character's sheet says of Wealth."""


def character_state(book: object) -> dict[str, object]:
    """Return the form of the changes that play makes to a character's Wealth."""
    return {"wealth": Number(0, 3), "cash": ListOf(Number(0, 4))}
