"""An open campaign as a program: commands read, played and shown. Every way in is a thin caller of it.

- `session`: `Session`, public as `strike_cli.Campaign`. Begin here.
- `command_reading`, `typed_line`, `shorthand`, `command_catalogue`: from words to a command.
- `prompt`, `display`: questions to people, and the form of answers.
- `tab_completion`: completions.

Example: `Campaign("lantern-road").play("roll skill vex Climbing")`.
"""
