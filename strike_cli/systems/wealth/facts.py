"""Facts, reasons and decisions about Wealth. They contain no rules."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person, Reason, Shown, Words
from strike_cli.systems.core.facts.costs import WORDED_COST_QUESTIONS
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.dice import DiceRoll

OUTCOME = (
    "{outcome:success=Success|twist=Twist|Out of reach}{bonus:? with a Bonus"
    "|{costs:? with {costs:{flaws:?a Flaw|a Cost}|{costs} Costs}}}"
)
COLUMN = "cheap=Cheap|same=Same Level|expensive=Expensive|automatic=Automatic|impossible=Impossible"
RANK = "0=Penniless|1=Poor|2=Rich|3=Super-rich|above Super-rich"


# Reasons


class Thing(Clause):
    """A thing to buy, as it was typed; if `what` is "", it is named by its price."""

    what: Words
    price: int

    says = "{what:?{what}|something of price {price}}"


class RicherOrPoorer(Clause):
    """A reason for Advantage or Disadvantage on a helper's die: the difference in Wealth (STR-CORE-28)."""

    richer: bool
    wealth: int

    says = "{richer:?richer|poorer} than the buyer: Wealth {wealth}"


class ForThing(Clause):
    """A reason for a Condition: the purchase of a thing."""

    thing: Thing

    says = "for {thing}"


class HelpingBreak(Clause):
    """A reason for a Condition: the person helped others who broke the bank."""

    people: Sequence[Person]

    says = "helping {people} break the bank"


class WithParcel(Clause):
    """A reason for the end of a Condition: a cash parcel was spent."""

    rank: int

    says = "a cash parcel of rank {rank}"


# Rolls and prices


class BareDeal(Clause):
    """The purpose of a Wealth roll that buys nothing."""

    wealth: int
    price: int
    column: str

    says = "Wealth {wealth}, price {price} ({column:" + COLUMN + "})"


class Purchase(Clause):
    """The purpose of a Wealth roll: a person buys something, or tries to.

    `wealth` is the person's Wealth now, and `lowered` are the Conditions that lower it.
    """

    who: Person
    got: bool
    thing: Thing
    wealth: int
    lowered: Sequence[Reason] = ()

    says = "{who} {got:?buys|tries to buy} {thing}[ at Wealth {wealth} ({lowered})]"


class PooledPurchase(Clause):
    """The purpose of a Wealth roll: several people buy something together, or try to (STR-CORE-28)."""

    people: Sequence[Person]
    got: bool
    thing: Thing
    wealth: int

    says = "{people} pool and {got:?buy|try to buy} {thing} as Wealth {wealth}"


class WealthReason(Clause):
    """A reason that changes a helper's die, with its effect.

    The effect is Advantage or Disadvantage (`gives`), or else a modifier (`more`).
    """

    reason: Reason
    gives: str = ""
    more: int = 0

    says = "{gives:advantage=advantage|disadvantage=disadvantage|{more:+}}: {reason}"


class HelpedToBuy(Clause):
    """One helper's part in a purchase: the roll, and how much it added (STR-CORE-28)."""

    name: Person
    roll: DiceRoll
    added: int

    says = "{name} helps with {roll} ({added:0=nothing added|+1}[; {why}])"

    @property
    def why(self) -> Sequence[WealthReason]:
        """The reasons for Advantage, Disadvantage and modifiers on the helper's die."""
        gave = [WealthReason(one.reason, one.kind) for one in self.roll.sources]
        return [*gave, *(WealthReason(one.reason, more=one.value) for one in self.roll.modifiers)]


class WealthRolled(DiceRolled, variant="wealth"):
    """A Wealth roll: its purpose (`deal`), its helpers, and its result (STR-CORE-27)."""

    helpers: Sequence[HelpedToBuy]
    column: str
    outcome: str | None
    bonus: bool
    costs: int
    flaws: int
    deal: Clause

    headline = OUTCOME
    says = "{deal}: {roll}[, {helpers}], " + OUTCOME + "."

    def shown(self) -> Shown:
        """Return how screens mark the roll: bad for a Twist, good for a Success without Costs."""
        tone = "bad" if self.outcome == "twist" else "" if self.costs else "good"
        return Shown("cost" if self.costs else "roll", tone)


