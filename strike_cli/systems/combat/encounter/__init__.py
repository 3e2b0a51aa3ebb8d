"""A fight from its setup to its end: creatures, objectives, joining, leaving, parking.

- The start: `fight_setup` (begin here), `creatures_and_budgets`; `map_picture_checks` checks maps.
- `joining_and_leaving`: joining and leaving.
- `objective`, `ending_and_parking`: the objective of a fight, and its end.

Example: `strike combat start ford`.
"""
