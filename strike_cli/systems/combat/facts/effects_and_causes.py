"""Effects of powers, and causes of effects."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import Clause, Decision, NamedId, Person, Reason, Zone
from strike_cli.tabletop.facts import Status


class Standing(Clause):
    """The reason for a damage bonus: a status of the target, a condition from `steps.CONDITIONS`, or both."""

    status: Status = ""
    condition: str = ""

    says = (
        "{status}{both:? and }{condition:bloodied=Bloodied|self-bloodied=oneself Bloodied|flanked=flanked"
        "|adjacent=adjacent|hidden=Hidden|critical=critical|}"
    )

    @property
    def both(self) -> bool:
        """Whether the damage bonus needs both a status of the target and a condition."""
        return bool(self.status and self.condition)


class ComesToNothing(Clause):
    """The reason why a step of a power has no effect on `who`.

    `how` is a word for the reason. `noun` says how a sentence names a status: "has Regeneration" if it is
    true, "is Prone" if it is false.
    """

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
    """The face of a die that a power rolls for a creature."""

    who: Person
    face: int

    says = "{who}: {face}."


class DieBecomes(Clause):
    """A change of the die of a roll that is still under way, from `before` to `after`."""

    before: int
    after: int

    says = "{before} becomes {after}."


class IsLeft(Clause):
    """The remaining amount of an effect, if the amount was reduced before the effect happened.

    It is in squares if `in_squares` is true, else in HP of damage.
    """

    amount: int
    in_squares: bool

    says = "{amount} {in_squares:?squares|damage} is left."


class Befalls(Clause):
    """An effect that is about to happen is redirected to `who`."""

    who: Person

    says = "it happens to {who} instead."


class WhichAlly(Decision):
    """The decision: for which ally does the creature `who` use a power?"""

    who: Person
    power: Reason

    asks = "{who} uses {power}. For which ally?"


class WhereTo(Decision):
    """The choice of the square to which `who` moves by a power; one option is not to move."""

    who: Person
    power: Reason

    asks = "{power}: where does {who} move?"
    options = {"stay": "{who} stays"}
    answers = "square"


class WhichOption(Decision):
    """The choice of one of several effects of a power. `to` is the affected creature, if there is one."""

    who: Person
    power: Reason
    to: Person = ""

    unseen = ("to",)
    asks = "{who} uses {power}[ against {to}]. Which of these?"


Power = Annotated[str, NamedId("powers")]
"""The full id of a power of the book."""


class ByPower(Clause):
    """A cause: a power of the creature `of`.

    An audience that doesn't know of this creature isn't shown the cause.
    """

    power: Power
    of: Person = ""

    needs = ("of",)
    says = "{power}"


class OpportunityOf(Clause):
    """A cause of damage: the Opportunity that `who` took (STR-TAC-08)."""

    who: Person

    says = "{who's} Opportunity"


class Because(Clause):
    """A cause, with the reasons that changed the amount, such as damage bonuses or a creature in the way."""

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
    """A cause that consists of several causes."""

    causes: Sequence[Reason]

    says = "{causes:and}"


class ComebackRoll(Clause):
    """A cause: a Comeback Roll (STR-TAC-16)."""

    says = "the Comeback Roll"


class Adds(Clause):
    """A reason why a number is higher by `amount`, or lower if `amount` is negative."""

    amount: int
    what: Reason

    says = "{amount:+} {what}"


class Halves(Clause):
    """A reason why a number is halved."""

    what: Reason

    says = "half: {what}"


class Limits(Clause):
    """A reason why a number is at most `most`."""

    most: int
    what: Reason

    says = "at most {most}: {what}"


class Prevents(Clause):
    """A reason why a number is reduced to 0."""

    what: Reason

    says = "prevented: {what}"
