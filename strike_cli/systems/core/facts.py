"""What the core tells, and asks. No rule is here."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    Clause,
    Decision,
    Fact,
    Named,
    Person,
    Reason,
    Shown,
    Sort,
    Speaker,
    Statement,
    Words,
)
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Condition, OfCondition, OfSkill, Skill

__all__ = ["Condition", "OfCondition", "OfSkill", "Skill"]

Trick = Annotated[str, Named("trick")]
"""A Trick of a sheet, which is called what it is known by."""
Complication = Annotated[str, Named("complication")]
"""A Complication of a sheet, which is called what it is known by."""
Fallback = Annotated[str, Named("fallback")]
"""What somebody falls back on, as the sheet has it."""
Player = Annotated[str, Named("player")]
"""Who plays somebody, as the sheet has it."""
Severity = Annotated[str, Named("severities")]
"""How grave a Condition is."""
Power = Annotated[str, Named("powers")]
"""A power of the book, by its full id."""


class _UsedName(Sort):
    """What is used as a Complication: a Flaw and a Favor are what people typed, and may name somebody
    hidden."""

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value if self.is_known(value, statement, speaker) else None

    def ids(self, value: str) -> Iterator[tuple[str, str]]:
        yield "complication", value

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        return getattr(statement, "of", "") not in ("flaw", "favor") or speaker.may_read(value)


UsedAsComplication = Annotated[str, _UsedName()]
"""The name of what is used as a Complication; `of` of its statement says what that is: "complication",
"condition", "flaw" or "favor"."""

# Words that several say

OUTCOME = (
    "{outcome:success=Success|twist=Twist}{bonus:? with a Bonus}"
    "{costs:?{bonus:? and| with} {costs:a Cost|{costs} Costs}}"
)
GIVES = "advantage=Advantage|disadvantage=Disadvantage"
LOSERS_OPTIONS = {
    "insecure": "the winner's hold on it is shaky",
    "costly": "it costs the winner more than expected",
    "cheap": "it costs the loser less than expected",
    "extra": "the loser gets something out of it too",
}
"""What the loser of a close Opposed Roll may choose (STR-CORE-16)."""
LOSERS_OPTION = "|".join(f"{option}={words}" for option, words in LOSERS_OPTIONS.items())
WAYS = {
    "tie": "an Opposed tie goes to the opponent, as if by one or two: the loser still chooses an option",
    "twist": "a Twist in place of a roll; the game master tells it",
    "trouble": "trouble where no roll was called for",
    "concede": "the reason why the party concedes a Team Conflict",
}
"""How a Complication earns an Action Point (STR-CORE-24), and what follows."""
WAY = "|".join(f"{way}={words}" for way, words in WAYS.items())
HAS = "{doubts:?has|is}"
TAIL = "[ about {about}][ ({why})]."


# Reasons


class CostOf(Clause):
    """A reason: the Cost of a roll."""

    what: Clause | None

    says = "the Cost of {what:?{what}|a roll}"


class SuccessWith(Clause):
    """A reason: a success with a Skill."""

    what: Clause

    says = "a success with {what}"


class Helps(Clause):
    """A reason: another Skill helps, for an Action Point `paid` or to be paid."""

    skill: Skill
    paid: bool = False

    says = "{skill} helps{paid:?| (1 AP)}"


class TheTrick(Clause):
    """A reason: a Trick."""

    trick: Trick

    says = "the Trick '{trick}'"


class TheComplication(Clause):
    """A reason: what was used as a Complication, a Condition of theirs, say."""

    used: UsedAsComplication
    of: str

    says = "the {of:complication=Complication|condition=Condition|flaw=Flaw|favor=Favor} '{used}'"


class AwesomePointOf(Clause):
    """A reason: a player's Awesome Point."""

    player: Player

    says = "{player's} Awesome Point"


class TwistFromFlaw(Clause):
    """A reason: a Flaw that went wrong."""

    on: Words

    says = "a Twist from the Flaw on {on}"


class MakeshiftTools(Clause):
    """A reason: the tools are none."""

    says = "makeshift tools"


class UnskilledHelp(Clause):
    """A reason: a helper is Unskilled."""

    says = "Unskilled help"


