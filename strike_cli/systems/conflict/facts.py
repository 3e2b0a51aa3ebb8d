"""What a Team Conflict tells, and asks. No rule is here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    NESTED,
    BookWords,
    Clause,
    Decision,
    Fact,
    Listed,
    Named,
    Person,
    Reason,
    Typed,
    TypedName,
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
"""What may come between the sides (STR-TC-08)."""


TheSide = Annotated[str, TypedName("side")]
"""A side of a conflict: "ours" or "theirs"."""
Sides = Annotated[Sequence[str], Listed(TypedName("side"), " and ")]
People = Annotated[Sequence[str], Listed(Named("person"), ", ")]
NobodysSides = Annotated["Sequence[NobodysSide]", Listed(NESTED, " and ")]
Names = Annotated[Sequence[str], Listed(Typed(), ", ")]
"""Names that somebody typed: of traits."""


# Reasons


class OwnNumber(Clause):
    """By the number that a side has for a roll."""

    which: str

    says = "{which:" + ROLL + "}"


class HasCondition(Clause):
    """By a Condition of somebody's (STR-TC-15)."""

    who: Person
    condition: Condition

    says = "{who}: {condition}"


class HasFlaw(Clause):
    """By a Flaw of what somebody acts with (STR-TC-15)."""

    who: Person
    on: Words

    says = "{who}: {on}"


class OfAction(Clause):
    """By what somebody does in this round, or an opposition does."""

    action: str
    by: Person = ""
    side: TheSide = ""

    says = "{by:?{by's}|{side's}} {action:" + ACTION + "|secondary goal}"


class OfPreparation(Clause):
    """By what was prepared, by somebody (STR-TC-14)."""

    action: str
    by: Person = ""

    says = "{by:?{by's} |}{action:" + PREPARATION + "}"


class OfOutcome(Clause):
    """By what the dice have come to (STR-TC-05)."""

    outcome: str

    says = "{outcome:push=Push|draw=Draw|win=Win|lose=Lose|Double-tie}"


class OfTeamTrait(Clause):
    """By a trait of a side."""

    name: Words

    says = "{name}"


class OfAHit(Clause):
    """By a Hit, and what that came of."""

    why: Reason = ""

    says = "a Hit[, {why}]"


class LossAverted(Clause):
    """Because a loss was averted (STR-TC-10)."""

    says = "the loss averted"


class CostlyWin(Clause):
    """Because winning costs (STR-TC-16)."""

    says = "a costly win"


# How it begins


class Introduced(Clause):
    """A side as it begins: its people, or an opposition's numbers, and its traits.

    `name` is left out of a team that has none of its own.
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
        """Whether something stands between name and people."""
        return bool(self.name and self.team)


class ConflictStarted(Fact):
    """A conflict begins: two sides, each with what it is after (STR-TC-01)."""

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
    """Somebody prepares before the first round (STR-TC-14)."""

    who: Person
    roll: DiceRoll
    action: str
    came: str

    event = "roll"
    says = "{who} prepares, {action:" + PREPARATION + "}: {roll}, {came:well=well|fairly=fairly|badly}."


class ConflictActed(Fact):
    """Somebody has chosen what they do in this round (STR-TC-02). `action` is "" where it is a secret."""

    who: Person
    action: str = ""
    skill: Words = ""

    discreet = True
    says = "{who}{action:?: {action:" + ACTION + "}[ with {skill}]| has chosen, in secret}."


class HelpedBesides(ConflictActed, variant="secondary"):
    """Somebody was after a secondary goal, and helps one of the team's rolls all the same (STR-TC-13)."""

    to: str = ""
    value: int = 0

    says = "{who} pursued a secondary goal, and still helps {to:advance=Advance|Defense} by {value}."


class ConflictOpposed(Fact):
    """The opposition has chosen its action (STR-TC-03)."""

    side: TheSide

    discreet = True
    says = "{side}: action chosen, in secret."


