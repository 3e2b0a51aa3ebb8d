"""`strike map`: maps of encounters, with import from and export to files of other programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.content.drafts import toml_value
from strike_cli.problems import Refused, Usage, listed, pluralize
from strike_cli.refusals import AlreadyExists
from strike_cli.registry.plugin_failures import failures_as_plugin_problem
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.tabletop import campaign_pictures
from strike_cli.tabletop.encounters import read_layout
from strike_cli.tabletop.squares_and_lines import LARGEST
from strike_cli.terminal.argument_completions import FILE, FREE
from strike_cli.terminal.command_output import Block, Result
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.name_lookup import find_encounter
from strike_cli.terminal.scene_view import map_picture

from ..encounter.map_picture_checks import grid_line_words_and_shift_command
from . import argument_completions
from .map_conversion_and_file_edits import (
    WHO_STANDS_WHERE,
    add_unsupported_walls_as_plain,
    board_without_picture,
    change_key_and_return_encounter_file,
    change_that_adds_list_item,
    change_that_replaces_image_line,
    encounter_file_text,
    encounter_picture_entry,
    format_by_ending_to_read_or_write,
    map_content_counts_in_words,
    map_file_with_usable_picture,
    plugin_index_for,
    read_map_by_content_or_ending,
    read_or_draw_picture_and_scale,
    wall_line_by_side_or_neighbour,
)
from .remaining_actions_and_map import fight_as_scene_with_fog

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.tabletop.data import BoardKept, PictureKept
    from strike_cli.tabletop.foreign_map_files import MapFile

    from ..data import FightState

app = new_app("""Maps: show an encounter's, import and export Universal VTT, import from Foundry.

    Example: `strike map show ford`
    """)


@command(app, "show", kind="reads")
def show(
    options: Options,
    what: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.ENCOUNTER.with_text("ENCOUNTER|FILE"),
            help="An encounter, or a file that `strike map import` reads.",
        ),
    ],
) -> Result:
    """Show the map of an encounter or of a file, before a fight.

    An encounter's map has everybody in place.

    Example: `strike map show ford`
    """
    known = plugin_index_for(options.open_campaign_if_any())
    if Path(what).suffix.lower() in known.map_formats_by_ending or (
        Path(what).suffix and Path(what).is_file()
    ):
        path = Path(what)
        notices = list[str]()
        found = _level_named_or_default_with_notice(read_map_by_content_or_ending(path, known), "", notices)
        board = board_without_picture(found)
        read: FightState = {
            "id": "",
            "round": 0,
            "name": found.name or path.stem,
            "map": board,
            "combatants": {},
        }
        return Result(
            "map show",
            {"map": board},
            [map_picture(fight_as_scene_with_fog(read))],
            notices=[*notices, *found.notes],
        )
    with options.open_campaign() as campaign:
        fight = _fight_at_start(campaign, find_encounter(campaign, what))
        summary = str(campaign.book.encounters[fight["id"]]["summary"])
        blocks: list[Block] = [
            map_picture(fight_as_scene_with_fog(fight)),
            *([(summary, "dim")] if summary else []),
        ]
        lengths = [
            len(row) for row in str(campaign.book.encounters[fight["id"]]["map"]).strip("\n").split("\n")
        ]
        short = [str(number) for number, length in enumerate(lengths, 1) if length < max(lengths)]
        if short:
            rows = f"Row {short[0]} is" if len(short) == 1 else f"Rows {listed(short)} are"
            campaign.notices.append(f"{rows} shorter than others: the missing squares are void.")
        return Result("map show", {"fight": fight}, blocks, notices=campaign.notices)


def _fight_at_start(campaign: Campaign, encounter: str) -> FightState:
    """Return the fight of an encounter as it would begin.

    The party has the characters that the map names. Further characters fill the map's squares for the party.
    """
    from strike_cli.kernel.driver import play_until_open_decision, refuse_more_dice
    from strike_cli.kernel.exact_odds import first_option
    from strike_cli.kernel.procedure import World

    from ..encounter.fight_setup import StartFight, play_start

    book = campaign.book
    layout = read_layout(book.encounters[encounter])
    room = sum(len(layout.squares.get(sign, ())) for sign, ref in layout.place.items() if ref == "party")
    named = [combatant for combatant in book.characters if combatant in layout.place.values()]
    party = [*named, *[combatant for combatant in book.characters if combatant not in named][:room]]
    world = World(book)
    play_until_open_decision(
        play_start(world, StartFight(encounter=encounter, party=party)), world, refuse_more_dice, first_option
    )
    return cast("FightState", world.state["fight"])


# --- pictures, and files of other programs


Picture = Annotated[
    Path,
    typer.Argument(
        metavar=FILE.with_text("PICTURE"), help="A png, jpg or webp. A file from outside is copied to maps/."
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
            help="Squares from left to right. Default: from the file's name, like ford-24x16.jpg.",
        ),
    ] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace an encounter of that name.")] = False,
) -> Result:
    """Make an encounter on a picture of a map: `encounters/NAME.toml`.

    The picture covers the whole map and sets its height. You draw the walls and place the people.

    Example: `strike map new mill maps/ford.webp --across 19`
    """
    import json

    with options.open_campaign() as campaign:
        content, file = _read_picture_and_path_in_campaign(campaign.folder, picture)
        wide, high = _picture_size_in_squares_from_width(picture.stem, content, across)
        title = name if " " in name or not name.islower() else name.replace("-", " ").title()
        key, target = _free_encounter_id_and_file(campaign, title, force)
        text = "\n".join(
            [
                f"[encounters.{key}]",
                f"name = {json.dumps(title, ensure_ascii=False)}",
                f"image = {toml_value(file)}",
                'map = """',
                *["." * wide] * high,
                '"""',
                *WHO_STANDS_WHERE,
                "",
            ]
        )
        if not options.dry_run:
            copied = {} if (campaign.folder / file).exists() else {file: content}
            _write_files(campaign.folder, {**copied, f"encounters/{target.name}": text.encode("utf-8")})
        written: Block = [("Written: ", "dim"), str(target)]
        blocks: list[Block] = [
            f"{title}: {wide} x {high} squares.",
            written,
            *_blocks_on_placing_and_including(campaign),
        ]
        data = {"encounter": key, "file": str(target), "image": file, "width": wide, "height": high}
        return Result("map new", data, blocks, notices=campaign.notices)


