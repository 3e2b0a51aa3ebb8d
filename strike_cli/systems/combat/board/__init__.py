"""The map of a fight: squares, sight, zones, and movement with the Opportunities that it gives.

- The ground: `zones`, `areas`.
- Seeing and reaching: `sight_and_hiding`, `fog`, `move_and_attack_ranges`.
- Moving: `move` (begin here), `square_entry`, `movement_by_effects`, `opportunity_attacks`.

Example: `strike combat move vex F4` is played by `move.play_move`.
"""
