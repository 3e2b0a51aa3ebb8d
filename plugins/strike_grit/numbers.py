"""The numbers of the game: its dice, and what each rule reads off them (GRT-01, 02, 05, 12)."""

TRACK = (0, 4, 6, 8, 10, 12)
"""The sides of an attribute's die, step by step; 0 is zero, no die at all."""
ATTRIBUTES = ("str", "dex", "wil")
ENHANCING = 12
"""The die that an enhanced roll has besides its own."""
IMPAIRED = 4
"""The die that an impaired roll has instead of all others; it is what a bare hand deals, too."""
SAVED = 4
"""What a Save has to show where nobody rolls against it."""
BURDENED = 2
"""Bulky items that somebody carries without losing their Grit to it."""
