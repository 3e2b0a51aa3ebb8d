"""Game master overrides in the scenes of every system, a module for each theme.

Showing and hiding, placing, joining and leaving, numbers, doors, zones, fog, and scenes that wait. No rule
of a game is here: a system's `Hand` says what its rules make of an override.

Example: `strike combat hide goblin` is declared by `terminal/gm_override_commands.py` and played here.
"""
