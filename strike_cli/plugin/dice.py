"""Dice with Advantage, Disadvantage and modifiers, each with its reason."""

from ..kernel.roll_data import RollTold
from ..tabletop.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    PLAIN,
    Handful,
    Modifier,
    Rolled,
    Source,
    UnlikeDice,
    mode_of,
    roll_die,
)

__all__ = [
    "ADVANTAGE",
    "DISADVANTAGE",
    "PLAIN",
    "Handful",
    "Modifier",
    "RollTold",
    "Rolled",
    "Source",
    "UnlikeDice",
    "mode_of",
    "roll_die",
]
