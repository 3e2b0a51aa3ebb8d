"""Facts of fights about the order, turns, upkeep, and actions in and between turns."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Square, Words
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Status

from .effects import Power


class TurnStarted(Fact):
    """Somebody's turn begins, the first of its round if `new_round` (STR-TAC-03)."""

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
    """Somebody's turn ends; `cut` if it ended at its beginning, since they are out of the fight."""

    who: Person
    cut: bool = False

    style = "dim"
    in_story = False
    event = "turn"
    says = "{cut:?|{who's} turn ends.}"


class ActionTaken(Fact):
    """An action of the turn is taken, for the act `action` (STR-TAC-04, 05).

    A prepared action is in the player's own words: what to do `then`, and the `trigger`.
    """

    who: Person
    action: str
    then: Words = ""
    trigger: Words = ""

    says = "[{who} prepares to {then} when {trigger}.]"


class PreparedWasted(Fact):
    """Somebody's prepared action expires unused (STR-TAC-05)."""

    who: Person

    says = "{who's} prepared action is wasted: it was never triggered."


class Triggered(Fact):
    """Somebody's prepared action happens now, since its trigger has come (STR-TAC-05)."""

    who: Person
    trigger: Words

    event = "turn"
    headline = "{who} acts"
    says = "[{trigger:cap}: ]{who} acts."


class PreparedImpossible(Fact):
    """Somebody's prepared action can't be done as it was named, and is wasted (STR-TAC-05)."""

    who: Person

    event = "turn"
    tone = "bad"
    says = "{who}'s prepared action can't be done now, and is wasted."


class InterruptOver(Fact):
    """Somebody's action on another's turn is done."""

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
    """Somebody stands up with a Move Action (STR-TAC-07)."""

    who: Person


class Reacted(Fact):
    """An effect limited to once a turn, a round or a fight has happened."""

    who: Person


class Initiative(Clause):
    """Somebody's initiative rolls, one for each turn that they have in a round."""

    who: Person
    totals: Sequence[int]

    says = "{who}: {totals}"


class InitiativeRolled(Fact):
    """Initiative: the `order` of everybody at the start, or the `total` of a `group` that joins later.

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
    """An option: a group of tied combatants acts first."""

    group: Sequence[Person]

    says = "{group} first"


class GoesNext(Clause):
    """The group of tied combatants that acts next, as listed; `first` says that none acts before it."""

    group: Sequence[Person]
    first: bool

    says = "{first:?|then }{group}"


class AsListed(Clause):
    """An option: tied combatants act as they are listed."""

    order: Sequence[GoesNext]

    says = "{order}"


class InitiativeTie(Decision):
    """The choice of the first of combatants tied for initiative (STR-TAC-02)."""

    total: int
    people: Sequence[Person]

    asks = "{people} tie for initiative on {total}. Who acts first?"


class RechargeRolled(Clause):
    """A die that may restore a power."""

    who: Person
    power: Power
    face: int

    says = "{who} rolls for {power}: {face}."


class WhatFirst(Decision):
    """The choice of which effect of a turn's start or end comes first (STR-TAC-03)."""

    who: Person

    asks = "What comes first for {who}?"


class DamageFrom(Clause):
    """An effect of a turn: damage."""

    amount: int
    cause: Reason

    says = "{amount} damage from {cause}"


class HpFrom(Clause):
    """An effect of a turn: healing."""

    amount: int
    cause: Reason

    says = "{amount} HP from {cause}"


class Ends(Clause):
    """An effect of a turn: a status ends."""

    status: Status

    says = "{status} ends"


class Recharges(Clause):
    """An effect of a turn: a die that may restore a power."""

    power: Power

    says = "{power} recharges"


class ImprovisedAttack(Clause):
    """A cause: an unnamed improvised attack (STR-TAC-14)."""

    says = "an improvised attack"


class ImprovisedEffect(Clause):
    """The effect of an improvised attack besides its damage; it is less when used `again` (STR-TAC-14)."""

    again: bool

    says = "an effect, {again:?weaker than before|strong}, as the game master says."


class Improvised(Fact):
    """Somebody has improvised an attack in this fight (STR-TAC-14)."""

    who: Person


class AssessRolled(DiceRolled, variant="assess"):
    """A die decides how many questions may be asked (STR-TAC-13)."""

    questions: int

    headline = "{questions:One question|{questions} questions}"
    says = "{who} assesses: {roll}, {questions:one question|{questions} questions}."


class TwistWastes(Clause):
    """A possible Twist of a Skill Roll in a fight (STR-TAC-14)."""

    action: str

    says = "A Twist: it may be no more than the {action:attack=attack|move=move|role} action wasted."


class CantAttack(Clause):
    """A reason: somebody can't make a granted attack, or the attack of a charge at a `target`.

    `because` is the cause, if it is known.
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
    """The choice of a power for a granted attack (STR-TAC-04)."""

    who: Person
    power: Reason

    asks = "[{power}: ]{who} may attack at once. With what?"


class AttackWhom(Decision):
    """The choice of a target for a granted attack (STR-TAC-04)."""

    who: Person
    power: Reason
    granted_by: Reason

    asks = "[{granted_by}: ]{who} may attack at once with {power}. Whom?"


class NoAttack(Clause):
    """An option: the attack isn't made."""

    says = "no attack"


class Compelled(Clause):
    """An act that a loss of control forces on somebody.

    `origin` is the creature that the act is about, `status` a status that the act gives; `words` name any
    other act.
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
    """A die decides the act of somebody who has lost control (STR-TAC-25)."""

    status: Reason
    does: Sequence[Compelled]

    says = "{who} is {status}: {roll}, {does:and}."


class Dominated(Fact):
    """Somebody's acts in their turn are decided by another (STR-TAC-25)."""

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
    """A cause of an Opportunity: leaving a square."""

    square: Square

    says = "leaving {square}"


class AttackingBeside(Clause):
    """A cause of an Opportunity: an attack at range next to the enemy who gets it."""

    says = "making a ranged attack next to it"


class DoingWhile(Clause):
    """A cause of an Opportunity: an act while having a status; `words` is a plugin's word for the act."""

    act: str
    status: Reason
    words: Reason = ""

    says = (
        "{act:gaining=becoming {status}|{act:shifting=shifting|attacking=attacking|being=being|{words}} "
        "while {status}}"
    )


class TakeOpportunity(Decision):
    """The decision whether to take an Opportunity (STR-TAC-08)."""

    who: Person
    target: Person
    damage: int
    why: Reason

    asks = "{target} gives {who} an Opportunity[ by {why}]: strike for {damage} damage?"
    options = {"take": "{who} strikes at {target} for {damage} damage", "pass": "let it pass"}


class OpportunityFrom(Clause):
    """A price: somebody's Opportunity, and the HP that it would take."""

    who: Person
    damage: int

    says = "{who} ({damage} damage)"


class GivingOpportunities(Clause):
    """A price: Opportunities that are given."""

    to: Sequence[OpportunityFrom]

    says = "giving {to:an Opportunity|Opportunities} to {to}"
