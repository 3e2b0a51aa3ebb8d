"""Skills, Tricks, Complications and levels that come to a sheet."""

from strike_cli.kernel.statements import Decision, Fact, Person
from strike_cli.tabletop.facts import Skill

from .field_types import Complication, Fallback, Trick


class _Learned(Fact):
    section = "Learned and gained"
    event = "gain"


class SkillLearned(_Learned):
    """A Skill comes to the sheet (STR-CORE-06, 14)."""

    who: Person
    skill: Skill

    style = "good"
    tone = "good"
    headline = "{who} learns {skill}"
    says = "{who} learns {skill}."


class SkillForgotten(_Learned):
    """A Skill learned in play is taken back."""

    who: Person
    skill: Skill

    says = "{who} forgets {skill}."


class LevelGained(_Learned):
    """Somebody levels up (STR-CORE-31)."""

    who: Person
    level: int

    tone = "good"
    headline = "{who} levels up"
    says = "{who} levels up."


class TrickGained(_Learned):
    """A new Trick, tied to a Skill (STR-CORE-32)."""

    who: Person
    trick: Trick
    skill: Skill

    tone = "good"
    says = "{who} has a new Trick of {skill}: {trick}."


class TrickSwapped(_Learned):
    """Another Trick in place of one, if everybody agrees (STR-CORE-33)."""

    who: Person
    old: Trick
    new: Trick

    says = "{who} gives up the Trick '{old}' for '{new}', everybody agreeing."


class TrickReplaced(_Learned):
    """Another Trick in place of one that makes no sense any more (STR-CORE-33)."""

    who: Person
    old: Trick
    new: Trick

    says = "{who} gives up the Trick '{old}' for '{new}', since it makes no sense any more."


class ComplicationGained(_Learned):
    """A new Complication, by a "level-up", by the "story", or for so many `uses` (STR-CORE-32)."""

    who: Person
    complication: Complication
    by: str
    uses: int = 0

    says = (
        "{who} has a new Complication, {by:level-up=with the group's consent"
        "|story=by the story, with the group's consent|for {uses} uses of Complications}: {complication}."
    )


class ComplicationSwapped(_Learned):
    """Another Complication in place of one, as its owner finds fitting (STR-CORE-33)."""

    who: Person
    old: Complication
    new: Complication

    says = "{who} gives up the Complication '{old}' for '{new}', as the story goes."


class ComplicationReplaced(_Learned):
    """Another Complication in place of one that makes no sense any more (STR-CORE-33)."""

    who: Person
    old: Complication
    new: Complication

    says = "{who} gives up the Complication '{old}' for '{new}', since it makes no sense any more."


class FallbackGained(_Learned):
    """The first level-up brings the Fallback (STR-CORE-31)."""

    who: Person
    fallback: Fallback

    tone = "good"
    says = "{who} has a Fallback from now on: {fallback}."


class LearnSkill(Decision):
    """Whether somebody learns the Skill that they rolled a 6 with (STR-CORE-06)."""

    who: Person
    skill: Skill

    asks = "{who} rolled a 6 on {skill}, Unskilled. Learn it?"
    options = {
        "learn": "learn {skill} for good",
        "bonus": "a Success with a Bonus",
        "pass": "leave it",
    }
