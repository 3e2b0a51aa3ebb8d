"""People and creatures from other programs and for them.

- `foreign`: other programs' files in one form: Foundry VTT, Improved Initiative, CSV.
- `importing`: drafts made from it. `exporting`: Foundry VTT, Improved Initiative, Obsidian.

Example: `strike import monsters.csv`.
"""
