"""Powers that are used, and come back."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Words

from .causes import Power


class PowerTold(Fact):
    """Somebody uses a power that isn't rolled, on others than themselves or on nobody."""

    who: Person
    power: Power
    on: Sequence[Person] = ()

    headline = "{power}"
    says = "{who} uses {power}[ on {on:list}]."


class PowerUsed(Fact):
    """A use of a power is spent."""

    who: Person


class PowerRegained(Fact):
    """Somebody may use a power once more that they had used."""

    who: Person
    power: Power

    event = "gain"
    tone = "good"
    headline = "{power} again"
    says = "{who} may use {power} again."


class Noted(Fact):
    """Something to be known at the table that has no other effect by the rules: `what`, in words.

    A note of a `power` has its name before it.
    """

    who: Person
    what: Reason
    power: Reason = ""

    says = "[{power}: ]{what}"


class NoEffect(Clause):
    """A power's Effect doesn't happen: nobody can explain it (STR-TAC-26)."""

    power: Reason
    why: Words

    says = "[{power} has ]no Effect[: {why}]."


class WillUse(Clause):
    """Somebody is about to use a power."""

    who: Person
    power: Reason

    says = "{who} uses {power}"


class AnswerWith(Decision):
    """Whether to answer what is about to come, or has just come, with a power."""

    who: Person
    power: Reason
    against: Person
    coming: Reason

    unseen = ("against",)
    asks = "[{coming}. ]Does {who} use {power}[ against {against}]?"
    options = {"use": "{who} uses {power}", "pass": "let it pass"}


class RegainWhich(Decision):
    """Which spent power somebody may use again."""

    who: Person

    asks = "Which power does {who} regain?"
