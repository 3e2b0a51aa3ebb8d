"""Facts of fights about zones and summons."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import BookWords, Clause, Decision, Fact, Named, Person, Square, Words, Zone
from strike_cli.tabletop.facts import Status
from strike_cli.tabletop.gm_override_facts import ZoneDoes
from strike_cli.tabletop.squares import Area

from .statuses import Lasting
from .steps import Measured


class ZoneIs(Clause):
    """A summary of a step: a zone, its effects, its spread around a creature, and its duration."""

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
    """A zone covers other squares: more of them if it has `grown`.

    The movement of a zone with its creature isn't reported.
    """

    who: Person
    zone: Zone
    squares: Area = ()
    grown: bool = False

    event = "move"
    says = says_unseen = "{along:?|{zone} {grown:?takes in|moves to}[ {squares}].}"

    @property
    def along(self) -> bool:
        """Whether the zone moves with a creature."""
        return not self.squares


class ZoneLasts(Fact):
    """A zone stays beyond this turn."""

    who: Person


class InZone(Fact):
    """A creature and a zone, with the zone's status."""

    who: Person
    zone: Zone
    status: Status


class ZoneEntered(InZone):
    """Somebody has come into a zone."""


class ZoneLeft(InZone):
    """Somebody has left a zone."""


class ZoneEnding(InZone):
    """A zone ends while somebody stands in it."""


class ZoneStruck(Fact):
    """A zone hurts somebody, and can't hurt them again in this round (STR-TAC-21)."""

    who: Person
    zone: Zone


class DrawZone(Decision):
    """The choice of the next square of a zone that is drawn square by square; `name` is its name."""

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
    """An option: a zone moves onto somebody, or onto nobody."""

    people: Sequence[Person]

    says = "[onto {people}]"


class ZoneStays(Clause):
    """An option: a zone stays where it is."""

    says = "it stays where it is"


class ZoneDrifts(Clause):
    """The purpose of a die: the direction in which a zone drifts."""

    zone: Zone

    says = "which way {zone} goes"


Creature = Annotated[str, Named("creatures")]
"""A creature of the book, by its full id."""


class NoRoomFor(Clause):
    """A summon or a zone of a power has no effect, since no square is free for it."""

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
    """A summon stays beyond this turn."""

    who: Person


class SummonIs(Clause):
    """A summary of a step: summoned creatures, and how long they stay."""

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
