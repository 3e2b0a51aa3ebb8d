"""The map of a fight: squares, sight, zones, and movement with its Opportunities.

- `terrain`, `doors`, `zones`, `areas`: the ground. `sight`, `fog`: seeing. `ranges`: reach.
- `move`, `enter_square`, `forced_movement`, `opportunity`: moving. Begin with `move`.

Example: `strike combat move vex F4` is `move.play_move`.
"""
