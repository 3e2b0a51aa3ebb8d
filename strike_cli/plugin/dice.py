"""Dice with Advantage, Disadvantage and modifiers, each with its reason."""

from ..kernel.roll_types import RollTold
from ..old_names import old_names_of
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
__getattr__ = old_names_of(__name__, _NEW_NAMES)
