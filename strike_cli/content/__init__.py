"""Conditions, statuses, powers, creatures: their schema, their registry, and the plugins' door.

The core game's own content comes in by that door, like anyone's.
"""

CAMPAIGN_FILE = "campaign.toml"
"""What makes a folder a campaign."""
CONTENT_FOLDER = "content"
"""The folder of a campaign whose files are part of it without being named in `include`."""
