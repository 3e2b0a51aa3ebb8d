"""Outcomes of a request: applied, not sent, rejected or unknown; and the wait before the next attempt."""

from __future__ import annotations

import enum
import json
import random
import re
from collections.abc import Mapping
from typing import NamedTuple

from .server_clock import parse_http_date


class OutcomeKind(enum.Enum):
    """The effect of a request.

    APPLIED: it took effect. NOT_SENT: it certainly had no effect. REJECTED: the target refused it, and
    repeating it won't help. UNKNOWN: it may have taken effect.
    """

    APPLIED = "applied"
    NOT_SENT = "not sent"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


class Outcome(NamedTuple):
    """The effect of a request, and the reason (`why`).

    Attributes:
        kind: The effect.
        why: The reason, in words.
        retry_after: The seconds to wait before the next request, as the target asked; None if it didn't
            ask.
        all: Whether every request is rejected until somebody fixes the cause.
        unreachable: Whether nobody answered.
        off: Whether the target wants no more requests, ever.
        status: The answer's HTTP status; 0 without an answer.
        gone: Whether the thing that the request was about no longer exists.
        final: Whether the request must not be sent again in any form until people say so.
        untrusted: Whether this machine doesn't trust the target's certificate.
        page: Whether a web page came in place of the API's answer.
        empty: Whether the target has lost all our tokens.
        unsure: Whether people must say which results the target was sent.
    """

    kind: OutcomeKind
    why: str = ""
    retry_after: float | None = None
    all: bool = False
    unreachable: bool = False
    off: bool = False
    status: int = 0
    gone: bool = False
    final: bool = False
    untrusted: bool = False
    page: bool = False
    empty: bool = False
    unsure: bool = False


LOST_ALL = "it no longer has any of our tokens: it lost them, or shows another scene"
APPLIED = Outcome(OutcomeKind.APPLIED)

# Answers that concern the whole target, not this request: a wrong key, a wrong address.
_ABOUT_ALL = {
    401: "it does not accept the key",
    403: "the key may not do this",
    404: "there is nothing at this address",
    405: "there is nothing like this at this address",
    407: "a proxy needs a password",
}
_WANTS_TLS = (
    b"plain http request was sent to https port",
    b"client sent an http request to an https server",
    b"speaking plain http to an ssl-enabled server port",
)
"""Words with which nginx, Go and Apache answer plain HTTP on a TLS port."""
SPEAKS_HTTPS = "this address speaks https: write `https://` in `url`"
_SPEAKS_HTTP = "this address speaks http, without TLS: write `http://` in `url`"
_LONGEST_WAIT = 3_600.0
"""Seconds: a target that asks for a longer wait is asked again after this."""
_LONGEST_PLACE = 200
"""Characters of a redirect's address that are shown."""


def outcome_of_answer(
    status: int, headers: Mapping[str, str], body: bytes, now: float, *, gone_will_do: bool = False
) -> Outcome:
    """Return the outcome of a request, by the HTTP status of the answer.

    This fits targets that use HTTP's status codes as intended. `now` is the Unix time. If `gone_will_do` is
    true, 404 and 410 count as success, too. For a removal this is right, since the thing is already gone.
    """
    if 200 <= status < 300 or (gone_will_do and status in (404, 410)):
        return APPLIED
    said = _refusal_text(headers, body)
    why = f"it answered {status}{f' ({said})' if said else ''}"
    if 300 <= status < 400:
        where = _redirect_target_without_query(headers.get("location", ""))
        why = f"it answered {status}{where and f' and leads to {where}'}, and redirects are not followed"
        return Outcome(OutcomeKind.REJECTED, why, all=True, status=status)
    if status == 400 and any(words in body[:4096].lower() for words in _WANTS_TLS):
        return Outcome(OutcomeKind.REJECTED, SPEAKS_HTTPS, all=True, status=status)
    if status in _ABOUT_ALL:
        return Outcome(OutcomeKind.REJECTED, f"{_ABOUT_ALL[status]}: {why}", all=True, status=status)
    wait = retry_after(headers, body, now)
    if status in (425, 429):
        return Outcome(OutcomeKind.NOT_SENT, why, wait, status=status)
    if status == 408 or status >= 500 or status < 200:
        return Outcome(OutcomeKind.UNKNOWN, why, wait, status=status)
    return Outcome(OutcomeKind.REJECTED, why, status=status)


_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)


def outcome_of_html_page(status: int, body: bytes) -> Outcome | None:
    """Return the outcome NOT_SENT for an answer that reports success but is a whole HTML page.

    Such a page comes from a login or a proxy, not from the API. The result is None for any other answer.
    """
    if not 200 <= status < 300 or _PAGE.match(body[:4096]) is None:
        return None
    why = "it answered with a page for people, such as a login page or a proxy's"
    return Outcome(OutcomeKind.NOT_SENT, why, status=status, page=True)


