"""Dice with Advantage, Disadvantage and modifiers, each with its reason."""

from ..kernel.roll_types import RollTold
from ..old_names import resolve_old_name_with_warning
from ..tabletop.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    PLAIN,
    BestOfMixedDice,
    Handful,
    Modifier,
    Rolled,
    Source,
    mode_of,
    roll_die,
)

__all__ = [
    "ADVANTAGE",
    "DISADVANTAGE",
    "PLAIN",
    "BestOfMixedDice",
    "Handful",
    "Modifier",
    "RollTold",
    "Rolled",
    "Source",
    "mode_of",
    "roll_die",
]

_NEW_NAMES = {"UnlikeDice": "BestOfMixedDice"}
"""The new names of exported objects, by their old names, which go on for a version."""


def __getattr__(name: str) -> object:
    """Return the object that has an old name, with a warning."""
    return resolve_old_name_with_warning(__name__, _NEW_NAMES, name)
