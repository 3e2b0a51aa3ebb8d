"""The calendar: which day is which, days that pass, deadlines, and rest that takes a week."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import case
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.file_faults import Faults, Place
from strike_cli.problems import Refused
from strike_cli.systems.prep.calendar import Calendar, CalendarWritten, Date, full_moons_and_holidays
from strike_cli.systems.prep.commands.doctor_checks import PrepChecks
from strike_cli.systems.prep.facts import DayNoted, MoonIs
from strike_cli.validation_schemas_from_types import form_of

WRITTEN: dict[str, Any] = {
    "months": ["Frost", {"name": "Thaw", "days": 20, "leap": {"every": 4}}, {"name": "Reed", "days": 3}],
    "weekdays": ["Mud", "Eel", "Oil"],
    "today": "28 Frost 411",
    "weekday": "Eel",
    "moons": [{"name": "The Wick", "cycle": 8, "full": "30 Frost 411"}],
    "holidays": [{"name": "First Thaw", "on": "1 Thaw"}],
}
TOML = """
[calendar]
months = ["Frost", "Thaw"]
weekdays = ["Mud", "Eel", "Oil", "Toll"]
today = "28 Frost 411"
[deadlines.toll]
name = "The toll"
on = "1 Thaw"
public = true
then = "Guards come."
[deadlines.plot]
name = "The plot"
on = "30 Frost 411"
[clocks.dark]
name = "Dark"
segments = 9
advances = ["week"]
[conditions.exile]
name = "Exile"
severity = "major"
recovery = { needs = ["year"], text = "a year abroad" }
[conditions.fever]
name = "Fever"
severity = "minor"
summary = "Hot"
recovery = { needs = ["week"], text = "a week in bed" }
"""


def made(**more: Any) -> Calendar:
    return Calendar(_checked(**more))


def _checked(**more: Any) -> dict[str, Any]:
    faults: Faults = []
    checked: dict[str, Any] = form_of(CalendarWritten).check({**WRITTEN, **more}, Place("calendar"), faults)
    assert faults == []
    return checked


@pytest.mark.slow
@given(number=st.integers(0, 400_000))
def test_every_day_is_one_date_and_the_other_way_round(number: int) -> None:
    calendar = made()
    assert calendar.read_day(calendar.date_in_words(number)) == number
    after = calendar.date_of(number + 1)
    day, month, year = calendar.date_of(number)
    assert after in {Date(day + 1, month, year), Date(1, month + 1, year), Date(1, 0, year + 1)}


def test_leap_days_weekdays_moons_and_what_is_kept() -> None:
    calendar = made()
    assert calendar.read_day("1 Reed 412") - calendar.read_day("1 Thaw 412") == 21
    assert calendar.read_day("1 Reed 413") - calendar.read_day("1 Thaw 413") == 20
    assert calendar.weekday(calendar.first_day) == "Eel"
    assert calendar.weekday_and_remarks_on(calendar.first_day + 2) == [
        DayNoted("Mud"),
        MoonIs("The Wick", "full"),
    ]
    assert calendar.weekday_and_remarks_on(calendar.first_day + 3) == [
        DayNoted("Eel"),
        DayNoted("First Thaw"),
    ]
    assert MoonIs("The Wick", "new") in calendar.weekday_and_remarks_on(calendar.first_day + 6)


def test_what_is_kept_on_a_leap_day_is_kept_in_leap_years() -> None:
    calendar = made(holidays=[{"name": "Odd Day", "on": "21 Thaw"}])
    assert calendar.holidays(calendar.read_day("21 Thaw 412")) == ["Odd Day"]
    assert calendar.holidays(calendar.read_day("20 Thaw 411")) == []
    assert calendar.holidays(calendar.read_day("1 Reed 411")) == []


def test_what_is_told_of_days_that_pass() -> None:
    """After the first, up to the last and with it."""
    calendar = made()
    moon, thaw = (
        (calendar.first_day + 2, MoonIs("The Wick", "full")),
        (calendar.first_day + 3, DayNoted("First Thaw")),
    )
    assert list(full_moons_and_holidays(calendar, calendar.first_day, calendar.first_day + 3)) == [moon, thaw]
    assert list(full_moons_and_holidays(calendar, calendar.first_day + 1, calendar.first_day + 2)) == [moon]
    assert list(full_moons_and_holidays(calendar, calendar.first_day + 2, calendar.first_day + 2)) == []


def test_a_day_without_a_year_is_the_next_of_its_name() -> None:
    calendar = made()
    assert calendar.date_in_words(calendar.read_day("3 thaw", calendar.first_day)) == "3 Thaw 411"
    assert calendar.date_in_words(calendar.read_day("3 Fro", calendar.first_day)) == "3 Frost 412"
    assert calendar.date_in_words(calendar.read_day("21 Thaw", calendar.first_day)) == "21 Thaw 412"


def test_what_is_wrong_with_a_calendar_is_said() -> None:
    for change, fault in (
        ({"today": "31 Frost 411"}, "calendar.today: Frost has 30 days in 411, not 31"),
        ({"today": "1 Mud 411"}, "there is no month 'Mud'"),
        ({"today": "Frost"}, "is not a day of the calendar"),
        ({"weekday": "Sun"}, "calendar.weekday: 'Sun' is not one of the weekdays"),
        ({"holidays": [{"name": "x", "on": "40 Reed"}]},
         "calendar.holidays[1].on: Reed has 3 days in 412, not 40"),
        ({"months": ["A", "a"]}, "calendar.months: two have the same name"),
        ({"moons": [{"name": "x", "cycle": 8}, {"name": "y", "cycle": 8, "full": "4 Reed 411"}]},
         "calendar.moons[2].full: Reed has 3 days in 411, not 4"),
    ):  # fmt: skip
        with case(change, fault):
            faults: Faults = []
            form_of(CalendarWritten).check({**WRITTEN, **change}, Place("calendar"), faults)
            assert any(fault in str(one) for one in faults), faults


def test_a_broken_calendar_or_deadline_is_left_out_and_told(folder: Path, in_campaign: Strike) -> None:
    with (folder / "campaign.toml").open("a") as file:
        file.write(TOML.replace('"28 Frost 411"', '"40 Frost 411"'))
    said = in_campaign("status").out
    assert "campaign.toml: calendar.today: Frost has 30 days in 411, not 40 (line " in said
    assert "deadlines.toll.on: the campaign has no calendar" in said
    in_campaign("calendar advance 1", 1)
    in_campaign("roll skill vex climbing --dice 4")


def test_a_deadline_is_on_a_day_of_the_calendar() -> None:
    for on, fault in (("1 Thaw", ""), ("1 Thaw 411", ""), ("21 Thaw 411", "not 21"), ("1 Mud", "no month")):
        with case(on, fault):
            tables: dict[str, Any] = {"calendar": {"calendar": _checked()}, "deadlines": {"toll": {"on": on}}}
            found = PrepChecks().content_faults("deadlines", "toll", tables)
            assert [one.place for one in found] == [Place("on")] * bool(fault)
            assert all(fault in one.what for one in found)


@pytest.fixture
def game() -> Game:
    return Game(book_with(TOML))


def test_days_pass_with_clocks_and_deadlines(game: Game) -> None:
    data = game.play("calendar advance", days=1)
    assert data == {
        "days": 1, "date": "29 Frost 411", "about": ["Mud"], "recovered": {}, "deadlines": [],
    }  # fmt: skip
    data = game.play("calendar advance", days=3)
    assert data["deadlines"] == ["plot", "toll"]
    assert [one["id"] for one in data["clocks"]] == ["dark"]
    assert game.texts() == [
        "3 days later: 2 Thaw 411, Toll.",
        "Dark: 1 of 9.",
        "The plot was due on 30 Frost 411.",
        "The toll on 1 Thaw 411: Guards come.",
    ]
    assert [fact.kind for fact in game.facts][-2:] == ["deadline-told-in-secret", "deadline-told"]
    for days in (0, 3661):
        with pytest.raises(Refused):
            game.play("calendar advance", days=days)


def rest(game: Game, days: int, *who: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = game.play("calendar advance", days=days, resting=list(who))["recovered"]
    return found


def test_what_was_kept_on_the_way_is_told(game: Game) -> None:
    """Not of the last day, which is told as it is; nor of a deadline that the calendar knows no day for."""
    game.book.calendar = {"calendar": _checked()}
    game.set("deadlines.old", {"name": "Old", "on": "31 Frost"})
    game.play("calendar advance", days=4)
    assert game.texts()[:2] == ["4 days later: 2 Thaw 411, Oil.", "On the way: The Wick is full, First Thaw."]
    game.play("calendar advance", days=1)
    assert not [text for text in game.texts() if "On the way" in text]


def test_an_evening_begins_with_the_day_that_it_is(game: Game) -> None:
    """Once: what is on the table already is not told again."""
    game.play("session start")
    assert "It is 28 Frost 411, Toll." in game.texts()
    for days in (0, 2):
        game.play("session end")
        if days:
            game.play("calendar advance", days=days)
        game.play("session start")
        assert not [text for text in game.texts() if text.startswith("It is ")]
    assert game.get("calendar.shown") == {
        "date": "30 Frost 411",
        "about": [{"clause": "day-noted", "what": "Eel"}],
    }


def test_what_is_kept_on_the_last_day_is_not_on_the_way(game: Game) -> None:
    game.book.calendar = {"calendar": _checked()}
    game.play("calendar advance", days=3)
    assert game.texts()[:2] == [
        "3 days later: 1 Thaw 411, Eel, First Thaw.", "On the way: The Wick is full.",
    ]  # fmt: skip


def test_a_deadline_is_the_game_masters_unless_it_is_public(game: Game) -> None:
    for public, kind in ((None, "deadline-told-in-secret"), (False, "deadline-told-in-secret"),
                         (True, "deadline-told")):  # fmt: skip
        more = {} if public is None else {"public": public}
        game.play("calendar add", name=f"Moot {public}", on="2 Frost", **more)
        assert [fact.kind for fact in game.facts] == [kind]


def test_a_year_of_rest_is_had_day_by_day(game: Game) -> None:
    """STR-CORE-29: what a year ends is over with its last day; a year is the calendar's."""
    game.play("condition add", who="vex", condition="exile")
    assert rest(game, 59, "vex") == {}
    assert rest(game, 1, "vex") == {"vex": ["exile"]}


