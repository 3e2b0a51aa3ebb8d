"""Errors that several modules raise; each is a class with its own fields and wording."""

from strike_cli.plugin import Refused
from strike_cli.plugin.refusals import TemplateRefusal


class NoRoundYet(TemplateRefusal, Refused):
    """Raised for a move that needs a round, before the first one has begun."""

    hint: str = "`strike momentum initiative` begins it."

    says = "The first round has not begun."


class NoRoomOn(TemplateRefusal, Refused):
    """Raised for a square on which a creature has no room."""

    square: str
    hint: str = ""

    says = "There is no room on {square}."


class NoStatusEffect(TemplateRefusal, Refused):
    """Raised for a name that isn't one of the book's Status Effects."""

    name: str
    hint: str = ""

    says = "There is no Status Effect {name}."


class NoOutcome(TemplateRefusal, Refused):
    """Raised for a word that names no outcome of a fight."""

    word: str
    hint: str = ""

    says = "{word} is not an outcome."


class NoEndOfStatus(TemplateRefusal, Refused):
    """Raised for a word that names no end of a Status Effect."""

    word: str
    hint: str = ""

    says = "{word} is not an end of a Status Effect."


class CantMove(TemplateRefusal, Refused):
    """Raised for somebody whom a Status Effect keeps in place."""

    who: str
    hint: str = "`strike momentum show` shows their statuses."

    says = "{who} can't move."


class NoAlly(TemplateRefusal, Refused):
    """Raised for a combatant who isn't an ally, where one is needed."""

    who: str
    hint: str = ""

    says = "{who} is not an ally."


class IsObject(TemplateRefusal, Refused):
    """Raised for an object where a creature is needed."""

    who: str
    hint: str = ""

    says = "{who} is an object."


class OnItAlready(TemplateRefusal, Refused):
    """Raised for somebody who is already on the square or the creature that they want to reach."""

    who: str
    what: str
    hint: str = ""

    says = "{who} is on {what} already."


class NoTurnUnderWay(TemplateRefusal, Refused):
    """Raised for a command that needs a turn under way, if there is none."""

    hint: str = "`strike momentum turn` begins the next one."

    says = "Nobody's turn is under way."


class NotTheirTurn(TemplateRefusal, Refused):
    """Raised for a combatant who may do something only on their own turn."""

    who: str
    hint: str = ""

    says = "It is not {who}'s turn."


class NoFreeHand(TemplateRefusal, Refused):
    """Raised if a combatant can't take a thing in hand.

    Either no hand is free, or the combatant holds a thing with the same id already.
    """

    who: str
    hint: str = ""

    says = "{who} has no free hand, or such a weapon already."


class NoStat(TemplateRefusal, Refused):
    """Raised for a word that is not a Stat."""

    word: str
    hint: str = ""

    says = "{word} is not a Stat."


class AimsAtNothing(TemplateRefusal, Refused):
    """Raised for an Ability with an area that is aimed at nothing."""

    who: str
    ability: str
    hint: str = "Add --at SQUARE, or name a target."

    says = "Where does {who} aim {ability}?"
