"""Parts of a tabletop game that any system may use: scenes, turn order, squares and walls, dice.

Begin with `scene`, the common form of everything on the table; `squares`, `turn_order`, `fog` and `dice` are
independent. No game's rules are here, and nothing that prints. Example: `squares.format_square((2, 6))` is
"C7".
"""
