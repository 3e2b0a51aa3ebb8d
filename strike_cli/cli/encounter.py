"""`strike encounter`: what an encounter is worth, by the rules' own count and by playing it; and one made to
measure."""

from __future__ import annotations

from ..terminal.options import new_app

app = new_app(
    "What an encounter does to the party, and one made to measure.\n\nExample: `strike encounter rate ford`"
)
