"""The commands of `strike momentum`, a module for each theme.

`show`, `options`, `auto` and `odds momentum` are made by the frame.
"""

from . import turn  # isort: skip
from . import act, gm, stateless
from .arguments import app

__all__ = ["act", "app", "gm", "stateless", "turn"]
