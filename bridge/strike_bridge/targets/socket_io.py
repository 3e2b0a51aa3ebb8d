"""Socket.IO by plain HTTP long polling, over a target's own connection.

Messages are requests like any others, one at a time, and judged like any others. A client library would need
threads, a second HTTP library and retries of its own; the needed part of the protocol (Engine.IO 4) fits
below.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from ..http_request import Answer, PreparedRequest, Request
from ..outcome import Outcome, OutcomeKind, outcome_of_answer
from .base import HIDDEN_KEY, Asking, Target

ALIVE = 40.0
"""Seconds of idleness up to which a connection is trusted: servers close one after 45 at the least, most
after 85."""
PATIENCE = 20.0
"""Seconds to wait for an answer."""
MOMENT = 2.0
"""Seconds for which a state that was just received counts as current."""
_UNANSWERED: tuple[float, object] = (-math.inf, None)
_IN_VAIN = 3
"""Answers without events after which reading is given up."""
_PLACE = "socket"
"""The key in a target's memory of the connection: its id, and when it was last used."""
_CONNECT, _PONG = "connect", "pong"
_CODES = {_CONNECT: "40", _PONG: "3"}
_BETWEEN = "\x1e"
_EVENT = re.compile(r"42\d*(\[.*)", re.DOTALL)
_QUERY = "EIO=4&transport=polling"
Said = Sequence[object]
"""An event to send: its name, and its arguments."""


class Event(NamedTuple):
    """An event that the server sends."""

    name: str
    data: object = None

    def value(self, *path: str | int, default: object = None) -> object:
        """Return the value at a path in the event; `default` where nothing is there."""
        found = self.data
        for part in path:
            try:
                found = cast("Mapping[str | int, object]", found)[part]
            except (LookupError, TypeError):
                return default
        return found


OPENED, CONNECTED, REFUSED, PING, CLOSED = "<open>", "<connect>", "<refused>", "<ping>", "<close>"
"""Events of the protocol itself, as names of events."""
Enough = Callable[[Sequence[Event]], bool]


def any_named(*names: str) -> Enough:
    """Return a test that one of these events has arrived."""
    return lambda heard: any(event.name in names for event in heard)


