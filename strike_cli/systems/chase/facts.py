"""Facts, reasons and decisions of a chase. They contain no rules."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Words
from strike_cli.systems.core.facts.rolls import HelpedWith
from strike_cli.tabletop.dice import DiceRoll

from .rule_tables import CHASERS, RUNNERS

ACTION = "flee=Flee|hide=Hide|double-back=Double Back|set-up=Set Up|risk=Risk"
RANGE = "caught=Caught|close=Close|medium=Medium|far=Far|escaped=Escaped"
SIDE = "runners=Runners|chasers=Chasers"


class ChaseStarted(Fact):
    """A chase begins (STR-CH-01)."""

    name: Words
    range: str
    danger: int
    runners: Sequence[Person]
    chasers: Sequence[Person]

    event = "scene"
    says = "{name} begins at {range:" + RANGE + "} range, Danger Level {danger}: {runners} before {chasers}."


class ChaseActionPicked(Fact):
    """The Runners have chosen their action, in secret (STR-CH-02)."""

    round: int

    discreet = True
    says = "The Runners pick an action for round {round}."


class ChasePredicted(Fact):
    """The Chasers have predicted an action; `action` is "" if that is secret (STR-CH-03)."""

    round: int
    action: str = ""

    discreet = True
    says = "The Chasers predict {action:" + ACTION + "|something} for round {round}."


class ChaseShooting(Fact):
    """Somebody is going to shoot in this round (STR-CH-07)."""

    who: Person
    at: str
    driving: bool

    says = "{who} shoots at the {at:" + SIDE + "} in this round{driving:? while driving}."


class ChaseRevealed(Fact):
    """Both sides' choices are revealed. `gives` is the prediction's effect (STR-CH-03)."""

    action: str
    prediction: str
    gives: str

    event = "reveal"
    headline = "The Runners {action:" + ACTION + "}"
    says = (
        "The Runners {action:" + ACTION + "}; the Chasers predicted {prediction:" + ACTION + "} and "
        "{gives:advantage=have Advantage|disadvantage=have Disadvantage|gain nothing by it}."
    )


class ChaseRolled(Fact):
    """Both drivers roll, with their help (STR-CH-04, 05).

    `roll` is the Runners' roll and `against` the Chasers'. In a Risk the Runners' roll was reported earlier,
    and is in `before` instead.
    """

    against: DiceRoll
    roll: DiceRoll | None = None
    before: DiceRoll | None = None
    helpers: Sequence[HelpedWith] = ()

    names_rollers = True
    event = "roll"
    says = "Runners [{roll}][{before}][, {help_of_runners}], Chasers {against}[, {help_of_chasers}]."

    @property
    def help_of_runners(self) -> Sequence[HelpedWith]:
        """The helpers of the Runners' roll."""
        return [one for one in self.helpers if one.side == RUNNERS]

    @property
    def help_of_chasers(self) -> Sequence[HelpedWith]:
        """The helpers of the Chasers' roll."""
        return [one for one in self.helpers if one.side == CHASERS]


class ChaseShot(Fact):
    """Somebody shoots at a side (STR-CH-07)."""

    who: Person
    at: str
    roll: DiceRoll
    beats: bool

    names_rollers = True
    event = "roll"
    unseen = ("who",)
    says = "{who} shoots at the {at:" + SIDE + "}: {roll}{beats:? and beats their driver}."


class ChaseRisked(Fact):
    """The Runners roll for a Risk (STR-CH-05)."""

    who: Person
    roll: DiceRoll

    names_rollers = True
    event = "roll"
    says = "The Runners roll {roll}."


class ChaseTakenOut(Fact):
    """Somebody is shot and is out of the chase (STR-CH-07)."""

    who: Person

    event = "fall"
    tone = "bad"
    headline = "{who} is hit"
    says = "{who} is hit and out of the chase."


class ChaseRoundOver(Fact):
    """A round is over (STR-CH-04 to 06).

    `lost` is true if the Runners are caught, and `over` if the chase has ended.
    """

    winner: str | None
    range_before: str
    range_after: str
    crashed: Sequence[str]
    gave_up: bool = False
    tie: bool = False
    lost: bool = False
    over: bool = False
    advantage: bool = False

    event = "scene"
    headline = "{outcome:crash=A crash|tie=A tie|won=The {winner:" + SIDE + "} win|}"
    says = (
        "{gave_up:?The Chasers give up the pursuit. }"
        "{outcome:both=The Runners and the Chasers crash. |crash=The {crash:" + SIDE + "} crash. "
        "|lost=A tie and the Runners lose. |tie=A tie. |won=The {winner:" + SIDE + "} win. |}"
        "{over:?|{moved:?{range_before:"
        + RANGE
        + "} to {range_after:"
        + RANGE
        + "}.|Still {range_after:"
        + RANGE
        + "}.}{advantage:? The Runners have Advantage on their next move.}}"
    )

    @property
    def outcome(self) -> str:
        """The round's outcome as a word that the template uses; "" if none of these words applies.

        - "crash": one side has crashed. "both": both sides have crashed.
        - "lost": the round is a tie, and the Runners are caught. "tie": any other tie.
        - "won": one side has won the round.
        """
        if self.crashed:
            return "crash" if len(self.crashed) == 1 else "both"
        return "lost" if self.tie and self.lost else "tie" if self.tie else "won" if self.winner else ""

    @property
    def crash(self) -> str:
        """The side that crashed, or "". If both sides crashed, it is the first of `crashed`."""
        return self.crashed[0] if self.crashed else ""

    @property
    def moved(self) -> bool:
        """Whether the range has changed."""
        return self.range_before != self.range_after