class UnskilledAgainst(Clause):
    """A reason: somebody Unskilled meets somebody Skilled."""

    says = "Unskilled against Skilled"


class OfFlaw(Clause):
    """A reason: a Flaw of what is used."""

    on: Words
    text: Words = ""

    says = "{on}: {text:?{text}|flawed}"


class OwesFavor(Clause):
    """A reason: what somebody of the party owes whom they ask, or those who are `asked` and with them."""

    who: Person
    to: Words
    reputation: bool
    asked: Words = ""

    says = "{reputation:?bad reputation with {to}|{who} owes {to} a favor}[, and {asked} is with them]"


class BankedBonus(Clause):
    """A reason: a bonus that was kept, by its id."""

    id: str
    why: Words = ""

    says = "{why:?{why} ({id})|banked {id}}"


# Rolls


class HelpedWith(Clause):
    """Somebody helps with a roll (STR-CORE-20): what they rolled, and what it adds. `side` is whose roll it
    is where there are two."""

    name: Person
    roll: DiceRoll
    added: int
    side: str = ""

    says = "{name} helps with {roll} ({added:0=nothing added|+1})"


class DiceRolled(Fact, kind="rolled"):
    """Somebody rolls. What for, and what came of it, say its variants."""

    who: Person
    roll: DiceRoll

    section = "Rolls"
    in_short = True
    is_roll = True
    event = "roll"
    names_rollers = True


class DieRolled(DiceRolled, variant="die"):
    """Bare dice, with no rule: of them so many of the highest count, or below 0 of the lowest; 0 for all."""

    keep: int = 0
    plus: int = 0

    says = "{dice}: {faces}{summed:? ({kept:?keeps {kept}, |}sum {roll.total})}."

    @property
    def dice(self) -> str:
        """As people write them: `4d6kh3`."""
        n = len(self.roll.faces)
        dice = f"{n}d{self.roll.sides}" if n != 1 else f"d{self.roll.sides}"
        keep = f"k{'h' if self.keep > 0 else 'l'}{abs(self.keep)}" if self.keep else ""
        return f"{dice}{keep}{self.plus:+d}" if self.plus else f"{dice}{keep}"

    @property
    def faces(self) -> str:
        """What they show."""
        return ", ".join(map(str, self.roll.faces))

    @property
    def kept(self) -> str:
        """Those that count, where not all do."""
        best_first = sorted(self.roll.faces, reverse=True)
        counted = best_first[: self.keep] if self.keep > 0 else best_first[self.keep :] if self.keep else ()
        return ", ".join(map(str, counted))

    @property
    def summed(self) -> bool:
        """Whether there is a sum to tell."""
        return len(self.roll.faces) > 1 or bool(self.plus)


class SkillRolled(DiceRolled, variant="skill"):
    """A Skill Roll (STR-CORE-03): who helps, and what it came to."""

    skilled: bool
    helpers: Sequence[HelpedWith]
    outcome: str
    bonus: bool
    costs: int
    skill: Clause | None = None

    headline = OUTCOME
    says = (
        "{who:?{who}|Somebody} rolls {skill:?{skill} ({skilled:?Skilled|Unskilled})"
        "|{skilled:?Skilled|Unskilled}}: {roll}[, {helpers}]. "
        + OUTCOME
        + "{all_pay:?, and one for each helper}."
    )

    @property
    def all_pay(self) -> bool:
        """Whether each helper has a Cost, too (STR-CORE-20)."""
        return bool(self.helpers) and self.costs > 0

    def shown(self) -> Shown:
        """A Twist is bad, a Success without Costs good."""
        tone = "bad" if self.outcome == "twist" else "" if self.costs else "good"
        return Shown("cost" if self.costs else "roll", tone)


