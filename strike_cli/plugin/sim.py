"""Parts for playing without people: how scenes begin and end, who has won, and automatic players."""

from ..old_names import resolve_old_name_with_warning
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


def __getattr__(name: str) -> object:
    """Return the object that has an old name, with a warning."""
    return resolve_old_name_with_warning(__name__, _NEW_NAMES, name)
