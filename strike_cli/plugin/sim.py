"""Parts for playing without people: how scenes begin and end, who has won, and automatic players."""

from ..play.forecast import Preview
from ..sim.bot_players import ByLot, Player
from ..sim.simulation_hooks import DRAWN, FLED, LOST, WON, Lineup, Simulated

__all__ = ["DRAWN", "FLED", "LOST", "WON", "ByLot", "Lineup", "Player", "Preview", "Simulated"]
