"""What was said there since something was played here, whatever its clock says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from support.cases import case

from strike_bridge.server_clock import earliest_server_time_of_result, parse_time_or_year_2000


def test_a_time_of_ours_is_told_by_the_clock_there() -> None:
    for ahead in [timedelta(), timedelta(hours=3), timedelta(minutes=-40)]:
        with case(ahead):
            played = datetime.now(UTC) - timedelta(minutes=5)
            headers = {"date": format_datetime(datetime.now(UTC) + ahead, usegmt=True)}
            oldest = earliest_server_time_of_result(played.isoformat(), headers)
            assert oldest <= played + ahead + timedelta(seconds=1)
            assert oldest > played + ahead - timedelta(minutes=2)


def test_what_cannot_be_read_is_long_past() -> None:
    for text in (None, "", "tonight", 7):
        assert parse_time_or_year_2000(text) < datetime(2001, 1, 1, tzinfo=UTC)
        assert earliest_server_time_of_result(text, {"date": "nonsense"}) < datetime(2001, 1, 1, tzinfo=UTC)
    assert parse_time_or_year_2000("2026-01-01T20:00:00") == parse_time_or_year_2000("2026-01-01T20:00:00Z")
