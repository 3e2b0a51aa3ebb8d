"""The map of a fight: squares, sight, zones, movement and the Opportunities that it gives."""
