"""Flaws and Favors."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Fact, Person, Words


class Flaw(Clause):
    """A Flaw on an item, or on what somebody knows, by its id (STR-CORE-10)."""

    id: str
    on: Words
    text: Words = ""

    says = "{on}[: {text}]"


class Favor(Clause):
    """A Favor owed, or a Bad Reputation, by its id (STR-CORE-11)."""

    id: str
    to: Words
    text: Words = ""
    associates: Sequence[Words] = ()
    reputation: bool = False

    says = "{to}[, {text}]"


class _OfDebts(Fact):
    section = "Flaws and Favors"


class FlawGained(_OfDebts):
    """Something that somebody has or knows gains a Flaw (STR-CORE-10)."""

    who: Person
    item: Flaw

    event = "cost"
    tone = "bad"
    headline = "A Flaw on {item.on}"
    says = "{who} has a Flaw on {item.on}[: {item.text}] ({item.id})."


class FlawUsed(_OfDebts):
    """A Flaw is an automatic Twist for an Action Point (STR-CORE-10)."""

    who: Person
    item: Flaw
    outcome: str

    event = "cost"
    tone = "bad"
    headline = "Twist"
    says = "{who} lets {item.on} go wrong: {item.text:?{item.text}|its Flaw}. A Twist, without a roll."


class FlawMoved(_OfDebts):
    """A Flaw of a failed deal is on the thing itself, now that it is theirs (STR-CORE-31)."""

    who: Person
    item: Flaw

    says = "The Flaw of {who} is on {item.on} now ({item.id})."


class FlawMended(_OfDebts):
    """A Flaw is repaired, replaced or put right."""

    who: Person
    item: Flaw

    event = "gain"
    tone = "good"
    says = "{who} mends the Flaw on {item.on}."


class FavorGained(_OfDebts):
    """Somebody owes a Favor (STR-CORE-11), or has a Bad Reputation at once."""

    who: Person
    item: Favor

    event = "cost"
    tone = "bad"
    headline = "{item.reputation:?A Bad Reputation with|A Favor owed to} {item.to}"
    says = (
        "{who} {item.reputation:?has a Bad Reputation with {item.to}|owes {item.to} a Favor}"
        "[, {item.text}] ({item.id})."
    )


class FavorAssociated(_OfDebts):
    """Somebody is with those whom a Favor is owed to."""

    who: Person
    item: Favor

    says = "{newest} is with {item.to}, whom {who} owes a Favor."

    @property
    def newest(self) -> Words:
        """Who that is."""
        return self.item.associates[-1]


class FavorRepaid(_OfDebts):
    """Nothing is owed any more, or a Bad Reputation is lived down."""

    who: Person
    item: Favor

    event = "gain"
    tone = "good"
    says = "{who} {item.reputation:?lives down the Bad Reputation with|repays the Favor to} {item.to}."


class FavorOverdue(_OfDebts):
    """A Favor left too long becomes a Bad Reputation (STR-CORE-11)."""

    who: Person
    item: Favor

    event = "cost"
    tone = "bad"
    headline = "A Bad Reputation with {item.to}"
    says = "The Favor that {who} owes {item.to} is overdue: a Bad Reputation with them."