def _read_picture_and_path_in_campaign(folder: Path, picture: Path) -> tuple[bytes, str]:
    """Return a picture's bytes, and the path that it has or will have in the campaign's folder.

    Raises Usage for a file that is no picture, and Refused if another picture has that path.
    """
    # The path as typed, or else within the campaign's folder.
    path = picture if picture.exists() else folder / picture
    try:
        content, _ = campaign_pictures.read_campaign_picture(
            path.parent, path.name, campaign_pictures.LARGEST_MAP
        )
    except ValueError as why:
        raise Usage(f"{picture} {why}.", "A map's picture is a png, jpg or webp file.") from None
    inside = path.resolve().is_relative_to(folder.resolve())
    file = path.resolve().relative_to(folder.resolve()).as_posix() if inside else f"maps/{path.name}"
    if not campaign_pictures.can_name_picture(file):
        raise Usage(f"{file} can't be written in campaign.toml.", "Rename the picture with plain letters.")
    if not inside and (folder / file).exists() and (folder / file).read_bytes() != content:
        raise Refused(f"{folder / file} is another picture.", "Rename one of them.")
    return content, file


def _picture_size_in_squares_from_width(stem: str, content: bytes, across: int) -> tuple[int, int]:
    """Return how many squares a picture is wide and high.

    The width is `across`. If `across` is 0, the width is read from a part like `24x16` in the file's name
    (`stem`). Raises Usage if there is no width, if the picture can't be read, or if the map would be too
    large.
    """
    from strike_cli.tabletop.campaign_pictures import picture_size

    try:
        width, height = picture_size(content)
    except ValueError as why:
        raise Usage(f"The picture {why}.", "Save it again in a program that can show it.") from None
    if not across and (named := re.search(r"(?<!\d)(\d{1,3})x(\d{1,3})(?!\d)", stem)):
        across = int(named[1])
    if not across:
        raise Usage(
            f"How many squares is the picture wide? It has {width} x {height} pixels.",
            "Give it: `--across 24`.",
        )
    down = max(1, round(height * across / width))
    if not (0 < across <= LARGEST and down <= LARGEST):
        raise Usage(
            f"The map would have {across} x {down} squares.", f"A map has at most {LARGEST} along a side."
        )
    return across, down


