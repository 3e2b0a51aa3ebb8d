"""What harm, attacks and powers tell in a fight, and ask. No rule is here."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Named, Person, Reason

Power = Annotated[str, Named("powers")]
"""A power of the book, by its full id."""
Status = Annotated[str, Named("statuses")]
"""A status of the book, by its full id."""
Creature = Annotated[str, Named("creatures")]
"""A creature of the book, by its full id."""


# What something comes of


class ByPower(Clause):
    """A cause: a power `of` somebody, of whom whoever is told it has to know."""

    power: Power
    of: Person = ""

    needs = ("of",)
    says = "{power}"


class OpportunityOf(Clause):
    """A cause: somebody's Opportunity (STR-TAC-08)."""

    who: Person

    says = "{who's} Opportunity"


class PassedOn(Clause):
    """A cause: what was meant for somebody else, and why it wasn't theirs."""

    cause: Reason
    reasons: Sequence[Reason]

    says = "[{cause}][ ({reasons})]"


# How long something lasts


class Lasting(Clause):
    """How long a status or a zone lasts, as it stands with whoever has it: until a turn `of` somebody, the
    `next` or the one under way; until a fact. `words` are those of a plugin's duration or moment, `after`
    what they have after whose turn it is."""

    ends: str
    of: Person = ""
    next: bool = False
    until: str = ""
    words: Reason = ""
    after: Reason = ""

    says = (
        "{ends:save=(save ends)|escape=(until it escapes)|encounter=(this fight)|permanent="
        "|turn-start=until the start of {of's} next turn"
        "|turn-end=until the end of {of's} {next:?next turn|turn}"
        "|until={until:damaged=(until hurt)|attacks=(until it attacks)|attacked=(until attacked)"
        "|moved=(until moved)|apart=(while near)|giver-down=(while the giver stands)|[({words})]}"
        "|[({words}{of:?{of's} turn}{after})]}"
    )


class StatusIs(Clause):
    """A status with its number, who gave it and how long it lasts, as far as there is any."""

    status: Status
    value: int | None = None
    by: Person = ""
    lasts: Lasting | None = None

    says = "{status}[ {value}][ by {by}][ {lasts}]"
