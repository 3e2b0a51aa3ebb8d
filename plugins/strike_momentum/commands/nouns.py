"""What places of these commands are called, and what Tab offers there."""

from __future__ import annotations

from strike_cli.plugin.commands import Noun

from ..numbers import ARMORS, SHIELDS, TYPES

TYPE = Noun("TYPE", words=lambda: TYPES)
"""A type of damage."""
ARMOR = Noun("WORN", words=lambda: ARMORS)
SHIELD = Noun("HELD", words=lambda: SHIELDS)
UNTIL = Noun("WHEN", words=lambda: ("start", "end", "fight", "upkeep"))
"""When a status ends."""
ENDED = Noun("[HOW]", words=lambda: ("won", "lost", "over"))
"""How a fight ended."""
LEFT = Noun("[HOW]", words=lambda: ("gone", "fled", "out"))
"""How somebody left."""
