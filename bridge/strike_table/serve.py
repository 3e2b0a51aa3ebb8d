"""Runs the table's server: opens its sockets, starts uvicorn, and shuts it down in order.

If an internal error occurs, the terminal shows one line about it, since somebody may be playing there. The
details are in a file.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

import uvicorn
from starlette.applications import Starlette

from .access_control import watch_token
from .app import RangeFinder, create_app
from .audience_views import LinkAudience
from .connection_limits import (
    ConnectionLimitsMixin,
    H11Connection,
    LimitedConfig,
    ServerLimits,
    close_overdue_or_surplus_connections,
    raise_file_limit,
)
from .event_stream import Watchers
from .folder_lock import FolderInUse, hold_folder_lock
from .gm_commands import GmCommands
from .player_pages import Players
from .table_store import TableStore

__all__ = ["FolderInUse", "LinkAudience", "PortInUse", "lan_address", "serve", "watch_link"]

_TRIES = 10
"""The maximum number of ports that are tried, where any will do: one that is free here may be taken on
another address."""
_PATIENCE = 2
"""Seconds that a server waits at its end for open connections."""
LOG_FILE = "defects.log"
_BYTES = 1024 * 1024
"""The maximum size of the log file in bytes, before a new one begins; the previous one is kept."""


class PortInUse(OSError):
    """Raised if another program listens on the port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            errno.EADDRINUSE,
            f"port {port} on {host} is in use, perhaps by another table: end that one, "
            "or choose another port (0 picks a free one)",
        )
        self.port = port


def serve(
    data_dir: Path,
    key: str,
    host: str = "127.0.0.1",
    port: int = 4747,
    *,
    also_listen_on: Iterable[str] = (),
    title: str = "",
    allowed_hosts: Iterable[str] = (),
    on_ready: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
    limits: ServerLimits | None = None,
    players: Players | None = None,
    on_watchers: Callable[[Watchers], None] | None = None,
    owlbear_room: bool = False,
    range_finder: RangeFinder | None = None,
    origins: Iterable[str] = (),
    gm_commands: GmCommands | None = None,
    tablet: bool = False,
    proxied: bool = False,
    join_address: Callable[[], str] = str,
) -> None:
    """Serve the table in the foreground until Ctrl-C, or until `stop` is set.

    `on_ready` gets the address, such as `http://127.0.0.1:4747`, once the table answers there.
    `also_listen_on` are further addresses to listen on, and `allowed_hosts` are further names under which the
    table may be reached. `players` is the game that phones play. `on_watchers` gets the object that refreshes
    the phones' pages, and `join_address` returns the address at which players type their codes.
    `range_finder` calculates a creature's reach. `origins` are sites whose pages may read the players' view.
    `gm_commands` plays the game master's commands; with `tablet`, these may come from another machine, too.
    With `proxied`, requests to `port` never count as this machine's; pages on this machine get another port.

    Raises PortInUse; FolderInUse if another process serves the same data; another OSError if the table can't
    listen there; and NewerFile or ValueError if the data or the key is invalid.
    """

    def create(limits: ServerLimits, names: Sequence[str]) -> Starlette:
        app = create_app(
            TableStore(data_dir, title=title), key, allowed_hosts=[*allowed_hosts, *names], limits=limits,
            players=players, owlbear_room=owlbear_room, range_finder=range_finder, origins=origins,
            gm_commands=gm_commands, tablet=tablet, join_address=join_address,
        )  # fmt: skip
        if on_watchers is not None:
            on_watchers(app.state.phones)
        return app

    run_app(
        create,
        data_dir,
        host,
        port,
        also_listen_on=also_listen_on,
        on_ready=on_ready,
        stop=stop,
        limits=limits or ServerLimits(),
        proxied=proxied,
    )


