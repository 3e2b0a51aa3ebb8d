"""Dice with Advantage, Disadvantage and modifiers, each with its reason."""

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..kernel.roll_types import RollTold
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
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
