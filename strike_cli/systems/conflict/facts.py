"""Facts, reasons and decisions of a Team Conflict. They contain no rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    NESTED,
    BookWords,
    Clause,
    Decision,
    Fact,
    MarkedList,
    NamedId,
    Person,
    Reason,
    TypedNameId,
    TypedText,
    Words,
)
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Condition

ACTION = (
    "progress=Progress|reckless-effort=Reckless Effort|block=Block"
    "|take-one-for-the-team=Take One for the Team|all-out-effort=All-Out Effort"
    "|calculated-risk=Calculated Risk|win-at-all-costs=Win At All Costs|targeted-effort=Targeted Effort"
    "|total-defense=Total Defense|prepare=Prepare|observe=Observe|obscure=Obscure|recover=Recover|pass=Pass"
)
PREPARATION = (
    "fortify=Fortify|stock-up=Stock Up|scout=Scout|long-game=Play the Long Game|inspire=Inspire"
    "|seize-the-advantage=Seize the Advantage"
)
ROLL = "advance=Advance|defense=Defense"
EVENT = (
    "love=Love|astounding-discovery=Astounding Discovery"
    "|third-power-enters-is-born=Third Power Enters/Is Born|natural-disaster=Natural Disaster"
    "|horrifying-act-of-evil=Horrifying Act of Evil|death=Death|foolish-mistake=Foolish Mistake"
    "|miracle-supernatural-event=Miracle/Supernatural Event|selfless-sacrifice=Selfless Sacrifice"
    "|betrayal=Betrayal"
)
"""An event between the sides (STR-TC-08)."""


TheSide = Annotated[str, TypedNameId("side")]
"""A side of a conflict: "ours" or "theirs"."""
Sides = Annotated[Sequence[str], MarkedList(TypedNameId("side"), " and ")]
People = Annotated[Sequence[str], MarkedList(NamedId("person"), ", ")]
NobodysSides = Annotated["Sequence[NobodysSide]", MarkedList(NESTED, " and ")]
Names = Annotated[Sequence[str], MarkedList(TypedText(), ", ")]
"""Names of traits, as they were typed."""


# Reasons


class OwnNumber(Clause):
    """A reason for a modifier: the opposition's own number for a roll."""

    which: str

    says = "{which:" + ROLL + "}"


class HasCondition(Clause):
    """A reason for a modifier: a person's Condition (STR-TC-15)."""

    who: Person
    condition: Condition

    says = "{who}: {condition}"


class HasFlaw(Clause):
    """A reason for Disadvantage: a Flaw of the Skill or item with which a person acts (STR-TC-15)."""

    who: Person
    on: Words

    says = "{who}: {on}"


class OfAction(Clause):
    """A reason: an action in this round, taken by the person `by` or by a `side`."""

    action: str
    by: Person = ""
    side: TheSide = ""

    says = "{by:?{by's}|{side's}} {action:" + ACTION + "|secondary goal}"


class OfPreparation(Clause):
    """A reason: a person's preparation (STR-TC-14)."""

    action: str
    by: Person = ""

    says = "{by:?{by's} |}{action:" + PREPARATION + "}"


class OfOutcome(Clause):
    """A reason: the outcome of the dice (STR-TC-05)."""

    outcome: str

    says = "{outcome:push=Push|draw=Draw|win=Win|lose=Lose|Double-tie}"


class OfTeamTrait(Clause):
    """A reason: a trait of a side."""

    name: Words

    says = "{name}"


class OfAHit(Clause):
    """A reason: a Hit, and the cause of the Hit."""

    why: Reason = ""

    says = "a Hit[, {why}]"


class LossAverted(Clause):
    """A reason: a loss was averted (STR-TC-10)."""

    says = "the loss averted"


class CostlyWin(Clause):
    """A reason: winning costs Strikes (STR-TC-16)."""

    says = "a costly win"


# The beginning


