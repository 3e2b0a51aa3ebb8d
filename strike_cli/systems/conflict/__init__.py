"""Team Conflicts (STR-TC-01 to 16).

- `conflict_under_way`: the conflict under way, with its sides, actions, traits, bonuses and Strikes.
- `moves_before_dice`: the start, preparation, the choice of actions, and scouting.
- `roll_modifiers`: the modifiers of a side's rolls.
- `round_dice`: the dice of a round, and their comparison.
- `round_play`: the round itself, and the decision about a Hit.
- `hits`: the effects of Hits.
- `round_consequences`: everything that follows the dice of a round.
- `endings`: averting, withdrawing, conceding, and the aftermath.
- `options_and_position_value`: the commands that may be legal now.
- `conflict_odds`: the odds of a whole conflict, if both sides play by fixed policies.

Begin with `system`, then `round_play`. Example: `strike conflict roll` is played by `round_play.play_roll`.
"""
