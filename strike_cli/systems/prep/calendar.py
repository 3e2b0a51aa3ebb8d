"""A calendar of the campaign's own: months, weekdays, moons, and the names of days.

Days are counted from the first of the first month of year 0; play stores how many have passed since the
campaign began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, NamedTuple, NotRequired, TypedDict

from strike_cli.faults import Fault, Faults, Place
from strike_cli.kernel.statements import Clause
from strike_cli.type_forms import Default, form, form_of
from strike_cli.validation import NAME, Either, ListOf, Number

from .facts import DayNoted, MoonIs

if TYPE_CHECKING:
    from strike_cli.content.book import Book

MOST_DAYS = 1000
_DATE = re.compile(r"(\d{1,4})\.?\s+(.*?\S)(?:\s+(\d{1,5}))?\s*", re.ASCII)


class Month(NamedTuple):
    """A month: its number of days, and `more` days each `every` years."""

    name: str
    days: int
    every: int = 0
    more: int = 0

    def days_in(self, year: int) -> int:
        """Return the length of the month in a year, in days."""
        return self.days + (self.more if self.every and year % self.every == 0 else 0)

    def days_before(self, year: int) -> int:
        """Return the days of the month in all years from 0 up to a year, which is not included."""
        return self.days * year + (self.more * -(-year // self.every) if self.every else 0)


class Date(NamedTuple):
    """A date: day and year as people count them, the month counted from 0."""

    day: int
    month: int
    year: int


class Moon(NamedTuple):
    """A moon that is full every `cycle` days, among them on day `full`."""

    name: str
    cycle: int
    full: int

    def phase(self, day: int) -> str:
        """Return `full` or `new` if the moon is that on a day, else ""."""
        into = (day - self.full) % self.cycle
        return "full" if into == 0 else "new" if into == self.cycle // 2 else ""


class Calendar:
    """A calendar of the campaign. `today` is the number of the day on which the campaign begins."""

    def __init__(self, written: CalendarWritten) -> None:
        self.months = [_month(each) for each in written["months"]]
        self.weekdays: Sequence[str] = written["weekdays"]
        self.era = str(written["era"])
        self.today = self.number_of(written["today"])
        weekday = written.get("weekday")
        self._shift = self.weekdays.index(weekday) - self.today if weekday and weekday in self.weekdays else 0
        self._written = written

    @cached_property
    def moons(self) -> list[Moon]:
        """Its moons. A moon without a known full day was full on the first day."""
        return [
            Moon(each["name"], each["cycle"], self.number_of(each["full"]) if "full" in each else self.today)
            for each in self._written["moons"]
        ]

    @property
    def week(self) -> int:
        """The number of days in a week."""
        return len(self.weekdays) or 7

    @property
    def year(self) -> int:
        """The days of a year without leap days."""
        return sum(month.days for month in self.months)

    def number_of(self, text: str, after: int | None = None) -> int:
        """Return the number of a day such as `12 Frost 412`.

        Without a year it is the first such day from the day `after` on. Raises ValueError with the reason.
        """
        found = _DATE.fullmatch(text.strip())
        if not found:
            raise ValueError(f"{text!r} is not a day of the calendar, like 12 {self.months[0].name} 412")
        day, month = int(found[1]), self._month_of(found[2])
        if found[3] is None:
            if after is None:
                raise ValueError(f"{text!r} has no year")
            year = self.date_of(after).year
            date = Date(day, month, year)
            if self._exists(date) and self._count(date) >= after:
                return self._count(date)
            years = range(year + 1, year + 1 + max(1, self.months[month].every))
            # A leap day exists only in some years.
            return self._count(next((Date(day, month, y) for y in years if self._exists(Date(day, month, y))),
                                    Date(day, month, year + 1)))  # fmt: skip
        return self._count(Date(day, month, int(found[3])))

    def _exists(self, date: Date) -> bool:
        return 1 <= date.day <= self.months[date.month].days_in(date.year)

    def _month_of(self, name: str) -> int:
        low = name.strip().lower()
        for fits in (str.__eq__, str.startswith):
            found = [n for n, month in enumerate(self.months) if fits(month.name.lower(), low)]
            if len(found) == 1:
                return found.pop()
        known = ", ".join(month.name for month in self.months)
        raise ValueError(f"there is no month {name!r}; known: {known}")

    def _count(self, date: Date) -> int:
        month = self.months[date.month]
        if not self._exists(date):
            raise ValueError(
                f"{month.name} has {month.days_in(date.year)} days in {date.year}, not {date.day}"
            )
        before = sum(each.days_in(date.year) for each in self.months[: date.month])
        return self._start(date.year) + before + date.day - 1

    def _start(self, year: int) -> int:
        return sum(month.days_before(year) for month in self.months)

    def date_of(self, number: int) -> Date:
        """Return the date of a day by its number."""
        year = number // sum(month.days + month.more for month in self.months)
        while self._start(year + 1) <= number:
            year += 1
        left = number - self._start(year)
        for n, month in enumerate(self.months):
            if left < month.days_in(year):
                return Date(left + 1, n, year)
            left -= month.days_in(year)
        raise AssertionError("the months must add up to the year")

    def plain(self, number: int) -> str:
        """Return a day's date that can be read again, without the text that follows years."""
        day, month, year = self.date_of(number)
        return f"{day} {self.months[month].name} {year}"

    def say(self, number: int) -> str:
        """Return a day in words: `12 Frost 412`."""
        day, month, year = self.date_of(number)
        return f"{day} {self.months[month].name} {year}" + (f" {self.era}" if self.era else "")

    def weekday(self, number: int) -> str:
        """Return the day of the week; "" where the calendar has none."""
        return self.weekdays[(number + self._shift) % len(self.weekdays)] if self.weekdays else ""

    def about(self, number: int) -> list[Clause]:
        """Return remarks on a day: its weekday, full and new moons, holidays."""
        weekday = [DayNoted(self.weekday(number))] if self.weekdays else []
        moons = [MoonIs(moon.name, phase) for moon in self.moons if (phase := moon.phase(number))]
        return [*weekday, *moons, *map(DayNoted, self.holidays(number))]

    def holidays(self, number: int) -> list[str]:
        """Return the holidays on a day, both yearly ones and unique ones."""
        return [
            each["name"] for each in self._written["holidays"] if self.number_of(each["on"], number) == number
        ]


