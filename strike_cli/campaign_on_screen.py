"""The campaign as screens show it, with players' proposals and pending edits from virtual tabletops."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .terminal.command_output import Block, Picture
from .visibility.audiences import GM, Audience
from .visibility.entry_headlines import entry_headline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from .campaign import Campaign
    from .terminal.screen.campaign_view import CampaignView, Proposal
    from .terminal.screen.text_rows import Row

ENTRIES = 60
"""The entries that a screen may show, if it has room for them."""


def screens_stamp(folder: Path) -> object:
    """Return a value that changes whenever somebody plays, edits a file or makes a proposal.

    It also changes when somebody edits something at a virtual tabletop.
    """
    from strike_bridge.pending_edits import pending_edit_files

    from .campaign import change_stamp as campaigns
    from .phones import proposals

    return campaigns.journal_and_state_stamp(folder, pending_edit_files(folder)), proposals.proposals_stamp(
        folder
    )


def campaign_view(campaign: Campaign, entry_count: int, audience: Audience = GM) -> CampaignView:
    """Return the campaign as a screen shows it to an audience, with its `entry_count` newest entries.

    Only the game master's view has waiting edits and players' proposals.
    """
    from .terminal.screen.campaign_view import make_campaign_view

    waits = _describe_pending_edits(campaign) if audience.gm else []
    found = make_campaign_view(campaign, entry_count, audience, describe_next_undo(campaign), waits)
    return found._replace(proposals=open_proposals(campaign)) if audience.gm else found


def _describe_pending_edits(campaign: Campaign) -> list[str]:
    """Return the edits at tabletops that wait for the game master."""
    if not any(target["pull"] != "off" for target in campaign.book.targets.values()):
        return []
    from strike_bridge.pending_edits import describe_pending_edits_for_gm

    return describe_pending_edits_for_gm(campaign.folder)


def open_proposals(campaign: Campaign) -> tuple[Proposal, ...]:
    """Return the proposals that players have sent from their phones and that still wait for an answer."""
    from .phones.proposals import read_proposals
    from .terminal.screen.campaign_view import Proposal

    people = campaign.book.characters
    return tuple(
        Proposal(one.id, str(people.get(one.who, {}).get("name", one.who)), one.text)
        for one in read_proposals(campaign.folder).waiting
    )


def describe_next_undo(campaign: Campaign) -> str:
    """Return the number and headline of the entry that `undo` would undo; "" if there is none."""
    last = next(campaign.commands_in_effect(), None)
    return f"#{last.entry['seq']}: {entry_headline(last.entry, campaign.book.locale())}" if last else ""


def campaign_on_one_screen(
    campaign: Campaign, wanted_entries: int, height_unless_of_terminal: int | None, audience: Audience = GM
) -> list[Block]:
    """Return the campaign as one screen: the turn, the scene and the newest entries.

    `height_unless_of_terminal` is the number of rows; None stands for the height of the terminal. Entries are
    shown as far as there is room. `wanted_entries` is the highest number of entries. If it is below ENTRIES,
    ENTRIES is used instead.
    """
    shown = campaign_view(campaign, max(wanted_entries, ENTRIES), audience)

    def draw_rows(width: int) -> list[Row]:
        from .terminal.command_output import make_rich_console
        from .terminal.screen.screen_drawing import draw_watch_screen

        return draw_watch_screen(
            shown, width, height_unless_of_terminal or make_rich_console().size.height
        ).rows

    def as_text(width: int) -> str:
        from .terminal.screen.text_rows import text_of_row

        return "\n".join(text_of_row(row).rstrip() for row in draw_rows(width))

    def as_rich(width: int) -> RenderableType:
        from rich.segment import Segment, Segments

        line = Segment.line()
        return Segments([each for row in draw_rows(width) for each in (*row, line)][:-1])

    return [Picture(as_text, as_rich)]
