"""`strike map`: the maps of encounters, and those of other programs' files in and out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.problems import Refused, Usage, counted, listed
from strike_cli.refusals import ThereAlready
from strike_cli.registry.installed import index
from strike_cli.tabletop.map_file import LARGEST
from strike_cli.terminal.lookup import find_encounter
from strike_cli.terminal.nouns import FILE, FREE
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result
from strike_cli.terminal.scene_view import map_picture

from . import nouns
from .common import fight_scene
from .map_files import (
    WHO_STANDS_WHERE,
    as_known,
    board_of,
    contents,
    encounter_text,
    format_of,
    painted,
    picture_of,
    read_map,
    toml_of,
    with_picture,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.tabletop.map_file import MapFile

    from ..data import FightState

app = new_app()


@app.callback()
def _group() -> None:
    """Maps: look at an encounter's, bring them in and out as Universal VTT, and in from Foundry.

    Example: `strike map show ford`
    """


@command(app, "show", kind="reads")
def show(
    options: Options,
    what: Annotated[
        str,
        typer.Argument(
            metavar=nouns.ENCOUNTER.called("ENCOUNTER|FILE"),
            help="An encounter, or a file as `strike map import` takes it.",
        ),
    ],
) -> Result:
    """A map before the fight: an encounter's, with everybody in place, or that of a file.

    Example: `strike map show ford`
    """
    if Path(what).suffix.lower() in index().map_formats or (Path(what).suffix and Path(what).is_file()):
        path = Path(what)
        found = read_map(path)
        board = board_of(found)
        read: FightState = {
            "id": "",
            "round": 0,
            "name": found.name or path.stem,
            "map": board,
            "combatants": {},
        }
        return Result("map show", {"map": board}, [map_picture(fight_scene(read))], notices=[*found.notes])
    with options.campaign() as campaign:
        fight = _before_the_fight(campaign, find_encounter(campaign, what))
        summary = str(campaign.book.encounters[fight["id"]]["summary"])
        blocks: list[Block] = [map_picture(fight_scene(fight)), *([(summary, "dim")] if summary else [])]
        return Result("map show", {"fight": fight}, blocks, notices=campaign.notices)


def _before_the_fight(campaign: Campaign, encounter: str) -> FightState:
    """The fight as it would begin, with as many characters as the map has squares for."""
    from strike_cli.kernel.drive import drive, no_more_dice
    from strike_cli.kernel.exhaustive import first_option
    from strike_cli.kernel.procedure import World

    from ..board.terrain import read_layout
    from ..encounter.setup import StartFight, play_start

    book = campaign.book
    layout = read_layout(book.encounters[encounter])
    room = sum(len(layout.squares.get(sign, ())) for sign, ref in layout.place.items() if ref == "party")
    named = [who for who in book.characters if who in layout.place.values()]
    party = [*named, *[who for who in book.characters if who not in named][:room]]
    world = World(book)
    drive(
        play_start(world, StartFight(encounter=encounter, party=party)),
        world,
        no_more_dice,
        first_option,
    )
    return cast("FightState", world.state["fight"])


# --- pictures, and files of other programs


Picture = Annotated[
    Path,
    typer.Argument(
        metavar=FILE.called("PICTURE"), help="A png, jpg or webp. One from elsewhere is copied to maps/."
    ),
]


@command(app, "new", kind="writes")
def new(
    options: Options,
    name: Annotated[str, typer.Argument(metavar=FREE, help="The encounter's name.")],
    picture: Picture,
    across: Annotated[
        int,
        typer.Option(
            "--across",
            min=0,
            max=LARGEST,
            help="Squares from left to right. Else as the file's name says: ford-24x16.jpg.",
        ),
    ] = 0,
    force: Annotated[bool, typer.Option("--force", help="Put it in place of one that is there.")] = False,
) -> Result:
    """An encounter on a picture of a map: `encounters/NAME.toml`.

    The picture covers the whole map, which is as high as the picture is. Walls and who stands where are
    yours to draw.

    Example: `strike map new mill maps/ford.webp --across 19`
    """
    import json

    with options.campaign() as campaign:
        content, file = _picture_file(campaign.folder, picture)
        wide, high = _squares_of(picture.stem, content, across)
        title = name if " " in name or not name.islower() else name.replace("-", " ").title()
        key, target = _place_for(campaign, title, force)
        text = "\n".join(
            [
                f"[encounters.{key}]",
                f"name = {json.dumps(title, ensure_ascii=False)}",
                f"image = {toml_of(file)}",
                'map = """',
                *["." * wide] * high,
                '"""',
                *WHO_STANDS_WHERE,
                "",
            ]
        )
        if not options.dry_run:
            copied = {} if (campaign.folder / file).exists() else {file: content}
            _write(campaign.folder, {**copied, f"encounters/{target.name}": text.encode("utf-8")})
        written: Block = [("Written: ", "dim"), str(target)]
        blocks: list[Block] = [f"{title}: {wide} x {high} squares.", written, *_afterwards(campaign)]
        data = {"encounter": key, "file": str(target), "image": file, "width": wide, "height": high}
        return Result("map new", data, blocks, notices=campaign.notices)


