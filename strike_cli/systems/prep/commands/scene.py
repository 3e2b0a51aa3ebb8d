"""`strike scene`: prepared scenes, to list, show, begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from strike_cli.file_faults import Fault
from strike_cli.problems import Refused, Usage
from strike_cli.refusals import NoSceneUnderWay, Unreadable
from strike_cli.terminal.command_output import Block, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays

from ..state import story_in
from . import argument_completions

if TYPE_CHECKING:
    from pathlib import Path

    from strike_cli.campaign import Campaign
    from strike_cli.content.merged_content import Book
    from strike_cli.play.command_execution import PerformedCommand

    from ..scene_files import Passage

app = new_app("The scenes of an evening.\n\nExample: `strike scene list`")
WIDTH = 78
"""Columns of a text for reading: longer lines tire the eye."""
BAR = "┃ "
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
"""The beginning of an item in a list."""
_AS_IT_IS = re.compile(rf"{_ITEM.pattern}|\||```|\s\s|\t")
"""The beginning of a line that is not wrapped together with others."""


def find_scene(campaign: Campaign, name: str) -> str:
    """Return the id of the scene with a name.

    Raises Usage if no scene matches, or if several do. The message also lists the faults of scene files that
    couldn't be read, since one of them may be the wanted scene.
    """
    from strike_cli.terminal.name_lookup import find_id_by_name

    book = campaign.book
    known = {id: str(scene["name"]) for id, scene in book.table("scenes").items()}
    try:
        return find_id_by_name(name, known, "scene", f" in {book.name}")
    except Usage as usage:
        wrong = [trouble for trouble in book.troubles if _is_in_scene_file(trouble)]
        if known or wrong:
            raise Usage(usage.message, "\n".join([usage.hint, *map(str, wrong)])) from None
        raise Usage(usage.message, "Write one: scenes/NAME.md, in Markdown.") from None


def _is_in_scene_file(trouble: Fault) -> bool:
    return trouble.place.file.startswith("scenes/")


SCENE = WordParser(
    lambda call, name: find_scene(call.required_campaign, name),
    lambda campaign: campaign.book.table("scenes"),
)


def scene_text(campaign: Campaign, id: str) -> str:
    """Return the text of a scene's file. Raises CampaignProblem if it can't be read any more."""
    return scene_text_in(campaign.book, campaign.folder, id)


def scene_text_in(book: Book, folder: Path, id: str) -> str:
    """Return the text of a scene's file in the campaign with this `book` and `folder`.

    Raises CampaignProblem if the file can no longer be read.
    """
    from strike_cli.included_and_stray_files import read_authored_file

    from ..scene_files import unparsed_front_matter_of

    file = book.where[f"scenes.{id}"]
    try:
        text = read_authored_file(folder / file).decode("utf-8-sig")
        unparsed_front_matter_of(text.splitlines())  # it may have changed since the campaign was read
        return text
    except (OSError, ValueError) as error:
        raise Unreadable(file, error, "Put it back, or fix it.") from None


@command(app, "list", kind="reads")
def list_(options: Options) -> Result:
    """List the scenes of the folder `scenes`, and mark those played, under way or meant for tonight.

    Example: `strike scene list`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.registry.scenes_and_decisions_in_state import scenes_of

    from ..scenes_in_play import scene_under_way, scenes_played
    from .scene_gaps import kinds_that_can_begin

    with options.open_campaign() as campaign:
        book, world = campaign.book, World(campaign.book, campaign.state)
        now, over = scene_under_way(world), scenes_played(world)
        data, rows = [], list[list[Span]]()
        for id, scene in book.table("scenes").items():
            state = "now" if id == now else "played" if id in over else "tonight" if scene["tonight"] else ""
            starts = [name for kind in kinds_that_can_begin(book) for name in scene.get(kind, ())]
            rows.append([(id, "command"), (scene["name"], "name"), (state, _STYLES.get(state, "")),
                         ", ".join(starts), (scene["summary"], "dim")])  # fmt: skip
            data.append({"id": id, "name": scene["name"], "file": book.where[f"scenes.{id}"], "state": state,
                         "begins": starts, "summary": scene["summary"]})  # fmt: skip
        blocks: list[Block] = [("No scenes yet. Each is a file: scenes/NAME.md, in Markdown.", "dim")]
        if rows:
            blocks = [Table(["Id", "Scene", "", "Begins", ""], rows)]
        playing = [{"system": each.system, "name": each.name} for each in scenes_of(campaign.state)]
        if playing:
            blocks.append(
                [("Played now: ", "dim"), ", ".join(f"{one['name']} ({one['system']})" for one in playing)]
            )
        blocks += [(str(trouble), "warn") for trouble in book.troubles if _is_in_scene_file(trouble)]
        data_ = {"scenes": data, "now": now, "playing": playing}
        return Result("scene list", data_, blocks, notices=campaign.notices)


