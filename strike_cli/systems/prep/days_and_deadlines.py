"""The passing of days, and deadlines.

When days pass, the calendar moves on, clocks advance, deadlines fall due, and people who rest recover.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Args, Data, Happen, Procedure, World
from strike_cli.kernel.statements import clause_as_json
from strike_cli.problems import Refused, listed
from strike_cli.registry.fact_follower import EventResponses
from strike_cli.tabletop.characters_and_names import (
    GameMasterSpeaker,
    character_changes_of,
    slug,
    stored_changes_of,
)
from strike_cli.validation import can_be_id

from ..core.conditions import rest_person
from . import clocks
from .calendar import Calendar, calendar_of, full_moons_and_holidays
from .clocks import advance_clocks_by_event
from .facts import DaysNoted, DaysPassed, DeadlineTold, DeadlineToldInSecret, RestCounted
from .state import calendar_in, deadline_changes_in

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


class AdvanceCalendar(Args):
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


def require_calendar(world: World) -> Calendar:
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
    return calendar.first_day + calendar_in(world.state).get("passed", 0)


def deadlines_of(world: World, calendar: Calendar) -> Iterator[Deadline]:
    """Yield the deadlines of campaign.toml and those made at the table, the earliest first.

    Deadlines that were removed are left out. So are deadlines whose date the calendar can't read.
    """
    made = deadline_changes_in(world.state)
    written: Mapping[str, DeadlineWritten] = world.book.deadlines
    found = []
    for id in dict.fromkeys((*written, *made)):
        at_table = made.get(id, {})
        one = cast("DeadlineWritten", {**at_table, **written.get(id, {})})
        if "on" not in one or at_table.get("gone"):
            continue
        try:
            day = calendar.read_day(one["on"], calendar.first_day)
        except ValueError:  # the calendar has changed since
            continue
        found.append(Deadline(id, one["name"], day, one.get("public", False), one.get("then", "")))
    yield from sorted(found, key=lambda one: one.day)


def play_advance(world: World, args: AdvanceCalendar) -> Procedure[DaysData]:
    """Play `calendar advance`: let days pass.

    Clocks advance, deadlines fall due, and the people in `args.resting` recover. Raises Refused if the number
    of days is out of range, or if there is no calendar.
    """
    calendar = require_calendar(world)
    if not 1 <= args.days <= MOST_AT_ONCE:
        raise Refused(
            f"{args.days} days can't pass at once.", f"From 1 to {MOST_AT_ONCE}; `strike undo` goes back."
        )
    before = present_day(world, calendar)
    now = before + args.days
    about = tuple(calendar.weekday_and_remarks_on(now))
    shown = _day_as_players_see_it(world, calendar, now)
    sets = {"calendar.passed": now - calendar.first_day, "calendar.shown": shown}
    yield world.tell(DaysPassed(args.days, calendar.date_in_words(now), about), sets)
    noted = [what for _, what in full_moons_and_holidays(calendar, before, now - 1)]
    if noted:
        yield world.tell(DaysNoted(noted))
    ended = yield from _give_and_count_days_of_rest(world, calendar, args)
    moved: list[ClockData] = []
    for what, times in (
        ("day", args.days),
        (
            "week",
            (now - calendar.first_day) // calendar.days_a_week
            - (before - calendar.first_day) // calendar.days_a_week,
        ),
    ):
        moved += (yield from advance_clocks_by_event(world, what, times)).get("clocks", [])
    due = [one for one in deadlines_of(world, calendar) if before < one.day <= now]
    for one in due:
        date = "" if one.day == now else calendar.date_in_words(one.day)
        yield _deadline_fact(world, one, {}, "due", date=date, then=one.then)
    data: DaysData = {
        "days": args.days,
        "date": calendar.date_in_words(now),
        "about": calendar.weekday_and_remarks_on(now),
        "recovered": ended,
        "deadlines": [one.id for one in due],
    }
    if moved:
        data["clocks"] = moved
    return data


def _give_and_count_days_of_rest(
    world: World, calendar: Calendar, args: AdvanceCalendar
) -> Procedure[dict[str, list[str]]]:
    """Let people rest for some days, and return the Conditions that ended, by person.

    Each resting person's days in a row are counted, also over several commands. When the count completes a
    week or a year, that day counts as a rest of this length. Any other day counts as a day's rest. A new
    Condition restarts the count at 1. The counts of people who don't rest are dropped.

    People without Conditions, spent charges or an earlier count are skipped.
    """
    ended: dict[str, list[str]] = {}
    resting = list(dict.fromkeys(args.resting))
    before = calendar_in(world.state).get("rested", {})
    rested: dict[str, RestedSince] = {person: before[person] for person in resting if person in before}
    for _ in range(args.days):
        for person in resting:
            held = list(stored_changes_of(world, person).get("conditions", []))
            if not held and person not in rested and not character_changes_of(world, person).get("charges"):
                continue
            last = rested.get(person, {"days": 0, "held": held})
            days = 1 if set(held) - set(last["held"]) else last["days"] + 1
            rested[person] = {"days": days, "held": held}
            length = (
                "year"
                if days % calendar.days_in_common_year == 0
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

    Raises Refused if the day doesn't exist or isn't in the future. Raises Refused too if the name gives no
    id, or an id that is in use.
    """
    calendar = require_calendar(world)
    id, now = slug(args.name), present_day(world, calendar)
    try:
        day = calendar.read_day(args.on, now + 1)
    except ValueError as error:
        raise Refused(f"{error}.", "`strike calendar show` shows today and the months.") from None
    if day <= now:
        raise Refused(f"{calendar.date_in_words(day)} is over, or today.", "Name a day to come.")
    if not can_be_id(id) or any(one.id == id for one in deadlines_of(world, calendar)):
        raise Refused(
            f"There is a deadline {id!r} already." if can_be_id(id) else f"{args.name!r} is not a name.",
            "Choose another name.",
        )
    kept = {"name": args.name, "on": calendar.date_without_era(day), "public": args.public}
    one = Deadline(id, args.name, day, args.public)
    yield _deadline_fact(
        world, one, {f"deadlines.{id}": kept}, "added", date=calendar.date_in_words(day), left=day - now
    )
    return {"deadline": id, "on": calendar.date_in_words(day), "in": day - now}