class OpposedRolled(DiceRolled, variant="opposed"):
    """Two rolls against each other (STR-CORE-16): `winner` is "ours", "theirs", or "" for a tie."""

    against: DiceRoll
    winner: str
    margin: int
    complete: bool
    helpers: Sequence[HelpedWith] = ()

    headline = "{winner:ours={who:?{who} wins|We win}|theirs={other:?{other} wins|They win}|A tie}"
    says = (
        "{who:?{who}|Our side} rolls {roll}[, {our_help}], {other:?{other}|Their side} {against}"
        "[, {their_help}]. {winner:ours={who:?{who}|Our side} wins {complete:?completely|by {margin}}"
        "|theirs={other:?{other}|Their side} wins {complete:?completely|by {margin}}"
        "|A tie: neither gets what they wanted}."
    )

    @property
    def other(self) -> Person:
        """Who rolls against them."""
        return self.against.who

    @property
    def our_help(self) -> Sequence[HelpedWith]:
        """The help that `who` has."""
        return [one for one in self.helpers if one.side == "ours"]

    @property
    def their_help(self) -> Sequence[HelpedWith]:
        """The help that the other has."""
        return [one for one in self.helpers if one.side == "theirs"]

    def shown(self) -> Shown:
        """Good for whoever wins."""
        return Shown("roll", {"ours": "good", "theirs": "bad"}.get(self.winner, ""))


class RecoveryRolled(DiceRolled, variant="recovery"):
    """A die for recovering from a Condition (STR-CORE-13): it "ends", "worsens" or "stays"."""

    condition: Condition
    comes_to: str

    headline = "{condition} {comes_to:ends=ends|worsens=gets worse|stays}"
    says = "{who} recovers from {condition}: {roll}, it {comes_to:ends=ends|worsens=gets worse|stays}."

    def shown(self) -> Shown:
        """Good where it ends."""
        return Shown("save" if self.comes_to == "ends" else "roll", _TONES.get(self.comes_to, ""))


_TONES = {"ends": "good", "worsens": "bad"}


class OurSide(Clause):
    """A side that is nobody in particular: "ours" or "theirs"."""

    side: str

    says = "{side:ours=Our side|Their side}"


class SideWins(Clause):
    """What a broken tie comes to."""

    side: str
    who: Person

    says = "{who:?{who}|{side:ours=Our side|Their side}} wins"


class TieBroken(Fact):
    """Somebody breaks a tie in the opponent's favour with a Complication (STR-CORE-17): what that comes
    to."""

    who: Person
    so: Clause

    section = "Rolls"
    event = "roll"
    headline = "A tie broken"
    says = "{who} breaks the tie: {so}."


class LoserChose(Fact):
    """The loser of a close roll says how the win is spoiled (STR-CORE-16). `nobody` is who that is where it
    is nobody in particular."""

    who: Person
    option: str
    nobody: Reason = ""

    section = "Rolls"
    says = "{who:?{who}|{nobody}} chooses: {option:" + LOSERS_OPTION + "}."


class TaskTried(Fact):
    """The party has tried something (STR-CORE-15)."""

    who: Person
    task: Words


# Tricks, Complications, the Fallback


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


# Conditions and rests


class ConditionGained(Fact):
    """Somebody gains a Condition (STR-CORE-12, 13): `how` says whether it "escalated" from the Condition
    `before` when that was gained a `count`th time, "became" out of it, or was "held" and is now about more
    Skills; "" for one that comes `count` times now."""

    who: Person
    condition: Condition
    count: int = 1
    about: Sequence[Clause] = ()
    why: Reason = ""
    how: str = ""
    before: Condition = ""
    doubts: bool = False

    section = "Conditions"
    style = "warn"
    event = "status"
    tone = "bad"
    headline = "{who} " + HAS + " {condition}"
    says = (
        "{how:became={before} of {who} becomes {condition}."
        "|escalated={who} " + HAS + " {before} {count:2=a second|3=a third|4=a fourth|5=a fifth|a {count}th}"
        " time and so {condition}"
        + TAIL
        + "|held={who} "
        + HAS
        + " {condition} already"
        + TAIL
        + "|{who} "
        + HAS
        + " {condition}{count:1=|2=, twice now|, {count} times now}"
        + TAIL
        + "}"
    )


class ConditionHeld(Fact):
    """Somebody would gain a Condition that they have, and that doesn't count twice."""

    who: Person
    condition: Condition
    why: Reason = ""
    doubts: bool = False

    says = "{who} " + HAS + " {condition} already[ ({why})]."


