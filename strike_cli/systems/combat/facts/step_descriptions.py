"""Clauses that describe the steps of powers, for questions: what each step would do now."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import NESTED, BookWords, Clause, MarkedList, Person, Reason, field_type
from strike_cli.tabletop.facts import Status

from .effects_and_causes import Power
from .statuses import Lasting, StatusIs

NEAR = "{within:? within {within}[ of {middle}]|}{nobody:? (nobody now)|[ ({among})]}"
"""Template of the distance within which creatures are affected, and of the creatures that are."""
MUCH = "{counted:?a number of squares equal to {measured}|{much}}{chosen:?, square by square|}"
"""Template of the distance that a creature is moved."""


class Measured(Clause):
    """An amount that is only known during the fight, such as dice or the number of a status.

    `of` is the measure, one of `steps.AMOUNTS`; `words` are the words for a plugin's measure. The measure is
    multiplied by `times` and divided by `share`. Then `half` halves it and rounds it up or down. Then `plus`
    is added. `least` and `most` limit the result.
    """

    of: str = ""
    words: Reason = ""
    status: Status = ""
    dice: int = 1
    die: int = 0
    times: int = 1
    share: int = 1
    half: str = ""
    plus: int = 0
    least: int | None = None
    most: int | None = None

    says = (
        "{half:?half |}{several:?{times} times |}{part:?1/{share} of |}"
        "{die:?{dice}d{die}|{status:?the number of {status}|{words:?{words}|{of:dealt=the damage dealt"
        "|this=this damage|value=its number|missing=the missing HP|round=the number of the round"
        "|strikes=one's Strikes|tokens=one's Miss Tokens|targets=the number of targets"
        "|enemies-adjacent=the number of adjacent enemies|allies-adjacent=the number of adjacent allies"
        "|max-hp=one's most HP|speed=one's Speed|one's melee damage}}}}"
        "{half:?, rounded {half:up=up|down}|}{raised:? + {plus}|}{lowered:? - {lowered}|}"
        "[, at least {least}][, at most {most}]"
    )

    @property
    def several(self) -> bool:
        """Whether the measure is multiplied by more than 1."""
        return self.times > 1

    @property
    def part(self) -> bool:
        """Whether the amount is a fraction of the measure: `share`, the divisor, is more than 1."""
        return self.share > 1

    @property
    def raised(self) -> bool:
        """Whether something is added to the measure."""
        return self.plus > 0

    @property
    def lowered(self) -> int:
        """The number that is subtracted from the amount at the end; 0 if nothing is subtracted."""
        return max(-self.plus, 0)


class Unmet(Clause):
    """The reason why a step would have no effect now.

    Usually `condition` is the condition from `steps.CONDITIONS` that isn't met. But a step may have a limit,
    such as once a turn. If such a step has already happened, `condition` is the period of the limit: turn,
    round or fight.
    """

    condition: str
    who: Person = ""
    target: Person = ""

    unseen = ("who", "target")
    says = (
        "{condition:bloodied={target} is not Bloodied|self-bloodied={who} is not Bloodied"
        "|flanked={target} is not flanked|adjacent={target} is not adjacent"
        "|hidden={who} was not Hidden|critical=it is no critical hit"
        "|turn=it was done in this turn|round=it was done in this round|it was done in this fight}"
    )


class StepIs(Clause):
    """A description of one step of a power.

    - `do`: the kind of step.
    - `whom`: the creatures that the step affects, such as "target", "ally" or "enemies".
    - `who`: the id of a creature that the description names; "" if it names none.
    - `within`: the greatest distance of the affected creatures, in squares; 0 if distance doesn't matter.
    - `middle`: the creature from which this distance is measured; "" for the power's user.
    - `among`: the creatures within this distance now that the step would affect.
    - `words`: the words for the effect, in place of the usual ones.
    - `unmet`: the reason why the step would have no effect now.
    - `noun`: true for "has Regeneration", false for "is Prone".
    """

    do: str
    whom: str = "target"
    amount: int = 0
    status: StatusIs | None = None
    ends: Status = ""
    words: Reason = ""
    who: Person = ""
    within: int = 0
    middle: Person = ""
    among: Sequence[Person] = ()
    measured: Measured | None = None
    chosen: bool = False
    half: str = ""
    unmet: Unmet | None = None
    if_status: Status = ""
    once: str = ""
    noun: bool = False

    unseen = ("who", "middle")
    says = (
        "{unmet:?nothing, as {unmet}|"
        f"{{whom:ally=an ally{NEAR}|allies=each ally{NEAR}|enemies=each enemy{NEAR}"
        f"|around=everybody else{NEAR}|inside=everybody in it|summons=each of {{who's}} summons"
        "|self={named:?{who}|oneself}|person={who}|}{does:? |{others:?: |}}{others:?{does:?"
        "{do:apply={noun:?has|is} {status}[ {measured}]"
        "|damage=takes {counted:?damage equal to {measured}|{much} damage}"
        "|heal=regains {counted:?HP equal to {measured}|{much} HP}"
        f"|push=is pushed {MUCH}|pull=is pulled {MUCH}|slide=is slid {MUCH}|shift=shifts {MUCH}"
        f"|teleport=is teleported {MUCH}"
        "|swap={words:?{words}|changes places}"
        "|end=loses {ends:?{ends}|a harmful status}|save=makes a Saving Throw at once"
        "|token=gains {one:?a Miss Token|{much} Miss Tokens}|strike=takes {one:?a Strike|{much} Strikes}"
        "|ap=gains {one:?an Action Point|{much} Action Points}|regain=may use an Encounter power again"
        "|dismiss=is gone|opportunity=gives an Opportunity[ against {middle}]|{words}}|{words}}|"
        "{do:apply={status}[ {measured}]"
        "|damage={counted:?damage equal to {measured}|{much} damage}"
        "|heal=regains {counted:?HP equal to {measured}|{much} HP}"
        f"|push=pushed {MUCH}|pull=pulled {MUCH}|slide=slid {MUCH}|shift=shifts {MUCH}"
        f"|teleport=teleported {MUCH}"
        "|swap={words:?{words}|changes places}"
        "|end=loses {ends:?{ends}|a harmful status}|save=a Saving Throw at once"
        "|token={one:?a Miss Token|{much} Miss Tokens}|strike={one:?a Strike|{much} Strikes}"
        "|ap={one:?an Action Point|{much} Action Points}|regain=an Encounter power again"
        "|reduce={much} less|halve=half of it, rounded {half:up=up|down}|prevent=it doesn't happen"
        "|redirect=it befalls {who} instead|reroll=the die is rolled again|dismiss=is gone"
        "|opportunity=an Opportunity[ against {middle}]|{words}}}"
        "[, if {if_status}]{once:?{once:turn=, once a turn|round=, once a round|, once a fight}|}}"
    )

    @property
    def others(self) -> bool:
        """Whether the step affects creatures other than the target.

        If it does, the description says which creatures, such as "each ally".
        """
        return self.whom != "target"

    @property
    def does(self) -> bool:
        """Whether the step is described by a sentence about other creatures, as in "each ally regains 2 HP".

        It is False for a step that affects the target. It is also False for most steps whose effect has words
        of its own (`words`): the text then puts these words after "each ally: ".
        """
        return self.others and not (self.words and not isinstance(self.words, AttackIs | MoveIs | SwapIs))

    @property
    def nobody(self) -> bool:
        """Whether the step affects creatures within a distance, but no creature is near enough now."""
        return bool(self.within and not self.among)

    @property
    def is_short(self) -> bool:
        """Whether the description consists only of the effect on the target."""
        more = (self.words, self.measured, self.chosen, self.unmet, self.if_status, self.once)
        return self.whom == "target" and not any(more) and not (self.status and self.status.lasts)

    @property
    def named(self) -> bool:
        """Whether the description names the creature that is affected."""
        return bool(self.who)

    @property
    def much(self) -> Reason:
        """The amount, as a measure or a number."""
        return self.measured or str(self.amount)

    @property
    def one(self) -> bool:
        """Whether the amount is the number 1."""
        return not self.measured and self.amount == 1

    @property
    def counted(self) -> bool:
        """Whether the amount is a measure other than dice, such as a status's number."""
        return bool(self.measured and not self.measured.die)


