"""The campaign as screens show it.

It includes players' proposals, and edits at virtual tabletops that wait for the game master.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .terminal.result import Block, Picture
from .visibility.audience import GM, Audience
from .visibility.entry_headlines import entry_headline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from .campaign import Campaign
    from .terminal.screen.model import CampaignView, Proposed
    from .terminal.screen.rows import Row

ENTRIES = 60
"""The entries that a screen may show, if it has room for them."""


def screens_stamp(folder: Path) -> object:
    """Return a value that changes whenever somebody plays, edits a file or makes a proposal.

    It also changes when somebody edits something at a virtual tabletop.
    """
    from strike_bridge.pending_edits import pending_edit_files

    from .campaign import change_stamp as campaigns
    from .phones import proposals

    return campaigns.campaign_stamp(folder, pending_edit_files(folder)), proposals.proposals_stamp(folder)


def campaign_view(campaign: Campaign, last: int, audience: Audience = GM) -> CampaignView:
    """Return the campaign as a screen shows it to an audience, with its `last` newest entries.

    Only the game master's view has waiting edits and players' proposals.
    """
    from .terminal.screen.model import view_of

    waits = _pending_edits(campaign) if audience.gm else []
    found = view_of(campaign, last, audience, undo_description(campaign), waits)
    return found._replace(proposals=open_proposals(campaign)) if audience.gm else found


def _pending_edits(campaign: Campaign) -> list[str]:
    """Return the edits at tabletops that wait for the game master."""
    if not any(target["pull"] != "off" for target in campaign.book.targets.values()):
        return []
    from strike_bridge.pending_edits import describe_pending_edits

    return describe_pending_edits(campaign.folder)


def open_proposals(campaign: Campaign) -> tuple[Proposed, ...]:
    """Return the players' proposals from their phones, the oldest first."""
    from .phones.proposals import read_proposals
    from .terminal.screen.model import Proposed

    people = campaign.book.characters
    return tuple(
        Proposed(one.id, str(people.get(one.who, {}).get("name", one.who)), one.text)
        for one in read_proposals(campaign.folder).waiting
    )


def undo_description(campaign: Campaign) -> str:
    """Return the number and headline of the entry that `undo` would undo; "" if there is none."""
    last = next(campaign.history(), None)
    return f"#{last.entry['seq']}: {entry_headline(last.entry, campaign.book.locale())}" if last else ""


def screen_picture(campaign: Campaign, last: int, height: int | None, audience: Audience = GM) -> list[Block]:
    """Return the campaign as one screen: the turn, the scene and recent entries.

    `height` is the number of rows; with None it is the height of the terminal. Of the `last` newest entries,
    as many are shown as fit. A `last` below ENTRIES counts as ENTRIES.
    """
    shown = campaign_view(campaign, max(last, ENTRIES), audience)

    def draw_rows(width: int) -> list[Row]:
        from .terminal.result import rich_console
        from .terminal.screen.screen_drawing import draw_watched

        return draw_watched(shown, width, height or rich_console().size.height).rows

    def as_text(width: int) -> str:
        from .terminal.screen.rows import text_of_row

        return "\n".join(text_of_row(row).rstrip() for row in draw_rows(width))

    def as_rich(width: int) -> RenderableType:
        from rich.segment import Segment, Segments

        line = Segment.line()
        return Segments([each for row in draw_rows(width) for each in (*row, line)][:-1])

    return [Picture(as_text, as_rich)]
