"""Where somebody goes, and what it costs."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Square, Zone


class WillMove(Clause):
    """Somebody is about to move to a square."""

    who: Person
    to: Square

    says = "{who} moves[ to {to}]"


class Moved(Fact):
    """Somebody has moved `how`: they "move", "shift" or "charge"; or they get no further.

    The squares of start and end are None for somebody who is out of the fight by then.
    """

    who: Person
    how: str = "move"
    start: Square | None = None
    to: Square | None = None

    event = "move"
    says = "{who} {stuck:?gets no further|{how:shift=shifts|charge=charges|moves}[ from {start}][ to {to}]}."

    @property
    def stuck(self) -> bool:
        """Whether they got no further."""
        return self.to is None or self.to == self.start


class Stayed(Fact):
    """Somebody would rather stay than pay what a way costs, or hold back than attack: then `at` is ""."""

    who: Person
    at: Square = ""

    says = "{who} {held_back:?holds back|stays[ on {at}]}."

    @property
    def held_back(self) -> bool:
        """Whether it was an attack."""
        return not self.at


class Stepped(Fact):
    """Somebody has come to stand on another square."""

    who: Person


class Swapped(Fact):
    """Two change places."""

    who: Person
    other: Person

    event = "move"
    unseen = ("who", "other")
    says = "{who} and {other} change places."


class Shifting(Fact):
    """Somebody is about to shift by an effect."""

    who: Person


class GoesBy(Clause):
    """What somebody is about to do: go these squares."""

    squares: Sequence[Square]

    says = "goes by {squares}"


class ThroughZone(Clause):
    """What a way costs: a zone that hurts."""

    zone: Zone
    damage: int

    says = "through {zone} ({damage} damage)"


class GoOrStay(Decision):
    """Whether somebody means what they are about to do, at this price."""

    who: Person
    doing: Reason
    prices: Sequence[Reason]

    asks = "{who} {doing}, {prices}. Go on?"
    options = {"go": "go on, {prices}", "stay": "do something else"}
