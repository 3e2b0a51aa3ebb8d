"""What is told and asked of an Effect, and why nothing comes of it; `steps` has what its steps come to."""

from strike_cli.kernel.statements import Clause, Decision, Person, Reason
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
        """Whether it is both."""
        return bool(self.status and self.condition)


class ComesToNothing(Clause):
    """Why a step of a power does nothing to somebody."""

    how: str
    who: Person = ""
    other: Person = ""
    status: Status = ""
    noun: bool = False

    says = (
        "{how:nobody=nobody is there whom {who} could choose|has={who} {noun:?has|is} {status} already"
        "|most={who's} {status} goes no higher|lacks={who} {noun:?doesn't have|is not} {status}"
        "|full=no more can come"
        "|players={who} is no player's, and gets none|stays={who} was not summoned"
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

    says = "it befalls {who}."


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
