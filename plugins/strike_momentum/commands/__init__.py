"""The commands of `strike momentum`, with a module for each theme.

`show`, `options`, `auto` and `odds momentum` are not here: every system gets them.
"""

from . import turn  # isort: skip
from . import act, gm, stateless
from .argument_parsers import app

__all__ = ["act", "app", "gm", "stateless", "turn"]
