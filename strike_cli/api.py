"""The API for Python programs: `from strike_cli import Campaign` (docs/python.md)."""

from .play.forecast import Preview as Preview
from .session.command_dispatch import Command as Command
from .session.session import Pending as Pending
from .session.session import Played as Played
from .session.session import Session as Campaign
from .terminal.screen.campaign_view import CampaignView as CampaignView

__all__ = ("Campaign", "CampaignView", "Command", "Pending", "Played", "Preview")