class ConflictScouted(Fact):
    """A die of the other side is rolled before its time (STR-TC-02, 07)."""

    side: TheSide
    whose: TheSide
    which: str
    roll: DiceRoll

    event = "roll"
    says = "The {which:" + ROLL + "} die of {whose}, scouted by {side}, will be {roll}."
    says_face_down = "The {which:" + ROLL + "} die of {whose}, scouted by {side}, in secret."


# The round


class ConflictStockUsed(Fact):
    """What was stocked up before the first round is used (STR-TC-14)."""

    side: TheSide
    value: int

    says = "{side} uses what was stocked up: {value:+}."


class WasChosen(Clause):
    """What somebody, or an opposition, has chosen; of a secondary goal what came of it."""

    action: str
    who: Person = ""
    came: Words = ""

    says = "[{who}: ]{goal:?{who:?secondary goal|a secondary goal[, {came}]}|{action:" + ACTION + "}}"

    @property
    def goal(self) -> bool:
        """Whether it is a secondary goal."""
        return self.action == "secondary"


class ConflictRevealed(Fact):
    """What a side has chosen for the round (STR-TC-04)."""

    side: TheSide
    chosen: Sequence[WasChosen]

    event = "reveal"
    says = "{side}: {chosen:?{chosen}|none}."


class ConflictRolled(Fact):
    """A side's dice (STR-TC-04); `bare` ones are of nobody in particular."""

    who: TheSide
    roll: DiceRoll
    against: DiceRoll
    side: str
    bare: bool = False

    event = "roll"
    says = "{bare:?{side:ours=Our side|Their side}|{who}}: Advance {roll}, Defense {against}."


class ConflictRound(Fact):
    """The result of the dice of a round (STR-TC-05, 08).

    `shield` is the trait by which the losers don't lose, `tied` the event between the sides in a double tie.
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
        """The sides that are hit, of a round of nobody in particular."""
        return [NobodysSide(side) for side in self.hits]


class NobodysSide(Clause):
    """A side of a round of nobody in particular."""

    side: str

    says = "{side:ours=Our side|Their side}"


class ConflictRoundClosed(Fact):
    """A round is over: what was for it alone goes."""

    round: int


class ConflictHeldUp(Fact):
    """A Hit waits for what it does, and the rest of the round with it (STR-TC-07)."""


class ConflictWonDearly(Fact):
    """What a win has cost (STR-TC-16)."""

    side: TheSide


class ConflictWinUndone(Fact):
    """A win is none, and has cost nothing (STR-TC-10, 16)."""

    side: TheSide
    left: int

    says = "No win yet: {left} Strikes again for {side}."


class ConflictBonus(Fact):
    """A side has a bonus for a round to come, or for this one."""

    side: TheSide
    which: str
    value: int
    why: Clause
    now: bool = False

    says = "{side} has {value:+} {which:" + ROLL + "} {now:?this round|next round}: {why}."


# Hits, Strikes, traits


class ConflictHit(Fact):
    """A side takes a Hit that waits for what it does (STR-TC-06)."""

    side: TheSide
    why: Reason
    options: Sequence[HitOption]

    event = "harm"
    tone = "bad"
    headline = "{side} takes a Hit"
    says = "{side} takes a Hit ({why}): {options}?"


class HitOption(Clause):
    """What a Hit may do: a Strike, a trait, or what traits allow in place of both."""

    what: Words

    says = "{what}"


class ConflictHitIgnored(Fact):
    """A trait takes a Hit (STR-TC-16)."""

    side: TheSide
    why: Reason
    shield: Words

    event = "save"
    says = "{side} ignores a Hit ({why}): {shield}."


class ConflictHitDecided(Fact):
    """One of the Hits that wait is decided."""

    side: TheSide


class ConflictStrikeTaken(Fact):
    """A Strike (STR-TC-06); `irremovable` ones stay."""

    side: TheSide
    why: Reason
    now: int
    irremovable: bool = False

    event = "harm"
    tone = "bad"
    headline = "A Strike on {side}"
    says = "{side} takes {irremovable:?an irremovable Strike|a Strike} ({now} now): {why}."


class ConflictStrikeRemoved(Fact):
    """A Strike less."""

    side: TheSide
    why: Reason
    now: int

    event = "heal"
    tone = "good"
    says = "One Strike less for {side} ({now} now): {why}."


class ConflictTraitLost(Fact):
    """A trait is lost, unless it is regained (STR-TC-06)."""

    side: TheSide
    trait: Words

    event = "harm"
    tone = "bad"
    says = "{side} loses {trait}."


class ConflictTraitRegained(Fact):
    """A trait is back."""

    side: TheSide
    trait: Words
    why: Reason

    event = "heal"
    tone = "good"
    says = "{side} regains {trait}: {why}."


# How it ends


class ConflictAverted(Fact):
    """An Action Point averts a loss (STR-TC-10)."""

    who: Person
    name: Words

    event = "save"
    tone = "good"
    headline = "The loss is averted"
    says = "{who} averts the loss: {name} goes on."


class ConflictWithdrew(Fact):
    """Somebody leaves for good (STR-TC-12)."""

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
    """It ends after a round, and neither side has won (STR-TC-12a)."""


class ConflictLoserChose(Fact):
    """The losers choose from their list (STR-CORE-16). `label` is that of the option, as the book has it."""

    option: str
    label: BookWords

    says = "The losers choose: {label}."


class Owed(Clause):
    """A Concession that is owed: of a severity, or a personal one of somebody."""

    severity: str = ""
    who: Person = ""

    says = "{who:?a personal Concession of {who}|a {severity:minor=Minor|Major} Concession}"


class ConflictEnded(Fact):
    """The end of a conflict, with its aftermath (STR-TC-09).

    `pays` says that the winners pay with Concessions: they are players against an opposition.
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
    """A conflict is dropped as it stands."""

    name: Words

    closes_scene = True
    names_scene = True
    event = "scene"
    headline = "Called off"
    says = "{name} is called off."


