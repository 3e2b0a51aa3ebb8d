"""`strike bridge`: sending virtual tabletops what is played. The work is done in strike_bridge."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import BridgeProblem, Problem, Usage, listed, pluralize
from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.command_output import (
    Block,
    Line,
    NumberHeading,
    Result,
    Span,
    Table,
    blocks_as_unwrapped_text,
    print_to_stderr,
)
from strike_cli.terminal.command_output import write_text_to_stdout as write
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.local_time import time_zone_name
from strike_cli.terminal.name_lookup import find_id_by_name

from . import argument_completions

if TYPE_CHECKING:
    from threading import Event, Thread

    from strike_bridge.consent import Terms
    from strike_bridge.settings import Settings
    from strike_bridge.targets.base import Finding
    from strike_bridge.worker import DeliveryReport

    from ..data import TargetShown, TargetStatus, TokenDifference

app = new_app("""Send tokens, turn order, the map and results to virtual tabletops. Targets are tables
[bridge.targets.NAME] in campaign.toml; their keys are in the environment, the keyring or a file of yours
outside the campaign (`strike bridge login`). `strike bridge help` lists the commands for scripts and for new
APIs.

    Example: `strike bridge push`
    """)

TargetOrAll = Annotated[
    str,
    typer.Argument(
        metavar=argument_completions.TARGET.with_text("[TARGET]"), help="One target. Default: all."
    ),
]
TargetName = Annotated[str, typer.Argument(metavar=argument_completions.TARGET, help="A target.")]
ReviewId = Annotated[
    str, typer.Argument(metavar=FREE.with_text("[ID]"), help="An ID from `strike bridge review`.")
]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Create all tokens again on a tabletop that has lost them.")
]
All = Annotated[bool, typer.Option("--all", help="Everything up for review.")]


_HIDDEN_COMMANDS = {
    "login TARGET": "put in its key or password",
    "allow TARGET": "agree to its address; --yes skips the question",
    "doctor [TARGET]": "check settings, key, address, clock, scene and links",
    "unlink WHO": "remove the link to one of its tokens",
    "resend TARGET ID": "send an item up for review to the target again",
    "drop TARGET ID": "discard an item up for review",
    "new rest NAME": "write a commented start for any API",
    "try TARGET": "show each request that a TOML target would send",
    "record TARGET": "record the shape of its server's answers",
    "test KIND": "check a target's promises, without a tabletop",
    "module foundry": "write the companion module",
}


@command(app, "help", kind="reads", hidden=True)
def list_hidden_commands(options: Options) -> Result:
    """List the commands left out of `strike bridge --help`.

    Example: `strike bridge help`
    """
    table = Table(
        ["Command", "Purpose"],
        [[(f"strike bridge {name}", "command"), purpose] for name, purpose in _HIDDEN_COMMANDS.items()],
    )
    return Result("bridge help", {"commands": _HIDDEN_COMMANDS}, [table])


@command(app, "targets", kind="reads")
def targets(options: Options) -> Result:
    """List the targets of this campaign, and what each can show.

    Example: `strike bridge targets`
    """
    from strike_bridge.targets import make_target_checking_consent

    folder, chosen = chosen_targets(options, "")
    rows: list[TargetShown] = []
    for settings in chosen:
        row: TargetShown = {
            "target": settings.name,
            "kind": settings.kind,
            "auto": settings.auto,
            "error": None,
            "url": None,
            "units": None,
            "supports": [],
        }
        try:
            target = make_target_checking_consent(folder, settings, with_key=False)
            can, units = target.supports.words(), target.supports.units
            row |= {"url": target.shown_address, "units": units, "supports": can}
        except Problem as problem:
            row["error"] = problem.message
        rows.append(row)
    table = Table(
        ["Target", "Kind", "Address", "Auto", "Shows"],
        [
            [
                (row["target"], "name"),
                row["kind"],
                row["url"] or "-",
                "yes" if row["auto"] else "no",
                (row["error"].split("\n")[0], "bad")
                if row["error"]
                else ", ".join(row["supports"]).replace("_", " "),
            ]
            for row in rows
        ],
    )
    return Result("bridge targets", {"targets": rows}, [table])


@command(app, "push", kind="writes")
def push(
    options: Options,
    target: TargetOrAll = "",
    yes: Yes = False,
    go_on: Annotated[
        str,
        typer.Option(
            "--from",
            metavar=FREE.with_text("N|new"),
            help="After the target's file was lost: go on with result N, or with the next one played.",
        ),
    ] = "",
) -> Result:
    """Bring the targets up to date now, once.

    A target gets the scene as it is now. A new target also gets this evening's results, but no older ones.
    Results that can't be delivered wait for the next time. --dry-run shows the requests, without keys.

    Example: `strike bridge push table`
    """
    from strike_bridge.push_follow_and_sync import deliver_in_parallel
    from strike_bridge.push_follow_and_sync import push as deliver

    folder, chosen = chosen_targets(options, target)
    if options.dry_run:
        return _dry_run_result(folder, chosen)
    offer_agreements_and_record_given(options, folder, chosen)
    if go_on and not (go_on == "new" or go_on.isdecimal()):
        raise Usage(f"--from takes a result's number or `new`, not {go_on!r}.", "`strike log` has them.")
    following = 0 if not go_on else -1 if go_on == "new" else int(go_on)
    named = bool(target)  # only a named target is switched on again
    with report_long_waits():
        reports = deliver_in_parallel(
            chosen, lambda settings: deliver(folder, settings, turn_on=named, continue_from=following)
        )
    return _result_of_successful_delivery(
        "bridge push", _ask_and_recreate_lost_tokens(options, folder, chosen, reports, yes)
    )


def _ask_and_recreate_lost_tokens(
    options: Options, folder: Path, chosen: Sequence[Settings], reports: Sequence[DeliveryReport], yes: bool
) -> list[DeliveryReport]:
    """Recreate all tokens at each target that has lost them, if the user agrees or `yes` is true.

    Returns the reports, with a new one for each such target.
    """
    from strike_bridge.push_follow_and_sync import resend_whole_state as send_all

    by_name = {settings.name: settings for settings in chosen}
    found = []
    for report in reports:
        if report.empty and (
            yes or (options.interactive and _ask_to_recreate_tokens(f"{report.target} is empty."))
        ):
            report = send_all(folder, by_name[report.target], recreate_tokens=True)
        found.append(report)
    return found


def _ask_to_recreate_tokens(reason: str) -> bool:
    try:
        return input(f"{reason} Create all tokens again? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _dry_run_result(folder: Path, chosen: Sequence[Settings]) -> Result:
    from strike_bridge.dry_run import dry_run

    found = {settings.name: dry_run(folder, settings) for settings in chosen}
    lines: list[Line] = []
    for name, requests in found.items():
        lines.append([(name, "name"), f": {pluralize(len(requests), 'request')}"])
        for request in requests:
            lines.append([("  ", ""), (f"{request['method']} {request['url']}", "command")])
            lines += [(f"    {key}: {value}", "dim") for key, value in request["headers"].items()]
            if request["body"] is not None:
                lines.append(f"    {json.dumps(request['body'], ensure_ascii=False)}")
    return Result("bridge push", {"dry_run": True, "requests": found}, lines)


@command(app, "sync", kind="reads")
def sync(
    options: Options,
    target: TargetOrAll = "",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="The tabletop lost its tokens: create all of them again.")
    ] = False,
) -> Result:
    """Send the whole scene again: map, tokens and turn order, even if the tabletop has received them before.

    Use it for a tabletop that lost something or was changed by hand. Results are not sent again.

    Example: `strike bridge sync table`
    """
    from strike_bridge.push_follow_and_sync import deliver_in_parallel
    from strike_bridge.push_follow_and_sync import resend_whole_state as send_all

    folder, chosen = chosen_targets(options, target)
    offer_agreements_and_record_given(options, folder, chosen)
    with report_long_waits():
        reports = deliver_in_parallel(
            chosen, lambda settings: send_all(folder, settings, recreate_tokens=fresh)
        )
    return _result_of_successful_delivery(
        "bridge sync", _ask_and_recreate_lost_tokens(options, folder, chosen, reports, yes=False)
    )


def _result_of_successful_delivery(command_: str, reports: Sequence[DeliveryReport]) -> Result:
    """Return the result of a command that delivered to targets.

    Raises BridgeProblem if a delivery failed. A target that is switched off doesn't count as failed.
    """
    failed = [report for report in reports if report.error and not report.off]
    lines: list[Line] = [delivery_line(report) for report in reports]
    if failed:
        texts = [blocks_as_unwrapped_text([line]).rstrip() for line in lines]
        hints = [report.hint for report in failed if report.hint]
        raise BridgeProblem(
            "\n".join(texts),
            hints[0]
            if hints
            else "Nothing is lost: once it answers, `strike bridge push` goes on from there.",
        )
    return Result(command_, {"targets": [_report_data(report) for report in reports]}, lines)


def _report_data(report: DeliveryReport) -> dict[str, object]:
    return {
        "target": report.target,
        "delivered": report.sent,
        "tokens": report.tokens,
        "results": report.results,
        "lag": report.lag,
        "error": report.error or None,
        "next_attempt": _utc_timestamp(report.next_attempt),
        "review": report.review,
        "busy": report.busy,
        "off": report.off,
    }


def availability_line(report: DeliveryReport) -> Line:
    """Return the line that reports that a target has begun to fail, or that it answers again."""
    return delivery_line(report) if report.error else [(report.target, "name"), ": it answers again."]


def delivery_line(report: DeliveryReport) -> Line:
    """Return the line that reports a delivery to a target: what was delivered, or why nothing was."""
    name = (report.target, "name")
    if report.off:
        again = f"`strike bridge push {report.target}` switches it on again."
        return [name, ": ", ("switched off at its own request (410). ", "warn"), (again, "dim")]
    if report.error:
        from strike_bridge.request_outcome import end_with_full_stop

        waiting = f" {pluralize(report.lag, 'entry waits', 'entries wait')}." if report.lag else ""
        later = f" Next attempt {_local_time_words(report.next_attempt)}." if report.next_attempt else ""
        return [name, ": ", (f"{end_with_full_stop(report.error)}{waiting}{later}", "bad")]
    if report.busy:
        return [name, ": another worker is delivering to it already."]
    review = f" {report.review} to review: `strike bridge review`." if report.review else ""
    if not report.sent:
        return [name, f":{review or ' up to date.'}"]
    counts = ((report.tokens, "token"), (report.results, "result"))
    summary = " and ".join(pluralize(count, what) for count, what in counts if count)
    return [name, ": ", (f"delivered {summary}." if summary else "delivered.", "good"), review]


@command(app, "run", kind="reads")
def run(options: Options, target: TargetOrAll = "") -> Result:
    """Follow the game and deliver each event as it happens, until Ctrl-C.

    A target that refuses its key or has wrong settings waits until you fix that; the others go on.

    Example: `strike bridge run`
    """
    import threading

    from strike_bridge.push_follow_and_sync import deliver_until_stopped

    folder, chosen = chosen_targets(options, target)
    offer_agreements_and_record_given(options, folder, chosen)
    stop, writing = threading.Event(), threading.Lock()
    reports: dict[str, DeliveryReport] = {}
    unheard: list[OSError] = []

    def print_unless_json(line: Line) -> None:
        if not options.json:
            with writing:
                write(blocks_as_unwrapped_text([line]))
                sys.stdout.flush()

    def print_change_or_stop(report: DeliveryReport) -> None:
        try:
            print_unless_json(availability_line(report))
        except OSError as error:  # nobody listens any more
            unheard.append(error)
            stop.set()

    def follow_target(settings: Settings) -> None:
        try:
            reports[settings.name] = deliver_until_stopped(folder, settings, stop, print_change_or_stop)
        except Exception as error:
            reports[settings.name] = report_of_crash(settings.name, error)

    threads = [threading.Thread(target=follow_target, args=[settings], daemon=True) for settings in chosen]
    names = ", ".join(settings.name for settings in chosen)
    try:
        print_unless_json([f"Following the game for {names}. ", ("Ctrl-C ends it.", "dim")])
        _run_threads(threads, stop)
    except KeyboardInterrupt:
        data = {"targets": [_report_data(report) for report in reports.values()]}
        return Result("bridge run", data, [("The bridge is closed; what is left waits.", "dim")])
    if unheard:
        raise unheard[0]
    return _result_of_successful_delivery("bridge run", list(reports.values()))


def _run_threads(threads: list[Thread], stop: Event) -> None:
    """Start the threads, and wait until all have ended.

    Ctrl-C sets `stop`, waits up to 40 seconds for each thread, and raises KeyboardInterrupt.
    """
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)
    except KeyboardInterrupt:
        stop.set()
        for thread in threads:
            thread.join(40)  # seconds: a request that is on its way is waited for
        raise


def report_of_crash(target: str, error: Exception) -> DeliveryReport:
    """Return the report on a target whose thread ended with an unexpected error."""
    from strike_bridge.worker import DeliveryReport

    return DeliveryReport(target, error=f"the bridge to it ended ({type(error).__name__})")


@command(app, "status", kind="reads")
def status(options: Options) -> Result:
    """Show each target's progress, its last failure, and the time of the next try. Asks no target.

    Example: `strike bridge status`
    """
    from strike_bridge.delivery_record import ANOTHER_JOURNAL, load_or_make_cursor
    from strike_bridge.journal_reader import JournalReader
    from strike_bridge.push_follow_and_sync import is_delivering

    folder, chosen = chosen_targets(options, "")
    rows: list[TargetStatus] = []
    for settings in chosen:
        cursor, journal = load_or_make_cursor(folder, settings.name), JournalReader(folder)
        another = journal.has_other_entry_of_same_number(cursor.position, cursor.acknowledged, cursor.line)
        rows.append(
            {
                "target": settings.name,
                "kind": settings.kind,
                "acknowledged": cursor.acknowledged,
                "lag": journal.count_entries_after(cursor.acknowledged),
                "running": is_delivering(folder, settings.name),
                "attempts": cursor.attempts,
                "last_error": settings.fault or (ANOTHER_JOURNAL if another else cursor.last_error) or None,
                "next_attempt": _utc_timestamp(cursor.next_attempt),
                "review": len(cursor.review),
                "unlinked": cursor.unlinked,
                "off": bool(cursor.off),
            }
        )
    blocks: list[Block] = [_status_table(rows)]
    for row in rows:
        if row["unlinked"]:
            names = listed(row["unlinked"])
            blocks.append([(row["target"], "name"), f" has no token for {names}."])
    lacking = [settings for settings, row in zip(chosen, rows, strict=True) if row["unlinked"]]
    if lacking:
        made = (
            "; create = true in campaign.toml creates them" if any(map(_can_create_tokens, lacking)) else ""
        )
        blocks.append((f"`strike bridge link --auto` links by name{made}.", "dim"))
    return Result("bridge status", {"targets": rows}, blocks)


def _status_table(rows: Sequence[TargetStatus]) -> Table:
    return Table(
        [
            "Target",
            NumberHeading("Delivered up to"),
            NumberHeading("Waiting"),
            "Worker",
            NumberHeading("Review"),
            "Last error",
            "Next attempt",
        ],
        [
            [
                (row["target"], "name"),
                f"#{row['acknowledged']}",
                (str(row["lag"]), "warn" if row["lag"] else ""),
                ("off", "warn") if row["off"] else "running" if row["running"] else "-",
                (str(row["review"]), "warn" if row["review"] else ""),
                ((row["last_error"] or "-").split("\n")[0], "bad" if row["last_error"] else ""),
                row["next_attempt"] or "-",
            ]
            for row in rows
        ],
    )


def _can_create_tokens(settings: Settings) -> bool:
    from strike_bridge.targets import target_class

    try:
        return target_class(settings).supports.create
    except Problem:
        return False


@command(app, "diff", kind="reads")
def diff(options: Options, target: TargetOrAll = "") -> Result:
    """Ask each target for its tokens, and show how they differ from the campaign.

    It changes nothing. Without TARGET, it asks all targets that can be asked, and lists the others.

    Example: `strike bridge diff table`
    """
    from strike_bridge.delivery_record import load_or_make_cursor
    from strike_bridge.target_differences import diff_target as compare

    folder, chosen = chosen_targets(options, target)
    mute = (
        [] if target else [settings.name for settings in chosen if not _may_support_reading_tokens(settings)]
    )
    chosen = [settings for settings in chosen if settings.name not in mute]
    if mute and not chosen:
        raise BridgeProblem(
            f"No target can be asked for its tokens: {listed(mute)}. Nothing was compared.",
            "`strike bridge sync` sends it all.",
        )
    offer_agreements_and_record_given(options, folder, chosen)
    drift: list[TokenDifference] = []
    untold: dict[str, Problem] = {}
    for settings in chosen:
        try:
            with report_long_waits():
                found = [_difference_data(settings.name, item) for item in compare(folder, settings)]
                drift += _add_pull_previews(options, folder, settings, found)
        except Problem as problem:
            untold[settings.name] = problem
    if target and untold:
        raise untold[settings.name]
    differing = {each["target"] for each in drift}
    alike = [each.name for each in chosen if each.name not in (*differing, *untold)]
    blocks = _difference_blocks(drift) if drift or not untold else []
    blocks += [(f"No difference there: {listed(alike)}.", "good")] if alike and (drift or untold) else []
    for settings in chosen:
        if unlinked := load_or_make_cursor(folder, settings.name).unlinked:
            blocks.append([(settings.name, "name"), f" has no token for {listed(unlinked)}: not compared."])
    blocks += [(problem.message, "bad") for problem in untold.values()]
    blocks += [(f"Not compared, since they can't be asked: {listed(mute)}.", "dim")] if mute else []
    failed = BridgeProblem(f"{listed(untold)} could not be asked.", "`strike bridge doctor` says why.")
    data = {"drift": drift, "unanswered": list(untold), "not_compared": mute}
    return Result("bridge diff", data, blocks, problem=failed if untold else None)


def _difference_data(target: str, item: Mapping[str, object]) -> TokenDifference:
    return {
        "target": target,
        "id": str(item["id"]),
        "field": str(item["field"]),
        "ours": item["ours"],
        "theirs": item["theirs"],
        "stays": bool(item["stays"]),
    }


def _add_pull_previews(
    options: Options, folder: Path, settings: Settings, drift: list[TokenDifference]
) -> list[TokenDifference]:
    """Add the preview of a pull to each difference that has one, and return the differences.

    A preview has three keys. `pull` is the command that a pull would play. `pulled` is the outcome, and `why`
    is the reason for it. Nothing is added if the target's setting `pull` is "off".
    """
    if settings.pull == "off" or not drift:
        return drift
    from .bridge_pull import preview_pull

    taken = preview_pull(options, folder, settings)
    ways = {(one.edit.id, one.edit.field): one for one in taken}
    for item in drift:
        if way := ways.get((item["id"], item["field"])):
            item |= {"pull": way.command or None, "pulled": way.state, "why": way.why or None}
    return drift


def _may_support_reading_tokens(settings: Settings) -> bool:
    from strike_bridge.targets import target_class

    try:
        return target_class(settings).supports.read_back
    except Problem:
        return True  # the caller learns the fault from its own request


def _difference_blocks(drift: Sequence[TokenDifference]) -> list[Block]:
    stays = [item for item in drift if item["stays"]]
    drift = [item for item in drift if not item["stays"]]
    shown: list[Block] = []
    if drift:
        shown = [_differences_table(drift), ("`strike bridge sync` sends the whole scene again.", "dim")]
    elif not stays:
        shown = [("No difference: all tokens are right.", "good")]
    if stays:
        what = listed([f"{item['id']} ({item['field'] or 'token'})" for item in stays])
        targets = (listed({item["target"] for item in stays}), "name")
        shown.append([targets, f" keeps its own value, and a sync doesn't change it: {what}."])
    return shown


def _differences_table(drift: Sequence[TokenDifference]) -> Table:
    pulled = any("pulled" in item for item in drift)
    rows: list[list[Span]] = [
        [
            (item["target"], "name"),
            item["id"],
            item["field"] or "token",
            _value_as_json_or_presence(item["ours"], item["field"]),
            _value_as_json_or_presence(item["theirs"], item["field"]),
            *([_pull_outcome(item)] if pulled else []),
        ]
        for item in drift
    ]
    return Table(["Target", "Token", "What", "Here", "There", *(["A pull"] if pulled else [])], rows)


def _pull_outcome(item: TokenDifference) -> str:
    """Return in words what a pull would do about a difference; "-" if it would ignore it."""
    if "pulled" not in item:
        return "-"
    if item["pulled"] == "taken":
        return f"plays {item['pull']}"
    return f"waits: {item['why'] or item['pull']}"


def _value_as_json_or_presence(value: object, field: str) -> str:
    if not field:
        return "there" if value else "missing"
    return json.dumps(value, ensure_ascii=False)


@command(app, "review", kind="reads")
def review(options: Options, target: TargetOrAll = "") -> Result:
    """List what waits for your review, such as results that were rejected or may not have arrived.

    Settle each item with `resend` or `drop`.

    Example: `strike bridge review`
    """
    from strike_bridge.delivery_record import load_or_make_cursor

    folder, chosen = chosen_targets(options, target)
    found = [
        (settings.name, item)
        for settings in chosen
        for item in load_or_make_cursor(folder, settings.name).review
    ]
    if not found:
        return Result("bridge review", {"review": []}, [("There is nothing to review.", "good")])
    rows = [((name, "name"), item["id"], item["summary"], item["why"]) for name, item in found]
    blocks: list[Block] = [
        Table(["Target", "Id", "What", "Why"], rows),
        [("`strike bridge resend TARGET ID` or `strike bridge drop TARGET ID` settles one.", "dim")],
    ]
    return Result("bridge review", {"review": [{"target": name, **item} for name, item in found]}, blocks)


@command(app, "resend", kind="reads", hidden=True)
def resend(options: Options, target: TargetName, id: ReviewId = "", all: All = False) -> Result:
    """Send again what is up for review: one item, or all items in order.

    --all stops at the first item that isn't accepted. This item and the items after it stay up for review.

    Example: `strike bridge resend table 42` or `strike bridge resend table --all`
    """
    from strike_bridge.push_follow_and_sync import resend_result_or_requeue_item as send_again

    folder, (settings,) = chosen_targets(options, target)
    ids = _unchecked_id_or_all_ids_for_review(folder, settings, id, all)
    offer_agreements_and_record_given(options, folder, [settings])
    with report_long_waits():
        for number, each in enumerate(ids):
            try:
                send_again(folder, settings, each)
            except Problem as problem:
                if number:
                    problem.hint = f"{problem.hint} {pluralize(number, 'other')} before it arrived.".strip()
                raise
    return Result(
        "bridge resend", {"target": settings.name, "ids": ids}, [_settled_line(settings, "accepted", ids)]
    )


@command(app, "drop", kind="reads", hidden=True)
def drop(options: Options, target: TargetName, id: ReviewId = "", all: All = False) -> Result:
    """Discard an item up for review, all such items, or a result that still waits to be sent.

    Example: `strike bridge drop table 42` or `strike bridge drop table --all`
    """
    from strike_bridge.push_follow_and_sync import drop_item_or_queued_result as give_up

    folder, (settings,) = chosen_targets(options, target)
    ids = _unchecked_id_or_all_ids_for_review(folder, settings, id, all)
    for each in ids:
        give_up(folder, settings, each)
    return Result(
        "bridge drop", {"target": settings.name, "ids": ids}, [_settled_line(settings, "won't get", ids)]
    )


def _unchecked_id_or_all_ids_for_review(folder: Path, settings: Settings, id: str, all: bool) -> list[str]:
    """Return `[id]`, or with `all` the ids of everything up for review.

    Raises Usage if both `id` and `all` are given, or neither.
    """
    from strike_bridge.delivery_record import load_or_make_cursor

    if bool(id) == all:
        what = "Both an ID and --all are given." if all else "Nothing says which item."
        raise Usage(what, "Give an ID from `strike bridge review`, or --all.")
    return [id] if id else [item["id"] for item in load_or_make_cursor(folder, settings.name).review]


def _settled_line(settings: Settings, verb: str, ids: Sequence[str]) -> Line:
    what = listed(ids) if ids else "nothing: nothing was up for review"
    return [(settings.name, "name"), f" {verb} {what}."]


def chosen_targets(options: Options, name: str) -> tuple[Path, list[Settings]]:
    """Return the campaign's folder, and the target called `name`; if `name` is "", all targets.

    Raises Usage if the campaign has no target, or none called `name`.
    """
    from strike_bridge.settings import settings_from_unchecked_table

    with options.open_campaign() as campaign:
        folder, tables, language = campaign.folder, campaign.book.targets, campaign.book.locale()
    if not tables:
        raise Usage(
            "This campaign has no targets.",
            'Add one to campaign.toml: [bridge.targets.table] with kind = "table" and '
            'url = "http://127.0.0.1:4747"; `strike table` serves it.',
        )
    names: Iterable[str] = tables
    if name:
        names = [find_id_by_name(name, {key: key for key in tables}, "target", " in campaign.toml")]
    return folder, [
        settings_from_unchecked_table(key, tables[key])._replace(language=language) for key in names
    ]


def offer_agreements_and_record_given(options: Options, folder: Path, chosen: Sequence[Settings]) -> None:
    """Ask the user to agree to each target address that lacks an agreement, and record the agreements.

    The bridge sends nothing to an address without an agreement. So call this function before you send. If the
    user can't be asked, nothing happens.
    """
    if not options.interactive:
        return
    from strike_bridge.consent import is_agreed, record_consent
    from strike_bridge.targets import terms_unless_own_table

    for settings in chosen:
        with contextlib.suppress(Problem):  # reported when it is sent
            terms = terms_unless_own_table(folder, settings)
            if terms and not is_agreed(folder, settings.name, terms) and ask_to_agree(settings.name, terms):
                record_consent(folder, settings, terms)


def ask_to_agree(target: str, terms: Terms) -> bool:
    """Show the user a target's address and the data sent to it, and return whether the user agrees.

    An empty answer means no.
    """
    write(blocks_as_unwrapped_text(terms_lines(target, terms)))
    try:
        answer = input("Send it there from now on? [y/N] ")
    except EOFError:
        return False
    return answer.strip().lower() in ("y", "yes")


def finding_sign(finding: Finding) -> tuple[str, str]:
    """Return the sign in front of a finding, and the sign's style.

    A finding is good, bad, or not tried.
    """
    if not finding.well:
        return "!! ", "bad"
    return ("ok ", "good") if finding.tried else ("-- ", "dim")


def terms_lines(target: str, terms: Terms) -> list[Block]:
    """Return the terms that the user has to agree to, as lines.

    The lines give the target's address, the audience, the secret's address if there is one, and the requests.
    """
    shown = terms.shown()
    told = "the players' view" if terms.audience == "players" else "everything, hidden things too"
    lines: list[Line] = [
        [(target, "name"), f" ({terms.kind}) would receive this campaign:"],
        ["  address  ", (shown["address"], "strong")],
        ["  sends    ", told],
    ]
    if shown["token_url"]:
        lines.append(["  secret   ", f"goes to {shown['token_url']} for an access token"])
    lines += [["  request  ", request] for request in shown["requests"]]
    return [*lines]


@contextlib.contextmanager
def report_long_waits() -> Iterator[None]:
    """During the block, print the reason for any wait of more than two seconds."""
    from strike_bridge.wait_reasons_report import report_waits

    with report_waits(print_to_stderr):
        yield


def _utc_timestamp(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _local_time_words(moment: float) -> str:
    local = datetime.fromtimestamp(moment).astimezone()
    day = "" if local.date() == datetime.now().date() else f"on {local:%Y-%m-%d} "
    return f"{day}at {local:%H:%M:%S} {time_zone_name(local)}"
