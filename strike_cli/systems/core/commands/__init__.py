"""The commands of the core, with one module for each group, such as `roll`, `character` or `condition`.

`argument_names` and `roll_option_name_lookup` read arguments. `merged_sheet`, `own_sheet_view`, `card` and
`character_views` show characters.
"""
