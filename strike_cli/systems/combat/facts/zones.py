"""What fights say of zones and summons."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import BookWords, Clause, Decision, Fact, Named, Person, Square, Words, Zone
from strike_cli.tabletop.facts import Status
from strike_cli.tabletop.gm_override_facts import ZoneDoes
from strike_cli.tabletop.squares import Area

from .statuses import Lasting
from .steps import Measured


class ZoneIs(Clause):
    """A step in few words: a zone, its effects, how far it reaches around somebody, and how long it lasts."""

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
    """A zone takes in other squares: more of them where it has `grown`.

    A zone that goes along with somebody has no words.
    """

    who: Person
    zone: Zone
    squares: Area = ()
    grown: bool = False

    event = "move"
    says = says_unseen = "{along:?|{zone} {grown:?takes in|moves to}[ {squares}].}"

    @property
    def along(self) -> bool:
        """Whether it goes along with somebody."""
        return not self.squares


class ZoneLasts(Fact):
    """A zone stays beyond this turn."""

    who: Person


class InZone(Fact):
    """Somebody and a zone, and what status it has."""

    who: Person
    zone: Zone
    status: Status


class ZoneEntered(InZone):
    """Somebody has come into a zone."""


class ZoneLeft(InZone):
    """Somebody has left a zone."""


class ZoneEnding(InZone):
    """A zone ends that somebody stands in."""


class ZoneStruck(Fact):
    """A zone hurts somebody, who is then not hurt by it again in this round (STR-TAC-21)."""

    who: Person
    zone: Zone


class DrawZone(Decision):
    """The next square of a zone that is drawn one by one; `name` is what it is called."""

    who: Person
    name: Words
    number: int
    most: int

    asks = "{who} draws {name}, square {number} of {most} at most. Which is it?"
    options = {"enough": "it ends here"}
    answers = "square"


class MoveZone(Decision):
    """Which way a zone moves."""

    who: Person
    zone: Zone
    squares: int

    asks = "{who} moves {zone} {squares} {squares:square|squares}. Which way?"


class Onto(Clause):
    """An option: a zone comes onto somebody, or nobody."""

    people: Sequence[Person]

    says = "[onto {people}]"


class ZoneStays(Clause):
    """An option: a zone stays where it is."""

    says = "it stays where it is"


class ZoneDrifts(Clause):
    """What a die is for: which way a zone goes."""

    zone: Zone

    says = "which way {zone} goes"


Creature = Annotated[str, Named("creatures")]
"""A creature of the book, by its full id."""


class NoRoomFor(Clause):
    """Nothing comes of a summon or a zone, by somebody's power: there is no square for it."""

    what: BookWords
    of: Person

    needs = ("of",)
    says = "There is no room for {what}."


class Summoned(Fact):
    """A creature comes that somebody has called."""

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
    """A step in few words: creatures that are called, and how long they stay."""

    creature: Creature
    count: int
    lasts: Lasting | None = None
    measured: Measured | None = None

    says = "calls {measured:?{measured} x {creature}|{count:{creature}|{count} x {creature}}}[ {lasts}]"


class SummonAt(Decision):
    """Where a creature appears that somebody calls."""

    who: Person
    creature: Creature

    asks = "{who} calls {creature}. Where does it appear?"
    answers = "square"
