"""Who may see what: the one place that decides, from a state and an audience.

Kept from players are whoever is hidden, the zones that are the game master's, and all that is in the fog;
what a side has picked and nobody has turned up yet; commands and decisions that are secret; what the game
master does by hand; and, where it is asked for, the numbers of everybody but the party. Screens, logs,
reports, the bridge and what it tells all go through here."""

from .audience import (
    GM,
    METERS,
    PARTY,
    PLAYERS,
    Audience,
    ToldMeter,
    exhibits_for,
    is_secret,
    is_secret_zone,
    may_know_ranges,
    told_meter,
    without_secrets,
    wounds_of,
)
from .decisions import asked_for
from .face_down import (
    Fact,
    each_for,
    entries_for,
    face_down,
    first_words,
    is_pick,
    table_for,
    unchanging,
    undone_by,
)
from .heard import Banner, Redaction, Told, heard
from .known_state import known_state
from .scenes import scene_for
from .speaker import PlayersSpeaker, names_hidden

__all__ = [
    "GM",
    "METERS",
    "PARTY",
    "PLAYERS",
    "Audience",
    "Banner",
    "Fact",
    "PlayersSpeaker",
    "Redaction",
    "Told",
    "ToldMeter",
    "asked_for",
    "each_for",
    "entries_for",
    "exhibits_for",
    "face_down",
    "first_words",
    "heard",
    "is_pick",
    "is_secret",
    "is_secret_zone",
    "known_state",
    "may_know_ranges",
    "names_hidden",
    "scene_for",
    "table_for",
    "told_meter",
    "unchanging",
    "undone_by",
    "without_secrets",
    "wounds_of",
]
