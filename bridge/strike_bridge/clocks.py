"""Times of ours by the clock of somebody else, who may have another."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

UNSURE = timedelta(seconds=60)
"""How much later than it was something may seem to have been, by rounding and by slow answers."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def time_of(text: object) -> datetime:
    """Return a time of JSON. One that can't be read is long past."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return _LONG_AGO
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def date_of(header: str) -> datetime | None:
    """Return a date of an HTTP header; None where it holds none."""
    from email.utils import parsedate_to_datetime

    try:
        found = parsedate_to_datetime(header)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except Exception:  # it fails over nonsense in ways of many kinds
        return None


def earliest_result_time(at: object, headers: Mapping[str, str]) -> datetime:
    """Return the earliest time that results of what was played `at` can have, by a server's clock.

    `headers` are those of an answer that the server gave just now.
    """
    now, there = datetime.now(UTC), date_of(headers.get("date", ""))
    ahead = there - now if there else timedelta()
    try:
        return max(_LONG_AGO, time_of(at) + ahead - UNSURE)
    except OverflowError:
        return _LONG_AGO
