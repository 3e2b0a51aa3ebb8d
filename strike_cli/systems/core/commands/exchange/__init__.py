"""People and creatures from other programs, and for them.

- `foreign_files` reads files of Foundry VTT, of Improved Initiative, and CSV, into one form.
- `importing` makes drafts of what was read.
- `exporting` writes for Foundry VTT, Improved Initiative and Obsidian.

Example: `strike import monsters.csv`.
"""
