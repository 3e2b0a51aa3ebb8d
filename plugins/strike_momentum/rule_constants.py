"""The numbers in the rules of Momentum; all of them are defined here."""

from __future__ import annotations

from typing import NamedTuple

ACTION_POINTS, REACTION_POINTS, MOVEMENT = 3, 2, 3
"""How many AP one has in a turn, RP in a round, and metres of Basic Movement (WSH-02)."""

DR_SKILLS = {
    "str": "raw-force",
    "dex": "nimbleness",
    "con": "endurance",
    "int": "psychology",
    "cha": "presence",
    "ins": "intuition",
    "wil": "perseverance",
}
"""The seven Stats, each with the Skill for its Defense Roll (WSH-14)."""
STATS = tuple(DR_SKILLS)
AVERAGE_STAT = 10
"""The value of a Stat that gives no bonus."""
INITIATIVE_SKILLS = ("athletics", "quick-fingers", "analysis", "grace", "improvisation")
"""The Skills whose levels count for Initiative (WSH-03)."""
SKILLS = (
    *INITIATIVE_SKILLS,
    *DR_SKILLS.values(),
    "perception", "stealth", "first-aid", "street-smarts",
)  # fmt: skip
"""The Skills that the rules name; sheets may have others."""

DAMAGE_TYPES = {
    "other": ("physical", "psychic", "reality"),
    "elemental": ("chemical", "cold", "heat", "poison", "shock"),
    "mystic": ("curse", "holy", "spirit"),
}
"""The eleven types of damage, by category (WSH-15)."""
DAMAGE_TYPE_NAMES = tuple(type for types in DAMAGE_TYPES.values() for type in types)
STAT_INSTEAD_OF_ARMOR = {"poison": "con", "psychic": "wil"}
"""The types of damage that the value of a Defense Roll reduces instead of Armor (WSH-13)."""


class Armor(NamedTuple):
    """A kind of armor: its value, and its cap on base Evasion (WSH-12)."""

    armor: int
    cap: int
    dulls_stealth: bool = False


class Shield(NamedTuple):
    """A kind of shield: its bonus to Evasion, and how much it raises or lowers the armor's cap (WSH-12)."""

    evasion: int
    cap: int
    dulls_stealth: bool = False


ARMORS = {
    "clothes": Armor(0, 16),
    "light": Armor(1, 15),
    "medium": Armor(2, 14),
    "heavy": Armor(3, 13, dulls_stealth=True),
}
SHIELDS = {"light": Shield(1, 1), "medium": Shield(2, 0), "heavy": Shield(3, -1, dulls_stealth=True)}
HALF_COVER_EVASION, HALF_COVER_DR = 2, 1
"""What half cover adds to Evasion and to Defense Rolls; Taking Cover adds as much again (WSH-07, 18)."""

CRITICAL_DAMAGE, CRITICAL_DAMAGE_PER_TIER = 6, 3
"""How much damage a critical hit adds, and how much more for each Tier (WSH-10)."""
CRITICAL_FACE = 20
ACTION_AP_COSTS = {
    "attack": 2, "defend": 2, "interact": 1, "move": 1, "sprint": 3, "stabilize": 3,
    "switch-places": 1, "switch-weapons": 1, "take-cover": 1, "use-item": 3, "stand": 1, "keep-up": 2,
    "blind": 2, "climb": 2, "shake-off": 2, "command": 1, "disarm": 2, "grab": 2,
    "break-free": 2, "hide": 2, "shove": 1, "trip": 2,
}  # fmt: skip
"""How many AP each action costs that everybody has (WSH-07).

The first Interact or Switch Weapons of a turn may be free. What `stand`, `break-free` and `keep-up` cost
follows similar actions.
"""
STABILIZE_DIFFICULTY = 8
"""The number that a First Aid Check has to reach to stop bleeding (WSH-07)."""
MAX_TELEPORT_DAMAGE = 100
"""The most damage of a teleport onto an occupied square (WSH-20)."""


class MomentumPrice(NamedTuple):
    """The Narrative Momentum that a cinematic costs a participant (WSH-08).

    The price depends on whether the participant acts alone or with others.
    """

    alone: int
    together: int


CINEMATIC = MomentumPrice(3, 2)
BURST = MomentumPrice(6, 4)
UNTIL_WORDS = ("start", "end", "fight", "upkeep")
"""When a Status Effect ends: with the start or end of a turn, with the fight, or without upkeep.

If it has none of these, it stays.
"""