def _picture_file(folder: Path, picture: Path) -> tuple[bytes, str]:
    """A picture's bytes, and its path from the campaign's folder, where it is or will be copied to."""
    from strike_cli.tabletop import pictures

    # As it was typed, or from the campaign's folder: whichever is there.
    path = picture if picture.exists() else folder / picture
    try:
        content, _ = pictures.read(path.parent, path.name, pictures.LARGEST_MAP)
    except ValueError as why:
        raise Usage(f"{picture} {why}.", "A map's picture is a png, jpg or webp file.") from None
    inside = path.resolve().is_relative_to(folder.resolve())
    file = path.resolve().relative_to(folder.resolve()).as_posix() if inside else f"maps/{path.name}"
    if not pictures.may_be_picture(file):
        raise Usage(f"{file} can't be named in campaign.toml.", "Rename the picture with plain letters.")
    if not inside and (folder / file).exists() and (folder / file).read_bytes() != content:
        raise Refused(f"{folder / file} is another picture.", "Rename one of them.")
    return content, file


def _squares_of(stem: str, content: bytes, across: int) -> tuple[int, int]:
    """How many squares a picture is wide and high."""
    import re

    from strike_cli.tabletop.pictures import size_of

    try:
        width, height = size_of(content)
    except ValueError as why:
        raise Usage(f"The picture {why}.", "Save it anew in a program that shows it.") from None
    if not across and (named := re.search(r"(?<!\d)(\d{1,3})x(\d{1,3})(?!\d)", stem)):
        across = int(named[1])
    if not across:
        raise Usage(
            f"How many squares is the picture wide? It has {width} x {height} pixels.",
            "Say it: `--across 24`.",
        )
    down = max(1, round(height * across / width))
    if not (0 < across <= LARGEST and down <= LARGEST):
        raise Usage(
            f"The map would have {across} x {down} squares.", f"A map has at most {LARGEST} along a side."
        )
    return across, down


class Windows(StrEnum):
    """What the openings are that a file calls open doors."""

    OPEN = "open"
    CLOSED = "closed"
    WINDOW = "window"


@command(app, "import", kind="writes")
def import_(
    options: Options,
    file: Annotated[
        Path,
        typer.Argument(
            metavar=FILE,
            help="Universal VTT (.dd2vtt, .uvtt), or a scene that Foundry exported (.json).",
        ),
    ],
    name: Annotated[
        str, typer.Option("--name", help="The encounter's name. Default: the map's or the file's.")
    ] = "",
    level: Annotated[
        str,
        typer.Option("--level", metavar=FREE, help="The level of a building. Default: the scene's first."),
    ] = "",
    all_levels: Annotated[bool, typer.Option("--all-levels", help="An encounter for each level.")] = False,
    windows: Annotated[
        Windows,
        typer.Option("--windows", help="What open doors are where the file can't tell them from windows."),
    ] = Windows.OPEN,
    force: Annotated[bool, typer.Option("--force", help="Put it in place of one that is there.")] = False,
) -> Result:
    """A map out of another program as an encounter: `encounters/NAME.toml`, and its picture beside it.

    Walls and doors keep their places between the squares, lights theirs. Add who stands where.
    A scene of Foundry's only names its picture: have that beside the file. It says what it had to change.

    Example: `strike map import old-mill.uvtt --name "The Old Mill"`
    """
    with options.campaign() as campaign:
        whole, notices = read_map(file), list[str]()
        title = name or whole.name.strip() or file.stem.replace("_", " ").replace("-", " ").title()
        maps = [*whole.levels] if all_levels and whole.levels else [_level_of(whole, level, notices)]
        titles = [f"{title}, {one.level}" if len(maps) > 1 else title for one in maps]
        places = [_place_for(campaign, each, force) for each in titles]
        stands = {one.level: key for one, (key, _) in zip(maps, places, strict=True)}
        blocks, data = list[Block](), list[dict[str, object]]()
        for found, called, (key, target) in zip(maps, titles, places, strict=True):
            found = with_picture(_with_windows(found, windows, notices), file, notices)
            image = picture_of(found, target.stem)
            text = encounter_text(key, called, file.name, found, image, stands)
            if not options.dry_run:
                files = {image["file"]: found.image} if image else dict[str, bytes]()
                _write(campaign.folder, {**files, f"encounters/{target.name}": text.encode("utf-8")})
            blocks.append(f"{called}: {found.width} x {found.height} squares, {contents(found)}.")
            blocks.append([("Written: ", "dim"), str(target)])
            board = {**board_of(found), **({"image": image} if image else {})}
            data.append({"encounter": key, "file": str(target), "map": board})
            notices += [note for note in found.notes if note not in notices]
        told = {**data[0], **({"levels": data} if all_levels else {})}
        blocks += _afterwards(campaign)
        return Result("map import", told, blocks, notices=[*notices, *campaign.notices])


