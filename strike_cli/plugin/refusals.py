"""Refusals that several games share. Each is a class with fields, and a template for its text.

To make its own refusal, a plugin writes a class with two bases: `TemplateRefusal`, and a kind of problem such
as `Refused`.
"""

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..problems import TemplateRefusal
from ..refusals import (
    AnotherPersonsTurn,
    CantHaveThere,
    DoorAlreadyInPosition,
    HasBegunToAct,
    NoEncounter,
    NotInScene,
    NotOnMap,
    OutOfScene,
    SceneStillUnderWay,
    TargetHidden,
    UnknownPerson,
)

__all__ = [
    "AnotherPersonsTurn",
    "CantHaveThere",
    "DoorAlreadyInPosition",
    "HasBegunToAct",
    "NoEncounter",
    "NotInScene",
    "NotOnMap",
    "OutOfScene",
    "SceneStillUnderWay",
    "TargetHidden",
    "TemplateRefusal",
    "UnknownPerson",
]

_NEW_NAMES = {
    "DoorIsSo": "DoorAlreadyInPosition",
    "NobodyCalled": "UnknownPerson",
    "NotThere": "NotInScene",
    "OutOfIt": "OutOfScene",
    "SomebodysTurn": "AnotherPersonsTurn",
    "Stated": "TemplateRefusal",
    "StillGoingOn": "SceneStillUnderWay",
    "WhereNobodyKnows": "TargetHidden",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
