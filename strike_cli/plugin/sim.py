"""Parts for playing without people: how scenes begin and end, who has won, and automatic players."""

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..play.forecast import Preview
from ..sim.bot_players import Player, RandomChoicePlayer
from ..sim.simulation_hooks import DRAWN, FLED, LOST, WON, Lineup, SimulationRules

__all__ = [
    "DRAWN",
    "FLED",
    "LOST",
    "WON",
    "Lineup",
    "Player",
    "Preview",
    "RandomChoicePlayer",
    "SimulationRules",
]

_NEW_NAMES = {"ByLot": "RandomChoicePlayer", "Simulated": "SimulationRules"}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
