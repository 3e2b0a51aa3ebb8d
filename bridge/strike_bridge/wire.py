"""One request and its answer over HTTP: timeouts, no redirects, no proxies to this machine, no keys told."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from . import outcome
from .outcome import Outcome
from .settings import is_loopback

if TYPE_CHECKING:
    import httpx

CONNECT_TIMEOUT = 5.0
READ_TIMEOUT = 35.0
"""Seconds."""
_MOST_READ = 8 * 1024 * 1024
"""Bytes of an answer."""
_KEPT_ALIVE = 4.0
"""Seconds: less than servers commonly keep an idle connection, so that none is reused as it closes."""


class Request(NamedTuple):
    """A request as a target makes it. `key` is the same for every attempt at the same thing; `gone_will_do`
    says that to be told of nothing there is as good as having removed it."""

    method: str
    path: str
    body: Any = None
    key: str = ""
    gone_will_do: bool = False

    def words(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


class Answer(NamedTuple):
    """An answer as it came, header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON, or None where it isn't any."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Wire:
    """A connection to one target, kept open between requests. Use from one thread, one request at a time."""

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        import httpx  # takes longer than most commands: only who sends something needs it

        parts = urlsplit(address)
        self._address = address
        self._client = httpx.Client(
            headers=dict(headers),
            timeout=httpx.Timeout(READ_TIMEOUT, connect=CONNECT_TIMEOUT),
            follow_redirects=False,
            # A proxy from the environment has no business with this machine's own table.
            trust_env=not is_loopback(parts.hostname or ""),
            # Loading certificates takes 60 ms, and plain http has no use for them.
            verify=parts.scheme != "http",
            limits=httpx.Limits(max_connections=1, keepalive_expiry=_KEPT_ALIVE),
        )

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def send(self, request: Request) -> Answer | Outcome:
        """Send a request: its answer, or what the lack of one means."""
        import httpx

        headers = {"idempotency-key": request.key} if request.key else {}
        content = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(request.body, ensure_ascii=True, separators=(",", ":")).encode()
        try:
            with self._client.stream(
                request.method, self._address + request.path, headers=headers, content=content
            ) as response:
                body = self._body(response)
                lowered = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status_code, lowered, body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return outcome.of_error(error)

    def _body(self, response: httpx.Response) -> bytes:
        """As much of the body as comes in time. What the answer means stands in its first line, so a body
        that never ends, or ends too early, doesn't change it."""
        import httpx

        body = bytearray()
        deadline = time.monotonic() + READ_TIMEOUT
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > _MOST_READ or time.monotonic() > deadline:
                    break
        except httpx.HTTPError:
            pass
        return bytes(body)
