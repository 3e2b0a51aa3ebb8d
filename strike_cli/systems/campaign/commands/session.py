"""`strike session`: start, end, list and report sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.campaign.session_index import read_sessions_and_update_index
from strike_cli.kernel.state_changes import open_or_last_session_in
from strike_cli.problems import Usage
from strike_cli.terminal.argument_completions import FILE
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Table
from strike_cli.terminal.commands_and_options import ONLY_HERE, Options, command, new_app
from strike_cli.terminal.local_time import local_day_time_and_zone
from strike_cli.terminal.move_commands import plays
from strike_cli.visibility.audiences import GM, PLAYERS

from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.command_execution import PerformedCommand

    from ..data import SessionEndData

app = new_app("""Evenings: start, end, list. Each has a journal file of its own.

    Example: `strike session start --title "The ford"`
    """)


@plays(app, "start", "session start", kind="writes")
def start(
    title: Annotated[str, typer.Option("--title", help="A title for the evening.")] = "",
) -> dict[str, object]:
    """Begin an evening. Each character without an Action Point gets one (STR-CORE-21).

    Example: `strike session start --title "The ford"`
    """
    from datetime import UTC, datetime

    return {"at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")}


def _back_up_and_list_open_tasks(campaign: Campaign | None, performed: PerformedCommand) -> list[Block]:
    from strike_cli.campaign.backup import back_up_and_delete_older_or_warn
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.system_views import collect_from_systems_with_views, tasks_of_parked_scenes

    assert campaign is not None
    world = World(campaign.book, campaign.state)
    ended = cast("SessionEndData | None", performed.data)
    scenes = ended["scenes"] if ended else ()
    found = [(f"{name} is still under way", f"strike {system} show") for system, name in scenes]
    found += [
        each
        for some in collect_from_systems_with_views(world, lambda views: list(views.still_to_do(world)))
        for each in some
    ]
    found += tasks_of_parked_scenes(world)
    if performed.seq is not None and (
        hindered := back_up_and_delete_older_or_warn(campaign.folder, campaign.book.backups)
    ):
        campaign.notices.append(hindered)
    return [[f"{what}: ", (typed, "command")] for what, typed in found]


@plays(app, "end", "session end", kind="writes", show=_back_up_and_list_open_tasks)
def end() -> None:
    """End the evening: excess Action Points are lost (STR-CORE-21).

    Three are kept, unless the house rule `ap_carry_over` says otherwise. The command lists open and parked
    scenes, and makes a backup (`strike backup --help`). Answer an open decision first.

    Example: `strike session end`
    """


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """List all sessions so far.

    Example: `strike session list`
    """
    with options.open_campaign() as campaign:
        found = list(read_sessions_and_update_index(campaign.journal).values())
        rows = [
            [
                str(one.number or "-"),
                one.title or "-",
                str(one.entry_count),
                local_day_time_and_zone(one.first),
                local_day_time_and_zone(one.last),
            ]
            for one in found
        ]
        told = [
            {
                "session": one.number,
                "title": one.title,
                "entries": one.entry_count,
                "first": one.first,
                "last": one.last,
            }
            for one in found
        ]
        table = Table([NumberHeading("Session"), "Title", NumberHeading("Entries"), "From", "To"], rows)
        block: Block = table if rows else ("Nothing has been played yet.", "dim")
        return Result("session list", {"sessions": told}, [block], notices=campaign.notices)


Player = Annotated[
    bool, typer.Option("--player", help="For players: nothing secret or hidden, no notes, no overrides.")
]
OutFile = Annotated[
    str,
    typer.Option(
        "--out",
        metavar=FILE,
        help="Write it to a file: Markdown, a page if it ends in .html, a picture in .svg.",
    ),
    ONLY_HERE,
]
HtmlFile = Annotated[
    str,
    typer.Option("--html", metavar=FILE, help="Write it to a file as a page, with faces and maps."),
    ONLY_HERE,
]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="As a Markdown page.")]
SessionNumber = Annotated[
    int | None, typer.Argument(metavar=argument_completions.SESSION, help="The session. Default: the last.")
]


@command(app, "report", kind="reads")
def report(
    options: Options,
    number: SessionNumber = None,
    whole: Annotated[bool, typer.Option("--all", help="The whole campaign, evening by evening.")] = False,
    markdown: AsMarkdown = False,
    out: OutFile = "",
    player: Player = False,
) -> Result:
    """Report an evening: rolls, costs, conditions, Action Points, fights, and loose ends.

    It counts each character's deeds: damage, foes felled, falls, healing, critical hits, ones, Miss Tokens.
    --all covers the whole campaign. Undone commands are left out. Secret entries are marked, and left out
    with --player. A Markdown file has its plots as an SVG beside it.

    Example: `strike session report 3 --player --out session-3.html`
    """
    from .reports.campaign import CampaignReport
    from .reports.entries_known_to_audience import campaign_past_without_undone, past_needed_for_session
    from .reports.evening import EveningReport
    from .reports.output_formats import show_or_write_campaign, show_or_write_evening

    audience = PLAYERS if player else GM
    if whole and number is not None:
        raise Usage("--all covers every session, and you named one.", "Leave out one of them.")
    with options.open_campaign() as campaign:
        if whole:
            result = show_or_write_campaign(
                CampaignReport(campaign_past_without_undone(campaign, audience)), out, markdown
            )
        else:
            which = _given_or_latest_session_number(campaign, number)
            evening = EveningReport.of_session(past_needed_for_session(campaign, which, audience), which)
            result = show_or_write_evening(evening, out, markdown or (bool(out) and options.json))
        result.notices = campaign.notices
        return result


@command(app, "story", kind="reads")
def story(
    options: Options,
    number: SessionNumber = None,
    markdown: AsMarkdown = False,
    out: OutFile = "",
    html: HtmlFile = "",
    player: Player = False,
) -> Result:
    """Tell an evening turn by turn, to read again or to send to players.

    Secret entries are marked. With --player, secret entries and your own notes are left out. `strike story`
    does the same.

    Example: `strike session story 3 --player --html session-3.html`
    """
    from .reports.entries_known_to_audience import past_needed_for_session
    from .reports.output_formats import show_or_write_story
    from .reports.story import Story

    if html and (out or markdown):
        raise Usage(
            "--html writes a page, and --out or --markdown asks for another form.", "Leave out one of them."
        )
    with options.open_campaign() as campaign:
        which = _given_or_latest_session_number(campaign, number)
        told = Story(past_needed_for_session(campaign, which, PLAYERS if player else GM), which)
        result = show_or_write_story(told, campaign.folder, html or out, markdown, as_page=bool(html))
        result.notices = campaign.notices
        return result


def _given_or_latest_session_number(campaign: Campaign, number: int | None) -> int:
    return int(open_or_last_session_in(campaign.state).get("number", 0)) if number is None else number
