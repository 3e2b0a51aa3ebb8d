"""People and creatures from and for other programs.

- `foreign_files`: reads files of Foundry VTT, Improved Initiative, and CSV into one form. - `importing`:
  makes drafts from it. `exporting`: writes for Foundry VTT, Improved Initiative and Obsidian.

Example: `strike import monsters.csv`.
"""
