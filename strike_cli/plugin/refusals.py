"""Refusals that several games have in common, each a class with its fields and one template. `Stated` is what
a plugin's own are made of, beside the kind of problem that they are."""

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
