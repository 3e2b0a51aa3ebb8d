"""How large what is prepared may be: both sides of every limit, in campaign.toml and in state.toml."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from strike_cli.file_faults import Faults, Place
from strike_cli.systems.prep import data as types
from strike_cli.systems.prep.calendar import CalendarWritten
from strike_cli.systems.prep.random_tables import DRAWN, TableWritten
from strike_cli.validation_schemas_from_types import form_of

CALENDAR, CLOCK, CLOCKS, PASSED, HANDOUT, SHOWN, TABLE = map(form_of, (
    CalendarWritten, types.ClockWritten, types.Clocks, types.CalendarKept, types.HandoutWritten,
    types.Handouts, TableWritten,
))  # fmt: skip
YEAR: dict[str, Any] = {"months": ["Frost"], "today": "1 Frost 1"}
THAW: dict[str, Any] = {"name": "Thaw", "days": 30}
NOBODY = {"name": "N"}
LIMITS: dict[str, tuple[Any, Callable[[Any], Any], int, int | None]] = {
    "days of a month": (
        CALENDAR, lambda n: {**YEAR, "months": ["Frost", {**THAW, "days": n}]}, 1, 1000,
    ),
    "years between leaps": (
        CALENDAR, lambda n: {**YEAR, "months": [{"name": "Frost", "leap": {"every": n}}]}, 1, 1000,
    ),
    "leap days": (
        CALENDAR, lambda n: {**YEAR, "months": [{"name": "Frost", "leap": {"every": 4, "days": n}}]}, 1, 1000,
    ),
    "days of a moon": (CALENDAR, lambda n: {**YEAR, "moons": [{"name": "Wick", "cycle": n}]}, 2, 10_000),
    "segments": (CLOCK, lambda n: {**NOBODY, "segments": n}, 1, 100),
    "segments that are filled": (CLOCK, lambda n: {**NOBODY, "filled": n}, 0, 100),
    "segments in the state": (CLOCKS, lambda n: {"a": {"filled": 0, "segments": n}}, 1, 100),
    "filled in the state": (CLOCKS, lambda n: {"a": {"filled": n}}, 0, 100),
    "days that have passed": (PASSED, lambda n: {"passed": n}, 0, None),
    "days of rest": (PASSED, lambda n: {"rested": {"vex": {"days": n, "held": []}}}, 1, None),
    "characters of a handout": (HANDOUT, lambda n: {**NOBODY, "text": n * "a"}, 0, 20_000),
    "characters that lie on the table": (SHOWN, lambda n: {"a": {**NOBODY, "text": n * "a"}}, 0, 20_000),
    "weight of an entry": (TABLE, lambda n: {**NOBODY, "entries": [{"text": "a", "weight": n}]}, 1, 1000),
    "characters of an entry": (TABLE, lambda n: {**NOBODY, "entries": [n * "a"]}, 0, 2000),
    "entries that were drawn": (DRAWN, lambda n: {"a": [n]}, 0, None),
}  # fmt: skip


@pytest.mark.parametrize(("form", "made", "least", "most"), LIMITS.values(), ids=LIMITS)
def test_what_is_just_large_enough_and_what_is_not(
    form: Any, made: Callable[[Any], Any], least: int, most: int | None
) -> None:
    def faults_at(size: int) -> Faults:
        faults: Faults = []
        form.check(made(size), Place("here"), faults)
        return faults

    assert faults_at(least) == []
    if made(least - 1) != made(least):  # there is no shorter text than none
        assert faults_at(least - 1)
    if most is not None:
        assert faults_at(most) == []
        assert faults_at(most + 1)


def test_what_is_not_written_is_as_usual() -> None:
    faults: Faults = []
    clock = CLOCK.check(NOBODY, Place("here"), faults)
    assert clock == {"name": "N", "summary": "", "segments": 6, "filled": 0, "public": False, "advances": []}
    leap: dict[str, Any] = {"name": "Thaw", "leap": {"every": 4}}
    (month,) = CALENDAR.check({"months": [leap], "today": "1 Thaw 1"}, Place("here"), faults)["months"]
    assert month == {**THAW, "leap": {"every": 4, "days": 1}}
    (entry,) = TABLE.check({**NOBODY, "entries": [{"text": "a"}]}, Place("here"), faults)["entries"]
    assert entry == {"text": "a", "weight": 1}
    assert faults == []


@pytest.mark.parametrize(
    ("more", "faults"),
    [({"text": "a"}, 0), ({"picture": "a.png"}, 0), ({"text": "a", "picture": "a.png"}, 0), ({}, 1)],
)
def test_on_a_handout_there_is_a_text_or_a_picture(more: dict[str, str], faults: int) -> None:
    found: list[str] = []
    HANDOUT.check({**NOBODY, **more}, Place("here"), found)
    assert len(found) == faults


@pytest.mark.parametrize("picture", ["map.txt", "https://example.org/map.png", "../map.png", "/map.png", ""])
def test_the_picture_of_a_handout_is_a_file_of_the_campaign(picture: str) -> None:
    found: list[str] = []
    HANDOUT.check({**NOBODY, "picture": picture}, Place("here"), found)
    assert found
