"""The frame of the command line: it reads a line, finds its command, and has help, Tab and screens.

It knows no system: a system's commands are in its own package (`systems/*/commands`). A module of commands is
imported only when a command of it is typed, so none may import another. Begin with `app`, the Typer app.
Example: `strike watch` is in `watch.py`.
"""