def play_remove(world: World, args: RemoveDeadline) -> Procedure[DeadlineNamed]:
    """Play `calendar remove`: remove a deadline that is met or no longer matters.

    Raises Refused if there is no such deadline.
    """
    calendar = require_calendar(world)
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


def _day_as_players_see_it(world: World, calendar: Calendar, day: int) -> DayShown:
    """Return a day as players see it: its date, and remarks on the day."""
    speaker = GameMasterSpeaker(world.book, [world.state])
    about = [clause_as_json(what, speaker) for what in calendar.weekday_and_remarks_on(day)]
    shown: DayShown = {"date": calendar.date_in_words(day)}
    if about:
        shown["about"] = about
    return shown


def show_present_day_to_players(world: World) -> Procedure[None]:
    """Store the present day where players see it, with a fact that names it.

    Nothing happens without a calendar, or if this day is stored already.
    """
    calendar = calendar_of(world.book)
    if calendar is None:
        return
    now = present_day(world, calendar)
    about = tuple(calendar.weekday_and_remarks_on(now))
    shown = _day_as_players_see_it(world, calendar, now)
    if calendar_in(world.state).get("shown") != shown:
        yield world.tell(DaysNoted(date=calendar.date_in_words(now), about=about), {"calendar.shown": shown})


def show_day_and_clocks_to_players(world: World) -> Procedure[ClocksMoved]:
    """Show the players the present day, if the campaign has a calendar, and the public clocks."""
    yield from show_present_day_to_players(world)
    return (yield from clocks.show_public_clocks_to_players(world))


class PrepFollower(EventResponses):
    """The follower that advances clocks with sessions, rests and scenes.

    At the start of a session it also shows the players the present day and the public clocks.
    """

    def respond_to_event(self, world: World, what: str) -> Procedure[Data]:
        """Advance the clocks that advance with the event `what`."""
        return advance_clocks_by_event(world, what)

    def session_started(self, world: World) -> Procedure[Data]:
        """Show the players the present day and the public clocks."""
        return show_day_and_clocks_to_players(world)
