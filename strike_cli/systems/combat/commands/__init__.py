"""`strike combat`: a module for each topic, which is imported when one of its commands is typed.

- Play: `fight_start_show_and_end`, `turns_and_escape`, `delay_prepare_and_leave`, `move_and_stand`,
  `attacks_and_powers`, `common_actions`, `zone` and `gm_hp_and_statuses`. Begin with `attacks_and_powers`.
- Display: `options_and_auto`, `odds`, `encounter_maps`, `lazy_views`, `sheet_view` and `own_sheet_view`.
- Content: `content_explain`, `content_try`, `power_descriptions` and `content_new`.
- Maps of other programs: `map_conversion_and_file_edits`.
- Arguments and blocks that several commands share: `argument_completions`, `argument_parsers` and
  `remaining_actions_and_map`.

Example: `strike combat charge brann goblin-2` is in `common_actions`.
"""

from __future__ import annotations

from strike_cli.terminal.commands_and_options import new_app

app = new_app("""Fights on a grid.

An evening's fight: `fight ford`, then `next` for initiative and for each turn, within it `move` and `attack`;
at the end `next` again, or `combat finish`.

Example: `strike combat attack vex goblin-1`
""")
