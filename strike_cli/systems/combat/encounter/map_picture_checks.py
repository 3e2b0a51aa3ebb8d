"""Checks of the pictures of encounters' maps: whether they can be shown, and fit the squares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.content.system_checks import CheckResult
from strike_cli.problems import Problem, pluralize
from strike_cli.tabletop import campaign_pictures
from strike_cli.tabletop.encounters import read_layout

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book


def grid_line_words_and_shift_command(
    picture: bytes, place: Mapping[str, float], encounter: str
) -> tuple[str, str]:
    """Return words about the grid lines in a map's picture, and the command that aligns them.

    The command moves the picture of the encounter `encounter`. It is "" if the lines fit, if none are found,
    or if the picture can't be checked.
    """
    from strike_cli.content.grid_line_recognition import find_alignment_of_grid_lines

    try:
        found = find_alignment_of_grid_lines(picture, place)
    except ModuleNotFoundError:
        return "lines not checked, which needs Pillow (the extra `table`)", ""
    except ValueError as why:
        return str(why), ""
    if found.miss_squares:
        return "lines off the squares", found.shift_command(encounter)
    return "lines on the squares" if found.shown else "no lines of squares seen", ""


def check_map_pictures(book: Book, folder: Path) -> Iterator[CheckResult]:
    """Yield the findings of `strike doctor` about the pictures of maps.

    There is a finding for each picture that can't be shown, and for each whose grid lines don't fit the
    squares. The last finding counts the pictures that can be shown, if there are any.
    """
    known, found = dict[object, tuple[str, str]](), Counter[str]()
    for id, encounter in book.encounters.items():
        if not (image := encounter.get("image")):
            continue
        file = image if isinstance(image, str) else image["file"]
        where = f"encounters.{id}.image: {file}"
        try:
            picture, _ = campaign_pictures.read_campaign_picture(folder, file, campaign_pictures.LARGEST_MAP)
            board = read_layout(encounter).board
            place = campaign_pictures.picture_place_on_map(board["rows"], picture, board["image"])
        except ValueError as why:
            hint = "Tabletops show the squares instead. Correct the path, or remove the line."
            yield CheckResult(False, f"{where} {why}", hint)
            continue
        except Problem:
            continue  # it has no map, which is reported elsewhere
        key = file, *place.values()
        if key not in known:
            known[key] = grid_line_words_and_shift_command(picture, place, id)
        words, command = known[key]
        found[words] += 1
        if command:
            yield CheckResult(True, f"{where}: {words}", f"{command} may align them.", warning=True)
    if found:
        told = ", ".join(f"{words}: {count}" for words, count in found.items())
        yield CheckResult(True, f"maps: {pluralize(found.total(), 'picture')} ({told})")
