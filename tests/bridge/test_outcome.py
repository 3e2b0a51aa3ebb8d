"""What an answer means, and how long to wait."""

from __future__ import annotations

import random
from email.utils import formatdate

import httpcore
import pytest
from support.cases import case

from strike_bridge import request_outcome
from strike_bridge.request_outcome import (
    OutcomeKind,
    outcome_of_answer,
    outcome_of_error,
    retry_after,
    retry_delay,
)

NOW = 1_750_000_000.0


def answered(
    status: int, headers: dict[str, str] | None = None, body: bytes = b""
) -> request_outcome.Outcome:
    return outcome_of_answer(status, headers or {}, body, NOW)


def test_answers() -> None:
    for status, kind in (
        *((status, OutcomeKind.APPLIED) for status in (200, 201, 204)),
        *((status, OutcomeKind.NOT_SENT) for status in (425, 429)),
        *((status, OutcomeKind.REJECTED) for status in (400, 409, 410, 413, 422)),
        *((status, OutcomeKind.UNKNOWN) for status in (408, 500, 502, 503, 504)),
    ):
        with case(status, kind):
            found = answered(status)
            assert (found.kind, found.all) == (kind, False)


def test_answers_about_the_whole_target() -> None:
    for status in (301, 302, 307, 308, 401, 403, 404, 405, 407):
        with case(status):
            found = answered(status)
            assert (found.kind, found.all) == (OutcomeKind.REJECTED, True)


def test_a_reason_ends_with_one_sign() -> None:
    asks = "no such option. Did you mean 'scene'?"
    assert request_outcome.end_with_full_stop(asks) == asks
    assert request_outcome.end_with_full_stop("it answered 500") == "it answered 500."


def test_what_is_to_go_and_is_gone_is_done() -> None:
    assert outcome_of_answer(404, {}, b"", NOW, gone_will_do=True).kind is OutcomeKind.APPLIED
    assert outcome_of_answer(410, {}, b"", NOW, gone_will_do=True).kind is OutcomeKind.APPLIED


def test_no_answer() -> None:
    for error, kind, unreachable in (
        (httpcore.ConnectError("[Errno 111] Connection refused"), OutcomeKind.NOT_SENT, True),
        (httpcore.ConnectTimeout(""), OutcomeKind.NOT_SENT, True),
        (httpcore.PoolTimeout(""), OutcomeKind.NOT_SENT, True),
        (httpcore.ReadTimeout(""), OutcomeKind.UNKNOWN, False),
        (httpcore.WriteTimeout(""), OutcomeKind.UNKNOWN, False),
        (httpcore.ReadError(""), OutcomeKind.UNKNOWN, False),
        (httpcore.RemoteProtocolError("Server disconnected"), OutcomeKind.UNKNOWN, False),
        (httpcore.UnsupportedProtocol(""), OutcomeKind.UNKNOWN, False),
    ):
        with case(error, kind, unreachable):
            found = outcome_of_error(error)
            assert (found.kind, found.unreachable) == (kind, unreachable)


def test_how_long_the_target_asks_to_wait() -> None:
    for header, body, seconds in (
        ("5", b"", 5.0),
        ("0.5", b"", 0.5),
        ("-3", b"", 0.0),
        (formatdate(NOW + 90, usegmt=True), b"", 90.0),
        (formatdate(NOW - 90, usegmt=True), b"", 0.0),
        ("", b'{"retry_after": 1.25}', 1.25),
        ("soon", b'{"retry_after": 2}', 2.0),
        ("7", b'{"retry_after": 2}', 7.0),
        ("nan", b"", None),
        ("inf", b"", 3_600.0),
        ("", b'{"retry_after": true}', None),
        ("", b'{"retry_after": "2"}', None),
        ("", b"<html>", None),
        ("1e300", b"", 3_600.0),
        ("1e999", b"", 3_600.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", b"", 3_600.0),
        ("", b'{"retry_after": 1' + b"0" * 400 + b"}", 3_600.0),
        ("", b'{"retry_after": 1e999}', 3_600.0),
    ):
        with case(header, body, seconds):
            assert retry_after({"retry-after": header} if header else {}, body, NOW) == seconds
            assert answered(429, {"retry-after": header} if header else {}, body).retry_after == seconds


def test_a_refusal_is_quoted_only_where_it_is_words() -> None:
    json_type = {"content-type": "application/json"}
    said = answered(422, json_type, b'{"error": {"code": "bad", "message": "no\\u0007 such\\n side"}}')
    assert said.why == "it answered 422 (no such side)"
    assert answered(400, json_type, b'{"message": "no"}').why == "it answered 400 (no)"
    assert answered(500, {"content-type": "text/html"}, b"<html>oh</html>").why == "it answered 500"
    assert answered(400, json_type, b"[" * 100_000).why == "it answered 400"
    assert len(answered(400, json_type, b'{"message": "' + b"x" * 9000 + b'"}').why) < 300


def test_backoff_grows_to_a_limit_with_full_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_outcome, "FIRST_WAIT", 0.25)
    rng = random.Random(3)
    for attempt, most in [(1, 0.5), (2, 1.0), (5, 8.0), (12, 60.0), (10**6, 60.0)]:
        waits = [retry_delay(attempt, rng, 60.0) for _ in range(200)]
        assert all(0 <= wait <= most for wait in waits)
        assert min(waits) < most * 0.1
        assert max(waits) > most * 0.9