class OpeningsReadAs(StrEnum):
    """The ways to read an open door of a map file: as an open door, a closed door or a window."""

    OPEN = "open"
    CLOSED = "closed"
    WINDOW = "window"


MapFromElsewhere = Annotated[
    Path,
    typer.Argument(
        metavar=FILE, help="Universal VTT (.dd2vtt, .uvtt), or a scene that Foundry exported (.json)."
    ),
]


@command(app, "import", kind="writes")
def import_(
    options: Options,
    file: MapFromElsewhere,
    name: Annotated[
        str, typer.Option("--name", help="The encounter's name. Default: the map's or the file's.")
    ] = "",
    level: Annotated[
        str, typer.Option("--level", metavar=FREE, help="A building's level. Default: the scene's first.")
    ] = "",
    all_levels: Annotated[bool, typer.Option("--all-levels", help="An encounter for each level.")] = False,
    windows: Annotated[
        OpeningsReadAs,
        typer.Option("--windows", help="Read open doors as windows or as closed, if the file doesn't say."),
    ] = OpeningsReadAs.OPEN,
    force: Annotated[bool, typer.Option("--force", help="Replace an encounter of that name.")] = False,
) -> Result:
    """Import another program's map as an encounter.

    This writes `encounters/NAME.toml`, and the map's picture beside it. Walls, doors and lights keep their
    places. You then place the people. A Foundry scene contains only the name of its picture, so put the
    picture beside the scene's file first. strike lists what it had to change.

    Example: `strike map import old-mill.uvtt --name "The Old Mill"`
    """
    with options.open_campaign() as campaign:
        whole, notices = read_map_by_content_or_ending(file, plugin_index_for(campaign)), list[str]()
        title = name or whole.name.strip() or re.sub("[-_]", " ", file.stem).title()
        maps = (
            [*whole.levels]
            if all_levels and whole.levels
            else [_level_named_or_default_with_notice(whole, level, notices)]
        )
        titles = [f"{title}, {one.level}" if len(maps) > 1 else title for one in maps]
        places = [_free_encounter_id_and_file(campaign, each, force) for each in titles]
        stands = {one.level: key for one, (key, _) in zip(maps, places, strict=True)}
        blocks, data = list[Block](), list[dict[str, object]]()
        for found, called, (key, target) in zip(maps, titles, places, strict=True):
            found = map_file_with_usable_picture(
                _apply_windows_option_to_open_doors(found, windows, notices), file, notices
            )
            image = encounter_picture_entry(found, target.stem)
            text = encounter_file_text(key, called, file.name, found, image, stands)
            files = {image["file"]: found.image} if image else dict[str, bytes]()
            if not options.dry_run:
                _write_files(campaign.folder, {**files, f"encounters/{target.name}": text.encode("utf-8")})
            size = f"{called}: {found.width} x {found.height} squares, {map_content_counts_in_words(found)}."
            blocks += [size, [("Written: ", "dim"), str(target)]]
            kept = {**board_without_picture(found), **({"image": image} if image else {})}
            data.append({"encounter": key, "file": str(target), "map": kept})
            notices += [note for note in found.notes if note not in notices]
        told, notices = {**data[0], **({"levels": data} if all_levels else {})}, [*notices, *campaign.notices]
        return Result(
            "map import", told, [*blocks, *_blocks_on_placing_and_including(campaign)], notices=notices
        )


