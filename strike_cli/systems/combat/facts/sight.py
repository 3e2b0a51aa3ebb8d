"""Who is seen, and what is in the way."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Fact, Person, Reason, Square, Zone


class Hiding(Fact):
    """Somebody begins to hide (STR-TAC-23)."""

    who: Person

    says = "{who} hides: Hidden at the start of the next turn, if no enemy sees them until then."


class Spotted(Fact):
    """An enemy sees somebody who hides, or is Hidden (STR-TAC-23)."""

    who: Person
    by: Person

    event = "reveal"
    unseen = ("by",)
    says = "{by} sees {who}."


class Bumped(Fact):
    """Somebody comes upon somebody who is Hidden (STR-TAC-23)."""

    who: Person
    at: Square

    event = "reveal"
    says = "{who} bumps into somebody unseen[ on {at}]."


class Exposed(Fact):
    """Somebody has come into the open by what they do."""

    who: Person


class ActionOver(Fact):
    """An action is done, and what it exposed can be seen."""


class Glimpsed(Fact):
    """Somebody who attacks unseen is seen until the turn is over (STR-TAC-22)."""

    who: Person


class Wall(Clause):
    """A wall is in the way of eyes (STR-TAC-22)."""

    says = "a wall is in the way"


class IsHidden(Clause):
    """Nobody knows where somebody is (STR-TAC-23)."""

    says = "Hidden"


class Veiled(Clause):
    """Zones hide somebody, since one of two is in them, or they lie between (STR-TAC-22)."""

    zones: Sequence[Zone]

    says = "{zones}"


class TargetConcealed(Clause):
    """What hides a target (STR-TAC-20, 22)."""

    by: Reason

    says = "target concealed: {by}"


class TargetInCover(Clause):
    """A target is in cover (STR-TAC-24)."""

    says = "target in cover"
