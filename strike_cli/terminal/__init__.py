"""The parts from which commands are made: declarations, options, looking up names, printing.

- `command_declarations`, `commands_and_options`, `shared_options`, `argument_names`: a command as a Python
  signature. Begin with `command_declarations`.
- `name_lookup`, `unquoted_names`, `usage_errors`: from typed words to people and things.
- `invocation`, `result`, `output_schemas`, `scene_ending_hint`: one run of a command, and its result.
- `scene_commands`, `gm_override_commands`: commands of every system with scenes.
- `scene_view`, `sheet_parts`, `odds_view`, `journal_lines`, `battlemap`, `screen`: what is shown.
- `rich_layout`, `terminal_output`, `html_and_markdown`, `encoding`: how it is printed.

No game is named here. Example: `@plays(app, "skill", "roll skill")` makes a function a command.
"""
