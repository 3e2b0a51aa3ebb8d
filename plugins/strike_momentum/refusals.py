"""Refusals that stand in several places: each a class, with its fields and one template."""

from strike_cli.plugin import Refused
from strike_cli.plugin.refusals import Stated


class NoRoundYet(Stated, Refused):
    """Before the first round."""

    hint: str = "`strike momentum initiative` begins it."

    says = "The first round has not begun."


class NoRoomOn(Stated, Refused):
    """A square without room."""

    square: str
    hint: str = ""

    says = "There is no room on {square}."


class NoStatusEffect(Stated, Refused):
    """A Status Effect that the book doesn't have."""

    name: str
    hint: str = ""

    says = "There is no Status Effect {name}."


class NoEnd(Stated, Refused):
    """A word that is no end."""

    word: str
    hint: str = ""

    says = "{word} is not an outcome."


class CantMove(Stated, Refused):
    """Somebody whom something keeps in place."""

    who: str
    hint: str = "`strike momentum show` shows their statuses."

    says = "{who} can't move."


class NoAlly(Stated, Refused):
    """Somebody who is no ally."""

    who: str
    hint: str = ""

    says = "{who} is not an ally."


class IsObject(Stated, Refused):
    """A thing where somebody is wanted."""

    who: str
    hint: str = ""

    says = "{who} is an object."


class OnItAlready(Stated, Refused):
    """Somebody is there already."""

    who: str
    what: str
    hint: str = ""

    says = "{who} is on {what} already."


class NoTurnUnderWay(Stated, Refused):
    """It is nobody's turn."""

    hint: str = "`strike momentum turn` begins the next one."

    says = "Nobody's turn is under way."


class NotTheirTurn(Stated, Refused):
    """It is not somebody's turn."""

    who: str
    hint: str = ""

    says = "It is not {who}'s turn."


class NoFreeHand(Stated, Refused):
    """Somebody without a free hand."""

    who: str
    hint: str = ""

    says = "{who} has no free hand, or such a weapon already."


class NoStat(Stated, Refused):
    """A word that is no Stat."""

    word: str
    hint: str = ""

    says = "{word} is not a Stat."


class AimsAtNothing(Stated, Refused):
    """An Ability with an area that is aimed nowhere."""

    who: str
    ability: str
    hint: str = "Add --at SQUARE, or name a target."

    says = "Where does {who} aim {ability}?"
