"""`strike combat`: a fight on a grid. A module for each theme, imported when a command of it is typed."""

from __future__ import annotations

from strike_cli.terminal.options import new_app

app = new_app("""Fights on a grid.

An evening's fight: `fight ford`, then `next` for initiative and for each turn, in it some of `move` and
`attack`; at last `next` again, or `combat finish`.

Example: `strike combat attack vex goblin-1`
""")