def _level_named_or_default_with_notice(map_file: MapFile, level_name: str, notices: list[str]) -> MapFile:
    """Return the level called `level_name` of a map file, by default the map's own first level.

    If the default leaves out other levels, the function adds a notice. Raises Usage if the name is unknown.
    """
    names = [one.level for one in map_file.levels]
    if not names and level_name:
        raise Usage("This map has one level.", "Leave out --level.")
    if level_name:
        known = [one for one in map_file.levels if one.level.casefold() == level_name.casefold()]
        if not known:
            raise Usage(f"There is no level {level_name!r} in this file.", f"It has {listed(names)}.")
        return known[0]
    if names:
        others = [
            f"{one.level} ({map_content_counts_in_words(one)})"
            for one in map_file.levels
            if one.level != map_file.level
        ]
        notices.append(
            f"{map_file.level} was imported, one of {pluralize(len(names), 'level')}. Left out: "
            f"{listed(others)}. "
            "--level NAME imports another, --all-levels makes each an encounter."
        )
    return map_file


def _apply_windows_option_to_open_doors(
    map_file: MapFile, windows: OpeningsReadAs, notices: list[str]
) -> MapFile:
    """Return a map whose open doors stay open, are closed, or become windows, as `windows` says.

    If the open doors stay open, a notice is added to `notices`. Some files write windows as open doors
    (`maybe_windows`). The map of any other file is returned unchanged.
    """
    may_be = [door for door in map_file.doors if door.open] if map_file.maybe_windows else []
    if not may_be:
        return map_file
    if windows is OpeningsReadAs.OPEN:
        notices.append(
            f"{pluralize(len(may_be), 'opening')} in walls, open doors as the file says. Dungeondraft writes "
            "windows so: --windows window or --windows closed."
        )
        return map_file
    if windows is OpeningsReadAs.CLOSED:
        return map_file._replace(doors=[door._replace(open=False) for door in map_file.doors])
    panes = [[door.start, door.end] for door in may_be]
    doors = [door for door in map_file.doors if not door.open]
    return map_file._replace(doors=doors, see_through_walls=[*map_file.see_through_walls, *panes])


def _free_encounter_id_and_file(campaign: Campaign, title: str, force: bool) -> tuple[str, Path]:
    """Return the id and the file of a new encounter.

    Raises Refused if the id is used in another file, or if the file exists and `force` is false.
    """
    from strike_cli.campaign.file_access import file_name_not_reserved
    from strike_cli.tabletop.zones import free_zone_id_marked_if_secret

    key = free_zone_id_marked_if_secret(title, ())
    target = campaign.folder / "encounters" / f"{file_name_not_reserved(key)}.toml"
    if key in campaign.book.encounters and not target.exists():
        raise Refused(f"There is an encounter {key!r} already.", "Give this one another name.")
    if target.exists() and not force:
        raise AlreadyExists(target, "--force replaces it; another name keeps both.")
    return key, target


def _blocks_on_placing_and_including(campaign: Campaign) -> list[Block]:
    import tomllib

    blocks: list[Block] = [("Place the party and creatures in that file; its last lines show how.", "dim")]
    data = tomllib.loads((campaign.folder / "campaign.toml").read_text(encoding="utf-8-sig"))
    if not any(str(pattern).startswith("encounters/") for pattern in data.get("include", ())):
        line = 'include = ["encounters/*.toml"]'
        blocks.append([("Include it in campaign.toml: ", "warn"), (line, "command")])
    return blocks


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    from strike_cli.campaign.file_access import unwritable_problem, write_user_file_below

    for name, data in files.items():
        try:
            write_user_file_below(folder, Path(name), data)
        except OSError as error:
            raise unwritable_problem(folder / name, error) from None


