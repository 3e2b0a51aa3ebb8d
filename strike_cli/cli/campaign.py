"""The campaign itself: new, status, log, undo and redo, decisions, overrides, replay, doctor."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..campaign import Campaign
from ..problems import CampaignProblem, Usage
from .options import Options, command, new_app
from .playing import answer_pending, leave_drain, play
from .result import Line, Result, Table, spans
from .views import fact_lines, pending_lines, played

app = new_app()


@app.callback()
def _group() -> None:
    """The campaign."""


@command(app, "new", kind="reads")
def new(
    options: Options,
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A folder to make.")],
    name: Annotated[str, typer.Option("--name", help="The campaign's name.")] = "",
    empty: Annotated[bool, typer.Option("--empty", help="Only the frame, no example party.")] = False,
) -> Result:
    """Make a campaign: a folder with a commented campaign.toml, ready to play.

    It starts as the example campaign, to be changed bit by bit; --empty leaves only the frame.

    Example: `strike new my-campaign --name "The Lantern Road"`
    """
    from ..campaign.create import create

    folder = create(Path(directory), name=name, empty=empty)
    with Campaign(folder) as campaign:
        book = campaign.book
    lines: list[Line] = [
        (f"{book.name} is in {folder}", "strong"),
        f"{len(book.characters)} characters, {len(book.creatures)} creatures, "
        f"{len(book.encounters)} encounters.",
        [("Next: ", "dim"), (f"cd {folder}", "command"), ", open campaign.toml in your editor, then "],
        [("      ", "dim"), ("strike status", "command")],
    ]
    return Result("new", {"folder": str(folder), "name": book.name}, lines)


@command(app, "status", kind="reads")
def status(options: Options) -> Result:
    """How things stand: the session, the scene under way, what is pending, the party.

    Example: `strike status`
    """
    from ..rules.people import action_points
    from ..rules.procedure import World

    with options.campaign() as campaign:
        state, book = campaign.state, campaign.book
        world = World(book, state)
        now = state.get("session", {})
        fight, conflict = state.get("fight"), state.get("conflict")
        pending = state.get("pending", {})
        party = []
        for who, sheet in book.characters.items():
            own = state.get("characters", {}).get(who, {})
            conditions = [book.conditions[key]["name"] for key in own.get("conditions", [])]
            party.append(
                {"id": who, "name": sheet["name"], "ap": action_points(world, who), "conditions": conditions}
            )
        data = {
            "name": book.name,
            "folder": str(campaign.folder),
            "session": now.get("number", 0),
            "session_open": now.get("open", False),
            "seq": campaign.head.seq,
            "commands": campaign.head.commands,
            "fight": _fight_summary(fight) if fight else None,
            "conflict": {key: conflict[key] for key in ("name", "round")} if conflict else None,
            "pending": [{"scene": scene, **_question(item)} for scene, item in pending.items()],
            "party": party,
            "troubles": book.troubles,
        }
        lines: list[Any] = [(book.name, "title")]
        if now:
            lines.append(f"Session {now['number']} is {'under way' if now['open'] else 'over'}.")
        else:
            lines.append([("No session yet: ", "dim"), ("strike session start", "command")])
        if fight:
            lines.append(_fight_line(fight))
        if conflict:
            lines.append(_conflict_line(conflict))
        lines.append(
            Table(
                ["", ">AP", "Conditions"],
                [[(p["name"], "name"), str(p["ap"]), ", ".join(p["conditions"]) or "-"] for p in party],
            )
        )
        for item in pending.values():
            lines += pending_lines(item)
        lines += [(trouble, "warn") for trouble in book.troubles]
        return Result("status", data, lines, notices=campaign.notices)


def _fight_summary(fight: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": fight["id"], "name": fight["name"], "round": fight["round"], "active": fight.get("active")}


def _fight_line(fight: Mapping[str, Any]) -> Line:
    if not fight["round"]:
        return [f"{fight['name']} is set up: ", ("strike combat initiative", "command")]
    active = fight.get("active")
    turn = f", {fight['combatants'][active]['name']}'s turn" if active else ""
    return [f"{fight['name']}: round {fight['round']}{turn}. ", ("strike combat show", "command")]


def _conflict_line(conflict: Mapping[str, Any]) -> Line:
    if conflict.get("ended"):
        return [f"{conflict['name']} is over: ", ("strike conflict end", "command")]
    return [f"{conflict['name']}: round {conflict['round']}. ", ("strike conflict show", "command")]


def _question(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item[key] for key in ("who", "what", "options", "labels")}


@command(app, "log", kind="reads")
def log(
    options: Options,
    last: Annotated[int, typer.Option("--last", metavar="N", help="How many entries.", min=1)] = 20,
    session_number: Annotated[
        int | None, typer.Option("--session", metavar="N", help="All of one session.")
    ] = None,
    gm: Annotated[
        bool, typer.Option("--gm", help="With what was picked in secret and not revealed yet.")
    ] = False,
) -> Result:
    """What was played, oldest first. A secret pick of the round under way shows with --gm alone.

    Example: `strike log --last 5`
    """
    from ..campaign.journal import START

    with options.campaign() as campaign:
        if session_number is None:
            entries = campaign.journal.newest(last)
        else:
            entries = [e for e, _, _ in campaign.journal.since(START) if e["session"] == session_number]
        if not gm:
            entries = veiled(entries)
        lines: list[Line] = []
        for entry in entries:
            lines += entry_lines(entry)
        if not lines:
            lines = [("Nothing was played yet.", "dim")]
        return Result("log", {"entries": entries}, lines, notices=campaign.notices)


PICKS = {
    "conflict act": "conflict roll",
    "conflict secondary": "conflict roll",
    "conflict oppose": "conflict roll",
    "conflict scout": "conflict roll",
    "chase run": "chase roll",
    "chase predict": "chase roll",
}
"""Commands that pick for a round, and the one that reveals what was picked."""
_PICKED = {
    "conflict roll": tuple(
        f"conflict.{side}.{what}"
        for side in ("ours", "theirs")
        for what in ("actions", "opposition", "scouted")
    ),
    "chase roll": ("chase.runners_action", "chase.prediction"),
}
"""Where picks stand until that command reveals them."""


def veiled(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries, oldest first, with the secret picks that nothing has revealed yet told without what was
    picked. Undoing and redoing them tells no more."""
    revealed: set[str] = set()
    found = []
    for entry in reversed(entries):
        if not entry.get("pending"):
            revealed.add(entry["command"])
        roll = PICKS.get(entry["command"])
        if roll and roll not in revealed and entry.get("secret"):
            entry = {**entry, "args": {}, "answers": [], "facts": [_untold(one) for one in entry["facts"]]}
        elif "head" in entry:
            paths = tuple(path for key, some in _PICKED.items() if key not in revealed for path in some)
            entry = {**entry, "facts": [_without(one, paths) for one in entry["facts"]]}
        found.append(entry)
    return found[::-1]


