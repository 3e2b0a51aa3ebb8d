"""The battle map in a terminal: the map itself, its legend, and both together.

`board` draws squares, `labels` names their creatures, `legend` lists them, `layout` puts both side by side;
begin there. There are no rules here. Example: `strike combat map` prints it.
"""