class Introduced(Clause):
    """A side as it is introduced when a conflict starts.

    For a team, `team` has its members. For an opposition, `advance` and `defense` are its numbers. `traits`
    has the side's traits. A team may have no name; then `name` is "".
    """

    team: People
    traits: Names
    name: Words = ""
    advance: int = 0
    defense: int = 0

    says = (
        "[{name}]{comma:?, }[{team}]{team:?[ ({traits})]| (Advance {advance}, Defense {defense}[; {traits}])}"
    )

    @property
    def comma(self) -> bool:
        """Whether a comma is needed between the name and the members."""
        return bool(self.name and self.team)


class ConflictStarted(Fact):
    """A conflict begins: two sides, each with its intent (STR-TC-01)."""

    name: Words
    ours: Introduced
    theirs: Introduced
    intent: Words
    their_intent: Words
    team: Sequence[Person]

    event = "scene"
    headline = "{name}"
    says = "{name}: {ours} against {theirs}. Our intent: {intent}. Theirs: {their_intent}."


class ConflictPrepared(Fact):
    """A person prepares before the first round (STR-TC-14)."""

    who: Person
    roll: DiceRoll
    action: str
    came: str

    event = "roll"
    says = "{who} prepares, {action:" + PREPARATION + "}: {roll}, {came:well=well|fairly=fairly|badly}."


class ConflictActed(Fact):
    """A person has chosen an action for this round (STR-TC-02). `action` is "" if it is secret."""

    who: Person
    action: str = ""
    skill: Words = ""

    discreet = True
    says = "{who}{action:?: {action:" + ACTION + "}[ with {skill}]| has chosen, in secret}."


class HelpedBesides(ConflictActed, variant="secondary"):
    """A person with a secondary goal also helps one of the team's rolls (STR-TC-13)."""

    to: str = ""
    value: int = 0

    says = "{who} pursued a secondary goal, and still helps {to:advance=Advance|Defense} by {value}."


class ConflictOpposed(Fact):
    """The opposition has chosen its action (STR-TC-03)."""

    side: TheSide

    discreet = True
    says = "{side}: action chosen, in secret."


class ConflictScouted(Fact):
    """A side has rolled a die of the other side in advance (STR-TC-02, 07)."""

    side: TheSide
    whose: TheSide
    which: str
    roll: DiceRoll

    event = "roll"
    says = "The {which:" + ROLL + "} die of {whose}, scouted by {side}, will be {roll}."
    says_face_down = "The {which:" + ROLL + "} die of {whose}, scouted by {side}, in secret."


# The round


class ConflictStockUsed(Fact):
    """A side uses a Stock Up that was prepared before the first round (STR-TC-14)."""

    side: TheSide
    value: int

    says = "{side} uses what was stocked up: {value:+}."


class WasChosen(Clause):
    """The action that a person or an opposition has chosen in a conflict.

    For a secondary goal, `came` is its result in words.
    """

    action: str
    who: Person = ""
    came: Words = ""

    says = "[{who}: ]{goal:?{who:?secondary goal|a secondary goal[, {came}]}|{action:" + ACTION + "}}"

    @property
    def goal(self) -> bool:
        """Whether the action that was chosen is a secondary goal."""
        return self.action == "secondary"


class ConflictRevealed(Fact):
    """A side's actions for the round are revealed (STR-TC-04)."""

    side: TheSide
    chosen: Sequence[WasChosen]

    event = "reveal"
    says = "{side}: {chosen:?{chosen}|none}."


class ConflictRolled(Fact):
    """A side's two rolls in a round (STR-TC-04). `bare` is true for a round outside any conflict."""

    who: TheSide
    roll: DiceRoll
    against: DiceRoll
    side: str
    bare: bool = False

    event = "roll"
    says = "{bare:?{side:ours=Our side|Their side}|{who}}: Advance {roll}, Defense {against}."


