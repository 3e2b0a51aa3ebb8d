"""Whom an effect moves, and where to."""

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Somebody, Square

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
        """Whether they have come anywhere."""
        return bool(self.to)

    @property
    def obstacle(self) -> str:
        """What cut it short: a wall, somebody, or nothing."""
        return "wall" if self.wall else "somebody" if self.against else ""

    @property
    def is_any(self) -> bool:
        """Whether it came to anything."""
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
        """Whether it leads anywhere."""
        return bool(self.at)

    @property
    def obstacle(self) -> Clause:
        """What is in the way."""
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
