"""What of the ground, of turns and of the fight itself is told and asked. No rule is here."""

from collections.abc import Sequence
from typing import Annotated

from strike_cli.kernel.statements import (
    BookWords,
    Clause,
    Decision,
    Fact,
    Named,
    Person,
    Reason,
    Shown,
    Somebody,
    Square,
    Words,
    Zone,
)
from strike_cli.systems.core.facts import DiceRolled
from strike_cli.tabletop.area import Area
from strike_cli.tabletop.dice import DiceRoll
from strike_cli.tabletop.facts import Status

from .facts import Creature, Lasting

Encounter = Annotated[str, Named("encounters")]
"""The id of an encounter: its fight has its name."""


# The fight


class FightStarted(Fact):
    """A fight begins (STR-TAC-01)."""

    encounter: Encounter
    goal: Words = ""

    style = "title"
    event = "scene"
    headline = "{encounter}"
    says = "{encounter} begins.[ The goal: {goal}.]"


class FightEnded(Fact):
    """A fight is won or lost, and what that leaves: a Concession by its name, "none" for none (STR-TAC-19).
    `team_strikes` are the Strikes of all players."""

    encounter: Encounter
    won: bool
    team_strikes: int
    concession: str = "none"
    goal: Words = ""

    style = "title"
    closes_scene = True
    names_scene = True
    event = "scene"
    headline = "The fight is {won:?won|lost}"
    says = (
        "{encounter} is {won:?won.{concession:none=[ The goal is reached: {goal}.]"
        "|minor= A Minor Concession: the goal is reached, but not everything went well."
        "|major= A Major Concession: a bad omen, or the goal is one step short."
        "|pyrrhic= A Pyrrhic victory: the goal is out of reach.}"
        "|lost. The game master says what it costs.}"
    )


class FightAbandoned(Fact):
    """A fight ends with no winner."""

    encounter: Encounter

    closes_scene = True
    names_scene = True
    event = "scene"
    says = "{encounter} is abandoned."


class FightParked(Fact):
    """A fight waits while another is played."""

    encounter: Encounter
    round: int

    style = "title"
    event = "scene"
    says = "{encounter} is parked in round {round}."


class FightResumed(Fact):
    """A fight that was parked goes on."""

    encounter: Encounter
    round: int

    style = "title"
    event = "scene"
    says = "Back to {encounter}, round {round}."


# Who acts when


class Initiative(Clause):
    """What somebody rolled for initiative, once for each turn that they have in a round."""

    who: Person
    totals: Sequence[int]

    says = "{who} {totals}"


class InitiativeRolled(Fact):
    """Initiative: of everybody as the fight begins, in the `order` in which they act, or the `total` of a
    `group` that comes in later; of a summon that acts after its maker neither (STR-TAC-01, 02)."""

    who: Person = ""
    rolls: Sequence[DiceRoll] = ()
    order: Sequence[Initiative] = ()
    group: Sequence[Person] = ()
    total: int = 0

    event = "roll"
    says = "[Initiative: {order}.][{group:list}: initiative {total}.]"


class TurnStarted(Fact):
    """Somebody's turn begins, the first of a round where that is new (STR-TAC-03)."""

    who: Person
    round: int
    new_round: bool = False

    style = "title"
    begins_turn = True
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


class Dominated(Fact):
    """Another decides what somebody does in their turn (STR-TAC-25)."""

    who: Person
    decided_by: Person

    event = "turn"
    tone = "bad"
    says = "{decided_by} decides what {who} does."


class ActionTaken(Fact):
    """One of the turn's actions is taken, for `action`. What somebody prepares stands in their own words:
    what to do `then`, and the `trigger` (STR-TAC-04, 05)."""

    who: Person
    action: str
    then: Words = ""
    trigger: Words = ""

    says = "[{who} prepares to {then} when {trigger}.]"


class PreparedWasted(Fact):
    """What somebody prepared never came to it (STR-TAC-05)."""

    who: Person

    says = "What {who} prepared never came to it."


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
    says = "What {who} prepared can't be done now, and is wasted."


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


class EscapeRolled(DiceRolled, variant="escape"):
    """Somebody tries to escape from a status, and is `free` of it or held still (STR-TAC-25)."""

    status: Status
    free: bool

    event = "save"
    headline = "{who} {free:?is free|is held}"
    says = "{who} tries to get out of being {status}: {roll}, {free:?free|held}."

    def shown(self) -> Shown:
        """Good or bad by what came of it."""
        return Shown(self.event, "good" if self.free else "bad")


class Reacted(Fact):
    """Something that is done once a turn, a round or a fight has been done."""

    who: Person


# Who comes and goes


