"""An encounter from setup to its end: creatures, objectives, joining, leaving, waiting.

- `setup`, `creatures`, `map_pictures`: the start. Begin with `setup`. `reinforcements`, `summons`: later
  arrivals.
- `objective`, `conclusion`: the aim of a fight and its end. `park`: fights that wait.

Example: `strike combat start ford`.
"""
