"""How a command is run: in which campaign, for whom, and where its result goes.

Each way into the program makes an `Invocation` with these facts. Nothing of it is kept in global variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..command_prefix import AS_STRIKE, CommandPrefix

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.procedure import Args, Choose, Roll
    from ..registry.remote_permissions import RemoteSender
    from .command_output import Result

FacesOf = Callable[["Roll", str], "list[int] | None"]
"""The source of faces for a roll, called with the roller's name; None for a roll that is left to strike.
Raises Refused where the command is taken back."""

ASK = "ask"
"""The value of --dice with which a person is asked for the faces of every roll."""


class GivenOptions(NamedTuple):
    """Common options that a program gives to a command separately, beside the command's words."""

    dice: Sequence[int] | str = ()
    choose: Sequence[str] = ()
    note: str = ""
    secret: bool = False
    dry_run: bool = False
    seed: int | None = None
    reroll: bool = False
    explain: bool = False

    def as_typed_options(self) -> dict[str, object]:
        """Return the options that are set, by name, in the same form as options that were typed."""
        dice = self.dice if isinstance(self.dice, str) else ",".join(map(str, self.dice))
        typed: dict[str, object] = {
            **self._asdict(),
            "dice": [dice] if dice else None,
            "choose": [",".join(self.choose)] if self.choose else None,
        }
        return {name: value for name, value in typed.items() if value or (name == "seed" and value == 0)}


class RemoteCaller(NamedTuple):
    """A program or person outside this terminal that sends a command.

    `asker` is the kind of sender. It decides which commands are allowed (`registry.remote_permissions`).
    `without` names further options that this sender may not give. A forbidden command is refused before
    anything else is done.
    """

    asker: RemoteSender
    without: Sequence[str] = ()


class Invocation(NamedTuple):
    """How one command is run. By default a person types it at a terminal."""

    folder: str | None = None
    """The campaign's folder, if it was named."""
    campaign: Campaign | None = None
    """The open campaign for the command; without it each command opens its own."""
    unattended: bool = False
    """Whether nobody is asked anything, even at a terminal: decisions stay pending."""
    leaves_decisions_open: bool = False
    """Whether every decision is left for a screen to ask, also those with a default."""
    dice: str = ""
    """The value of --dice for a command without one: empty, or `ask`."""
    face_source: FacesOf | None = None
    """The source of faces for dice on the table, instead of the terminal."""
    result_handler: Callable[[Result], None] | None = None
    """The taker of the result, instead of the terminal: nothing is printed."""
    player: str = ""
    """The character whose player's phone sent it."""
    expected_last_entry: int | None = None
    """The entry that was the last when it was made: it is refused (MovedOn) if more was recorded since."""
    skips_confirmation: bool = False
    """Whether nobody is asked before an action that has a cost."""
    by: str = ""
    """The value of `by` in the journal: an assistant."""
    given: GivenOptions = GivenOptions()
    """The options given beside its words."""
    outsider: RemoteCaller | None = None
    """The outside person or program for whom it is played."""
    play_at_question: Callable[[str, Choose], bool] | None = None
    """A function that plays another command typed at a question: it returns whether a line is one."""
    json: bool = False
    """Whether results are shown as JSON even if the line doesn't ask for it."""
    plain: bool = False
    """Whether results are shown without colour."""
    command_form: CommandPrefix = AS_STRIKE
    """The form in which commands are printed for people to type."""
    only_parses: bool = False
    """Whether the command is only parsed: its first move is raised as MoveParsed instead of being played."""

    @property
    def has_result_handler(self) -> bool:
        """Whether a program gets the command's result. If no program gets it, the result is printed."""
        return self.result_handler is not None


class MoveParsed(Exception):
    """Raised in place of playing the first move of a command that is only parsed."""

    def __init__(self, move: str, given: Args | Mapping[str, object]) -> None:
        super().__init__(move)
        self.move = move
        self.given = given


AT_TERMINAL = Invocation()
"""A command typed at a terminal."""
UNATTENDED = Invocation(unattended=True)
"""A command played with nobody to ask."""
