"""Facts of fights about movement, also forced movement, and about sight."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Somebody, Square, Zone


class WillMove(Clause):
    """An event: somebody is about to move to a square."""

    who: Person
    to: Square

    says = "{who} moves[ to {to}]"


class Moved(Fact):
    """Somebody has moved; `how` is "move", "shift" or "charge", or says that they get no further.

    The squares of start and end are None for somebody who has left the fight meanwhile.
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
    """Somebody prefers to stay rather than pay a way's price, or to hold back an attack (`at` is "")."""

    who: Person
    at: Square = ""

    says = "{who} {held_back:?holds back|stays[ on {at}]}."

    @property
    def held_back(self) -> bool:
        """Whether an attack was held back instead of a move."""
        return not self.at


class Stepped(Fact):
    """Somebody has reached another square."""

    who: Person


class Swapped(Fact):
    """Two creatures change places."""

    who: Person
    other: Person

    event = "move"
    unseen = ("who", "other")
    says = "{who} and {other} change places."


class Shifting(Fact):
    """Somebody is about to shift by an effect."""

    who: Person


class GoesBy(Clause):
    """An act that somebody is about to do: go over these squares."""

    squares: Sequence[Square]

    says = "goes by {squares}"


class ThroughZone(Clause):
    """A price of a way: a zone that hurts."""

    zone: Zone
    damage: int

    says = "through {zone} ({damage} damage)"


class GoOrStay(Decision):
    """The decision whether to go on with an act, at this price."""

    who: Person
    doing: Reason
    prices: Sequence[Reason]

    asks = "{who} {doing}, {prices}. Go on?"
    options = {"go": "go on, {prices}", "stay": "do something else"}


DISPLACED = "push=pushed|pull=pulled|slide=slid|shift=shifted|teleported"


class CantBeMoved(Clause):
    """A reason why an effect doesn't move somebody, at all or `anywhere`; or why they can't shift."""

    who: Person
    how: str
    held: Reason = ""
    anywhere: bool = False

    says = "{who} can't {held:?shift: {held}|be {how:" + DISPLACED + "}{anywhere:? anywhere}}."


class WillBeMoved(Clause):
    """An event: somebody is about to be moved by an effect, up to so many squares."""

    who: Person
    how: str
    squares: int

    says = "{who} would be {how:" + DISPLACED + "} {squares}"


STOPS = (
    "[ to {to}]{obstacle:somebody=[{gone:? and stops at| against} {against}]"
    "|wall={gone:? and stops at| against} a wall|}."
)


class Displaced(Fact):
    """Somebody has been moved by somebody else, or moves by an effect.

    They reach a square, stopped by a `wall` or by the creature `against` which they were moved. A movement of
    no squares isn't reported.
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
        """The obstacle that cut the movement short: a wall, a creature, or nothing."""
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
    """An option: the straight way, with the wall or the creature that cuts it short.

    `at` is its last square, "" for its start.
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
    """An obstacle: a wall."""

    says = "a wall"


class Bending(Clause):
    """An option: a bent way to a square."""

    at: Square

    needs = ("at",)
    says = "bending"


class DisplaceTo(Decision):
    """The choice of the square to which a power moves a creature (STR-TAC-09).

    It is at most `squares` squares away; with `onward` the movement is chosen square by square.
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
        """The creature that is moved; "" for the chooser."""
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
    """Somebody bumps into a Hidden creature (STR-TAC-23)."""

    who: Person
    at: Square

    event = "reveal"
    says = "{who} bumps into somebody unseen[ on {at}]."


class Exposed(Fact):
    """Somebody has come into the open by an act."""

    who: Person


class ActionOver(Fact):
    """An action is done, and a creature that it exposed can be seen."""


class Glimpsed(Fact):
    """Somebody who attacks unseen is visible until the turn is over (STR-TAC-22)."""

    who: Person


class Wall(Clause):
    """A reason: a wall blocks the line of sight (STR-TAC-22)."""

    says = "a wall is in the way"


class IsHidden(Clause):
    """A reason: nobody knows where somebody is (STR-TAC-23)."""

    says = "Hidden"


class Veiled(Clause):
    """A reason: zones hide a creature, since they contain it or the viewer, or lie between (STR-TAC-22)."""

    zones: Sequence[Zone]

    says = "{zones}"


class TargetConcealed(Clause):
    """A reason: the cause that conceals a target (STR-TAC-20, 22)."""

    by: Reason

    says = "target concealed: {by}"


class TargetInCover(Clause):
    """A reason: the target is in cover (STR-TAC-24)."""

    says = "target in cover"
