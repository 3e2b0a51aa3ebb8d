"""`strike momentum`: a module for each theme. `show`, `options`, `auto` and `odds momentum` come by
themselves."""

from . import turn  # isort: skip
from . import act, gm, stateless
from .app import app

__all__ = ["act", "app", "gm", "stateless", "turn"]
