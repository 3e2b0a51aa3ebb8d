"""The parts of commands: declaring, options, looking up names, printing.

- `declare`, `options`, `shared_options`, `nouns`: a command as a Python signature. Begin with `declare`.
- `lookup`, `readings`, `wrong_words`: from words to people and things.
- `invocation`, `result`, `envelope`, `ending`: one run of a command, and its answer.
- `scene_commands`, `gm_override_commands`: commands of every system with scenes.
- `scene_view`, `sheet_view`, `odds_view`, `entry_lines`, `battlemap`, `screen`: the content of displays.
- `rich_layout`, `colour`, `markup`, `encoding`: their look.

No game is named here. Example: `@plays(app, "skill", "roll skill")` makes a function a command.
"""
