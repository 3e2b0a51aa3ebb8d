"""`strike map`: the maps of encounters, and those of other programs' files in and out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.problems import Refused, Usage, counted, listed
from strike_cli.refusals import ThereAlready, Unreadable
from strike_cli.registry.installed import index, load_object
from strike_cli.tabletop.map_file import LARGEST
from strike_cli.tabletop.squares import SEE_THROUGH, WALK_THROUGH
from strike_cli.terminal.lookup import find_encounter
from strike_cli.terminal.nouns import FILE, FREE
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result
from strike_cli.terminal.scene_view import map_picture

from . import nouns
from .common import fight_scene

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from strike_cli.campaign import Campaign
    from strike_cli.tabletop.data import BoardKept, PictureKept
    from strike_cli.tabletop.map_file import MapFile, MapFormat

    from ..data import FightState

PIXELS = 70
"""Pixels to a square of a picture that strike draws itself."""

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
    if Path(what).suffix.lower() in index().map_formats:
        path = Path(what)
        found = _read(path)
        board = _board(found)
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
                f"image = {_toml_of(file)}",
                'map = """',
                *["." * wide] * high,
                '"""',
                *_WHERE,
                "",
            ]
        )
        if not options.dry_run:
            copied = {} if (campaign.folder / file).exists() else {file: content}
            _write(campaign.folder, {**copied, f"encounters/{target.name}": text.encode("utf-8")})
        blocks: list[Block] = [f"{title}: {wide} x {high} squares.", *_written(campaign, target)]
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
    force: Annotated[bool, typer.Option("--force", help="Put it in place of one that is there.")] = False,
) -> Result:
    """A map out of another program as an encounter: `encounters/NAME.toml`, and its picture beside it.

    Walls and doors keep their places between the squares, lights theirs. Add who stands where.
    A scene of Foundry's only names its picture: have that beside the file. It says what it had to change.

    Example: `strike map import old-mill.uvtt --name "The Old Mill"`
    """
    with options.campaign() as campaign:
        found = _with_picture(_read(file), file, campaign.notices)
        title = name or found.name.strip() or file.stem.replace("_", " ").replace("-", " ").title()
        key, target = _place_for(campaign, title, force)
        image = _image_of(found, target.stem)
        text = _toml(key, title, file.name, found, image)
        if not options.dry_run:
            files = {image["file"]: found.image} if image else dict[str, bytes]()
            _write(campaign.folder, {**files, f"encounters/{target.name}": text.encode("utf-8")})
        board = {**_board(found), **({"image": image} if image else {})}
        blocks: list[Block] = [
            f"{title}: {found.width} x {found.height} squares, {_contents(found)}.",
            *_written(campaign, target),
        ]
        data = {"encounter": key, "file": str(target), "map": board}
        return Result("map import", data, blocks, notices=[*found.notes, *campaign.notices])


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


def _written(campaign: Campaign, target: Path) -> list[Block]:
    blocks: list[Block] = [
        [("Written: ", "dim"), str(target)],
        ("Put the party and creatures on it in that file; its last lines show how.", "dim"),
    ]
    if not _included(campaign):
        line = 'include = ["encounters/*.toml"]'
        blocks.append([("campaign.toml has to include it: ", "warn"), (line, "command")])
    return blocks


def _contents(found: MapFile) -> str:
    one_way = [counted(len(found.one_way_walls), "one-way wall")] if found.one_way_walls else []
    half = len(found.see_through_walls) + len(found.walk_through_walls)
    one_way += [f"{counted(half, 'wall')} that stops steps or sight alone"] if half == 1 else []
    one_way += [f"{half} walls that stop steps or sight alone"] if half > 1 else []
    doors, lights = counted(len(found.doors), "door"), counted(len(found.lights), "light")
    return listed([counted(len(found.walls), "wall"), *one_way, doors, lights])


def _with_picture(found: MapFile, file: Path, notices: list[str]) -> MapFile:
    """With the picture that lies beside the file, where that only names one."""
    if found.image or not found.picture:
        return found
    path = file.parent / Path(found.picture).name
    if not path.is_file():
        notices.append(
            f"Its picture is not here: put {found.picture} beside {file.name}, and import again with --force."
        )
        return found
    from strike_cli.content.uvtt import image_kind
    from strike_cli.including import read_text_file
    from strike_cli.tabletop.map_file import LARGEST_FILE

    try:
        image = read_text_file(path, LARGEST_FILE)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        notices.append(f"Its picture, {path}, can't be read: {why}.")
        return found
    if not image_kind(image):
        notices.append(f"Its picture, {path}, is no png, jpg or webp, and is left out.")
        return found
    return found._replace(image=image)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    from strike_cli.campaign.files import unwritable, write_below

    for name, data in files.items():
        try:
            write_below(folder, Path(name), data)
        except OSError as error:
            raise unwritable(folder / name, error) from None


def _read(path: Path) -> MapFile:
    from strike_cli.including import read_text_file
    from strike_cli.tabletop.map_file import LARGEST_FILE

    read = _format_of(path).read
    if not read:
        raise Usage(f"{path}: strike writes files of this kind, and reads none.")
    try:
        return read(read_text_file(path, LARGEST_FILE), path.name)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unreadable(path, why, "Check the path.") from None


