"""Refusals that several games have in common, each a class with its fields and one template.

A plugin makes its own from `Stated`, with a kind of problem beside it.
"""

from ..problems import Stated
from ..refusals import (
    CantHaveThere,
    DoorIsSo,
    HasBegunToAct,
    NobodyCalled,
    NoEncounter,
    NotOnMap,
    NotThere,
    OutOfIt,
    SomebodysTurn,
    StillGoingOn,
    WhereNobodyKnows,
)

__all__ = [
    "CantHaveThere",
    "DoorIsSo",
    "HasBegunToAct",
    "NoEncounter",
    "NobodyCalled",
    "NotOnMap",
    "NotThere",
    "OutOfIt",
    "SomebodysTurn",
    "Stated",
    "StillGoingOn",
    "WhereNobodyKnows",
]
