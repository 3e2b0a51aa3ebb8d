"""Panels of a help: below what the options of each game are listed where a command has those of several."""

from __future__ import annotations

from collections.abc import Collection, Sequence

STRIKE_TITLE = "Strike!"
"""Strike!'s own panel."""
BOTH = "; "
"""Between the titles of games that ask the same."""


def panels_left_out(played: Sequence[str], panels: Collection[str]) -> set[str]:
    """Return those of these panels that are of other games than those `played`; none if no game is named."""
    from ..registry import installed, system

    if not played:
        return set()
    index = installed.index()
    own = index.plugins[0].systems
    titles = {system(name).title: name in played for name in index.systems if name not in own}
    titles[STRIKE_TITLE] = any(name in own for name in played)
    return {panel for panel in panels if not any(titles.get(title, True) for title in panel.split(BOTH))}
