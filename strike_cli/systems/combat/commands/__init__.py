"""`strike combat`: one module for each topic, imported when a command of it is typed.

- `fight`, `turn`, `delay_and_prepare`, `move`, `attack`, `standard`, `zone`, `gm`: playing. Begin with
  `attack`. - `options`, `odds`, `map`, `views`, `sheet_view`, `own_sheet_view`: showing. - `explain`,
  `content_try`, `power_descriptions`, `content_drafts`: content. `map_files`: maps of other programs. -
  `argument_names`, `argument_parsers`, `shared_blocks`: arguments and blocks that several commands share.

Example: `strike combat charge brann goblin-2` is in `standard`.
"""

from __future__ import annotations

from strike_cli.terminal.options import new_app

app = new_app("""Fights on a grid.

An evening's fight: `fight ford`, then `next` for initiative and for each turn, within it `move` and `attack`;
at the end `next` again, or `combat finish`.

Example: `strike combat attack vex goblin-1`
""")