# What is asked


class BonusBefore(Decision):
    """Which roll a trait's bonus of choice helps, before the dice (STR-TC-16)."""

    side: TheSide
    trait: Words
    value: int

    asks = "{trait} gives {side} {value:+} in this round, before the dice are rolled. To which roll?"
    options = {"advance": "{value:+} Advance", "defense": "{value:+} Defense"}


class BonusAfter(Decision):
    """The choice of the roll that a bonus helps, with the dice in sight (STR-TC-07, 14, 16).

    `trait` is "" for what was stocked up.
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
    """What a side's dice come to."""

    advance: int
    defense: int

    says = "Advance {advance} and Defense {defense}"


class ComesTo(Clause):
    """What a bonus on a roll, or none, makes of the round."""

    which: str
    value: int
    outcome: str

    says = (
        "{which:keep=keep it|advance={value:+} Advance|{value:+} Defense}: "
        "{outcome:push=a Push|draw=a Draw|double-tie=a Double Tie|win=our side wins|our side loses}"
    )


class ConflictLosersOption(Decision):
    """How the losers of a close conflict spoil the win (STR-CORE-16)."""

    name: Words
    loser: TheSide

    asks = "{name} was close: {loser} lost. What does the losing side salvage?"


class OptionOfLosers(Clause):
    """One of the list, as the book has it."""

    label: BookWords

    says = "{label}"


class WhichCondition(Decision):
    """Which Condition of a severity somebody gains (STR-TC-09)."""

    who: Person
    severity: str
    name: Words

    asks = "{who} gains a {severity:minor=Minor|Major} Condition from {name}. Which one?"


class OneCondition(Clause):
    """A Condition."""

    condition: Annotated[str, Named("conditions")]

    says = "{condition}"