class _OfWealth(Fact):
    section = "Wealth"


class PriceWithoutRoll(_OfWealth, kind="priced"):
    """A price that needs no roll: well within the buyer's means, or out of reach (STR-CORE-27)."""

    who: Person
    column: str
    outcome: str | None
    bonus: bool
    costs: int
    flaws: int
    deal: Clause

    says = "{deal}: {column:automatic=no roll needed, Success|no roll buys it}."


class BankBroken(_OfWealth):
    """The buyers break the bank: they get the thing and are Broke (STR-CORE-27)."""

    who: Person
    buyers: Sequence[Person]
    thing: Thing

    event = "cost"
    tone = "bad"
    headline = "The bank is broken"
    says = "{buyers} {buyers:breaks|break} the bank and {buyers:gets|get} {thing}."


class WentWithout(_OfWealth):
    """The buyers go without the thing (STR-CORE-27)."""

    who: Person
    buyers: Sequence[Person]
    thing: Thing

    tone = "bad"
    says = "{buyers} {buyers:goes|go} without {thing}."


# Parcels


class CashGained(_OfWealth):
    """A person gains a cash parcel (STR-CORE-30)."""

    who: Person
    rank: int
    why: Words = ""

    event = "gain"
    tone = "good"
    says = "{who} gains a cash parcel of rank {rank}[: {why}]."


class CashSpent(_OfWealth):
    """A cash parcel is spent (STR-CORE-28 to 30).

    It buys a `thing`, or brings Wealth back to `back_to`. If both are None, it goes into a pool.
    """

    who: Person
    rank: int
    thing: Thing | None = None
    back_to: int | None = None

    event = "cost"
    says = (
        "{who} {how:buys=buys {thing} with a cash parcel of rank {rank}"
        "|back=spends a cash parcel of rank {rank} to get back to Wealth {back_to}"
        "|puts a cash parcel of rank {rank} into the pool}."
    )

    @property
    def how(self) -> str:
        """How the parcel is used, as a word for the template: "buys", "back" or "pools"."""
        return "buys" if self.thing else "pools" if self.back_to is None else "back"


class WealthRaised(_OfWealth):
    """A person invests a cash parcel, which raises their Wealth for good (STR-CORE-30)."""

    who: Person
    rank: int
    wealth: int

    event = "gain"
    tone = "good"
    headline = "{who}: Wealth {wealth}"
    says = (
        "{who} invests a cash parcel of rank {rank}, and in time has Wealth {wealth} ({wealth:" + RANK + "})."
    )


# Decisions


class BreakTheBank(Decision):
    """The decision after a Twist: go without, or break the bank and be Broke (STR-CORE-27)."""

    who: Person
    buyers: Sequence[Person]
    thing: Thing
    helped: bool

    asks = (
        "{buyers} {buyers:comes|come} to a Twist and {buyers:does|do} not get {thing}. Break the bank for it?"
    )
    options = {
        "go-without": "go without {thing}",
        "break-the-bank": "get {thing} and be Broke{helped:?, each helper Short}",
    }


class PriceToPay(Decision):
    """The decision about the Cost of a purchase (STR-CORE-27).

    One of the options is a Flaw. `on` is the thing that then gets the Flaw.
    """

    who: Person
    thing: Thing
    on: Words
    owed_to: Words
    helps: bool

    asks = "{thing:cap} has a Cost. What does {who}{helps:?, who helped,} pay?"
    options = {
        "flaw": "a Flaw on {on}",
        "short": "Short: one Wealth less until a frugal week is over",
        "favor": "a Favor owed to {owed_to}",
        "other": "something else, in your own words",
    }
    worded = WORDED_COST_QUESTIONS
