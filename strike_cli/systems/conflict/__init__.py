"""Team Conflicts (STR-TC-01 to 16).

- `state`: the conflict under way: sides, actions, traits, bonuses, Strikes. - `declare`: before the dice: the
start, preparation, actions, scouting. - `modifiers`: a side's modifiers, including Conditions and Flaws. -
`contest`: the dice of a round and their result, for play, a bare round, and odds. - `resolve`: the round
itself, and the decision about a Hit. `hits`: the effects of a Hit. - `consequences`: what follows a round.
`endings`: averting, withdrawing, conceding, the aftermath. - `bot`: legal options. `chain`: odds of a whole
conflict, by policies.

Begin with `system`, then `resolve`. Example: `strike conflict roll` is played by `resolve.play_roll`.
"""
