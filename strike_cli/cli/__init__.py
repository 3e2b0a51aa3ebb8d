"""The general commands of `strike`, such as `undo` and `help`, and the root of its command line.

The commands of a game system are in its own package (`systems/*/commands`). A module of commands is imported
only when one of its commands is typed, so no such module may import another. Begin with `app`, the Typer app.
Example: `strike watch` is in `watch.py`.
"""