def run_app(
    make_app: Callable[[ServerLimits, Sequence[str]], Starlette],
    data_dir: Path,
    host: str,
    port: int,
    *,
    also_listen_on: Iterable[str] = (),
    on_ready: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
    limits: ServerLimits,
    connection: type[asyncio.Protocol] = H11Connection,
    loop: Literal["asyncio", "auto"] = "asyncio",
    proxied: bool = False,
) -> None:
    """Run an application in the foreground until Ctrl-C, or until `stop` is set.

    `make_app` creates the application. It gets the limits, and the names under which the application can be
    reached. `connection` is the class that parses requests. If `loop` is "auto", uvloop is used if it is
    installed.

    Raises the same errors as `serve`.
    """
    files = raise_file_limit(limits.files)
    lines = min(limits.lines, files // 2)
    limits = limits._replace(lines=lines, served=min(limits.served, lines // 4))  # one address can't use all
    with contextlib.ExitStack() as open_sockets:
        # Two servers with one directory would each lose what the other has stored.
        note = open_sockets.enter_context(hold_folder_lock(data_dir))
        listeners = _listen_on([host, *also_listen_on], port)
        for listener in listeners:
            open_sockets.enter_context(listener)
        port = listeners[0].getsockname()[1]
        shown = _reachable_host(host)
        app = make_app(limits, [*also_listen_on, shown, *_machine_names_if_all_interfaces(host)])
        url = http_url(shown, port)
        if proxied:
            app.state.proxied_port = port
            listeners += [open_sockets.enter_context(own) for own in _listen_on([host], 0)]
            url = http_url(shown, listeners[-1].getsockname()[1])
        note(url)
        config = LimitedConfig(
            app,
            http=connection,
            loop=loop,
            ws="none",
            lifespan="off",
            log_config=log_settings(data_dir),
            access_log=False,  # addresses carry the player's link
            proxy_headers=False,  # a forwarded address must not pass for a local one
            server_header=False,
            backlog=min(512, files // 8),  # all of it is accepted before any is refused
            timeout_graceful_shutdown=_PATIENCE,
        )
        config.limits = limits
        server = _Server(config, on_ready=lambda: on_ready(url) if on_ready else None, stop=stop)
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn ends cleanly, then raises it again
            server.run(sockets=listeners)


def _listen_on(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Return sockets that listen on one port at each of these addresses.

    If `port` is 0, a port is chosen that is free at all of them. Raises PortInUse and other OSError.
    """
    for left in reversed(range(_TRIES)):
        listeners: list[socket.socket] = []
        try:
            for host in hosts:
                listeners.append(_listen(host, listeners[0].getsockname()[1] if listeners else port))
            return listeners
        except OSError as problem:
            for listener in listeners:
                listener.close()
            if port or not left or not isinstance(problem, PortInUse):
                raise
    raise AssertionError("the last try returns or raises")


def http_url(host: str, port: int) -> str:
    """Return the URL that a browser uses for a host and port."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def lan_address() -> str | None:
    """Return this machine's address on its local network; None if it is on none."""
    found = _reachable_host("0.0.0.0")
    return None if ip_address(found).is_loopback else found


def watch_link(
    url: str, key: str, audience: LinkAudience = LinkAudience.PLAYERS, *, acts: bool = False
) -> str:
    """Return the link with which a browser on another machine watches the table at `url`.

    The link shows what the `audience`, players or game master, may see. By default it allows only watching.
    With `acts`, which is for the game master alone, the browser can also play commands.
    """
    return f"{url.rstrip('/')}/?watch={watch_token(key, audience, plays_commands=acts)}"


class _Server(uvicorn.Server):
    config: LimitedConfig

    def __init__(
        self, config: LimitedConfig, on_ready: Callable[[], None], stop: threading.Event | None
    ) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._stop = stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await asyncio.to_thread(self._on_ready)  # in a thread, so that it may already ask us something

    async def on_tick(self, counter: int) -> bool:
        lines = [line for line in self.server_state.connections if isinstance(line, ConnectionLimitsMixin)]
        close_overdue_or_surplus_connections(lines, self.config.limits, asyncio.get_running_loop().time())
        stopped = self._stop is not None and self._stop.is_set()
        return await super().on_tick(counter) or stopped

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app = self.config.app
        assert isinstance(app, Starlette)
        app.state.watchers.close()
        app.state.phones.close()
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where SO_REUSEADDR would share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as problem:
        listener.close()
        if problem.errno == errno.EADDRINUSE:
            raise PortInUse(host, port) from problem
        raise
    return listener


def _reachable_host(host: str) -> str:
    """Return the host to print for an address on which the table listens.

    If that address stands for all interfaces, this is the address at which other machines reach this machine.
    """
    if not _is_all_interfaces(host):
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    somewhere = "2001:db8::1" if ":" in host else "192.0.2.1"
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((somewhere, 9))  # sends nothing: it only finds the address that leads outside
        return str(probe.getsockname()[0])
    return "::1" if ":" in host else "127.0.0.1"


def _is_all_interfaces(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _machine_names_if_all_interfaces(host: str) -> list[str]:
    if not _is_all_interfaces(host):
        return []
    name = socket.gethostname()
    return [name, f"{name}.local"]


class _OneLineFormatter(logging.Formatter):
    """A log formatter that writes one line for each record.

    The line has no traceback, and no text that a stranger may have chosen.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def format(self, record: logging.LogRecord) -> str:
        kind = record.exc_info[0] if record.exc_info else None
        why = kind.__name__ if kind else str(record.msg).partition("\n")[0]
        return f"error: something in the table failed ({why}). It goes on. {self.file} says more."


class _RepeatFilter(logging.Filter):
    """A log filter that drops repeated messages, since a stranger could cause thousands of them."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[object] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        what = record.exc_info[0] if record.exc_info else record.msg
        known = what in self._said
        self._said.add(what)
        return not known


def log_settings(data_dir: Path) -> dict[str, object]:
    """Return the settings for `logging.config`.

    A malformed request is no failure of the table, and isn't logged.
    """
    file = data_dir / LOG_FILE
    ours = {"level": "ERROR", "handlers": ["terminal", "file"], "filters": ["defects"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "once": {"()": _RepeatFilter},
            "defects": {"()": lambda: _is_not_about_cut_short_request},
        },
        "formatters": {
            "brief": {"()": _OneLineFormatter, "file": file},
            "full": {"format": "%(asctime)s %(name)s: %(message)s"},
        },
        "handlers": {
            "terminal": {"class": "logging.StreamHandler", "formatter": "brief", "filters": ["once"]},
            "file": {
                "class": "logging.handlers.RotatingFileHandler",
                "formatter": "full",
                "filename": str(file),
                "maxBytes": _BYTES,
                "backupCount": 1,
                "encoding": "utf-8",
                "errors": "backslashreplace",
                "delay": True,
            },
        },
        "loggers": {"uvicorn.error": ours, "asyncio": ours},
    }


def _is_not_about_cut_short_request(record: logging.LogRecord) -> bool:
    """Return whether a log record is about a real failure.

    It is False for a request that was cut short when the table shut down. uvicorn reports such a request
    first as cancelled and then as failed.
    """
    kind = record.exc_info[0] if record.exc_info else None
    is_cut_short = kind is not None and issubclass(kind, asyncio.CancelledError)
    return not is_cut_short and not str(record.msg).startswith("Cancel %s running task")
