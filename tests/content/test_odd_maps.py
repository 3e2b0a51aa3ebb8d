"""Map files of other programs with one thing odd in each: read with a note, or refused naming the key.
No word of Python's gets out."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from content.test_foundry_scene import BUILDINGS, OLD, SCENE
from content.test_uvtt import LAMP, file_of
from support.cases import case
from support.thorough import few_of

from strike_cli.content import foundry_scene, universal_vtt
from strike_cli.problems import CampaignProblem
from strike_cli.systems.combat.commands.map_conversion_and_file_edits import board_without_picture
from strike_cli.tabletop.grid import grid_of

ODD = (None, -1, 0, 1e308, "x", "", [], {}, [[1]], True, "rgba(1,2,3,.5)", 10**40)
PYTHONS = re.compile(
    r"Traceback|\w' object|attribute|iterable|subscript|unpack|NoneType|\bint\b|\bstr\b|\bdict\b|argument|"
    r"list index|Expecting|Errno|decode|zip\(|\bfloat\b|\bnan\b|literal|__|keyword"
)
UVTT = file_of(lights=[LAMP], portals=file_of()["portals"])


def places(table: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a file; of lists the first item."""
    inner = (
        table.items() if isinstance(table, dict) else enumerate(table[:1]) if isinstance(table, list) else ()
    )
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


def with_odd(whole: Any, path: tuple[Any, ...], value: object) -> Any:
    changed = copy.deepcopy(whole)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


SCENES = {
    "12": SCENE,
    "14": {**SCENE, **BUILDINGS["14"]},
    "8": OLD,
    "Levels": {**SCENE, **BUILDINGS["Levels"]},
    "Wall Height": {**SCENE, **BUILDINGS["Wall Height"]},
}


@pytest.mark.parametrize(
    ("read", "whole"),
    few_of(
        [
            (universal_vtt.read_uvtt, UVTT),
            *((foundry_scene.read_foundry_scene, scene) for scene in SCENES.values()),
        ]
    ),
    ids=["uvtt", *SCENES],
)
def test_one_thing_odd(read: Any, whole: Any) -> None:
    tried = 0
    for path in places(whole):
        for value in ODD:
            with case(path, value):
                tried += 1
                raw = json.dumps(with_odd(whole, path, value)).encode()
                try:
                    found = read(raw, "a file")
                except CampaignProblem as problem:
                    said = str(problem)
                    # What is gridType in a scene of version 8 is told as grid.type, where it is now.
                    keys = [key.lower() for key in path if isinstance(key, str)]
                    assert any(key in said.lower().replace(".", "") for key in keys), f"{said} names the key"
                else:
                    said = " ".join(found.notes)
                    for level in found.levels or [found]:
                        grid_of(board_without_picture(level))
                assert not PYTHONS.search(said), said
    assert tried > 200


@pytest.mark.parametrize("read", [universal_vtt.read_uvtt, foundry_scene.read_foundry_scene])
def test_what_is_no_json_at_all(read: Any) -> None:
    for raw in (
        b"", b"{", b"[]", b'"a"', b"\xff\xfe\x00", b"[" * 100_000, b'{"width": NaN}', b"1" * 5000, b"\x00",
        b"\x80",
    ):  # fmt: skip
        with case(raw[:20]), pytest.raises(CampaignProblem) as caught:
            read(raw, "a file")
        assert not PYTHONS.search(str(caught.value)), str(caught.value)
