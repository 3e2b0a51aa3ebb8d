"""`strike momentum`: a module for each theme. `show`, `options`, `auto` and `odds momentum` come by
themselves."""

from . import bare, turn
from .app import app

__all__ = ["app", "bare", "turn"]
