"""The game master's hand, in the scenes of every system: who is shown, hidden, put, brought in and taken out,
numbers, doors, zones, fog, and scenes that wait. No rule of a game is here: what a system's own rules make of
it stands in its `Hand`."""
