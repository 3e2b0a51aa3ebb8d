"""Playing without people: how scenes begin and end, who has won, and players."""

from ..play.forecast import Preview
from ..sim.plan import DRAWN, FLED, LOST, WON, Lineup, Simulated
from ..sim.players import ByLot, Player

__all__ = ["DRAWN", "FLED", "LOST", "WON", "ByLot", "Lineup", "Player", "Preview", "Simulated"]
