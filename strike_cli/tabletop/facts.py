"""What the tabletop tells, and the reasons that it gives. No rule is here."""

from typing import Annotated

from ..kernel.statements import Clause, Fact, Named, Person, Reason

Status = Annotated[str, Named("statuses")]
"""A status of the book, by its full id."""
Condition = Annotated[str, Named("conditions")]
"""A Condition of the book, by its full id."""
Trait = Annotated[str, Named("trait")]
"""A creature's trait, which is called what it is known by."""
Skill = Annotated[str, Named("skill")]
"""A Skill, which is called what it is known by."""


class OfStatus(Clause):
    """A reason: a status."""

    status: Status

    says = "{status}"


class OfCondition(Clause):
    """A reason: a Condition."""

    condition: Condition

    says = "{condition}"


class OfTrait(Clause):
    """A reason: a creature's trait."""

    trait: Trait

    says = "{trait}"


class OfSkill(Clause):
    """A Skill, or a reason: that of a sheet. One that somebody only typed is `Said`."""

    skill: Skill

    says = "{skill}"


class TargetIs(Clause):
    """A reason: what the target of a roll has."""

    what: Clause

    says = "target is {what}"


class ApGained(Fact):
    """Somebody gains Action Points and has so many `now` (STR-CORE-21). An evening `begins` with one for
    whoever has none."""

    who: Person
    n: int
    now: int
    why: Reason = ""
    begins: bool = False

    section = "Action Points"
    style = "good"
    event = "gain"
    tone = "good"
    headline = "{who} gains {n:an Action Point|{n} Action Points}"
    says = (
        "{begins:?{who} starts with {n:an Action Point|{n} Action Points}"
        "|{who} gains {n:an Action Point|{n} Action Points} ({now} now)}[: {why}]."
    )


class ApSpent(Fact):
    """Somebody spends Action Points and has so many `left` (STR-CORE-22)."""

    who: Person
    n: int
    left: int
    why: Reason = ""

    section = "Action Points"
    event = "gain"
    says = "{who} spends {n:an Action Point|{n} Action Points} ({left} left)[: {why}]."