class SocketIO:
    """A target's Socket.IO connection.

    It outlives the worker, in the target's memory, since games announce everybody who comes and goes. After
    an error it is tested before it is used again. `knock` checks the conditions for a connection; `welcome`
    is the event by which the server says that it listens, and `greet` then introduces the bridge. `nudge` is
    an event that the server always answers by one called `nudged`: all that was sent before it has arrived by
    then.
    """

    def __init__(
        self,
        target: Target,
        path: str,
        *,
        knock: Callable[[], Asking[Outcome | None]],
        greet: Callable[[], Asking[Outcome | None]],
        nudge: Said,
        nudged: str,
        welcome: str = CONNECTED,
    ) -> None:
        self._target = target
        self._path = path
        self._knock, self._greet = knock, greet
        self._nudge, self._nudged, self._welcome = nudge, nudged, welcome
        self._tried = False
        """Whether this process knows that the connection is alive, and has read its earlier events."""
        self._answered = _UNANSWERED
        """The answer to the last nudge, and its time by the monotonic clock."""

    # Sending

    def owns(self, request: Request) -> bool:
        """Return whether a request belongs to this connection."""
        return request.path.startswith(self._path)

    @property
    def id(self) -> str:
        """The server's id for the connection, as good as a key while it lasts; empty for none."""
        return self._target.memory.get(_PLACE, "").partition(" ")[0]

    def prepared(self, request: Request, prepared: PreparedRequest) -> PreparedRequest:
        """Prepare a request of the connection: add its id, and encode its events as packets."""
        path = request.path.replace(HIDDEN_KEY, self.id)
        if request.body is None:
            return prepared._replace(path=path)
        headers = {**prepared.headers, "content-type": "text/plain; charset=utf-8"}
        return PreparedRequest(
            path,
            headers,
            _BETWEEN.join(map(_packet, request.body if isinstance(request.body, list) else [])).encode(),
        )

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of an answer to one of its requests."""
        outcome = outcome_of_answer(answer.status, answer.headers, answer.body, now)
        if answer.status == 404:
            why = f"nothing listens at {self._path}: it answered 404. `options.live = false` does without it"
            return outcome._replace(why=why)
        if outcome.kind is OutcomeKind.APPLIED and not answer.planned and not _is_whole(request, answer):
            why = f"its answer to {request.words()} can't be read"
            return Outcome(OutcomeKind.UNKNOWN, why, status=answer.status)
        return outcome

    def ask(
        self, said: Sequence[Said], enough: Enough, *, absolute: bool = True, looked_for: bool = False
    ) -> Asking[list[Event] | Outcome]:
        """Send events, and read the server's events until `enough` accepts them.

        `absolute` and `looked_for` are flags of the sending request. Nothing is read where the request is
        only shown.
        """
        stopped: Outcome | None = None
        try:
            for _ in range(2):
                stopped = yield from self._ensure_connected()
                if stopped is not None:
                    return stopped
                self._answered = _UNANSWERED
                answer = yield self._events_request(said)._replace(absolute=absolute, looked_for=looked_for)
                if answer.status < 400:
                    return (yield from self._read_until(enough, answer))
                self.drop()  # it was closed meanwhile, and nothing was taken
        except GeneratorExit:
            self._tried = False  # the events of this request may still come
            raise
        return Outcome(OutcomeKind.NOT_SENT, "it closed the connection")

    def nudged(self) -> Asking[object]:
        """Return the recent answer to a nudge, None where there is none.

        Return the outcome where nothing is connected.
        """
        stopped = yield from self._ensure_connected()
        if stopped is not None:
            return stopped
        at, found = self._answered
        return found if time.monotonic() - at < MOMENT else None

    def drop(self) -> None:
        """Forget the connection."""
        self._target.memory.pop(_PLACE, None)
        self._tried = False

    def stay(self) -> Asking[None]:
        """Keep an idle connection alive, if there is one."""
        if self.id and self._tried:
            yield from self._try()

    # Receiving

    def _ensure_connected(self) -> Asking[Outcome | None]:
        """Connect and introduce the bridge, unless a live connection exists."""
        idle = time.time() - _number(self._target.memory.get(_PLACE, "").partition(" ")[2])
        if self.id and abs(idle) < ALIVE and (self._tried or (yield from self._try())):
            return None
        try:
            stopped = yield from self._knock()
            if stopped is None:
                stopped = yield from self._open()
            if stopped is None:
                stopped = yield from self._greet()
        except GeneratorExit:
            self.drop()  # the server doesn't know us on it
            raise
        if stopped is not None:
            self.drop()
        self._tried = stopped is None
        return stopped

    def _try(self) -> Asking[bool]:
        """Test whether the connection is alive.

        Events that were sent on it before have arrived by then, and are skipped.
        """
        self._tried = False
        answer = yield self._events_request([_PONG, self._nudge])
        found: Sequence[Event] | Outcome = []
        if answer.status < 400:
            found = yield from self._read_until(any_named(self._nudged), answer)
        self._tried = answer.status < 400 and not isinstance(found, Outcome)
        if not isinstance(found, Outcome):
            answers = [event.data for event in found if event.name == self._nudged]
            self._answered = (time.monotonic(), answers[-1] if answers else None)
        if not self._tried:
            self.drop()
        return self._tried

    def _open(self) -> Asking[Outcome | None]:
        self.drop()
        answer = yield Request("GET", f"{self._path}?{_QUERY}")
        opened = next((event for event in events_of(answer.body) or () if event.name == OPENED), None)
        id = "<connection>" if answer.planned else opened and opened.value("sid")
        if not (answer.planned or (isinstance(id, str) and re.fullmatch(r"[\w-]+", id))):
            return Outcome(OutcomeKind.UNKNOWN, "it opened no connection")
        self._target.memory[_PLACE] = f"{id} {time.time():.3f}"
        answer = yield self._events_request([_CONNECT])
        found = yield from self._read_until(any_named(self._welcome, REFUSED), answer)
        if isinstance(found, Outcome):
            return found
        if any(event.name == REFUSED for event in found):
            return Outcome(OutcomeKind.REJECTED, "it refused a connection", all=True)
        return None

    def say(self, said: Sequence[Said], enough: Enough) -> Asking[list[Event] | Outcome]:
        """Send events and read the server's as `ask` does, during a greeting."""
        answer = yield self._events_request(said)
        return (yield from self._read_until(enough, answer))

    def _events_request(self, said: Sequence[Said | str]) -> Request:
        path = f"{self._path}?{_QUERY}&sid={HIDDEN_KEY}"
        return Request("POST", path, said, may_fail=True, only_taken=True)

    def _read_until(self, enough: Enough, answer: Answer) -> Asking[list[Event] | Outcome]:
        """Read events until `enough` accepts them. Many events about other things may come before."""
        found: list[Event] = []
        ends, in_vain = time.monotonic() + PATIENCE, 0
        while not (answer.planned or enough(found)):
            if answer.status >= 400 or in_vain == _IN_VAIN or time.monotonic() > ends:
                self.drop()
                return Outcome(OutcomeKind.UNKNOWN, "it did not confirm it")
            answer = yield Request("GET", f"{self._path}?{_QUERY}&sid={HIDDEN_KEY}", may_fail=True)
            heard = (events_of(answer.body) or []) if answer.status < 400 else []
            found += heard
            names = {event.name for event in heard}
            in_vain = _IN_VAIN if CLOSED in names else in_vain + (names <= {PING})
            if PING in names and not enough(found):
                answer = yield self._events_request([_PONG])
        memory, now = self._target.memory, time.time()
        if now - _number(memory.get(_PLACE, "").partition(" ")[2]) > ALIVE / 8:
            memory[_PLACE] = f"{self.id} {now:.3f}"
        return found


