"""Moments as people read them: local, with the name of the zone. JSON has them as the journal does: UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def local(at: str) -> datetime | None:
    """The moment of a journal's entry, `2026-01-31T20:15:00Z`, by the clock here; None where it is none."""
    try:
        return datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def time_of_day(at: str) -> str:
    """`21:15 CET`."""
    moment = local(at)
    return f"{moment:%H:%M %Z}" if moment else at[11:16]


def day_and_time(at: str) -> str:
    """`2026-01-31 21:15 CET`."""
    moment = local(at)
    return f"{moment:%Y-%m-%d %H:%M %Z}" if moment else at[:16]
