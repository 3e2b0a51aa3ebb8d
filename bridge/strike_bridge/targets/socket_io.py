"""Socket.IO over plain HTTP long polling, on a target's own connection.

Its messages are sent as ordinary requests, one at a time, and their answers are judged like all others. A
client library would need threads, a second HTTP library and its own retries, and the part of the protocol
(Engine.IO 4) that the bridge needs is small.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from ..http_conversation import Answer, PreparedRequest, Request
from ..request_outcome import Outcome, OutcomeKind, outcome_of_answer
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
_CONNECTION_KEY = "socket"
"""The key in a target's memory of the connection: its id, and when it was last used."""
_CONNECT, _PONG = "connect", "pong"
_CODES = {_CONNECT: "40", _PONG: "3"}
_BETWEEN = "\x1e"
_EVENT = re.compile(r"42\d*(\[.*)", re.DOTALL)
_QUERY = "EIO=4&transport=polling"
EventToSend = Sequence[object]
"""An event to send: its name, and its arguments."""


class Event(NamedTuple):
    """An event from the server.

    A packet of the protocol itself counts as an event, too. Its name is a constant such as OPENED.
    """

    name: str
    data: object = None

    def value(self, *path: str | int, default: object = None) -> object:
        """Return the value at a path in the event's data; `default` if there is none."""
        found = self.data
        for part in path:
            try:
                found = cast("Mapping[str | int, object]", found)[part]
            except (LookupError, TypeError):
                return default
        return found


OPENED, CONNECTED, REFUSED, PING, CLOSED = "<open>", "<connect>", "<refused>", "<ping>", "<close>"
"""Events of the protocol itself, as names of events."""
EventsTest = Callable[[Sequence[Event]], bool]


def make_event_name_test(*names: str) -> EventsTest:
    """Return a function that says whether an event with one of these names has arrived."""
    return lambda heard: any(event.name in names for event in heard)


