"""What fights by karma tell, and ask. No rule is here."""

from collections.abc import Sequence
from itertools import groupby

from strike_cli.plugin.dice import Rolled
from strike_cli.plugin.telling import (
    BookWords,
    Clause,
    Decision,
    DiceRoll,
    Fact,
    HpNumber,
    Person,
    Shown,
    Square,
    Words,
)

UNIT = "successes=successes|total=total|highest=highest|{unit}"
ROLL = (
    "{fell}: {unit:"
    + UNIT
    + "} {score} {against:?against {needed} ({theirs})|of {needed}}. {success:?Success|Failure}."
)
SIDE = "party=party|enemies=enemies"


class Fell(Clause):
    """How like dice fell: `5,2,6 on 3d6`."""

    faces: str
    dice: str

    says = "{faces} on {dice}"


def fallen(roll: Rolled | None) -> list[Fell]:
    """Return how the dice of a handful fell, like ones together."""
    found, faces = [], list(roll.faces) if roll else []
    for sides, same in groupby(getattr(roll, "dice", ())):
        count = len(list(same))
        thrown, faces = faces[:count], faces[count:]
        found.append(Fell(",".join(map(str, thrown)), f"{count if count > 1 else ''}d{sides}"))
    return found


class _Roll(Fact):
    """A standard roll: both handfuls, the score in the method's unit, and what was needed."""

    roll: DiceRoll | None = None
    against: DiceRoll | None = None
    unit: BookWords = ""
    score: int = 0
    needed: int = 0
    success: bool = False

    @property
    def fell(self) -> Sequence[Fell]:
        """The faces of the roller's dice."""
        return fallen(self.roll)

    @property
    def theirs(self) -> Sequence[Fell]:
        """The faces of the opposing dice."""
        return fallen(self.against)


class KarmaStarted(Fact):
    """A fight begins."""

    name: BookWords

    style = "title"
    event = "scene"
    says = "{name} begins."


class SideRolled(Clause):
    """What a side has rolled for the first initiative."""

    side: str
    face: int

    says = "{side:" + SIDE + "} {face}"


class KarmaFirstRolled(Fact):
    """Both sides have rolled for the first initiative."""

    sides: Sequence[SideRolled]

    event = "roll"
    says = "For the first initiative: {sides}."


class KarmaLuckRolled(Fact):
    """Somebody rolls their Luck Die: so much Instant Karma. `die` are its sides."""

    who: Person
    roll: DiceRoll
    die: int

    section = "Rolls"
    is_roll = True
    in_short = True
    event = "roll"
    says = "{who} rolls d{die} for luck: {roll} Instant Karma."


class KarmaBegan(Fact):
    """The first initiative of a round; nobody can act yet where it is nobody's.

    `first_round`: a fight begins with it.
    """

    who: Person = ""
    first_round: bool = False
    group: bool = False

    style = "title"
    begins_turn = True
    event = "turn"
    says = "{who:?{first_round:?Round 1: }{who} {group:?have|has} the first initiative.|Nobody can act yet.}"
    says_unseen = "{first_round:?Round 1.}"


class KarmaPassed(Fact):
    """The initiative is passed: a segment begins."""

    who: Person
    segment: int
    group: bool = False

    style = "title"
    begins_turn = True
    event = "turn"
    says = "Segment {segment}: {who} {group:?have|has} the initiative."
    says_unseen = "Segment {segment}."


class KarmaHeld(Fact):
    """Somebody holds, and another has the initiative."""

    who: Person
    to: Person
    group: bool = False
    to_group: bool = False

    begins_turn = True
    event = "turn"
    unseen = ("who", "to")
    says = "{who} {group:?hold|holds}. {to} {to_group:?have|has} the initiative."


class KarmaDeclared(Fact):
    """Somebody says what they do, before it is resolved (CIN-08)."""

    who: Person
    what: str
    words: Words = ""
    group: bool = False

    says = (
        "{who} {group:?declare|declares}: "
        "{what:condition=will act if {words}|begins={group:?begin|begins} {words}"
        "|act={words:?{words}|an action}}."
    )


class KarmaActed(_Roll):
    """Somebody does what they have declared; without a roll, where there is none to make."""

    who: Person = ""
    what: Words = ""
    outcome: str = ""
    group: bool = False

    section = "Rolls"
    is_roll = True
    in_short = True
    headline = "{outcome:success=Success|failure=Failure|}"
    says = "{what:?{who}: {what}.|{who} {group:?act|acts}.}{roll:? " + ROLL + "}"

    def shown(self) -> Shown:
        """Return a roll, good or bad for the actor."""
        return Shown("roll", {"success": "good", "failure": "bad"}.get(self.outcome, ""))


class KarmaDelayed(Fact):
    """Somebody begins something that takes effect in segment `due`, or when they say."""

    who: Person
    what: Words
    due: int = 0
    group: bool = False

    says = (
        "{who} {group:?begin|begins} {what}: "
        "{due:0=it takes effect when they say|it takes effect as segment {due} begins}."
    )


class KarmaSetCondition(Fact):
    """Somebody waits for something."""

    who: Person
    condition: Words
    what: Words
    group: bool = False

    says = "{who} {group:?wait|waits}: if {condition}, {what}."


class KarmaCompleted(Fact):
    """A delayed action takes effect."""

    who: Person
    what: Words
    group: bool = False

    says = "{who} {group:?complete|completes} {what}."


class KarmaTriggered(Fact):
    """A condition comes about, before what brings it about."""

    who: Person
    condition: Words

    says = "{who} first, since {condition}."


