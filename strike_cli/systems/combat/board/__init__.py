"""The map of a fight: squares, sight, zones, and movement with the Opportunities that it gives.

- The ground: `zones`, `areas`.
- Seeing and reaching: `sight`, `fog`, `ranges`.
- Moving: `move` (begin here), `enter_square`, `forced_movement`, `opportunity`.

Example: `strike combat move vex F4` is played by `move.play_move`.
"""
