"""Who may see what: the one place that decides, from a state and an audience.

Secret from players are hidden creatures, the zones that are the game master's, and all that is in the fog;
what a side has picked and nobody has turned up yet; commands and decisions that are secret; what the game
master does by hand; and, where it is asked for, the numbers of everybody but the party. Screens, logs,
reports, the bridge and what it tells all go through here.
"""
