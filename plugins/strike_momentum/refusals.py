"""Refusals that several modules raise: each a class, with its fields and one template."""

from strike_cli.plugin import Refused
from strike_cli.plugin.refusals import Stated


class NoRoundYet(Stated, Refused):
    """No round has begun yet."""

    hint: str = "`strike momentum initiative` begins it."

    says = "The first round has not begun."


class NoRoomOn(Stated, Refused):
    """The square has no room."""

    square: str
    hint: str = ""

    says = "There is no room on {square}."


class NoStatusEffect(Stated, Refused):
    """The book has no such Status Effect."""

    name: str
    hint: str = ""

    says = "There is no Status Effect {name}."


class NoEnd(Stated, Refused):
    """The word names no end of a status."""

    word: str
    hint: str = ""

    says = "{word} is not an outcome."


class CantMove(Stated, Refused):
    """An effect keeps the combatant in place."""

    who: str
    hint: str = "`strike momentum show` shows their statuses."

    says = "{who} can't move."


class NoAlly(Stated, Refused):
    """The combatant is no ally."""

    who: str
    hint: str = ""

    says = "{who} is not an ally."


class IsObject(Stated, Refused):
    """An object was named where a creature is needed."""

    who: str
    hint: str = ""

    says = "{who} is an object."


class OnItAlready(Stated, Refused):
    """The combatant is on that square already."""

    who: str
    what: str
    hint: str = ""

    says = "{who} is on {what} already."


class NoTurnUnderWay(Stated, Refused):
    """It is nobody's turn."""

    hint: str = "`strike momentum turn` begins the next one."

    says = "Nobody's turn is under way."


class NotTheirTurn(Stated, Refused):
    """It is not the combatant's turn."""

    who: str
    hint: str = ""

    says = "It is not {who}'s turn."


class NoFreeHand(Stated, Refused):
    """The combatant has no free hand."""

    who: str
    hint: str = ""

    says = "{who} has no free hand, or such a weapon already."


class NoStat(Stated, Refused):
    """The word names no Stat."""

    word: str
    hint: str = ""

    says = "{word} is not a Stat."


class AimsAtNothing(Stated, Refused):
    """An Ability with an area was given no aim."""

    who: str
    ability: str
    hint: str = "Add --at SQUARE, or name a target."

    says = "Where does {who} aim {ability}?"
