"""The parts of commands: declaring, options, looking up names, printing.

- `declare`, `options`, `shared_options`, `argument_names`: a command as a Python signature. Begin with
  `declare`.
- `name_lookup`, `unquoted_names`, `usage_errors`: from words to people and things.
- `invocation`, `result`, `output_schemas`, `scene_ending`: one run of a command, and its answer.
- `scene_commands`, `gm_override_commands`: commands of every system with scenes.
- `scene_view`, `sheet_view`, `odds_view`, `journal_lines`, `battlemap`, `screen`: the content of displays.
- `rich_layout`, `colour`, `html_and_markdown`, `encoding`: their look.

No game is named here. Example: `@plays(app, "skill", "roll skill")` makes a function a command.
"""