def _packet(said: object) -> str:
    return _CODES[said] if isinstance(said, str) else "42" + json.dumps(said, ensure_ascii=True)


def events_of(body: bytes) -> list[Event] | None:
    """Return the events of an answer; None for an answer that is not one, or is cut short."""
    try:
        packets = body.decode().split(_BETWEEN)
        return [event for packet in packets if packet for event in _event(packet)]
    except (ValueError, RecursionError):
        return None


def _is_whole(request: Request, answer: Answer) -> bool:
    """Return whether an answer belongs to this protocol, and is complete."""
    length = answer.headers.get("content-length", "")
    if length.isdigit() and "content-encoding" not in answer.headers and int(length) != len(answer.body):
        return False
    return answer.body == b"ok" if request.method == "POST" else bool(events_of(answer.body) is not None)


def _event(packet: str) -> list[Event]:
    match = _EVENT.fullmatch(packet)
    if match:
        said = json.loads(match[1])
        if not (isinstance(said, list) and said and isinstance(said[0], str)):
            raise ValueError(packet)
        return [Event(said[0], said[1] if len(said) > 1 else None)]
    if packet in ("1", "41"):
        return [Event(CLOSED)]
    if packet[0] == "2":
        return [Event(PING)]
    for code, name in (("0", OPENED), ("40", CONNECTED), ("44", REFUSED)):
        if re.match(rf"{code}(\{{|$)", packet):
            return [Event(name, json.loads(packet[len(code) :] or "null"))]
    if re.fullmatch(r"[346b].*", packet, re.DOTALL):
        return []  # packets that carry no events
    raise ValueError(packet)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
