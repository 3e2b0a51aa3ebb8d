"""Team Conflict (STR-TC-01 to 16).

- `contest`: the dice of a round and their result, for any two sides, in play, the bare round and odds.
- `state`: the conflict under way: sides, choices, traits, bonuses, Strikes.
- `modifiers`: a side's modifiers, Conditions and Flaws among them.
- `declare`: before the dice: start, preparation, actions, scouting.
- `resolve`: the round itself, and deciding a Hit. `hits`: the effects of a Hit.
- `consequences`: results of a round. `endings`: averting, withdrawing, conceding, the aftermath.
- `bot`: legal options, as candidates. `chain`: odds of a whole conflict, by policies.

Begin with `system`, then `resolve`. Example: `strike conflict roll` is `resolve.play_roll`.
"""
