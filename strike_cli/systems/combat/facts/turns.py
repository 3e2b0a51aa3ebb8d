"""Turns and their actions."""

from strike_cli.kernel.statements import Fact, Person, Words


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
