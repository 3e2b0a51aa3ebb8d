"""Prepared things and reminders, whatever game is played.

- `random_tables`, `random_table_files`: random tables, also as CSV or Markdown.
- `clocks`, `calendar`, `days`: segments that fill, dates, and what days bring.
- `scene_files`, `scenes_in_play`: scenes as people write them, and which was played.
- `handouts`, `notes`: pictures and texts, notes.

Begin with `system`, then `random_tables`. Example: `strike draw weather` is `random_tables.play_draw`.
"""
