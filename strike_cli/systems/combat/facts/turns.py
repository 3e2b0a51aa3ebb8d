"""What fights say of the order, turns, upkeep, and the actions in and between them."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Square, Words
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Status

from .effects import Power


class TurnStarted(Fact):
    """Somebody's turn begins, the first of a round where that is new (STR-TAC-03)."""

    who: Person
    round: int
    new_round: bool = False

    style = "title"
    begins_turn = True
    first_of_round = "new_round"
    event = "turn"
    headline = "{who's} turn"
    says = "{new_round:?Round {round}. |}{who's} turn."


class TurnEnded(Fact):
    """Somebody's turn ends; `cut` where it ended as it began, since they are out of the fight."""

    who: Person
    cut: bool = False

    style = "dim"
    in_story = False
    event = "turn"
    says = "{cut:?|{who's} turn ends.}"


class ActionTaken(Fact):
    """One of the turn's actions is taken, for `action` (STR-TAC-04, 05).

    A prepared action stands in somebody's own words: what to do `then`, and the `trigger`.
    """

    who: Person
    action: str
    then: Words = ""
    trigger: Words = ""

    says = "[{who} prepares to {then} when {trigger}.]"


class PreparedWasted(Fact):
    """What somebody prepared never came to it (STR-TAC-05)."""

    who: Person

    says = "{who's} prepared action is wasted: it was never triggered."


class Triggered(Fact):
    """What somebody prepared happens now, since its trigger has come (STR-TAC-05)."""

    who: Person
    trigger: Words

    event = "turn"
    headline = "{who} acts"
    says = "[{trigger:cap}: ]{who} acts."


class PreparedImpossible(Fact):
    """What somebody prepared can't be done as it was named, and is wasted (STR-TAC-05)."""

    who: Person

    event = "turn"
    tone = "bad"
    says = "{who}'s prepared action can't be done now, and is wasted."


class InterruptOver(Fact):
    """What somebody did on another's turn is done."""

    who: Person


class Delayed(Fact):
    """Somebody gives up their turn, to act later (STR-TAC-06)."""

    who: Person

    event = "turn"
    says = "{who} delays."


class Resumed(Fact):
    """Somebody who delayed acts now (STR-TAC-06)."""

    who: Person

    event = "turn"
    headline = "{who's} turn"
    says = "{who} acts now."


class Stood(Fact):
    """A Move Action is taken to stand up (STR-TAC-07)."""

    who: Person


class Reacted(Fact):
    """Something that is done once a turn, a round or a fight has been done."""

    who: Person


class Initiative(Clause):
    """What somebody rolled for initiative, once for each turn that they have in a round."""

    who: Person
    totals: Sequence[int]

    says = "{who}: {totals}"


class InitiativeRolled(Fact):
    """Initiative: the `order` of everybody as the fight begins, or the `total` of a `group` that comes later.

    A summon that acts after its maker has neither (STR-TAC-01, 02).
    """

    who: Person = ""
    rolls: Sequence[DiceRoll] = ()
    order: Sequence[Initiative] = ()
    group: Sequence[Person] = ()
    total: int = 0

    event = "roll"
    says = "[Initiative: {order}.][{group:list}: initiative {total}.]"


class GoesFirst(Clause):
    """An option: those who act first of those who tie."""

    group: Sequence[Person]

    says = "{group} first"


class GoesNext(Clause):
    """Those who act next of those who tie, as they are listed; `first` of them all."""

    group: Sequence[Person]
    first: bool

    says = "{first:?|then }{group}"


class AsListed(Clause):
    """An option: those who tie act as they are listed."""

    order: Sequence[GoesNext]

    says = "{order}"


class InitiativeTie(Decision):
    """Who acts first of those who tie for initiative (STR-TAC-02)."""

    total: int
    people: Sequence[Person]

    asks = "{people} tie for initiative on {total}. Who acts first?"


class RechargeRolled(Clause):
    """A die for a power that it may bring back."""

    who: Person
    power: Power
    face: int

    says = "{who} rolls for {power}: {face}."


class WhatFirst(Decision):
    """Which effect of the start or end of a turn comes first (STR-TAC-03)."""

    who: Person

    asks = "What comes first for {who}?"


class DamageFrom(Clause):
    """An effect of a turn: so much damage."""

    amount: int
    cause: Reason

    says = "{amount} damage from {cause}"


class HpFrom(Clause):
    """An effect of a turn: so many HP."""

    amount: int
    cause: Reason

    says = "{amount} HP from {cause}"


class Ends(Clause):
    """An effect of a turn: a status ends."""

    status: Status

    says = "{status} ends"


class Recharges(Clause):
    """An effect of a turn: a die that may bring a power back."""

    power: Power

    says = "{power} recharges"


