"""Conversion of other programs' maps into encounters and back, and edits of encounter files.

`strike map import`, `export`, `shift` and `draw` use it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.content.drafts import toml_value
from strike_cli.problems import Problem, Usage, listed, pluralize
from strike_cli.refusals import Unreadable
from strike_cli.registry.installed_plugins import (
    InstalledPlugin,
    PluginIndex,
    advice_to_list_plugin,
    import_object,
    plugin_index,
)
from strike_cli.registry.plugin_failures import failures_as_plugin_problem
from strike_cli.tabletop import campaign_pictures
from strike_cli.tabletop.foreign_map_files import LARGEST_FILE, MapFile, MapFormat
from strike_cli.tabletop.squares_and_lines import (
    SEE_THROUGH,
    TERRAIN,
    WALK_THROUGH,
    WALL_KINDS,
    encounter_walls_of_map,
    format_square,
    parse_area,
    parse_square,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.tabletop.data import BoardKept, PictureKept

PIXELS = 70
"""The pixels per square of a picture that strike draws itself."""
WHO_STANDS_WHERE = (
    "# Who stands where; rectangles count square by square.",
    '# at = { party = ["B2", "B3:C3"], goblin = ["F5"] }',
)


def plugin_index_for(campaign: Campaign | None) -> PluginIndex:
    """Return the campaign's plugin index, or the index of all installed plugins without a campaign."""
    return campaign.book.registry if campaign else plugin_index()


def read_map_by_content_or_ending(path: Path, plugins: PluginIndex) -> MapFile:
    """Read a map from a file of another program.

    The format is recognized by the file's content, or else by the ending of its name. Raises Unreadable if
    the file can't be read. Raises Usage if strike doesn't know the format or can only write it.
    """
    from strike_cli.included_and_stray_files import read_authored_file

    try:
        raw = read_authored_file(path, LARGEST_FILE)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unreadable(path, why, "Check the path.") from None
    plugin, format_ = _recognize_format_noting_failures(
        raw, path, plugins
    ) or format_by_ending_to_read_or_write(path, plugins)
    if not format_.read:
        raise Usage(f"{path}: strike can write this kind of file, but not read it.")
    with failures_as_plugin_problem(plugin):
        found = format_.map_of(raw, path.name)
        for level in (found, *found.levels):
            board_without_picture(level)
        return found


def _recognize_format_noting_failures(
    raw: bytes, path: Path, plugins: PluginIndex
) -> tuple[InstalledPlugin, MapFormat] | None:
    """Return the plugin and the format that recognize a file by its content, None if none does.

    Formats for the ending of the file's name are tried first. If a format fails, the installed plugins' index
    records the failure and the next format is tried.
    """
    ending = path.suffix.lower()
    brought = [(plugin, *each) for plugin in plugins.plugins for each in plugin.map_formats.items()]
    for plugin, _, reference in sorted(brought, key=lambda each: each[1] != ending):
        try:
            with failures_as_plugin_problem(plugin):
                found: MapFormat = import_object(reference)
                if found.recognizes and found.recognizes(raw):
                    return plugin, found
        except Problem as problem:
            plugin_index().failed[reference] = problem.message
    return None


def format_by_ending_to_read_or_write(path: Path, plugins: PluginIndex) -> tuple[InstalledPlugin, MapFormat]:
    """Return the plugin and the format for the ending of a file's name. Raises Usage if there is none."""
    formats, ending = plugins.map_formats_by_ending, path.suffix.lower()
    plugin = next((each for each in plugins.plugins if ending in each.map_formats), None)
    if plugin is None:
        bringer = next((each for each in plugin_index().plugins if ending in each.map_formats), None)
        raise Usage(
            f"{path}: the name should end in one of these: {listed(formats)}.",
            advice_to_list_plugin(bringer, plugins.plugins) if bringer else "",
        )
    with failures_as_plugin_problem(plugin):
        found: MapFormat = import_object(formats[ending])
        return plugin, found


