"""Team Conflict (STR-TC-01 to 16).

contest     a round's dice and what they come to, for any two sides: play, the bare round and odds
scene       the conflict under way: its sides, what they have chosen, traits, bonuses, Strikes
weigh       what a side brings to a round's dice, Conditions and Flaws among it
hits        what a Hit may do, and does
select      what comes before the dice: start, preparation, actions, secondary goals, scouting
resolve     the round itself
leave       averting a loss, withdrawing, conceding, the aftermath
"""
