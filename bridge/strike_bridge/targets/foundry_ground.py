"""A map's walls, doors and lights in Foundry: what is drawn there, and which doors are open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.grid import Grid, format_square
from strike_cli.tabletop.map_file import MapDoor, Polyline
from strike_cli.tabletop.map_lines import cut_at_doors, outlines, square_doors

from .base import Asking, Conversation, Outcome, OutcomeKind, Payload, Request
from .foundry_documents import DOOR_CLOSED, DOOR_LOCKED, DOOR_OPEN, FLAG, FoundryScene, doors_of
from .foundry_relay import OLD, FoundryRelay
from .readers import at

if TYPE_CHECKING:
    from strike_table.schemas import PointPayload, SquarePayload

    from ..payloads import ShownDoor, ShownScene


DOORS, BUILT = "doors", "built "
"""What is remembered: which walls are our doors (by number, or by the square they fill), and which scenes
were given our walls and lights in this fight."""
FROM_LEFT = 1
"""A wall's `dir` that stops from its left alone."""
SEEN_PAST = 10
"""Of a wall's `sight`: past one, and not past two."""
_MADE = {FLAG: {"made": True}}


class FoundryGround:
    """What it is told of the map."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put(self, scene: ShownScene) -> Conversation:
        """Foundry has maps of its own: looks again at what it shows, and says what an old relay can't do."""
        if not self._relay.is_new:
            self._relay.forget()
        yield from self._relay.begin()
        if self._relay.version < 3:
            return Outcome(OutcomeKind.REJECTED, OLD)
        if self._target.options["walls"]:
            yield from self._build(scene)
        yield from self._put_doors(scene)
        return None

    def _build(self, scene: ShownScene) -> Asking[None]:
        """Walls with doors, and lights, one by one, as the relay takes them, where Foundry's scene has none:
        what somebody drew there is never added to. What was begun is finished, and done once for a fight."""
        place = yield from self._relay.scene()
        ours = {"walls": walls_of(scene, place), "lights": lights_of(scene, place)}
        for kind, documents in ours.items():
            built = f"{BUILT}{kind} {place.id}"
            if not documents or built in self._target.memory:
                continue
            missing = left_to_draw(documents, (yield from self._relay.drawn(kind, place)))
            for document in missing:
                body = {"sceneId": place.id, "data": document}
                yield Request("POST", self._relay.path(f"/canvas/{kind}"), body, looked_for=True)
            self._target.memory[built] = "1"

    def _put_doors(self, scene: ShownScene) -> Asking[None]:
        """Doors in walls, open or closed: those of Foundry's walls that lie where ours do."""
        self._target.memory.pop(DOORS, None)
        doors = [*scene["doors"], *doors_in_squares(scene)]
        if not doors:
            return
        place = yield from self._relay.scene()
        walls = yield from self._relay.walls(place)
        ours = doors_of(doors, walls, place)
        self._target.memory[DOORS] = json.dumps(
            {doors[number].get("square", str(number)): wall["_id"] for number, wall in ours.items()}
        )
        for number, wall in ours.items():
            state = DOOR_OPEN if doors[number]["open"] else DOOR_CLOSED
            locked = wall.get("ds") == DOOR_LOCKED and state == DOOR_CLOSED
            if wall.get("ds", DOOR_CLOSED) != state and not locked:
                body = {"sceneId": place.id, "documentId": wall["_id"], "data": {"ds": state}}
                yield Request("PUT", self._relay.path("/canvas/walls"), body)

    def doors(self, scene: FoundryScene) -> Asking[dict[str, bool]]:
        """Which of our doors are open: by their number, or by the square that they fill."""
        ours = json.loads(self._target.memory.get(DOORS, "{}"))
        if not ours:
            return {}
        walls = {str(wall.get("_id")): wall for wall in (yield from self._relay.walls(scene))}
        return {which: walls[id].get("ds") == DOOR_OPEN for which, id in ours.items() if id in walls}

    def forget_built(self) -> None:
        """The fight is over: the next one's map is drawn anew where the scene has none."""
        for built in [key for key in self._target.memory if key.startswith(BUILT)]:
            del self._target.memory[built]


def doors_in_squares(scene: ShownScene) -> list[ShownDoor]:
    """Doors that fill a square, as those between squares are told: a line across its middle, and the `square`
    it fills by its name."""
    return [
        {
            "at": _named(door.start),
            "to": _named(door.end),
            "open": door.open,
            "square": format_square((int(door.start[0]), int(door.start[1]))),
        }
        for door in square_doors(Grid(scene["rows"]))
    ]


