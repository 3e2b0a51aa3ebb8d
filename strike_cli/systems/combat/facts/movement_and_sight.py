"""Facts of fights about movement, forced or not, and about sight."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Somebody, Square, Zone


class WillMove(Clause):
    """An event: `who` is about to move to a square."""

    who: Person
    to: Square

    says = "{who} moves[ to {to}]"


class Moved(Fact):
    """A creature has moved. `how` is "move", "shift" or "charge".

    If `to` is None or the same as `start`, the creature got no further: the move was prevented, or the
    creature left the fight.
    """

    who: Person
    how: str = "move"
    start: Square | None = None
    to: Square | None = None

    event = "move"
    says = "{who} {stuck:?gets no further|{how:shift=shifts|charge=charges|moves}[ from {start}][ to {to}]}."

    @property
    def stuck(self) -> bool:
        """Whether the creature got no further than the square on which it started."""
        return self.to is None or self.to == self.start


class Stayed(Fact):
    """A creature declines an action because of its cost: it doesn't move, or doesn't attack.

    `at` is the square where the creature stays. It is empty if the action was an attack.
    """

    who: Person
    at: Square = ""

    says = "{who} {held_back:?holds back|stays[ on {at}]}."

    @property
    def held_back(self) -> bool:
        """Whether the creature declined to attack. False means that it declined to move."""
        return not self.at


class Stepped(Fact):
    """A creature has reached another square."""

    who: Person


class Swapped(Fact):
    """Two creatures change places."""

    who: Person
    other: Person

    event = "move"
    unseen = ("who", "other")
    says = "{who} and {other} change places."


class Shifting(Fact):
    """A creature is about to shift by an effect."""

    who: Person


class GoesBy(Clause):
    """The act of moving over `squares`, as the question GoOrStay names it."""

    squares: Sequence[Square]

    says = "goes by {squares}"


class ThroughZone(Clause):
    """A price of moving along a path: a zone that causes damage."""

    zone: Zone
    damage: int

    says = "through {zone} ({damage} damage)"


class GoOrStay(Decision):
    """The question whether `who` does an action (`doing`) in spite of its costs (`prices`).

    Costs are, for example, Opportunities.
    """

    who: Person
    doing: Reason
    prices: Sequence[Reason]

    asks = "{who} {doing}, {prices}. Go on?"
    options = {"go": "go on, {prices}", "stay": "do something else"}


DISPLACED = "push=pushed|pull=pulled|slide=slid|shift=shifted|teleported"


class CantBeMoved(Clause):
    """The reason why an effect doesn't move a creature.

    `how` is the kind of movement. If a ban on shifting prevents the movement, `held` is that ban. `anywhere`
    is true if there is no square to which the creature could be moved.
    """

    who: Person
    how: str
    held: Reason = ""
    anywhere: bool = False

    says = "{who} can't {held:?shift: {held}|be {how:" + DISPLACED + "}{anywhere:? anywhere}}."


class WillBeMoved(Clause):
    """An event: an effect is about to move `who` by up to `squares` squares.

    `how` is the kind of movement.
    """

    who: Person
    how: str
    squares: int

    says = "{who} would be {how:" + DISPLACED + "} {squares}"


STOPS = (
    "[ to {to}]{obstacle:somebody=[{gone:? and stops at| against} {against}]"
    "|wall={gone:? and stops at| against} a wall|}."
)


class Displaced(Fact):
    """An effect has moved a creature: the creature `by` moved it, or it moved itself.

    `to` is the square that it has reached, or "" if it hasn't left its square. `wall` says whether a wall
    stopped it early. `against` is a creature that stopped it early, or "". If it neither left its square nor
    was stopped, there is nothing to report.
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
        """What stopped the movement early: "wall", "somebody", or "" for nothing."""
        return "wall" if self.wall else "somebody" if self.against else ""

    @property
    def is_any(self) -> bool:
        """Whether there is anything to report: the creature left its square, or met an obstacle."""
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
    """An option: take the straight path, which a wall or the creature `against` cuts short.

    `at` is the last square of the path, "" if the moved creature doesn't leave its square.
    """

    at: Square = ""
    against: Person = ""
    wall: bool = False

    needs = ("at",)
    says = "{goes:?straight, and stops|stays}[{goes:? at| against} {obstacle}]"

    @property
    def goes(self) -> bool:
        """Whether the moved creature leaves its square."""
        return bool(self.at)

    @property
    def obstacle(self) -> Clause:
        """The obstacle on the path."""
        return AWall() if self.wall else Somebody(self.against)


class AWall(Clause):
    """An obstacle: a wall."""

    says = "a wall"


class Bending(Clause):
    """An option: a path that isn't straight, to the square `at`."""

    at: Square

    needs = ("at",)
    says = "bending"


class DisplaceTo(Decision):
    """The choice of the square to which `who` moves the creature `whom` by a power (STR-TAC-09).

    The square is at most `squares` squares away. With `onward`, the choice is only about the next square:
    each step of the path is a separate question.
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
        """The moved creature, or "" if it chooses its own square."""
        return "" if self.whom == self.who else self.whom


class Hiding(Fact):
    """A creature begins to hide (STR-TAC-23)."""

    who: Person

    says = "{who} hides: Hidden at the start of the next turn, if no enemy sees them until then."


class Spotted(Fact):
    """A creature that is hiding or Hidden is seen by the enemy `by` (STR-TAC-23)."""

    who: Person
    by: Person

    event = "reveal"
    unseen = ("by",)
    says = "{by} sees {who}."


class Bumped(Fact):
    """A creature bumps into a Hidden one (STR-TAC-23)."""

    who: Person
    at: Square

    event = "reveal"
    says = "{who} bumps into somebody unseen[ on {at}]."


class Exposed(Fact):
    """A Hidden creature has come into an enemy's view during its own action.

    The Hidden creature stays Hidden until the action is over.
    """

    who: Person


class ActionOver(Fact):
    """An action is over: creatures that came into an enemy's view during it are no longer Hidden."""


class Glimpsed(Fact):
    """A creature that attacked unseen is visible until the end of the turn (STR-TAC-22)."""

    who: Person


class Wall(Clause):
    """A reason: a wall blocks the line of sight (STR-TAC-22)."""

    says = "a wall is in the way"


class IsHidden(Clause):
    """A reason why a creature can't be seen: it is Hidden (STR-TAC-23)."""

    says = "Hidden"


class Veiled(Clause):
    """A reason why a creature is hidden or concealed: certain zones (STR-TAC-22).

    The zones cover the creature, its viewer, or squares between the two.
    """

    zones: Sequence[Zone]

    says = "{zones}"


class TargetConcealed(Clause):
    """A reason for Disadvantage: the target is concealed by `by` (STR-TAC-20, 22)."""

    by: Reason

    says = "target concealed: {by}"


class TargetInCover(Clause):
    """A reason for Disadvantage: the target is in cover (STR-TAC-24)."""

    says = "target in cover"