class ImprovisedAttack(Clause):
    """A cause: an attack that is on no sheet and that nobody has named (STR-TAC-14)."""

    says = "an improvised attack"


class ImprovisedEffect(Clause):
    """What an improvised attack does besides its damage, less when somebody does it `again` (STR-TAC-14)."""

    again: bool

    says = "an effect, {again:?weaker than before|strong}, as the game master says."


class Improvised(Fact):
    """Somebody has improvised an attack in this fight (STR-TAC-14)."""

    who: Person


class AssessRolled(DiceRolled, variant="assess"):
    """A die says how many questions may be asked (STR-TAC-13)."""

    questions: int

    headline = "{questions:One question|{questions} questions}"
    says = "{who} assesses: {roll}, {questions:one question|{questions} questions}."


class TwistWastes(Clause):
    """What a Twist of a Skill Roll in a fight may be (STR-TAC-14)."""

    action: str

    says = "A Twist: it may be no more than the {action:attack=attack|move=move|role} action wasted."


class CantAttack(Clause):
    """Somebody who was granted an attack, or charged at a `target`, can't make it.

    The reason is known or not.
    """

    who: Person
    how: str = ""
    target: Person = ""
    because: Reason = ""

    unseen = ("target",)
    says = (
        "{who} {how:now=can't attack now.|nobody=has nobody to attack.|can't attack {target}[: {because}].}"
    )


class AttackWith(Decision):
    """With what somebody makes an attack that they are granted (STR-TAC-04)."""

    who: Person
    power: Reason

    asks = "[{power}: ]{who} may attack at once. With what?"


class AttackWhom(Decision):
    """Whom somebody attacks who is granted an attack (STR-TAC-04)."""

    who: Person
    power: Reason
    granted_by: Reason

    asks = "[{granted_by}: ]{who} may attack at once with {power}. Whom?"


class NoAttack(Clause):
    """An option: the attack isn't made."""

    says = "no attack"


class Compelled(Clause):
    """An act of somebody who isn't their own master.

    It is about the one whom it comes of, or a status that it gives them; `words` are for anything else that
    befalls them.
    """

    do: str
    origin: Person = ""
    status: Status = ""
    words: Reason = ""

    unseen = ("origin",)
    says = (
        "{words:?{words}|{do:run-at=a run at |run-from=a run from |take-cover=into cover from "
        "|charge=a charge at |melee=a Melee Basic Attack on |ranged=a Ranged Basic Attack on |{status}}"
        "{status:?|{origin:?{origin}|nobody}}}"
    )


class TurnSpent(Fact):
    """Somebody has no action left in this turn."""

    who: Person


class ControlRolled(DiceRolled, variant="control"):
    """A die says what somebody does who isn't their own master (STR-TAC-25)."""

    status: Reason
    does: Sequence[Compelled]

    says = "{who} is {status}: {roll}, {does:and}."


class Dominated(Fact):
    """Another decides what somebody does in their turn (STR-TAC-25)."""

    who: Person
    decided_by: Person

    event = "turn"
    tone = "bad"
    says = "{decided_by} decides what {who} does."


class OpportunityTaken(Fact):
    """Somebody takes an Opportunity that the `target` gives (STR-TAC-08)."""

    who: Person
    target: Person
    why: Reason

    style = "warn"
    event = "hit"
    headline = "An Opportunity"
    unseen = ("who", "target")
    says = "{target} gives {who} an Opportunity[ by {why}]."


class Leaving(Clause):
    """By leaving a square."""

    square: Square

    says = "leaving {square}"


class AttackingBeside(Clause):
    """By an attack at range next to the one who gets it."""

    says = "making a ranged attack next to it"


class DoingWhile(Clause):
    """By what somebody does while they have something; `words` for it are a plugin's."""

    act: str
    status: Reason
    words: Reason = ""

    says = (
        "{act:gaining=becoming {status}|{act:shifting=shifting|attacking=attacking|being=being|{words}} "
        "while {status}}"
    )


class TakeOpportunity(Decision):
    """Whether to take an Opportunity (STR-TAC-08)."""

    who: Person
    target: Person
    damage: int
    why: Reason

    asks = "{target} gives {who} an Opportunity[ by {why}]: strike for {damage} damage?"
    options = {"take": "{who} strikes at {target} for {damage} damage", "pass": "let it pass"}


class OpportunityFrom(Clause):
    """Somebody's Opportunity, and the HP that it would take."""

    who: Person
    damage: int

    says = "{who} ({damage} damage)"


class GivingOpportunities(Clause):
    """A price: Opportunities that are given."""

    to: Sequence[OpportunityFrom]

    says = "giving {to:an Opportunity|Opportunities} to {to}"
