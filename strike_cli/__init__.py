"""Run tabletop RPG nights from a terminal: the rules of *Strike!* as procedures, played by drivers."""

__version__ = "0.1.0"