def _level_of(found: MapFile, named: str, notices: list[str]) -> MapFile:
    """The level that is asked for, or the first. Raises Usage for one that isn't there."""
    names = [one.level for one in found.levels]
    if not names and named:
        raise Usage("This map has one level.", "Leave --level out.")
    if named:
        known = [one for one in found.levels if one.level.casefold() == named.casefold()]
        if not known:
            raise Usage(f"There is no level {named!r} in this file.", f"It has {listed(names)}.")
        return known[0]
    if names:
        others = [f"{one.level} ({contents(one)})" for one in found.levels if one.level != found.level]
        notices.append(
            f"{found.level} is taken, one of {counted(len(names), 'level')}. Left out: {listed(others)}. "
            "--level NAME takes another, --all-levels each as an encounter."
        )
    return found


def _with_windows(found: MapFile, windows: Windows, notices: list[str]) -> MapFile:
    """With open doors that may be windows as is wanted."""
    may_be = [door for door in found.doors if door.open] if found.maybe_windows else []
    if not may_be:
        return found
    if windows is Windows.OPEN:
        notices.append(
            f"{counted(len(may_be), 'opening')} in walls, open doors as the file says. Dungeondraft writes "
            "windows so: --windows window or --windows closed."
        )
        return found
    if windows is Windows.CLOSED:
        return found._replace(doors=[door._replace(open=False) for door in found.doors])
    panes = [[door.start, door.end] for door in may_be]
    doors = [door for door in found.doors if not door.open]
    return found._replace(doors=doors, see_through_walls=[*found.see_through_walls, *panes])


def _place_for(campaign: Campaign, title: str, force: bool) -> tuple[str, Path]:
    """The id and the file of a new encounter. Raises Refused for one that is there, without `force`."""
    from strike_cli.campaign.files import portable
    from strike_cli.tabletop.zones import free_id

    key = free_id(title, ())
    target = campaign.folder / "encounters" / f"{portable(key)}.toml"
    if key in campaign.book.encounters and not target.exists():
        raise Refused(f"There is an encounter {key!r} already.", "Give this one another name.")
    if target.exists() and not force:
        raise ThereAlready(target, "--force replaces it; another name keeps both.")
    return key, target


def _afterwards(campaign: Campaign) -> list[Block]:
    """What is left to do once an encounter is written."""
    blocks: list[Block] = [
        ("Put the party and creatures on it in that file; its last lines show how.", "dim")
    ]
    if not _included(campaign):
        line = 'include = ["encounters/*.toml"]'
        blocks.append([("campaign.toml has to include it: ", "warn"), (line, "command")])
    return blocks


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    from strike_cli.campaign.files import unwritable, write_below

    for name, data in files.items():
        try:
            write_below(folder, Path(name), data)
        except OSError as error:
            raise unwritable(folder / name, error) from None


def _included(campaign: Campaign) -> bool:
    import tomllib

    data = tomllib.loads((campaign.folder / "campaign.toml").read_text(encoding="utf-8-sig"))
    return any(str(pattern).startswith("encounters/") for pattern in data.get("include", ()))


@command(app, "export", kind="reads")
def export(
    options: Options,
    file: Annotated[Path, typer.Argument(metavar=FILE.called("FILE.uvtt"), help="Where to.")],
    encounter: Annotated[
        str,
        typer.Argument(
            metavar=nouns.ENCOUNTER.called("[ENCOUNTER]"),
            help="Else the fight under way.",
        ),
    ] = "",
) -> Result:
    """A map as a Universal VTT file: walls, doors, lights, and its picture, or a plain one.

    The fight's map as it is now, doors as they stand; or that of an encounter. One-way walls go out as plain
    ones.

    Example: `strike map export ford.uvtt ford`
    """
    from strike_cli.campaign.files import unwritable, write_out

    format_ = format_of(file)
    write = format_.write
    if not write:
        raise Usage(f"{file}: strike reads files of this kind, and writes none.")
    with options.campaign() as campaign:
        if encounter:
            fight = _before_the_fight(campaign, find_encounter(campaign, encounter))
        else:
            fight = _under_way(campaign)
        image, pixels = painted(campaign, fight["map"])
        board = as_known(fight["map"], format_, campaign.notices)
        try:
            write_out(file, write(board, image, pixels))
        except OSError as error:
            raise unwritable(file, error) from None
        data = {"file": str(file), "pixels": pixels}
        return Result("map export", data, [f"{fight['name']}: written to {file}."], notices=campaign.notices)


def _under_way(campaign: Campaign) -> FightState:
    from ..fight import NoFightUnderWay, fight_in

    found = fight_in(campaign.state)
    if not found:
        raise NoFightUnderWay("Name an encounter: `strike map export FILE.uvtt ENCOUNTER`.")
    return found