_STYLES = {"now": "good", "played": "dim", "tonight": "strong"}


@command(app, "show", kind="reads")
def show(
    options: Options,
    scene: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.SCENE.with_text("[SCENE]"),
            help="A scene, by id or name. Default: the one under way.",
        ),
    ] = "",
) -> Result:
    """Show a scene as written: text to read aloud, notes for you alone, people, and what it starts.

    Example: `strike scene show ford`
    """
    from strike_cli.kernel.procedure import World

    from ..scene_files import non_web_links_in, passages_of, without_inline_markdown
    from ..scenes_in_play import scene_under_way

    with options.open_campaign() as campaign:
        id = find_scene(campaign, scene) if scene else scene_under_way(World(campaign.book, campaign.state))
        if not id:
            raise NoSceneUnderWay("`strike scene list` lists them; name one.")
        if id not in campaign.book.table("scenes"):
            raise Refused(f"The scene {id!r} no longer exists.", "`strike scene end` ends it.")
        text, head = scene_text(campaign, id), campaign.book.table("scenes")[id]
        data = {
            **head,
            "id": id,
            "file": campaign.book.where[f"scenes.{id}"],
            "passages": [
                {"kind": one.kind, "line": one.line, "text": without_inline_markdown(one.text)}
                for one in passages_of(text)
            ],
            "links": list(dict.fromkeys(link.target for link in non_web_links_in(text))),
        }
        return Result("scene show", data, [*scene_blocks(campaign, id)], notices=campaign.notices)


def scene_blocks(campaign: Campaign, id: str) -> Iterator[Block]:
    """Yield a scene as the game master sees it: its passages, then its named items with commands."""
    from ..scene_files import HEADING, passages_of

    scene, file = campaign.book.table("scenes")[id], campaign.book.where[f"scenes.{id}"]
    yield [(scene["name"], "title"), (f"  {file}", "dim")]
    before = ""
    for passage in passages_of(scene_text(campaign, id)):
        if passage.kind == HEADING and passage.text == scene["name"]:
            continue
        if not (before == HEADING or (_is_list_passage(passage) and before == "list")):
            yield ""
        yield from _passage_lines(passage)
        before = "list" if _is_list_passage(passage) else passage.kind
    rows = [
        *_named_things(campaign, id),
        *(NamedInScene("Leads to", *pair) for pair in _next_scenes_with_commands(campaign, id)),
    ]
    wide = max((len(row.name) for row in rows if row.command), default=0)
    if rows:
        yield ""
    for row in rows:
        command = (f"  strike {row.command}", "command") if row.command else ("", "")
        yield [(f"{row.what:10}", "dim"), (f"{row.name:{wide}}", "name"), command]


def _is_list_passage(passage: Passage) -> bool:
    return _ITEM.match(passage.text) is not None


def _passage_lines(passage: Passage) -> Iterator[Block]:
    """Yield a passage in lines of limited width.

    Text to read aloud has a bar before each line, and secret text begins with `Secret:`.
    """
    from ..scene_files import ALOUD, HEADING, SECRET, without_inline_markdown

    lead, style = {ALOUD: (BAR, "strong"), SECRET: ("", "warn"), HEADING: ("", "title")}.get(
        passage.kind, ("", "")
    )
    words = without_inline_markdown(passage.text)
    for line in _wrap_text(
        f"Secret: {words.strip()}" if passage.kind == SECRET else words, WIDTH - len(lead)
    ):
        yield [(lead, "name"), (line, style)] if lead else (line, style) if style else line


