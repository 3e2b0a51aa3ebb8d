"""`strike bridge new`, `try`, `record`: for authors of a target that is described in TOML only.

The work is done in strike_bridge.rest.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import BridgeProblem, Usage, did_you_mean, listed, pluralize
from strike_cli.refusals import Unwritable
from strike_cli.terminal.argument_completions import FREE, choice_metavar
from strike_cli.terminal.command_output import Block, Line, Result, Table
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.validation import can_be_id

from . import argument_completions
from .bridge import TargetName, app, chosen_targets

if TYPE_CHECKING:
    from typing import TypedDict

    from strike_bridge.dry_run import ShownRequest

    class _EventShown(ShownRequest):
        event: str

    class _AttemptShown(TypedDict):
        what: str
        requests: list[_EventShown]
        fault: str | None


CAMPAIGN_FILE = "campaign.toml"


@command(app, "new", kind="writes", hidden=True)
def new(
    options: Options,
    kind: Annotated[
        str, typer.Argument(metavar=choice_metavar("rest").with_text("KIND"), help="rest: any API over HTTP.")
    ],
    name: Annotated[
        str, typer.Argument(metavar=FREE.with_text("[NAME]"), help="Your name for the target.")
    ] = "",
    base: Annotated[
        str, typer.Option("--base", metavar=argument_completions.PRESET, help="Start from a preset.")
    ] = "",
    show: Annotated[bool, typer.Option("--list", help="Show the presets.")] = False,
) -> Result:
    """Write a template of a target into campaign.toml, for an API that strike doesn't know.

    The template has comments. Change it to fit the API's documentation. Nothing is sent before you push. With
    --base the template starts from a preset. A preset is a finished target: strike's own, a plugin's, or a
    file in the folder `targets` of your own data.

    Example: `strike bridge new rest hall`
    """
    from strike_bridge.rest.merged_target_table import preset_files, read_preset, user_presets_folder

    if kind != "rest":
        raise Usage(
            f"{kind!r} has no template.", "`strike bridge new rest NAME`; other kinds are ready to use."
        )
    files = preset_files()
    if show:
        rows = [
            {"name": each, "file": str(file), "summary": read_preset(each, file).table.get("summary", "")}
            for each, file in files.items()
        ]
        table = Table(
            ["Preset", "Purpose", "File"],
            [[(row["name"], "name"), row["summary"], row["file"]] for row in rows],
        )
        blocks: list[Block] = [table] if rows else [("There are no presets.", "dim")]
        blocks.append((f"Put yours into {user_presets_folder()}, one TOML file each.", "dim"))
        return Result("bridge new", {"presets": rows, "folder": str(user_presets_folder())}, blocks)
    if not can_be_id(name):
        raise Usage("It needs a name: letters, digits, - and _.", "`strike bridge new rest hall`.")
    if base and base not in files:
        raise Usage(
            f"There is no preset {base!r}.{did_you_mean(base, files)}", "`strike bridge new rest --list`."
        )
    return _append_template(options, name, base)


def _append_template(options: Options, name: str, base: str) -> Result:
    from strike_bridge.rest.merged_target_table import starter_table_text, with_target_headings

    with options.open_campaign() as campaign:
        folder, targets = campaign.folder, campaign.book.targets
    if name in targets:
        raise Usage(f"There is a target {name!r} already.", "Give the new one another name.")
    text = starter_table_text() if not base else f'kind = "rest"\nbase = "{base}"\n# url = "https://..."\n'
    own = with_target_headings(text, name)
    if not options.dry_run:
        append_to_existing_after_empty_line(folder / CAMPAIGN_FILE, own)
    data = {"target": name, "file": CAMPAIGN_FILE, "text": own, "written": not options.dry_run}
    if options.dry_run:
        return Result("bridge new", data, [own.rstrip("\n")])
    lines: list[Line] = [
        [(f"[bridge.targets.{name}]", "name"), (f" is at the end of {CAMPAIGN_FILE}. ", "good")],
        (f"Change it to your API, then: `strike bridge doctor {name}`, `strike bridge try {name}`.", "dim"),
    ]
    return Result("bridge new", data, lines)


def append_to_existing_after_empty_line(file: Path, text: str) -> None:
    """Add a text to the end of a file, after an empty line.

    Raises Unwritable, also if the file can't be read.
    """
    from strike_cli.campaign.file_access import replace_file_without_sync, write_scratch

    try:
        before = file.read_bytes().decode("utf-8-sig")
        replace_file_without_sync(write_scratch(file, f"{before.rstrip()}\n\n{text}".encode()), file)
    except (OSError, ValueError) as error:
        raise Unwritable(file, error, "Nothing has changed.") from None


@command(app, "try", kind="reads", hidden=True)
def try_out(
    options: Options,
    target: TargetName,
    event: Annotated[
        str,
        typer.Option(
            "--event",
            metavar=argument_completions.EVENT,
            help="Only one event: token, token.create, result, order ...",
        ),
    ] = "",
) -> Result:
    """Show the requests that a target made of TOML would send for the current scene; send nothing.

    They are the requests to a tabletop that has nothing of the scene yet. If no scene is under way, a sample
    scene is used. Values that would come from the tabletop's answer, such as an id, are in <brackets>.

    Example: `strike bridge try hall --event token`
    """
    from strike_bridge.dry_run import show_request_of_keyless_target
    from strike_bridge.rest.request_preview import plan_current_or_sample_scene

    folder, (settings,) = chosen_targets(options, target)
    attempts, tried, sample = plan_current_or_sample_scene(folder, settings)
    wanted = f"on.{event.removeprefix('on.')}" if event else ""
    known = sorted({each.key for each in tried.api.event_requests()})
    if wanted and not any(_is_of_event(key, wanted) for key in known):
        names = [key.removeprefix("on.") for key in known]
        raise Usage(
            f"{settings.name} sends nothing for {event!r}.{did_you_mean(event, names)}",
            f"Known: {listed(names)}.",
        )
    rows: list[_AttemptShown] = []
    lines: list[Line] = [("No scene is under way: this is a sample.", "warn")] if sample else []
    for attempt in attempts:
        requests = [each for each in attempt.requests if not wanted or _is_of_event(each.event, wanted)]
        shown: list[_EventShown] = [
            {"event": each.event, **show_request_of_keyless_target(tried, each)} for each in requests
        ]
        fault = (
            attempt.fault
            if not wanted or f"{wanted}." in attempt.fault or f"{wanted}[" in attempt.fault
            else ""
        )
        if shown or fault:
            rows.append({"what": attempt.what, "requests": shown, "fault": fault or None})
            lines += _attempt_lines(rows[-1])
    bad = sum(bool(row["fault"]) for row in rows)
    problem = BridgeProblem(f"{pluralize(bad, 'fault')}.", "Each names its file and line.") if bad else None
    return Result(
        "bridge try", {"target": settings.name, "sample": sample, "attempts": rows}, lines, problem=problem
    )


def _is_of_event(key: str, wanted: str) -> bool:
    return key == wanted or key.startswith((f"{wanted}.", f"{wanted}["))


def _attempt_lines(row: _AttemptShown) -> list[Line]:
    found: list[Line] = [(row["what"], "title")]
    for request in row["requests"]:
        line: Line = [
            ("  ", ""),
            (f"{request['method']} {request['url']}", "command"),
            (f"  {request['event']}", "dim"),
        ]
        found.append(line)
        found += [(f"    {key}: {value}", "dim") for key, value in request["headers"].items()]
        body = request["body"]
        if body is not None:
            found.append(f"    {body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)}")
    if row["fault"]:
        found.append([("  !! ", "bad"), row["fault"]])
    return found


@command(app, "record", kind="reads", hidden=True)
def record(options: Options, target: TargetName) -> Result:
    """Send the whole scene to a target made of TOML, and record its answers in a file.

    The file has the status, a few headers and the form of each answer. It has a value only if the target's
    table names the value. It contains no key, so you can show it to somebody who helps you. With the file,
    `strike bridge test TARGET FILE` checks the target without the server.

    Example: `strike bridge record hall`
    """
    from strike_bridge.rest.answers_as_test_data import sync_and_record_answers as listen

    folder, (settings,) = chosen_targets(options, target)
    found = listen(folder, settings)
    lines: list[Line] = [
        [(f"Recorded {listed(found.events)}: ", "good"), str(found.file)],
        (f"`strike bridge test {settings.name} {found.file}` checks the target with it.", "dim"),
    ]
    return Result("bridge record", {"file": str(found.file), "events": found.events}, lines)
