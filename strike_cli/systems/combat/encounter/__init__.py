"""A fight from its setup to its end: creatures, objectives, joining, leaving, parking.

- `setup`, `creatures`, `map_pictures`: the start. Begin with `setup`. `reinforcements`: joining and leaving.
- `objective`, `conclusion`: the objective of a fight, and its end.

Example: `strike combat start ford`.
"""