class Joined(Fact):
    """Somebody joins a fight, or is `back` in it (STR-TAC-01)."""

    who: Person
    back: bool = False

    event = "scene"
    headline = "{who} {back:?is back|joins}"
    says = "{who} {back:?is back in|joins} the fight."


class Summoned(Fact):
    """A creature comes that somebody has called."""

    who: Person
    by: Person
    at: Square

    event = "scene"
    headline = "{who} appears"
    says = "{who} comes[ to {at}][, called by {by}]."


class SummonLasts(Fact):
    """A summon stays beyond this turn."""

    who: Person


class Left(Fact):
    """Somebody is out of the fight without being Taken Out; `gone` of a summon (STR-TAC-15)."""

    who: Person
    why: Words = ""
    gone: bool = False

    event = "scene"
    says = "{who} {gone:?is gone|leaves the fight[: {why}]}."


# Where they stand


class Moved(Fact):
    """Somebody has moved `how`: they "move", "shift" or "charge"; nowhere where they get no further. From and
    to which square is none for who is out of the fight by then."""

    who: Person
    how: str = "move"
    start: Square | None = None
    to: Square | None = None

    event = "move"
    says = "{who} {stuck:?gets no further|{how:shift=shifts|charge=charges|moves}[ from {start}][ to {to}]}."

    @property
    def stuck(self) -> bool:
        """Whether they got no further."""
        return self.to is None or self.to == self.start


class Stayed(Fact):
    """Somebody would rather stay than pay what a way costs, or hold back than attack: then `at` is ""."""

    who: Person
    at: Square = ""

    says = "{who} {held_back:?holds back|stays[ on {at}]}."

    @property
    def held_back(self) -> bool:
        """Whether it was an attack."""
        return not self.at


class Stepped(Fact):
    """Somebody has come to stand on another square."""

    who: Person


class Placed(Fact):
    """The game master puts somebody on a square."""

    who: Person
    to: Square
    start: Square = ""

    event = "move"
    says = "The game master puts {who}[ on {to}][, from {start}]."


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


STOPS = (
    "[ to {to}]{obstacle:somebody=[{gone:? and stops at| against} {against}]"
    "|wall={gone:? and stops at| against} a wall|}."
)


class Displaced(Fact):
    """Somebody has been moved by somebody, or moves by an effect: to a square, up to a `wall`, or `against`
    somebody who is in the way. What came to nothing has no words."""

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


# Who is seen


class Hiding(Fact):
    """Somebody begins to hide (STR-TAC-23)."""

    who: Person

    says = "{who} hides: Hidden at the start of the next turn, if no enemy sees them until then."


class Hidden(Fact):
    """Somebody is Hidden (STR-TAC-23)."""

    who: Person

    says = "{who} is Hidden."


class Revealed(Fact):
    """Somebody is Hidden no longer, or no longer `hiding` (STR-TAC-23)."""

    who: Person
    hiding: bool = False

    event = "reveal"
    headline = "{hiding:?|{who} is revealed}"
    says = "{hiding:?|{who} is Hidden no longer.}"


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


class GroundSeen(Fact):
    """The party sees ground that it has not seen before."""


class FogSet(Fact):
    """The game master says what players see of the map: fog is put `on` or taken `off`, or they "lift" it
    from squares or "cover" them."""

    do: str
    squares: Area = ()

    gm_only = True
    says = (
        "{do:on=Fog: players see what the party sees from now on.|off=No fog: players see all of the map."
        "|lift=The fog lifts from {squares}.|cover=The fog covers {squares}.}"
    )


# The ground


class DoorMoved(Fact):
    """A door is opened or closed: at a square, or between that and the one `beyond`."""

    at: Square
    open: bool
    beyond: Square = ""

    event = "reveal"
    says = "The door at {at}[ to {beyond}] is {open:?open|closed}."


class ZoneDoes(Clause):
    """A thing that a zone does; `damage` in HP."""

    what: str
    damage: int = 0

    says = (
        "{what:damage={damage} damage|difficult=difficult|obscured=obscured|dark=completely obscured"
        "|light=light|wall=a wall|cover}"
    )


class ZoneIs(Clause):
    """A step in few words: a zone, what it does, how far it reaches around somebody, and how long it
    lasts."""

    name: BookWords
    does: Sequence[ZoneDoes]
    status: Status = ""
    spread: int = 0
    along: bool = False
    lasts: Lasting | None = None

    says = (
        "a zone, {name}{spread:?, within {spread}|}[ ({does})][: {status}]{along:?, that goes along|}"
        "[ {lasts}]"
    )


