"""`strike combat`: a module for each topic, which is imported when one of its commands is typed.

- `fight`, `turn`, `delay_and_prepare`, `move`, `attack`, `common_actions`, `zone` and `gm` play. Begin with
  `attack`.
- `options_and_auto`, `odds`, `map`, `views`, `sheet_view` and `own_sheet_view` show.
- `content_explain`, `content_try`, `power_descriptions` and `content_drafts` are about content.
- `map_files` has maps of other programs.
- `argument_names`, `argument_parsers` and `shared_output_blocks` have arguments and blocks that several
  commands share.

Example: `strike combat charge brann goblin-2` is in `common_actions`.
"""

from __future__ import annotations

from strike_cli.terminal.commands_and_options import new_app

app = new_app("""Fights on a grid.

An evening's fight: `fight ford`, then `next` for initiative and for each turn, within it `move` and `attack`;
at the end `next` again, or `combat finish`.

Example: `strike combat attack vex goblin-1`
""")
