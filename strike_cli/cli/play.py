"""The command `strike play`: the full screen on which an evening is played."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..campaign_on_screen import campaign_view, screens_stamp
from ..command_prefix import OWN_PROMPT
from ..problems import CampaignProblem, Problem, Usage
from ..registry.installed_plugins import failure_messages
from ..session.prompt import history_file
from ..session.python_session import Session
from ..session.tab_completion import completions_of_last_word
from ..session.typed_line import LEAVE_WORDS, OWN_TERMINAL, command_words_of_line
from ..terminal.argument_completions import choice_metavar
from ..terminal.command_output import Result, result_as_text_storing_items, terminal_type_has_escape_codes
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.invocation import ASK, UNATTENDED, FacesOf
from .argument_completions import SYSTEM

if TYPE_CHECKING:
    from ..terminal.screen.app import CommandOutput, PlayScreen
    from ..terminal.screen.campaign_view import CampaignView

app = new_app("The evening on one screen, to play from.")

ENTRIES = 100
"""The entries of the journal that the log can show."""


@command(app, "play", kind="reads")
def play(
    options: Options,
    scene: Annotated[
        str, typer.Option("--scene", metavar=SYSTEM, help="The scene to begin with. Default: the newest.")
    ] = "",
    dice: Annotated[
        str, typer.Option("--dice", metavar=choice_metavar("ask"), help="Ask for the faces of every roll.")
    ] = "",
) -> Result:
    """Play from one full screen: the map, the people, the log, your options, and a line to type on.

    Point at squares and tokens with the arrows, Tab or the mouse. The last line shows what Enter would do:
    the path, the chances, and the Opportunities that the move provokes. `?` lists the keys. Commands are
    typed as in `strike shell`. If somebody plays in another terminal, the screen follows. It needs Textual:
    `pip install "strike-cli[play]"`.

    Example: `strike play`
    """
    if dice not in ("", ASK):
        raise Usage(f"--dice {dice}: the screen accepts only `--dice ask`.", "Or give faces after a command.")
    if options.json:
        raise Usage("`strike play` is for people.", "`strike batch FILE --json` is for programs.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage("`strike play` needs a terminal.", "In a script, `strike batch FILE` plays commands.")
    if not terminal_type_has_escape_codes():
        kind = f"TERM={os.environ['TERM']}" if os.environ.get("TERM") else "TERM is not set"
        raise Usage(
            f"This terminal can't show a full screen ({kind}).", "`strike shell` plays in any terminal."
        )
    with options.open_campaign() as campaign:
        folder = campaign.folder
    # Completion, for example, looks for the campaign by itself and must find this one.
    os.environ["STRIKE_CAMPAIGN"] = str(folder)
    create_screen(folder, scene, dice).run()
    return Result("play", None)


def create_screen(folder: Path, scene: str = "", dice: str = "") -> PlayScreen:
    """Return the screen of a campaign, ready to run. Raises CampaignProblem if Textual isn't installed."""
    try:
        from ..terminal.screen.app import PlayScreen
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        raise CampaignProblem(
            "`strike play` needs Textual, which isn't installed.",
            '`pip install "strike-cli[play]"` installs it; `strike shell` and `strike watch` need none.',
        ) from None
    return PlayScreen(ScreenBackend(folder, dice), scene)


class ScreenBackend:
    """The command line's services for the full screen.

    They read the campaign, play commands, complete words and store the history of typed lines.
    """

    quit_words: Sequence[str] = LEAVE_WORDS

    def __init__(self, folder: Path, dice: str = "") -> None:
        self.folder = folder
        self.game = Session(folder)
        self.dice = dice

    def change_stamp(self) -> object:
        """Return a value that changes when somebody plays, edits or proposes something."""
        return screens_stamp(self.folder)

    def read_view(self) -> CampaignView:
        """Return the campaign as it is now. Raises Problem if it can't be read."""
        return campaign_view(self.game.current_campaign(), ENTRIES)

    def run_command(self, words: Sequence[str], width: int, faces_of: FacesOf) -> CommandOutput:
        """Play a command as if it were typed; return its output, wrapped to `width` columns.

        Decisions stay open, so that the screen can show them. `faces_of` asks for the faces of physical dice.
        """
        from ..terminal.screen.app import CommandOutput

        asks = UNATTENDED._replace(leaves_decisions_open=True, face_source=faces_of, dice=self.dice)
        known = failure_messages()
        try:
            result = self.game.play_for_result(words, asks)
        except Problem as problem:
            told = filter(None, (problem.message, problem.hint))
            return CommandOutput(problem.exit_code, "", "\n".join(map(OWN_PROMPT.adapt_prose, told)))
        notes = [f"{reason} Everything else goes on." for reason in failure_messages() if reason not in known]
        said = "\n".join(OWN_PROMPT.adapt_prose(f"Note: {note}") for note in [*result.notices, *notes])
        return CommandOutput(result.exit_code, result_as_text_storing_items(result, width, OWN_PROMPT), said)

    def command_words_of_line(self, line: str, shown: str = "") -> list[str]:
        """Return the words of the command that a typed line means.

        If the line answers an open decision, the command is `choose`. The decision of the scene `shown` is
        tried first. Raises Usage for a line that can't be read, or that can't be played on the screen.
        """
        return command_words_of_line(self.folder, line, OWN_TERMINAL, shown)

    def completions_of_line(self, line: str) -> list[str]:
        """Return the completions of the last word of a line."""
        return completions_of_last_word(line, str(self.folder))

    def history(self) -> list[str]:
        """Return the lines typed earlier, oldest first, including those typed in `strike shell`."""
        try:
            lines = history_file(self.folder).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return []
        return [line for line in lines if line.isprintable() and line and not line.startswith("_HiStOrY")]

    def add_to_history(self, line: str) -> None:
        """Add a line to the history. Failures to write are ignored."""
        file = history_file(self.folder)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as kept:
                kept.write(f"{line}\n")
