"""Team Conflicts (STR-TC-01 to 16).

- `state` has the conflict under way: sides, actions, traits, bonuses, Strikes.
- `moves_before_dice` has the start, preparation, the choice of actions, and scouting.
- `roll_modifiers` has the modifiers of a side's rolls, Conditions and Flaws included.
- `round_dice` has the dice of a round and their result, for play, a bare round, and odds.
- `round_play` has the round itself, and the decision about a Hit; `hits` has the effects of Hits.
- `round_consequences` has the consequences of a round.
- `endings` has averting, withdrawing and conceding a conflict, and its aftermath.
- `legal_options` has legal options, and `conflict_odds` the odds of a whole conflict, by policies.

Begin with `system`, then `round_play`. Example: `strike conflict roll` is played by
`round_play.play_roll`.
"""
