"""Chases (STR-CH-01 to 07).

- `rule_tables`: the actions that are possible at each range, and the effects of predictions and of the range.
- `round`: rolling the dice of a round. Play, single rounds without a chase, odds and bots all use it.
- `round_outcome`: the circumstances of a round, and its outcome.
- `moves_without_dice`: the moves of a chase besides the round. They start and end it, choose secret actions
  and predictions, name shooters and change the Danger Level.
- `round_under_way`: the round of the chase that is under way.
- `options_and_position_value`: the legal options.
- `chase_solver`: the chances of a whole chase between two sides that play perfectly.

Begin with `system`, then `round`. Example: `strike chase run hide` is played by
`moves_without_dice.play_run`.
"""
