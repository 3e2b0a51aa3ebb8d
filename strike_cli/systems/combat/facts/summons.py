"""Creatures that somebody calls."""

from typing import Annotated

from strike_cli.kernel.statements import BookWords, Clause, Decision, Fact, Named, Person, Square

from .statuses import Lasting
from .steps import Measured

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
