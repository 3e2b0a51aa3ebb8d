"""HP that are lost, regained, paid, and what comes of having none."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Fact, Hp, HpNumber, Person, Reason, Shown


class Damaged(Fact):
    """Somebody loses HP, or boxes (STR-TAC-15, 27).

    `how` is the result for creatures that have boxes of `threshold`: "boxes" are checked, a "dent",
    "nothing"; `reasons` say why the amount is what it is, `by` is who did it.
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
    """Somebody regains HP, or boxes (STR-TAC-15). How much shows how much was lacking."""

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
        """Whether nothing was lacking."""
        return not self.amount

    def shown(self) -> Shown:
        return Shown(self.event, self.tone) if self.amount else Shown()


class HpSet(Fact):
    """The game master sets somebody's HP, or boxes."""

    who: Person
    hp: Hp
    in_boxes: bool = False

    says = "The game master sets {who}: {hp.before} to {hp.after} {in_boxes:?boxes|HP}."
    says_without_hp = "The game master changes how {who} is."


class HpPaid(Fact):
    """Somebody pays HP, or boxes, for something, and has so many `left`."""

    who: Person
    amount: HpNumber
    what: Reason
    left: HpNumber
    in_boxes: bool = False

    event = "cost"
    says = "{who} pays {amount} {in_boxes:?boxes|HP}[ for {what}]: {left} left."
    says_without_hp = "{who} pays[ for {what}]."


class FirstBloodied(Fact):
    """Somebody has been Bloodied in this fight."""

    who: Person


class TakenOut(Fact):
    """Somebody is Taken Out (STR-TAC-15)."""

    who: Person

    style = "bad"
    highlight = True
    event = "fall"
    tone = "bad"
    headline = "{who} falls"
    says = "{who} is Taken Out."


class DamageDue(Fact):
    """Damage that would bring somebody down waits until they have had one final action (STR-TAC-25)."""

    who: Person
    why: Reason

    event = "harm"
    tone = "bad"
    headline = "One final action"
    says = "[{why} will bring {who} down: ]one final action first, an Attack, Role or Move."


class FinalAction(Fact):
    """The damage that waited for somebody's final action waits no more."""

    who: Person


class WillTake(Clause):
    """Somebody is about to take damage."""

    who: Person
    amount: int
    cause: Reason

    says = "{amount} damage to {who}[ from {cause}]"
