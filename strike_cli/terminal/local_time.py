"""Times of the journal, which are in UTC, as local times for people."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone


def local_time(utc_time: str) -> datetime | None:
    """Return a time from the journal, such as `2026-01-31T20:15:00Z`, as local time.

    Return None for an invalid time, or a time without a time zone.
    """
    try:
        moment = datetime.fromisoformat(utc_time)
        return moment.astimezone() if moment.tzinfo else None
    except (ValueError, OverflowError, OSError):
        return None


def local_time_of_day(utc_time: str) -> str:
    """Return a journal's time as local hours and minutes: `21:15`."""
    moment = local_time(utc_time)
    return f"{moment:%H:%M}" if moment else utc_time[11:16]


def local_day_time_and_zone(utc_time: str) -> str:
    """Return a journal's time as the local day, time and zone: `2026-01-31 21:15 CET`."""
    moment = local_time(utc_time)
    return f"{moment:%Y-%m-%d %H:%M} {time_zone_name(moment)}" if moment else utc_time[:16]


def time_zone_name(moment: datetime) -> str:
    """Return the name of a time's zone, such as `CET`.

    If the name is a phrase, as on Windows, return the zone's offset from UTC.
    """
    name = moment.tzname() or ""
    return str(timezone(moment.utcoffset() or timedelta())) if " " in name else name
