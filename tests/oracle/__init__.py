"""A second, slow and plain playing of STRIKE!'s tables and central procedures, to hold the program against.

The rules here are written from the numbered rules alone and share no code with `strike_cli`. Each function
names the rule ids that it implements, so that it can be read beside them.

core, wealth, fight, conflict, chase: the rules; dice: what they are played with. draw_*: random positions.
program: all that touches the program. expected: where it is known to differ.
"""
