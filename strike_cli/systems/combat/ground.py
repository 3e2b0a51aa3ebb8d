"""Steps of powers about the ground: zones made, walls drawn square by square, zones moved, made larger, taken
away."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from strike_cli.kernel.procedure import Choose, Procedure, Roll, World
from strike_cli.tabletop.grid import DIRECTIONS, Square, format_square

from .auras import grown, moved_by, place_zone, squares_around, without_walls
from .facts.powers import Noted
from .facts.summons import NoRoomFor
from .facts.zones import DrawZone, MoveZone, Onto, ZoneDrifts, ZoneStays
from .fight import Fight
from .powers import Deed, signed
from .steps import Step
from .zones import AddZone, add_zone, remove_zone

STAY, ENOUGH = "stay", "enough"
MOST_PLACES = 40
"""Squares that are offered for the beginning of a wall: of more, those nearest to enemies."""
COMPASS: dict[Square, str] = {
    (0, -1): "north", (1, -1): "north-east", (1, 0): "east", (1, 1): "south-east",
    (0, 1): "south", (-1, 1): "south-west", (-1, 0): "west", (-1, -1): "north-west",
}  # fmt: skip
"""Directions as a map has them, with north at the top."""


def do_zone(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A zone on the power's area, or around that one, or on squares that its maker draws one by one."""
    fight = Fight(world)
    if not deed.aim.squares and not fight.is_on_map(one):
        return
    spread, blocks = int(step.get("spread", 0)), bool(step.get("blocks"))
    if "length" in step:
        squares = yield from _drawn(world, deed, step, one)
    elif step.get("along") or (spread and not deed.aim.squares):
        squares = sorted(squares_around(fight, one, spread))
    else:
        squares = without_walls(fight, deed.aim.squares or fight.squares_of(one), blocks)
    if not squares:
        yield signed(deed, one, world.tell(Noted(one, NoRoomFor(step["name"], deed.who))))
        return
    zone = AddZone(
        called=step["name"],
        squares=[*map(format_square, without_walls(fight, squares, blocks))],
        by=deed.who,
        damage=step.get("amount", 0),
        difficult=step.get("difficult", False),
        status=step.get("status", ""),
        sight=step.get("sight", ""),
        ends=step.get("duration", "encounter"),
        blocks=blocks,
        cover=step.get("cover", False),
        along=one if step.get("along") else "",
        spread=spread if step.get("along") else 0,
        who=step.get("who", ""),
    )
    if zone.squares:
        yield from add_zone(world, zone)


def _drawn(world: World, deed: Deed, step: Step, one: str) -> Procedure[list[Square]]:
    """Squares in a row that the maker names one by one: the first within the power's range, each next to the
    last."""
    fight, found = Fight(world), list[Square]()
    if not fight.is_on_map(deed.who):
        return found
    to_foes, taken = fight.measure_to_foes(deed.who), fight.occupied()

    def worth(square: Square) -> tuple[int, int, int]:
        return to_foes(square, 1), square[1], square[0]

    while len(found) < step["length"]:
        places = _beside(fight, found[-1]) if found else _in_range(fight, deed)
        free = [square for square in places if square not in taken and square not in found]
        names = {format_square(square): square for square in sorted(free, key=worth)[:MOST_PLACES]}
        if not names:
            break
        number, name = len(found) + 1, step["name"]
        answer = yield Choose(
            deed.who,
            f"{deed.power['id']}: square {number}",
            (*names, ENOUGH) if found else tuple(names),
            about=DrawZone(deed.who, name, number, step["length"]),
            formerly=f"{name}: square {number}",
        )
        if answer == ENOUGH:
            break
        found.append(names[answer])
    return found


def _beside(fight: Fight, square: Square) -> Iterator[Square]:
    for right, down in DIRECTIONS:
        near = square[0] + right, square[1] + down
        if fight.grid.inside(near) and not fight.grid.blocked(near):
            yield near


def _in_range(fight: Fight, deed: Deed) -> Collection[Square]:
    reach = max(deed.power.get("range", 0), deed.power.get("reach", 0)) or 1
    return squares_around(fight, deed.who, reach)


# Zones that are there


