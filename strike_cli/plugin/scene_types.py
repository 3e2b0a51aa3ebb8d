"""The old name of `scene_tables`, which will be removed with the next version of the API."""

import warnings

from .scene_tables import *  # noqa: F403
from .scene_tables import __all__ as __all__

warnings.warn(
    "strike_cli.plugin.scene_types is strike_cli.plugin.scene_tables now.", DeprecationWarning, stacklevel=2
)
