"""An encounter from setup to its end: creatures, objectives, joining, leaving, waiting.

- `setup`, `creatures`, `map_pictures`: the start. Begin with `setup`. `reinforcements`: later arrivals.
- `objective`, `conclusion`: the objective of a fight and its end.

Example: `strike combat start ford`.
"""
