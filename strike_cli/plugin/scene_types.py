"""Types of a scene's tables in the state, for `data.py` of a plugin and for type checkers."""

from ..tabletop.data import BoardKept, InOrder, PersonKept, SceneKept, StatusHeld, ZoneKept

__all__ = ["BoardKept", "InOrder", "PersonKept", "SceneKept", "StatusHeld", "ZoneKept"]
