"""Chases (STR-CH-01 to 07).

tables       what can be done, from which range, and what a prediction and the range give
round        a round's dice and what they come to, for anybody at all: play, the bare round and odds
outcome      all that bears on a round, and what it came to; telling: how it is told
declare      the chase under way: its start, actions and predictions in secret, who will shoot, its end
resolve      the round of those who stand in it; options: what may be done now
matrix_game  the whole chase between two perfect sides
"""
