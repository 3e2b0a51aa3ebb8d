"""The commands of Team Conflicts.

`conflict` and `act` have the moves, `show` displays a conflict, and `odds` computes chances.
`argument_parsers` reads what is typed.
"""
