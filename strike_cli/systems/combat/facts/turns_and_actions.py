"""Facts of fights about the turn order, turns, and actions during and between turns."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Square, Words
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Status

from .effects_and_causes import Power


class TurnStarted(Fact):
    """A creature's turn begins. `new_round` is true if it is the first turn of its round (STR-TAC-03)."""

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
    """A creature's turn ends.

    `cut` is true if it ended as soon as it began, because the creature is out of the fight.
    """

    who: Person
    cut: bool = False

    style = "dim"
    in_story = False
    event = "turn"
    says = "{cut:?|{who's} turn ends.}"


class ActionTaken(Fact):
    """A creature spends an action of its turn on `action`, the name of an act (STR-TAC-04, 05).

    For a prepared action, `then` is what the creature will do and `trigger` the event that triggers it, both
    in the player's own words.
    """

    who: Person
    action: str
    then: Words = ""
    trigger: Words = ""

    says = "[{who} prepares to {then} when {trigger}.]"


class PreparedWasted(Fact):
    """A creature's prepared action expires, since its trigger never came (STR-TAC-05)."""

    who: Person

    says = "{who's} prepared action is wasted: it was never triggered."


class Triggered(Fact):
    """The trigger of a creature's prepared action has come, and the creature acts (STR-TAC-05)."""

    who: Person
    trigger: Words

    event = "turn"
    headline = "{who} acts"
    says = "[{trigger:cap}: ]{who} acts."


class PreparedImpossible(Fact):
    """A creature's prepared action is wasted, since the rules don't allow it as described (STR-TAC-05)."""

    who: Person

    event = "turn"
    tone = "bad"
    says = "{who}'s prepared action can't be done now, and is wasted."


class InterruptOver(Fact):
    """A creature has finished an action that it took during another creature's turn."""

    who: Person


class Delayed(Fact):
    """A creature gives up its turn in order to act later (STR-TAC-06)."""

    who: Person

    event = "turn"
    says = "{who} delays."


class Resumed(Fact):
    """A creature that delayed acts now (STR-TAC-06)."""

    who: Person

    event = "turn"
    headline = "{who's} turn"
    says = "{who} acts now."


class Stood(Fact):
    """A creature stands up with a Move Action (STR-TAC-07)."""

    who: Person


class Reacted(Fact):
    """A creature has used a reaction that is limited to once a turn, round or fight; the use is recorded."""

    who: Person


class Initiative(Clause):
    """A creature's initiative totals, one for each turn that it has in a round."""

    who: Person
    totals: Sequence[int]

    says = "{who}: {totals}"


class InitiativeRolled(Fact):
    """Initiative was rolled (STR-TAC-01, 02).

    At the start of a fight, `order` is the turn order. For creatures that join later, `group` and `total` are
    set. For a summoned creature that acts right after its summoner none of the three is set, and nothing is
    reported.
    """

    who: Person = ""
    rolls: Sequence[DiceRoll] = ()
    order: Sequence[Initiative] = ()
    group: Sequence[Person] = ()
    total: int = 0

    event = "roll"
    says = "[Initiative: {order}.][{group:list}: initiative {total}.]"


class GoesFirst(Clause):
    """An option in a tie for initiative: the combatants in `group` act first."""

    group: Sequence[Person]

    says = "{group} first"


class GoesNext(Clause):
    """Tied combatants that act next, in the order of the list. `first` is true if nobody acts before them."""

    group: Sequence[Person]
    first: bool

    says = "{first:?|then }{group}"


class AsListed(Clause):
    """An option: tied combatants act in the order in which they are listed."""

    order: Sequence[GoesNext]

    says = "{order}"


class InitiativeTie(Decision):
    """The choice of who acts first among combatants with equal initiative (STR-TAC-02)."""

    total: int
    people: Sequence[Person]

    asks = "{people} tie for initiative on {total}. Who acts first?"


class RechargeRolled(Clause):
    """A die roll that may recharge a power."""

    who: Person
    power: Power
    face: int

    says = "{who} rolls for {power}: {face}."


class WhatFirst(Decision):
    """The choice of which effect at the start or end of a turn is played first (STR-TAC-03)."""

    who: Person

    asks = "What comes first for {who}?"


class DamageFrom(Clause):
    """An effect at the start or end of a turn: damage."""

    amount: int
    cause: Reason

    says = "{amount} damage from {cause}"


