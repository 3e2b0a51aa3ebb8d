"""Types of a scene's tables in the state, for `data.py` of a plugin and for type checkers."""

from ..tabletop.data import (
    BoardKept,
    InOrder,
    InScene,
    MeterKept,
    PersonKept,
    SceneHead,
    SceneKept,
    StatusHeld,
    ZoneKept,
)

__all__ = [
    "BoardKept",
    "InOrder",
    "InScene",
    "MeterKept",
    "PersonKept",
    "SceneHead",
    "SceneKept",
    "StatusHeld",
    "ZoneKept",
]
