"""The passing of days, and deadlines.

When days pass, the calendar moves on, clocks advance, deadlines fall due, and people who rest recover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Args, Data, Happen, Procedure, World
from strike_cli.kernel.statements import clause_as_json
from strike_cli.problems import Refused, listed
from strike_cli.registry.fact_follower import Follower
from strike_cli.tabletop.people import GameMaster, character_state, slug, stored_conditions_of
from strike_cli.validation import is_id

from ..core.conditions import rest_person
from . import clocks
from .calendar import Calendar, calendar_of, remarks_between
from .clocks import advance_clocks_with
from .facts import DaysNoted, DaysPassed, DeadlineTold, DeadlineToldInSecret, RestCounted
from .state import calendar_in, deadlines_in

if TYPE_CHECKING:
    from .data import (
        ClockData,
        ClocksMoved,
        DaysData,
        DayShown,
        DeadlineData,
        DeadlineNamed,
        DeadlineWritten,
        RestedSince,
    )


MOST_AT_ONCE = 3660
"""The most days of one command."""


class Deadline(NamedTuple):
    """A deadline. `day` is the number of its day, and `then` what happens on that day."""

    id: str
    name: str
    day: int
    public: bool
    then: str = ""


class Advance(Args):
    """The arguments of `calendar advance`: the number of days, and the people who rest on them."""

    days: int
    resting: Sequence[str] = ()


class AddDeadline(Args):
    """The arguments of `calendar add`: a deadline's name, and its day (`on`) as people write it."""

    name: str
    on: str
    public: bool = False


class RemoveDeadline(Args):
    """The arguments of `calendar remove`: a deadline's id."""

    deadline: str


def must_have_calendar(world: World) -> Calendar:
    """Return the campaign's calendar. Raises Refused if it has none."""
    calendar = calendar_of(world.book)
    if calendar is None:
        raise Refused(
            "The campaign has no calendar.",
            'Write one into campaign.toml: [calendar], months = ["Frost", "Thaw"], today = "1 Frost 412".',
        )
    return calendar


def present_day(world: World, calendar: Calendar) -> int:
    """Return the number of the present day."""
    return calendar.today + calendar_in(world.state).get("passed", 0)


def deadlines_of(world: World, calendar: Calendar) -> Iterator[Deadline]:
    """Yield the deadlines of campaign.toml and those made at the table, the nearest first.

    Deadlines that were removed are left out.
    """
    made = deadlines_in(world.state)
    written: Mapping[str, DeadlineWritten] = world.book.deadlines
    found = []
    for id in dict.fromkeys((*written, *made)):
        at_table = made.get(id, {})
        one = cast("DeadlineWritten", {**at_table, **written.get(id, {})})
        if "on" not in one or at_table.get("gone"):
            continue
        try:
            day = calendar.read_day(one["on"], calendar.today)
        except ValueError:  # the calendar has changed since
            continue
        found.append(Deadline(id, one["name"], day, one.get("public", False), one.get("then", "")))
    yield from sorted(found, key=lambda one: one.day)


def play_advance(world: World, args: Advance) -> Procedure[DaysData]:
    """Play `calendar advance`: let days pass.

    Clocks advance, deadlines fall due, and people recover. Only people who rest recover. Raises Refused if
    the number of days is out of range, or if there is no calendar.
    """
    calendar = must_have_calendar(world)
    if not 1 <= args.days <= MOST_AT_ONCE:
        raise Refused(
            f"{args.days} days can't pass at once.", f"From 1 to {MOST_AT_ONCE}; `strike undo` goes back."
        )
    before = present_day(world, calendar)
    now = before + args.days
    about = tuple(calendar.remarks_on(now))
    shown = _day_shown(world, calendar, now)
    sets = {"calendar.passed": now - calendar.today, "calendar.shown": shown}
    yield world.tell(DaysPassed(args.days, calendar.date_in_words(now), about), sets)
    noted = [what for _, what in remarks_between(calendar, before, now - 1)]
    if noted:
        yield world.tell(DaysNoted(noted))
    ended = yield from _give_rest(world, calendar, args)
    moved: list[ClockData] = []
    for what, times in (
        ("day", args.days),
        (
            "week",
            (now - calendar.today) // calendar.days_a_week
            - (before - calendar.today) // calendar.days_a_week,
        ),
    ):
        moved += (yield from advance_clocks_with(world, what, times)).get("clocks", [])
    due = [one for one in deadlines_of(world, calendar) if before < one.day <= now]
    for one in due:
        date = "" if one.day == now else calendar.date_in_words(one.day)
        yield _deadline_fact(world, one, {}, "due", date=date, then=one.then)
    data: DaysData = {
        "days": args.days,
        "date": calendar.date_in_words(now),
        "about": calendar.remarks_on(now),
        "recovered": ended,
        "deadlines": [one.id for one in due],
    }
    if moved:
        data["clocks"] = moved
    return data


