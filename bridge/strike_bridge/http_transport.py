"""One exchange over HTTP/1.1, with limits on its total time and size.

httpcore makes the connections and handles TLS and proxies, and h11 handles the protocol. httpcore's own HTTP
layer is slow, so `_Connection` replaces it, except for proxies. With httpcore's connection pool, an exchange
takes 1.8 times as much processor time as here. With a client of httpx that has the same limits, it takes 3.6
times as much.

httpcore and httpx limit only each single read. A server that sends a byte now and then, or "103 Early Hints"
for ever, would occupy them endlessly. A body of 2 KB can unpack to gigabytes. So this module limits the time
of the whole exchange and the size of the unpacked body. Redirects, cookies and logins are not supported, on
purpose.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import h11
import httpcore

from .address import Origin

MOST_READ = 8 * 1024 * 1024
"""The maximum size of a body in bytes, after unpacking."""
_MOST_HEADERS = 1024 * 1024
"""The maximum number of bytes before a body, and around its parts."""
_LONGEST_HEAD = 100 * 1024
"""The maximum size in bytes of the lines before a body."""
_PIECE = 64 * 1024
_SLOWEST = 64 * 1024
"""Bytes per second that sending a body may take at the slowest: a large body has more time."""
_KEPT_ALIVE = 4.0
"""Seconds that an idle connection is kept: less than servers commonly do, so that none is reused as it
closes."""

for _name in ("httpcore", "httpcore.connection", "httpcore.http11", "httpcore.proxy"):
    logging.getLogger(_name).setLevel(logging.WARNING)  # at lower levels they log addresses and headers


class Reply(NamedTuple):
    """An HTTP answer that was received.

    The names in `headers` are in lower case. If a header occurs several times, its values are joined by
    commas.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """A connection to one origin, kept open between requests.

    Use it from one thread, one request at a time.
    """

    def __init__(self, origin: Origin, proxy: str | None = None, certificate: Path | None = None) -> None:
        """Make a transport to an origin; it connects with the first request.

        `certificate` is a file to trust in place of all other certificates. Raises ValueError for a proxy
        that can't be used, and OSError for certificates that can't be read.
        """
        self._origin, self._host = origin, origin.host_header().encode("ascii")
        self._line = _TimedNetwork()
        # Loading certificates takes 60 ms, and plain http has no use for them.
        self._trust = None if origin.scheme == "http" else ssl_context(certificate)
        if self._trust is not None:
            self._trust.set_alpn_protocols(["http/1.1"])
        self._pool: httpcore.ConnectionPool | None = None
        self._connection: _Connection | None = None
        if proxy:
            self._pool = httpcore.ConnectionPool(
                ssl_context=self._trust,
                proxy=_parse_proxy(proxy),
                max_connections=1,
                keepalive_expiry=_KEPT_ALIVE,
                network_backend=self._line,
            )

    def close(self) -> None:
        """Close whatever connection is open; the next request opens a new one."""
        for each in (self._pool, self._connection):
            if each is not None:
                each.close()

    @property
    def may_have_sent(self) -> bool:
        """Whether any bytes of the last request may have been sent."""
        return self._line.has_sent

    def exchange(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes | None, connect: float,
        read: float, whole: float,
    ) -> Reply:  # fmt: skip
        """Send a request and read its answer.

        `target` is the path with the query, and begins with a slash. The limits are in seconds: `connect` for
        connecting, `read` for each read, `whole` for everything. A request with a large body gets more time
        than `whole`. Raises httpcore's errors, and ValueError for a request that can't be sent at all.
        """
        if "host" in map(str.lower, headers):
            raise ValueError("the header Host is the address's own")
        self._line.begin_exchange(whole + len(content or b"") / _SLOWEST)
        lines = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
        lines.insert(0, (b"Host", self._host))
        if content is not None or method not in ("GET", "HEAD"):
            lines.append((b"Content-Length", b"%d" % len(content or b"")))
        if self._pool is not None:
            return self._send_by_proxy(self._pool, method, target, lines, content, connect, read)
        connection = self._reuse_or_open_connection(connect)
        try:
            head = connection.send_and_read_head(method, target, lines, content, read)
            return self._read_reply_even_if_cut_off(
                head.status_code, head.headers, connection.iter_body(read), read
            )
        finally:
            connection.prepare_reuse_or_close()

    def _reuse_or_open_connection(self, seconds: float) -> _Connection:
        """Return the open connection, or a new one if there is none that can still be used.

        A new one must be made within `seconds`.
        """
        last = self._connection
        if last is not None:
            if last.is_usable:
                return last
            last.close()
            self._connection = None
        _, host, port = self._origin
        stream: httpcore.NetworkStream = self._line.connect_tcp(host, port, seconds)
        if self._trust is not None:
            try:
                stream = stream.start_tls(self._trust, host, seconds)
            except BaseException:
                stream.close()
                raise
        self._connection = _Connection(stream)
        return self._connection

    def _send_by_proxy(
        self, pool: httpcore.ConnectionPool, method: str, target: str, lines: list[tuple[bytes, bytes]],
        content: bytes | None, connect: float, read: float,
    ) -> Reply:  # fmt: skip
        scheme, host, port = self._origin
        request = httpcore.Request(
            method,
            httpcore.URL(scheme=scheme, host=host, port=port, target=target),
            headers=lines,
            content=content,
            extensions={"timeout": {"connect": connect, "read": read, "write": read, "pool": connect}},
        )
        with contextlib.closing(pool.handle_request(request)) as response:
            assert isinstance(response.stream, Iterable)
            return self._read_reply_even_if_cut_off(response.status, response.headers, response.stream, read)

    def _read_reply_even_if_cut_off(
        self, status: int, headers: Iterable[tuple[bytes, bytes]], chunks: Iterable[bytes], read: float
    ) -> Reply:
        self._line.raise_byte_limit_for_body()
        found: dict[str, str] = {}
        for name, value in headers:
            key, text = name.decode("latin-1").lower(), value.decode("latin-1")
            found[key] = f"{found[key]}, {text}" if key in found else text
        # The status determines the outcome: a body that never ends, or ends too early, changes nothing.
        encoding = found.get("content-encoding", "")
        body, ends = bytearray(), time.monotonic() + read
        with contextlib.suppress(
            httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, zlib.error
        ):
            for chunk in _decompress(chunks, encoding.strip().lower()) if encoding else chunks:
                body += chunk
                if len(body) > MOST_READ or time.monotonic() > ends:
                    break
        return Reply(status, found, bytes(body[:MOST_READ]))