@command(app, "preview", kind="reads")
def preview(
    options: Options,
    what: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.ENCOUNTER.with_text("ENCOUNTER|FILE"),
            help="An encounter, or a file that `strike map import` reads.",
        ),
    ],
    to: Annotated[
        Path | None, typer.Argument(metavar=FREE, help="An .svg or .png. Else NAME.svg in this folder.")
    ] = None,
) -> Result:
    """Draw walls, doors, windows, obstacles, lights and squares over a map's picture.

    If the lines don't match the picture, move the picture with `strike map shift`. A .png needs Pillow. On
    your own page of the table, the key W shows the walls.

    Example: `strike map preview ford`
    """
    from strike_cli.campaign.file_access import file_name_not_reserved, unwritable_problem, write_user_file
    from strike_cli.content import map_preview

    with options.open_campaign() as campaign:
        name, board, picture, place = _read_map_picture_and_place(campaign, what)
        to = to or Path(f"{file_name_not_reserved(name)}.svg")
        draw = {".svg": map_preview.map_svg, ".png": map_preview.map_png}.get(to.suffix.lower())
        if draw is None:
            raise Usage(f"{to}: a preview is an .svg or a .png.")
        try:
            write_user_file(to, draw(board, picture, place))
        except ModuleNotFoundError:
            raise Refused("A .png needs Pillow.", 'pip install "strike-cli[table]", or an .svg.') from None
        except ValueError as why:
            raise Refused(f"The map's picture {why}.", "An .svg shows what is drawn over it.") from None
        except OSError as error:
            raise unwritable_problem(to, error) from None
        there = {line.kind for line in map_preview.lines_to_draw(board)}
        key = [words for kind, words in map_preview.LINE_LEGEND.items() if kind in there]
        blocks: list[Block] = [f"Written: {to}.", (f"{', '.join(key)}.".capitalize(), "dim")]
        if picture:
            words, move = grid_line_words_and_shift_command(picture, place, name)
            blocks.append([("Its picture: ", "dim"), (f"{words}.", "warn" if move else "dim")])
            blocks += [("This may align them:", "dim"), (move, "command")] if move else []
        return Result("map preview", {"file": str(to)}, blocks, notices=campaign.notices)


def _read_map_picture_and_place(
    campaign: Campaign, encounter_or_file: str
) -> tuple[str, BoardKept, bytes, Mapping[str, float]]:
    """Return the map of an encounter or of a file.

    Returns:
        The name, the map, the bytes of its picture (empty for none), and the picture's place in squares.
    """
    path = Path(encounter_or_file)
    if path.suffix and path.is_file():
        found = map_file_with_usable_picture(
            read_map_by_content_or_ending(path, plugin_index_for(campaign)), path, campaign.notices
        )
        board = board_without_picture(found)
        lies = dict(zip(("x", "y", "width", "height"), found.place or (), strict=False))
        return (
            path.stem,
            board,
            found.image,
            lies or campaign_pictures.picture_place_on_map(board["rows"], b"", None),
        )
    key = find_encounter(campaign, encounter_or_file)
    board = read_layout(campaign.book.encounters[key]).board
    image = _picture_of_scene_or_encounter(campaign, key, board)
    picture = _read_picture_or_add_notice(campaign, image, campaign.notices) if image else b""
    return (
        key.rpartition(":")[2],
        board,
        picture,
        campaign_pictures.picture_place_on_map(board["rows"], picture, image),
    )