def test_who_has_nothing_to_rest_from_keeps_nobody_from_resting(game: Game) -> None:
    game.play("condition add", who="vex", condition="fever")
    assert rest(game, 4, "brann", "vex") == {"vex": ["fever"]}


def test_what_advances_with_days_and_weeks(game: Game) -> None:
    """A segment for each day, and for each week of the calendar from the campaign's first day on."""
    for word in ("day", "week"):
        game.book.clocks[word] = {**game.book.clocks["dark"], "segments": 100, "advances": [word]}
    for days, filled in ((1, (1, 0)), (2, (3, 0)), (1, (4, 1)), (9, (13, 3))):
        game.play("calendar advance", days=days)
        told = [game.get(f"clocks.{word}.filled", 0) for word in ("day", "week")]
        assert tuple(told) == filled


def test_a_week_of_rest_may_be_had_in_parts(game: Game) -> None:
    """The week is over when its four days are; who has rested for nothing is not counted."""
    game.play("condition add", who="vex", condition="fever")
    assert rest(game, 3, "vex", "brann") == {}
    assert game.get("calendar.rested") == {"vex": {"days": 3, "held": ["fever"]}}
    assert rest(game, 1, "vex", "brann") == {"vex": ["fever"]}
    assert "Vex is Fever no longer (a week in bed)." in game.texts()


