"""Somebody stands elsewhere at once."""

from __future__ import annotations

from .displacement import DisplacementStep


class TeleportStep(DisplacementStep):
    """To any free square so near, past whatever is between, where who uses the power likes."""

    how = "teleport"
    done = "teleported"
    in_full = "{who} is teleported up to {squares}"