@command(app, "shift", kind="writes", context_settings={"ignore_unknown_options": True})
def shift(
    options: Options,
    encounter: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.ENCOUNTER.with_text("ENCOUNTER"),
            help="The encounter whose picture to move.",
        ),
    ],
    right: Annotated[float, typer.Argument(metavar=FREE, help="Squares to the right; below 0 to the left.")],
    down: Annotated[float, typer.Argument(metavar=FREE, help="Squares down; below 0 up.")] = 0,
    scale: Annotated[
        float,
        typer.Option("--scale", min=0.01, max=100, help="The factor to enlarge it by, from A1's corner."),
    ] = 1,
) -> Result:
    """Move the picture of an encounter's map under the squares, to make painted walls fit the squares.

    It changes the encounter's file, and the encounter's scene if that is under way. `undo` reverts only the
    scene. Your page of the table has this command in the menu Scene.

    Example: `strike map shift ford 0.4 0 --scale 1.01`
    """
    with options.open_campaign(writing=True) as campaign:
        key = find_encounter(campaign, encounter)
        board = read_layout(campaign.book.encounters[key]).board
        image = _picture_of_scene_or_encounter(campaign, key, board)
        if not image:
            raise Refused(f"{key} has no picture.", "strike map new makes an encounter of a picture.")
        picture = _read_picture_or_add_notice(campaign, image, [])
        if not picture:
            raise Refused(f"The picture of {key} can't be read.", "`strike doctor` says why.")
        lies = campaign_pictures.picture_place_on_map(board["rows"], picture, image)
        place = [
            lies["x"] * scale + right,
            lies["y"] * scale + down,
            lies["width"] * scale,
            lies["height"] * scale,
        ]
        pixels, offset = campaign_pictures.pixels_and_offset_for_place(
            campaign_pictures.picture_size(picture), place
        )
        moved: PictureKept = {**image, "pixels": pixels, "offset": offset}
        line = f"image = {toml_value(moved)}"
        played = _move_picture_and_list_scene_systems(options, campaign, key, moved)
        file = change_key_and_return_encounter_file(
            campaign, key, change_that_replaces_image_line(line), write=not options.dry_run
        )
        blocks: list[Block] = (
            [f"{file}: {line}"] if file else [f"Write this into [encounters.{key}]:", (line, "command")]
        )
        blocks += [("The scene under way is changed, too.", "dim")] if played else []
        blocks.append((f"Look at it: strike map preview {key.rpartition(':')[2]}", "dim"))
        data = {"encounter": key, "image": moved, "file": file, "scenes": played}
        return Result("map shift", data, blocks, notices=campaign.notices)


def _picture_of_scene_or_encounter(
    campaign: Campaign, encounter: str, board: BoardKept
) -> PictureKept | None:
    """Return the picture of an encounter's map; None if it has none.

    If the state has a scene of the encounter with a picture, it is the scene's picture, which may have been
    moved. Otherwise it is the picture of `board`, the encounter's own map.
    """
    shown = (
        scene.board.image for scene in scenes_of(campaign.state) if scene.id == encounter and scene.board
    )
    return next(filter(None, shown), board.get("image"))


def _move_picture_and_list_scene_systems(
    options: Options, campaign: Campaign, encounter: str, moved_picture: PictureKept
) -> list[str]:
    """Move the map's picture in the scenes under way of an encounter; return these scenes' systems.

    `moved_picture` is the picture with its new size and place.
    """
    from strike_cli.play.command_execution import perform_command

    pixels = moved_picture["pixels"]
    both = [pixels, pixels] if isinstance(pixels, int | float) else pixels
    where = {"pixels": [*map(float, both)], "offset": [*map(float, moved_picture["offset"])]}
    found = [scene.system for scene in scenes_of(campaign.state) if scene.id == encounter and scene.board]
    for system in found:
        perform_command(campaign, f"{system} picture", where, options.play_settings())
    return found


def _read_picture_or_add_notice(campaign: Campaign, image: PictureKept, notices: list[str]) -> bytes:
    try:
        return campaign_pictures.read_campaign_picture(campaign.folder, image["file"])[0]
    except ValueError as why:
        notices.append(f"{image['file']} {why}.")
        return b""


class DrawableKind(StrEnum):
    """A kind of thing that `strike map draw` draws between squares."""

    WALL = "wall"
    WINDOW = "window"
    CURTAIN = "curtain"
    OBSTACLE = "obstacle"
    DOOR = "door"


