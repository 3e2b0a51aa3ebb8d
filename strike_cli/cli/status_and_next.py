"""The commands `strike status` and `strike next`: the campaign's present state, and its next step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..included_and_stray_files import CONFLICT, COPY, stray_files_and_folders_below
from ..kernel.procedure import World
from ..kernel.state_changes import open_or_last_session_in, pending_decisions_in
from ..problems import Refused, listed
from ..registry.installed_plugins import plugin_index
from ..registry.scenes_and_decisions_in_state import (
    exhibits_on_the_table,
    scenes_under_way,
    tables_of_missing_systems,
)
from ..terminal.command_output import Block, Result, Span, Table, open_decision_lines
from ..terminal.commands_and_options import Options, command, new_app
from ..terminal.scene_view import (
    id_name_round_and_active_of_scene,
    meter_cells_by_heading,
    meters_by_id_of_sheet,
    people_by_turn_state_lines,
    scene_state_line,
)
from ..terminal.sheet_and_party_views import party_views
from ..terminal.system_views import tasks_of_parked_scenes

app = new_app("The campaign.")


@command(app, "next")
def next_(options: Options) -> Result:
    """Play the next step of the scene under way.

    In a fight this may be initiative, or the end of one turn and the beginning of the next. If the scene is
    decided, the step is its end. If a decision is open, it is shown, and nothing is played. If no scene is
    under way, you see a list of what could begin.

    Example: `strike next`
    """
    from ..session.shorthand import systems_with_open_scenes
    from ..terminal.commands_of_every_scene import open_decision_result, play_next_turn_or_step
    from .help import commands_between_scenes, step_lines

    with options.open_campaign(writing=True) as campaign:
        for system in systems_with_open_scenes(campaign.state)[:1]:
            if not system.scene.next_turn:
                raise Refused(
                    f"{system.title} has no command `next`.", f"`strike {system.name} show` says more."
                )
            return play_next_turn_or_step(options, campaign, system)
        for waiting in pending_decisions_in(campaign.state).values():
            return open_decision_result("next", campaign, waiting)
        steps = list(commands_between_scenes(campaign))
        lines: list[Block] = ["No scene is under way. Next:", *step_lines(steps)]
        return Result("next", {"next": [step for step, _ in steps]}, lines, notices=campaign.notices)


@command(app, "status", kind="reads")
def status(options: Options) -> Result:
    """Show the session, the scenes under way and parked, the open decisions, and the party.

    Example: `strike status`
    """
    with options.open_campaign() as campaign:
        state, book = campaign.state, campaign.book
        world = World(book, state)
        now = open_or_last_session_in(state)
        scenes = scenes_under_way(state)
        pending = pending_decisions_in(state)
        lying = exhibits_on_the_table(state, book.locale())
        parked = tasks_of_parked_scenes(world)
        people = list(book.characters)
        views = party_views(world, people)
        data = {
            "name": book.name,
            "folder": str(campaign.folder),
            "session": now.get("number", 0),
            "session_open": now.get("open", False),
            "seq": campaign.head.seq,
            "commands": campaign.head.commands,
            "scenes": [
                {"system": scene.system, **id_name_round_and_active_of_scene(scene)} for scene in scenes
            ],
            **dict.fromkeys(plugin_index().scenes),
            **{scene.key: id_name_round_and_active_of_scene(scene) for scene in scenes},
            "parked": [{"what": what, "next": typed} for what, typed in parked],
            "pending": [{"scene": scene, **_decision_as_json(item)} for scene, item in pending.items()],
            "exhibits": [one._asdict() for one in lying],
            "party": [
                {
                    "id": person,
                    "name": book.characters[person]["name"],
                    "meters": meters_by_id_of_sheet(scenes, person),
                }
                | {key: value for view in views for key, value in view.data.get(person, {}).items()}
                for person in people
            ],
            "troubles": [str(trouble) for trouble in book.troubles],
        }
        columns = [column for view in views for column in view.columns.items()]
        columns += meter_cells_by_heading(scenes, people).items()
        names = {person: _on_one_line(book.characters[person]["name"]) for person in people}
        told = [
            line for each in scenes for line in (scene_state_line(each), *people_by_turn_state_lines(each))
        ]
        seen = [f"{one} (you alone)" if one.hidden else str(one) for one in lying]
        lines: list[Block] = [
            (_on_one_line(book.name), "title"),
            *_session_blocks(now, told, parked, seen),
            _party_table(names, columns),
        ]
        for item in pending.values():
            lines += open_decision_lines(item, book.locale())
        not_here = "is kept for a plugin that is not installed: `strike doctor` names it."
        lines += [(str(trouble), "warn") for trouble in book.troubles]
        lines += [(f"[{key}] {not_here}", "warn") for key in tables_of_missing_systems(state)]
        lines += _warning_of_copies(campaign.folder)
        return Result("status", data, lines, notices=campaign.notices)


def _session_blocks(
    session: Mapping[str, object],
    scenes: Iterable[Block],
    parked: Iterable[tuple[str, str]],
    exhibits: Sequence[str],
) -> Iterator[Block]:
    """Yield the blocks about the session, its scenes, the parked scenes, and the exhibits on the table."""
    if session:
        yield f"Session {session['number']} is {'under way' if session['open'] else 'over'}."
    else:
        yield [("No session yet: ", "dim"), ("strike session start", "command")]
    yield from scenes
    for what, typed in parked:
        yield [f"{what}: ", (typed, "command")]
    if exhibits:
        yield [("On the table: ", "dim"), "; ".join(exhibits)]


def _on_one_line(name: object) -> str:
    return " ".join(str(name).split())


def _party_table(names: Mapping[str, str], columns: Sequence[tuple[str, Mapping[str, Span]]]) -> Table:
    rows = [
        [(name, "name"), *(cells.get(person, "") for _, cells in columns)] for person, name in names.items()
    ]
    return Table(["", *(heading for heading, _ in columns)], rows)


def _decision_as_json(decision: Mapping[str, object]) -> dict[str, object]:
    asks = decision.get("text") or decision["what"]
    return {
        "who": decision["who"],
        "what": decision["what"],
        "asks": asks,
        **{key: decision[key] for key in _ANSWERS},
    }


_ANSWERS = ("options", "labels")


def _warning_of_copies(folder: Path) -> list[Block]:
    """Return a warning about the files that were left out as copies; nothing if there are none."""
    copied = [place for place, kind in stray_files_and_folders_below(folder) if kind in (COPY, CONFLICT)]
    text = f"Left out as copies: {listed(copied, 4)}. `strike doctor` says more."
    return [(text, "warn")] if copied else []