class ChaseDangerSet(Fact):
    """The winner of a round changes the Danger Level, or keeps it (STR-CH-06)."""

    by: str
    before: int
    danger: int

    says = (
        "The {by:" + SIDE + "} {change:up=raise|down=lower|keep} the Danger Level "
        "{change:keep=at {danger}|from {before} to {danger}}."
    )

    @property
    def change(self) -> str:
        """The direction: "up", "down" or "keep"."""
        return "up" if self.danger > self.before else "down" if self.danger < self.before else "keep"


class ChaseEnded(Fact):
    """A chase ends (STR-CH-01, 05).

    `ended` is the kind of end. `close` is true for a win that leaves the loser a choice. `name` is the name
    of the chase. It is "" for a single round that was played without a chase.
    """

    ended: str
    name: Words = ""
    close: bool = False
    both: bool = False
    called_off: bool = False

    closes_scene = True
    names_scene = True
    event = "scene"
    headline = (
        "{ended:caught=Caught|escaped=Escaped|hidden=Hidden|pinned=Pinned down|crash=Crashed|Called off}"
    )
    says = (
        "{called_off:?{name} is called off.|[{name} is over. ]"
        "{how:both=Both sides have crashed and are out of it; the game master says what remains."
        "|caught-close=The Runners are found, but have their say in it."
        "|hidden-close=The Runners are hidden, but the Chasers have their say in it."
        "|caught=The Runners are caught.|escaped=The Runners escape."
        "|hidden=The Runners are hidden: the Chasers have lost them."
        "|pinned=The Runners are hidden but pinned down."
        "|crash=The Runners have crashed: the chase is lost.|It is called off.}}"
    )

    @property
    def how(self) -> str:
        """The end as a word for the template."""
        close = self.close and self.ended in ("caught", "hidden")
        return "both" if self.both and not close else f"{self.ended}-close" if close else self.ended


class ChasePutAway(Fact):
    """A chase that is over is cleared away."""

    name: Words
    ended: str

    says = "{name} is cleared away."


class SkillsUsed(Fact):
    """The use of Skills in a Hide is counted."""


class ShootingAndDriving(Clause):
    """A reason for Disadvantage: shooting and driving at once (STR-CH-07)."""

    says = "shooting and driving at once"


class Predicted(Clause):
    """A reason for Advantage or Disadvantage: the action that the Chasers predicted (STR-CH-03)."""

    action: str

    says = "predicted {action:" + ACTION + "}"


class AfterSetUp(Clause):
    """A reason for Advantage: the Runners set up this move (STR-CH-05)."""

    says = "Set Up"


class AtRange(Clause):
    """A reason for a modifier: the range (STR-CH-04)."""

    range: str

    says = "{range:" + RANGE + "} range"


class ShotAt(Clause):
    """A reason for a modifier: the driver was outshot (STR-CH-07)."""

    by: Person

    says = "shot at[ by {by}]"


class ShotInChase(Clause):
    """A reason for a Condition: a shot in a chase (STR-CH-07)."""

    says = "shot in a chase"


class ChaseSide(Clause):
    """A side whose driver has no name."""

    side: str

    says = "{side:" + SIDE + "}"


class ChaseWon(Clause):
    """The result after a tie is broken: the side that wins."""

    side: str

    says = "the {side:" + SIDE + "} win"


class Follow(Decision):
    """The question whether the Chasers follow after a Risk or give up (STR-CH-05).

    `fail` is the highest roll at which they lose the Runners.
    """

    who: Person
    roll: DiceRoll
    fail: int

    asks = "The Runners risk it and roll {roll}: do the Chasers follow, or give up the pursuit?"
    options = {
        "follow": "the Chasers roll, and lose the Runners on {fail} or less",
        "give-up": "the range grows by two",
    }


class ShotTarget(Decision):
    """The choice of the person that a shot at a side takes out (STR-CH-07)."""

    who: Person
    at: str

    asks = "{who} has hit the {at:" + SIDE + "}. Who is out of the chase?"
