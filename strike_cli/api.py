"""The API for Python programs: `from strike_cli import Campaign` (docs/python.md)."""

from .play.forecast import Preview as Preview
from .session.command_dispatch import Command as Command
from .session.python_session import Pending as Pending
from .session.python_session import Played as Played
from .session.python_session import Session as Campaign
from .terminal.screen.campaign_view import CampaignView as CampaignView

__all__ = ("Campaign", "CampaignView", "Command", "Pending", "Played", "Preview")
