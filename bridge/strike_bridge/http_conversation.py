"""HTTP conversations with a target: requests, answers, and the connection that they use.

Every request has time limits. Redirects aren't followed. Requests to this machine use no proxy. Keys are
never revealed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from types import GeneratorType, MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypedDict
from urllib.parse import urlsplit

from strike_cli.deprecated_api_names import OldName
from strike_cli.kernel.state_changes import cached_in_block

from . import request_outcome
from .address import Origin, origin_of, redact_address, request_target
from .request_outcome import APPLIED, Outcome, OutcomeKind
from .wait_reasons_report import note_wait

if TYPE_CHECKING:
    from pathlib import Path

    from .http_transport import Transport

CONNECT_TIMEOUT = 5.0
READ_TIMEOUT = 35.0
EXCHANGE_TIMEOUT = 60.0
"""Seconds: the limits for connecting, for each read, and for a whole exchange."""
_JSON = json.JSONEncoder(separators=(",", ":"))
HEADERS = {"accept": "*/*", "accept-encoding": "gzip, deflate", "user-agent": "strike-bridge"}
"""Headers of every request, unless its target sets others."""


@cached_in_block
def encode_json(body: object) -> bytes:
    """Return a body encoded as JSON."""
    return _JSON.encode(body).encode()


class Request(NamedTuple):
    """A request as a target makes it.

    `path` follows the target's address, and includes the query. `body` is sent as JSON. `content` is sent
    unchanged; its content type is in `headers`. `key` marks all attempts at the same change, so that the
    server can recognize a repetition.

    Three fields say whether the request may be repeated:
        absolute: The request may be repeated even if it has arrived. If this is False, a repetition would
            take effect a second time.
        creates: Our id of the token that the request creates; "" if it creates none. The request may only be
            repeated once it is known that the token wasn't created.
        looked_for: The step first looks for the thing that the request creates. So the request may be
            repeated once an earlier attempt can't arrive any more.

    Three fields are about the answer:
        gone_will_do: It counts as success if the target answers that the thing doesn't exist. This is for
            removals.
        may_fail: The step receives a rejection as an answer, and decides what it means. Otherwise a rejection
            ends the step.
        only_taken: The answer says only that the request has arrived. Its effect may come later.

    Four fields are for special cases:
        keep: The target's memory is saved to disk before the request is sent.
        opens: The request asks for a session, and carries the secret for it.
        event: For a target of kind rest, the key of the target's table that defines the request.
        event_id: An id of the content, for signatures.
    """

    method: str
    path: str
    body: object = None
    key: str = ""
    gone_will_do: bool = False
    absolute: bool = True
    creates: str = ""
    looked_for: bool = False
    may_fail: bool = False
    only_taken: bool = False
    keep: bool = False
    opens: bool = False
    event: str = ""
    event_id: str = ""
    headers: Mapping[str, str] = MappingProxyType({})
    content: bytes | None = None

    @property
    def asks(self) -> bool:
        """Whether the request only reads, and changes nothing.

        That is true of every GET and HEAD. It is also true of the requests that a REST target's table
        declares as `read` or `probe`, even if they use another method.
        """
        return self.method in ("GET", "HEAD") or self.event.startswith(("read", "probe"))

    @property
    def once(self) -> bool:
        """Whether the request would take effect twice if it were sent twice."""
        return bool(self.creates) or self.looked_for or not self.absolute

    def goes_on(self, outcome: Outcome) -> bool:
        """Return whether a conversation continues after `outcome`; otherwise the outcome ends it.

        It continues after APPLIED. With `may_fail`, it also continues after REJECTED, unless the target
        rejects everything (`outcome.all`).
        """
        judged = self.may_fail and outcome.kind is OutcomeKind.REJECTED and not outcome.all
        return outcome.kind is OutcomeKind.APPLIED or judged

    def words(self) -> str:
        """Return the method and the path as text, such as `GET /api/map`."""
        return f"{self.method} {self.path}"

    def encoded(self) -> tuple[dict[str, str], bytes | None]:
        """Return the request's own headers, and its body as bytes."""
        headers = {"idempotency-key": self.key} if self.key else {}
        content = self.content
        if self.body is not None:
            headers["content-type"] = "application/json"
            content = encode_json(self.body)
        return {**headers, **self.headers}, content


class RequestFlags(TypedDict, total=False):
    """The optional fields of Request that helpers pass on as keyword arguments."""

    gone_will_do: bool
    absolute: bool
    creates: str
    may_fail: bool
    keep: bool
    event_id: str


class Answer(NamedTuple):
    """An answer that was received. The names of its headers are in lower case.

    If requests are only shown and not sent, a stand-in takes the place of the answer. It has `planned` set.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    planned: bool = False

    def json(self) -> object:
        """Return the body parsed as JSON; None if it isn't JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def value(self, *path: str | int, default: object = None) -> object:
        """Return the value at a path in the JSON body; `default` if there is none.

        If this answer is only planned, no body exists yet. Then return a placeholder such as `<token.id>`, so
        that the requests that follow can be shown.
        """
        if self.planned:
            return f"<{'.'.join(map(str, path))}>"
        found = self.json()
        for part in path:
            try:
                found = found[part]  # type: ignore[index]  # what it isn't raises
            except (LookupError, TypeError):
                return default
        return found

    def cookie(self, name: str) -> str:
        """Return the value of the cookie `name` that the answer sets; "" if it sets none."""
        for part in self.headers.get("set-cookie", "").replace(",", ";").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value
        return ""


PLANNED = Answer(200, {}, b"", planned=True)

