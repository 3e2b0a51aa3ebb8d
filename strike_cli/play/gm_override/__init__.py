"""What the game master sets by hand in the scenes of every system, with a module for each theme.

The themes are: showing and hiding, placing, joining and leaving, numbers, doors, zones, fog, and parked
scenes. No rule of a game is here: a system's `Hand` says what its rules make of it.

Example: `strike combat hide goblin` is declared by `terminal/gm_override_commands.py` and played here.
"""
