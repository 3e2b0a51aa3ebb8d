"""What the Cost of a roll is."""

from strike_cli.kernel.statements import Clause, Decision, Person
from strike_cli.tabletop.facts import Condition

from .sorts import Severity


class CostCondition(Clause):
    """A Cost: a Condition."""

    condition: Condition
    severity: Severity

    says = "{condition} ({severity:minor=minor|major=major|{severity}})"


class CostKind(Clause):
    """A Cost that is no Condition."""

    cost: str

    says = (
        "{cost:flaw=a Flaw in an item or in what they know|favor=a Favor owed"
        "|later=Disadvantage on the later roll instead|waive=none this time}"
    )


class CostToPay(Decision):
    """What the Cost of a roll is (STR-CORE-09): which of how `many` of the roller's, or a helper's own."""

    who: Person
    roller: Person
    skill: Clause | None
    number: int = 1
    many: int = 1

    asks = (
        "{roller's} {skill:?{skill}|roll} has {many:a Cost|{many} Costs}. "
        "What does {who}{helps:?, who helped,} pay{several:? for number {number}}?"
    )

    @property
    def helps(self) -> bool:
        """Whether it is a helper who pays."""
        return self.who != self.roller

    @property
    def several(self) -> bool:
        """Whether the roller pays more than one."""
        return self.many > 1 and not self.helps
