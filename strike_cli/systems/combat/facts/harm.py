"""Facts of fights about damage, HP, Strikes, Miss Tokens and Saving Throws."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Hp, HpNumber, Person, Reason, Shown
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.facts import Skill, Status


class Damaged(Fact):
    """A creature loses HP, or boxes (STR-TAC-15, 27).

    Attributes:
        reasons: What changed the amount.
        by: The creature that caused the damage.
        how: What happened to a creature with boxes: "boxes" if boxes are checked, "dent" if damage below
            `threshold` makes a dent, else "nothing". It is "" for other creatures.
    """

    who: Person
    amount: int
    cause: Reason
    hp: Hp
    reasons: Sequence[Reason] = ()
    by: Person = ""
    how: str = ""
    threshold: HpNumber = 0
    boxes: HpNumber = 0
    most: HpNumber = 0

    event = "harm"
    tone = "bad"
    headline = "{who} takes {amount} damage"
    says = (
        "{who} takes {amount} damage[ from {cause}][ ({reasons})]{how:nothing="
        "|dent=, less than {threshold}: a dent, and the next one checks a box"
        "|boxes=: {boxes:a box|{boxes} boxes} checked, {hp.after} of {most} left"
        "|: {hp.before} to {hp.after} HP}."
    )
    says_without_hp = "{who} takes {amount} damage[ from {cause}][ ({reasons})]."

    def shown(self) -> Shown:
        return Shown(self.event, self.tone) if self.amount else Shown()


class Healed(Fact):
    """A creature regains HP, or boxes (STR-TAC-15). `amount` is how many, never more than were missing."""

    who: Person
    amount: HpNumber
    cause: Reason
    hp: Hp
    in_boxes: bool = False

    event = "heal"
    tone = "good"
    headline = "{who} regains {amount} {in_boxes:?boxes|HP}"
    says = (
        "{who} regains {nothing:?nothing|{amount} {in_boxes:?boxes|HP}}[ from {cause}]"
        "{nothing:?|: {hp.before} to {hp.after} {in_boxes:?boxes|HP}}."
    )
    says_without_hp = "{who} regains {nothing:?nothing|{in_boxes:?boxes|HP}}[ from {cause}]."

    @property
    def nothing(self) -> bool:
        """Whether the creature regained nothing."""
        return not self.amount

    def shown(self) -> Shown:
        return Shown(self.event, self.tone) if self.amount else Shown()


class HpSet(Fact):
    """The game master sets a creature's HP, or boxes."""

    who: Person
    hp: Hp
    in_boxes: bool = False

    says = "The game master sets {who}: {hp.before} to {hp.after} {in_boxes:?boxes|HP}."
    says_without_hp = "The game master changes {who's} state."


class HpPaid(Fact):
    """A creature pays HP, or boxes, for `what`. `left` is how many it has afterwards."""

    who: Person
    amount: HpNumber
    what: Reason
    left: HpNumber
    in_boxes: bool = False

    event = "cost"
    says = "{who} pays {amount} {in_boxes:?boxes|HP}[ for {what}]: {left} left."
    says_without_hp = "{who} pays[ for {what}]."


class FirstBloodied(Fact):
    """A creature becomes Bloodied for the first time in this fight."""

    who: Person


class TakenOut(Fact):
    """A creature is Taken Out (STR-TAC-15)."""

    who: Person

    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = "{who} is Taken Out."


class DamageDue(Fact):
    """Damage that would take a creature out is postponed until the creature's final action (STR-TAC-25)."""

    who: Person
    why: Reason

    event = "harm"
    tone = "bad"
    headline = "One final action"
    says = "[{why} will bring {who} down: ]one final action first, an Attack, Role or Move."


class FinalAction(Fact):
    """A creature has taken its final action, and now takes the damage that was postponed."""

    who: Person


class WillTake(Clause):
    """An event: `who` is about to take damage."""

    who: Person
    amount: int
    cause: Reason

    says = "{amount} damage to {who}[ from {cause}]"


class GameMasterSays(Clause):
    """A reason for a Strike: the game master says so."""

    says = "the game master says so"


class AttackRollOfOne(Clause):
    """A reason for a Strike: a 1 on an attack roll (STR-TAC-09)."""

    says = "an attack roll of 1"


class CostOfRoll(Clause):
    """A reason for a Strike: the Cost of a Skill Roll (STR-TAC-14)."""

    skill: Skill = ""

    says = "the Cost of {skill:?{skill}|a roll}"


class HouseStrike(Clause):
    """A reason for a Strike: the house rule `hp_strikes`."""

    why: str

    says = "{why:incapacitated=Incapacitated|taken-out=Taken Out|first Bloodied}"


class StrikeTaken(Fact):
    """A player's character takes a Strike; `strikes` is the new total (STR-TAC-17)."""

    who: Person
    strikes: int
    why: Reason

    style = "warn"
    event = "cost"
    tone = "bad"
    headline = "A Strike"
    says = "{who} takes a Strike ({strikes} now)[: {why}]."


class TokenGained(Fact):
    """A player gains `n` Miss Tokens and now has `now` (STR-TAC-10)."""

    who: Person
    n: int
    now: int

    style = "dim"
    in_story = False
    event = "gain"
    tone = "good"
    headline = "{n:A Miss Token|{n} Miss Tokens}"
    says = "{who} gains {n:a Miss Token|{n} Miss Tokens} ({now} now)."


class SaveRolled(DiceRolled, variant="save"):
    """A Saving Throw against a status (STR-TAC-03).

    `value` is the status's number, given if the creature has several statuses of this kind.
    """

    status: Status
    ended: bool
    value: int | None = None

    event = "save"
    headline = "{ended:?Saved|Not saved} against {status}"
    says = "{who} saves against {status}[ {value}]: {roll}, it {ended:?ends|stays}."

    def shown(self) -> Shown:
        return Shown(self.event, "good" if self.ended else "bad")


class EscapeRolled(DiceRolled, variant="escape"):
    """A creature tries to escape from a status: `free` if it succeeds (STR-TAC-25)."""

    status: Status
    free: bool

    event = "save"
    headline = "{who} {free:?is free|is held}"
    says = "{who} tries to get out of being {status}: {roll}, {free:?free|held}."

    def shown(self) -> Shown:
        """Return the display of the roll: good if the creature is free, else bad."""
        return Shown(self.event, "good" if self.free else "bad")


class EscapeFrom(Decision):
    """The choice of the status to escape from. `target` is the roll that is needed (STR-TAC-25)."""

    who: Person
    target: int

    asks = "{who} tries to escape, on {target} or more. From what?"


class ComebackRolled(DiceRolled, variant="comeback"):
    """A Comeback Roll (STR-TAC-16).

    `result` is "lost" if the character loses `hp` HP, "back" if the character returns to the fight, and
    anything else if nothing changes.
    """

    result: str
    hp: int

    event = "save"
    headline = "{result:lost=No comeback|back=A comeback|No comeback yet}"
    says = (
        "{who's} Comeback Roll: {roll}, {result:lost=loses {hp} HP|back=is back in the fight"
        "|nothing changes}."
    )

    def shown(self) -> Shown:
        return Shown(self.event, {"lost": "bad", "back": "good"}.get(self.result, ""))
