"""The frame of the command line: reading a line, finding its command, help, Tab, and scenes' screens.

It knows no system: a system's commands are in its own package (`systems/*/commands`). Modules of command
groups are imported when a command of theirs is typed, so none may import another. Begin with `app.py`, the
Typer app; `strike watch`, for example, is `watch.py`.
"""
