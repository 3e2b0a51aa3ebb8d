"""Facts about Action Points, Tricks, Complications, Fallbacks, and growth."""

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Words
from strike_cli.tabletop.facts import Skill

from .rolls import Complication, Fallback, Player, Trick, UsedAsComplication

COMPLICATION_WAYS = {
    "tie": "the tie goes to the other side, as a narrow win",
    "twist": "a Twist in place of a roll; the game master describes it",
    "trouble": "trouble without any roll",
    "concede": "the reason for conceding a Team Conflict",
}
"""The ways to use a Complication for an Action Point (STR-CORE-24), each with what follows."""
COMPLICATION_WAY_CHOICE = "|".join(f"{way}={words}" for way, words in COMPLICATION_WAYS.items())


class TheTrick(Clause):
    """A reason for spending Action Points: a Trick."""

    trick: Trick

    says = "the Trick '{trick}'"


class TheComplication(Clause):
    """A reason for gaining Action Points: a Complication, or something that is used in place of one.

    That may be a Condition, a Flaw or a Favor.
    """

    used: UsedAsComplication
    of: str

    says = "the {of:complication=Complication|condition=Condition|flaw=Flaw|favor=Favor} '{used}'"


class AwesomePointOf(Clause):
    """A reason for gaining Action Points: a player's Awesome Point."""

    player: Player

    says = "{player's} Awesome Point"


class TrickUsed(Fact):
    """A person spends an Action Point, and a Trick gives a Success with a Bonus (STR-CORE-22)."""

    who: Person
    trick: Trick

    section = "Rolls"
    event = "roll"
    tone = "good"
    headline = "{trick}"
    says = "{who}: {trick}. Success with a Bonus, no roll."


class ComplicationUsed(Fact):
    """A Complication causes trouble and earns an Action Point (STR-CORE-24).

    A Condition, a Flaw or a Favor can be used in place of a Complication. `sort` names which of these it is.
    A certain number of uses earns a new Complication. If this use completes the number, `earns` is true.
    """

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
        "{how:" + COMPLICATION_WAY_CHOICE + "}.{earns:? A new Complication is earned.}"
    )


class FallbackUsed(Fact):
    """A Fallback turns a Twist into a Success, once a session; the Costs stay (STR-CORE-31)."""

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
    """A person has more Action Points than can be carried over, and loses the rest (STR-CORE-21)."""

    who: Person
    kept: int
    had: int

    section = "Action Points"
    says = "{who} carries {kept} Action Points over, of {had}."


class AwesomeGiven(Fact):
    """A player gives this session's Awesome Point to another player's character (STR-CORE-21).

    `who` is a character of the player who gives the point.
    """

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
    """The question whether to turn a Twist into a Success by the Fallback (STR-CORE-31)."""

    who: Person
    skill: Clause | None
    fallback: Fallback
    costs: int = 0

    asks = (
        "{who's} {skill:?{skill}|roll} came to a Twist{costs:? with a Cost}. "
        "Fall back on {fallback}, once a session?"
    )
    options = {"keep": "the Twist stands", "use": "it is a Success after all{costs:?, and the Cost stays}"}


class _GrowthFact(Fact):
    section = "Learned and gained"
    event = "gain"


class SkillLearned(_GrowthFact):
    """A person learns a Skill, which is now on the sheet (STR-CORE-06, 14)."""

    who: Person
    skill: Skill

    style = "good"
    tone = "good"
    headline = "{who} learns {skill}"
    says = "{who} learns {skill}."


class SkillForgotten(_GrowthFact):
    """A Skill that was learned in play is removed again."""

    who: Person
    skill: Skill

    says = "{who} forgets {skill}."


class LevelGained(_GrowthFact):
    """A character levels up (STR-CORE-31)."""

    who: Person
    level: int

    tone = "good"
    headline = "{who} levels up"
    says = "{who} levels up."


class TrickGained(_GrowthFact):
    """A character gains a Trick for a Skill (STR-CORE-32)."""

    who: Person
    trick: Trick
    skill: Skill

    tone = "good"
    says = "{who} has a new Trick of {skill}: {trick}."


class TrickSwapped(_GrowthFact):
    """A Trick replaces another, with everybody's consent (STR-CORE-33)."""

    who: Person
    old: Trick
    new: Trick

    says = "{who} swaps the Trick '{old}' for '{new}', by everybody's consent."


class TrickReplaced(_GrowthFact):
    """A Trick replaces one that no longer makes sense (STR-CORE-33)."""

    who: Person
    old: Trick
    new: Trick

    says = "{who} gives up the Trick '{old}' for '{new}', since it no longer makes sense."


class ComplicationGained(_GrowthFact):
    """A character gains a Complication (STR-CORE-32).

    `by` says how: "level-up", "story" or "uses". With "uses", the character has earned it by using
    Complications `uses` times.
    """

    who: Person
    complication: Complication
    by: str
    uses: int = 0

    says = (
        "{who} has a new Complication, {by:level-up=with the group's consent"
        "|story=by the story, with the group's consent|for {uses} uses of Complications}: {complication}."
    )


class ComplicationSwapped(_GrowthFact):
    """A character gives up a Complication for another, as the story goes (STR-CORE-33)."""

    who: Person
    old: Complication
    new: Complication

    says = "{who} gives up the Complication '{old}' for '{new}', as the story goes."


class ComplicationReplaced(_GrowthFact):
    """A Complication replaces one that no longer makes sense (STR-CORE-33)."""

    who: Person
    old: Complication
    new: Complication

    says = "{who} gives up the Complication '{old}' for '{new}', since it no longer makes sense."


class FallbackGained(_GrowthFact):
    """The first level-up gives a character the Fallback (STR-CORE-31)."""

    who: Person
    fallback: Fallback

    tone = "good"
    says = "{who} gains a Fallback: {fallback}."


class LearnSkill(Decision):
    """The question whether a person learns a Skill, after rolling a 6 with it (STR-CORE-06)."""

    who: Person
    skill: Skill

    asks = "{who} rolled a 6 on {skill}, Unskilled. Learn it?"
    options = {"learn": "learn {skill} for good", "bonus": "a Success with a Bonus", "pass": "leave it"}
