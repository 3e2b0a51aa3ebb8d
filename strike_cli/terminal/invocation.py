"""How one command is run: in which campaign, for whom, who is asked, and who takes the result.

Each door makes one; nothing of it is kept in the process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..command_line import AS_STRIKE, CommandLine

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Args, Choose, Roll
    from ..registry.remote_access import Asker
    from .result import Result

FacesOf = Callable[["Roll", str], "list[int] | None"]
"""Who asks for the faces of a roll, by the name of whose it is; None for one that is left to strike. Raises
Refused where the command is taken back."""

ASK = "ask"
"""What --dice is where somebody shall be asked for the faces of every roll."""


class GivenOptions(NamedTuple):
    """The common options of a command that are given beside its words."""

    dice: Sequence[int] | str = ()
    choose: Sequence[str] = ()
    note: str = ""
    secret: bool = False
    dry_run: bool = False
    seed: int | None = None
    reroll: bool = False
    explain: bool = False

    def options(self) -> dict[str, object]:
        """Return the common options that were given, by name, as they would have been typed."""
        dice = self.dice if isinstance(self.dice, str) else ",".join(map(str, self.dice))
        typed: dict[str, object] = {
            **self._asdict(),
            "dice": [dice] if dice else None,
            "choose": [",".join(self.choose)] if self.choose else None,
        }
        return {name: value for name, value in typed.items() if value or (name == "seed" and value == 0)}


class Outsider(NamedTuple):
    """The person or program outside that a command is played for.

    Commands that may not be asked for (`registry.remote_access`), and options that it has to do `without`,
    are refused before anything is looked at.
    """

    asker: Asker
    without: Sequence[str] = ()


class Invocation(NamedTuple):
    """One command on its way in. As it is by default somebody types it at a terminal."""

    folder: str | None = None
    """The campaign's folder, where it was named."""
    campaign: Campaign | None = None
    """The open campaign that the command is played in; without it each command opens its own."""
    unattended: bool = False
    """Whether nobody is asked anything, terminal or not: decisions stay pending."""
    asking: bool = False
    """Whether every decision is left open for a screen to put, also those that would be taken by default."""
    dice: str = ""
    """What --dice is where the command says nothing of its dice: empty, or `ask`."""
    faces_of: FacesOf | None = None
    """Who is asked for the faces of dice on the table, in the terminal's place."""
    result_to: Callable[[Result], None] | None = None
    """Who takes the result, in the terminal's place: then nothing is printed."""
    player: str = ""
    """The character whose player's phone it comes from."""
    at: int | None = None
    """The entry that it was made at: it is refused (MovedOn) where more was recorded since."""
    sure: bool = False
    """Whether nobody is asked before what they do costs them something."""
    by: str = ""
    """What the journal keeps as `by`: an assistant."""
    given: GivenOptions = GivenOptions()
    """What is said beside its words."""
    outsider: Outsider | None = None
    """For whom outside it is played."""
    aside: Callable[[str, Choose], bool] | None = None
    """Who plays another command that is typed at a question: whether a line is one."""
    json: bool = False
    """Whether results are shown as JSON, whatever the line says."""
    plain: bool = False
    """Whether they are shown without colour."""
    typed: CommandLine = AS_STRIKE
    """How lines are typed that are printed to be typed."""
    reads: bool = False
    """Whether the command is only read: its first move is not played, but raised as MoveRead."""

    @property
    def is_collected(self) -> bool:
        """Whether a program takes the result, in place of a terminal."""
        return self.result_to is not None


class MoveRead(Exception):
    """The move that a command which is only read would play first."""

    def __init__(self, move: str, given: Args | Mapping[str, object]) -> None:
        super().__init__(move)
        self.move = move
        self.given = given


AT_TERMINAL = Invocation()
"""Typed at a terminal."""
UNATTENDED = Invocation(unattended=True)
"""Played with nobody to ask."""
