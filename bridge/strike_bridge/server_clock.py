"""Conversion of our times to a server's clock, which may be off."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

UNSURE = timedelta(seconds=60)
"""The time by which an event may seem later than it was, through rounding and slow answers."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def time_of(text: object) -> datetime:
    """Return a time from JSON. A text that can't be read counts as long past."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return _LONG_AGO
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def date_of(header: str) -> datetime | None:
    """Return the date in an HTTP header; None where it holds no date."""
    from email.utils import parsedate_to_datetime

    try:
        found = parsedate_to_datetime(header)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except Exception:  # the parser may raise anything
        return None


def earliest_result_time(at: object, headers: Mapping[str, str]) -> datetime:
    """Return the earliest time, by a server's clock, that results of an action played `at` can have.

    `headers` are those of an answer that the server gave just now.
    """
    now, there = datetime.now(UTC), date_of(headers.get("date", ""))
    ahead = there - now if there else timedelta()
    try:
        return max(_LONG_AGO, time_of(at) + ahead - UNSURE)
    except OverflowError:
        return _LONG_AGO
