"""Plays moves: gets their dice and decisions, and records, repeats or forecasts them.

- `command_execution` plays one command in a campaign. Begin here.
- `playable_moves_and_time_limit` has a system's moves, and `legal_options` those that are legal
  now.
- `replay` and `dice_seed_audit` play recorded commands again.
- `forecast` finds the possible results of a command, and `decision_weighing` the best answer to a
  decision.
- `gm_override` has the commands with which the game master changes a scene by hand.

Example: `strike roll skill vex Climbing` becomes `command_execution.perform_command` with the move
`roll skill`.
"""
