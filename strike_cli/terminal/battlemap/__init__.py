"""The battle map in a terminal: the map, its legend, and the two side by side.

`map_with_legend` puts them together; begin there. `board` draws the squares, `labels_and_marks` names the
creatures on them, `legend` lists the creatures. No rules are here. Example: `strike combat map` prints it.
"""
