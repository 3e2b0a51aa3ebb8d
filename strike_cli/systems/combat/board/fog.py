"""Fog of war: the part of the map that the party has seen.

The party sees by the rules of sight for attacks (STR-TAC-22). Squares are recorded as seen at every step of a
move.

Rulings:

- Everybody on the party's side who is still in the fight sees for the party.
- A square that was seen once still counts when nobody sees it any more, until the game master covers it with
  fog.
- A creature that enters such a square is shown if it isn't Hidden (STR-TAC-23).
- A square that was covered is seen again once a member of the party has moved and sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Happen, Procedure, World
from strike_cli.tabletop.fog import parse_seen_squares, squares_to_rows
from strike_cli.tabletop.grid import DIAGONAL, DIRECTIONS, Grid, Square
from strike_cli.tabletop.party_sight import possibly_visible_squares
from strike_cli.tabletop.scene_change_facts import GroundSeen

from ..fight_state import PARTY, Fight
from .sight_and_hiding import make_square_sight_test, sight_of

if TYPE_CHECKING:
    from ..data import FightState


def record_newly_seen_squares(world: World, fight_before: Mapping[str, object] | None) -> Procedure[None]:
    """After a fact of a fight, record the squares that the party sees for the first time.

    `fight_before` is the state's `fight` table before that fact; None if there was no fight. If the party
    sees a creature of another side, and none of that creature's squares has been seen before, all of them are
    recorded.
    """
    fight = Fight(world)
    was = cast("FightState", fight_before or {})
    known = seen = parse_seen_squares(fight.data["seen"])
    changed = (
        "seen" not in was
        or fight.data.get("map") is not was.get("map")
        or fight.data.get("zones") is not was.get("zones")
    )
    lookers = [
        combatant for combatant in _combatants_in_fight_on_map(fight) if fight.side(combatant) == PARTY
    ]
    for combatant in lookers:
        if changed or _place_size_or_side_changed(fight, combatant, was):
            seen |= _newly_seen_squares(fight, combatant, seen)
    for foe in _combatants_in_fight_on_map(fight):
        own = fight.squares_of(foe)
        if seen.isdisjoint(own) and any(
            not sight_of(fight, combatant, foe, count_hiding=False).unseen for combatant in lookers
        ):
            seen = seen.union(own)
    if seen is not known:
        yield seen_squares_replaced_fact(world, seen)


def squares_in_party_sight(world: World) -> frozenset[Square]:
    """Return the squares that the party sees now; pages dim squares that it saw only earlier."""
    fight = Fight(world)
    lookers = [
        combatant for combatant in _combatants_in_fight_on_map(fight) if fight.side(combatant) == PARTY
    ]
    return frozenset[Square]().union(*(_squares_seen_by(fight, combatant) for combatant in lookers))


def _squares_seen_by(fight: Fight, combatant: str) -> frozenset[Square]:
    """Return the squares that a creature sees from its place.

    Results are cached for each place. So if only one member of the party has moved, only its view is computed
    again.
    """
    grid, at, size = fight.grid, fight.at(combatant), fight.size(combatant)
    zones = fight.zones.items()
    dark = [
        zone for key, zone in zones if zone.get("sight") in ("dark", "light") and fight.is_zone_active(key)
    ]
    eyes = grid, at, size, repr(dark), repr(fight.sheet(combatant).get("senses"))
    found = _sights.get(eyes)
    if found is None:
        if len(_sights) >= MOST_SIGHTS:
            _sights.clear()
        own, sees = fight.squares_of(combatant), make_square_sight_test(fight, combatant)
        found = frozenset(
            square for square in possibly_visible_squares(grid, at, size) if square in own or sees(square)
        )
        _sights[eyes] = found
    return found


MOST_SIGHTS = 64
_sights: dict[tuple[object, ...], frozenset[Square]] = {}
"""The squares seen from a place, by place, size, map, darkness and senses."""


def seen_squares_replaced_fact(world: World, squares: Iterable[Square]) -> Happen:
    """Return the fact that the party has now seen exactly these squares.

    `squares` replaces all squares that were recorded as seen before.
    """
    before: dict[str, str] = world.get("fight.seen", {})
    after = squares_to_rows(squares)
    return world.tell(GroundSeen(), {f"fight.seen.{row}": after.get(row) for row in {**before, **after}})


def _combatants_in_fight_on_map(fight: Fight) -> list[str]:
    return [combatant for combatant in fight.still_in_fight() if fight.is_on_map(combatant)]


def _place_size_or_side_changed(fight: Fight, combatant: str, fight_before: FightState) -> bool:
    now: Mapping[str, object] = fight.combatant(combatant)
    then: Mapping[str, object] = fight_before.get("combatants", {}).get(combatant, {})
    return any(now.get(key) != then.get(key) for key in ("at", "size", "side"))


def _newly_seen_squares(fight: Fight, combatant: str, seen: frozenset[Square]) -> frozenset[Square]:
    """Return the squares that a creature sees and that are not yet in `seen`.

    The search begins at the border of the squares in `seen`. It spreads from there through squares that don't
    block sight. So the squares in `seen` cost no time.
    """
    grid, own = fight.grid, frozenset(fight.squares_of(combatant))
    found = set(own - seen)
    coming = [*_unseen_frontier(grid, seen.union(own))]
    if not coming:
        return frozenset(found)
    sees = make_square_sight_test(fight, combatant)
    left = possibly_visible_squares(grid, fight.at(combatant), fight.size(combatant)) - seen - own
    while coming:
        square = coming.pop()
        if square not in left:
            continue
        left.discard(square)
        if sees(square):
            found.add(square)
            if not grid.is_blocked(square):
                coming += [each for each in _neighbours(square) if each in left]
    return _with_known_wall_corners(grid, seen, found)


def _with_known_wall_corners(grid: Grid, seen: frozenset[Square], squares: set[Square]) -> frozenset[Square]:
    """Return `squares`, together with the wall squares in corners that everybody can infer.

    A corner is diagonally next to an open square of `squares`, between two known wall squares. No line of
    sight reaches the corner, but everybody can tell that it is wall. `seen` has the squares that were known
    before.
    """
    known = seen.union(squares)
    corners = {
        corner
        for x, y in squares
        if not grid.is_blocked((x, y))
        for right, down in DIAGONAL
        if (corner := (x + right, y + down)) not in known
        and all(each in known and grid.is_blocked(each) for each in ((x + right, y), (x, y + down)))
        and grid.is_on_map(corner)
        and grid.is_blocked(corner)
    }
    return frozenset(squares.union(corners))


@lru_cache(maxsize=8)
def _unseen_frontier(grid: Grid, seen: frozenset[Square]) -> frozenset[Square]:
    """Return the unseen squares that border on the seen part of a map.

    A square borders on it if it is next to a square in `seen` that doesn't block sight.
    """
    found = {other for square in seen if not grid.is_blocked(square) for other in _neighbours(square)}
    return frozenset(square for square in found - seen if grid.is_on_map(square))


def _neighbours(square: Square) -> list[Square]:
    x, y = square
    return [(x + right, y + down) for right, down in DIRECTIONS]
