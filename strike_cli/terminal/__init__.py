"""The parts from which commands are made: declarations, options, looking up names, printing.

- `move_commands`, `commands_and_options`, `roll_and_chart_options`, `argument_completions`: a command as a
  Python signature. Begin with `move_commands`.
- `name_lookup`, `unquoted_names`, `usage_refusals`: from typed words to people and things.
- `invocation`, `command_output`, `output_schemas`, `scene_ending_hint`: one run of a command, and its result.
- `commands_of_every_scene`, `gm_override_commands`: commands of every system with scenes.
- `scene_view`, `sheet_and_party_views`, `odds_view`, `journal_lines`, `battlemap`, `screen`: the content
  of screens.
- `rich_layout`, `coloured_output`, `html_and_markdown`, `stream_encoding`: printing.

No game is named here. Example: `@plays(app, "skill", "roll skill")` makes a function a command.
"""
