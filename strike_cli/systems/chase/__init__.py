"""Chases (STR-CH-01 to 07).

- `tables`: the actions at each range, and the effects of a prediction and of the range. - `round`: the dice
  of a round and what follows, for play, a bare round, and odds. - `round_outcome`: everything that affects a
  round, and its outcome. - `moves_without_dice`: the chase under way: its start, secret actions and
  predictions, shooters, its end. - `round_under_way`: the round of the chase under way. `bot`: its legal
  options. - `matrix_game`: a whole chase between two perfect sides.

Begin with `system`, then `round`. Example: `strike chase run hide` is played by
`moves_without_dice.play_run`.
"""
