"""The commands of `strike momentum`, with a module for each theme.

`show`, `options`, `auto` and `odds momentum` are not here: every system gets them.
"""

from . import fight_and_turns  # isort: skip
from . import calculations, combatant_actions, gm
from .argument_parsers import app

__all__ = ["app", "calculations", "combatant_actions", "fight_and_turns", "gm"]