class ConditionLost(Fact):
    """A Condition ends, or comes once less with so many `left` (STR-CORE-13)."""

    who: Person
    condition: Condition
    left: int = 0
    why: Reason = ""
    doubts: bool = False

    section = "Conditions"
    event = "status"
    tone = "good"
    headline = "{who}: {condition} {left:0=ends|once less}"
    says = "{who} " + HAS + " {condition} {left:0=no longer|once less, {left} left}[ ({why})]."


class RecoveryBegun(Fact):
    """A rest counts towards what a Condition needs, so many `times` of those `needed`; or it went by without
    any care."""

    who: Person
    condition: Condition
    times: int = 0
    needed: int = 0
    doubts: bool = False

    section = "Conditions"
    event = "status"
    says = "{who} " + HAS + " {condition}{needed:? on the mend: {times} of {needed}|, untended}."


class NothingEnded(Fact, kind="rested"):
    """Time has passed, and nothing ended by it."""

    people: Sequence[Person]

    event = "scene"
    says = "{people} {people:rests|rest}: it ends nothing."


class ChargeSpent(Fact):
    """A charge of a power is spent; so many of `most` are `left`."""

    who: Person
    charge: Power
    left: int
    most: int

    says = "{who} has {left} of {most} charges of {charge} left."


class ChargesRegained(Fact):
    """A rest has brought back all charges of these powers."""

    who: Person
    charges: Sequence[Power]

    event = "gain"
    tone = "good"
    says = "{who} has all charges back."


# Flaws, Favors, bonuses


class Flaw(Clause):
    """A Flaw on an item, or on what somebody knows, by its id (STR-CORE-10)."""

    id: str
    on: Words
    text: Words = ""

    says = "{on}[: {text}]"


class Favor(Clause):
    """A Favor owed, or a Bad Reputation, by its id (STR-CORE-11)."""

    id: str
    to: Words
    text: Words = ""
    associates: Sequence[Words] = ()
    reputation: bool = False

    says = "{to}[, {text}]"


class Banked(Clause):
    """Advantage or Disadvantage kept for a later roll, by its id (STR-CORE-07)."""

    id: str
    gives: str
    for_: Words
    why: Words = ""

    says = "{gives:" + GIVES + "} on {for_}"


class _OfDebts(Fact):
    section = "Flaws and Favors"


class FlawGained(_OfDebts):
    """Something that somebody has or knows gains a Flaw (STR-CORE-10)."""

    who: Person
    item: Flaw

    event = "cost"
    tone = "bad"
    headline = "A Flaw on {item.on}"
    says = "{who} has a Flaw on {item.on}[: {item.text}] ({item.id})."


class FlawUsed(_OfDebts):
    """A Flaw is an automatic Twist for an Action Point (STR-CORE-10)."""

    who: Person
    item: Flaw
    outcome: str

    event = "cost"
    tone = "bad"
    headline = "Twist"
    says = "{who} lets {item.on} go wrong: {item.text:?{item.text}|its Flaw}. A Twist, without a roll."


class FlawMoved(_OfDebts):
    """A Flaw of a failed deal is on the thing itself, now that it is theirs (STR-CORE-31)."""

    who: Person
    item: Flaw

    says = "The Flaw of {who} is on {item.on} now ({item.id})."


class FlawMended(_OfDebts):
    """A Flaw is repaired, replaced or put right."""

    who: Person
    item: Flaw

    event = "gain"
    tone = "good"
    says = "{who} mends the Flaw on {item.on}."


class FavorGained(_OfDebts):
    """Somebody owes a Favor (STR-CORE-11), or has a Bad Reputation at once."""

    who: Person
    item: Favor

    event = "cost"
    tone = "bad"
    headline = "{item.reputation:?A Bad Reputation with|A Favor owed to} {item.to}"
    says = (
        "{who} {item.reputation:?has a Bad Reputation with {item.to}|owes {item.to} a Favor}"
        "[, {item.text}] ({item.id})."
    )


class FavorAssociated(_OfDebts):
    """Somebody is with those whom a Favor is owed to."""

    who: Person
    item: Favor

    says = "{newest} is with {item.to}, whom {who} owes a Favor."

    @property
    def newest(self) -> Words:
        """Who that is."""
        return self.item.associates[-1]


