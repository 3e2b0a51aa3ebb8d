"""What a system takes from encounters as campaigns write them: the map, and who stands where on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..kernel.procedure import World
from ..problems import Refused, listed
from ..refusals import NoEncounter, StillGoingOn, TooFewPartySquares
from ..systems.combat.board.terrain import read_layout
from ..tabletop.grid import Square, distance, footprint, format_square, grid_of, parse_square
from ..tabletop.reinforcements import name_them, room_for

if TYPE_CHECKING:
    from ..tabletop.data import BoardKept, EncounterWritten, PersonKept, ZoneKept

__all__ = ["Setting", "begin", "set_up", "somebody", "with_sheets"]

PARTY, ENEMIES = "party", "enemies"


class Setting(NamedTuple):
    """An encounter as it begins.

    `board` and `zones` have the form of a scene's table (`map`, `zones`), and `people` have `name`, `ref`,
    `side`, `at`, `size`, and `hidden` and `image` where their sheets say so. Without a map there is no board,
    and nobody has `at`.
    """

    board: BoardKept
    zones: dict[str, ZoneKept]
    people: dict[str, PersonKept]


def begin(
    world: World, key: str, id: str, party: Sequence[str] = (), more: Mapping[str, int] | None = None
) -> Setting:
    """Set up the encounter of a new fight of the game whose scene and sheets have this key.

    Without a `party` everybody with a sheet comes. Raises Refused where a fight is under way, and for an
    encounter, a character or a creature that there isn't.
    """
    if world.get(key):
        raise StillGoingOn(world.get(f"{key}.name", ""), f"`strike {key} end` ends it.")
    if id not in world.book.encounters:
        raise NoEncounter(repr(id), f"There is {listed(world.book.encounters)}.")
    for kind, ids in (("character", party), ("creature", more or {})):
        known = world.book.table(f"{kind}s")
        if unknown := [each for each in ids if each not in known]:
            raise Refused(f"{listed(unknown)}: no such {kind}.", f"There is {listed(known)}.")
    return set_up(world, id, list(dict.fromkeys(party or with_sheets(world, key))), more)


def with_sheets(world: World, key: str) -> list[str]:
    """Return the characters whose sheets have a game's table."""
    return [who for who, sheet in world.book.characters.items() if key in sheet]


def set_up(world: World, id: str, party: Sequence[str], more: Mapping[str, int] | None = None) -> Setting:
    """Set up an encounter with these characters of the party, in the order of the map's party squares.

    `more` creatures, so many of each, come besides its own. Raises Refused where there is no room.
    """
    encounter: EncounterWritten = world.book.encounters[id]
    if not encounter["map"]:
        return _by_words(world, encounter, party, more or {})
    entering = _Entering(world, encounter)
    entering.party(party)
    entering.drawn(party)
    entering.counted(more or {})
    return Setting(entering.layout.board, entering.layout.zones, entering.people)


def _by_words(
    world: World, encounter: EncounterWritten, party: Sequence[str], more: Mapping[str, int]
) -> Setting:
    """Set up an encounter without a map."""
    people = {who: somebody(world, who, world.book.characters[who]["name"], PARTY) for who in party}
    own = encounter.get("creatures", {})
    for ref in {**own, **more}:
        for who, name in name_them(world, ref, own.get(ref, 0) + more.get(ref, 0), people):
            people[who] = somebody(world, ref, name, ENEMIES)
    return Setting({}, {}, people)


def somebody(world: World, ref: str, name: str, side: str, at: str = "") -> PersonKept:
    """Return a character or a creature in the form of a scene's table, made from their sheet.

    Without `at` they have no place.
    """
    sheet = world.book.characters.get(ref) or world.book.creatures[ref]
    one: PersonKept = {"name": name, "ref": ref, "side": side}
    if at:
        one["at"] = at
    one["size"] = sheet.get("size", 1)
    if sheet.get("hidden"):
        one["hidden"] = sheet["hidden"]
    if sheet.get("image"):
        one["image"] = sheet["image"]
    return one