class _Connection:
    """A connection to a server, with the state of the current exchange.

    An exchange is `send_and_read_head`, then as much of `iter_body` as is wanted, then
    `prepare_reuse_or_close`.
    """

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream
        self._said = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LONGEST_HEAD)
        self._used = time.monotonic()

    @property
    def is_usable(self) -> bool:
        """Whether the connection can be used for another request.

        It can't if it was idle too long, if the last exchange isn't finished, or if the server closed it or
        sent unrequested data.
        """
        idle = time.monotonic() - self._used
        is_free = self._said.our_state is h11.IDLE and not self._said.trailing_data[0]
        return is_free and idle < _KEPT_ALIVE and not self._stream.get_extra_info("is_readable")

    def send_and_read_head(
        self, method: str, target: str, lines: list[tuple[bytes, bytes]], content: bytes | None,
        seconds: float,
    ) -> h11.Response:  # fmt: skip
        """Send a request, and return the head of its answer: status and headers. Raises httpcore's errors."""
        try:
            data = self._said.send(h11.Request(method=method, target=target, headers=lines)) or b""
            if content:
                data += self._said.send(h11.Data(data=content)) or b""
            self._said.send(h11.EndOfMessage())
        except h11.LocalProtocolError as error:
            raise httpcore.LocalProtocolError(error) from error
        with contextlib.suppress(httpcore.WriteError):  # it may have answered before the end
            self._stream.write(data, seconds)
        while True:
            event = self._next_event(seconds)
            if isinstance(event, h11.Response):
                return event
            if isinstance(event, h11.InformationalResponse) and event.status_code == 101:
                raise httpcore.RemoteProtocolError("it switched to another protocol")

    def iter_body(self, seconds_per_read: float) -> Iterator[bytes]:
        """Yield the body in pieces, still compressed. Raises httpcore's errors."""
        while isinstance(event := self._next_event(seconds_per_read), h11.Data):
            yield bytes(event.data)

    def _next_event(self, seconds: float) -> object:
        try:
            while (event := self._said.next_event()) is h11.NEED_DATA:
                data = self._stream.read(_PIECE, seconds)
                if not data and self._said.their_state is h11.SEND_RESPONSE:
                    raise httpcore.RemoteProtocolError("Server disconnected without sending a response.")
                self._said.receive_data(data)
        except h11.RemoteProtocolError as error:
            raise httpcore.RemoteProtocolError(error) from error
        return event

    def prepare_reuse_or_close(self) -> None:
        """Make the connection ready for another exchange if both sides have finished this one.

        Otherwise, close it.
        """
        if self._said.our_state is h11.DONE and self._said.their_state is h11.DONE:
            self._said.start_next_cycle()
            self._used = time.monotonic()
        else:
            self.close()

    def close(self) -> None:
        self._stream.close()


