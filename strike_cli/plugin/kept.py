"""What scenes keep, as types: for `data.py` of a plugin, and for what checks its types."""

from ..tabletop.data import BoardKept, InOrder, PersonKept, SceneKept, StatusHeld, ZoneKept

__all__ = ["BoardKept", "InOrder", "PersonKept", "SceneKept", "StatusHeld", "ZoneKept"]
