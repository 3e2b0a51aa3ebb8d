"""The campaign's own calendar: months, weekdays, moons, and holidays.

A day has a number, counted from the first day of the first month of year 0. Play stores how many days have
passed since the campaign began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, NamedTuple, NotRequired, TypedDict

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.statements import Clause
from strike_cli.validation import NAME, Either, ListOf, Number
from strike_cli.validation_schemas_from_types import Default, form, form_of

from .facts import DayNoted, MoonIs

if TYPE_CHECKING:
    from strike_cli.kernel.procedure import Rulebook

MOST_DAYS = 1000
_DATE = re.compile(r"(\d{1,4})\.?\s+(.*?\S)(?:\s+(\d{1,5}))?\s*", re.ASCII)


class Month(NamedTuple):
    """A month of a calendar, and its number of days.

    If `leap_every` is 4, every fourth year is a leap year. In a leap year, the month has `leap_days` more
    days. If `leap_every` is 0, there are no leap years.
    """

    name: str
    days: int
    leap_every: int = 0
    leap_days: int = 0

    def days_in(self, year: int) -> int:
        """Return the length of the month in a year, in days."""
        return self.days + (self.leap_days if self.leap_every and year % self.leap_every == 0 else 0)

    def days_in_years_before(self, year: int) -> int:
        """Return the total number of days of this month in the years 0 to `year` - 1."""
        return self.days * year + (self.leap_days * -(-year // self.leap_every) if self.leap_every else 0)


class Date(NamedTuple):
    """A date: the day and the year as people write them, and the index of the month, counted from 0."""

    day: int
    month: int
    year: int


class Moon(NamedTuple):
    """A moon that is full every `cycle` days. `full_day` is the number of a day with a full moon."""

    name: str
    cycle: int
    full_day: int

    def full_or_new_phase(self, day: int) -> str:
        """Return "full" or "new" if the moon is full or new on a day, else ""."""
        into = (day - self.full_day) % self.cycle
        return "full" if into == 0 else "new" if into == self.cycle // 2 else ""


class Calendar:
    """The campaign's calendar. `first_day` is the number of the day on which the campaign begins."""

    def __init__(self, written: CalendarWritten) -> None:
        self.months = [_make_month(each) for each in written["months"]]
        self.weekdays: Sequence[str] = written["weekdays"]
        self.era = str(written["era"])
        self.first_day = self.read_day(written["today"])
        weekday = written.get("weekday")
        self._shift = (
            self.weekdays.index(weekday) - self.first_day if weekday and weekday in self.weekdays else 0
        )
        self._written = written

    @cached_property
    def moons(self) -> list[Moon]:
        """The moons. A moon without a given full day is full on the day on which the campaign begins."""
        return [
            Moon(
                each["name"], each["cycle"], self.read_day(each["full"]) if "full" in each else self.first_day
            )
            for each in self._written["moons"]
        ]

    @property
    def days_a_week(self) -> int:
        """The number of days in a week."""
        return len(self.weekdays) or 7

    @property
    def days_in_common_year(self) -> int:
        """The number of days in a year, without the extra days of leap years."""
        return sum(month.days for month in self.months)

    def read_day(self, text: str, on_or_after: int | None = None) -> int:
        """Return the number of the day in a text such as `12 Frost 412`.

        A text without a year means the first such day on or after the day `on_or_after`. Raises ValueError,
        with the reason, if the text isn't a day. Raises it too if the year is missing and `on_or_after` is
        None.
        """
        found = _DATE.fullmatch(text.strip())
        if not found:
            raise ValueError(f"{text!r} is not a day of the calendar, like 12 {self.months[0].name} 412")
        day, month = int(found[1]), self._month_index(found[2])
        if found[3] is None:
            if on_or_after is None:
                raise ValueError(f"{text!r} has no year")
            year = self.date_of(on_or_after).year
            date = Date(day, month, year)
            if self._date_exists(date) and self._number_of_date(date) >= on_or_after:
                return self._number_of_date(date)
            years = range(year + 1, year + 1 + max(1, self.months[month].leap_every))
            # A leap day exists only in some years.
            dates = (Date(day, month, each) for each in years)
            return self._number_of_date(next(filter(self._date_exists, dates), Date(day, month, year + 1)))
        return self._number_of_date(Date(day, month, int(found[3])))

    def _date_exists(self, date: Date) -> bool:
        return 1 <= date.day <= self.months[date.month].days_in(date.year)

    def _month_index(self, name: str) -> int:
        low = name.strip().lower()
        for fits in (str.__eq__, str.startswith):
            found = [n for n, month in enumerate(self.months) if fits(month.name.lower(), low)]
            if len(found) == 1:
                return found.pop()
        known = ", ".join(month.name for month in self.months)
        raise ValueError(f"there is no month {name!r}; known: {known}")

    def _number_of_date(self, date: Date) -> int:
        month = self.months[date.month]
        if not self._date_exists(date):
            raise ValueError(
                f"{month.name} has {month.days_in(date.year)} days in {date.year}, not {date.day}"
            )
        before = sum(each.days_in(date.year) for each in self.months[: date.month])
        return self._first_day_of_year(date.year) + before + date.day - 1

    def _first_day_of_year(self, year: int) -> int:
        return sum(month.days_in_years_before(year) for month in self.months)

    def date_of(self, day: int) -> Date:
        """Return the date of the day with this number."""
        year = day // sum(month.days + month.leap_days for month in self.months)
        while self._first_day_of_year(year + 1) <= day:
            year += 1
        left = day - self._first_day_of_year(year)
        for n, month in enumerate(self.months):
            if left < month.days_in(year):
                return Date(left + 1, n, year)
            left -= month.days_in(year)
        raise AssertionError("the months must add up to the year")

    def date_without_era(self, number: int) -> str:
        """Return a day's date in the form that `read_day` reads, without the era: `12 Frost 412`."""
        day, month, year = self.date_of(number)
        return f"{day} {self.months[month].name} {year}"

    def date_in_words(self, number: int) -> str:
        """Return a day's date in words, with the era if the calendar has one: `12 Frost 412`."""
        day, month, year = self.date_of(number)
        return f"{day} {self.months[month].name} {year}" + (f" {self.era}" if self.era else "")

    def weekday(self, day: int) -> str:
        """Return the name of a day's weekday, "" if the calendar has no weekdays."""
        return self.weekdays[(day + self._shift) % len(self.weekdays)] if self.weekdays else ""

    def weekday_and_remarks_on(self, day: int) -> list[Clause]:
        """Return remarks on a day: its weekday, full and new moons, and holidays."""
        weekday = [DayNoted(self.weekday(day))] if self.weekdays else []
        moons = [MoonIs(moon.name, phase) for moon in self.moons if (phase := moon.full_or_new_phase(day))]
        return [*weekday, *moons, *map(DayNoted, self.holidays(day))]

    def holidays(self, day: int) -> list[str]:
        """Return the names of the holidays on a day. A holiday without a year repeats every year."""
        return [each["name"] for each in self._written["holidays"] if self.read_day(each["on"], day) == day]


