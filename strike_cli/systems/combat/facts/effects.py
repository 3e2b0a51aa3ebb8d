"""What an Effect comes to, in few words; what is asked about it, and why nothing comes of it."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import NESTED, BookWords, Clause, Decision, Listed, Person, Reason
from strike_cli.tabletop.facts import Status

from .statuses import StatusIs


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

    says = (
        "{how:nobody=nobody is there whom {who} could choose|has={who} is {status} already"
        "|most={who's} {status} goes no higher|lacks={who} is not {status}|full=no more can come"
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


class StepIs(Clause):
    """A step of a power in few words, for whoever decides about it: whom it is for, where that isn't the
    target, what it does, and on what condition. `words` say one that has no words here."""

    do: str
    whom: str = "target"
    amount: int = 0
    status: StatusIs | None = None
    ends: Status = ""
    words: Reason = ""

    says = (
        "{whom:self=oneself: |ally=an ally: |allies=allies: |enemies=enemies: |around=all: |}"
        "{do:apply={status}|damage={amount} more damage|heal=heals {amount}|push=pushed {amount}"
        "|pull=pulled {amount}|slide=slid {amount}|shift=shifts {amount}|teleport=teleported {amount}"
        "|swap=changes places|end=ends {ends:?{ends}|a harmful status}|save=a Saving Throw at once"
        "|token={amount:a Miss Token|{amount} Miss Tokens}|strike={amount:a Strike|{amount} Strikes}"
        "|ap={amount:an Action Point|{amount} Action Points}|regain=an Encounter power again|{words}}"
    )


class OptionIs(Clause):
    """One of several things that a power may do, by its name, and what it comes to."""

    name: Reason
    comes_to: Sequence[Reason] = ()

    says = "{name}[: {comes_to}]"


class OneOfSteps(Clause, kind="one-of"):
    """One of several lists of steps, as somebody will say."""

    options: Sequence[OptionIs]

    says = "one of {options:or}"


class FaceIs(Clause):
    """What comes of some faces of a die."""

    faces: BookWords
    steps: Sequence[Reason]

    says = "{faces}: {steps:?{steps}|nothing}"


class DieEach(Clause):
    """A die for each, and what comes of its face."""

    faces: Annotated[Sequence[FaceIs], Listed(NESTED, "; ")]

    says = "a die each ({faces})"


class TimesOver(Clause):
    """Steps that are done several times."""

    times: int
    steps: Sequence[Reason]

    says = "{times} times: {steps}"


class WhichAlly(Decision):
    """Whom of several a power is for."""

    who: Person
    power: Reason

    asks = "{power}: which ally?"


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
    asks = "{power}[ against {to}]: which?"
