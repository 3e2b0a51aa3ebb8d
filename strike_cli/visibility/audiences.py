"""The audiences, and the people and zones that each audience may know of.

How an audience sees the meters of people is here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..kernel.statements import ENGLISH, Language
from ..tabletop.scene import Meter, Person, Zone, word_for_visible_state

PARTY = "party"
METERS = ("exact", "bar", "wounds", "none")
BAR_PARTS = 4
"""The parts of a bar: players see the quarters left, rounded up so that nobody who is up looks empty."""


class Audience(NamedTuple):
    """The people who look at the table, and what they may see.

    Attributes:
        gm: The audience sees everything.
        side: The side whose picks the audience sees, even if they are face down.
        meters: How the numbers of everybody but the party are shown: "exact", as a "bar", in words
            ("wounds"), or not at all ("none").
        language: The campaign's language.
    """

    gm: bool = False
    side: str = ""
    meters: str = "exact"
    language: Language = ENGLISH


GM = Audience(gm=True)
PLAYERS = Audience()


# People and what is on the map


def is_person_secret(person: Person) -> bool:
    """Return whether players must not know of a person, because the person is hidden or in the fog.

    A hidden member of the party is not secret from players.
    """
    return (person.hidden or person.unseen) and person.side != PARTY


def without_secret_statuses(person: Person) -> Person:
    """Return a person without the statuses that players must not know of."""
    if not any(status.secret for status in person.statuses):
        return person
    return person._replace(statuses=tuple(status for status in person.statuses if not status.secret))


def is_secret_zone(zone: Zone, people: Mapping[str, Person]) -> bool:
    """Return whether players must not know of a zone.

    A zone is secret in each of these cases:

    - Only the game master sees it.
    - It is in the fog.
    - A hidden person made it. A maker in the fog alone doesn't make it secret.
    - It moves with a person who is hidden or in the fog.
    """
    if zone.secret or zone.unseen or (zone.along in people and is_person_secret(people[zone.along])):
        return True
    return zone.by in people and is_person_secret(people[zone.by]._replace(unseen=False))


def may_know_move_and_attack_ranges(person: Person, audience: Audience) -> bool:
    """Return whether an audience may know how far a person can move and attack.

    The game master may know this of everybody. Players may know it only of the party: they have to find out
    the speed and reach of a foe.
    """
    return audience.gm or person.side == PARTY


class AudienceMeter(NamedTuple):
    """A meter as an audience sees it.

    `shown` is how the meter is shown: "exact", "bar", "wounds" or "none", as in `Audience.meters`. `value`
    and `most` are the meter's numbers if it is shown exactly, and counts of parts if it is shown as a bar.
    Otherwise they are None. `wounds` is the meter's state as a word, or None.
    """

    shown: str
    value: int | None
    most: int | None
    wounds: str | None


def meter_shown_to(meter: Meter, person: Person, audience: Audience) -> AudienceMeter:
    """Return a person's meter in the form in which an audience may see it."""
    shown = "exact" if person.side == PARTY else audience.meters
    wounds = None if shown == "none" else word_for_visible_state(meter)
    if shown == "exact":
        return AudienceMeter(shown, meter.value, meter.most, wounds)
    if shown == "bar" and meter.most is not None:
        parts = -(-BAR_PARTS * meter.value // max(1, meter.most))
        return AudienceMeter(shown, max(0, min(BAR_PARTS, parts)), BAR_PARTS, wounds)
    return AudienceMeter(shown, None, None, wounds)