def map_content_counts_in_words(map_file: MapFile) -> str:
    """Return how many things of each kind a map has, in words."""
    terrain = map_file.terrain_walls
    half = len(map_file.walk_through_walls) + sum(line not in terrain for line in map_file.see_through_walls)
    kinds = {
        "one-way wall": len(map_file.one_way_walls),
        "wall that stops only steps or only sight": half,
        "obstacle": len(terrain),
    }
    rarer = [
        pluralize(count, what, what.replace("wall that stops", "walls that stop") if " " in what else "")
        for what, count in kinds.items()
        if count
    ]
    doors, lights = pluralize(len(map_file.doors), "door"), pluralize(len(map_file.lights), "light")
    return listed([pluralize(len(map_file.walls), "wall"), *rarer, doors, lights])


def map_file_with_usable_picture(map_file: MapFile, file: Path, notices: list[str]) -> MapFile:
    """Return a map file with its picture, which is shrunk to a size that virtual tables accept.

    If the map file only names its picture, the picture is read from the folder of the map file. If there is
    no picture, or it can't be used, the map file is returned unchanged. For a picture that can't be used, a
    line is added to `notices`.
    """
    from strike_cli.included_and_stray_files import read_authored_file

    image = map_file.image
    if not (image or map_file.picture):
        return map_file
    path = file.parent / Path(map_file.picture).name
    if not (image or path.is_file()):
        notices.append(
            f"Its picture is not here: put {map_file.picture} beside {file.name}, and import again with "
            "--force."
        )
        return map_file
    if not image:
        try:
            image = read_authored_file(path, LARGEST_FILE)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            notices.append(f"Its picture, {path}, can't be read: {why}.")
            return map_file
    if not campaign_pictures.media_type_or_empty(image):
        notices.append("Its picture is not a png, jpg or webp, and is left out.")
        return map_file._replace(image=b"", picture="")
    return map_file._replace(image=shrink_picture_for_virtual_tables(image, notices))


def shrink_picture_for_virtual_tables(image: bytes, notices: list[str]) -> bytes:
    """Return a map's picture in a size that virtual tables accept.

    A picture that can't be shrunk stays as it is. A notice reports a change or a failure.
    """
    from strike_cli.content.map_picture_draw_and_shrink import shrink_large_picture_to_webp

    try:
        image, done = shrink_large_picture_to_webp(image)
    except ValueError as why:
        done = str(why)
    if done:
        notices.append(f"Its picture {done}.")
    return image


def board_without_picture(map_file: MapFile) -> BoardKept:
    """Return a read map in the form that the state stores, without its picture."""
    kinds: dict[str, object] = {
        kind: [[[_int_if_whole(x), _int_if_whole(y)] for x, y in wall] for wall in getattr(map_file, kind)]
        for kind in WALL_KINDS
        if getattr(map_file, kind)
    }
    board: BoardKept = {"rows": list(map_file.rows) or ["." * map_file.width] * map_file.height, **kinds}  # type: ignore[typeddict-item]  # keys of walls
    if map_file.doors:
        board["doors"] = [
            {
                "at": [[_int_if_whole(x), _int_if_whole(y)] for x, y in (door.start, door.end)],
                "open": door.open,
            }
            for door in map_file.doors
        ]
    if map_file.lights:
        board["lights"] = [
            {
                "at": [*map(_int_if_whole, light.at)],
                "range": _int_if_whole(light.range),
                "color": light.color,
                "intensity": _int_if_whole(light.intensity),
                "shadows": light.shadows,
            }
            for light in map_file.lights
        ]
    if map_file.lights or not map_file.ambient.baked or map_file.ambient.color != "ffffffff":
        board["ambient"] = {"color": map_file.ambient.color, "baked": map_file.ambient.baked}
    return board


def _int_if_whole(value: float) -> float:
    return int(value) if value == int(value) else value


def encounter_picture_entry(map_file: MapFile, file_stem: str) -> PictureKept | None:
    """Return the entry for a map's picture in an encounter, None if the map has no picture.

    `file_stem` is the picture's file name without its ending.
    """
    kind = campaign_pictures.media_type_or_empty(map_file.image).partition("/")[2].replace("jpeg", "jpg")
    if not kind:
        return None
    image: PictureKept = {"file": f"encounters/{file_stem}.{kind}", "pixels": _int_if_whole(map_file.pixels)}
    if map_file.place:
        try:
            pixels, offset = campaign_pictures.pixels_and_offset_for_place(
                campaign_pictures.picture_size(map_file.image), map_file.place
            )
        except ValueError:
            return image
        image["pixels"] = pixels
        if any(offset):
            image["offset"] = offset
    return image