def zones_meant(fight: Fight, deed: Deed, step: Step) -> list[str]:
    """Ids of the zones that a step is about: those of its name that who uses the power has made, or who gave
    the status that does it; without a name the one that the status is of."""
    if "zone" not in step:
        own = str(deed.power.get("zone", ""))
        return [own] if own in fight.zones else []
    makers = (deed.who, deed.power.get("giver"))
    return [
        key
        for key, zone in fight.zones.items()
        if zone["name"] == step["zone"] and zone.get("by") in makers and "by" in zone
    ]


def inside(fight: Fight, deed: Deed, step: Step) -> list[str]:
    """All who stand in the zones that a step is about, and for whom those are."""
    from .zones import stands_in

    keys = zones_meant(fight, deed, step)
    return [one for one in fight.in_the_fight() if any(stands_in(fight, one, key) for key in keys)]


def do_end_zone(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Zones are taken away."""
    for key in zones_meant(Fight(world), deed, step):
        if key in Fight(world).zones:
            yield from remove_zone(world, key)


def do_grow_zone(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Zones take in so many squares more around them."""
    for key in zones_meant(Fight(world), deed, step):
        fight, by = Fight(world), int(step.get("amount", 1))
        if bearer := fight.zones[key].get("along"):
            spread = min(fight.zones[key].get("spread", 0) + by, MOST_SPREAD)
            if fight.is_on_map(bearer):
                squares = squares_around(fight, bearer, spread)
                yield from place_zone(world, key, squares, grown=True, spread=spread)
        else:
            yield from place_zone(world, key, grown(fight, fight.zone_squares(key), by), grown=True)


MOST_SPREAD = 20


def do_move_zone(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Zones go so many squares, in a direction that is chosen, away from their maker, nearer to the one whom
    the step is for, or as a die of eight says. What goes along with somebody goes nowhere by itself."""
    for key in zones_meant(Fight(world), deed, step):
        fight = Fight(world)
        if "along" in fight.zones[key]:
            continue
        way = yield from _direction(world, deed, step, one, key)
        if way != (0, 0):
            squares = moved_by(fight.zone_squares(key), way, int(step.get("amount", 1)))
            yield from place_zone(world, key, squares)


def _direction(world: World, deed: Deed, step: Step, one: str, key: str) -> Procedure[Square]:
    fight = Fight(world)
    middle = _middle(fight.zone_squares(key))
    match step.get("way", "chosen"):
        case "random":
            name = fight.zones[key]["name"]
            faces: list[int] = yield Roll(1, 8, name, deed.who, why=ZoneDrifts(key), id=f"{key} goes")
            return list(COMPASS)[faces[0] - 1]
        case "away":
            return _towards(fight.at(deed.who), middle) if fight.is_on_map(deed.who) else (0, 0)
        case "nearer":
            return _towards(middle, fight.at(one)) if fight.is_on_map(one) else (0, 0)
    chosen: Square = yield from _chosen(fight, deed, step, key)
    return chosen


def _chosen(fight: Fight, deed: Deed, step: Step, key: str) -> Procedure[Square]:
    """As its maker says; what takes in most enemies and fewest friends comes first."""
    squares, side, far = fight.zone_squares(key), fight.acts_for(deed.who), int(step.get("amount", 1))
    there = [one for one in fight.in_the_fight() if fight.is_on_map(one)]

    def onto(way: Square) -> list[str]:
        area = set(moved_by(squares, way, far))
        return [one for one in there if not area.isdisjoint(fight.squares_of(one))]

    def worth(way: Square) -> int:
        return sum(1 if fight.side(one) != side else -1 for one in onto(way))

    ways = sorted([*COMPASS, (0, 0)], key=lambda way: (-worth(way), way != (0, 0)))
    words = {COMPASS.get(way, STAY): way for way in ways}
    answer: str = yield Choose(
        deed.who,
        f"{key} moves",
        tuple(words),
        tuple(Onto(onto(way)) if way != (0, 0) else ZoneStays() for way in ways),
        about=MoveZone(deed.who, key, far),
        formerly=f"{fight.zones[key]['name']} moves",
    )
    return words[answer]


def _middle(squares: Collection[Square]) -> Square:
    columns, rows = zip(*squares, strict=True)
    return (min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2


def _towards(start: Square, end: Square) -> Square:
    return _sign(end[0] - start[0]), _sign(end[1] - start[1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
