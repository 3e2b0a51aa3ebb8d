"""`strike prep`: the scenes of the coming session, and what is missing in them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import CampaignProblem, pluralize
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app

from . import argument_completions
from .scene import find_scene, scene_text

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World

    from .scene_gaps import SceneGap, SimulatedFight

app = new_app("""Check tonight's scenes.

    Example: `strike prep`
    """)
FIGHTS, SECONDS = 40, 30
SOON = 7
"""The most days until a deadline that counts as soon."""


@command(app, "prep", kind="reads")
def prep(
    options: Options,
    scenes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=argument_completions.SCENE.with_text("[SCENE]..."), help="The scenes. Default: tonight's."
        ),
    ] = None,
    sim: Annotated[
        bool, typer.Option("--sim", help="Also play their fights, and name the deadly ones.")
    ] = False,
    seconds: Annotated[
        int, typer.Option("--seconds", metavar="N", min=1, max=3600, help="The time limit of --sim.")
    ] = SECONDS,
) -> Result:
    """Check tonight's scenes and list everything missing, with file and line.

    Tonight's scenes have `tonight = true`; without any, all unplayed scenes count. It finds missing
    creatures, encounters, tables, clocks, handouts and pictures, fights that can't begin, and broken links.

    Example: `strike prep`
    """
    from strike_cli.kernel.procedure import World

    from .scene_gaps import GapSearch, gap_count_words

    with options.open_campaign() as campaign:
        book, world = campaign.book, World(campaign.book, campaign.state)
        wanted = [find_scene(campaign, name) for name in scenes or ()] or unplayed_scenes_for_tonight(world)
        texts = {id: scene_text(campaign, id) for id in dict.fromkeys(wanted)}
        looking = GapSearch(book, campaign.folder)
        found = [one for id, text in texts.items() for one in looking.gaps_in_scene(id, text)]
        tried = list(looking.simulate_fights(texts, FIGHTS, time.monotonic() + seconds)) if sim else []
        found += [one.as_gap() for one in tried if one.is_deadly]
        troubles = list(map(str, book.troubles))
        soon = list(_nearly_full_clocks_and_deadlines(world))
        data = {
            "scenes": [{"id": id, "name": book.scenes[id]["name"]} for id in texts],
            "missing": [one._asdict() for one in found],
            "left_out": troubles,
            "fights": [one.as_json() for one in tried],
            "soon": soon,
        }
        missing = _missing_blocks(found, troubles) if texts or troubles else ()
        blocks = [*_overview_blocks(campaign, texts), *_fight_blocks(tried), *missing, *_soon_blocks(soon)]
        problem = None
        if wrong := len(found) + len(troubles):
            said = f"{wrong} things are missing or wrong" if troubles else gap_count_words(found)
            problem = CampaignProblem(f"{said}.", "Each names its place and a fix.")
        return Result("prep", data, blocks, problem=problem, notices=campaign.notices)


def unplayed_scenes_for_tonight(world: World) -> list[str]:
    """Return the scenes for tonight: those marked for tonight, or all if none is marked.

    Scenes that were already played are left out.
    """
    from ..scenes_in_play import scenes_played

    over = scenes_played(world)
    ahead = {id: scene for id, scene in world.book.scenes.items() if id not in over}
    return [id for id, scene in ahead.items() if scene["tonight"]] or list(ahead)


def _overview_blocks(campaign: Campaign, texts: dict[str, str]) -> Iterator[Block]:
    from ..scene_files import ALOUD, passages_of
    from .scene_gaps import kinds_that_can_begin

    book = campaign.book
    if not texts:
        some = bool(book.table("scenes"))
        yield (
            "All scenes have been played." if some else "No scenes yet. Each is a file: scenes/NAME.md.",
            "dim",
        )
        return
    rows: list[list[Span]] = []
    for id, text in texts.items():
        scene = book.scenes[id]
        aloud = sum(len(one.text.split()) for one in passages_of(text) if one.kind == ALOUD)
        starts = [word for kind in kinds_that_can_begin(book) for word in scene.get(kind, ())]
        rows.append([(id, "command"), (scene["name"], "name"), ", ".join(starts), ", ".join(scene["people"]),
                     str(aloud) if aloud else ""])  # fmt: skip
    yield Table(["Id", "Scene", "Begins", "People", NumberHeading("Read aloud")], rows)


def _fight_blocks(fights: Sequence[SimulatedFight]) -> Iterator[Block]:
    if fights:
        yield ""
    for one in fights:
        style = "bad" if one.is_deadly else ""
        yield [(f"{one.name}  ", "name"), (one.result_in_words, style)]


def _missing_blocks(gaps: Sequence[SceneGap], troubles: Sequence[str]) -> Iterator[Block]:
    yield ""
    if not gaps and not troubles:
        yield ("Nothing is missing.", "good")
    for one in gaps:
        yield [("!! ", "bad"), (f"{one.where}  ", "strong"), one.what]
        yield (f"   {one.remedy}", "dim")
    for trouble in troubles:
        yield [("!! ", "bad"), trouble]


def _nearly_full_clocks_and_deadlines(world: World) -> Iterator[dict[str, object]]:
    """Yield the clocks that have only one empty segment, and the deadlines in the next SOON days."""
    from ..calendar import calendar_of
    from ..clocks import clocks_of
    from ..days_and_deadlines import deadlines_of, present_day

    for clock in clocks_of(world):
        if clock.segments - clock.filled == 1:
            yield {"what": clock.name, "when": f"{clock.filled} of {clock.segments}"}
    calendar = calendar_of(world.book)
    if calendar is not None:
        now = present_day(world, calendar)
        for one in deadlines_of(world, calendar):
            if 0 < one.day - now <= SOON:
                left = pluralize(one.day - now, "day")
                yield {"what": one.name, "when": f"{calendar.date_in_words(one.day)}, in {left}"}


def _soon_blocks(soon: Sequence[dict[str, object]]) -> Iterator[Block]:
    if soon:
        yield ""
    for one in soon:
        yield [("Soon: ", "dim"), f"{one['what']}, {one['when']}"]
