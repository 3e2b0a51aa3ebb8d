"""Server-sent events: each open page is sent a change as soon as it happens.

A stream stores only the version that its page has seen. When the stream is woken, it looks up the changes
since that version in the store. So a slow page costs no memory. If the store no longer has all of these
changes, the page gets a snapshot. Encoded events are cached, since many pages of one audience need the same
events.
"""

from __future__ import annotations

import asyncio
import functools
import json
import struct
import zlib
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager, suppress
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .audience_views import LinkAudience
from .table_store import TableStore

HEARTBEAT = 10.0
"""Seconds of silence after which an event shows proxies and pages that the connection is alive: a page that
receives nothing for longer knows that it is not."""

PINGS_A_SECOND = 8
"""The maximum number of pings and signs that are shown in a second."""

TOLD_KEPT = 16
"""Frames that are cached for other pages at the same version."""

RETRY = 1000
"""Milliseconds that a page waits before it connects again."""


class HeartbeatTimer:
    """Tells when a page needs a heartbeat, because nothing has been sent to this page for some time.

    Events for other pages don't restart the timer. So the time of a heartbeat doesn't reveal these events.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start measuring anew, because something was sent."""
        self._until = monotonic() + HEARTBEAT

    async def wait_for_bell_or_heartbeat(self, bell: asyncio.Event) -> bool:
        """Wait until the bell rings or a heartbeat is due.

        Return True if the bell has rung. If the heartbeat is due first, return False and restart the timer.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, self._until - monotonic())):
                await bell.wait()
            return True
        self.restart()
        return False


class Watchers:
    """The open streams of one server."""

    def __init__(self) -> None:
        self._bells: set[asyncio.Event] = set()
        self._pings: deque[tuple[int, str]] = deque(maxlen=PINGS_A_SECOND)
        self._pinged: deque[float] = deque(maxlen=PINGS_A_SECOND)
        self.pings = 0
        """The number of pings so far."""
        self.rings = 0
        """The number of times that the bell has rung."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told: dict[tuple[LinkAudience, int | None], tuple[int, bytes]] = {}
        """The last frames for an audience at a version, and their new version."""
        self.closed = False

    def wake_streams(self) -> None:
        """Wake every stream, so that it sends the latest changes. Any thread may call this."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._set_all_bells)

    def show_ping_or_sign(self, kind: str, data: Mapping[str, object]) -> bool:
        """Show a ping (a place that somebody points at) or a player's sign on every open page.

        Return False, and show nothing, if there were too many in this second.
        """
        now = monotonic()
        if len(self._pinged) == PINGS_A_SECOND and now - self._pinged[0] < 1:
            return False
        self._pinged.append(now)
        self.pings += 1
        self._pings.append((self.pings, f"event: {kind}\ndata: {json.dumps(data)}\n\n"))
        self.wake_streams()
        return True

    def ping_and_sign_frames_after(self, number: int) -> list[str]:
        """Return the frames of the pings and signs that came after number `number`.

        Only the last PINGS_A_SECOND of them are kept. Older ones are missing in the result.
        """
        return [ping for at, ping in self._pings if at > number]

    def frames_after(
        self, store: TableStore, audience: LinkAudience, seen: int | None
    ) -> tuple[int | None, bytes]:
        """Return the current version of what an audience sees, and the frames that a page needs to get there.

        `seen` is the version that the page has. If it is current, there are no frames. If `seen` is None or
        the changes since then are no longer known, the frames are a snapshot of everything.
        """
        changes = None if seen is None else store.changes_after(audience, seen)
        if changes == ():
            return seen, b""
        snapshot = store.snapshot(audience) if changes is None else None
        version = snapshot["version"] if snapshot else changes[-1].version if changes else 0
        known = self._told.get((audience, seen))
        if known is None or known[0] != version:
            frames = (
                [_encode_frame(version, "snapshot", snapshot)]
                if snapshot
                else [_encode_frame(change.version, change.kind, change.data) for change in changes or ()]
            )
            if len(self._told) >= TOLD_KEPT:
                self._told.clear()
            known = self._told[audience, seen] = version, "".join(frames).encode()
        return known

    def close(self) -> None:
        """End every stream.

        Without this, a server that shuts down would wait for the streams for ever.
        """
        self.closed = True
        self.wake_streams()

    @contextmanager
    def registered_bell(self) -> Iterator[asyncio.Event]:
        self._loop = asyncio.get_running_loop()
        bell = asyncio.Event()
        self._bells.add(bell)
        try:
            yield bell
        finally:
            self._bells.discard(bell)

    def _set_all_bells(self) -> None:
        self.rings += 1
        for bell in self._bells:
            bell.set()


async def stream_frames(
    store: TableStore, watchers: Watchers, audience: LinkAudience, seen: int | None
) -> AsyncIterator[bytes]:
    """Yield the frames for a page of this audience.

    `seen` is the version that the page has seen, None for nothing yet.
    """
    yield b"retry: %d\n\n" % RETRY
    with watchers.registered_bell() as bell:
        pinged, silent = watchers.pings, HeartbeatTimer()
        while not watchers.closed:
            bell.clear()
            seen, frames = watchers.frames_after(store, audience, seen)
            pings = watchers.ping_and_sign_frames_after(pinged)
            pinged = watchers.pings
            if frames:
                yield frames
            for ping in pings:
                yield ping.encode()
            if frames or pings:
                silent.restart()
            if not await silent.wait_for_bell_or_heartbeat(bell):
                yield b"event: beat\ndata: {}\n\n"


def accepts_gzip(request: Request) -> bool:
    """Return whether the client accepts an answer that is compressed with gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def answer_stream(request: Request, frames: AsyncIterator[bytes]) -> Response:
    """Answer with frames as they arrive, compressed if the browser accepts that."""
    headers = {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    if request.method == "HEAD":
        return Response(media_type="text/event-stream", headers=headers)
    if accepts_gzip(request):
        headers["Content-Encoding"] = "gzip"
        frames = _compress_stream(frames)
    return StreamingResponse(frames, media_type="text/event-stream", headers=headers)


async def _compress_stream(frames: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield a stream's frames compressed with gzip; each can be read as soon as it arrives."""
    yield bytes.fromhex("1f8b08000000000000ff")
    checksum = length = 0
    async for frame in frames:
        checksum, length = zlib.crc32(frame, checksum), length + len(frame)
        yield _compress_frame(frame)
    yield b"\x03\x00" + struct.pack("<II", checksum, length % 2**32)


@functools.lru_cache(maxsize=32)
def _compress_frame(frame: bytes) -> bytes:
    """Return a frame compressed in such a way that earlier frames aren't needed to unpack it.

    The result is cached for all streams.
    """
    piece = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return piece.compress(frame) + piece.flush(zlib.Z_FULL_FLUSH)


def _encode_frame(version: int, kind: str, data: object) -> str:
    return f"id: {version}\nevent: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
