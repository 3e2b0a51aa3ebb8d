"""The old name of `scene_tables`, which will be removed with the next version of the API."""

import warnings

from .scene_tables import BoardKept, InOrder, PersonKept, SceneKept, StatusHeld, ZoneKept

__all__ = ["BoardKept", "InOrder", "PersonKept", "SceneKept", "StatusHeld", "ZoneKept"]
warnings.warn(
    "strike_cli.plugin.kept is strike_cli.plugin.scene_tables now.", DeprecationWarning, stacklevel=2
)