def encounter_file_text(
    key: str, title: str, source: str, map_file: MapFile, image: PictureKept | None, levels: Mapping[str, str]
) -> str:
    """Return the text of an encounter file for a map.

    `levels` has the id of the encounter for each level of the map, from the lowest level up.
    """
    board = board_without_picture(map_file)
    lines = [
        f"# Imported from {json.dumps(source)[1:-1]}.",
        *(f"# {note}" for note in map_file.notes),
        f"[encounters.{key}]",
        f"name = {toml_value(title)}",
    ]
    names = [*levels]
    if len(names) > 1:
        at = names.index(map_file.level)
        beside = {"below": names[at - 1 : at] if at else [], "above": names[at + 1 : at + 2]}
        told = [f"{where}: {name} ({levels[name]})" for where, found_ in beside.items() for name in found_]
        lines.append(f"summary = {toml_value('Stairs ' + ', '.join(told))}")
    lines += ['map = """', *board["rows"], '"""']
    if image:
        lines.append(f"image = {toml_value(image)}")
    if "ambient" in board:
        lines.append(f"ambient = {toml_value(board['ambient'])}")
    written: Mapping[str, Sequence[object]] = {
        "walls": encounter_walls_of_map(board),
        "one_way_walls": board.get("one_way_walls", ()),
        "doors": board.get("doors", ()),
        "lights": board.get("lights", ()),
        "zones": [
            {"name": f"Stairs to {listed(stairs.to)}", "squares": list(stairs.squares)}
            for stairs in map_file.stairs
        ],
    }
    for name, items in written.items():
        if items:
            lines += [f"{name} = [", *(f"  {toml_value(item)}," for item in items), "]"]
    return "\n".join([*lines, *WHO_STANDS_WHERE]) + "\n"


def add_unsupported_walls_as_plain(board: BoardKept, format_: MapFormat, notices: list[str]) -> BoardKept:
    """Return a map in which the walls that a file format can't express are plain walls, too.

    There is a notice for each kind of such walls.
    """
    one_way = list(board.get("one_way_walls", ()))
    half = [*board.get(SEE_THROUGH, ()), *board.get(WALK_THROUGH, ())]
    half += [line for line in board.get(TERRAIN, ()) if line not in half and not format_.half]
    here = "for other programs" if format_.plain_elsewhere else "there"
    if one_way and (format_.plain_elsewhere or not format_.one_way):
        notices.append(f"One-way walls become plain walls {here}: {format_.title} has no such walls.")
    if half and (format_.plain_elsewhere or not format_.half):
        notices.append(
            f"Walls that stop only steps or only sight become plain walls {here}: {format_.title} has no "
            "such walls."
        )
    merged = [*([] if format_.one_way else one_way), *([] if format_.half else half)]
    return {**board, "walls": [*board.get("walls", ()), *merged]} if merged else board


def read_or_draw_picture_and_scale(campaign: Campaign, board: BoardKept) -> tuple[bytes, float]:
    """Return a map's picture and its pixels per square.

    If the map has no picture that can be read, a plain one is drawn.
    """
    from strike_cli.content.map_picture_draw_and_shrink import draw_map

    known = board.get("image")
    if known:
        try:
            image, _ = campaign_pictures.read_campaign_picture(campaign.folder, known["file"])
            pixels = known.get("pixels") or campaign_pictures.picture_size(image)[0] / max(
                map(len, board["rows"])
            )
            return image, _int_if_whole(pixels if isinstance(pixels, int | float) else pixels[0])
        except ValueError as why:
            campaign.notices.append(f"{known['file']} {why}; a plain picture takes its place.")
    return draw_map(board["rows"], PIXELS), PIXELS


# --- encounters' files


TextChange = Callable[[str], str]
"""A function that returns the new text of an encounter's table."""


def change_that_replaces_image_line(line: str) -> TextChange:
    """Return a function that replaces the `image` line in an encounter's text by `line`.

    The function returns a text without such a line unchanged.
    """
    return lambda text: re.sub(r"^image *=.*$", lambda _: line, text, count=1, flags=re.MULTILINE)


