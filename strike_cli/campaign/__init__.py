"""A campaign on disk: campaign.toml as people wrote it, state.toml, the journal, the lock, undo and redo.

`Campaign` is the one door: everything that reads or changes a campaign goes through it.
"""

from .campaign import Campaign, find_campaign

__all__ = ["Campaign", "find_campaign"]
