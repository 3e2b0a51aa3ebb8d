"""The commands of the core, with one module for each group, such as `roll`, `character` or `condition`.

`nouns` and `name_lookup` read arguments; `sheet`, `own_sheet`, `card` and `views` show characters.
"""
