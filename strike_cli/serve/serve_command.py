"""The command `strike serve`: an HTTP API for other programs on this computer."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import BridgeProblem
from ..systems.campaign.commands.table import Yes, checked_origins, ensure_and_record_agreement_to_open
from ..terminal.command_output import Block, Result, blocks_as_unwrapped_text, write_text_to_stdout
from ..terminal.commands_and_options import Options, command, new_app

if TYPE_CHECKING:
    from asyncio import Protocol

    from .audience_queries import AudienceQueries
    from .hosted_game import HostedGame

app = new_app("An HTTP API for other programs.")

PORT = 4748


@command(app, "serve", kind="reads")
def serve(
    options: Options,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 picks a free one.")
    ] = PORT,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="A site whose pages may read; may be repeated."),
    ] = None,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Replace the key; the old one stops working.")
    ] = False,
    yes: Yes = False,
) -> Result:
    """Serve other programs on this computer until Ctrl-C: they send commands and get answers as JSON.

    Your macros, stream decks, overlays and bots send a key with each request (docs/serve.md). A new key is
    shown once, and kept on this computer for you alone. You can play on in another terminal meanwhile.

    Example: `strike serve`
    """
    from strike_bridge.credential_store import ensure_serve_key

    with options.open_campaign() as campaign:
        folder, origins = campaign.folder, [*campaign.book.origins, *(origin or ())]
        written = campaign.book.origins
    ensure_and_record_agreement_to_open(options, folder, written, yes)
    key, made = ensure_serve_key(folder, replace=new_key)

    def announce(url: str) -> None:
        write_text_to_stdout(blocks_as_unwrapped_text(_announcement_lines(url, key if made else "")))
        sys.stdout.flush()

    with (
        run_http_server_in_thread(folder, key, port=port, origins=origins, on_ready=announce) as (game, url),
        contextlib.suppress(KeyboardInterrupt),
    ):
        game.play_until_stopped()
    return Result("serve", {"url": url}, [("Closed; everything played is kept.", "dim")])


def _announcement_lines(url: str, new_key: str) -> list[Block]:
    lines: list[Block] = [[("Programs on this computer reach strike at ", ""), (url, "strong")]]
    if new_key:
        lines.append([("Their key  ", ""), (new_key, "strong")])
        lines.append([("It is shown this once; this computer keeps it. Ctrl-C ends.", "dim")])
    else:
        lines.append([("Its key is as it was; --new-key makes another. Ctrl-C ends.", "dim")])
    return lines


@contextlib.contextmanager
def run_http_server_in_thread(
    folder: Path,
    key: str,
    *,
    port: int = 0,
    origins: Iterable[str] = (),
    on_ready: Callable[[str], None] = lambda url: None,
) -> Iterator[tuple[HostedGame, str]]:
    """Serve a campaign from another thread, for the time of a `with` block.

    Yields the game and the server's address. The block must call the game's `play_until_stopped`; otherwise
    no command is answered. `on_ready` is called with the address before the block begins.

    Raises BridgeProblem if the campaign can't be served. Raises Usage for an invalid origin.
    """
    named = checked_origins(origins, "strike serve")
    from ..campaign.file_access import refuse_links_and_special_files_below
    from ..registry.remote_permissions import RemoteSender
    from .audience_queries import AudienceQueries
    from .hosted_game import HostedGame

    refuse_links_and_special_files_below(folder / "bridge")
    game = HostedGame(folder, RemoteSender.SERVE)
    reads = AudienceQueries(game)
    up, stop = threading.Event(), threading.Event()
    problems: list[Exception] = []

    def set_address(url: str) -> None:
        reads.url = url
        up.set()

    def serve_until_stopped() -> None:
        try:
            _run_server(reads, key, named, port, set_address, stop)
        except Exception as error:
            problems.append(error)
        finally:
            game.stop()
            up.set()

    thread = threading.Thread(target=serve_until_stopped, name="serve", daemon=True)
    thread.start()
    up.wait()
    try:
        if problems:
            raise _serving_problem(problems[0], port)
        on_ready(reads.url)
        yield game, reads.url
    finally:
        stop.set()
        reads.close()
        thread.join(5)


def _run_server(
    reads: AudienceQueries,
    key: str,
    origins: Sequence[str],
    port: int,
    on_ready: Callable[[str], None],
    stop: threading.Event,
) -> None:
    from strike_table.connection_limits import ServerLimits
    from strike_table.serve import run_app
    from strike_table.table_store import TableStore

    from .http_app import ServerParts, create_app

    game = reads.game
    data = game.folder / "bridge" / "serve"
    run_app(
        lambda limits, names: create_app(
            ServerParts(game, reads, key, origins, names), TableStore(data, title=game.folder.name), limits
        ),
        data,
        "127.0.0.1",
        port,
        on_ready=on_ready,
        stop=stop,
        limits=ServerLimits(),
        connection=_connection_class(),
        loop="auto",
    )


def _connection_class() -> type[Protocol]:
    """Return the class of HTTP connections: the faster one that uses httptools, if it is installed."""
    try:
        from strike_table.httptools_connection import HttpToolsConnection
    except ModuleNotFoundError:
        from strike_table.connection_limits import H11Connection

        return H11Connection
    return HttpToolsConnection


def _serving_problem(problem: Exception, port: int) -> BridgeProblem:
    from strike_table.folder_lock import FolderInUse
    from strike_table.serve import PortInUse

    if isinstance(problem, PortInUse):
        return BridgeProblem(f"Port {port} is in use.", "`strike serve --port 0` picks a free one.")
    if isinstance(problem, FolderInUse):
        where = f" at {problem.url}" if problem.url else ""
        return BridgeProblem(f"This campaign is already served{where}.", "Use that one, or end it.")
    return BridgeProblem(f"It can't be served: {problem}.", "Check the port and the folder.")
