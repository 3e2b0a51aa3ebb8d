"""`strike table`: the embedded table, a page in the browser that shows the game as it goes."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..campaign import Campaign
from ..problems import BridgeProblem, Usage
from .options import Options, command, new_app
from .result import Line, Result, as_text

if TYPE_CHECKING:
    from strike_bridge.settings import Settings

app = new_app()

TARGET = "table"
PORT = 4747


@app.callback()
def _group() -> None:
    """The embedded table."""


@command(app, "table", kind="reads")
def table(
    options: Options,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 picks a free one.")
    ] = PORT,
    lan: Annotated[bool, typer.Option("--lan", help="Let other devices on this network watch.")] = False,
    follow: Annotated[bool, typer.Option("--follow/--no-follow", help="Also run the bridge to it.")] = True,
) -> Result:
    """Show the game on a page: map, tokens, HP, statuses, turn order and log, live, until Ctrl-C.

    It serves on this computer only, unless --lan; what players may not see is never sent to it. Play in
    another terminal, and watch.

    Example: `strike table`
    """
    with options.campaign() as campaign:
        folder, name = campaign.folder, campaign.book.name
        target = campaign.book.targets.get(TARGET, {"kind": "table", "auto": False, "insecure": False})
    if target["kind"] != "table":
        raise Usage(
            f"bridge.targets.{TARGET} in campaign.toml is a {target['kind']}, not a table.",
            "Give it another name, so that `table` can be the embedded one.",
        )

    def ready(url: str, link: str) -> None:
        lines: list[Line] = [[("The table is at ", ""), (url, "strong"), "  Ctrl-C ends it."]]
        if lan:
            lines.append([("Players watch with ", ""), (link, "strong")])
        sys.stdout.write(as_text(lines))
        sys.stdout.flush()

    with serving(folder, name, port=port, lan=lan, on_ready=ready) as running:
        if follow:
            with following(folder, running.url, target):
                running.wait()
        else:
            running.wait()
    return Result("table", {"url": running.url}, [("The table is closed; what it knew is kept.", "dim")])


class Running:
    """A table that is up: its address, and how to wait for Ctrl-C."""

    def __init__(self) -> None:
        self.url = ""
        self.problem: BaseException | None = None
        self.up = threading.Event()
        self.stop = threading.Event()
        self.ended = threading.Event()

    def wait(self) -> None:
        """Until Ctrl-C, or until the server ends by itself."""
        with contextlib.suppress(KeyboardInterrupt):
            while not self.ended.wait(0.2):
                pass


@contextlib.contextmanager
def serving(
    folder: Path,
    title: str,
    *,
    port: int,
    lan: bool = False,
    on_ready: Callable[[str, str], None] = lambda url, link: None,
) -> Iterator[Running]:
    """The table of a campaign, served in a thread while the block runs.

    Raises BridgeProblem where it can't be served.
    """
    try:
        from strike_table.serve import PortInUse, serve, watch_link
    except ModuleNotFoundError as error:
        raise BridgeProblem(
            f"The table needs {error.name}, which is not installed.", "pip install 'strike-cli[table]'"
        ) from None
    from strike_bridge.secrets import ensure_key

    key = ensure_key(folder, TARGET)
    running = Running()

    def ready(url: str) -> None:
        running.url = url
        on_ready(url, watch_link(url, key))
        running.up.set()

    def run() -> None:
        host = "0.0.0.0" if lan else "127.0.0.1"
        try:
            serve(
                folder / "bridge" / "table", key, host, port, title=title, on_ready=ready, stop=running.stop
            )
        except (OSError, ValueError) as error:
            running.problem = error
        finally:
            running.ended.set()
            running.up.set()

    thread = threading.Thread(target=run, name="table", daemon=True)
    thread.start()
    running.up.wait()
    if running.problem is not None:
        if isinstance(running.problem, PortInUse):
            hint = "`strike table --port 0` picks a free port; end the other table to use this one."
            raise BridgeProblem(f"Port {port} is in use, perhaps by another table.", hint)
        raise BridgeProblem(
            f"The table can't be served: {running.problem}.", "Check the port and the folder."
        )
    try:
        yield running
    finally:
        running.stop.set()
        thread.join(5)


class Following:
    """A bridge that runs beside: how far it has come, and whether the table shows what the campaign says."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings

    def settle(self, seconds: float = 10.0) -> None:
        """Wait until the table has been told everything, or the time is up."""
        from strike_bridge.cursor import open_cursor

        with Campaign(self.folder) as campaign:
            newest = campaign.head.seq
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if open_cursor(self.folder, self.settings.name).acknowledged >= newest and not self.drift():
                return
            time.sleep(0.05)

    def drift(self) -> list[dict[str, Any]]:
        """Where the table's tokens differ from the campaign's, read back from the table."""
        from strike_bridge.look import diff

        return diff(self.folder, self.settings)

    def tokens(self) -> list[dict[str, Any]]:
        """The tokens as the table has them."""
        from strike_bridge.look import read_back

        return list(read_back(self.folder, self.settings).values())


@contextlib.contextmanager
def following(folder: Path, url: str, target: Mapping[str, Any]) -> Iterator[Following]:
    """The bridge to a table at this address, run in a thread while the block runs."""
    from strike_bridge.deliver import follow
    from strike_bridge.settings import settings_of

    settings = settings_of(TARGET, target)._replace(url=url)
    stop = threading.Event()
    thread = threading.Thread(target=follow, args=(folder, settings, stop), name="bridge", daemon=True)
    thread.start()
    try:
        yield Following(folder, settings)
    finally:
        stop.set()
        thread.join(5)
