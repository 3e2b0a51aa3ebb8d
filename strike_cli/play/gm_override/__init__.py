"""The game master's commands that change a scene by hand, in every system; a module for each theme.

The themes are: showing and hiding, placing, joining and leaving, numbers, doors, zones, fog, and parked
scenes. No rule of a game is here: a system's `GmOverrideRules` add what its rules need.

Example: `strike combat hide goblin` is declared by `terminal/gm_override_commands.py` and played here.
"""
