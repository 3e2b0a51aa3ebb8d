"""Saving Throws, escapes and Comeback Rolls."""

from strike_cli.kernel.statements import Decision, Person, Shown
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
        return Shown(self.event, "good" if self.ended else "bad")


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
    """The hold that somebody tries to escape from, of several (STR-TAC-25); `target` is the roll it takes."""

    who: Person
    target: int

    asks = "{who} tries to escape, on {target} or more. From what?"


class ComebackRolled(DiceRolled, variant="comeback"):
    """A Comeback Roll: HP are `lost`, or who is Incapacitated is `back`, or nothing (STR-TAC-16)."""

    result: str
    hp: int

    event = "save"
    headline = "{result:lost=No comeback|back=A comeback|No comeback yet}"
    says = (
        "{who's} Comeback Roll: {roll}, {result:lost=loses {hp} HP|back=is back in the fight"
        "|nothing changes}."
    )

    def shown(self) -> Shown:
        return Shown(self.event, {"lost": "bad", "back": "good"}.get(self.result, ""))