def walls_of(scene: ShownScene, place: FoundryScene) -> list[Payload]:
    """All walls and doors of a map. They stop steps and sight, as Foundry's do unless told otherwise; one-way
    walls do so from the side that is left for who goes from the first point to the last, there as here."""
    doors = [*scene["doors"], *doors_in_squares(scene)]
    cuts = [MapDoor(_point(door["at"]), _point(door["to"]), door["open"]) for door in doors]
    both_ways = [*_without_doors(scene["walls"], cuts), *outlines(Grid(scene["rows"]))]
    one_way = _without_doors(scene["one_way_walls"], cuts)
    terrain, panes = scene.get("terrain_walls", []), scene.get("see_through_walls", [])
    windows = _without_doors([line for line in panes if line not in terrain], cuts)
    rocks = _without_doors([line for line in terrain if line in panes], cuts)
    trees = _without_doors([line for line in terrain if line not in panes], cuts)
    curtains = _without_doors(scene.get("walk_through_walls", []), cuts)

    def wall(a: PointPayload, b: PointPayload, **how: int) -> Payload:
        return {"c": _ends(place, a, b), **how, "flags": _MADE}

    return [
        *(wall(a, b) for a, b in _pieces(both_ways)),
        *(wall(a, b, sight=0, light=0) for a, b in _pieces(windows)),
        *(wall(a, b, move=0) for a, b in _pieces(curtains)),
        *(wall(a, b, sight=SEEN_PAST, light=SEEN_PAST) for a, b in _pieces(rocks)),
        *(wall(a, b, sight=SEEN_PAST, light=SEEN_PAST, move=0) for a, b in _pieces(trees)),
        *(wall(a, b, dir=FROM_LEFT) for a, b in _pieces(one_way)),
        *(
            wall(door["at"], door["to"], door=1, ds=DOOR_OPEN if door["open"] else DOOR_CLOSED)
            for door in doors
        ),
    ]


def _without_doors(walls: list[list[PointPayload]], doors: list[MapDoor]) -> list[Polyline]:
    return cut_at_doors([[_point(point) for point in wall] for wall in walls], doors)


def _pieces(walls: list[Polyline]) -> Iterator[tuple[PointPayload, PointPayload]]:
    """The straight pieces of walls, each by its ends."""
    for wall in walls:
        yield from pairwise(map(_named, wall))


def lights_of(scene: ShownScene, place: FoundryScene) -> list[Payload]:
    """All lights of a map: bright for half of their range, in the scene's own units."""
    return [
        {
            **_pixels(place, light["at"]),
            "walls": light["shadows"],
            "config": {
                "dim": light["range"] * place.distance,
                "bright": light["range"] * place.distance / 2,
                "color": f"#{light['color'][2:]}",
                "alpha": min(1, light["intensity"] / 2),
            },
            "flags": _MADE,
        }
        for light in scene.get("lights", ())
    ]


def left_to_draw(documents: list[Payload], there: list[Mapping[str, object]]) -> list[Payload]:
    """Which of our walls, or lights, a scene lacks: all where it has none, the rest where it has some of them
    and nothing else; none where somebody drew, or another map was given to it."""
    drawn = {_lies(each) for each in there if at(each, f"flags.{FLAG}.made")}
    if len(drawn) < len({_lies(each) for each in there}) or not drawn <= {*map(_lies, documents)}:
        return []
    return [each for each in documents if _lies(each) not in drawn]


def _lies(document: Mapping[str, object]) -> tuple[object, ...]:
    """Where a wall or a light is, by which it is known again."""
    return tuple(cast("Sequence[object]", document.get("c")) or (document.get("x"), document.get("y")))


def _named(point: tuple[float, float]) -> PointPayload:
    return {"x": point[0], "y": point[1]}


def _point(named: PointPayload) -> tuple[float, float]:
    return named["x"], named["y"]


def _pixels(place: FoundryScene, point: PointPayload) -> SquarePayload:
    at = place.pixels(point)
    return {"x": round(at["x"]), "y": round(at["y"])}


def _ends(place: FoundryScene, a: PointPayload, b: PointPayload) -> list[int]:
    start, end = _pixels(place, a), _pixels(place, b)
    return [start["x"], start["y"], end["x"], end["y"]]