class StepsAre(Clause):
    """Several steps in order.

    If each step is described only by its effect on the target, commas and "and" join them; otherwise
    semicolons join them.
    """

    steps: Sequence[Reason]

    says = "{short:?{steps:and}|{each}}"

    @property
    def short(self) -> bool:
        """Whether the description of each step consists only of the effect on the target."""
        return all(isinstance(step, StepIs) and step.is_short for step in self.steps)

    @property
    def each(self) -> Annotated[Sequence[Reason], MarkedList(field_type(Reason), "; ")]:
        """The same steps as in `steps`, marked so that the text joins them with semicolons."""
        return self.steps


class AttackIs(Clause):
    """A step: a creature may attack at once.

    The attack uses `power`, if given. Otherwise it uses any power (`any`) or a basic attack. `near` is the
    greatest distance in squares from `target`, 0 for no limit.
    """

    power: Power = ""
    any: bool = False
    range: str = ""
    at: str = ""
    near: int = 0
    target: Person = ""

    unseen = ("target",)
    says = (
        "{power:?attacks with {power}|{any:?makes any attack|makes a basic attack}}"
        "{range:melee= in melee|ranged= at range|}"
        "{at:target=[ against {target}]|other= against somebody else|}{near:? within {near}[ of {target}]|}"
    )