def _wrap_text(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text, wrapped to a `width`.

    A paragraph is wrapped as a whole. But in a paragraph with a list item, a table, a code fence or an
    indented line, each line is wrapped by itself.
    """
    import textwrap

    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        as_they_are = any(map(_AS_IT_IS.match, lines))
        for line in lines if as_they_are else [" ".join(line.strip() for line in lines)]:
            item = _ITEM.match(line)
            inner = " " * len(item[0]) if item else ""
            yield from textwrap.wrap(line, width, subsequent_indent=inner, break_on_hyphens=False) or [""]


class NamedInScene(NamedTuple):
    """An item that a scene names: its kind (`what`), its name, and the command for it.

    The command begins or shows the item.
    """

    what: str
    name: str
    command: str = ""


COMMANDS_BY_KIND = {"tables": "draw {}", "clocks": "clock tick {}", "handouts": "handout show {}"}


def _named_things(campaign: Campaign, id: str) -> Iterator[NamedInScene]:
    from .scene_gaps import command_to_begin, find_content_by_name, kinds_that_can_begin

    book, scene = campaign.book, campaign.book.table("scenes")[id]
    for kind in kinds_that_can_begin(book):
        for word in scene.get(kind, ()):
            found = find_content_by_name(book, [kind], word)
            name = str(book.table(kind)[found[0][1]]["name"]) if found else word
            yield NamedInScene("Begins", name, f"{command_to_begin(book, kind)} {word}")
    if scene["people"]:
        yield NamedInScene("People", ", ".join(_person_name(campaign, word) for word in scene["people"]))
    for key, typed in COMMANDS_BY_KIND.items():
        for word in scene[key]:
            found = find_content_by_name(book, [key], word)
            name = str(book.table(key)[found[0][1]]["name"]) if found else word
            yield NamedInScene(key[:-1].capitalize(), name, typed.format(word))
    if scene.get("music"):
        yield NamedInScene("Music", scene["music"])


def _next_scenes_with_commands(campaign: Campaign, id: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each scene to which this scene links, and the command that begins it."""
    from ..scene_files import non_web_links_in
    from .scene_gaps import GapSearch

    book = campaign.book
    looking, file, scenes = GapSearch(book, campaign.folder), book.where[f"scenes.{id}"], book.table("scenes")
    ends = (
        looking.link_target(link, file).partition(".") for link in non_web_links_in(scene_text(campaign, id))
    )
    for full in dict.fromkeys(full for kind, _, full in ends if kind == "scenes" and full in scenes):
        if full != id:
            yield str(scenes[full]["name"]), f"scene begin {full}"


def _person_name(campaign: Campaign, word: str) -> str:
    from .scene_gaps import PEOPLE, find_content_by_name

    found = find_content_by_name(campaign.book, PEOPLE, word)
    return str(campaign.book.table(found[0][0])[found[0][1]]["name"]) if found else word


def _begun_or_ended_scene_id(performed: PerformedCommand) -> str:
    """Return the id of the scene that a command began or ended, or ""."""
    data = performed.data
    return str(data["scene"]) if isinstance(data, dict) and data else ""


def _begun_scene_blocks(campaign: Campaign | None, performed: PerformedCommand) -> Iterator[Block]:
    if campaign is not None and (scene := _begun_or_ended_scene_id(performed)) in campaign.book.table(
        "scenes"
    ):
        yield ""
        yield from scene_blocks(campaign, scene)


@plays(app, "begin", "scene begin", kind="writes", show=_begun_scene_blocks)
def begin(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A scene, by id or name."), SCENE],
) -> None:
    """Begin a scene, and show it with the commands for its fights and other parts.

    A scene that is under way ends. Players see only the new scene's name. If the scene has `secret = true`,
    they don't even see this.

    Example: `strike scene begin ford`
    """


def _hint_to_begin_next_scene(campaign: Campaign | None, performed: PerformedCommand) -> Iterator[Block]:
    if campaign is not None and (scene := _begun_or_ended_scene_id(performed)) in campaign.book.table(
        "scenes"
    ):
        over = story_in(campaign.state).get("played", ())
        ahead = [
            typed for _, typed in _next_scenes_with_commands(campaign, scene) if typed.split()[-1] not in over
        ]
        yield from ([("Next: ", "dim"), (f"strike {typed}", "command")] for typed in ahead[:1])


@plays(app, "end", "scene end", kind="writes", show=_hint_to_begin_next_scene)
def end(call: Call) -> None:
    """End the scene under way. Clocks that count scenes advance by a step.

    Example: `strike scene end`
    """
