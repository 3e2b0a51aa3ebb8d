"""Why a roll is as it is."""

from strike_cli.kernel.statements import Clause, Person, Words
from strike_cli.tabletop.facts import Skill


class CostOf(Clause):
    """A reason: the Cost of a roll."""

    what: Clause | None

    says = "the Cost of {what:?{what}|a roll}"


class SuccessWith(Clause):
    """A reason: a success with a Skill."""

    what: Clause

    says = "a success with {what}"


class Helps(Clause):
    """A reason: another Skill helps, for an Action Point `paid` or to be paid."""

    skill: Skill
    paid: bool = False

    says = "{skill} helps{paid:?| (1 AP)}"


class TwistFromFlaw(Clause):
    """A reason: a Flaw that went wrong."""

    on: Words

    says = "a Twist from the Flaw on {on}"


class MakeshiftTools(Clause):
    """A reason: the tools are none."""

    says = "makeshift tools"


class UnskilledHelp(Clause):
    """A reason: a helper is Unskilled."""

    says = "Unskilled help"


class OfFlaw(Clause):
    """A reason: a Flaw of what is used."""

    on: Words
    text: Words = ""

    says = "{on}: {text:?{text}|flawed}"


class OwesFavor(Clause):
    """A reason: what somebody of the party owes whom they ask, or those who are `asked` and with them."""

    who: Person
    to: Words
    reputation: bool
    asked: Words = ""

    says = "{reputation:?bad reputation with {to}|{who} owes {to} a favor}[, and {asked} is with them]"


class BankedBonus(Clause):
    """A reason: a bonus that was kept, by its id."""

    id: str
    why: Words = ""

    says = "{why:?{why} ({id})|banked {id}}"