@command(app, "draw", kind="writes")
def draw(
    options: Options,
    encounter: Annotated[
        str,
        typer.Argument(metavar=argument_completions.ENCOUNTER.with_text("ENCOUNTER"), help="The encounter."),
    ],
    what: Annotated[DrawableKind, typer.Argument(help="The kind of thing to draw.")],
    at: Annotated[str, typer.Argument(metavar=FREE, help="A square like C3, or a rectangle like C3:F6.")],
    where: Annotated[
        str,
        typer.Argument(metavar=FREE, help="above, below, left, right or around; or the neighbouring square."),
    ],
) -> Result:
    """Draw a wall, window, curtain, obstacle or door between squares, into the encounter's file.

    An obstacle is a tree or a rock: it gives cover; you see into it, not through. A fight under
    way keeps its walls.

    Example: `strike map draw ford door C7 C8`
    """
    with options.open_campaign() as campaign:
        key = find_encounter(campaign, encounter)
        line = wall_line_by_side_or_neighbour(at, where)
        kinds: Mapping[DrawableKind, tuple[str, object]] = {
            DrawableKind.WALL: ("walls", line),
            DrawableKind.WINDOW: ("walls", {"line": line, "sight": False}),
            DrawableKind.CURTAIN: ("walls", {"line": line, "steps": False}),
            DrawableKind.OBSTACLE: ("walls", {"line": line, "sight": "terrain"}),
            DrawableKind.DOOR: ("doors", {"at": line, "open": False}),
        }
        name, item = kinds[what]
        file = change_key_and_return_encounter_file(
            campaign, key, change_that_adds_list_item(name, item), write=not options.dry_run
        )
        blocks: list[Block] = [f"{file}: {name} has {toml_value(item)} now."]
        if not file:
            blocks = [f"Write this into [encounters.{key}]:", (f"{name} = [{toml_value(item)}]", "command")]
        data = {"encounter": key, "file": file, name: item}
        return Result("map draw", data, blocks, notices=campaign.notices)


@command(app, "export", kind="reads")
def export(
    options: Options,
    file: Annotated[Path, typer.Argument(metavar=FILE.with_text("FILE.uvtt"), help="The file to write.")],
    encounter: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.ENCOUNTER.with_text("[ENCOUNTER]"),
            help="An encounter. Default: the fight under way.",
        ),
    ] = "",
) -> Result:
    """Export a map as a Universal VTT file or a Foundry scene (.json): walls, doors, lights, and its picture.

    It is the map of ENCOUNTER or, without one, of the fight under way, in its present state. If the map has
    no painted picture, a plain one is written. The picture of a Foundry scene is a separate file beside it.

    Example: `strike map export ford.uvtt ford`
    """
    from strike_cli.campaign.file_access import unwritable_problem, write_user_file

    with options.open_campaign() as campaign:
        plugin, format_ = format_by_ending_to_read_or_write(file, plugin_index_for(campaign))
        if not format_.write:
            raise Usage(f"{file}: strike can read this kind of file, but not write it.")
        if encounter:
            fight = _fight_at_start(campaign, find_encounter(campaign, encounter))
        else:
            fight = _must_find_fight(campaign)
        image, pixels = read_or_draw_picture_and_scale(campaign, fight["map"])
        board = add_unsupported_walls_as_plain(fight["map"], format_, campaign.notices)
        files = dict[Path, bytes]()
        try:
            if format_.picture_beside:
                board, beside = _name_exported_picture_after_file(board, file, image, pixels)
                files[beside] = image
            with failures_as_plugin_problem(plugin):
                files[file] = format_.content_of(board, image, pixels)
            for path, content in files.items():
                write_user_file(path, content)
        except OSError as error:
            raise unwritable_problem(file, error) from None
        data = {"file": str(file), "pixels": pixels}
        return Result("map export", data, [f"{fight['name']}: written to {file}."], notices=campaign.notices)


def _name_exported_picture_after_file(
    board: BoardKept, file: Path, image: bytes, pixels: float
) -> tuple[BoardKept, Path]:
    """Return the map with a new file name for its picture, and the path of that file.

    The picture gets the name of `file` with the ending of its own format. The picture isn't written here.
    Raises AlreadyExists if a different file has that path.
    """
    beside = file.with_suffix(
        f".{campaign_pictures.media_type_or_empty(image).partition('/')[2].replace('jpeg', 'jpg')}"
    )
    if beside.exists() and beside.read_bytes() != image:
        raise AlreadyExists(beside, "Give the export another name.")
    named: PictureKept = {"file": beside.name, "pixels": pixels}
    if kept := board.get("image"):
        named = {**kept, "file": beside.name}
    return {**board, "image": named}, beside


def _must_find_fight(campaign: Campaign) -> FightState:
    from ..fight_state import NoFightUnderWay, fight_in

    found = fight_in(campaign.state)
    if not found:
        raise NoFightUnderWay("Name an encounter: `strike map export FILE.uvtt ENCOUNTER`.")
    return found
