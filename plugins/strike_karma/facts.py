"""What fights by Karma report (facts), and what they ask (decisions), with their wording. No rule is here."""

from collections.abc import Sequence
from itertools import groupby

from strike_cli.plugin.dice import Rolled
from strike_cli.plugin.facts import (
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
    """The faces on which dice of one kind fell, in words: `5,2,6 on 3d6`."""

    faces: str
    dice: str

    says = "{faces} on {dice}"


def faces_as_clauses(roll: Rolled | None) -> list[Fell]:
    """Return the faces of a roll as clauses, such as `5,2,6 on 3d6`. Equal dice side by side share a clause.

    For None, return an empty list.
    """
    found, faces = [], list(roll.faces) if roll else []
    for sides, same in groupby(getattr(roll, "dice", ())):
        count = len(list(same))
        thrown, faces = faces[:count], faces[count:]
        found.append(Fell(",".join(map(str, thrown)), f"{count if count > 1 else ''}d{sides}"))
    return found


class _Roll(Fact):
    """A standard roll: the dice of both sides, the roller's score, and the score that was needed.

    `unit` is the word for what the score counts.
    """

    roll: DiceRoll | None = None
    against: DiceRoll | None = None
    unit: BookWords = ""
    score: int = 0
    needed: int = 0
    success: bool = False

    @property
    def fell(self) -> Sequence[Fell]:
        """The faces of the roller's dice."""
        return faces_as_clauses(self.roll)

    @property
    def theirs(self) -> Sequence[Fell]:
        """The faces of the opposing dice."""
        return faces_as_clauses(self.against)


class KarmaStarted(Fact):
    """A fight begins."""

    name: BookWords

    style = "title"
    event = "scene"
    says = "{name} begins."


class SideRolled(Clause):
    """The d20 that a side rolled for the first initiative."""

    side: str
    face: int

    says = "{side:" + SIDE + "} {face}"


class KarmaFirstRolled(Fact):
    """The sides have rolled for the first initiative."""

    sides: Sequence[SideRolled]

    event = "roll"
    says = "For the first initiative: {sides}."


class KarmaLuckRolled(Fact):
    """Somebody rolls their Luck Die of `die` sides, and gains as much Instant Karma as it shows."""

    who: Person
    roll: DiceRoll
    die: int

    section = "Rolls"
    is_roll = True
    in_short = True
    event = "roll"
    says = "{who} rolls d{die} for luck: {roll} Instant Karma."


class KarmaBegan(Fact):
    """A combatant has the first initiative of a round.

    `first_round` is True in the first round of the fight. `who` is "" if nobody can act yet.
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
    """The initiative is passed to `who`, and with this a new segment begins."""

    who: Person
    segment: int
    group: bool = False

    style = "title"
    begins_turn = True
    event = "turn"
    says = "Segment {segment}: {who} {group:?have|has} the initiative."
    says_unseen = "Segment {segment}."


class KarmaHeld(Fact):
    """Somebody holds their action, and passes the initiative on."""

    who: Person
    to: Person
    group: bool = False
    to_group: bool = False

    begins_turn = True
    event = "turn"
    unseen = ("who", "to")
    says = "{who} {group:?hold|holds}. {to} {to_group:?have|has} the initiative."


class KarmaDeclared(Fact):
    """Somebody declares an action, which others may interrupt before it takes place (CIN-08).

    `what` is the kind of declaration: "act", "condition" or "begins".
    """

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
    """Somebody carries out an action; `roll` is None for an action that needs no roll."""

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
        """Return how screens mark the roll: good if it succeeded, bad if it failed."""
        return Shown("roll", {"success": "good", "failure": "bad"}.get(self.outcome, ""))


class KarmaDelayed(Fact):
    """Somebody begins an action that takes effect later.

    `due` is the segment in which it takes effect; 0 if the actor will say when.
    """

    who: Person
    what: Words
    due: int = 0
    group: bool = False

    says = (
        "{who} {group:?begin|begins} {what}: "
        "{due:0=it takes effect when they say|it takes effect as segment {due} begins}."
    )


class KarmaSetCondition(Fact):
    """Somebody declares a conditional action."""

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
    """A condition is met: the conditional action of `who` is played now, before its trigger."""

    who: Person
    condition: Words

    says = "{who} first, since {condition}."


class KarmaAbandoned(Fact):
    """Somebody gives up an uncompleted action; `what` is "" if it is secret."""

    who: Person
    what: Words = ""
    group: bool = False

    says = "{who} {group:?give|gives} up{what:?: {what}| what they had in mind}."


class KarmaContinued(Fact):
    """Somebody carries an uncompleted action over into the next round; `what` is "" if it is secret."""

    who: Person
    what: Words = ""
    group: bool = False

    says = "{who} {group:?go|goes} on into the next round[: {what}]."


class KarmaReacted(_Roll):
    """Somebody reacts.

    `mode` is "pool" if dice of the Reaction Pool are used, and "passive" if only the die of a Trope or
    Trademark is used. It is "action" if the reaction uses a turn, and "none" if there are no dice at all.
    """

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
        """How many dice the Reaction Pool has lost."""
        return self.pool_before - self.pool_after

    def shown(self) -> Shown:
        """Return how screens mark the roll: good if it succeeded, bad if it failed."""
        return Shown("roll", "good" if self.outcome == "success" else "bad")


class KarmaCountedOn(Fact):
    """Somebody spends or gains `n` Instant Karma, and has `left` afterwards."""

    who: Person
    verb: str
    n: int
    left: HpNumber
    why: Words = ""

    says = "{who} {verb:spend=spends|gain=gains|gives} {n} Instant Karma[ for {why}]: {left} left."


class KarmaHealthDue(Fact):
    """Somebody will have to make a Health Check at the end of the round."""

    who: Person
    why: Words
    group: bool = False

    event = "harm"
    tone = "bad"
    says = "{who} {group:?have|has} a Health Check to make at the round's end: {why}."


class KarmaHealthChecked(_Roll):
    """Somebody makes a Health Check; `roll` is None if the game master decided the outcome."""

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
        """Return how screens mark the check: good if it was passed, bad if it failed."""
        return Shown("save", "good" if self.outcome == "passed" else "bad")


class KarmaPlaced(Fact):
    """Somebody is moved to a square, or to a place in words."""

    who: Person
    square: Square = ""
    place: Words = ""
    group: bool = False

    event = "move"
    says = "{who} {group:?are|is} now {square:?at {square}|here: {place}}."


class KarmaCounterSet(Fact):
    """One of the scene's counters is set to a number."""

    name: Words
    n: int

    says = "{name}: {n}."


class KarmaLeft(Fact):
    """Somebody leaves the fight, or one member of a group does.

    `left` is the number of members that remain in the group. If it is 0, the combatant or the whole group is
    out. `how` says in words how they left; "" means that they were taken out.
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
    """A round is over, and `who` will begin the next one."""

    who: Person
    round: int

    says = "Round {round} is over. {who} will begin the next."
    says_unseen = "Round {round} is over."


class KarmaRoundBegan(Fact):
    """A round begins: everybody's Reaction Pool is full, and everybody can act again."""

    round: int

    style = "title"
    begins_turn = True
    event = "turn"
    says = "Round {round}: pools and initiative refresh."


class KarmaEnded(Fact):
    """A fight is over; `outcome` is "" unless the game master gave one."""

    name: BookWords
    rounds: int
    outcome: Words = ""

    style = "title"
    closes_scene = True
    event = "scene"
    says = "{name} is over: {outcome:?{outcome}|after round {rounds}}."


class ConditionOf(Clause):
    """An option of the decision WhoseCondition: the condition that `who` waits for is the one that is met."""

    who: Person
    condition: Words
    what: Words

    says = "{who}: if {condition}, {what}"


class GoesOn(Clause):
    """An option of the decision WhoseCondition: the action meets no condition, and continues."""

    says = "none: the action goes on"


class WhoseCondition(Decision):
    """The question to the game master: whose condition does an action meet, if any (CIN-08)?"""

    who: Person

    asks = "Which condition does {who's} action meet?"


class WhatBecomes(Decision):
    """The question what happens to an uncompleted action at the end of a round.

    `who` is the actor, and `what` is the action in words.
    """

    who: Person
    what: Words

    asks = "{who}: {what}. The round is over: continue or abandon it?"
    options = {
        "complete": "it takes effect now",
        "continue": "it goes on into the next round",
        "abandon": "it is given up",
    }


class HealthCheck(Decision):
    """A Health Check is due and isn't rolled for, so the game master decides its outcome."""

    who: Person
    why: Words

    asks = "How does {who's} Health Check go ({why})?"


class WhoBegins(Decision):
    """Somebody decides who has the first initiative of a round, or of the fight."""

    asks = "Who has the first initiative?"