class FavorRepaid(_OfDebts):
    """Nothing is owed any more, or a Bad Reputation is lived down."""

    who: Person
    item: Favor

    event = "gain"
    tone = "good"
    says = "{who} {item.reputation:?lives down the Bad Reputation with|repays the Favor to} {item.to}."


class FavorOverdue(_OfDebts):
    """A Favor left too long becomes a Bad Reputation (STR-CORE-11)."""

    who: Person
    item: Favor

    event = "cost"
    tone = "bad"
    headline = "A Bad Reputation with {item.to}"
    says = "The Favor that {who} owes {item.to} is overdue: a Bad Reputation with them."


class _OfBonuses(Fact):
    section = "Bonuses"


class BonusBanked(_OfBonuses):
    """Advantage or Disadvantage is kept for a named later roll (STR-CORE-07, 19)."""

    who: Person
    banked: Banked

    event = "gain"
    says = "{who} has {banked.gives:" + GIVES + "} on a later roll: {banked.for_}."


class BonusSpent(_OfBonuses):
    """Bonuses that were kept are used up."""

    who: Person
    spent: Sequence[str]


class BonusDropped(_OfBonuses):
    """A bonus that was kept fits no roll any more."""

    who: Person
    item: Banked

    says = "{who} lets {item.gives:" + GIVES + "} on {item.for_} go."


class BonusTaken(_OfBonuses):
    """A Bonus is taken in place of a Skill that was to be learned."""

    who: Person

    event = "gain"
    says = "{who} takes the Bonus."


# Points


class ApLost(Fact):
    """Action Points above what may be carried over are gone (STR-CORE-21)."""

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


# Learned and gained


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


# Decisions


class LetTieStand(Clause):
    """An answer to BreakTheTie."""

    says = "let the tie stand"


class LoseBy(Clause):
    """An answer to BreakTheTie: a Complication."""

    used: UsedAsComplication
    of: str

    says = "lose by {used}, +1 AP"


class BreakTheTie(Decision):
    """Whether somebody breaks a tie in the opponent's favour (STR-CORE-17)."""

    who: Person

    asks = "{who} has tied. Lose it by a Complication, for an Action Point?"


class LosersOption(Decision):
    """How the loser of a close roll spoils the win (STR-CORE-16)."""

    who: Person
    nobody: Reason = ""

    asks = "{who:?{who}|{nobody}} has lost narrowly. How is the win spoiled?"
    options = LOSERS_OPTIONS


class CostCondition(Clause):
    """A Cost: a Condition."""

    condition: Condition
    severity: Severity

    says = "{condition} ({severity:minor=minor|major=major|{severity}})"


class CostKind(Clause):
    """A Cost that is no Condition."""

    cost: str

    says = (
        "{cost:flaw=a Flaw in an item or in what they know|favor=a Favor owed"
        "|later=Disadvantage on the later roll instead|waive=none this time}"
    )


class CostToPay(Decision):
    """What the Cost of a roll is (STR-CORE-09): which of how `many` of the roller's, or a helper's own."""

    who: Person
    roller: Person
    skill: Clause | None
    number: int = 1
    many: int = 1

    asks = (
        "{roller's} {skill:?{skill}|roll} has {many:a Cost|{many} Costs}. "
        "What does {who}{helps:?, who helped,} pay{several:? for number {number}}?"
    )

    @property
    def helps(self) -> bool:
        """Whether it is a helper who pays."""
        return self.who != self.roller

    @property
    def several(self) -> bool:
        """Whether the roller pays more than one."""
        return self.many > 1 and not self.helps


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
    options = {
        "keep": "the Twist stands",
        "use": "fall back: it is a Success after all{costs:?, and the Cost stays}",
    }


class LearnSkill(Decision):
    """Whether somebody learns the Skill that they rolled a 6 with (STR-CORE-06)."""

    who: Person
    skill: Skill

    asks = "{who} rolled a 6 on {skill}, Unskilled. Learn it?"
    options = {
        "learn": "learn {skill} for good",
        "bonus": "take the Bonus",
        "pass": "leave it",
    }
