"""Team Conflict (STR-TC-01 to 16).

contest       a round's dice and what they come to, for any two sides: play, the bare round and odds
state         the conflict under way: its sides, what they have chosen, traits, bonuses, Strikes
modifiers     what a side brings to a round's dice, Conditions and Flaws among it
declare       what comes before the dice: start, preparation, actions, scouting
secondary     a Skill Roll for a goal beside it, in place of an action
resolve       the round itself, and deciding a Hit that holds it up
hits          what a Hit may do
consequences  what comes of a round once its dice are compared
endings       averting a loss, withdrawing, conceding, the aftermath
options       what may be done now, as candidates
chain         the odds of a whole conflict, each side playing by a policy
"""
