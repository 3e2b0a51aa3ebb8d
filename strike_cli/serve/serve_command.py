"""`strike serve`: commands in, envelopes out, for other programs on this machine."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..problems import BridgeProblem, Usage
from ..systems.campaign.commands.table import Yes, open_to
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, as_text, print_text

if TYPE_CHECKING:
    from asyncio import Protocol

    from .game import Game
    from .queries import Reads

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
    """Serve other programs on this computer until Ctrl-C: commands in, the answers of `--json` out.

    It shows its key once and keeps it on this computer, for you alone. Your macros, stream decks, overlays
    and bots send it with each request (docs/serve.md). Play on in another terminal meanwhile.

    Example: `strike serve`
    """
    from strike_bridge.secrets import own_key

    with options.campaign() as campaign:
        folder, origins = campaign.folder, [*campaign.book.origins, *(origin or ())]
        written = campaign.book.origins
    open_to(options, folder, written, yes)
    key, made = own_key(folder, anew=new_key)

    def ready(url: str) -> None:
        print_text(as_text(_announcement(url, key if made else "")))
        sys.stdout.flush()

    with (
        serve_in_thread(folder, key, port=port, origins=origins, on_ready=ready) as (game, url),
        contextlib.suppress(KeyboardInterrupt),
    ):
        game.run()
    return Result("serve", {"url": url}, [("Closed; everything played is kept.", "dim")])


def _announcement(url: str, key: str) -> list[Block]:
    lines: list[Block] = [[("Programs on this computer reach strike at ", ""), (url, "strong")]]
    if key:
        lines.append([("Their key  ", ""), (key, "strong")])
        lines.append([("It is shown this once; this computer keeps it. Ctrl-C ends.", "dim")])
    else:
        lines.append([("Its key is as it was; --new-key makes another. Ctrl-C ends.", "dim")])
    return lines


def _check_origins(origins: Iterable[str]) -> list[str]:
    """Return the sites whose pages may read, as browsers name them. Raises BridgeProblem, Usage."""
    try:
        from strike_table.access_control import Origins
    except ModuleNotFoundError as error:
        raise BridgeProblem(
            f"strike serve needs {error.name}, which is not installed.", 'pip install "strike-cli[table]"'
        ) from None
    try:
        return sorted(Origins(origins).named)
    except ValueError as error:
        raise Usage(f"{error}.", "Like --origin https://example.org.") from None


@contextlib.contextmanager
def serve_in_thread(
    folder: Path,
    key: str,
    *,
    port: int = 0,
    origins: Iterable[str] = (),
    on_ready: Callable[[str], None] = lambda url: None,
) -> Iterator[tuple[Game, str]]:
    """Serve a campaign in a thread while the block runs; yield the game and its address.

    The block has to `run` the game. Raises BridgeProblem where it can't be served, Usage for an invalid
    origin.
    """
    named = _check_origins(origins)
    from ..campaign.files import refuse_links
    from ..registry.remote_access import Asker
    from .game import Game
    from .queries import Reads

    refuse_links(folder / "bridge")
    game = Game(folder, Asker.SERVE)
    reads = Reads(game)
    up, stop = threading.Event(), threading.Event()
    problems: list[Exception] = []

    def ready(url: str) -> None:
        reads.url = url
        up.set()

    def listen() -> None:
        try:
            _run(reads, key, named, port, ready, stop)
        except Exception as error:
            problems.append(error)
        finally:
            game.stop()
            up.set()

    thread = threading.Thread(target=listen, name="serve", daemon=True)
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


def _run(
    reads: Reads,
    key: str,
    origins: Sequence[str],
    port: int,
    on_ready: Callable[[str], None],
    stop: threading.Event,
) -> None:
    """Serve until it is told to stop."""
    from strike_table.limits import ServerLimits
    from strike_table.serve import run_app
    from strike_table.store import TableStore

    from .app import ServedGame, create_app

    game = reads.game
    data = game.folder / "bridge" / "serve"
    run_app(
        lambda limits, names: create_app(
            ServedGame(game, reads, key, origins, names), TableStore(data, title=game.folder.name), limits
        ),
        data,
        "127.0.0.1",
        port,
        on_ready=on_ready,
        stop=stop,
        limits=ServerLimits(),
        connection=_connection(),
        loop="auto",
    )


def _connection() -> type[Protocol]:
    """Return the parser of requests: httptools where it is installed (extra `serve`), in half the time."""
    try:
        from strike_table.http_protocol import QuickConnection
    except ModuleNotFoundError:
        from strike_table.limits import LimitedConnection

        return LimitedConnection
    return QuickConnection


def _serving_problem(problem: Exception, port: int) -> BridgeProblem:
    from strike_table.lease import LeaseTaken
    from strike_table.serve import PortInUse

    if isinstance(problem, PortInUse):
        return BridgeProblem(f"Port {port} is in use.", "`strike serve --port 0` picks a free one.")
    if isinstance(problem, LeaseTaken):
        where = f" at {problem.url}" if problem.url else ""
        return BridgeProblem(f"This campaign is already served{where}.", "Use that one, or end it.")
    return BridgeProblem(f"It can't be served: {problem}.", "Check the port and the folder.")
