"""Content: conditions, statuses, powers and creatures, from campaign.toml, packs and plugins.

- `schemas`, `command_data_schema`, `references`, `ids`, `foreign_json`: the forms of files.
  `system_check_hooks`: faults beyond a form.
- `merged_content`, `compiler`: everything that people wrote, checked and merged into one book. Begin here.
- `packs`, `drafts`: content packs, and commented files for new content.
- `uvtt`, `foundry_scene`, `grid_line_recognition`, `map_picture`, `map_preview`: maps and pictures.
- `json_schema`: the forms for editors.

The core game's content is read as a plugin's is. Example: `strike content list` prints the book.
"""

CAMPAIGN_FILE = "campaign.toml"
"""The file that makes a folder a campaign."""
CONTENT_FOLDER = "content"
"""The folder in a campaign whose files are read without being named in `include`."""
