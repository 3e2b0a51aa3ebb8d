"""Facts about the Costs of rolls: Flaws, Favors, and bonuses kept for a later roll."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Words
from strike_cli.tabletop.facts import Condition

from .rolls import Severity


class CostCondition(Clause):
    """An option when a Cost is paid: a Condition of a certain severity."""

    condition: Condition
    severity: Severity

    says = "{condition} ({severity:minor=minor|major=major|{severity}})"


class CostKind(Clause):
    """An option in the choice of a Cost: a Flaw, for instance, or a Favor, but not a Condition."""

    cost: str

    says = (
        "{cost:flaw=a Flaw in an item or in knowledge|favor=a Favor owed"
        "|later=Disadvantage on the later roll instead|other=something else, in your own words"
        "|waive=none this time}"
    )


WORDED_COST_QUESTIONS = {
    "flaw": "What has the Flaw?",
    "favor": "To whom is the Favor owed?",
    "other": "What does it cost?",
}
"""The Costs that people describe in their own words, each with the question for them."""


class CostToPay(Decision):
    """The choice of a Cost of a roll (STR-CORE-09), which `who` pays: the roller, or a helper.

    A roller may have to pay several Costs. `many` is their number, and `number` says which of them this is,
    counted from 1.
    """

    who: Person
    roller: Person
    skill: Clause | None
    number: int = 1
    many: int = 1

    worded = WORDED_COST_QUESTIONS

    asks = (
        "{roller's} {skill:?{skill}|roll} has {many:a Cost|{many} Costs}. "
        "What does {who}{helps:?, who helped,} pay{several:? for number {number}}?"
    )

    @property
    def helps(self) -> bool:
        """Whether a helper pays."""
        return self.who != self.roller

    @property
    def several(self) -> bool:
        """Whether the roller pays more than one Cost."""
        return self.many > 1 and not self.helps


class CostInWords(Fact):
    """A person pays a Cost that is on no sheet, in words that the players chose (STR-CORE-09)."""

    who: Person
    cost: Words = ""

    section = "Flaws and Favors"
    event = "cost"
    tone = "bad"
    headline = "{cost:?{cost}|A Cost}"
    says = "{who} pays a Cost: {cost:?{cost}|what the table says}."


class Flaw(Clause):
    """A Flaw of an item or of a person's knowledge, with its id (STR-CORE-10)."""

    id: str
    on: Words
    text: Words = ""

    says = "{on}[: {text}]"


class Favor(Clause):
    """A Favor that somebody owes to `to`, or a Bad Reputation with `to` (STR-CORE-11).

    `id` is the Favor's id in the state.
    """

    id: str
    to: Words
    text: Words = ""
    associates: Sequence[Words] = ()
    reputation: bool = False

    says = "{to}[, {text}]"


class _DebtFact(Fact):
    section = "Flaws and Favors"


class FlawGained(_DebtFact):
    """Something that a person has or knows gets a Flaw (STR-CORE-10)."""

    who: Person
    item: Flaw

    event = "cost"
    tone = "bad"
    headline = "A Flaw on {item.on}"
    says = "{who} has a Flaw on {item.on}[: {item.text}] ({item.id})."


class FlawUsed(_DebtFact):
    """A Flaw causes a Twist without a roll, and earns an Action Point (STR-CORE-10)."""

    who: Person
    item: Flaw
    outcome: str

    event = "cost"
    tone = "bad"
    headline = "Twist"
    says = "{who} lets {item.on} go wrong: {item.text:?{item.text}|its Flaw}. A Twist, without a roll."


class FlawMoved(_DebtFact):
    """A Flaw gained in a failed deal is moved to the item, which was bought after all (STR-CORE-31)."""

    who: Person
    item: Flaw

    says = "The Flaw of {who} is on {item.on} now ({item.id})."


class FlawMended(_DebtFact):
    """A Flaw is repaired."""

    who: Person
    item: Flaw

    event = "gain"
    tone = "good"
    says = "{who} mends the Flaw on {item.on}."


class FavorGained(_DebtFact):
    """A person owes a Favor from now on, or gets a Bad Reputation at once (STR-CORE-11)."""

    who: Person
    item: Favor

    event = "cost"
    tone = "bad"
    headline = "{item.reputation:?A Bad Reputation with|A Favor owed to} {item.to}"
    says = (
        "{who} {item.reputation:?has a Bad Reputation with {item.to}|owes {item.to} a Favor}"
        "[, {item.text}] ({item.id})."
    )


class FavorAssociated(_DebtFact):
    """Somebody becomes an associate of a Favor's creditor, and is as hard to ask as the creditor."""

    who: Person
    item: Favor

    says = "{newest} is with {item.to}, whom {who} owes a Favor."

    @property
    def newest(self) -> Words:
        """The associate who was added last."""
        return self.item.associates[-1]


class FavorRepaid(_DebtFact):
    """A Favor is repaid, or a Bad Reputation is lived down."""

    who: Person
    item: Favor

    event = "gain"
    tone = "good"
    says = "{who} {item.reputation:?lives down the Bad Reputation with|repays the Favor to} {item.to}."


class FavorOverdue(_DebtFact):
    """A Favor that was left too long becomes a Bad Reputation (STR-CORE-11)."""

    who: Person
    item: Favor

    event = "cost"
    tone = "bad"
    headline = "A Bad Reputation with {item.to}"
    says = "The Favor that {who} owes {item.to} is overdue: a Bad Reputation with them."


GIVES = "advantage=Advantage|disadvantage=Disadvantage"


class Banked(Clause):
    """Advantage or Disadvantage that is stored for a later roll, with its id (STR-CORE-07)."""

    id: str
    gives: str
    for_: Words
    why: Words = ""

    says = "{gives:" + GIVES + "} on {for_}"


class _BonusFact(Fact):
    section = "Bonuses"


class BonusBanked(_BonusFact):
    """Somebody gets Advantage or Disadvantage that is stored for a later roll (STR-CORE-07, 19)."""

    who: Person
    banked: Banked

    event = "gain"
    says = "{who} has {banked.gives:" + GIVES + "} on a later roll: {banked.for_}."


class BonusSpent(_BonusFact):
    """Banked bonuses are spent."""

    who: Person
    spent: Sequence[str]


class BonusDropped(_BonusFact):
    """A banked bonus is given up."""

    who: Person
    item: Banked

    says = "{who} lets {item.gives:" + GIVES + "} on {item.for_} go."


class BonusTaken(_BonusFact):
    """A person takes the roll's Bonus instead of learning the Skill."""

    who: Person

    event = "gain"
    says = "{who} takes the Bonus."
