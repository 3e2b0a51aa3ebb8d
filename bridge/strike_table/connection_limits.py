"""Limits on what each client may use of the table: seconds, connections and files.

uvicorn limits everything after a request's head. The limits here are for a head that never ends, for an
answer that nobody reads, and for an address with a thousand connections.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, NamedTuple

import h11
import uvicorn
from starlette.datastructures import Headers
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

KNOWN = "strike_table.known"
"""The scope's key that marks a request with the key or the game master's link. Its connection isn't
counted."""

TOO_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 25\r\nConnection: close\r\n\r\n"
    b"the request took too long"
)


class ServerLimits(NamedTuple):
    """A server's limits. Times are in seconds."""

    head: float = 10.0
    """Seconds for a request's head, from when the connection was open or idle."""
    body: float = 60.0
    """Seconds for a request's body."""
    stall: float = 20.0
    """Seconds for which a reader may accept nothing of an answer."""
    linger: float = 2.0
    """Seconds for data that still arrives behind an answer, and for a closing connection."""
    grace: int = 10
    """Sweeps that must find a connection waiting before it is counted against its address. They run every
    tenth of a second, or later under load: then clients that weren't read yet are not to blame."""
    waiting: int = 64
    """Connections of one address without a request; beyond this, those that waited longest are closed."""
    served: int = 400
    """Requests of one address at once, including open pages. Everybody behind a router or a proxy has one
    address: thirty phones and thirty screens that load a page, six requests each as browsers do, are 360."""
    lines: int = 4096
    """Connections in all."""
    files: int = 8192
    """Open files that the table asks the system for, where its limit is lower."""


class LimitedConfig(uvicorn.Config):
    """The configuration of uvicorn, with this server's limits added."""

    limits: ServerLimits


if TYPE_CHECKING:
    import asyncio

    _OfUvicorn = H11Protocol
else:
    _OfUvicorn = object


