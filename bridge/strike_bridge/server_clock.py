"""Compares times on this machine with those on a server, whose clock may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

UNSURE = timedelta(seconds=60)
"""The time by which an event may seem later than it was, through rounding and slow answers."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def parse_time_or_year_2000(text: object) -> datetime:
    """Return the time in an ISO text; the year 2000 for a text that can't be read."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return _LONG_AGO
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def parse_http_date(header: str) -> datetime | None:
    """Return the date in an HTTP header; None if it contains none."""
    from email.utils import parsedate_to_datetime

    try:
        found = parsedate_to_datetime(header)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except Exception:  # the parser may raise anything
        return None


def earliest_server_time_of_result(at: object, headers: Mapping[str, str]) -> datetime:
    """Return the earliest time, by a server's clock, at which an action's results can be posted.

    `at` is the time of the action by our clock. `headers` are those of an answer that the server just gave;
    their Date says how far the server's clock is ahead of ours.
    """
    now, there = datetime.now(UTC), parse_http_date(headers.get("date", ""))
    ahead = there - now if there else timedelta()
    try:
        return max(_LONG_AGO, parse_time_or_year_2000(at) + ahead - UNSURE)
    except OverflowError:
        return _LONG_AGO
