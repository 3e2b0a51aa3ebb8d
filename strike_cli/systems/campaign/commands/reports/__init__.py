"""Reports of what was played: of an evening, of the whole campaign, or turn by turn.

- `entries`: the entries that are in effect. `ledger`: counts for everybody. `tables`: its tables and plots.
- `evening`, `campaign`, `story`: one session, all of them, an evening turn by turn. Begin with `evening`.
- `output`: the forms, and their files.

Example: `strike session report 3 --out session-3.html`.
"""
