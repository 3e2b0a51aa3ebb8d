"""The command `strike mcp`: tools for AI assistants, on standard input and output."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import PluginProblem, Usage, did_you_mean
from ..terminal.argument_completions import Metavar
from ..terminal.command_output import Result
from ..terminal.commands_and_options import Options, command, new_app

if TYPE_CHECKING:
    from ..campaign import Campaign
    from .mcp_tools import Assistant

app = new_app("Assistants.")


@command(app, "mcp", kind="reads")
def mcp(
    options: Options,
    audience: Annotated[
        str,
        typer.Option(
            "--as",
            metavar=Metavar("gm|players|WHO", _possible_audiences),
            help="The audience that it sees as; players only propose.",
        ),
    ] = "gm",
    propose: Annotated[
        bool, typer.Option("--propose", help="Nothing happens before you accept it (`strike accept`).")
    ] = False,
    physical_dice: Annotated[
        bool, typer.Option("--physical-dice", help="It may enter dice rolled at the table (--dice).")
    ] = False,
) -> Result:
    """Speak the Model Context Protocol on standard input and output, for an assistant that helps you.

    Let your assistant's program start this command (docs/mcp.md). The assistant plays by the rules, and can't
    choose its dice. The journal marks the assistant's entries.

    With --propose, or with --as players or a character, the assistant only makes proposals. You accept a
    proposal with + in `strike play`, or with `strike accept`.

    Example: `strike mcp --as gm --propose`
    """
    from ..registry.remote_permissions import ASSISTANT, RemoteSender
    from .hosted_game import HostedGame
    from .mcp_tools import Tools

    with options.open_campaign() as campaign:
        folder, person = (
            campaign.folder,
            _assistant_of(audience, list(campaign.book.characters), propose, physical_dice),
        )
    try:
        from .mcp_server import serve
    except ModuleNotFoundError as error:
        raise PluginProblem(
            f"strike mcp needs {error.name}, which is not installed.", 'pip install "strike-cli[mcp]"'
        ) from None
    game = HostedGame(folder, RemoteSender.MCP, {"by": ASSISTANT})

    def speak() -> None:
        try:
            serve(Tools(game, person))
        finally:
            game.stop()

    threading.Thread(target=speak, name="mcp", daemon=True).start()
    game.play_until_stopped()
    sys.stderr.flush()
    return Result("mcp", {})


def _possible_audiences(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    return ["gm", "players", *campaign.book.characters]


def _assistant_of(audience: str, known: list[str], propose: bool, physical_dice: bool) -> Assistant:
    """Return an assistant's audience and permissions. Raises Usage for an unknown character.

    The game master's assistant may play commands, unless `propose` is true. All other assistants only propose
    commands.
    """
    from .mcp_tools import GM, PLAYERS, Assistant

    if audience not in (GM, PLAYERS, *known):
        raise Usage(
            f"--as {audience}: nobody has that id.{did_you_mean(audience, known)}",
            f"gm, players, or one of {', '.join(known)}.",
        )
    if audience == GM:
        return Assistant(GM, "", propose, physical_dice)
    return Assistant(PLAYERS, audience if audience in known else "", True, physical_dice)
