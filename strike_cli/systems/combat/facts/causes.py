"""What something in a fight comes of, and what makes a number more or less."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Named, Person, Reason, Zone

Power = Annotated[str, Named("powers")]
"""A power of the book, by its full id."""


class ByPower(Clause):
    """A cause: a power `of` somebody, whom the audience has to know."""

    power: Power
    of: Person = ""

    needs = ("of",)
    says = "{power}"


class OpportunityOf(Clause):
    """A cause: somebody's Opportunity (STR-TAC-08)."""

    who: Person

    says = "{who's} Opportunity"


class Because(Clause):
    """A cause with the reasons why it came to that: what gave damage a bonus, who stood in the way."""

    cause: Reason
    reasons: Sequence[Reason]

    says = "[{cause}][ ({reasons})]"


class GameMasterCause(Clause, kind="game-master"):
    """A cause: the game master."""

    says = "the game master"


class OfZone(Clause):
    """A cause: a zone."""

    zone: Zone

    says = "{zone}"


class AllOf(Clause):
    """A cause: several together."""

    causes: Sequence[Reason]

    says = "{causes:and}"


class ComebackRoll(Clause):
    """A cause: a Comeback Roll (STR-TAC-16)."""

    says = "the Comeback Roll"


class Adds(Clause):
    """Why a number is so much more, or less."""

    amount: int
    what: Reason

    says = "{amount:+} {what}"


class Halves(Clause):
    """Why a number is half of what it was."""

    what: Reason

    says = "half: {what}"


class Limits(Clause):
    """Why a number is no more than `most`."""

    most: int
    what: Reason

    says = "at most {most}: {what}"


class Prevents(Clause):
    """Why nothing of it is left."""

    what: Reason

    says = "prevented: {what}"
