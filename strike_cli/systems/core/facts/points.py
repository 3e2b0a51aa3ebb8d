"""Action Points: what earns them, and what they buy."""

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Words

from .field_types import Fallback, Player, Trick, UsedAsComplication

WAYS = {
    "tie": "the tie goes to the other side, as a narrow win",
    "twist": "a Twist in place of a roll; the game master tells it",
    "trouble": "trouble where no roll was called for",
    "concede": "the reason why the party concedes a Team Conflict",
}
"""How a Complication earns an Action Point (STR-CORE-24), and what follows."""
WAY = "|".join(f"{way}={words}" for way, words in WAYS.items())


class TheTrick(Clause):
    """A reason: a Trick."""

    trick: Trick

    says = "the Trick '{trick}'"


class TheComplication(Clause):
    """A reason: what was used as a Complication, a Condition of theirs, say."""

    used: UsedAsComplication
    of: str

    says = "the {of:complication=Complication|condition=Condition|flaw=Flaw|favor=Favor} '{used}'"


class AwesomePointOf(Clause):
    """A reason: a player's Awesome Point."""

    player: Player

    says = "{player's} Awesome Point"


class TrickUsed(Fact):
    """A Success with a Bonus for an Action Point (STR-CORE-22)."""

    who: Person
    trick: Trick

    section = "Rolls"
    event = "roll"
    tone = "good"
    headline = "{trick}"
    says = "{who}: {trick}. Success with a Bonus, no roll."


class ComplicationUsed(Fact):
    """A Complication, or a Cost used as one, makes trouble and earns an Action Point (STR-CORE-24)."""

    who: Person
    complication: UsedAsComplication
    how: str
    sort: str = "complication"
    earns: bool = False

    section = "Rolls"
    event = "cost"
    tone = "bad"
    headline = "{complication}"
    says = (
        "{who} uses '{complication}'{sort:condition= (Condition)|flaw= (Flaw)|favor= (Favor)|}: "
        "{how:" + WAY + "}.{earns:? A new Complication is earned.}"
    )


class FallbackUsed(Fact):
    """A Twist becomes a Success, once a session; its Costs stay (STR-CORE-31)."""

    who: Person
    fallback: Fallback
    how: Words
    costs: int = 0

    section = "Rolls"
    event = "roll"
    tone = "good"
    headline = "Success after all"
    says = (
        "{who} falls back on {fallback}[: {how}]. "
        "The Twist{costs:? with a Cost} becomes a Success{costs:? with a Cost}."
    )


class ApLost(Fact):
    """Action Points above what may be carried over are gone (STR-CORE-21)."""

    who: Person
    kept: int
    had: int

    section = "Action Points"
    says = "{who} carries {kept} Action Points over, of {had}."


class AwesomeGiven(Fact):
    """The player of somebody gives another's character the Awesome Point of the session (STR-CORE-21)."""

    who: Person
    to: Person
    player: Player
    why: Words

    section = "Action Points"
    event = "gain"
    tone = "good"
    headline = "An Awesome Point for {to}"
    says = "{player} gives {to} the Awesome Point: {why}."


class FallBackOn(Decision):
    """Whether a Fallback turns a Twist (STR-CORE-31)."""

    who: Person
    skill: Clause | None
    fallback: Fallback
    costs: int = 0

    asks = (
        "{who's} {skill:?{skill}|roll} came to a Twist{costs:? with a Cost}. "
        "Fall back on {fallback}, once a session?"
    )
    options = {
        "keep": "the Twist stands",
        "use": "it is a Success after all{costs:?, and the Cost stays}",
    }
