"""Prepared things and reminders, whatever game is played.

- `table`, `text_files`: random tables, also as CSV or Markdown.
- `clocks`, `calendar`, `days`: segments that fill, dates, and what days bring.
- `scene_files`, `story`: scenes as people write them, and which was played.
- `handouts`, `notes`: pictures and texts, notes.

Begin with `system`, then `table`. Example: `strike draw weather` is `table.play_draw`.
"""
