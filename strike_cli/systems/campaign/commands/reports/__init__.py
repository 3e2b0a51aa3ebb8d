"""Reports of what was played: of one session, of the whole campaign, or turn by turn.

- `entries_known_to_audience`: the entries in effect. `character_counts`: counts for each character.
  `tables_and_plots`: their tables.
- `evening`: one session. `campaign`: all of them. `story`: a session turn by turn. Begin with `evening`.
- `output_formats`: the reports as text, Markdown and pages, and their files.

Example: `strike session report 3 --out session-3.html`.
"""
