"""Actions that everybody has: to assess, to improvise, to try something with a Skill."""

from strike_cli.kernel.statements import Clause, Fact, Person
from strike_cli.systems.core.facts.rolls import DiceRolled


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
