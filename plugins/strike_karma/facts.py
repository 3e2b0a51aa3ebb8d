"""The facts and decisions of fights by Karma. No rule is here."""

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
    """The rolled faces of equal dice: `5,2,6 on 3d6`."""

    faces: str
    dice: str

    says = "{faces} on {dice}"


def fallen(roll: Rolled | None) -> list[Fell]:
    """Return the rolled faces of some dice, with equal dice together."""
    found, faces = [], list(roll.faces) if roll else []
    for sides, same in groupby(getattr(roll, "dice", ())):
        count = len(list(same))
        thrown, faces = faces[:count], faces[count:]
        found.append(Fell(",".join(map(str, thrown)), f"{count if count > 1 else ''}d{sides}"))
    return found


class _Roll(Fact):
    """A standard roll: both sides' dice, the score in the method's unit, and the score needed."""

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
    """A side's roll for the first initiative."""

    side: str
    face: int

    says = "{side:" + SIDE + "} {face}"


class KarmaFirstRolled(Fact):
    """Both sides have rolled for the first initiative."""

    sides: Sequence[SideRolled]

    event = "roll"
    says = "For the first initiative: {sides}."


class KarmaLuckRolled(Fact):
    """A combatant rolls their Luck Die and gains that much Instant Karma. `die` is its sides."""

    who: Person
    roll: DiceRoll
    die: int

    section = "Rolls"
    is_roll = True
    in_short = True
    event = "roll"
    says = "{who} rolls d{die} for luck: {roll} Instant Karma."


class KarmaBegan(Fact):
    """The first initiative of a round; without a holder, nobody can act yet.

    `first_round`: the fight begins with it.
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
    """A combatant holds, and passes the initiative to another."""

    who: Person
    to: Person
    group: bool = False
    to_group: bool = False

    begins_turn = True
    event = "turn"
    unseen = ("who", "to")
    says = "{who} {group:?hold|holds}. {to} {to_group:?have|has} the initiative."


class KarmaDeclared(Fact):
    """A combatant declares an action, before it is resolved (CIN-08)."""

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
    """A combatant carries out the declared action; without a roll, where none is needed."""

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
        """Return a roll as good or bad for the actor."""
        return Shown("roll", {"success": "good", "failure": "bad"}.get(self.outcome, ""))


class KarmaDelayed(Fact):
    """A combatant begins an action that takes effect in segment `due`, or when they say so."""

    who: Person
    what: Words
    due: int = 0
    group: bool = False

    says = (
        "{who} {group:?begin|begins} {what}: "
        "{due:0=it takes effect when they say|it takes effect as segment {due} begins}."
    )


class KarmaSetCondition(Fact):
    """A combatant declares a conditional action."""

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
    """A condition is met, and its action comes before the cause."""

    who: Person
    condition: Words

    says = "{who} first, since {condition}."


class KarmaAbandoned(Fact):
    """A combatant gives up an uncompleted action; `what` is empty for a secret one."""

    who: Person
    what: Words = ""
    group: bool = False

    says = "{who} {group:?give|gives} up{what:?: {what}| what they had in mind}."


class KarmaContinued(Fact):
    """A combatant continues an uncompleted action; `what` is empty for a secret one."""

    who: Person
    what: Words = ""
    group: bool = False

    says = "{who} {group:?go|goes} on into the next round[: {what}]."


class KarmaReacted(_Roll):
    """A reaction: with dice of the pool, passive, as the combatant's action, or without any dice."""

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
        """Return a roll as good or bad for the person who reacts."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class KarmaCountedOn(Fact):
    """A combatant spends Instant Karma, or gains some."""

    who: Person
    verb: str
    n: int
    left: HpNumber
    why: Words = ""

    says = "{who} {verb:spend=spends|gain=gains|gives} {n} Instant Karma[ for {why}]: {left} left."


class KarmaHealthDue(Fact):
    """A Health Check becomes due at the round's end."""

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
        """Return a check as good or bad for the person who makes it."""
        return Shown("save", "good" if self.outcome == "passed" else "bad")


class KarmaPlaced(Fact):
    """The table puts a combatant elsewhere: on a square, or at a place in words."""

    who: Person
    square: Square = ""
    place: Words = ""
    group: bool = False

    event = "move"
    says = "{who} {group:?are|is} now {square:?at {square}|here: {place}}."


class KarmaCounterSet(Fact):
    """A counter of the scene is set to a number."""

    name: Words
    n: int

    says = "{name}: {n}."


class KarmaLeft(Fact):
    """A combatant leaves the fight, or one member of a group.

    For a group, the members left are counted. `how` is empty for those taken out.
    """

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
    """A round is over, and the starter of the next one is chosen."""

    who: Person
    round: int

    says = "Round {round} is over. {who} will begin the next."
    says_unseen = "Round {round} is over."


class KarmaRoundBegan(Fact):
    """A round begins: everybody's pool and initiative refresh."""

    round: int

    style = "title"
    begins_turn = True
    event = "turn"
    says = "Round {round}: pools and initiative refresh."


class KarmaEnded(Fact):
    """A fight is over; `outcome` is empty where none was given."""

    name: BookWords
    rounds: int
    outcome: Words = ""

    style = "title"
    closes_scene = True
    event = "scene"
    says = "{name} is over: {outcome:?{outcome}|after round {rounds}}."


class ConditionOf(Clause):
    """The option that a combatant's condition is met."""

    who: Person
    condition: Words
    what: Words

    says = "{who}: if {condition}, {what}"


class GoesOn(Clause):
    """The option that no condition is met."""

    says = "none: the action goes on"


class WhoseCondition(Decision):
    """The choice of the condition that an action meets, if any (CIN-08)."""

    who: Person

    asks = "Which condition does {who's} action meet?"


class WhatBecomes(Decision):
    """The choice at the round's end to complete, continue or abandon an action."""

    who: Person
    what: Words

    asks = "{who}: {what}. The round is over: continue or abandon it?"
    options = {
        "complete": "it takes effect now",
        "continue": "it goes on into the next round",
        "abandon": "it is given up",
    }


class HealthCheck(Decision):
    """The result of a Health Check that isn't rolled, as the table says."""

    who: Person
    why: Words

    asks = "How does {who's} Health Check go ({why})?"


class WhoBegins(Decision):
    """The choice of who has the first initiative of a round, or of a fight."""

    asks = "Who has the first initiative?"