def _format_of(path: Path) -> MapFormat:
    """The format of a file by its ending."""
    formats = index().map_formats
    reference = formats.get(path.suffix.lower())
    if not reference:
        raise Usage(f"{path}: the name should end in one of these: {listed(formats)}.")
    found: MapFormat = load_object(reference)
    return found


def _included(campaign: Campaign) -> bool:
    import tomllib

    data = tomllib.loads((campaign.folder / "campaign.toml").read_text(encoding="utf-8-sig"))
    return any(str(pattern).startswith("encounters/") for pattern in data.get("include", ()))


def _board(found: MapFile) -> BoardKept:
    board: BoardKept = {"rows": ["." * found.width] * found.height}
    kind: Literal["walls", "one_way_walls", "see_through_walls", "walk_through_walls"]
    for kind in ("walls", "one_way_walls", SEE_THROUGH, WALK_THROUGH):
        lines = [[[_plain(x), _plain(y)] for x, y in wall] for wall in getattr(found, kind)]
        if lines:
            board[kind] = lines
    if found.doors:
        board["doors"] = [
            {"at": [[_plain(x), _plain(y)] for x, y in (door.start, door.end)], "open": door.open}
            for door in found.doors
        ]
    if found.lights:
        board["lights"] = [
            {
                "at": [*map(_plain, light.at)],
                "range": _plain(light.range),
                "color": light.color,
                "intensity": _plain(light.intensity),
                "shadows": light.shadows,
            }
            for light in found.lights
        ]
    if found.lights or not found.ambient.baked or found.ambient.color != "ffffffff":
        board["ambient"] = {"color": found.ambient.color, "baked": found.ambient.baked}
    return board


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value


def _image_of(found: MapFile, key: str) -> PictureKept | None:
    from strike_cli.content.uvtt import image_kind

    kind = image_kind(found.image)
    return {"file": f"encounters/{key}.{kind}", "pixels": found.pixels} if kind else None


def _toml(key: str, title: str, source: str, found: MapFile, image: PictureKept | None) -> str:
    import json

    board = _board(found)
    lines = [
        f"# Imported from {json.dumps(source)[1:-1]}.",
        *(f"# {note}" for note in found.notes),
        f"[encounters.{key}]",
        f"name = {json.dumps(title, ensure_ascii=False)}",  # TOML has no pairs of surrogates
    ]
    lines += ['map = """', *board["rows"], '"""']
    if image:
        lines.append(f"image = {_toml_of(image)}")
    if "ambient" in board:
        lines.append(f"ambient = {_toml_of(board['ambient'])}")
    walls = [
        *board.get("walls", ()),
        *({"line": line, "sight": False} for line in board.get(SEE_THROUGH, ())),
        *({"line": line, "steps": False} for line in board.get(WALK_THROUGH, ())),
    ]
    written: Mapping[str, Sequence[object]] = {
        "walls": walls,
        "one_way_walls": board.get("one_way_walls", ()),
        "doors": board.get("doors", ()),
        "lights": board.get("lights", ()),
    }
    for name, items in written.items():
        if items:
            lines += [f"{name} = [", *(f"  {_toml_of(item)}," for item in items), "]"]
    return "\n".join([*lines, *_WHERE]) + "\n"


_WHERE = (
    "# Who stands where; rectangles count square by square.",
    '# at = { party = ["B2", "B3:C3"], goblin = ["F5"] }',
)


def _toml_of(item: object) -> str:
    """A value as TOML on one line: what is no table is written there as in JSON."""
    import json

    if isinstance(item, Mapping):
        return f"{{ {', '.join(f'{name} = {_toml_of(value)}' for name, value in item.items())} }}"
    return json.dumps(item)


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

    format_ = _format_of(file)
    write = format_.write
    if not write:
        raise Usage(f"{file}: strike reads files of this kind, and writes none.")
    with options.campaign() as campaign:
        if encounter:
            fight = _before_the_fight(campaign, find_encounter(campaign, encounter))
        else:
            fight = _under_way(campaign)
        image, pixels = _painted(campaign, fight["map"])
        board = _as_known(fight["map"], format_, campaign.notices)
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


def _as_known(board: BoardKept, format_: MapFormat, notices: list[str]) -> BoardKept:
    """A map with walls as a format has them."""
    if board.get("one_way_walls") and not format_.one_way:
        board = {**board, "walls": [*board.get("walls", ()), *board["one_way_walls"]]}
        notices.append(f"One-way walls are plain ones there: {format_.title} has none.")
    half = [*board.get(SEE_THROUGH, ()), *board.get(WALK_THROUGH, ())]
    if half and not format_.half:
        board = {**board, "walls": [*board.get("walls", ()), *half]}
        notices.append(
            f"Walls that stop steps or sight alone are plain ones there: {format_.title} has none."
        )
    return board


def _painted(campaign: Campaign, board: BoardKept) -> tuple[bytes, int]:
    from strike_cli.content.picture import draw
    from strike_cli.tabletop import pictures

    known = board.get("image")
    if known:
        try:
            image, _ = pictures.read(campaign.folder, known["file"])
            squares = max(map(len, board["rows"]))
            if any(known.get("offset", ())):
                campaign.notices.append(f"{known['file']} goes out whole; others show it from its corner on.")
            pixels = cast("int | None", known.get("pixels"))
            return image, pixels or max(1, round(pictures.size_of(image)[0] / squares))
        except ValueError as why:
            campaign.notices.append(f"{known['file']} {why}; a plain picture takes its place.")
    return draw(board["rows"], PIXELS), PIXELS
