"""What effects do, and what they come of."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Decision, Named, Person, Reason, Zone
from strike_cli.tabletop.facts import Status


class Standing(Clause):
    """Why damage has a bonus: what the target has, and how things stand (`steps.CONDITIONS`)."""

    status: Status = ""
    condition: str = ""

    says = (
        "{status}{both:? and }{condition:bloodied=Bloodied|self-bloodied=oneself Bloodied|flanked=flanked"
        "|adjacent=adjacent|hidden=Hidden|critical=critical|}"
    )

    @property
    def both(self) -> bool:
        """Whether both conditions hold."""
        return bool(self.status and self.condition)


class ComesToNothing(Clause):
    """Why a step of a power does nothing to somebody."""

    how: str
    who: Person = ""
    other: Person = ""
    status: Status = ""
    noun: bool = False

    says = (
        "{how:nobody=nobody is there for {who} to choose|has={who} {noun:?has|is} {status} already"
        "|most={who's} {status} goes no higher|lacks={who} {noun:?doesn't have|is not} {status}"
        "|full=no more can come"
        "|players=only players' characters get any, and {who} is not one|stays={who} was not summoned"
        "|alone=nobody is there to change places with {who}"
        "|end={who} has nothing that it could end|save={who} has nothing to save against"
        "|go={who} has nowhere to go|swap={who} and {other} can't change places|it comes to nothing}."
    )


class ShowsFace(Clause):
    """A die for somebody, of a power."""

    who: Person
    face: int

    says = "{who}: {face}."


class DieBecomes(Clause):
    """The die on the table is another."""

    before: int
    after: int

    says = "{before} becomes {after}."


class IsLeft(Clause):
    """How much is left of what was about to come: squares, or HP of damage."""

    amount: int
    in_squares: bool

    says = "{amount} {in_squares:?squares|damage} is left."


class Befalls(Clause):
    """What was about to come befalls somebody else."""

    who: Person

    says = "it happens to {who} instead."


class WhichAlly(Decision):
    """Whom of several a power is for."""

    who: Person
    power: Reason

    asks = "{who} uses {power}. For which ally?"


class WhereTo(Decision):
    """Where somebody goes by a power, if anywhere."""

    who: Person
    power: Reason

    asks = "{power}: where does {who} move?"
    options = {"stay": "{who} stays"}
    answers = "square"


class WhichOption(Decision):
    """Which of several things a power does to somebody."""

    who: Person
    power: Reason
    to: Person = ""

    unseen = ("to",)
    asks = "{who} uses {power}[ against {to}]. Which of these?"


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