class ConflictRound(Fact):
    """The result of a round's dice (STR-TC-05, 08).

    `shield` is the trait that saves the losers from losing the conflict, "" if there is none. `tied` is the
    event of a double tie.
    """

    outcome: str
    comparison: Mapping[str, str]
    hits: Sides
    shield: Words = ""
    loser: TheSide = ""
    winner: TheSide = ""
    tied: str = ""
    bare: bool = False

    event = "scene"
    headline = (
        "{shield:?{shield} holds|{outcome:push=Push|draw=Draw|double-tie=Double Tie"
        "|{bare:?{winner:ours=Our side|Their side}|{winner}} wins}}"
    )
    says = (
        "{shield:?{loser} would lose: {shield}, a Hit instead, and it goes on"
        "|{outcome:push=Push: {bare:?{bare_hits}|{hits}} {hits:takes|take} a Hit"
        "|draw=Draw: it goes on|double-tie=Double Tie: the conflict ends"
        "|{bare:?{winner:ours=Our side|Their side}|{winner}} wins}}.{tied:? {tied:" + EVENT + "}.}"
    )

    @property
    def bare_hits(self) -> NobodysSides:
        """The sides that take a Hit, as clauses, for a round that belongs to no conflict."""
        return [NobodysSide(side) for side in self.hits]


class NobodysSide(Clause):
    """A side in a conflict round that belongs to no campaign. Such a side has no name."""

    side: str

    says = "{side:ours=Our side|Their side}"


class ConflictRoundClosed(Fact):
    """A round is over, and effects for this round end."""

    round: int


class ConflictHeldUp(Fact):
    """The rest of a round waits until a Hit is decided (STR-TC-07)."""


class ConflictWonDearly(Fact):
    """A side takes Strikes for winning (STR-TC-16)."""

    side: TheSide


class ConflictWinUndone(Fact):
    """A win is averted, and the Strikes that it cost are taken back (STR-TC-10, 16)."""

    side: TheSide
    left: int

    says = "No win yet: {left} Strikes again for {side}."


class ConflictBonus(Fact):
    """A side gets a bonus for the next round, or with `now` for this one."""

    side: TheSide
    which: str
    value: int
    why: Clause
    now: bool = False

    says = "{side} has {value:+} {which:" + ROLL + "} {now:?this round|next round}: {why}."


# Hits, Strikes, traits


class ConflictHit(Fact):
    """A side takes a Hit whose effect has to be decided (STR-TC-06)."""

    side: TheSide
    why: Reason
    options: Sequence[HitOption]

    event = "harm"
    tone = "bad"
    headline = "{side} takes a Hit"
    says = "{side} takes a Hit ({why}): {options}?"


class HitOption(Clause):
    """A possible effect of a Hit: a Strike, a lost trait, or what traits allow in place of these."""

    what: Words

    says = "{what}"


class ConflictHitIgnored(Fact):
    """A trait absorbs a Hit (STR-TC-16)."""

    side: TheSide
    why: Reason
    shield: Words

    event = "save"
    says = "{side} ignores a Hit ({why}): {shield}."


class ConflictHitDecided(Fact):
    """The effect of a Hit is decided."""

    side: TheSide


class ConflictStrikeTaken(Fact):
    """A side takes a Strike (STR-TC-06). A Strike that is `irremovable` can't be removed later."""

    side: TheSide
    why: Reason
    now: int
    irremovable: bool = False

    event = "harm"
    tone = "bad"
    headline = "A Strike on {side}"
    says = "{side} takes {irremovable:?an irremovable Strike|a Strike} ({now} now): {why}."


class ConflictStrikeRemoved(Fact):
    """A Strike is removed."""

    side: TheSide
    why: Reason
    now: int

    event = "heal"
    tone = "good"
    says = "One Strike less for {side} ({now} now): {why}."


class ConflictTraitLost(Fact):
    """A side loses a trait, which it may regain (STR-TC-06)."""

    side: TheSide
    trait: Words

    event = "harm"
    tone = "bad"
    says = "{side} loses {trait}."


class ConflictTraitRegained(Fact):
    """A trait is regained."""

    side: TheSide
    trait: Words
    why: Reason

    event = "heal"
    tone = "good"
    says = "{side} regains {trait}: {why}."


# The end


class ConflictAverted(Fact):
    """An Action Point averts a loss (STR-TC-10)."""

    who: Person
    name: Words

    event = "save"
    tone = "good"
    headline = "The loss is averted"
    says = "{who} averts the loss: {name} goes on."


class ConflictWithdrew(Fact):
    """A person leaves for good (STR-TC-12)."""

    who: Person

    event = "fall"
    headline = "{who} withdraws"
    says = "{who} withdraws, and shares in how it ends."


