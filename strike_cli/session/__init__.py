"""An open campaign as a program: commands are read, played and shown. Every interface calls it.

- `python_session`: `Session`, public as `strike_cli.Campaign`. Begin here.
- `command_dispatch`, `typed_line`, `shorthand`, `command_catalogue`: from words to a command.
- `prompt`, `line_play_and_report`: the prompt, and showing a command's result.
- `tab_completion`: completions.

Example: `Campaign("lantern-road").play("roll skill vex Climbing")`.
"""
