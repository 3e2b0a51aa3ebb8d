"""What Python programs import: `from strike_cli import Campaign` (docs/python.md)."""

from .session.session import Pending as Pending
from .session.session import Played as Played
from .session.session import Session as Campaign

__all__ = ("Campaign", "Pending", "Played")
