"""The battle map in a terminal: the map itself, its legend, and both together.

`board` draws squares, `labels` names their creatures, `legend` lists them, `layout` puts both side by side;
begin there. Looks live here, rules do not. Example: `strike combat map` prints it.
"""
