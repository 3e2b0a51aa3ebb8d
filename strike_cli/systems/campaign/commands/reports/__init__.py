"""Reports of what was played: of one session, of the whole campaign, or turn by turn.

Begin with `evening`.

- `entries_known_to_audience`: the journal entries to report, as the audience may know them.
- `character_counts`: counts for each character. `tables_and_plots`: tables and plots of the counts.
- `evening`: the report of one session. `campaign`: the report of all sessions.
- `story`: one session turn by turn.
- `output_formats`: reports as text, Markdown and pages, and their files.

Example: `strike session report 3 --out session-3.html`.
"""
