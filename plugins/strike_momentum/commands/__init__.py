"""`strike momentum`: a module for each theme. `show`, `options`, `auto` and `odds momentum` come by
themselves."""

from . import turn  # isort: skip
from . import act, bare, gm
from .app import app

__all__ = ["act", "app", "bare", "gm", "turn"]