def _untold(fact: Mapping[str, Any]) -> dict[str, Any]:
    """A fact of a secret pick: that there was one, and nothing of dice and changes."""
    picked = fact["kind"] in ("conflict-acted", "conflict-opposed", "chase-action-picked", "chase-predicted")
    return {
        "kind": fact["kind"],
        "who": fact["who"],
        "text": fact.get("untold", fact["text"] if picked else ""),
        "changes": [],
    }


def _without(fact: Mapping[str, Any], paths: tuple[str, ...]) -> dict[str, Any]:
    """A fact without its changes at these paths."""
    return {**fact, "changes": [change for change in fact["changes"] if not change[0].startswith(paths)]}


def entry_lines(entry: Mapping[str, Any]) -> list[Line]:
    """A journal entry for people: number, command, then its facts."""
    marks = [mark for mark in ("secret", "pending") if entry.get(mark)]
    marks += ["dice rolled anew"] if entry.get("reroll") else []
    tail = f"  ({', '.join(marks)})" if marks else ""
    when = str(entry["at"])[11:16]
    note = f"  {entry['note']}" if entry.get("note") else ""
    head: Line = [
        (f"#{entry['seq']:<4} {when}  ", "dim"),
        (entry["command"], "command"),
        (tail + note, "dim"),
    ]
    told: list[Line] = [["      ", *spans(line)] for line in fact_lines(entry["facts"])]
    return [head, *told]


@command(app, "undo", kind="reads")
def undo(options: Options, count: Annotated[int, typer.Argument(metavar="[N]")] = 1) -> Result:
    """Take back the last command, or the last N. Redo puts them back; the log keeps everything.

    Example: `strike undo 2`
    """
    with options.campaign(writing=True) as campaign:
        taken = campaign.undo(count)
        return _moved("undo", "Undone", campaign, taken)


@command(app, "redo", kind="reads")
def redo(options: Options, count: Annotated[int, typer.Argument(metavar="[N]")] = 1) -> Result:
    """Put back what undo took back, with the same dice, until something else is played.

    Example: `strike redo`
    """
    with options.campaign(writing=True) as campaign:
        return _moved("redo", "Done again", campaign, campaign.redo(count))


def _moved(command_: str, verb: str, campaign: Campaign, entries: list[dict[str, Any]]) -> Result:
    leave_drain(campaign)
    lines: list[Line] = []
    for entry in entries:
        kept = bool(entry.get("secret"))  # and stays so: who takes it back may not be who may see it
        told = [fact.get("untold", fact["text"]) if kept else fact["text"] for fact in entry["facts"]]
        texts = [text for text in told if text]
        lines.append(
            [f"{verb}: #{entry['seq']} ", (entry["command"], "command"), f"  {texts[0] if texts else ''}"]
        )
    data = {"of": [{"seq": entry["seq"], "command": entry["command"]} for entry in entries]}
    for item in campaign.state.get("pending", {}).values():
        lines += pending_lines(item)
    return Result(command_, data, lines, seq=campaign.head.seq, notices=campaign.notices)


