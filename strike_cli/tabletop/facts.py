"""What the tabletop tells, and the reasons that it gives. No rule is here."""

from typing import Annotated

from ..kernel.statements import Clause, Fact, Named, Person, Reason, Said, Speaker, say

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


def said(words: str) -> Reason:
    """Return somebody's typed words as a reason, without their full stop, which is the sentence's."""
    return Said(words.rstrip(".")) if words else ""


class TargetIs(Clause):
    """A reason: what the target of a roll has."""

    what: Clause

    says = "target is {what}"


class _OfPoints(Fact):
    """What happens to somebody's Action Points. The reason is kept in words, too, as `why`."""

    who: Person
    n: int

    section = "Action Points"
    event = "gain"

    def as_json(self, speaker: Speaker) -> dict[str, object]:
        """Return its fields, with the reason in words."""
        return {**super().as_json(speaker), "why": self._reason_words(speaker)}

    def known_to(self, speaker: Speaker) -> dict[str, object]:
        """Return its fields, with the reason in words, as far as an audience may know them."""
        return {**super().known_to(speaker), "why": self._reason_words(speaker)}

    def _reason_words(self, speaker: Speaker) -> str:
        because: Reason = vars(self)["because"]
        return because if isinstance(because, str) else say(because, speaker) or ""


class ApGained(_OfPoints):
    """Somebody gains Action Points and has so many `now` (STR-CORE-21).

    An evening `begins` with one for everybody who has none.
    """

    now: int
    because: Reason = ""
    begins: bool = False

    style = "good"
    tone = "good"
    headline = "{who} gains {n:an Action Point|{n} Action Points}"
    says = (
        "{begins:?{who} starts with {n:an Action Point|{n} Action Points}"
        "|{who} gains {n:an Action Point|{n} Action Points} ({now} now)}[: {because}]."
    )


class ApSpent(_OfPoints):
    """Somebody spends Action Points and has so many `left` (STR-CORE-22)."""

    left: int
    because: Reason = ""

    says = "{who} spends {n:an Action Point|{n} Action Points} ({left} left)[: {because}]."
