"""Preparation and reminders, for any game.

- `random_tables` and `random_table_files`: random tables, also as CSV or Markdown files.
- `clocks`, `calendar` and `days_and_deadlines`: clocks, dates, and the effects of passing days.
- `scene_files` and `scenes_in_play`: the files of scenes, and the scenes that were played.
- `handouts` and `notes_in_log`: pictures and texts for the players, and notes.

Begin with `system`, then `random_tables`. Example: `strike draw weather` is played by
`random_tables.play_draw`.
"""