class ConflictConceded(Fact):
    """A team agrees to lose (STR-TC-11)."""

    side: TheSide
    name: Words
    now: int
    before: int

    closes_scene = True
    event = "scene"
    headline = "{side} concedes"
    says = "{side} concedes {name}; Strikes: {now} in place of {before}."


class ConflictUndecided(Fact):
    """A conflict ends between two rounds, and neither side has won (STR-TC-12a)."""


class ConflictLoserChose(Fact):
    """The losers choose from their list (STR-CORE-16). `label` is the text of the option in the book."""

    option: str
    label: BookWords

    says = "The losers choose: {label}."


class Owed(Clause):
    """A Concession that is owed.

    If `who` is given, it is a personal Concession of that character. Otherwise it is a Minor or Major
    Concession, as `severity` says.
    """

    severity: str = ""
    who: Person = ""

    says = "{who:?a personal Concession of {who}|a {severity:minor=Minor|Major} Concession}"


class ConflictEnded(Fact):
    """A conflict ends, with its aftermath (STR-TC-09).

    `pays` is true if the winners owe Concessions, as players do against an opposition.
    """

    result: str
    name: Words
    winner: TheSide = ""
    loser: TheSide = ""
    intent: Words = ""
    owed: Sequence[Owed] = ()
    pays: bool = False

    closes_scene = True
    names_scene = True
    event = "scene"
    headline = "{winner:?{winner} wins|Undecided}"
    says = (
        "{name} is over. {winner:?{pays:?{winner} wins|{loser} "
        "{result:conceded=has conceded|they-conceded=has conceded|loses}; {winner} gets its way}: {intent}."
        "[ Owed: {owed}.]|Neither side has its way.}"
    )


class ConflictAbandoned(Fact):
    """A conflict is dropped without an aftermath."""

    name: Words

    closes_scene = True
    names_scene = True
    event = "scene"
    headline = "Called off"
    says = "{name} is called off."


# Decisions


class BonusBefore(Decision):
    """The choice of the roll that gets a trait's bonus, before the dice are rolled (STR-TC-16)."""

    side: TheSide
    trait: Words
    value: int

    asks = "{trait} gives {side} {value:+} in this round, before the dice are rolled. To which roll?"
    options = {"advance": "{value:+} Advance", "defense": "{value:+} Defense"}


class BonusAfter(Decision):
    """The choice of the roll that gets a bonus, after the dice are rolled (STR-TC-07, 14, 16).

    `trait` is the trait that gives the bonus; it is "" if a Stock Up gives it.
    """

    side: TheSide
    value: int
    ours: Totals
    theirs: Totals
    trait: Words = ""

    asks = (
        "{trait:?{trait} gives|The stock gives} {side} {value:+} with the dice in sight: "
        "{ours} against {theirs}. To which roll?"
    )


class Totals(Clause):
    """The totals of a side's dice."""

    advance: int
    defense: int

    says = "Advance {advance} and Defense {defense}"


class ComesTo(Clause):
    """An option for the use of a bonus, with the round's outcome if this option is chosen.

    The bonus goes to the Advance or to the Defense, or it is kept.
    """

    which: str
    value: int
    outcome: str

    says = (
        "{which:keep=keep it|advance={value:+} Advance|{value:+} Defense}: "
        "{outcome:push=a Push|draw=a Draw|double-tie=a Double Tie|win=our side wins|our side loses}"
    )


class ConflictLosersOption(Decision):
    """The losers' choice of a way to spoil the win, when a conflict was close (STR-CORE-16)."""

    name: Words
    loser: TheSide

    asks = "{name} was close: {loser} lost. What does the losing side salvage?"


class OptionOfLosers(Clause):
    """An option that the losers may choose, in the words of the book."""

    label: BookWords

    says = "{label}"


class WhichCondition(Decision):
    """The choice of the Condition that a person gets, among those of a severity (STR-TC-09)."""

    who: Person
    severity: str
    name: Words

    asks = "{who} gains a {severity:minor=Minor|Major} Condition from {name}. Which one?"


class OneCondition(Clause):
    """An option: a Condition."""

    condition: Annotated[str, NamedId("conditions")]

    says = "{condition}"