class SummonIs(Clause):
    """A step in few words: creatures that are called, and how long they stay."""

    creature: Creature
    count: int
    lasts: Lasting | None = None

    says = "calls {count:{creature}|{count} x {creature}}[ {lasts}]"


class ZoneAdded(Fact):
    """A zone appears (STR-TAC-21, 22); `who` has made it."""

    who: Person
    zone: Zone
    squares: Area
    damage: int = 0
    difficult: bool = False
    sight: str = ""
    blocks: bool = False
    cover: bool = False

    event = "scene"
    says = says_unseen = "{zone}: {does:?{does}|a zone}[ on {squares}]."

    @property
    def does(self) -> Sequence[ZoneDoes]:
        """What it does, one after the other."""
        words = {
            "damage": self.damage,
            "difficult": self.difficult,
            self.sight: self.sight,
            "wall": self.blocks,
            "cover": self.cover,
        }
        return [ZoneDoes(what, self.damage) for what, so in words.items() if so]


class ZoneMoved(Fact):
    """A zone takes in other squares: more of them where it has `grown`. One that goes along with somebody
    has no words."""

    who: Person
    zone: Zone
    squares: Area = ()
    grown: bool = False

    event = "move"
    says = says_unseen = "{along:?|{zone} {grown:?takes in|moves to}[ {squares}].}"

    @property
    def along(self) -> bool:
        """Whether it goes along with somebody."""
        return not self.squares


class ZoneLasts(Fact):
    """A zone stays beyond this turn."""

    who: Person


class ZoneRemoved(Fact):
    """A zone is gone."""

    zone: Zone

    event = "scene"
    says = "{zone} is gone."


class InZone(Fact):
    """Somebody and a zone, and what status it has."""

    who: Person
    zone: Zone
    status: Status


class ZoneEntered(InZone):
    """Somebody has come into a zone."""


class ZoneLeft(InZone):
    """Somebody has left a zone."""


class ZoneEnding(InZone):
    """A zone ends that somebody stands in."""


class ZoneStruck(Fact):
    """A zone hurts somebody, who is then not hurt by it again in this round (STR-TAC-21)."""

    who: Person
    zone: Zone


# Reasons


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


# What is asked


class CutShort(Clause):
    """An option: the straight way, with what cuts it short, a wall or somebody; `at` is where it ends, "" for
    where it began."""

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
    """Where somebody moves another, or themselves, by a power: up to so many squares, or `onward` by the next
    of so many (STR-TAC-09)."""

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


class SummonAt(Decision):
    """Where a creature appears that somebody calls."""

    who: Person
    creature: Creature

    asks = "{who} calls {creature}. Where does it appear?"
    answers = "square"


class DrawZone(Decision):
    """The next square of a zone that is drawn one by one; `name` is what it is called."""

    who: Person
    name: Words
    number: int
    most: int

    asks = "{who} draws {name}, square {number} of {most} at most. Which is it?"
    options = {"enough": "it ends here"}
    answers = "square"


class MoveZone(Decision):
    """Which way a zone moves."""

    who: Person
    zone: Zone
    squares: int

    asks = "{who} moves {zone} {squares} {squares:square|squares}. Which way?"


class Onto(Clause):
    """An option: a zone comes onto somebody, or nobody."""

    people: Sequence[Person]

    says = "[onto {people}]"


class ZoneStays(Clause):
    """An option: a zone stays where it is."""

    says = "it stays where it is"


class ZoneDrifts(Clause):
    """What a die is for: which way a zone goes."""

    zone: Zone

    says = "which way {zone} goes"


class EscapeFrom(Decision):
    """From which of several holds somebody tries to escape (STR-TAC-25); `target` is the roll that it
    takes."""

    who: Person
    target: int

    asks = "{who} tries to escape, on {target} or more. From what?"


class GoesFirst(Clause):
    """An option: those who act first of those who tie."""

    group: Sequence[Person]

    says = "{group} first"


class GoesNext(Clause):
    """Those who act next of those who tie, as they are listed; `first` of them all."""

    group: Sequence[Person]
    first: bool

    says = "{first:?|then }{group}"


class StrikesTaken(Clause):
    """A reason: so many Strikes in a fight (STR-TAC-18)."""

    count: int

    says = "{count} {count:Strike|Strikes}"


class AsListed(Clause):
    """An option: those who tie act as they are listed."""

    order: Sequence[GoesNext]

    says = "{order}"


class InitiativeTie(Decision):
    """Who acts first of those who tie for initiative (STR-TAC-02)."""

    total: int
    people: Sequence[Person]

    asks = "{people} tie for initiative on {total}. Who acts first?"


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
    options = {"go": "{prices}", "stay": "do something else"}