def _month(written: str | MonthWritten) -> Month:
    if isinstance(written, str):
        return Month(written, 30)
    leap = written.get("leap")
    return Month(written["name"], written["days"], *((leap["every"], leap["days"]) if leap else ()))


def _check_calendar(written: CalendarWritten, where: Place, faults: Faults) -> None:
    """Report duplicate names, and days that the calendar doesn't have."""
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
            (where / "holidays" / n / "on", each["on"], calendar.today)
            for n, each in enumerate(written["holidays"], 1)
        ),
    ]
    for place, day, near in days:
        try:
            calendar.number_of(day, near)
        except ValueError as error:
            faults.append(Fault(place, str(error)))


class LeapWritten(TypedDict):
    """The extra days of a month, each `every` years."""

    every: Annotated[int, Number(1, 1000)]
    days: Annotated[int, Number(1, MOST_DAYS), Default(1)]


class MonthWritten(TypedDict):
    """A month of a calendar."""

    name: Annotated[str, NAME]
    days: Annotated[int, Number(1, MOST_DAYS), Default(30)]
    leap: NotRequired[LeapWritten]


class MoonWritten(TypedDict):
    """A moon, and one of its full days."""

    name: Annotated[str, NAME]
    cycle: Annotated[int, Number(2, 10_000)]
    full: NotRequired[Annotated[str, NAME]]


class HolidayWritten(TypedDict):
    """A holiday on a day of the calendar."""

    name: Annotated[str, NAME]
    on: Annotated[str, NAME]


@form(_check_calendar)
class CalendarWritten(TypedDict):
    """A calendar as campaign.toml has it."""

    months: Annotated[Sequence[str | MonthWritten], ListOf(Either(str, NAME, form_of(MonthWritten)), 1)]
    today: Annotated[str, NAME]  # the day on which the campaign begins, like "12 Frost 412"
    weekdays: Annotated[Sequence[Annotated[str, NAME]], Default([])]
    weekday: NotRequired[Annotated[str, NAME]]  # the weekday of `today`
    era: Annotated[str, Default("")]  # written after the year
    moons: Annotated[Sequence[MoonWritten], Default([])]
    holidays: Annotated[Sequence[HolidayWritten], Default([])]


def calendar_of(book: Book | None) -> Calendar | None:
    """Return the campaign's calendar, if it has one."""
    written = book.calendar.get("calendar") if book is not None else None
    return Calendar(written) if written else None


def remarks_between(calendar: Calendar, first: int, last: int) -> Iterator[tuple[int, Clause]]:
    """Yield remarks on the days after the first up to the last: full moons and holidays."""
    for number in range(first + 1, last + 1):
        full = [MoonIs(moon.name, "full") for moon in calendar.moons if moon.phase(number) == "full"]
        for what in (*full, *map(DayNoted, calendar.holidays(number))):
            yield number, what