def change_that_adds_list_item(list_name: str, item: object) -> TextChange:
    """Return a function that adds an item to a list in an encounter's text; a missing list is created."""

    def append_to_list(text: str) -> str:
        there = re.search(rf"^{list_name} *= *\[$(?:\n(?!\]).*)*\n", text, re.MULTILINE)
        if there:
            return f"{text[: there.end()]}  {toml_value(item)},\n{text[there.end() :]}"
        drawn = re.search(r'^map *= *"""(?:.|\n)*?"""\n', text, re.MULTILINE)
        at = drawn.end() if drawn else 0
        return f"{text[:at]}{list_name} = [\n  {toml_value(item)},\n]\n{text[at:]}"

    return append_to_list


def change_key_and_return_encounter_file(
    campaign: Campaign, encounter: str, change: TextChange, *, write: bool
) -> str:
    """Change one key of an encounter in its TOML file, and return the file's path in the campaign.

    `encounter` is the id of the encounter. `change` gets the text of the encounter's table, and returns the
    new text. With `write` false, the change is checked, but the file isn't written.

    Returns "" if the encounter's table isn't found in a TOML file of the campaign. Also returns "" if the new
    text isn't valid TOML, or doesn't add or change exactly one key of this encounter.
    """
    import tomllib

    from strike_cli.campaign.file_access import unwritable_problem, write_user_file_below

    file = campaign.book.where.get(f"encounters.{encounter}", "")
    try:
        text = (campaign.folder / file).read_text(encoding="utf-8-sig") if file.endswith(".toml") else ""
    except (OSError, ValueError):
        return ""
    start = re.search(
        rf'^\[encounters\.(?:{re.escape(encounter)}|"{re.escape(encounter)}")\] *\n', text, re.MULTILINE
    )
    if not start:
        return ""
    end = re.search(r"^\[", text[start.end() :], re.MULTILINE)
    stop = start.end() + end.start() if end else len(text)
    changed = text[: start.end()] + change(text[start.end() : stop]) + text[stop:]
    try:
        old, new = (tomllib.loads(each) for each in (text, changed))
    except tomllib.TOMLDecodeError:
        return ""
    tables = [whole["encounters"].pop(encounter) for whole in (old, new)]
    otherwise = {name for name in tables[1] if tables[0].get(name) != tables[1][name]}
    if old != new or len(otherwise) != 1 or tables[0].keys() - tables[1].keys():
        return ""
    if write:
        try:
            write_user_file_below(campaign.folder, Path(file), changed.encode("utf-8"))
        except OSError as error:
            raise unwritable_problem(campaign.folder / file, error) from None
    return file


def wall_line_by_side_or_neighbour(area: str, side_or_square: str) -> list[list[int]]:
    """Return the corner points of a wall along one side of an area, around it, or between two squares.

    `side_or_square` is one of _SIDES, or a square beside the single square `area`. Raises Usage for other
    text.
    """
    try:
        squares = parse_area(area)
        other = None if side_or_square in _SIDES else parse_square(side_or_square)
    except ValueError as error:
        raise Usage(f"{error}.", f"The side is one of {listed(_SIDES)}, or a square.") from None
    (left, top), (right, low) = squares[0], (squares[-1][0] + 1, squares[-1][1] + 1)
    if other is not None:
        across, down = other[0] - squares[0][0], other[1] - squares[0][1]
        side_or_square = {(0, -1): "above", (0, 1): "below", (-1, 0): "left", (1, 0): "right"}.get(
            (across, down), ""
        )
        if len(squares) > 1 or not side_or_square:
            raise Usage(
                f"{area} and {format_square(other)} have no side in common.", f"Or give {listed(_SIDES)}."
            )
    corners = [[left, top], [right, top], [right, low], [left, low]]
    lines = {
        "above": corners[:2],
        "right": corners[1:3],
        "below": corners[3:1:-1],
        "left": [corners[0], corners[3]],
    }
    return lines.get(side_or_square, [*corners, corners[0]])


_SIDES = ("above", "below", "left", "right", "around")