class _Entering:
    """An encounter's map, and the people who have entered it so far."""

    def __init__(self, world: World, encounter: EncounterWritten) -> None:
        self.world = world
        self.encounter = encounter
        self.layout = read_layout(encounter)
        self.grid = grid_of(self.layout.board)
        self.people: dict[str, PersonKept] = {}

    def party(self, party: Sequence[str]) -> None:
        """Place those of the party who have no sign of their own on its squares."""
        loose = [who for who in party if who not in self.layout.place.values()]
        squares = self._squares(PARTY)
        if len(squares) < len(loose):
            raise TooFewPartySquares(len(squares), len(loose))
        for who, square in zip(loose, squares, strict=False):
            self._character(who, PARTY, square)

    def drawn(self, party: Sequence[str]) -> None:
        """Place the people with a sign of their own.

        A character is placed once; a creature on each of its squares, or as often as the sign counts.
        """
        for sign, ref in self.layout.place.items():
            squares = self.layout.squares.get(sign, [])
            if ref in self.world.book.characters:
                side = self.encounter["side"].get(sign, PARTY)
                if squares and (side != PARTY or ref in party):
                    self._character(ref, side, squares[0])
            elif ref not in (PARTY, ENEMIES):
                count = self.encounter.get("counts", {}).get(sign)
                squares = self._room(ref, count, squares) if count else squares
                self._creatures(ref, self.encounter["side"].get(sign, ENEMIES), squares)

    def counted(self, more: Mapping[str, int]) -> None:
        """Place enemies by count, on the squares for enemies and beside those.

        Without such squares they stand beside the enemies who are there, or else far from the party.
        """
        own = self.encounter.get("creatures", {})
        for ref in {**own, **more}:
            occupied = [parse_square(one["at"]) for one in self.people.values() if one["side"] == ENEMIES]
            spots = self._squares(ENEMIES) or occupied or [self._far_off()]
            self._creatures(ref, ENEMIES, self._room(ref, own.get(ref, 0) + more.get(ref, 0), spots))

    def _squares(self, ref: str) -> list[Square]:
        signs = [sign for sign, who in self.layout.place.items() if who == ref]
        return [square for sign in signs for square in self.layout.squares.get(sign, [])]

    def _character(self, who: str, side: str, square: Square) -> None:
        self._enter(who, who, self.world.book.characters[who]["name"], side, square)

    def _creatures(self, ref: str, side: str, squares: Sequence[Square]) -> None:
        named = name_them(self.world, ref, len(squares), self.people)
        for (who, name), square in zip(named, squares, strict=True):
            self._enter(who, ref, name, side, square)

    def _enter(self, who: str, ref: str, name: str, side: str, square: Square) -> None:
        one = somebody(self.world, ref, name, side, format_square(square))
        self._must_fit(name, square, one["size"])
        self.people[who] = one

    def _room(self, ref: str, count: int, spots: Sequence[Square]) -> list[Square]:
        sheet = self.world.book.creatures[ref]
        return room_for(self.grid, sheet.get("size", 1), count, spots, self._taken(), sheet["name"])

    def _taken(self) -> dict[Square, str]:
        """Return every square that somebody stands on, with their name."""
        people = self.people.values()
        own = ((one["name"], footprint(parse_square(one["at"]), one["size"])) for one in people)
        return {square: name for name, squares in own for square in squares}

    def _must_fit(self, name: str, square: Square, size: int) -> None:
        taken = self._taken()
        others = [taken[part] for part in footprint(square, size) if part in taken]
        if others or not self.grid.fits(square, size):
            needs = f"{size} x {size} squares" if size > 1 else "a free square"
            raise Refused(
                f"{name} at {format_square(square)} needs {needs}, and "
                f"{[*others, 'a wall or the edge'][0]} is there.",
                "Move it on the encounter's map: a sign marks the top left square.",
            )

    def _far_off(self) -> Square:
        taken = [parse_square(one["at"]) for one in self.people.values()]
        grid = self.grid
        floor = [(x, y) for y in range(grid.height) for x in range(grid.width) if grid.fits((x, y))]
        return max(floor, key=lambda square: min((distance(square, other) for other in taken), default=0))
