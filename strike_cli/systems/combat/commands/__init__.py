"""`strike combat`: a module for each theme, imported when a command of it is typed.

- `fight`, `turn`, `order`, `move`, `attack`, `standard`, `zone`, `gm`: play. Begin with `attack`.
- `advice`, `odds`, `map`, `views`, `sheet`, `own_sheet`: show. `explain`, `trial`, `powers`, `drafts`:
  content.
- `map_files`: import and export. `nouns`, `words`, `common`: arguments.

Example: `strike combat charge brann goblin-2` is in `standard`.
"""

from __future__ import annotations

from strike_cli.terminal.options import new_app

app = new_app("""Fights on a grid.

An evening's fight: `fight ford`, then `next` for initiative and for each turn, within it `move` and `attack`;
at the end `next` again, or `combat finish`.

Example: `strike combat attack vex goblin-1`
""")
