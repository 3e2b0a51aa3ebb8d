"""Facts of fights about zones and summons."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    BookWords,
    Clause,
    Decision,
    Fact,
    NamedId,
    Person,
    Square,
    Words,
    Zone,
)
from strike_cli.tabletop.facts import Status
from strike_cli.tabletop.scene_change_facts import ZoneDoes
from strike_cli.tabletop.squares_and_lines import Area

from .statuses import Lasting
from .step_descriptions import Measured


class ZoneIs(Clause):
    """A description of a step that makes a zone.

    `does` are the zone's effects, and `spread` its radius in squares around a creature. `along` is true if
    the zone moves with that creature.
    """

    name: BookWords
    does: Sequence[ZoneDoes]
    status: Status = ""
    spread: int = 0
    along: bool = False
    lasts: Lasting | None = None

    says = (
        "a zone, {name}{spread:?, within {spread}|}[ ({does})][: {status}]{along:?, that moves along|}"
        "[ {lasts}]"
    )


class ZoneMoved(Fact):
    """A zone now covers other squares; `grown` is true if it has become larger.

    If the zone only moved along with its creature, `squares` is empty, and nothing is reported.
    """

    who: Person
    zone: Zone
    squares: Area = ()
    grown: bool = False

    event = "move"
    says = says_unseen = "{along:?|{zone} {grown:?takes in|moves to}[ {squares}].}"

    @property
    def along(self) -> bool:
        """Whether the zone moved along with a creature."""
        return not self.squares


class ZoneLasts(Fact):
    """A zone doesn't end yet: it stays until its maker's next turn.

    The maker (`who`) made the zone during the turn that would otherwise have ended it.
    """

    who: Person


class InZone(Fact):
    """An event of a creature and a zone that gives a status, such as entering the zone."""

    who: Person
    zone: Zone
    status: Status


class ZoneEntered(InZone):
    """A creature has entered a zone."""


class ZoneLeft(InZone):
    """A creature has left a zone."""


class ZoneEnding(InZone):
    """A zone is about to end while a creature stands in it."""


class ZoneStruck(Fact):
    """A zone damages a creature, and can't damage it again in this round (STR-TAC-21)."""

    who: Person
    zone: Zone


class DrawZone(Decision):
    """The choice of the next square of a zone that is drawn square by square.

    `number` is the square's number, and `most` how many squares the zone may have. `name` is the zone's name.
    """

    who: Person
    name: Words
    number: int
    most: int

    asks = "{who} draws {name}, square {number} of {most} at most. Which is it?"
    options = {"enough": "it ends here"}
    answers = "square"


class MoveZone(Decision):
    """The choice of the direction in which a zone moves."""

    who: Person
    zone: Zone
    squares: int

    asks = "{who} moves {zone} {squares} {squares:square|squares}. Which way?"


class Onto(Clause):
    """An option: the zone moves onto the creatures in `people`.

    `people` is empty if the zone would move onto nobody.
    """

    people: Sequence[Person]

    says = "[onto {people}]"


class ZoneStays(Clause):
    """An option: a zone stays where it is."""

    says = "it stays where it is"


class ZoneDrifts(Clause):
    """The purpose of a die roll: the direction in which a zone drifts."""

    zone: Zone

    says = "which way {zone} goes"


Creature = Annotated[str, NamedId("creatures")]
"""The full id of a creature of the book."""


class NoRoomFor(Clause):
    """The reason why a power makes no summoned creature or zone: no square is free for it."""

    what: BookWords
    of: Person

    needs = ("of",)
    says = "There is no room for {what}."


class Summoned(Fact):
    """A summoned creature appears."""

    who: Person
    by: Person
    at: Square

    event = "scene"
    headline = "{who} appears"
    says = "{who} comes[ to {at}][, called by {by}]."


class SummonLasts(Fact):
    """A summoned creature isn't dismissed at this turn of its summoner, and stays until the next one."""

    who: Person


class SummonIs(Clause):
    """The description of a step that summons creatures: which, how many, and for how long."""

    creature: Creature
    count: int
    lasts: Lasting | None = None
    measured: Measured | None = None

    says = "calls {measured:?{measured} x {creature}|{count:{creature}|{count} x {creature}}}[ {lasts}]"


class SummonAt(Decision):
    """The choice of the square where a summoned creature appears."""

    who: Person
    creature: Creature

    asks = "{who} calls {creature}. Where does it appear?"
    answers = "square"