class HpFrom(Clause):
    """An effect at the start or end of a turn: healing."""

    amount: int
    cause: Reason

    says = "{amount} HP from {cause}"


class Ends(Clause):
    """The end of a status, at the start or the end of a turn."""

    status: Status

    says = "{status} ends"


class Recharges(Clause):
    """An effect at the start or end of a turn: a die roll that may recharge a power."""

    power: Power

    says = "{power} recharges"


class ImprovisedAttack(Clause):
    """A cause: an improvised attack that has no name (STR-TAC-14)."""

    says = "an improvised attack"


class ImprovisedEffect(Clause):
    """The effect of an improvised attack besides its damage.

    If `again` is true, it is weaker than the first time (STR-TAC-14).
    """

    again: bool

    says = "an effect, {again:?weaker than before|strong}, as the game master says."


class Improvised(Fact):
    """A creature has used up a way to improvise an attack in this fight (STR-TAC-14)."""

    who: Person


class AssessRolled(DiceRolled, variant="assess"):
    """A die roll that decides how many questions a character may ask (STR-TAC-13)."""

    questions: int

    headline = "{questions:One question|{questions} questions}"
    says = "{who} assesses: {roll}, {questions:one question|{questions} questions}."


class TwistWastes(Clause):
    """A note to a Skill Roll in a fight: the most that a Twist may do is waste the action (STR-TAC-14)."""

    action: str

    says = "A Twist: it may be no more than the {action:attack=attack|move=move|role} action wasted."


class CantAttack(Clause):
    """The reason why a creature can't make an attack.

    The attack is granted by an effect, or it ends a charge at the creature `target`. `because` is the effect
    that prevents the attack, if it is known.
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
    """The choice of the power for an attack that an effect grants (STR-TAC-04)."""

    who: Person
    power: Reason

    asks = "[{power}: ]{who} may attack at once. With what?"


class AttackWhom(Decision):
    """The choice of the target of an attack that an effect grants (STR-TAC-04)."""

    who: Person
    power: Reason
    granted_by: Reason

    asks = "[{granted_by}: ]{who} may attack at once with {power}. Whom?"


class NoAttack(Clause):
    """An option: not to make the attack."""

    says = "no attack"


class Compelled(Clause):
    """A forced act of a creature that has lost control.

    `do` is the act, and `origin` is the creature towards which, or away from which, it is done. If the act is
    only to gain a status, `status` names it. `words` describe an act of another kind.
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
    """A creature has lost the remaining actions of its turn."""

    who: Person


class ControlRolled(DiceRolled, variant="control"):
    """The die roll that decides what a creature without control of itself does (STR-TAC-25)."""

    status: Reason
    does: Sequence[Compelled]

    says = "{who} is {status}: {roll}, {does:and}."


class Dominated(Fact):
    """Another creature, `decided_by`, decides what `who` does in this turn (STR-TAC-25)."""

    who: Person
    decided_by: Person

    event = "turn"
    tone = "bad"
    says = "{decided_by} decides what {who} does."


class OpportunityTaken(Fact):
    """A creature takes the Opportunity that `target` gives it (STR-TAC-08)."""

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
    """A cause of an Opportunity: a ranged attack made next to an enemy."""

    says = "making a ranged attack next to it"


class DoingWhile(Clause):
    """A cause of an Opportunity: an act by a creature that has a status.

    `words` are a plugin's words for the act.
    """

    act: str
    status: Reason
    words: Reason = ""

    says = (
        "{act:gaining=becoming {status}|{act:shifting=shifting|attacking=attacking|being=being|{words}} "
        "while {status}}"
    )


class TakeOpportunity(Decision):
    """The question whether `who` takes an Opportunity (STR-TAC-08)."""

    who: Person
    target: Person
    damage: int
    why: Reason

    asks = "{target} gives {who} an Opportunity[ by {why}]: strike for {damage} damage?"
    options = {"take": "{who} strikes at {target} for {damage} damage", "pass": "let it pass"}


class OpportunityFrom(Clause):
    """The Opportunity of one enemy, as a part of the price of an action.

    `who` is the enemy, and `damage` is the damage that the Opportunity would deal.
    """

    who: Person
    damage: int

    says = "{who} ({damage} damage)"


class GivingOpportunities(Clause):
    """What an act costs: enemies get Opportunities."""

    to: Sequence[OpportunityFrom]

    says = "giving {to:an Opportunity|Opportunities} to {to}"
