"""Being moved, and moving by an effect: push, pull, slide, shift and teleport.

None of it gives Opportunities. Rulings where the rules are silent: it ignores what terrain costs, passes
nobody, and stops at a wall or at whoever is in the way, without harm to either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...problems import Refused
from ..contributions import ban_on
from ..grid import DIRECTIONS, Square, distance, footprint, format_square, gap, parse_square
from ..procedure import Choose, Procedure, World
from .fight import Fight
from .place import step

KINDS = {"push": "pushed", "pull": "pulled", "slide": "slid", "shift": "shifted", "teleport": "teleported"}
"""Each kind, and the fact that comes of it."""
STAY = "stay"


def displace(
    world: World, who: str, by: str, squares: int, kind: str, to: str | None = None
) -> Procedure[dict[str, Any]]:
    """Move `who` up to so many `squares`, as `by` wishes, giving no Opportunity.

    A push takes each step further from `by`, a pull each step nearer; both go as straight as the way is free
    unless `to` names a square. A slide goes anywhere, a shift too, though not onto difficult terrain; a
    teleport skips what lies between. For these `by` is asked where to, unless `to` says.

    Returns `from`, `to`, `path` and `stopped_by` (who or what cut a push or pull short). Raises Refused for a
    `to` that can't be reached so.
    """
    fight = Fight(world)
    start = fight.at(who)
    if kind == "shift" and (reason := ban_on(world, who, "shift", 1)):
        yield world.happen("noted", who, f"{fight.name(who)} can't shift: {reason}.")
        return _told(start, [], None)
    ways = _ways(fight, who, by, squares, kind)
    stopped = None
    if to is not None:
        goal = parse_square(to)
        if goal not in ways:
            raise Refused(f"{fight.name(who)} can't be {KINDS[kind]} to {to}.", _reaches(ways))
        way = ways[goal]
    elif kind in ("push", "pull"):
        way = _straight(fight, who, by, squares, kind)
        if len(way) < squares:
            stopped = _in_the_way(fight, who, by, way[-1] if way else start, kind)
    else:
        way = ways[(yield from _asked(fight, who, by, kind, ways))]
    for square in way:
        if "out" in fight.combatant(who):
            break
        yield from step(world, who, square)
    text = _tell(fight, who, kind, way, stopped)
    yield world.happen(KINDS[kind], who, text, by=by)
    return _told(start, way, stopped)


def _told(start: Square, way: list[Square], stopped: str | None) -> dict[str, Any]:
    path = [format_square(square) for square in way]
    return {"from": format_square(start), "to": [format_square(start), *path][-1], "path": path,
            "stopped_by": stopped}  # fmt: skip


def _tell(fight: Fight, who: str, kind: str, way: list[Square], stopped: str | None) -> str:
    if not way and not stopped:
        return ""
    verb = "shifts" if kind == "shift" else f"is {KINDS[kind]}"
    where = f" to {format_square(way[-1])}" if way else ""
    held = ""
    if stopped:
        name = fight.name(stopped) if stopped in fight.data["combatants"] else stopped
        held = f" and stops at {name}" if way else f" against {name}"
    return f"{fight.name(who)} {verb}{where}{held}."


def _asked(
    fight: Fight, who: str, by: str, kind: str, ways: Mapping[Square, list[Square]]
) -> Procedure[Square]:
    """Where to, as `by` says; the furthest first."""
    start = fight.at(who)
    squares = sorted(ways, key=lambda square: (-distance(start, square), square[1], square[0]))
    names = {format_square(square): square for square in squares if square != start}
    if not names:
        return start
    answer = yield Choose(by, f"{kind} {who} to", (*names, STAY), ("",) * len(names) + ("no further",))
    return names.get(answer, start)


def _ways(fight: Fight, who: str, by: str, squares: int, kind: str) -> dict[Square, list[Square]]:
    """Every square where it may end, with the steps to it; where it starts is one, without any."""
    start = fight.at(who)
    if kind == "teleport":
        return {square: [square] if square != start else [] for square in _around(fight, who, squares)}
    ways: dict[Square, list[Square]] = {start: []}
    edge = [start]
    for _ in range(squares):
        further = []
        for here in edge:
            for square in _onward(fight, who, by, here, kind):
                if square not in ways:
                    ways[square] = [*ways[here], square]
                    further.append(square)
        edge = further
    return ways


def _onward(fight: Fight, who: str, by: str, here: Square, kind: str) -> Iterator[Square]:
    """The squares that the next step of this kind may take."""
    taken, size = fight.occupied(skip=who), fight.size(who)
    apart = _apart(fight, by, here, size) if kind in ("push", "pull") else 0
    for square in fight.grid.neighbours(here, size):
        if any(part in taken for part in footprint(square, size)):
            continue
        if kind == "push" and _apart(fight, by, square, size) <= apart:
            continue
        if kind == "pull" and _apart(fight, by, square, size) >= apart:
            continue
        if kind == "shift" and any(map(fight.grid.difficult, footprint(square, size))):
            continue
        yield square


def _straight(fight: Fight, who: str, by: str, squares: int, kind: str) -> list[Square]:
    """A push or pull along the line between the two, as well as the way is free."""
    start, source = fight.at(who), fight.at(by)
    way: list[Square] = []
    while len(way) < squares:
        onward = list(_onward(fight, who, by, way[-1] if way else start, kind))
        if not onward:
            break
        way.append(min(onward, key=lambda square: _off_line(source, start, square)))
    return way


def _in_the_way(fight: Fight, who: str, by: str, here: Square, kind: str) -> str | None:
    """What keeps a push or pull from going on: somebody's id, or a wall; None where it has come as near as
    can be."""
    taken, size = fight.occupied(skip=who), fight.size(who)
    apart = _apart(fight, by, here, size)
    if kind == "pull" and apart <= 1:
        return None
    further = [(here[0] + right, here[1] + down) for right, down in DIRECTIONS]
    further = [s for s in further if (_apart(fight, by, s, size) > apart) == (kind == "push")]
    straight = min(further, key=lambda square: _off_line(fight.at(by), fight.at(who), square))
    return next((taken[part] for part in footprint(straight, size) if part in taken), "a wall")


def _around(fight: Fight, who: str, squares: int) -> Iterator[Square]:
    (x, y), size = fight.at(who), fight.size(who)
    taken = fight.occupied(skip=who)
    for down in range(-squares, squares + 1):
        for right in range(-squares, squares + 1):
            square = x + right, y + down
            free = not any(part in taken for part in footprint(square, size))
            if free and fight.grid.fits(square, size):
                yield square


def _apart(fight: Fight, by: str, square: Square, size: int) -> int:
    return gap(fight.at(by), fight.size(by), square, size)


def _off_line(source: Square, start: Square, square: Square) -> int:
    """How far a square is off the line from the source through the start."""
    across, down = start[0] - source[0], start[1] - source[1]
    return abs(across * (square[1] - source[1]) - down * (square[0] - source[0]))


def _reaches(ways: Mapping[Square, list[Square]]) -> str:
    names = [format_square(square) for square, way in ways.items() if way]
    return (
        f"It reaches {', '.join(names[:12])}{' and more' if len(names) > 12 else ''}."
        if names
        else "No way is free."
    )
