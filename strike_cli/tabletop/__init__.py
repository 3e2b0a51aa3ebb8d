"""Parts for any game on a tabletop: scenes, turn order, squares and walls, dice.

Begin with `scene`, the form that all scenes share. `squares_and_lines`, `turn_order`, `fog` and `dice` don't
need it. No rules of a game are here, and nothing prints. Example: `squares_and_lines.format_square((2, 6))`
is "C7".
"""