@command(app, "choose", kind="plays")
def choose(
    options: Options,
    answers: Annotated[
        list[str], typer.Argument(metavar="OPTION...", help="The answer, or several in order.")
    ],
    scene: Annotated[
        str, typer.Option("--for", metavar="SCENE", help="Which decision, if several wait.")
    ] = "",
) -> Result:
    """Answer the decision that a command waits for, and play on.

    Example: `strike choose damage`
    """
    return answer_pending(options, answers, scene)


@command(app, "override", kind="writes", context_settings={"ignore_unknown_options": True})
def override(
    options: Options,
    path: Annotated[str, typer.Argument(metavar="PATH", help="Like fight.combatants.vex.hp")],
    value: Annotated[
        str, typer.Argument(metavar="VALUE", help="A number, true, text, a TOML value, or `none`.")
    ],
    why: Annotated[str, typer.Option("--why", help="The reason, kept in the log.")],
) -> Result:
    """The game master's hand: set anything in the state, with a reason. Undo takes it back.

    Example: `strike override characters.vex.ap 3 --why "forgot the Awesome Point"`
    """
    from ..play.commands import TABLE
    from ..play.touched import SCENES

    with options.campaign(writing=True) as campaign:
        table, _, rest = path.partition(".")
        who = rest.partition(".")[0]
        scene = f"roll {who}" if table == "characters" and who else table if table in SCENES else TABLE
        args = {"path": path, "value": _value(value), "why": why, "scene": scene}
        return played(play(options, campaign, "override", args), campaign)


def _value(text: str) -> Any:
    """A TOML value as typed; bare words are text, `none` takes the key away."""
    import tomllib

    if text == "none":
        return None
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


@command(app, "replay", kind="reads")
def replay(
    options: Options,
    verify: Annotated[bool, typer.Option("--verify", help="Play everything again and compare.")] = False,
) -> Result:
    """Play the journal again from its recorded dice and choices, and say where it differs.

    A difference means that the rules or campaign.toml have changed since; what was played stays as it is.
    What is only worded otherwise did the same.

    Example: `strike replay --verify`
    """
    from ..play.replay import verify as compare

    if not verify:
        raise Usage(
            "Say what to do with the replay.", "`strike replay --verify` compares it with the journal."
        )
    with options.campaign() as campaign:
        report = compare(campaign)
        lines: list[Line] = [f"{report.played} commands played again, {report.folded} entries folded."]
        lines += [(f"#{d['seq']} {d['command']}: {d['what']}", "bad") for d in report.differences]
        if not report.differences:
            lines.append(("No difference: the state is what the journal says, and the rules agree.", "good"))
        data = {"played": report.played, "folded": report.folded, "differences": report.differences}
        problem = None
        if report.differences:
            problem = CampaignProblem(
                f"{len(report.differences)} differences.",
                "The rules or campaign.toml have changed since, or the journal was tampered with.",
            )
        return Result("replay", data, lines, notices=campaign.notices, problem=problem)


def _bridge_findings(folder: Path) -> list[dict[str, Any]]:
    """How the bridge's targets are set up: their kinds alone know their options."""
    from strike_bridge.checkup import set_up_wrongly

    return [{"ok": False, "what": found.what, "hint": found.remedy} for found in set_up_wrongly(folder)]


@command(app, "doctor", kind="reads")
def doctor(
    options: Options,
    mend: Annotated[
        bool, typer.Option("--mend", help="Set aside what a power cut left unreadable at the journal's end.")
    ] = False,
) -> Result:
    """Check a campaign whole: files, names, state against journal, plugins. Changes nothing without --mend.

    Example: `strike doctor`
    """
    from ..campaign import find_campaign
    from ..campaign.doctor import examine

    folder = find_campaign(options.folder)
    if folder is None:
        raise CampaignProblem("There is no campaign here.", "Name one with -C DIR.")
    lines: list[Line] = []
    if mend:
        from ..campaign.mend import mend as mended

        lines += [(line, "warn") for line in mended(folder)]
    findings = [*examine(folder), *_bridge_findings(folder)]
    for finding in findings:
        style = "good" if finding["ok"] else "bad"
        sign = "ok " if finding["ok"] else "!! "
        lines.append([(sign, style), finding["what"]])
        if finding.get("hint"):
            lines.append((f"   {finding['hint']}", "dim"))
    bad = [finding for finding in findings if not finding["ok"]]
    problem = CampaignProblem(f"{len(bad)} findings.", "Each says what mends it.") if bad else None
    return Result("doctor", {"findings": json.loads(json.dumps(findings))}, lines, problem=problem)