def _decompress(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield a body decompressed, in pieces.

    For a body that is compressed twice, or by a method that wasn't requested, nothing is yielded.
    """
    if encoding in ("", "identity"):
        yield from chunks
    elif encoding in ("gzip", "x-gzip", "deflate"):
        unpack = None
        for chunk in chunks:
            if unpack is None:  # deflate comes with zlib's header or, from some, without
                bare = encoding == "deflate" and chunk[:1] and chunk[0] & 0x0F != 8
                unpack = zlib.decompressobj(-zlib.MAX_WBITS if bare else zlib.MAX_WBITS | 32)
            rest = chunk
            while rest and not unpack.eof:
                yield unpack.decompress(rest, _PIECE)
                rest = unpack.unconsumed_tail


def ssl_context(sole_trusted_certificate: Path | None = None) -> ssl.SSLContext:
    """Return a TLS context with the certificates to trust. Raises OSError where they can't be read.

    If `sole_trusted_certificate` is given, it alone is trusted. Otherwise the certificates are those that
    SSL_CERT_FILE or SSL_CERT_DIR name; or, without these variables, certifi's and the operating system's,
    including the keychain of macOS.
    """
    import os

    if sole_trusted_certificate:
        return ssl.create_default_context(cafile=sole_trusted_certificate)
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
    import certifi
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(certifi.where())
    return context


def speaks_tls(origin: Origin, seconds: float = 5.0) -> bool:
    """Return whether a TLS server answers at an origin, whatever its certificate. No request is sent."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection((origin.host, origin.port), seconds) as bare:
            context.wrap_socket(bare, server_hostname=origin.host).close()
    except (OSError, ValueError):
        return False
    return True


def _parse_proxy(address: str) -> httpcore.Proxy:
    """Return httpcore's Proxy for an address.

    Raises ValueError for one that can't be used, without quoting the address, which may contain a password.
    """
    from importlib.util import find_spec
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 1080)
    except ValueError:
        raise ValueError("it is not an address") from None
    if not parts.hostname or not parts.hostname.isascii():
        raise ValueError("it is not an address")
    if parts.scheme not in ("http", "https", "socks5", "socks5h"):
        raise ValueError(f"strike can't speak {parts.scheme} to a proxy")
    if parts.scheme.startswith("socks") and find_spec("socksio") is None:
        raise ValueError("SOCKS needs another package: `pip install socksio`")
    user = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore.Proxy(httpcore.URL(scheme=parts.scheme, host=parts.hostname, port=port, target="/"), user)


class _TimedNetwork(httpcore.NetworkBackend):
    """A network backend that limits the time and bytes of the current exchange."""

    def __init__(self) -> None:
        self._inner: httpcore.NetworkBackend = httpcore.SyncBackend()
        self._ends = 0.0
        self._left = 0
        self.has_sent = False

    def begin_exchange(self, seconds: float) -> None:
        """Begin an exchange that may take this many seconds."""
        self._ends, self._left, self.has_sent = time.monotonic() + seconds, _MOST_HEADERS, False

    def raise_byte_limit_for_body(self) -> None:
        """Raise the limit on received bytes by the greatest size of a body. Call it after the headers."""
        self._left += MOST_READ

    def seconds_allowed(self, timeout: float | None, error_class: type[Exception]) -> float:
        """Return the seconds for a step: `timeout`, or the time left of the exchange if that is less.

        If no time is left, the exception class `error_class` is raised.
        """
        left = self._ends - time.monotonic()
        if left <= 0:
            raise error_class("it took too long in total")
        return left if timeout is None else min(timeout, left)

    def count_received(self, data: bytes) -> bytes:
        """Count received bytes and return them.

        Raises httpcore's RemoteProtocolError if there are too many.
        """
        self._left -= len(data)
        if self._left < 0:
            raise httpcore.RemoteProtocolError("it sent too much")
        return data

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:  # fmt: skip
        """Connect within the limits of the current exchange. httpcore calls this with its own arguments."""
        within = self.seconds_allowed(timeout, httpcore.ConnectTimeout)
        return _Stream(
            self, self._inner.connect_tcp(host, port, within, local_address, socket_options=socket_options)
        )


class _Stream(httpcore.NetworkStream):
    """A network stream that observes the limits of the current exchange."""

    def __init__(self, line: _TimedNetwork, inner: httpcore.NetworkStream) -> None:
        self._line = line
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        within = self._line.seconds_allowed(timeout, httpcore.ReadTimeout)
        return self._line.count_received(self._inner.read(max_bytes, within))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            within = self._line.seconds_allowed(timeout, httpcore.WriteTimeout)
            self._line.has_sent = True
            self._inner.write(buffer[start : start + _PIECE], within)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        within = self._line.seconds_allowed(timeout, httpcore.ConnectTimeout)
        return _Stream(self._line, self._inner.start_tls(ssl_context, server_hostname, within))

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)
