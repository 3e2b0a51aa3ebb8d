"""Chases (STR-CH-01 to 07).

- `tables`: actions by range, and the effect of a prediction and the range.
- `round`: the dice of a round and their result, for play, the bare round and odds.
- `outcome`: everything that bears on a round, and its result.
- `declare`: the chase under way: start, secret actions and predictions, shooters, end.
- `resolve`: the round of the chase under way; `bot`: its legal options.
- `matrix_game`: the whole chase between two perfect sides.

Begin with `system`, then `round`. Example: `strike chase run hide` is `declare.play_run`.
"""
