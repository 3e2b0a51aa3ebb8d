"""`strike combat`: a fight on a grid. A module for each theme, imported when a command of it is typed."""

from __future__ import annotations

from strike_cli.terminal.options import new_app

app = new_app("""Fights on a grid.

An evening's fight: `combat start ford`, `combat initiative`, then for each turn `combat turn`, some of
`combat move` and `combat attack`, and `combat end-turn`; at last `combat finish`.

Example: `strike combat attack vex goblin-1`
""")
