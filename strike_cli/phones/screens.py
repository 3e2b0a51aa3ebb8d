"""A campaign as screens and pages show it, with what players propose and what waits at tabletops."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..terminal.result import Block, Picture
from ..visibility.audience import GM, Audience
from ..visibility.entry_words import headline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..campaign import Campaign
    from ..terminal.screen.model import CampaignView, Proposed
    from ..terminal.screen.rows import Row

ENTRIES = 60
"""Entries that a screen may show, where it has room for them."""


def stamp(folder: Path) -> object:
    """What tells whether anybody has played, edited, proposed, or moved something at a tabletop."""
    from strike_bridge.pending_edits import waiting_files

    from ..campaign import stamp as campaigns
    from . import proposals

    return campaigns.stamp(folder, waiting_files(folder)), proposals.stamp(folder)


def view(campaign: Campaign, last: int, audience: Audience = GM) -> CampaignView:
    """A campaign as a screen shows it, to the game master unless said, with its last entries."""
    from ..terminal.screen.model import view_of

    waits = _waits(campaign) if audience.gm else []
    found = view_of(campaign, last, audience, undoes(campaign), waits)
    return found._replace(proposals=proposed(campaign)) if audience.gm else found


def _waits(campaign: Campaign) -> list[str]:
    """What was changed at tabletops and is not taken over yet: the game master's to decide."""
    if not any(target["pull"] != "off" for target in campaign.book.targets.values()):
        return []
    from strike_bridge.pending_edits import what_waits

    return what_waits(campaign.folder)


def proposed(campaign: Campaign) -> tuple[Proposed, ...]:
    """What players propose from their phones, the oldest first."""
    from ..terminal.screen.model import Proposed
    from .proposals import read

    people = campaign.book.characters
    return tuple(
        Proposed(one.id, str(people.get(one.who, {}).get("name", one.who)), one.text)
        for one in read(campaign.folder).waiting
    )


def undoes(campaign: Campaign) -> str:
    """What undo would take back, by its number and what it told; empty where there is nothing."""
    last = next(campaign.history(), None)
    return f"#{last.entry['seq']}: {headline(last.entry)}" if last else ""


def picture(campaign: Campaign, last: int, height: int | None, audience: Audience = GM) -> list[Block]:
    """One screen of so many rows, or of as many as the terminal has: whose turn it is, the scene, and as many
    of the last entries as there is room for, `last` of them at least looked at."""
    shown = view(campaign, max(last, ENTRIES), audience)

    def rows(width: int) -> list[Row]:
        from ..terminal.result import terminal
        from ..terminal.screen.draw import draw_watched

        return draw_watched(shown, width, height or terminal().size.height).rows

    def plain(width: int) -> str:
        from ..terminal.screen.rows import text_of

        return "\n".join(text_of(row).rstrip() for row in rows(width))

    def rich(width: int) -> RenderableType:
        from rich.segment import Segment, Segments

        line = Segment.line()
        return Segments([each for row in rows(width) for each in (*row, line)][:-1])

    return [Picture(plain, rich)]
