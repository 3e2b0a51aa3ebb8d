"""Team Conflicts (STR-TC-01 to 16).

- `state`: the conflict under way: sides, actions, traits, bonuses, Strikes. - `moves_before_dice`: before the
  dice: the start, preparation, actions, scouting. - `modifiers`: a side's modifiers, including Conditions and
  Flaws. - `round_dice`: the dice of a round and their result, for play, a bare round, and odds. -
  `round_under_way`: the round itself, and the decision about a Hit. `hits`: the effects of a Hit. -
  `round_results`: what follows a round. `endings`: averting, withdrawing, conceding, the aftermath. - `bot`:
  legal options. `conflict_odds`: odds of a whole conflict, by policies.

Begin with `system`, then `round_under_way`. Example: `strike conflict roll` is played by
`round_under_way.play_roll`.
"""