class ConnectionLimitsMixin(_OfUvicorn):
    """The limits of a connection, as a mixin for any of uvicorn's parsers of requests.

    A sweep looks at all connections again and again. `since` is the time at which the connection began to
    wait for a request, or to close. `met` is the number of sweeps that have found it waiting.
    """

    config: LimitedConfig
    since: float
    stalled_since: float | None = None
    met = 0
    address = ""

    # Calls by uvicorn

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        self.since = self.loop.time()
        super().connection_made(transport)
        self.address = network_for_limits(self.client[0] if self.client else "")
        if len(self.connections) > self.config.limits.lines:
            transport.abort()

    def send_400_response(self, msg: str) -> None:
        self.since = self.loop.time()
        if self.is_serving:  # the body is broken: its reader is told, but can't answer
            begun = self.cycle.response_started
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if begun:
                self._hang_up()
                return
        super().send_400_response(msg)

    def on_response_complete(self) -> None:
        self.since, self.met = self.loop.time(), 0
        super().on_response_complete()

    def pause_writing(self) -> None:
        self.stalled_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.stalled_since = None
        super().resume_writing()

    def shutdown(self) -> None:
        if self.is_serving and (self.cycle.more_body or self.stalled_since is not None):
            self._hang_up()  # half a request isn't waited for
            return
        super().shutdown()

    # Calls by the sweep

    @property
    def is_in_head(self) -> bool:
        """Whether the head of a request has begun to arrive, but isn't complete."""
        raise NotImplementedError

    @property
    def awaits_rest_of_body(self) -> bool:
        """Whether a part of the last request's body is still missing.

        It can be missing even if the request was answered already.
        """
        raise NotImplementedError

    @property
    def is_serving(self) -> bool:
        """Whether a request is under way."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def last_request_had_key_or_gm_link(self) -> bool:
        """Whether the connection's last request had the key or the game master's link."""
        return bool(self.scope and self.scope.get(KNOWN))

    def is_overdue(self, now: float, limits: ServerLimits) -> bool:
        """Return whether the connection has exceeded the time limit of its present state."""
        waited = now - self.since
        if self.transport.is_closing():
            untaken = self.transport.get_write_buffer_size()
            return waited > (limits.stall if untaken else limits.linger)
        if self.stalled_since is not None:
            return now - self.stalled_since > limits.stall
        if (
            self.is_serving or self.last_request_had_key_or_gm_link
        ):  # idle ones with a key are ended by uvicorn
            return False
        return waited > (limits.linger if self.awaits_rest_of_body else limits.head)

    def count_sweep_and_is_grace_over(self, limits: ServerLimits) -> bool:
        """Count a periodic sweep that finds this connection idle; return whether there were too many.

        There were too many if more than `limits.grace` sweeps were counted. A sweep isn't counted, and the
        result is False, in these cases:

        - A request is being served.
        - The connection is closing.
        - The connection's last request had the key or the game master's link.
        """
        if self.is_serving or self.last_request_had_key_or_gm_link or self.transport.is_closing():
            return False
        self.met += 1
        return self.met > limits.grace

    def end_connection_with_408_if_in_head(self) -> None:
        """End the connection; if only a part of a request's head has arrived, answer it with 408 first.

        If a request is under way, or if the connection is closing already, the connection is cut off at once.
        """
        if self.is_serving or self.transport.is_closing():
            self._hang_up()
            return
        self.since = self.loop.time()
        if self.is_in_head:
            self.transport.write(TOO_SLOW)
        self.transport.close()

    def _hang_up(self) -> None:
        self.transport.abort()


class H11Connection(ConnectionLimitsMixin, H11Protocol):
    """A connection whose requests h11 parses.

    It needs no compiled library, so it runs everywhere.
    """

    def data_received(self, data: bytes) -> None:
        with self._close_on_protocol_error():
            super().data_received(data)

    def handle_events(self) -> None:
        with self._close_on_protocol_error():
            super().handle_events()

    def shutdown(self) -> None:
        with self._close_on_protocol_error():
            super().shutdown()

    @contextlib.contextmanager
    def _close_on_protocol_error(self) -> Iterator[None]:
        """Close the connection if the block raises a protocol error that uvicorn doesn't expect."""
        try:
            yield
        except h11.ProtocolError:
            self._hang_up()

    @property
    def is_in_head(self) -> bool:
        return self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])

    @property
    def awaits_rest_of_body(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY


def close_overdue_or_surplus_connections(
    connections: Iterable[ConnectionLimitsMixin], limits: ServerLimits, now: float
) -> None:
    """End the connections that exceed their time.

    If an address has too many waiting connections, those that have waited longest are ended, too.
    """
    waiting: dict[str, list[ConnectionLimitsMixin]] = {}
    for line in connections:
        if line.is_overdue(now, limits):
            line.end_connection_with_408_if_in_head()
        elif line.count_sweep_and_is_grace_over(limits):
            waiting.setdefault(line.address, []).append(line)
    for crowd in waiting.values():
        crowd.sort(key=lambda line: line.since)
        for line in crowd[: max(0, len(crowd) - limits.waiting)]:
            line.end_connection_with_408_if_in_head()


def network_for_limits(host: str) -> str:
    """Return the part of an address to which limits apply.

    For IPv6, this is the /64 network, since one device may have many addresses in it. Any other address is
    returned whole.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return host if address.version == 4 else str(ip_network(f"{address}/64", strict=False))


def sender_network_for_limits(scope: Scope) -> str:
    """Return the address of a request's sender, for the limits.

    If a proxy on this machine forwarded the request, this is the last address in X-Forwarded-For. The proxy
    adds that one, while the earlier ones are the visitor's own claims.
    """
    host = scope["client"][0] if scope.get("client") else ""
    try:
        is_near = ip_address(host).is_loopback
    except ValueError:
        return str(host)
    if is_near:
        named = ",".join(Headers(scope=scope).getlist("x-forwarded-for")).rpartition(",")[2].strip()
        with contextlib.suppress(ValueError):
            return network_for_limits(str(ip_address(named)))
    return network_for_limits(host)


def raise_file_limit(wanted: int) -> int:
    """Raise this process's limit of open files towards `wanted`, as far as the system allows.

    Returns the resulting limit.
    """
    try:
        import resource  # not on Windows, where sockets are no files
    except ModuleNotFoundError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (wanted, 4096, 2048):
        allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        if soft == resource.RLIM_INFINITY or soft >= allowed:
            break
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
            return allowed
    return wanted if soft == resource.RLIM_INFINITY else soft
