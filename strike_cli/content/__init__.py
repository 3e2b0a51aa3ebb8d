"""Content: conditions, statuses, powers and creatures, from campaign.toml, packs and plugins.

- `merged_content`, `compiler`: all content, checked and merged into one book. Begin here.
- `schemas`, `references`, `name_index`: the schemas of files, and names in them. `system_checks`: a
  system's own checks.
- `packs`, `drafts`: content packs, and commented files for new content.
- `universal_vtt`, `foundry_scene`, `foreign_json`: maps from other programs. `grid_line_recognition`,
  `map_picture_draw_and_shrink`, `map_preview`: pictures of maps.
- `campaign_json_schema`, `command_data_schema`: JSON Schemas for editors and other programs.

The core game's content is read like a plugin's. Example: `strike content list` prints the book.
"""

CAMPAIGN_FILE = "campaign.toml"
"""The file that makes a folder a campaign."""
CONTENT_FOLDER = "content"
"""The folder in a campaign whose files are read without being named in `include`."""
