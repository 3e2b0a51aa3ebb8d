"""Team Conflict (STR-TC-01 to 16).

contest     a round's dice and what they come to, for any two sides: play, the bare round and odds
scene       the conflict under way: who is in it, Strikes, traits, bonuses, Hits
select      what comes before the dice: start, preparation, actions, scouting
resolve     the round itself, and deciding a Hit
leave       averting a loss, withdrawing, conceding, the aftermath
"""
