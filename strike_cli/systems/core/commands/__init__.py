"""The commands of the core: a module for each group, such as `roll`, `character` or `condition`.

`nouns`, `words` and `name_lookup` read arguments; `sheet`, `card`, `party` and `views` print.
"""