def outcome_of_error(error: Exception, *, may_have_sent: bool = True, proxy: str = "") -> Outcome:
    """Return the outcome of a request that raised an error.

    The error comes from httpcore, or was raised because the request can't be sent. `may_have_sent` says
    whether some bytes may have been sent. `proxy` names the proxy that was used, in words; "" for none.
    """
    import httpcore

    text = str(error).lower()
    through = f" through {proxy}" if proxy else ""
    if isinstance(error, httpcore.ConnectTimeout):
        return Outcome(OutcomeKind.NOT_SENT, f"nobody answered there{through}", unreachable=True)
    if isinstance(error, httpcore.ProxyError) and "407" in text:
        return Outcome(OutcomeKind.REJECTED, f"{proxy or 'a proxy'} needs a password", all=True, status=407)
    if isinstance(error, httpcore.ConnectError) and any(sign in text for sign in _NO_TLS):
        return Outcome(OutcomeKind.NOT_SENT, f"{_SPEAKS_HTTP}{through}", all=True)
    if isinstance(error, httpcore.ConnectError | httpcore.ProxyError | httpcore.PoolTimeout):
        untrusted = "certificate" in text
        why = f"it could not be reached{through} ({_error_reason(error)})"
        return Outcome(OutcomeKind.NOT_SENT, why, unreachable=True, untrusted=untrusted)
    if isinstance(error, httpcore.TimeoutException):
        return Outcome(OutcomeKind.UNKNOWN, f"it did not answer in time{through}")
    if isinstance(error, httpcore.RemoteProtocolError) and _TLS_ALERT in text:
        return Outcome(OutcomeKind.NOT_SENT, SPEAKS_HTTPS, all=True)
    if may_have_sent or isinstance(error, httpcore.NetworkError | httpcore.RemoteProtocolError):
        return Outcome(OutcomeKind.UNKNOWN, f"the connection was lost{through} ({_error_reason(error)})")
    return Outcome(OutcomeKind.NOT_SENT, f"the request could not be made ({_error_reason(error)})", all=True)


_NO_TLS = ("wrong_version_number", "wrong version number", "record layer failure", "packet length too long")
"""OpenSSL's words for an answer that is not TLS."""
_TLS_ALERT = r"illegal status line: bytearray(b'\x15\x03"
"""httpcore's words for a TLS alert in place of an answer's first line."""


def _error_reason(error: Exception) -> str:
    text = str(error).lower()
    untrusted = re.search(r"certificate verify failed: ([^(]{1,120})", text)
    if untrusted:
        return f"its certificate can't be trusted: {untrusted[1].strip(' .')}"
    for sign, words in (
        ("refused", "connection refused"),
        ("name or service", "no such host"),
        ("nodename", "no such host"),
        ("certificate", "its certificate can't be trusted"),
    ):
        if sign in text:
            return words
    return type(error).__name__


def _redirect_target_without_query(location: str) -> str:
    """Return the address that a redirect leads to, without its query, which may contain a key.

    The result is "" if the address contains `@`, or anything but printable ASCII. A very long address is cut
    off.
    """
    bare = re.split(r"[?#]", location)[0]
    if not bare or "@" in bare or not (bare.isascii() and bare.isprintable()):
        return ""
    return bare[:_LONGEST_PLACE]


def end_with_full_stop(why: str) -> str:
    """Return a sentence that ends with a full stop, or with the sentence mark that it already has."""
    return why if why.endswith((".", "?", "!")) else f"{why}."


def _refusal_text(headers: Mapping[str, str], body: bytes) -> str:
    """Return the reason that a JSON answer gives for a refusal, on one line.

    It is "" if it gives none or isn't JSON.
    """
    if "json" not in headers.get("content-type", ""):
        return ""
    data = _parse_json(body)
    inner = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(inner, str) and isinstance(data, dict) and isinstance(data.get("message"), str):
        inner = f"{inner}: {data['message']}"
    for text in (inner.get("message"), inner.get("code")) if isinstance(inner, dict) else (inner,):
        if isinstance(text, str) and text:
            return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:200]
    return ""


def retry_after(headers: Mapping[str, str], body: bytes, now: float) -> float | None:
    """Return the seconds that an answer asks to wait, at most an hour; None if it asks for none.

    They come from the header Retry-After, in seconds or as a date, or from a number `retry_after` in a JSON
    body.
    """
    header = headers.get("retry-after", "").strip()
    if header:
        seconds = _parse_float(header)
        if seconds is None:
            date = parse_http_date(header)
            seconds = None if date is None else date.timestamp() - now
        if seconds is not None:
            return _clamp_seconds(seconds)
    data = _parse_json(body)
    value = data.get("retry_after") if isinstance(data, dict) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _clamp_seconds(value)
    return None


def _parse_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _clamp_seconds(seconds: float) -> float | None:
    return None if seconds != seconds else float(min(max(seconds, 0.0), _LONGEST_WAIT))


def _parse_json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


# Not stamina or tenacity: both wait inside one call, and here the wait must outlive the process: the time
# of the next attempt is stored with the cursor, and the next worker goes on from there.

FIRST_WAIT = 0.25
"""Seconds of the first wait; doubled with each attempt."""
LONGEST_BACKOFF = 60.0
LONGEST_WHILE_UNREACHABLE = 5.0
"""The longest wait in seconds while a target is unreachable: knocking is cheap, and the table may be up any
moment."""


def retry_delay(attempt: int, rng: random.Random, longest: float | None = None) -> float:
    """Return the seconds to wait after failure number `attempt`, counted from 1.

    They are chosen at random below a limit that doubles with each failure. So senders that failed at the same
    time don't all try again at the same time. `longest` is the highest limit in seconds.
    """
    return rng.uniform(0, min(longest or LONGEST_BACKOFF, FIRST_WAIT * 2 ** min(attempt, 30)))