class MoveIs(Clause):
    """A step: a creature may move up to `squares` squares, or up to its Speed if `squares` is empty."""

    squares: Reason = ""

    says = "moves up to {squares:?{squares}|their Speed}"


class SwapIs(Clause):
    """A step: a creature changes places with `other`, or with the power's next target if `other` is empty."""

    other: Person = ""

    unseen = ("other",)
    says = "changes places with {next:?the next target|{other}}"

    @property
    def next(self) -> bool:
        """Whether the creature changes places with the power's next target, because `other` is empty."""
        return not self.other


class ZoneChanges(Clause):
    """A step: a zone moves, grows or ends.

    `name` is the zone's name. It is "" if the step belongs to the zone itself.
    """

    do: str
    name: BookWords = ""
    squares: Reason = ""
    way: str = ""

    says = (
        "{name:?{name}|the zone} {do:move-zone=moves {squares}"
        "{way:away= away|nearer= nearer|random= at random|}|grow-zone=grows by {squares}|ends}"
    )


class NumberChanges(Clause):
    """A step: the number of a status goes up or down."""

    status: Status
    down: bool
    by: Reason
    most: int | None = None
    lasts: Lasting | None = None

    says = "{status} {down:?-|+}{by}[, {most} at most][ {lasts}]"


class OptionIs(Clause):
    """One of several options of a power: its name, and the effects that it has (`comes_to`)."""

    name: Reason
    comes_to: Sequence[Reason] = ()

    says = "{name}[ ({comes_to:and})]"


class OneOfSteps(Clause, kind="one-of"):
    """A step: one of several lists of steps, by choice."""

    options: Sequence[OptionIs]

    says = "a choice of {options:or}"


class FaceIs(Clause):
    """The steps that happen on certain faces of a die, such as `3-4`."""

    faces: BookWords
    steps: Sequence[Reason]

    says = "on {faces} {steps:?{steps:and}|nothing}"


class DieEach(Clause):
    """A step: a die is rolled for each creature.

    With `control`, the creature has lost control, and the die decides what it does.
    """

    faces: Annotated[Sequence[FaceIs], MarkedList(NESTED, "; ")]
    control: bool = False

    says = "a die{control:? of control|} ({faces})"


class TimesOver(Clause):
    """Steps that are repeated `times` times, or as often as `measured` says."""

    times: int
    steps: Sequence[Reason]
    measured: Measured | None = None

    says = "{measured:?{measured}|{times}} times: {steps:and}"