class KarmaAbandoned(Fact):
    """Somebody gives up an uncompleted action; `what` is empty for a secret one."""

    who: Person
    what: Words = ""
    group: bool = False

    says = "{who} {group:?give|gives} up{what:?: {what}| what they had in mind}."


class KarmaContinued(Fact):
    """Somebody goes on with an uncompleted action; `what` is empty for a secret one."""

    who: Person
    what: Words = ""
    group: bool = False

    says = "{who} {group:?go|goes} on into the next round[: {what}]."


class KarmaReacted(_Roll):
    """Somebody reacts: with dice of their pool, passively, as their action, or without any dice."""

    who: Person = ""
    mode: str = ""
    outcome: str = ""
    to: Words = ""
    pool_before: HpNumber = 0
    pool_after: HpNumber = 0
    group: bool = False

    section = "Rolls"
    is_roll = True
    in_short = True
    headline = "{outcome:success=Reaction holds|Reaction fails}"
    says = (
        "{who} {group:?react|reacts}"
        "{mode:passive= passively|action= as their action|none= without any dice|}[ to {to}]"
        "{roll:?: " + ROLL + "|{mode:none=: it fails.|.}}"
        "{spent:? Reaction Pool {pool_before} to {pool_after}.}"
    )
    says_without_hp = (
        "{who} {group:?react|reacts}"
        "{mode:passive= passively|action= as their action|none= without any dice|}[ to {to}]"
        "{roll:?: " + ROLL + "|{mode:none=: it fails.|.}}"
    )

    @property
    def spent(self) -> HpNumber:
        """The number of dice spent from the pool."""
        return self.pool_before - self.pool_after

    def shown(self) -> Shown:
        """Return a roll, good or bad for the person who reacts."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class KarmaCountedOn(Fact):
    """Somebody spends Instant Karma, or gains some."""

    who: Person
    verb: str
    n: int
    left: HpNumber
    why: Words = ""

    says = "{who} {verb:spend=spends|gain=gains|gives} {n} Instant Karma[ for {why}]: {left} left."


class KarmaHealthDue(Fact):
    """Somebody has a Health Check to make at the round's end."""

    who: Person
    why: Words
    group: bool = False

    event = "harm"
    tone = "bad"
    says = "{who} {group:?have|has} a Health Check to make at the round's end: {why}."


class KarmaHealthChecked(_Roll):
    """A Health Check, rolled or decided."""

    who: Person = ""
    why: Words = ""
    outcome: str = ""
    group: bool = False

    section = "Rolls"
    is_roll = True
    in_short = True
    highlight = True
    headline = "Health Check {outcome:passed=passed|failed}"
    says = (
        "{who} {group:?make|makes} a Health Check ({why}): {roll:?"
        + ROLL
        + " }{outcome:passed=Passed|Failed}."
    )

    def shown(self) -> Shown:
        """Return good or bad for the one who makes it."""
        return Shown("save", "good" if self.outcome == "passed" else "bad")


class KarmaPlaced(Fact):
    """Somebody is elsewhere, by the table's word: on a square, or at a place in words."""

    who: Person
    square: Square = ""
    place: Words = ""
    group: bool = False

    event = "move"
    says = "{who} {group:?are|is} now {square:?at {square}|here: {place}}."


class KarmaCounterSet(Fact):
    """Something that is counted in the scene."""

    name: Words
    n: int

    says = "{name}: {n}."


class KarmaLeft(Fact):
    """Somebody is out of it, or one of a group, of whom so many are left. `how` is empty for taken out."""

    who: Person
    how: Words = ""
    left: int = 0

    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{left:0={who} is out|One of {who} is out}"
    says = (
        "{left:0={who} is out of it: {how:?{how}|taken out}."
        "|One of {who} is out of it: {how:?{how}|taken out}. {left} left.}"
    )


class KarmaStarterChosen(Fact):
    """A round is over, and somebody is to begin the next."""

    who: Person
    round: int

    says = "Round {round} is over. {who} will begin the next."
    says_unseen = "Round {round} is over."


class KarmaRoundBegan(Fact):
    """A round begins: everybody has their whole pool and their initiative again."""

    round: int

    style = "title"
    begins_turn = True
    event = "turn"
    says = "Round {round}: pools and initiative refresh."


class KarmaEnded(Fact):
    """A fight is over; `outcome` is empty where nobody has said what it came to."""

    name: BookWords
    rounds: int
    outcome: Words = ""

    style = "title"
    closes_scene = True
    event = "scene"
    says = "{name} is over: {outcome:?{outcome}|after round {rounds}}."


class ConditionOf(Clause):
    """Somebody's condition, as an answer."""

    who: Person
    condition: Words
    what: Words

    says = "{who}: if {condition}, {what}"


class GoesOn(Clause):
    """The answer that nobody's condition is met."""

    says = "none: the action goes on"


class WhoseCondition(Decision):
    """Whose condition somebody's action meets (CIN-08)."""

    who: Person

    asks = "Which condition does {who's} action meet?"


class WhatBecomes(Decision):
    """What becomes of an uncompleted action at the round's end."""

    who: Person
    what: Words

    asks = "{who}: {what}. The round is over: continue or abandon it?"
    options = {
        "complete": "it takes effect now",
        "continue": "it goes on into the next round",
        "abandon": "it is given up",
    }


class HealthCheck(Decision):
    """How a Health Check goes that nobody rolls for."""

    who: Person
    why: Words

    asks = "How does {who's} Health Check go ({why})?"


class WhoBegins(Decision):
    """Who has the first initiative of a round, or of a fight."""

    asks = "Who has the first initiative?"
