"""Powers that are used so many times."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Fact, Person

from .sorts import Power


class ChargeSpent(Fact):
    """A charge of a power is spent; so many of `most` are `left`."""

    who: Person
    charge: Power
    left: int
    most: int

    says = "{who} has {left} of {most} charges of {charge} left."


class ChargesRegained(Fact):
    """A rest has brought back all charges of these powers."""

    who: Person
    charges: Sequence[Power]

    event = "gain"
    tone = "good"
    says = "{who} has all charges back."
