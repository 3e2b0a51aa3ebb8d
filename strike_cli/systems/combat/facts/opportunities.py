"""Opportunities, and what gives them."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Square


class OpportunityTaken(Fact):
    """Somebody takes an Opportunity that the `target` gives (STR-TAC-08)."""

    who: Person
    target: Person
    why: Reason

    style = "warn"
    event = "hit"
    headline = "An Opportunity"
    unseen = ("who", "target")
    says = "{target} gives {who} an Opportunity[ by {why}]."


class Leaving(Clause):
    """By leaving a square."""

    square: Square

    says = "leaving {square}"


class AttackingBeside(Clause):
    """By an attack at range next to the one who gets it."""

    says = "making a ranged attack next to it"


class DoingWhile(Clause):
    """By what somebody does while they have something; `words` for it are a plugin's."""

    act: str
    status: Reason
    words: Reason = ""

    says = (
        "{act:gaining=becoming {status}|{act:shifting=shifting|attacking=attacking|being=being|{words}} "
        "while {status}}"
    )


class TakeOpportunity(Decision):
    """Whether to take an Opportunity (STR-TAC-08)."""

    who: Person
    target: Person
    damage: int
    why: Reason

    asks = "{target} gives {who} an Opportunity[ by {why}]: strike for {damage} damage?"
    options = {"take": "{who} strikes at {target} for {damage} damage", "pass": "let it pass"}


class OpportunityFrom(Clause):
    """Somebody's Opportunity, and the HP that it would take."""

    who: Person
    damage: int

    says = "{who} ({damage} damage)"


class GivingOpportunities(Clause):
    """A price: Opportunities that are given."""

    to: Sequence[OpportunityFrom]

    says = "giving {to:an Opportunity|Opportunities} to {to}"
