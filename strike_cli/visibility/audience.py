"""The audiences, the people and zones that each may know of, and the form of meters for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..kernel.statements import ENGLISH, Language
from ..tabletop.scene import Meter, Person, Zone, wounds_of

PARTY = "party"
METERS = ("exact", "bar", "wounds", "none")
BAR = 4
"""The parts of a bar: players see the quarters left, rounded up so that nobody who is up looks empty."""


class Audience(NamedTuple):
    """An audience of the table.

    `gm` sees all. A `side` sees its own picks that lie face down. `meters` is how the numbers of everybody
    but the party are shown: "exact", as a "bar", in words ("wounds"), or not at all ("none"). `language` is
    the campaign's.
    """

    gm: bool = False
    side: str = ""
    meters: str = "exact"
    language: Language = ENGLISH


GM = Audience(gm=True)
PLAYERS = Audience()


# People and what is on the map


def is_secret(person: Person) -> bool:
    """Return whether players must not know of a person: they are hidden, or in the fog.

    A hidden member of the party hides from its enemies alone.
    """
    return (person.hidden or person.unseen) and person.side != PARTY


def without_secrets(person: Person) -> Person:
    """Return a person without the parts that players must not know."""
    if not any(status.secret for status in person.statuses):
        return person
    return person._replace(statuses=tuple(status for status in person.statuses if not status.secret))


def is_secret_zone(zone: Zone, people: Mapping[str, Person]) -> bool:
    """Return whether players must not know of a zone.

    Such a zone is the game master's, lies in the fog, was made by a hidden person, or moves with one. The
    zone of a person in the fog is seen where it is.
    """
    if zone.secret or zone.unseen or (zone.along in people and is_secret(people[zone.along])):
        return True
    return zone.by in people and is_secret(people[zone.by]._replace(unseen=False))


def may_know_ranges(person: Person, audience: Audience) -> bool:
    """Return whether an audience may know how far a person moves: players, only for their own side.

    The speed of a foe, and the reach of its attacks, are for them to find out.
    """
    return audience.gm or person.side == PARTY


class ToldMeter(NamedTuple):
    """A meter as it is shown.

    `shown` is the form; `value` and `most` are parts of a bar, or None; `wounds` is its state as a word.
    """

    shown: str
    value: int | None
    most: int | None
    wounds: str | None


def meter_for(meter: Meter, person: Person, audience: Audience) -> ToldMeter:
    """Return a meter in the form in which an audience is shown it."""
    shown = "exact" if person.side == PARTY else audience.meters
    wounds = None if shown == "none" else wounds_of(meter)
    if shown == "exact":
        return ToldMeter(shown, meter.value, meter.most, wounds)
    if shown == "bar" and meter.most is not None:
        parts = -(-BAR * meter.value // max(1, meter.most))
        return ToldMeter(shown, max(0, min(BAR, parts)), BAR, wounds)
    return ToldMeter(shown, None, None, wounds)