class SocketIO:
    """A target's Socket.IO connection.

    Games announce everybody who comes and goes. So the connection is stored in the target's memory, and stays
    open when the worker ends. After an error, the connection is tested before it is used again.

    Args:
        target: The target.
        path: The path at which the server listens for Socket.IO.
        knock: Runs before a connection is made. If it returns an outcome, no connection is made.
        greet: Introduces the bridge, after the server has sent the event `welcome`.
        nudge: An event that the server always answers. When the answer arrives, everything that was sent
            before `nudge` has arrived, too.
        nudged: The name of the event that answers `nudge`.
        welcome: The event that the server sends when it begins to listen.
    """

    def __init__(
        self,
        target: Target,
        path: str,
        *,
        knock: Callable[[], Asking[Outcome | None]],
        greet: Callable[[], Asking[Outcome | None]],
        nudge: EventToSend,
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

    def is_own_request(self, request: Request) -> bool:
        """Return whether a request belongs to this Socket.IO connection."""
        return request.path.startswith(self._path)

    @property
    def id(self) -> str:
        """The server's id for the connection, "" without one. It is as secret as a key."""
        return self._target.memory.get(_CONNECTION_KEY, "").partition(" ")[0]

    def encode_request(self, request: Request, prepared: PreparedRequest) -> PreparedRequest:
        """Return a request of this connection in the form in which it is sent.

        The connection's id is added, and events are encoded as packets.
        """
        path = request.path.replace(HIDDEN_KEY, self.id)
        if request.body is None:
            return prepared._replace(path=path)
        headers = {**prepared.headers, "content-type": "text/plain; charset=utf-8"}
        return PreparedRequest(
            path,
            headers,
            _BETWEEN.join(
                map(_encode_packet, request.body if isinstance(request.body, list) else [])
            ).encode(),
        )

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of one of this connection's requests."""
        outcome = outcome_of_answer(answer.status, answer.headers, answer.body, now)
        if answer.status == 404:
            why = f"nothing listens at {self._path}: it answered 404. `options.live = false` does without it"
            return outcome._replace(why=why)
        if outcome.kind is OutcomeKind.APPLIED and not answer.planned and not _is_complete(request, answer):
            why = f"its answer to {request.words()} can't be read"
            return Outcome(OutcomeKind.UNKNOWN, why, status=answer.status)
        return outcome

    def send_and_read(
        self,
        events: Sequence[EventToSend],
        is_enough: EventsTest,
        *,
        absolute: bool = True,
        looked_for: bool = False,
    ) -> Asking[list[Event] | Outcome]:
        """Send events to the server, and return the events that it sends back.

        The server's events are read until `is_enough` accepts them. If there is no connection yet, it is made
        first. If something fails, the outcome is returned instead of events. If requests are only shown and
        not sent, nothing is read.

        `absolute` and `looked_for` are passed on to the request with the events; `Request` explains them.
        """
        stopped: Outcome | None = None
        try:
            for _ in range(2):
                stopped = yield from self._ensure_connected()
                if stopped is not None:
                    return stopped
                self._answered = _UNANSWERED
                answer = yield self._events_request(events)._replace(absolute=absolute, looked_for=looked_for)
                if answer.status < 400:
                    return (yield from self._read_until(is_enough, answer))
                self.forget_connection()  # it was closed meanwhile, and nothing was taken
        except GeneratorExit:
            self._tried = False  # the events of this request may still come
            raise
        return Outcome(OutcomeKind.NOT_SENT, "it closed the connection")

    def connect_and_get_recent_nudge_answer(self) -> Asking[object]:
        """Connect if necessary, and return what the server answered to the last nudge.

        A nudge is an event that the server always answers. If the last answer is more than two seconds old,
        or if there is none, return None. If no connection can be made, return the outcome that says why.
        """
        stopped = yield from self._ensure_connected()
        if stopped is not None:
            return stopped
        at, found = self._answered
        return found if time.monotonic() - at < MOMENT else None

    def forget_connection(self) -> None:
        """Forget the connection, so that the next request opens another."""
        self._target.memory.pop(_CONNECTION_KEY, None)
        self._tried = False

    def test_connection_if_in_use(self) -> Asking[None]:
        """Keep an idle connection alive, if there is one that this process has used."""
        if self.id and self._tried:
            yield from self._test_or_forget_connection()

    # Receiving

    def _ensure_connected(self) -> Asking[Outcome | None]:
        """Connect and introduce the bridge, unless there is a live connection.

        If that fails, return the outcome.
        """
        idle = time.time() - _number_or_zero(self._target.memory.get(_CONNECTION_KEY, "").partition(" ")[2])
        if self.id and abs(idle) < ALIVE and (self._tried or (yield from self._test_or_forget_connection())):
            return None
        try:
            stopped = yield from self._knock()
            if stopped is None:
                stopped = yield from self._open_connection()
            if stopped is None:
                stopped = yield from self._greet()
        except GeneratorExit:
            self.forget_connection()  # the server doesn't know us on it
            raise
        if stopped is not None:
            self.forget_connection()
        self._tried = stopped is None
        return stopped

    def _test_or_forget_connection(self) -> Asking[bool]:
        """Return whether the server answers a test event. If it doesn't, forget the connection.

        Other events that the server sent before its answer are read and skipped.
        """
        self._tried = False
        answer = yield self._events_request([_PONG, self._nudge])
        found: Sequence[Event] | Outcome = []
        if answer.status < 400:
            found = yield from self._read_until(make_event_name_test(self._nudged), answer)
        self._tried = answer.status < 400 and not isinstance(found, Outcome)
        if not isinstance(found, Outcome):
            answers = [event.data for event in found if event.name == self._nudged]
            self._answered = (time.monotonic(), answers[-1] if answers else None)
        if not self._tried:
            self.forget_connection()
        return self._tried

    def _open_connection(self) -> Asking[Outcome | None]:
        self.forget_connection()
        answer = yield Request("GET", f"{self._path}?{_QUERY}")
        opened = next((event for event in decode_events(answer.body) or () if event.name == OPENED), None)
        id = "<connection>" if answer.planned else opened and opened.value("sid")
        if not (answer.planned or (isinstance(id, str) and re.fullmatch(r"[\w-]+", id))):
            return Outcome(OutcomeKind.UNKNOWN, "it opened no connection")
        self._target.memory[_CONNECTION_KEY] = f"{id} {time.time():.3f}"
        answer = yield self._events_request([_CONNECT])
        found = yield from self._read_until(make_event_name_test(self._welcome, REFUSED), answer)
        if isinstance(found, Outcome):
            return found
        if any(event.name == REFUSED for event in found):
            return Outcome(OutcomeKind.REJECTED, "it refused a connection", all=True)
        return None

    def send_without_connecting(
        self, events: Sequence[EventToSend], is_enough: EventsTest
    ) -> Asking[list[Event] | Outcome]:
        """Send events while the connection is still being set up, and return the events received.

        Events are received until `is_enough` accepts them.
        """
        answer = yield self._events_request(events)
        return (yield from self._read_until(is_enough, answer))

    def _events_request(self, events: Sequence[EventToSend | str]) -> Request:
        path = f"{self._path}?{_QUERY}&sid={HIDDEN_KEY}"
        return Request("POST", path, events, may_fail=True, only_taken=True)

    def _read_until(self, is_enough: EventsTest, answer: Answer) -> Asking[list[Event] | Outcome]:
        """Read events until `is_enough` accepts the list of events read so far, and return this list.

        The list may also have events that nobody waited for. If an error comes, if several answers in a row
        bring nothing, or if PATIENCE seconds pass, forget the connection and return the outcome UNKNOWN.
        """
        found: list[Event] = []
        ends, in_vain = time.monotonic() + PATIENCE, 0
        while not (answer.planned or is_enough(found)):
            if answer.status >= 400 or in_vain == _IN_VAIN or time.monotonic() > ends:
                self.forget_connection()
                return Outcome(OutcomeKind.UNKNOWN, "it did not confirm it")
            answer = yield Request("GET", f"{self._path}?{_QUERY}&sid={HIDDEN_KEY}", may_fail=True)
            heard = (decode_events(answer.body) or []) if answer.status < 400 else []
            found += heard
            names = {event.name for event in heard}
            in_vain = _IN_VAIN if CLOSED in names else in_vain + (names <= {PING})
            if PING in names and not is_enough(found):
                answer = yield self._events_request([_PONG])
        memory, now = self._target.memory, time.time()
        if now - _number_or_zero(memory.get(_CONNECTION_KEY, "").partition(" ")[2]) > ALIVE / 8:
            memory[_CONNECTION_KEY] = f"{self.id} {now:.3f}"
        return found


def _encode_packet(event: object) -> str:
    return _CODES[event] if isinstance(event, str) else "42" + json.dumps(event, ensure_ascii=True)


def decode_events(body: bytes) -> list[Event] | None:
    """Return the events in an answer's body; None if it is cut short or not of this protocol."""
    try:
        packets = body.decode().split(_BETWEEN)
        return [event for packet in packets if packet for event in _decode_packet(packet)]
    except (ValueError, RecursionError):
        return None


def _is_complete(request: Request, answer: Answer) -> bool:
    """Return whether an answer of the Socket.IO server has arrived whole and can be read.

    The answer to a POST must be `ok`. Any other answer must consist of Socket.IO events.
    """
    length = answer.headers.get("content-length", "")
    if length.isdigit() and "content-encoding" not in answer.headers and int(length) != len(answer.body):
        return False
    return answer.body == b"ok" if request.method == "POST" else bool(decode_events(answer.body) is not None)


def _decode_packet(packet: str) -> list[Event]:
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


def _number_or_zero(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
