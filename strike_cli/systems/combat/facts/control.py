"""Those who aren't their own masters."""

from collections.abc import Sequence

from strike_cli.kernel.statements import Clause, Fact, Person, Reason
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.facts import Status


class Compelled(Clause):
    """An act of somebody who isn't their own master.

    It is about the one whom it comes of, or a status that it gives them; `words` are for anything else that
    befalls them.
    """

    do: str
    origin: Person = ""
    status: Status = ""
    words: Reason = ""

    unseen = ("origin",)
    says = (
        "{words:?{words}|{do:run-at=a run at |run-from=a run from |take-cover=into cover from "
        "|charge=a charge at |melee=a Melee Basic Attack on |ranged=a Ranged Basic Attack on |{status}}"
        "{status:?|{origin:?{origin}|nobody}}}"
    )


class TurnSpent(Fact):
    """Somebody has no action left in this turn."""

    who: Person


class ControlRolled(DiceRolled, variant="control"):
    """A die says what somebody does who isn't their own master (STR-TAC-25)."""

    status: Reason
    does: Sequence[Compelled]

    says = "{who} is {status}: {roll}, {does:and}."


class Dominated(Fact):
    """Another decides what somebody does in their turn (STR-TAC-25)."""

    who: Person
    decided_by: Person

    event = "turn"
    tone = "bad"
    says = "{decided_by} decides what {who} does."
