"""The commands of the core, with one module for each group, such as `roll` or `character`.

`argument_completions` has shared arguments and their completions; `roll_option_name_lookup` finds the names
typed in options. `current_sheets`, `phone_sheet`, `card` and `lazy_views` show characters.
"""
