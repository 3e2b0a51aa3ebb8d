"""Facts of the scenes of all games.

They report what the game master changes by hand, and what rules of several games also cause: somebody joins
or hides, a zone appears, ground is seen, a scene is parked. No rules are in this module.
"""

from collections.abc import Sequence
from typing import Annotated

from ..kernel.statements import (
    Clause,
    Fact,
    Hp,
    MarkedList,
    NamedId,
    Person,
    Reason,
    Square,
    TypedText,
    Words,
    Zone,
)
from .squares_and_lines import Area

Encounter = Annotated[str, NamedId("encounters")]
"""An encounter, by its id; it is shown by the name of its scene."""


class Placed(Fact):
    """The game master puts somebody on the square `to`, or in a `place` that has a name."""

    who: Person
    to: Square = ""
    start: Square = ""
    place: Words = ""

    event = "move"
    says = "The game master puts {who}[ on {to}][ somewhere else: {place}][, from {start}]."


class Joined(Fact):
    """Somebody joins a fight (STR-TAC-01).

    With `back`, they return to a fight that they had left.
    """

    who: Person
    back: bool = False

    event = "scene"
    headline = "{who} {back:?is back|joins}"
    says = "{who} {back:?is back in|joins} the fight."


class MadeUp(Fact):
    """The game master makes up creatures that are in no file.

    `creatures` has their names.
    """

    creatures: Annotated[Sequence[str], MarkedList(TypedText(), ", ")] = ()

    gm_only = True
    says = "[Made up: {creatures}.]"


class Left(Fact):
    """Somebody leaves the fight without being Taken Out (STR-TAC-15).

    `gone` is True for a summoned creature, and `surrenders` for somebody who lays down their arms.
    """

    who: Person
    why: Words = ""
    gone: bool = False
    surrenders: bool = False

    event = "scene"
    says = "{who} {gone:?is gone|{surrenders:?surrenders|leaves the fight}[: {why}]}."


class Hidden(Fact):
    """Somebody is Hidden now (STR-TAC-23)."""

    who: Person

    says = "{who} is Hidden."


class Revealed(Fact):
    """A person stops being Hidden (STR-TAC-23).

    If `hiding` is true, the person was only about to become Hidden. Then the fact has no text.
    """

    who: Person
    hiding: bool = False

    event = "reveal"
    headline = "{hiding:?|{who} is revealed}"
    says = "{hiding:?|{who} is Hidden no longer.}"


class GroundSeen(Fact):
    """The party sees ground for the first time."""


class FogSet(Fact):
    """The game master changes the squares that players see.

    Fog is switched "on" or "off", or it is lifted from squares ("lift") or laid over them ("cover").
    """

    do: str
    squares: Area = ()

    gm_only = True
    says = (
        "{do:on=Fog: players see what the party sees from now on.|off=No fog: players see all of the map."
        "|lift=The fog lifts from {squares}.|cover=The fog covers {squares}.}"
    )


class PictureMoved(Fact):
    """The picture of the map is moved under its squares."""

    gm_only = True
    says = "The map's picture is moved."


class DoorMoved(Fact):
    """A door opens or closes.

    It is at a square, or in the wall between that square and `beyond`.
    """

    at: Square
    open: bool
    beyond: Square = ""

    event = "reveal"
    says = "The door at {at}[ to {beyond}] is {open:?open|closed}."


class ZoneDoes(Clause):
    """Something that a zone does; `damage` is in HP."""

    what: str
    damage: int = 0
    measured: Reason = ""

    says = (
        "{what:damage={measured:?damage equal to {measured}|{damage} damage}"
        "|difficult=difficult|obscured=obscured|dark=completely obscured"
        "|light=light|wall=a wall|cover}"
    )


class ZoneAdded(Fact):
    """A zone appears (STR-TAC-21, 22); `who` is its maker."""

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
        """The effects of the zone, a clause for each."""
        words = {
            "damage": self.damage,
            "difficult": self.difficult,
            self.sight: self.sight,
            "wall": self.blocks,
            "cover": self.cover,
        }
        return [ZoneDoes(what, self.damage) for what, so in words.items() if so]


class ZoneRemoved(Fact):
    """A zone disappears."""

    zone: Zone

    event = "scene"
    says = "{zone} is gone."


class MeterSet(Fact):
    """The game master sets one of somebody's numbers.

    `meter` is the number's name. `sign` is printed before the number's old and new value.
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
        return self.number.before

    @property
    def after(self) -> int:
        return self.number.after


class SceneParked(Fact):
    """A scene is put aside, so that another can be played."""

    encounter: Encounter
    round: int = 0

    style = "title"
    event = "scene"
    says = "{encounter} is parked{round:? in round {round}|}."


class SceneResumed(Fact):
    """A parked scene goes on."""

    encounter: Encounter
    round: int = 0

    style = "title"
    event = "scene"
    says = "Back to {encounter}{round:?, round {round}|}."
