"""`strike calendar`: the present day, the passing of days, and deadlines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.systems.combat.commands.argument_completions import DURATION
from strike_cli.tabletop.characters_and_names import changes_of_others_and_sides_in, character_changes_in
from strike_cli.terminal.command_output import Block, Line, Result, Section, Span
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays
from strike_cli.terminal.name_lookup import (
    find_character_by_name_or_player,
    find_id_by_name,
    nonempty_text_parser,
)

from ..state import calendar_in

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World
    from strike_cli.play.command_execution import PerformedCommand

    from ..calendar import Calendar
    from ..days_and_deadlines import Deadline

app = new_app("The campaign's calendar and deadlines.\n\nExample: `strike calendar show`")


@command(app, "show", kind="reads")
def show(options: Options) -> Result:
    """Show today, its month, and coming deadlines.

    Example: `strike calendar show`
    """
    from strike_cli.tabletop.characters_and_names import reason_words

    from ..days_and_deadlines import deadlines_of, present_day, require_calendar

    with options.open_campaign() as campaign:
        world = _world(campaign)
        calendar = require_calendar(world)
        now = present_day(world, calendar)
        ahead = [one for one in deadlines_of(world, calendar) if one.day >= now]
        about = [reason_words(world, each) for each in calendar.weekday_and_remarks_on(now)]
        blocks: list[Block] = [
            [(calendar.date_in_words(now), "title"), (f"  {', '.join(about)}" if about else "", "dim")],
            "",
        ]
        blocks += _present_month_blocks(calendar, now, {one.day for one in ahead})
        if ahead:
            blocks += ["", Section("To come", [_deadline_line(calendar, one, now) for one in ahead])]
        data = {
            "today": calendar.date_in_words(now),
            "about": about,
            "passed": now - calendar.first_day,
            "deadlines": [
                {"id": one.id, "name": one.name, "on": calendar.date_in_words(one.day), "in": one.day - now,
                 "public": one.public} for one in ahead
            ],
        }  # fmt: skip
        return Result("calendar show", data, blocks, notices=campaign.notices)


def _world(campaign: Campaign) -> World:
    from strike_cli.kernel.procedure import World

    return World(campaign.book, campaign.state)


def _deadline_line(calendar: Calendar, deadline: Deadline, now: int) -> tuple[Span, Line]:
    days, alone = deadline.day - now, "" if deadline.public else "  you alone"
    when = "today" if days == 0 else "tomorrow" if days == 1 else f"in {days} days"
    return (f"{calendar.date_in_words(deadline.day)} ", "name"), [deadline.name, (f"  {when}{alone}", "dim")]


def _present_month_blocks(calendar: Calendar, now: int, due: set[int]) -> Iterator[Block]:
    """Yield the present month as a wall calendar.

    Today is in brackets. A star marks days with a deadline (`due`) or a holiday.
    """
    date = calendar.date_of(now)
    first, length = now - date.day + 1, calendar.months[date.month].days_in(date.year)
    columns = calendar.days_a_week
    if calendar.weekdays:
        yield ("  ".join(f"{name[:4]:>4}" for name in calendar.weekdays), "dim")
    begin = calendar.weekdays.index(calendar.weekday(first)) if calendar.weekdays else 0
    cells: list[Span] = [("    ", "")] * begin
    for number in range(first, first + length):
        day = number - first + 1
        mark = "*" if number in due or calendar.holidays(number) else " "
        full = any(moon.full_or_new_phase(number) == "full" for moon in calendar.moons)
        style = "good" if number == now else "warn" if mark == "*" else "strong" if full else ""
        cells.append((f"[{day}]".rjust(4) if number == now else f"{day}{mark}".rjust(4), style))
    for at in range(0, len(cells), columns):
        yield [span for cell in cells[at : at + columns] for span in (cell, ("  ", ""))]


def _remaining_condition_blocks(campaign: Campaign | None, performed: PerformedCommand) -> Iterator[Block]:
    """Yield a line for each character who still has Conditions, with the ways to end them.

    The line also says if the character hasn't rested.
    """
    from ...core.conditions import recovery_words

    if campaign is None or not performed.data:
        return
    book, rested = campaign.book, calendar_in(campaign.state).get("rested", {})
    for person, sheet in character_changes_in(campaign.state).items():
        held = [book.conditions[each] for each in dict.fromkeys(sheet.get("conditions", ()))]
        if held and person in book.characters:
            ways = ", ".join(f"{each['name']} ({recovery_words(each)})" for each in held)
            idle = "" if person in rested else "; has not rested, see --rest"
            yield [(f"{book.characters[person]['name']} still: ", "dim"), ways, (idle, "dim")]


@plays(app, "advance", "calendar advance", kind="writes", show=_remaining_condition_blocks)
def advance(
    call: Call,
    days: Annotated[
        list[str],
        typer.Argument(metavar="DAYS", help="A number of days, `week`, or a coming day, like 3 Thaw."),
        WordParser(_read_number_of_days),
    ],
    rest: Annotated[bool, typer.Option("--rest", help="Everybody rests meanwhile.")] = False,
    but: Annotated[
        list[str] | None,
        typer.Option("--but", metavar="WHO", help="With --rest: people who don't rest."),
        WordParser(
            lambda call, names: [
                find_character_by_name_or_player(call.required_campaign, name) for name in names
            ],
            lambda campaign: campaign.book.characters,
        ),
    ] = None,
) -> dict[str, object]:
    """Let days pass: clocks of days and weeks advance, deadlines fall due, and with --rest people recover.

    A week of rest may be split, as long as they do nothing else and get no new Condition.

    Example: `strike calendar advance 3`
    """
    team = changes_of_others_and_sides_in(call.required_campaign.state).get("party", {}).get("conditions")
    everybody = [*call.required_campaign.book.characters, *(["party"] if team else [])]
    resting = [person for person in everybody if person not in call.texts_of("but")] if rest else []
    return {"days": call.typed["days"], "resting": resting or None}


def _read_number_of_days(call: Call, words: list[str]) -> int:
    """Return the number of days for the typed words.

    The words are a number, `week`, or a future date. Raises Usage for other words.
    """
    from ..days_and_deadlines import present_day, require_calendar

    text = " ".join(words)
    if text.isascii() and text.isdigit():
        return int(text[:9])
    world = _world(call.required_campaign)
    calendar = require_calendar(world)
    if text.lower() in ("week", "a week"):
        return calendar.days_a_week
    now = present_day(world, calendar)
    try:
        return calendar.read_day(text, now + 1) - now
    except ValueError as error:
        raise Usage(f"{error}.", "A number of days, `week`, or a day like `3 Thaw`.") from None


@plays(app, "add", "calendar add", kind="writes")
def add(
    name: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="The deadline's name."),
        nonempty_text_parser("The deadline's name"),
    ],
    on: Annotated[
        list[str],
        typer.Argument(metavar=DURATION, help="A day, like 3 Thaw, or a number of days."),
        WordParser(_read_date_as_text),
    ],
    public: Annotated[bool, typer.Option("--public", help="Tell the players.")] = False,
) -> None:
    """Set a deadline. Deadlines of campaign.toml, `[deadlines.ID]`, exist from the beginning.

    Example: `strike calendar add "The moot" 3 Seed --public`
    """


def _read_date_as_text(call: Call, words: list[str]) -> str:
    """Return the typed date as text; for a number, the date that many days from today."""
    from ..days_and_deadlines import present_day, require_calendar

    text = " ".join(words)
    if text.isascii() and text.isdigit():
        world = _world(call.required_campaign)
        calendar = require_calendar(world)
        return calendar.date_without_era(present_day(world, calendar) + int(text[:6]))
    return text


@plays(app, "remove", "calendar remove", kind="writes")
def remove(
    deadline: Annotated[
        str,
        typer.Argument(metavar="DEADLINE", help="A deadline: the id or the beginning of a name."),
        WordParser(
            lambda call, name: find_id_by_name(name, _deadline_names(call.required_campaign), "deadline", ""),
            _deadline_names,
        ),
    ],
) -> None:
    """Remove a deadline that is met or no longer matters.

    Example: `strike calendar remove toll`
    """


def _deadline_names(campaign: Campaign) -> dict[str, str]:
    from ..calendar import calendar_of
    from ..days_and_deadlines import deadlines_of

    calendar = calendar_of(campaign.book)
    return {one.id: one.name for one in deadlines_of(_world(campaign), calendar)} if calendar else {}
