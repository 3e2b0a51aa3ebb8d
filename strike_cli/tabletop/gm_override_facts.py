"""Facts of game master overrides, in every system's scenes.

Rules with the same effect use them, too. They contain no rules.
"""

from collections.abc import Sequence
from typing import Annotated

from ..kernel.statements import Clause, Fact, Hp, Listed, Named, Person, Reason, Square, Typed, Words, Zone
from .squares import Area

Encounter = Annotated[str, Named("encounters")]
"""The id of an encounter, shown by the name of its scene."""


class Placed(Fact):
    """The report that the game master puts somebody on a square, or in a `place` described in words."""

    who: Person
    to: Square = ""
    start: Square = ""
    place: Words = ""

    event = "move"
    says = "The game master puts {who}[ on {to}][ somewhere else: {place}][, from {start}]."


class Joined(Fact):
    """The report that somebody joins a fight, or is `back` in it (STR-TAC-01)."""

    who: Person
    back: bool = False

    event = "scene"
    headline = "{who} {back:?is back|joins}"
    says = "{who} {back:?is back in|joins} the fight."


class MadeUp(Fact):
    """The report that the game master makes up creatures, which are in no file, by their names."""

    creatures: Annotated[Sequence[str], Listed(Typed(), ", ")] = ()

    gm_only = True
    says = "[Made up: {creatures}.]"


class Left(Fact):
    """The report that somebody leaves the fight without being Taken Out (STR-TAC-15).

    `gone` marks a summon, `surrenders` somebody who lays down their arms.
    """

    who: Person
    why: Words = ""
    gone: bool = False
    surrenders: bool = False

    event = "scene"
    says = "{who} {gone:?is gone|{surrenders:?surrenders|leaves the fight}[: {why}]}."


class Hidden(Fact):
    """The report that somebody is Hidden (STR-TAC-23)."""

    who: Person

    says = "{who} is Hidden."


class Revealed(Fact):
    """The report that somebody is no longer Hidden, or no longer `hiding` (STR-TAC-23)."""

    who: Person
    hiding: bool = False

    event = "reveal"
    headline = "{hiding:?|{who} is revealed}"
    says = "{hiding:?|{who} is Hidden no longer.}"


class GroundSeen(Fact):
    """The report that the party sees ground for the first time."""


class FogSet(Fact):
    """The report that the game master changes which squares players see.

    Fog is put `on` or taken `off`; or they "lift" it from squares, or "cover" them.
    """

    do: str
    squares: Area = ()

    gm_only = True
    says = (
        "{do:on=Fog: players see what the party sees from now on.|off=No fog: players see all of the map."
        "|lift=The fog lifts from {squares}.|cover=The fog covers {squares}.}"
    )


class PictureMoved(Fact):
    """The report that the map's picture is moved under its squares."""

    gm_only = True
    says = "The map's picture is moved."


class DoorMoved(Fact):
    """The report that a door is opened or closed: at a square, or between that and the one `beyond`."""

    at: Square
    open: bool
    beyond: Square = ""

    event = "reveal"
    says = "The door at {at}[ to {beyond}] is {open:?open|closed}."


class ZoneDoes(Clause):
    """An effect of a zone; `damage` in HP."""

    what: str
    damage: int = 0
    measured: Reason = ""

    says = (
        "{what:damage={measured:?damage equal to {measured}|{damage} damage}"
        "|difficult=difficult|obscured=obscured|dark=completely obscured"
        "|light=light|wall=a wall|cover}"
    )


class ZoneAdded(Fact):
    """The report that a zone appears (STR-TAC-21, 22); `who` is its maker."""

    who: Person
    zone: Zone
    squares: Area
    damage: int = 0
    difficult: bool = False
    sight: str = ""
    blocks: bool = False
    cover: bool = False

    event = "scene"
    says = says_unseen = "{zone}: {does:?{does}|a zone}[ on {squares}]."

    @property
    def does(self) -> Sequence[ZoneDoes]:
        """The effects of the zone, each in a clause."""
        words = {
            "damage": self.damage,
            "difficult": self.difficult,
            self.sight: self.sight,
            "wall": self.blocks,
            "cover": self.cover,
        }
        return [ZoneDoes(what, self.damage) for what, so in words.items() if so]


class ZoneRemoved(Fact):
    """The report that a zone disappears."""

    zone: Zone

    event = "scene"
    says = "{zone} is gone."


class MeterSet(Fact):
    """The report that the game master sets somebody's number.

    `meter` is its name; `sign` is printed before its values.
    """

    who: Person
    meter: str
    number: Hp
    sign: str = ""

    section = "Harm"
    says = (
        "The game master sets {who}: {meter} {before:0=0|{sign}{number.before}} to "
        "{after:0=0|{sign}{number.after}}."
    )
    says_without_hp = "The game master changes {who's} state."

    @property
    def before(self) -> int:
        """The number before the change."""
        return self.number.before

    @property
    def after(self) -> int:
        """The number after the change."""
        return self.number.after


class SceneParked(Fact):
    """The report that a scene waits while another is played."""

    encounter: Encounter
    round: int = 0

    style = "title"
    event = "scene"
    says = "{encounter} is parked{round:? in round {round}|}."


class SceneResumed(Fact):
    """The report that a parked scene goes on."""

    encounter: Encounter
    round: int = 0

    style = "title"
    event = "scene"
    says = "Back to {encounter}{round:?, round {round}|}."
