"""Advantage and Disadvantage that are kept for a later roll."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Fact, Person, Words

GIVES = "advantage=Advantage|disadvantage=Disadvantage"


class Banked(Clause):
    """Advantage or Disadvantage kept for a later roll, by its id (STR-CORE-07)."""

    id: str
    gives: str
    for_: Words
    why: Words = ""

    says = "{gives:" + GIVES + "} on {for_}"


class _OfBonuses(Fact):
    section = "Bonuses"


class BonusBanked(_OfBonuses):
    """Advantage or Disadvantage is kept for a named later roll (STR-CORE-07, 19)."""

    who: Person
    banked: Banked

    event = "gain"
    says = "{who} has {banked.gives:" + GIVES + "} on a later roll: {banked.for_}."


class BonusSpent(_OfBonuses):
    """Bonuses that were kept are used up."""

    who: Person
    spent: Sequence[str]


class BonusDropped(_OfBonuses):
    """A bonus that was kept fits no roll any more."""

    who: Person
    item: Banked

    says = "{who} lets {item.gives:" + GIVES + "} on {item.for_} go."


class BonusTaken(_OfBonuses):
    """A Bonus is taken in place of a Skill that was to be learned."""

    who: Person

    event = "gain"
    says = "{who} takes the Bonus."
