"""Times of ours by the clock of somebody else, who may have another."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

UNSURE = timedelta(seconds=60)
"""How much later than it was something may seem to have been, by rounding and by slow answers."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def time_of(text: Any) -> datetime:
    """A time as JSON has it. What can't be read is long past."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return _LONG_AGO
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def not_before(at: Any, headers: Mapping[str, str]) -> datetime:
    """When whatever follows from what was played `at` can have happened at the earliest, by the clock of who
    gave an answer with these headers just now."""
    try:
        ahead = parsedate_to_datetime(headers["date"]) - datetime.now(UTC)
    except (KeyError, ValueError, TypeError):
        ahead = timedelta()
    return max(_LONG_AGO, time_of(at) + ahead - UNSURE)
