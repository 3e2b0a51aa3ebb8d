"""What fights say of moves, forced ones among them, and of sight."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Somebody, Square, Zone


class WillMove(Clause):
    """Somebody is about to move to a square."""

    who: Person
    to: Square

    says = "{who} moves[ to {to}]"


class Moved(Fact):
    """Somebody has moved `how`: they "move", "shift" or "charge"; or they get no further.

    The squares of start and end are None for somebody who is out of the fight by then.
    """

    who: Person
    how: str = "move"
    start: Square | None = None
    to: Square | None = None

    event = "move"
    says = "{who} {stuck:?gets no further|{how:shift=shifts|charge=charges|moves}[ from {start}][ to {to}]}."

    @property
    def stuck(self) -> bool:
        """Whether the movement ended early."""
        return self.to is None or self.to == self.start


class Stayed(Fact):
    """Somebody would rather stay than pay what a way costs, or hold back than attack: then `at` is ""."""

    who: Person
    at: Square = ""

    says = "{who} {held_back:?holds back|stays[ on {at}]}."

    @property
    def held_back(self) -> bool:
        """Whether an attack was held back, and no move."""
        return not self.at


class Stepped(Fact):
    """Somebody has come to stand on another square."""

    who: Person


class Swapped(Fact):
    """Two change places."""

    who: Person
    other: Person

    event = "move"
    unseen = ("who", "other")
    says = "{who} and {other} change places."


class Shifting(Fact):
    """Somebody is about to shift by an effect."""

    who: Person


class GoesBy(Clause):
    """What somebody is about to do: go these squares."""

    squares: Sequence[Square]

    says = "goes by {squares}"


class ThroughZone(Clause):
    """What a way costs: a zone that hurts."""

    zone: Zone
    damage: int

    says = "through {zone} ({damage} damage)"


class GoOrStay(Decision):
    """Whether somebody means what they are about to do, at this price."""

    who: Person
    doing: Reason
    prices: Sequence[Reason]

    asks = "{who} {doing}, {prices}. Go on?"
    options = {"go": "go on, {prices}", "stay": "do something else"}


DISPLACED = "push=pushed|pull=pulled|slide=slid|shift=shifted|teleported"


class CantBeMoved(Clause):
    """Somebody isn't moved by an effect, at all or `anywhere`; or can't shift, because of `held`."""

    who: Person
    how: str
    held: Reason = ""
    anywhere: bool = False

    says = "{who} can't {held:?shift: {held}|be {how:" + DISPLACED + "}{anywhere:? anywhere}}."


class WillBeMoved(Clause):
    """Somebody is about to be moved by an effect, so many squares."""

    who: Person
    how: str
    squares: int

    says = "{who} would be {how:" + DISPLACED + "} {squares}"


STOPS = (
    "[ to {to}]{obstacle:somebody=[{gone:? and stops at| against} {against}]"
    "|wall={gone:? and stops at| against} a wall|}."
)


class Displaced(Fact):
    """Somebody has been moved by somebody, or moves by an effect.

    They come to a square, up to a `wall`, or `against` somebody who is in the way. A move that came to
    nothing has no words.
    """

    who: Person
    by: Person
    to: Square = ""
    against: Person = ""
    wall: bool = False

    event = "move"

    @property
    def gone(self) -> bool:
        """Whether the creature has changed its square."""
        return bool(self.to)

    @property
    def obstacle(self) -> str:
        """What cut it short: a wall, somebody, or nothing."""
        return "wall" if self.wall else "somebody" if self.against else ""

    @property
    def is_any(self) -> bool:
        """Whether the creature was moved at all."""
        return self.gone or bool(self.obstacle)


class Pushed(Displaced):
    """Somebody is pushed (STR-TAC-09)."""

    says = "{is_any:?{who} is pushed" + STOPS + "|}"


class Pulled(Displaced):
    """Somebody is pulled (STR-TAC-09)."""

    says = "{is_any:?{who} is pulled" + STOPS + "|}"


class Slid(Displaced):
    """Somebody is slid (STR-TAC-09)."""

    says = "{is_any:?{who} is slid" + STOPS + "|}"


class Shifted(Displaced):
    """Somebody shifts by an effect."""

    says = "{is_any:?{who} shifts" + STOPS + "|}"


class Teleported(Displaced):
    """Somebody is teleported."""

    says = "{is_any:?{who} is teleported" + STOPS + "|}"


class CutShort(Clause):
    """An option: the straight way, with the wall or the person that cuts it short.

    `at` is where it ends, "" for where it began.
    """

    at: Square = ""
    against: Person = ""
    wall: bool = False

    needs = ("at",)
    says = "{goes:?straight, and stops|stays}[{goes:? at| against} {obstacle}]"

    @property
    def goes(self) -> bool:
        """Whether the path leads anywhere."""
        return bool(self.at)

    @property
    def obstacle(self) -> Clause:
        """The obstacle on the path."""
        return AWall() if self.wall else Somebody(self.against)


class AWall(Clause):
    """A wall."""

    says = "a wall"


class Bending(Clause):
    """An option: a way to a square that bends."""

    at: Square

    needs = ("at",)
    says = "bending"


class DisplaceTo(Decision):
    """The square to which somebody moves another, or themselves, by a power (STR-TAC-09).

    It is up to so many squares off, or `onward` by the next of so many.
    """

    who: Person
    whom: Person
    how: str
    squares: int
    power: Reason = ""
    onward: bool = False

    asks = (
        "[{power}: ]{who} {how:push=pushes|pull=pulls|slide=slides|shift=shifts|teleports}{other:? {other}|} "
        "{onward:?on, {squares} {squares:square|squares} at most. Which is next?"
        "|up to {squares} {squares:square|squares}. Where to?}"
    )
    options = {"stay": "no further"}
    answers = "square"

    @property
    def other(self) -> Person:
        """Whom they move; "" for themselves."""
        return "" if self.whom == self.who else self.whom


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
