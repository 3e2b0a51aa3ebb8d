"""Facts and reasons that the scenes of all games share. No rule is here."""

from typing import Annotated

from ..kernel.statements import Clause, Fact, NamedId, Person, Reason, Said, Speaker, say

Status = Annotated[str, NamedId("statuses")]
"""A status of the book, by its full id."""
Condition = Annotated[str, NamedId("conditions")]
"""A Condition of the book, by its full id."""
Trait = Annotated[str, NamedId("trait")]
"""A trait of a creature, by its id, which is also its name."""
Skill = Annotated[str, NamedId("skill")]
"""A Skill, by its id, which is also its name."""


class OfStatus(Clause):
    """A status as a reason."""

    status: Status

    says = "{status}"


class OfCondition(Clause):
    """A Condition as a reason."""

    condition: Condition

    says = "{condition}"


class OfTrait(Clause):
    """A creature's trait as a reason."""

    trait: Trait

    says = "{trait}"


class OfSkill(Clause):
    """A Skill on somebody's sheet, as a reason.

    A Skill that was only typed is a `Said` instead.
    """

    skill: Skill

    says = "{skill}"


def typed_reason(words: str) -> Reason:
    """Return a reason from typed words, without a full stop at the end; "" for no words."""
    return Said(words.rstrip(".")) if words else ""


class TargetIs(Clause):
    """A reason for a roll: an effect on the roll's target, such as a status."""

    what: Clause

    says = "target is {what}"


class _OfPoints(Fact):
    """A change of a person's Action Points.

    The reason is stored as a clause, and as words in `why`.
    """

    who: Person
    n: int

    section = "Action Points"
    event = "gain"

    def as_json(self, speaker: Speaker) -> dict[str, object]:
        """Return the fields in the form of the journal, with the reason in words too."""
        return {**super().as_json(speaker), "why": self._reason_words(speaker)}

    def as_json_known_to(self, speaker: Speaker) -> dict[str, object]:
        """Return those fields of the fact that the speaker's audience may know.

        The field `why` has the reason in words.
        """
        return {**super().as_json_known_to(speaker), "why": self._reason_words(speaker)}

    def _reason_words(self, speaker: Speaker) -> str:
        because: Reason = vars(self)["because"]
        return because if isinstance(because, str) else say(because, speaker) or ""


class ApGained(_OfPoints):
    """Somebody gains `n` Action Points, and then has `now` of them (STR-CORE-21).

    `begins` is True if a character without Action Points gets one because a session begins.
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
    """Somebody spends `n` Action Points, and then has `left` of them (STR-CORE-22)."""

    left: int
    because: Reason = ""

    says = "{who} spends {n:an Action Point|{n} Action Points} ({left} left)[: {because}]."
