"""A campaign on disk: campaign.toml as people wrote it, state.toml, the journal, the lock, undo and redo.

`Campaign` is the one door: everything that reads or changes a campaign goes through it. What only follows
the journal, like a bridge, takes `journal` and `files` and drags nothing else in.
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
