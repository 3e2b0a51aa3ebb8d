"""A campaign on disk: campaign.toml as people wrote it, state.toml, the journal, the lock, undo and redo.

- `campaign`: `Campaign`, the one way in for everything that reads or changes a campaign. Begin here.
- `file_access`, `journal`, `journal_entry_format`, `state_file`, `session_index`: the files and their forms.
- `create`, `backup`, `folder_upgrade`, `state_migration`, `state_versions`, `earlier_campaign_files`: new,
  copied and older campaigns.
- `doctor`, `state_checks`, `journal_repair`, `diverged_copies`: faults, and their repair.
- `undo_and_repair_facts`, `redacted_journal`, `session_snapshot`, `change_stamp`: undo's facts, and quick
  answers.

A program that only follows the journal, like a bridge, takes `journal` and `file_access` and imports nothing
else. Example: `strike undo` is `Campaign.take_back`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .campaign import Campaign

__all__ = ["Campaign"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(name)
    from .campaign import Campaign

    return Campaign
