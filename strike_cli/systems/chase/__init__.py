"""Chases (STR-CH-01 to 07).

- `rule_tables` has the actions at each range, and the effects of a prediction and of the range.
- `round` has the dice of a round and what follows, for play, a bare round, and odds.
- `round_outcome` has everything that affects a round, and its outcome.
- `moves_without_dice` has the chase under way: its start, secret actions and predictions, shooters, its end.
- `round_under_way` has the round of the chase under way, and `bot` its legal options.
- `chase_solver` computes a whole chase between two perfect sides.

Begin with `system`, then `round`. Example: `strike chase run hide` is played by
`moves_without_dice.play_run`.
"""