Conversation = Generator[Request, Answer, Outcome | None]
"""A generator that yields requests, is sent the answer to each, and may return an outcome of its own."""
Requests = Iterable[Request]
"""The requests that bring one change about: a list, or a Conversation."""


def converse(requests: Requests, send: Callable[[Request], Answer | Outcome]) -> Outcome:
    """Send requests one at a time, give each answer to the conversation, and return the outcome.

    Args:
        requests: A list of requests, or a conversation.
        send: Returns an Answer if the next request may follow, or the Outcome that ends the
            conversation.

    Returns:
        The outcome of `send` that ended the conversation, else the conversation's own outcome, else
            APPLIED.
    """
    if not isinstance(requests, Generator):
        for request in requests:
            answer = send(request)
            if isinstance(answer, Outcome):
                return answer
        return APPLIED
    try:
        request = next(requests)
        while True:
            answer = send(request)
            if isinstance(answer, Outcome):
                return answer
            request = _give_answer_for_next_request(requests, answer)
    except StopIteration as ended:
        return ended.value or APPLIED
    finally:
        requests.close()


def _give_answer_for_next_request(
    conversation: Generator[Request, Answer, Outcome | None], answer: Answer
) -> Request:
    """Give an answer to a conversation, and return the conversation's next request.

    While the conversation yields the requests of a plain list, it can't take the answer. The answer is then
    dropped. When the conversation ends, StopIteration is raised with the outcome as its value.
    """
    inner: object = conversation
    while isinstance(inner, GeneratorType) and inner.gi_yieldfrom is not None:
        inner = inner.gi_yieldfrom
    return conversation.send(answer) if hasattr(inner, "send") else next(conversation)


class PreparedRequest(NamedTuple):
    """One attempt at a request as it is sent: path, headers and body."""

    path: str
    headers: Mapping[str, str]
    content: bytes | None = None


Prepare = Callable[[Request, float], PreparedRequest]


class Wire:
    """A connection to one target, kept open between requests; the first request opens it.

    Use it from one thread, one request at a time. Every request goes to the scheme, host and port of the
    address, whatever its path is.
    """

    def __init__(
        self,
        address: str,
        prepare: Prepare,
        label: str = "",
        certificate: Path | None = None,
        patience: float | None = None,
    ) -> None:
        """Set up a connection to an address. The connection opens with the first request.

        `prepare` adds a request's final headers. `label` names the target in the progress line, which is
        shown while an answer takes long. `certificate` is a file to trust in place of the system's
        certificates. `patience` is the time to wait for an answer, in seconds; None means READ_TIMEOUT.
        """
        self._address = address
        self._prepare = prepare
        self._label = label or redact_address(address)
        self._certificate = certificate
        self._patience = patience
        self._transport: Transport | None = None
        self._proxy = ""
        """The displayed name of the proxy in use; "" where there is none."""
        self.last_sent = time.monotonic()
        """When something was last sent."""
        self.last_duration = 0.0
        """Seconds that the last answer, or failure, took."""

    def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    def send(self, request: Request) -> Answer | Outcome:
        """Send a request, and return its answer; or the outcome, if there is no answer."""
        self.last_sent = time.monotonic()
        prepared = self._prepare(request, time.time())
        transport = self._open_transport()
        if isinstance(transport, Outcome):
            return transport
        timeouts = (CONNECT_TIMEOUT, self._patience or READ_TIMEOUT, EXCHANGE_TIMEOUT)
        with note_wait(self._label, f"waiting for its answer to {request.words()}"):
            try:
                target = request_target(self._address, prepared.path)
                headers = {**HEADERS, **prepared.headers}
                answer = Answer(
                    *transport.exchange(request.method, target, headers, prepared.content, *timeouts)
                )
            except Exception as error:
                return request_outcome.outcome_of_error(
                    error, may_have_sent=transport.may_have_sent, proxy=self._proxy
                )
            finally:
                self.last_duration = time.monotonic() - self.last_sent
        if self._proxy and answer.status == 407:
            return Outcome(OutcomeKind.REJECTED, f"{self._proxy} needs a password", all=True, status=407)
        return answer

    def _open_transport(self) -> Transport | Outcome:
        """Return the transport, or an outcome if nothing can be sent.

        Nothing can be sent if the certificates can't be read, or if the environment names a proxy that can't
        be used.
        """
        if self._transport is None:
            from .http_transport import Transport  # takes longer than most commands: only a sender needs it

            origin = origin_of(self._address)
            proxy = proxy_for(origin)
            try:
                self._transport = Transport(origin, proxy, self._certificate)
                self._proxy = describe_proxy(proxy) if proxy else ""
            except (ValueError, OSError) as error:
                words = "the certificates of SSL_CERT_FILE or SSL_CERT_DIR"
                if isinstance(error, ValueError):
                    words = f"the proxy that {origin.scheme}_proxy or all_proxy names"
                return Outcome(OutcomeKind.NOT_SENT, f"{words} can't be used: {error}", all=True)
        return self._transport

    used = OldName("last_sent")
    took = OldName("last_duration")


def describe_proxy(address: str) -> str:
    """Return words that name a proxy by its host and port, without the password in its address."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"the proxy {parts.hostname}{port} that your environment names"


def proxy_for(origin: Origin) -> str | None:
    """Return the address of the proxy that the environment sets for an origin; None for no proxy.

    No proxy is used if the environment sets none or exempts the host, and for an origin on this machine.
    """
    if origin.is_loopback:
        return None
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    found = proxies.get(origin.scheme) or proxies.get("all")
    if not found or proxy_bypass(origin.host):
        return None
    return found if "://" in found else f"http://{found}"
