"""The audiences, the people and zones that each may know of, and the form in which each sees meters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..kernel.statements import ENGLISH, Language
from ..tabletop.scene import Meter, Person, Zone, describe_wounds

PARTY = "party"
METERS = ("exact", "bar", "wounds", "none")
BAR = 4
"""The parts of a bar: players see the quarters left, rounded up so that nobody who is up looks empty."""


class Audience(NamedTuple):
    """An audience of the table.

    `gm` sees everything. A `side` sees its own picks that are face down. `meters` is how the numbers of
    everybody but the party are shown: "exact", as a "bar", in words ("wounds"), or not at all ("none").
    `language` is the campaign's.
    """

    gm: bool = False
    side: str = ""
    meters: str = "exact"
    language: Language = ENGLISH


GM = Audience(gm=True)
PLAYERS = Audience()


# People and what is on the map


def is_secret(person: Person) -> bool:
    """Return whether players must not know of a person, who is hidden or in the fog.

    A hidden member of the party is hidden only from its enemies.
    """
    return (person.hidden or person.unseen) and person.side != PARTY


def without_secret_statuses(person: Person) -> Person:
    """Return a person without the statuses that players must not know of."""
    if not any(status.secret for status in person.statuses):
        return person
    return person._replace(statuses=tuple(status for status in person.statuses if not status.secret))


def is_secret_zone(zone: Zone, people: Mapping[str, Person]) -> bool:
    """Return whether players must not know of a zone.

    That is so if only the game master sees it, if it is in the fog, or if a hidden person made it or moves
    with it. A zone made by a person in the fog is seen if the zone itself is in sight.
    """
    if zone.secret or zone.unseen or (zone.along in people and is_secret(people[zone.along])):
        return True
    return zone.by in people and is_secret(people[zone.by]._replace(unseen=False))


def may_know_ranges(person: Person, audience: Audience) -> bool:
    """Return whether an audience may know how far a person moves and attacks.

    The game master may know it of everybody, players only of the party: they have to find out the speed and
    reach of a foe.
    """
    return audience.gm or person.side == PARTY


class AudienceMeter(NamedTuple):
    """A meter as an audience sees it.

    `shown` is the form, as `Audience.meters`; `value` and `most` are numbers, parts of a bar, or None;
    `wounds` is the meter's state as a word.
    """

    shown: str
    value: int | None
    most: int | None
    wounds: str | None


def meter_shown_to(meter: Meter, person: Person, audience: Audience) -> AudienceMeter:
    """Return a person's meter in the form in which an audience may see it."""
    shown = "exact" if person.side == PARTY else audience.meters
    wounds = None if shown == "none" else describe_wounds(meter)
    if shown == "exact":
        return AudienceMeter(shown, meter.value, meter.most, wounds)
    if shown == "bar" and meter.most is not None:
        parts = -(-BAR * meter.value // max(1, meter.most))
        return AudienceMeter(shown, max(0, min(BAR, parts)), BAR, wounds)
    return AudienceMeter(shown, None, None, wounds)
