"""Plays the moves of rules: gets their dice and decisions, and records, repeats or forecasts them.

- `execute` plays one command in a campaign. Begin here.
- `moves` has a system's moves, and `legal_options` those that are legal now.
- `replay` and `dice_audit` play recorded commands again.
- `forecast` has the possible results of a command, `decision_weighing` what the answers to a decision are
  worth.
- `gm_override` has the values that the game master sets by hand.

Example: `strike roll skill vex Climbing` becomes `execute.perform` with the move `roll skill`.
"""
