"""Import of people and creatures from other programs, and export to them.

- `foreign_file_readers` reads files of Foundry VTT and Improved Initiative, and CSV, into one common form.
- `importing` makes drafts of the creatures and characters that were read.
- `exporting` writes files for Foundry VTT, Improved Initiative and Obsidian.

Example: `strike import monsters.csv`.
"""
