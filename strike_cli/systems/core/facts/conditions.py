"""Facts about Conditions and their recovery, and about charges that a rest restores."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Fact, Person, Reason, Shown
from strike_cli.tabletop.facts import Condition

from .rolls import DiceRolled, Power

SEVERITIES = ("minor", "major", "wealth")
"""The severities of Conditions that the rules know (STR-CORE-12, 29)."""
HAS_OR_IS = "{noun:?has|{doubts:?has|is}}"
"""The verb between a person and a Condition: "has" for a noun like Marsh Cough, "is" for Winded."""
ABOUT_AND_WHY = "[ about {about}][ ({why})]."


class RecoveryRolled(DiceRolled, variant="recovery"):
    """A die roll for the recovery from a Condition (STR-CORE-13).

    `comes_to` is "ends", "worsens" or "stays".
    """

    condition: Condition
    comes_to: str

    headline = "{condition} {comes_to:ends=ends|worsens=gets worse|stays}"
    says = "{who} recovers from {condition}: {roll}, it {comes_to:ends=ends|worsens=gets worse|stays}."

    def shown(self) -> Shown:
        return Shown("save" if self.comes_to == "ends" else "roll", _TONES.get(self.comes_to, ""))


_TONES = {"ends": "good", "worsens": "bad"}


class ConditionGained(Fact):
    """A person gains a Condition (STR-CORE-12, 13).

    `how` says in what way:

    - "escalated": the person already has `before` as often as the rules allow. Instead of the `count`th
      instance of `before`, the person gains this Condition.
    - "became": the Condition `before` has turned into this Condition.
    - "held": the person already has the Condition, and now doubts more Skills.
    - "": the plain case. `count` is the number of instances that the person has now.
    """

    who: Person
    condition: Condition
    count: int = 1
    about: Sequence[Clause] = ()
    why: Reason = ""
    how: str = ""
    before: Condition = ""
    doubts: bool = False
    noun: bool = False

    section = "Conditions"
    style = "warn"
    event = "status"
    tone = "bad"
    headline = "{before:?{who}: {condition}|{who} " + HAS_OR_IS + " {condition}}"
    says = (
        "{how:became={before} of {who} becomes {condition}."
        "|escalated={who} "
        + HAS_OR_IS
        + " {before} {count:2=a second|3=a third|4=a fourth|5=a fifth|a {count}th}"
        " time and so {condition}"
        + ABOUT_AND_WHY
        + "|held={who} "
        + HAS_OR_IS
        + " {condition} already"
        + ABOUT_AND_WHY
        + "|{who} "
        + HAS_OR_IS
        + " {condition}{count:1=|2=, twice now|, {count} times now}"
        + ABOUT_AND_WHY
        + "}"
    )


class ConditionHeld(Fact):
    """A person would gain a Condition, but has it already; a second instance wouldn't count."""

    who: Person
    condition: Condition
    why: Reason = ""
    doubts: bool = False
    noun: bool = False

    says = "{who} " + HAS_OR_IS + " {condition} already[ ({why})]."


class ConditionLost(Fact):
    """A person loses a Condition, or one instance of it (STR-CORE-13).

    `left` is the number of instances that the person still has.
    """

    who: Person
    condition: Condition
    left: int = 0
    why: Reason = ""
    doubts: bool = False
    noun: bool = False

    section = "Conditions"
    event = "status"
    tone = "good"
    headline = "{who}: {condition} {left:0=ends|once less}"
    says = "{who} " + HAS_OR_IS + " {condition} {left:0=no longer|once less, {left} left}[ ({why})]."


class RecoveryBegun(Fact):
    """A Condition stays after a rest, and the rest is counted.

    If `needed` is above 0, the rest counts towards the end of the Condition. It is rest number `times`, and
    the Condition ends after `needed` rests.

    If `needed` is 0, nobody tended the Condition during the rest. Then the rest counts towards a worsening of
    the Condition.
    """

    who: Person
    condition: Condition
    times: int = 0
    needed: int = 0
    doubts: bool = False
    noun: bool = False

    section = "Conditions"
    event = "status"
    says = "{who} " + HAS_OR_IS + " {condition}{needed:? recovering: {times} of {needed}|, untended}."


class NothingEnded(Fact, kind="rested"):
    """People rest, and no Condition ends by the rest."""

    people: Sequence[Person]

    event = "scene"
    says = "{people} {people:rests|rest}: it ends nothing."


class ChargeSpent(Fact):
    """A charge of a power is spent; `left` of its `most` charges remain."""

    who: Person
    charge: Power
    left: int
    most: int

    says = "{who} has {left} of {most} charges of {charge} left."


class ChargesRegained(Fact):
    """A rest restores all charges of the powers in `charges`."""

    who: Person
    charges: Sequence[Power]

    event = "gain"
    tone = "good"
    says = "{who} has all charges back."