def test_who_does_something_else_or_falls_ill_anew_begins_anew(game: Game) -> None:
    game.play("condition add", who="vex", condition="fever")
    rest(game, 3, "vex")
    assert rest(game, 3) == {}
    assert game.get("calendar.rested") is None
    assert rest(game, 3, "vex") == {}
    game.play("condition add", who="vex", condition="core:injured")
    assert rest(game, 3, "vex") == {}
    assert rest(game, 1, "vex") == {"vex": ["fever"]}


def test_deadlines_of_the_table_come_and_go(game: Game) -> None:
    assert game.play("calendar add", name="The moot", on="2 Frost") == {
        "deadline": "the-moot", "on": "2 Frost 412", "in": 34,
    }  # fmt: skip
    assert game.play("calendar add", name="The fair", on="28 Frost")["on"] == "28 Frost 412"
    assert game.play("calendar add", name="The eve", on="29 Frost")["in"] == 1
    for wrong in (
        {"name": "The moot", "on": "3 Frost"},
        {"name": "Late", "on": "28 Frost 411"},
        {"name": "No", "on": "0 Frost"},
        {"name": "!", "on": "3 Frost"},
    ):
        with pytest.raises(Refused):
            game.play("calendar add", **wrong)
    game.play("calendar remove", deadline="the-moot")
    assert game.get("deadlines.the-moot") is None
    game.play("calendar remove", deadline="toll")
    assert game.play("calendar advance", days=4)["deadlines"] == ["the-eve", "plot"]
    with pytest.raises(Refused, match="no deadline 'toll'"):
        game.play("calendar remove", deadline="toll")


def test_without_a_calendar_no_day_passes() -> None:
    bare = Game(book_with(""))
    with pytest.raises(Refused, match="has no calendar"):
        bare.play("calendar advance", days=1)
    bare.play("session start")
    assert bare.get("calendar") is None


def test_days_are_typed_as_people_say_them(folder: Path, in_campaign: Strike) -> None:
    with (folder / "campaign.toml").open("a") as file:
        file.write(TOML)
    in_campaign("session start")
    assert in_campaign.json("status")["data"]["exhibits"][0]["name"] == "28 Frost 411"
    in_campaign('calendar add "The fair" 1')
    soon = [(one["what"], one["when"].partition(", ")[2]) for one in in_campaign.json("prep")["data"]["soon"]]
    assert soon == [("The fair", "in 1 day"), ("The plot", "in 2 days"), ("The toll", "in 3 days")]
    in_campaign("undo")
    assert in_campaign.json("calendar advance week")["data"]["date"] == "2 Thaw 411"
    assert in_campaign.json("calendar advance 5 thaw")["data"]["days"] == 3
    in_campaign("calendar advance 40 thaw", 2)
    in_campaign("condition add brann fever")
    assert "Brann still: Fever (a week in bed); has not rested" in in_campaign("calendar advance 1").out
    in_campaign('calendar add "The moot" 12 --public')
    shown = in_campaign("calendar show").out
    assert "18 Thaw 411  The moot  in 12 days" in shown
    assert "[6]" in shown
    assert in_campaign.json("calendar advance week --rest --but vex")["data"]["recovered"] == {
        "brann": ["fever"]
    }
    assert "The plot" not in in_campaign("log --player").out
    for _ in range(4):
        in_campaign("undo")
    assert in_campaign.json("calendar show")["data"]["today"] == "5 Thaw 411"
    in_campaign("replay --verify")
