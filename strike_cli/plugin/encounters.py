"""What a system takes from encounters as campaigns write them: the map, and who stands where on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..kernel.procedure import World
from ..problems import Refused
from ..systems.combat.creatures import name_them, room_for
from ..systems.combat.terrain import read_layout
from ..tabletop.board import grid_of
from ..tabletop.grid import Grid, Square, distance, footprint, format_square, parse_square

__all__ = ["Setting", "set_up"]

PARTY, ENEMIES = "party", "enemies"
People = dict[str, dict[str, Any]]


class Setting(NamedTuple):
    """An encounter as it begins: `board` and `zones` as a scene's table keeps them (`map`, `zones`), and its
    `people` with `name`, `ref`, `side`, `at`, `size`, and `hidden` and `image` where their sheets say so."""

    board: dict[str, Any]
    zones: dict[str, dict[str, Any]]
    people: People


def set_up(world: World, id: str, party: Sequence[str], more: Mapping[str, int] | None = None) -> Setting:
    """An encounter with these characters of the party, in the order of the map's party squares, and with
    `more` creatures, so many of each, besides its own. Raises Refused where there is no room."""
    encounter = world.book.encounters[id]
    layout = read_layout(encounter)
    grid = grid_of(layout.board)
    people: People = {}

    def spots(ref: str) -> list[Square]:
        signs = [sign for sign, who in layout.place.items() if who == ref]
        return [square for sign in signs for square in layout.squares.get(sign, [])]

    def enter(who: str, ref: str, name: str, side: str, square: Square) -> None:
        sheet = world.book.characters.get(ref) or world.book.creatures[ref]
        told = {"name": name, "ref": ref, "side": side, "at": format_square(square)}
        shown = {key: sheet[key] for key in ("hidden", "image") if sheet.get(key)}
        people[who] = {**told, "size": sheet.get("size", 1), **shown}
        _must_fit(grid, people, who)

    def enter_kind(ref: str, side: str, squares: Sequence[Square]) -> None:
        for (who, name), square in zip(name_them(world, ref, len(squares), people), squares, strict=True):
            enter(who, ref, name, side, square)

    loose = [who for who in party if who not in layout.place.values()]
    for who, square in zip(loose, _enough(spots(PARTY), len(loose)), strict=True):
        enter(who, who, world.book.characters[who]["name"], PARTY, square)
    for sign, ref in layout.place.items():
        squares = layout.squares.get(sign, [])
        if ref in world.book.characters:
            side = encounter["side"].get(sign, PARTY)
            if squares and (side != PARTY or ref in party):
                enter(ref, ref, world.book.characters[ref]["name"], side, squares[0])
        elif ref not in (PARTY, ENEMIES):
            if count := encounter.get("counts", {}).get(sign):
                squares = _room(world, grid, people, ref, count, squares)
            enter_kind(ref, encounter["side"].get(sign, ENEMIES), squares)
    counted = dict(encounter.get("creatures", {}))
    for ref, count in (more or {}).items():
        counted[ref] = counted.get(ref, 0) + count
    for ref, count in counted.items():
        there = [parse_square(one["at"]) for one in people.values() if one["side"] == ENEMIES]
        beside = spots(ENEMIES) or there or [_far_from(grid, people)]
        enter_kind(ref, ENEMIES, _room(world, grid, people, ref, count, beside))
    return Setting(layout.board, layout.zones, people)


def _enough(squares: list[Square], count: int) -> list[Square]:
    if len(squares) < count:
        raise Refused(
            f"The map has {len(squares)} party squares for {count} characters.",
            "Add party squares to the encounter's map, or name fewer with --party.",
        )
    return squares[:count]


def _room(
    world: World, grid: Grid, people: People, ref: str, count: int, spots: Sequence[Square]
) -> list[Square]:
    sheet = world.book.creatures[ref]
    return room_for(grid, sheet.get("size", 1), count, spots, _taken(people), sheet["name"])


def _taken(people: People) -> dict[Square, str]:
    """Every square that somebody stands on, with who."""
    squares = {who: footprint(parse_square(one["at"]), one["size"]) for who, one in people.items()}
    return {square: who for who, own in squares.items() for square in own}


def _must_fit(grid: Grid, people: People, who: str) -> None:
    one = people[who]
    square, size = parse_square(one["at"]), one["size"]
    others = _taken({other: each for other, each in people.items() if other != who})
    there = [people[others[part]]["name"] for part in footprint(square, size) if part in others]
    if there or not grid.fits(square, size):
        needs = f"{size} x {size} squares" if size > 1 else "a free square"
        raise Refused(
            f"{one['name']} at {one['at']} needs {needs}, and {[*there, 'a wall or the edge'][0]} is there.",
            "Move it on the encounter's map: a sign stands for the top left square.",
        )


def _far_from(grid: Grid, people: People) -> Square:
    there = [parse_square(one["at"]) for one in people.values()]
    floor = [(x, y) for y in range(grid.height) for x in range(grid.width) if grid.fits((x, y))]
    return max(floor, key=lambda square: min((distance(square, other) for other in there), default=0))
