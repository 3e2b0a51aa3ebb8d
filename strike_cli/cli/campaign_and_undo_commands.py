"""Commands about the whole campaign: new, undo and redo, choose, override, again, replay, doctor."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..campaign import Campaign
from ..campaign.campaign import too_few_to_undo_refusal
from ..kernel.state_changes import pending_decisions_in
from ..problems import CampaignProblem, Finding, Problem, Refused, Unsound, Usage, pluralize
from ..terminal.argument_completions import FOLDER, OPTION
from ..terminal.command_output import Line, Result, open_decision_lines
from ..terminal.commands_and_options import ONLY_HERE, Options, command, new_app
from ..terminal.move_commands import (
    Call,
    WordParser,
    answer_open_decision,
    plays,
    start_automatic_bridge_workers,
)
from ..terminal.roll_and_chart_options import ExampleOf
from ..untrusted_input import parse_toml
from .argument_completions import DECISION, PATH

if TYPE_CHECKING:
    from ..campaign.campaign import PastCommand
    from ..content.system_checks import CheckResult
    from ..kernel.journal_types import EntryMarks, JournalEntry

app = new_app("The campaign.")


@command(app, "new", kind="reads")
def new(
    options: Options,
    directory: Annotated[str, typer.Argument(metavar=FOLDER, help="A folder to make.")],
    name: Annotated[str, typer.Option("--name", help="The campaign's name.")] = "",
    empty: Annotated[
        bool, typer.Option("--empty", help="An empty campaign, without the example party.")
    ] = False,
    system: ExampleOf = "",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="The seed of its dice.")
    ] = None,
) -> Result:
    """Make a campaign: a folder with a commented campaign.toml, ready to play.

    It begins with an example that you can change bit by bit. --system chooses the example of another game;
    --empty leaves it out. For editors that complete TOML, there is a campaign.schema.json (`strike schema`).

    Example: `strike new my-campaign --name "The Lantern Road"`
    """
    from ..campaign.create import create_campaign_folder
    from ..command_line_splitting import quote_word_if_needed
    from ..content.campaign_json_schema import SCHEMA_FILE, campaign_schema, schema_text

    folder = Path(directory)

    def campaign_schema_file() -> dict[str, str]:
        with Campaign(folder) as campaign:
            return {SCHEMA_FILE: schema_text(campaign_schema(campaign.book))}

    create_campaign_folder(
        folder, name=name, empty=empty, system=system, seed=seed, further_files=campaign_schema_file
    )
    with Campaign(folder) as campaign:
        book = campaign.book
    lines: list[Line] = [
        (f"{book.name} is in {folder}", "strong"),
        f"{len(book.characters)} characters, {len(book.creatures)} creatures, "
        f"{len(book.encounters)} encounters.",
        [
            ("Next: ", "dim"),
            (f"cd {quote_word_if_needed(str(folder))}", "command"),
            ", open campaign.toml in your editor, then ",
        ],
        [
            "      ",
            (
                f"{options.invocation.command_form.program_words_without_campaign(elsewhere=True)} status",
                "command",
            ),
        ],
    ]
    return Result("new", {"folder": str(folder), "name": book.name}, lines)


@command(app, "undo", kind="reads")
def undo(
    options: Options,
    count: Annotated[
        str, typer.Argument(metavar="[N|#SEQ]", help="How many; #SEQ: back to that command.")
    ] = "1",
    turn: Annotated[bool, typer.Option("--turn", help="The current turn, except its beginning.")] = False,
    round_: Annotated[bool, typer.Option("--round", help="The current round, except its beginning.")] = False,
) -> Result:
    """Undo the last command, the last N, or all back to #SEQ.

    Redo restores them; the log keeps everything. A `next` counts as one command.

    Example: `strike undo 2`
    """
    with options.open_campaign(writing=True) as campaign:
        if turn or round_:
            stage, name = (_identity_of_turn, "turn") if turn else (_identity_of_round, "round")
            past = _commands_in_current_turn_or_round(campaign, stage, name)
        else:
            past = _commands_to_undo(campaign, count)
        taken = campaign.take_back(past)
        return _start_bridge_and_report_undo_or_redo("undo", "Undone", campaign, taken)


def _commands_to_undo(campaign: Campaign, typed: str) -> list[PastCommand]:
    """Return the commands that `undo` takes back for the word `typed`, newest first.

    `3` means the last three commands, and `#63` means entry 63 and everything after it. Raises
    UndoCountTooLow for any other word, and Refused if there is no such command.
    """
    seq = typed.removeprefix("#")
    if not (seq.isascii() and seq.isdigit() and len(seq) < 10):
        from strike_cli.refusals import UndoCountTooLow

        raise UndoCountTooLow(typed, "`strike undo '#63'` undoes everything back to #63.")
    if seq == typed:
        return _commands_of_last_steps(campaign, int(seq))
    past = [*takewhile(lambda each: each.entry["seq"] >= int(seq), campaign.commands_in_effect())]
    if not past or past[-1].entry["seq"] != int(seq):
        raise Refused(f"There is no command #{int(seq)} to take back.", "`strike log` shows what was played.")
    return past


def _commands_of_last_steps(campaign: Campaign, steps: int) -> list[PastCommand]:
    """Return the commands of the last `steps` steps, newest first.

    A step is one command, or all the commands that one `strike next` played.
    """
    if steps < 1:
        from strike_cli.refusals import UndoCountTooLow

        raise UndoCountTooLow(steps)
    past: list[PastCommand] = []
    known = 0
    for each in campaign.commands_in_effect():
        past.append(each)
        known += "act" not in each.entry
        if known == steps:
            return past
    raise too_few_to_undo_refusal(known)


def _commands_in_current_turn_or_round(
    campaign: Campaign, identity_of: Callable[[Mapping[str, object]], object], name: str
) -> list[PastCommand]:
    """Return the commands played in the current turn or round, newest first.

    `identity_of` returns a key for the turn or round of a state, or None if none is under way. Commands with
    the same key belong together. `name` is the word for messages: "turn" or "round".

    Raises Refused if no turn or round is under way, or if nothing has been played in it.
    """
    now = identity_of(campaign.state)
    if now is None:
        raise Refused(f"No {name} is under way.", "`strike undo` takes back the last command.")
    past = [*takewhile(lambda each: identity_of(each.before) == now, campaign.commands_in_effect())]
    if not past:
        raise Refused(
            f"Nothing has been played in this {name} yet.", "`strike undo` takes back its beginning, too."
        )
    return past


def _identity_of_turn(state: Mapping[str, object]) -> tuple[object, ...] | None:
    """Return a key for the current turn: the newest scene's id, its round, and the active person.

    Return None if it is nobody's turn.
    """
    from ..registry.scenes_and_decisions_in_state import scenes_of

    scenes = scenes_of(state)
    order = scenes[-1].order if scenes else None
    return (scenes[-1].id, scenes[-1].round, order.active) if order and order.active else None


def _identity_of_round(state: Mapping[str, object]) -> tuple[object, ...] | None:
    """Return a key for the current round: the newest scene's id and its round.

    Return None before the first round.
    """
    from ..registry.scenes_and_decisions_in_state import scenes_of

    scenes = scenes_of(state)
    return (scenes[-1].id, scenes[-1].round) if scenes and scenes[-1].round else None


@command(app, "redo", kind="reads")
def redo(options: Options, count: Annotated[int, typer.Argument(metavar="[N]")] = 1) -> Result:
    """Restore commands that were undone, with the same dice.

    This works until something else is played after the undo.

    Example: `strike redo`
    """
    with options.open_campaign(writing=True) as campaign:
        return _start_bridge_and_report_undo_or_redo(
            "redo", "Done again", campaign, campaign.redo(_count_commands_to_redo(campaign, count))
        )


def _count_commands_to_redo(campaign: Campaign, steps: int) -> int:
    """Return how many commands to redo, in order to redo the last `steps` undone steps.

    A step is one command, or all the commands of one `strike next`. If there are fewer undone steps than
    `steps`, the result is greater than the number of undone commands.
    """
    if steps < 1:
        return steps
    positions = campaign.head.redo[::-1]
    for count, position in enumerate(positions):
        steps -= "act" not in campaign.journal.entry_at(position)
        if steps < 0:
            return count
    return len(positions) + steps


def _start_bridge_and_report_undo_or_redo(
    command_name: str, verb: str, campaign: Campaign, entries: Sequence[tuple[JournalEntry, str]]
) -> Result:
    start_automatic_bridge_workers(campaign)
    lines: list[Line] = [f"{verb}: {name}." for _, name in entries]
    data = {"of": [{"seq": entry["seq"], "command": entry["command"]} for entry, _ in entries]}
    for item in pending_decisions_in(campaign.state).values():
        lines += open_decision_lines(item, campaign.book.locale())
    return Result(command_name, data, lines, seq=campaign.head.seq, notices=campaign.notices)


@command(app, "choose", kind="plays")
def choose(
    options: Options,
    answers: Annotated[
        list[str],
        typer.Argument(metavar=OPTION.with_text("OPTION..."), help="The answer, or several in order."),
    ],
    scene: Annotated[
        str, typer.Option("--for", metavar=DECISION, help="The decider, if several decisions are open.")
    ] = "",
) -> Result:
    """Answer an open decision, and play on.

    Example: `strike choose damage`
    """
    return answer_open_decision(options, answers, scene)


@plays(app, "override", "override", kind="writes", context_settings={"ignore_unknown_options": True})
def override(
    path: Annotated[str, typer.Argument(metavar=PATH, help="Like characters.vex.ap")],
    value: Annotated[
        str,
        typer.Argument(metavar="VALUE", help="A number, true, text, a TOML value, or `none`."),
        WordParser(_parse_toml_value),
    ],
    why: Annotated[str, typer.Option("--why", help="The reason, kept in the log.")],
) -> None:
    """Set anything in the state, with a reason. Undo takes it back.

    Example: `strike override characters.vex.ap 3 --why "forgot the Awesome Point"`
    """


def _parse_toml_value(call: Call, text: str) -> object:
    """Return the value of a typed TOML text; a bare word is text.

    The word `none`, which removes the key, gives None. Raises Usage for a value that state.toml can't
    contain.
    """
    import tomllib

    if text == "none":
        return None
    try:
        return parse_toml(f"value = {text}".encode())["value"]
    except (tomllib.TOMLDecodeError, UnicodeError):
        return text
    except ValueError as error:
        raise Usage(
            f"VALUE: {error}.", "Give a value that state.toml can hold. Nothing was changed."
        ) from None


@command(app, "again", kind="plays")
def again(
    options: Options,
    entry: Annotated[str, typer.Argument(metavar="JSON", help="A command in the journal's form.")],
) -> Result:
    """Play a recorded command again, with its dice and choices.

    If two copies of a campaign have diverged, `strike doctor --mend` writes the commands of the other copy as
    a script. Each line of such a script is this command. Dice that don't fit any more are refused; remove
    them to roll again.

    Example: `strike again '{"command": "roll die", "args": {"n": 2, "sides": 6}, "dice": [5, 2]}'`
    """
    from ..play.command_execution import PlaySettings, perform_command
    from ..terminal.command_output import performed_result

    given = _parse_recorded_command(entry)
    how = PlaySettings(
        dice=cast("Sequence[int] | None", given.get("dice") or None),
        choices=cast("Sequence[str]", given.get("choices", ())),
        secret=options.secret or bool(given.get("secret")),
        note=options.note or str(given.get("note", "")),
        player=str(given.get("player", "")),
        is_open=options.yes or bool(given.get("open")),
        # In scripts of an older strike it is an argument.
        confirms=bool(given.get("confirms")) or given["args"].get("sure") is False,  # type: ignore[attr-defined]  # a table
    )
    was: EntryMarks = {"was": str(given["was"])} if given.get("was") else {}
    with options.open_campaign(writing=True) as campaign, campaign.mark_entries(was):
        try:
            performed = perform_command(
                campaign, str(given["command"]), cast("Mapping[str, object]", given["args"]), how
            )
        except (KeyError, TypeError, ValueError) as error:
            why = f"{type(error).__name__} {error}"
            raise Usage(
                f"`{given['command']}` can't be played with these arguments: {why}.", _WRITTEN
            ) from None
        start_automatic_bridge_workers(campaign)
        return performed_result(performed, campaign, explain=options.explain)


_WRITTEN = "Write it in the journal's form: command, args, dice, choices. Nothing was changed."


def _parse_recorded_command(text: str) -> dict[str, object]:
    """Parse the JSON of a recorded command, as it was typed for the command `again`.

    Raises Usage if the text isn't the JSON of a recorded command.
    """
    form = {"command": str, "args": dict, "dice": list, "choices": list}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict) or not {"command", "args"} <= given.keys():
        raise Usage("JSON: this is not a recorded command.", _WRITTEN)
    wrong = [key for key, kind in form.items() if not isinstance(given.get(key, kind()), kind)]
    wrong += ["dice"] * any(type(face) is not int for face in given.get("dice", ()))
    wrong += ["choices"] * any(type(choice) is not str for choice in given.get("choices", ()))
    if wrong:
        raise Usage(f"JSON: {wrong[0]} is in a wrong form.", _WRITTEN)
    return given


@command(app, "replay", kind="reads")
def replay(
    options: Options,
    verify: Annotated[bool, typer.Option("--verify", help="Play everything again and compare.")] = False,
) -> Result:
    """Play the journal again with its recorded dice and choices, and report differences.

    The journal isn't changed. A difference usually means that the rules or campaign.toml are no longer the
    same. If only the wording of an entry differs, the entry is counted but not listed.

    Example: `strike replay --verify`
    """
    from ..play.replay import verify_campaign as compare

    if not verify:
        raise Usage("Say what the replay is for.", "`strike replay --verify` compares it with the journal.")
    with options.open_campaign() as campaign:
        report = compare(campaign)
        folded = pluralize(report.folded, "entry", "entries")
        lines: list[Line] = [f"{pluralize(report.played, 'command')} played again, {folded} folded."]
        lines += [(f"#{d['seq']} {d['command']}: {d['what']}", "bad") for d in report.differences]
        if report.reworded:
            count = f"{report.reworded} entries are" if report.reworded > 1 else "1 entry is"
            lines.append((f"{count} worded differently now, with the same effect.", "dim"))
        if not report.differences:
            lines.append(("No difference: state, journal and rules agree.", "good"))
        data = {
            "played": report.played,
            "folded": report.folded,
            "reworded": report.reworded,
            "differences": report.differences,
        }
        problem = None
        if report.differences:
            why = "The rules or campaign.toml have changed since, or the journal was tampered with."
            if report.missing:
                why = f"{' '.join(report.missing)} Only these had changes, which may be the reason."
            differ = len(report.differences)
            problem = CampaignProblem(f"{differ} difference{'s' if differ > 1 else ''}.", why)
            lines.append((f"{problem.message} {why}", "dim"))
        return Result("replay", data, lines, notices=campaign.notices, problem=problem)


@command(app, "doctor", kind="reads")
def doctor(
    options: Options,
    mend: Annotated[
        bool,
        typer.Option("--mend", help="Keep every readable entry of a journal, and one of two branches."),
        ONLY_HERE,
    ] = False,
    upgrade: Annotated[
        bool,
        typer.Option("--upgrade", help="Upgrade files of an earlier strike, and keep a copy."),
        ONLY_HERE,
    ] = False,
) -> Result:
    """Check the whole campaign: files, names, state against journal, plugins.

    Without --mend or --upgrade, nothing is changed. Even with them, your own texts stay as they are.

    Example: `strike doctor`
    """
    from ..campaign.doctor import examine_campaign

    folder = options.campaign_folder()
    import platform

    from .. import __version__

    system = f"{platform.system()} {platform.release()}"
    about = {"strike": __version__, "python": platform.python_version(), "system": system}
    lines: list[Line] = [(", ".join(f"{name} {what}" for name, what in about.items()), "dim")]
    if mend:
        from ..campaign.journal_repair import repair_journal as mended

        lines += [(line, "warn") for line in mended(folder)]
    if upgrade:
        from ..campaign.folder_upgrade import back_up_and_upgrade_files as upgraded

        done = [*upgraded(folder), *_migrate_state_or_explain(folder)]
        lines += [(line, "warn") for line in done or ["Nothing needs an upgrade."]]
    findings = examine_campaign(folder)
    findings += _new_faults_of_bridge(folder, findings)
    for finding in findings:
        style = "warn" if finding.warning else "good" if finding.ok else "bad"
        sign = "!  " if finding.warning else "ok " if finding.ok else "!! "
        lines.append([(sign, style), finding.what])
        if finding.hint:
            lines.append((f"   {finding.hint}", "dim"))
    bad = [Finding(one.what, one.hint) for one in findings if not one.ok]
    problem = Unsound(bad) if bad else None
    data = {"findings": [one._asdict() for one in findings], "about": about}
    return Result("doctor", data, lines, problem=problem)


def _new_faults_of_bridge(folder: Path, known_findings: Sequence[CheckResult]) -> list[CheckResult]:
    """Return faults of the bridge to tabletops.

    These are faults in targets' settings, failed deliveries, and kinds of targets in plugins that can't be
    used. If `known_findings` already has a fault in a target's table, this target is skipped.
    """
    from strike_bridge.doctor import past_delivery_faults, settings_faults
    from strike_bridge.targets import plugin_kind_faults

    from ..content.system_checks import CheckResult

    words = " ".join(each.what for each in known_findings if not each.ok)
    faulty = set(re.findall(r"\bbridge\.targets\.([\w-]+)\.", words))
    wrong = (*settings_faults(folder, faulty), *past_delivery_faults(folder, faulty))
    found = [(found.what, found.remedy) for found in wrong]
    found += [(trouble, "`strike plugin doctor` says more.") for trouble in plugin_kind_faults()]
    return [CheckResult(False, what, hint) for what, hint in found]


def _migrate_state_or_explain(folder: Path) -> list[str]:
    """Convert the stored state of systems to the version that they read; return a line for each.

    If a conversion is refused, the only line is the reason. If the campaign can't be read, there are no
    lines: other checks of `doctor` report that.
    """
    from ..campaign.state_migration import migrate_state

    try:
        with Campaign(folder, writing=True) as campaign:
            return migrate_state(campaign)
    except CampaignProblem:  # the checks of `doctor` report it
        return []
    except Problem as problem:
        return [f"{problem.message} {problem.hint}"]
