"""Facts about points, and about what is learned with them."""

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Words
from strike_cli.tabletop.facts import Skill

from .rolls import Complication, Fallback, Player, Trick, UsedAsComplication

WAYS = {
    "tie": "the tie goes to the other side, as a narrow win",
    "twist": "a Twist in place of a roll; the game master describes it",
    "trouble": "trouble without any roll",
    "concede": "the reason for conceding a Team Conflict",
}
"""The ways in which a Complication earns an Action Point (STR-CORE-24), each with its consequence."""
WAY = "|".join(f"{way}={words}" for way, words in WAYS.items())


class TheTrick(Clause):
    """A reason: a Trick."""

    trick: Trick

    says = "the Trick '{trick}'"


class TheComplication(Clause):
    """A reason: something used as a Complication, such as a Condition."""

    used: UsedAsComplication
    of: str

    says = "the {of:complication=Complication|condition=Condition|flaw=Flaw|favor=Favor} '{used}'"


class AwesomePointOf(Clause):
    """A reason: a player's Awesome Point."""

    player: Player

    says = "{player's} Awesome Point"


class TrickUsed(Fact):
    """A Success with a Bonus for an Action Point (STR-CORE-22)."""

    who: Person
    trick: Trick

    section = "Rolls"
    event = "roll"
    tone = "good"
    headline = "{trick}"
    says = "{who}: {trick}. Success with a Bonus, no roll."


class ComplicationUsed(Fact):
    """A Complication, or a Cost used as one, makes trouble and earns an Action Point (STR-CORE-24)."""

    who: Person
    complication: UsedAsComplication
    how: str
    sort: str = "complication"
    earns: bool = False

    section = "Rolls"
    event = "cost"
    tone = "bad"
    headline = "{complication}"
    says = (
        "{who} uses '{complication}'{sort:condition= (Condition)|flaw= (Flaw)|favor= (Favor)|}: "
        "{how:" + WAY + "}.{earns:? A new Complication is earned.}"
    )


class FallbackUsed(Fact):
    """A Twist becomes a Success, once a session; its Costs stay (STR-CORE-31)."""

    who: Person
    fallback: Fallback
    how: Words
    costs: int = 0

    section = "Rolls"
    event = "roll"
    tone = "good"
    headline = "Success after all"
    says = (
        "{who} falls back on {fallback}[: {how}]. "
        "The Twist{costs:? with a Cost} becomes a Success{costs:? with a Cost}."
    )


class ApLost(Fact):
    """Somebody loses Action Points above the number that may be carried over (STR-CORE-21)."""

    who: Person
    kept: int
    had: int

    section = "Action Points"
    says = "{who} carries {kept} Action Points over, of {had}."


class AwesomeGiven(Fact):
    """The player of somebody gives another's character the Awesome Point of the session (STR-CORE-21)."""

    who: Person
    to: Person
    player: Player
    why: Words

    section = "Action Points"
    event = "gain"
    tone = "good"
    headline = "An Awesome Point for {to}"
    says = "{player} gives {to} the Awesome Point: {why}."


class FallBackOn(Decision):
    """Whether a Fallback turns a Twist (STR-CORE-31)."""

    who: Person
    skill: Clause | None
    fallback: Fallback
    costs: int = 0

    asks = (
        "{who's} {skill:?{skill}|roll} came to a Twist{costs:? with a Cost}. "
        "Fall back on {fallback}, once a session?"
    )
    options = {"keep": "the Twist stands", "use": "it is a Success after all{costs:?, and the Cost stays}"}


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
    """A Trick replaces another, if everybody agrees (STR-CORE-33)."""

    who: Person
    old: Trick
    new: Trick

    says = "{who} swaps the Trick '{old}' for '{new}', by everybody's consent."


class TrickReplaced(_Learned):
    """A Trick replaces another that makes no sense any more (STR-CORE-33)."""

    who: Person
    old: Trick
    new: Trick

    says = "{who} gives up the Trick '{old}' for '{new}', since it no longer makes sense."


class ComplicationGained(_Learned):
    """Somebody gains a Complication, by a "level-up", the "story", or a number of `uses` (STR-CORE-32)."""

    who: Person
    complication: Complication
    by: str
    uses: int = 0

    says = (
        "{who} has a new Complication, {by:level-up=with the group's consent"
        "|story=by the story, with the group's consent|for {uses} uses of Complications}: {complication}."
    )


class ComplicationSwapped(_Learned):
    """A Complication replaces another, as its owner finds fitting (STR-CORE-33)."""

    who: Person
    old: Complication
    new: Complication

    says = "{who} gives up the Complication '{old}' for '{new}', as the story goes."


class ComplicationReplaced(_Learned):
    """A Complication replaces another that makes no sense any more (STR-CORE-33)."""

    who: Person
    old: Complication
    new: Complication

    says = "{who} gives up the Complication '{old}' for '{new}', since it no longer makes sense."


class FallbackGained(_Learned):
    """The first level-up gives the Fallback (STR-CORE-31)."""

    who: Person
    fallback: Fallback

    tone = "good"
    says = "{who} gains a Fallback: {fallback}."


class LearnSkill(Decision):
    """Whether somebody learns the Skill with which they rolled a 6 (STR-CORE-06)."""

    who: Person
    skill: Skill

    asks = "{who} rolled a 6 on {skill}, Unskilled. Learn it?"
    options = {"learn": "learn {skill} for good", "bonus": "a Success with a Bonus", "pass": "leave it"}
