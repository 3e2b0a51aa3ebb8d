"""Saving Throws and escapes."""

from strike_cli.kernel.statements import Decision, Person, Reason, Shown
from strike_cli.systems.core.facts.rolls import DiceRolled
from strike_cli.tabletop.facts import Status


class SaveRolled(DiceRolled, variant="save"):
    """A Saving Throw against a status, with its number where it is one of several (STR-TAC-03)."""

    status: Status
    ended: bool
    value: int | None = None

    event = "save"
    headline = "{ended:?Saved|Not saved} against {status}"
    says = "{who} saves against {status}[ {value}]: {roll}, it {ended:?ends|stays}."

    def shown(self) -> Shown:
        """Good where the status ends."""
        return Shown(self.event, "good" if self.ended else "bad")


class WhichStatus(Decision):
    """Which of several statuses ends, is saved against, or is escaped from; of a `power`, where it is one's.
    `how` is what is done about it."""

    who: Person
    how: str
    power: Reason = ""

    asks = (
        "[{power}: ]{how:end=which status of {who} ends?|save=what does {who} save against?"
        "|escape=what does {who} try to get out of?|order=which save does {who} make first?}"
    )


class EscapeRolled(DiceRolled, variant="escape"):
    """Somebody tries to escape from a status, and is `free` of it or held still (STR-TAC-25)."""

    status: Status
    free: bool

    event = "save"
    headline = "{who} {free:?is free|is held}"
    says = "{who} tries to get out of being {status}: {roll}, {free:?free|held}."

    def shown(self) -> Shown:
        """Good or bad by what came of it."""
        return Shown(self.event, "good" if self.free else "bad")


class EscapeFrom(Decision):
    """From which of several holds somebody tries to escape (STR-TAC-25); `target` is the roll that it
    takes."""

    who: Person
    target: int

    asks = "{who} tries to escape, on {target} or more. From what?"
