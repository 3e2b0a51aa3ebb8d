"""Chases (STR-CH-01 to 07).

tables      what can be done, from which range, and what a prediction and the range give
round       a round's dice and what they come to, for anybody at all: play, the bare round and odds
scene       the chase under way: its start, actions and predictions in secret, who will shoot
resolve     the round of those who stand in it, the Danger Level, and how a chase ends
"""
