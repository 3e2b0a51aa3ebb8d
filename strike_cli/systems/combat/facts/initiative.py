"""Who acts when."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Decision, Fact, Person
from strike_cli.tabletop.dice import DiceRoll


class Initiative(Clause):
    """What somebody rolled for initiative, once for each turn that they have in a round."""

    who: Person
    totals: Sequence[int]

    says = "{who}: {totals}"


class InitiativeRolled(Fact):
    """Initiative: the `order` of everybody as the fight begins, or the `total` of a `group` that comes later.

    A summon that acts after its maker has neither (STR-TAC-01, 02).
    """

    who: Person = ""
    rolls: Sequence[DiceRoll] = ()
    order: Sequence[Initiative] = ()
    group: Sequence[Person] = ()
    total: int = 0

    event = "roll"
    says = "[Initiative: {order}.][{group:list}: initiative {total}.]"


class GoesFirst(Clause):
    """An option: those who act first of those who tie."""

    group: Sequence[Person]

    says = "{group} first"


class GoesNext(Clause):
    """Those who act next of those who tie, as they are listed; `first` of them all."""

    group: Sequence[Person]
    first: bool

    says = "{first:?|then }{group}"


class AsListed(Clause):
    """An option: those who tie act as they are listed."""

    order: Sequence[GoesNext]

    says = "{order}"


class InitiativeTie(Decision):
    """Who acts first of those who tie for initiative (STR-TAC-02)."""

    total: int
    people: Sequence[Person]

    asks = "{people} tie for initiative on {total}. Who acts first?"