def _make_month(written: str | MonthWritten) -> Month:
    if isinstance(written, str):
        return Month(written, 30)
    leap = written.get("leap")
    return Month(written["name"], written["days"], *((leap["every"], leap["days"]) if leap else ()))


def _check_calendar(written: CalendarWritten, where: Place, faults: Faults) -> None:
    """Add faults for duplicate month names, an unknown weekday, and days that the calendar doesn't have."""
    names = [each if isinstance(each, str) else each["name"] for each in written["months"]]
    if len({name.lower() for name in names}) < len(names):
        faults.append(Fault(where / "months", "two have the same name"))
        return
    if "weekday" in written and written["weekday"] not in written["weekdays"]:
        faults.append(Fault(where / "weekday", f"{written['weekday']!r} is not one of the weekdays"))
    try:
        calendar = Calendar(written)
    except ValueError as error:
        faults.append(Fault(where / "today", str(error)))
        return
    moons = [(n, each["full"]) for n, each in enumerate(written["moons"], 1) if "full" in each]
    days: list[tuple[Place, str, int | None]] = [
        *((where / "moons" / n / "full", day, None) for n, day in moons),
        *(
            (where / "holidays" / n / "on", each["on"], calendar.first_day)
            for n, each in enumerate(written["holidays"], 1)
        ),
    ]
    for place, day, near in days:
        try:
            calendar.read_day(day, near)
        except ValueError as error:
            faults.append(Fault(place, str(error)))


class LeapWritten(TypedDict):
    """The extra days that a month has in each year that is a multiple of `every`."""

    every: Annotated[int, Number(1, 1000)]
    days: Annotated[int, Number(1, MOST_DAYS), Default(1)]


class MonthWritten(TypedDict):
    """A month of a calendar."""

    name: Annotated[str, NAME]
    days: Annotated[int, Number(1, MOST_DAYS), Default(30)]
    leap: NotRequired[LeapWritten]


class MoonWritten(TypedDict):
    """A moon: the days of its cycle, and a day on which it is full."""

    name: Annotated[str, NAME]
    cycle: Annotated[int, Number(2, 10_000)]
    full: NotRequired[Annotated[str, NAME]]


class HolidayWritten(TypedDict):
    """A holiday on a day of the calendar."""

    name: Annotated[str, NAME]
    on: Annotated[str, NAME]


@form(_check_calendar)
class CalendarWritten(TypedDict):
    """The calendar in campaign.toml."""

    months: Annotated[Sequence[str | MonthWritten], ListOf(Either(str, NAME, form_of(MonthWritten)), 1)]
    today: Annotated[str, NAME]  # the day on which the campaign begins, like "12 Frost 412"
    weekdays: Annotated[Sequence[Annotated[str, NAME]], Default([])]
    weekday: NotRequired[Annotated[str, NAME]]  # the weekday of `today`
    era: Annotated[str, Default("")]  # written after the year
    moons: Annotated[Sequence[MoonWritten], Default([])]
    holidays: Annotated[Sequence[HolidayWritten], Default([])]


def calendar_of(book: Rulebook | None) -> Calendar | None:
    """Return the campaign's calendar, None if it has none."""
    written = book.calendar.get("calendar") if book is not None else None
    return Calendar(written) if written else None


def full_moons_and_holidays(calendar: Calendar, after: int, until: int) -> Iterator[tuple[int, Clause]]:
    """Yield the full moons and holidays after the day `after`, up to the day `until`.

    Each comes with the number of its day.
    """
    for number in range(after + 1, until + 1):
        full = [
            MoonIs(moon.name, "full") for moon in calendar.moons if moon.full_or_new_phase(number) == "full"
        ]
        for what in (*full, *map(DayNoted, calendar.holidays(number))):
            yield number, what