def _give_rest(world: World, calendar: Calendar, args: Advance) -> Procedure[dict[str, list[str]]]:
    """Give each resting person a day's rest for each day; return the Conditions that this ended.

    They are given by person. The last day of a week without a new Condition counts as a week's rest, and that
    of a year as a year's. For people who don't rest, the days are counted from 0 again.
    """
    ended: dict[str, list[str]] = {}
    resting = list(dict.fromkeys(args.resting))
    before = calendar_in(world.state).get("rested", {})
    rested: dict[str, RestedSince] = {person: before[person] for person in resting if person in before}
    for _ in range(args.days):
        for person in resting:
            held = list(stored_conditions_of(world, person).get("conditions", []))
            if not held and person not in rested and not character_state(world, person).get("charges"):
                continue
            last = rested.get(person, {"days": 0, "held": held})
            days = 1 if set(held) - set(last["held"]) else last["days"] + 1
            rested[person] = {"days": days, "held": held}
            length = (
                "year"
                if days % calendar.days_a_year == 0
                else "week"
                if days % calendar.days_a_week == 0
                else "day"
            )
            ended.setdefault(person, []).extend((yield from rest_person(world, person, length)).ended)
    if rested != before:
        yield world.tell(RestCounted(), {"calendar.rested": rested or None})
    return {person: found for person, found in ended.items() if found}


def play_add(world: World, args: AddDeadline) -> Procedure[DeadlineData]:
    """Play `calendar add`: set a deadline.

    Raises Refused if the day doesn't exist or isn't in the future. Raises Refused also if no id can be made
    from the name, or if the id is in use.
    """
    calendar = must_have_calendar(world)
    id, now = slug(args.name), present_day(world, calendar)
    try:
        day = calendar.read_day(args.on, now + 1)
    except ValueError as error:
        raise Refused(f"{error}.", "`strike calendar show` shows today and the months.") from None
    if day <= now:
        raise Refused(f"{calendar.date_in_words(day)} is over, or today.", "Name a day to come.")
    if not is_id(id) or any(one.id == id for one in deadlines_of(world, calendar)):
        raise Refused(
            f"There is a deadline {id!r} already." if is_id(id) else f"{args.name!r} is not a name.",
            "Choose another name.",
        )
    kept = {"name": args.name, "on": calendar.date_to_read_again(day), "public": args.public}
    one = Deadline(id, args.name, day, args.public)
    yield _deadline_fact(
        world, one, {f"deadlines.{id}": kept}, "added", date=calendar.date_in_words(day), left=day - now
    )
    return {"deadline": id, "on": calendar.date_in_words(day), "in": day - now}


def play_remove(world: World, args: RemoveDeadline) -> Procedure[DeadlineNamed]:
    """Play `calendar remove`: remove a deadline that is met or no longer matters.

    Raises Refused if there is no such deadline.
    """
    calendar = must_have_calendar(world)
    known = {one.id: one for one in deadlines_of(world, calendar)}
    if args.deadline not in known:
        raise Refused(f"There is no deadline {args.deadline!r}.", f"Known: {listed(known)}.")
    one = known[args.deadline]
    kept = {"gone": True} if one.id in world.book.deadlines else None
    yield _deadline_fact(world, one, {f"deadlines.{one.id}": kept}, "settled")
    return {"deadline": one.id, "name": one.name}


def _deadline_fact(
    world: World,
    deadline: Deadline,
    sets: Mapping[str, object],
    change: str,
    date: str = "",
    then: str = "",
    left: int = 0,
) -> Happen:
    told = DeadlineTold if deadline.public else DeadlineToldInSecret
    return world.tell(told(deadline.id, deadline.name, change, date=date, then=then, left=left), sets)


def _day_shown(world: World, calendar: Calendar, day: int) -> DayShown:
    """Return a day as players see it: its date, and remarks on the day."""
    speaker = GameMaster(world.book, [world.state])
    about = [clause_as_json(what, speaker) for what in calendar.remarks_on(day)]
    shown: DayShown = {"date": calendar.date_in_words(day)}
    if about:
        shown["about"] = about
    return shown


def lay_out_present_day(world: World) -> Procedure[None]:
    """Put the present day on the table, if the campaign has a calendar."""
    calendar = calendar_of(world.book)
    if calendar is None:
        return
    now = present_day(world, calendar)
    about = tuple(calendar.remarks_on(now))
    shown = _day_shown(world, calendar, now)
    if calendar_in(world.state).get("shown") != shown:
        yield world.tell(DaysNoted(date=calendar.date_in_words(now), about=about), {"calendar.shown": shown})


def lay_out_day_and_clocks(world: World) -> Procedure[ClocksMoved]:
    """Show players the present day and the public clocks, if the campaign has them."""
    yield from lay_out_present_day(world)
    return (yield from clocks.lay_out_public_clocks(world))


class PrepFollower(Follower):
    """The part of preparation that advances clocks with sessions, rests and scenes.

    When a session begins, it also shows players the present day and the public clocks.
    """

    def passed(self, world: World, what: str) -> Procedure[Data]:
        """Advance the clocks that advance with the event `what`."""
        return advance_clocks_with(world, what)

    def evening_began(self, world: World) -> Procedure[Data]:
        """Put the day and the public clocks on the table."""
        return lay_out_day_and_clocks(world)
