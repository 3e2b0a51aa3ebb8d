"""A map's walls, doors and lights in Foundry: drawing them, and the state of doors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.foundry_documents import light_documents, wall_documents
from strike_cli.tabletop.grid import Grid, format_square
from strike_cli.tabletop.map_lines import square_doors
from strike_cli.tabletop.squares import WALL_KINDS

from .base import Asking, Conversation, Outcome, OutcomeKind, Payload, Request
from .foundry_documents import DOOR_CLOSED, DOOR_LOCKED, DOOR_OPEN, FLAG, FoundryScene, doors_of
from .foundry_relay import OLD, FoundryRelay
from .readers import value_at

if TYPE_CHECKING:
    from strike_cli.tabletop.data import BoardKept
    from strike_table.schemas import PointPayload

    from ..payloads import ShownDoor, ShownScene


DOORS, BUILT = "doors", "built "
"""Memory keys: which walls are our doors (by number, or by the square they fill), and which scenes got our
walls and lights in this fight."""
_MADE = {FLAG: {"made": True}}


class FoundryGround:
    """The part of the target that sends the map."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put(self, scene: ShownScene) -> Conversation:
        """Find out again which scene Foundry shows, then draw walls and lights there, and set its doors.

        They are drawn where the option `walls` is set. For a relay older than 3 the scene is refused instead,
        with what such a relay can't do as the reason.
        """
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
        """Draw walls with doors, and lights, where Foundry's scene has none.

        They are sent one by one, as the relay requires. Nothing is added to walls that somebody else drew. An
        interrupted drawing is finished; each scene is drawn once a fight.
        """
        place = yield from self._relay.scene()
        for kind, documents in draw_ground(scene, place).items():
            built = f"{BUILT}{kind} {place.id}"
            if not documents or built in self._target.memory:
                continue
            missing = missing_documents(documents, (yield from self._relay.drawn(kind, place)))
            for document in missing:
                body = {"sceneId": place.id, "data": document}
                yield Request("POST", self._relay.path(f"/canvas/{kind}"), body, looked_for=True)
            self._target.memory[built] = "1"

    def _put_doors(self, scene: ShownScene) -> Asking[None]:
        """Open or close the doors of Foundry's walls that lie where ours do."""
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
        """Return whether each of our doors is open, by the door's number or by the square that it fills."""
        ours = json.loads(self._target.memory.get(DOORS, "{}"))
        if not ours:
            return {}
        walls = {str(wall.get("_id")): wall for wall in (yield from self._relay.walls(scene))}
        return {which: walls[id].get("ds") == DOOR_OPEN for which, id in ours.items() if id in walls}

    def forget_built(self) -> None:
        """Forget, after a fight, that scenes got our walls and lights.

        The next fight's map is drawn anew where the scene has none.
        """
        for built in [key for key in self._target.memory if key.startswith(BUILT)]:
            del self._target.memory[built]


def doors_in_squares(scene: ShownScene) -> list[ShownDoor]:
    """Return doors that fill a square, in the form of doors between squares.

    Each is a line across the square's middle, and has the name of its `square`.
    """
    return [
        {
            "at": _point_table(door.start),
            "to": _point_table(door.end),
            "open": door.open,
            "square": format_square((int(door.start[0]), int(door.start[1]))),
        }
        for door in square_doors(Grid(scene["rows"]))
    ]


def draw_ground(scene: ShownScene, place: FoundryScene) -> dict[str, list[Payload]]:
    """Return all walls, doors and lights of a map as Foundry's documents, by kind."""

    def lines(kind: str) -> list[list[list[float]]]:
        found = cast("Sequence[Sequence[PointPayload]]", scene.get(kind, ()))
        return [[[point["x"], point["y"]] for point in wall] for wall in found]

    def pixels(point: Sequence[float]) -> list[int]:
        found = place.pixels({"x": point[0], "y": point[1]})
        return [round(found["x"]), round(found["y"])]

    kept: dict[str, object] = {
        "rows": scene["rows"],
        **{kind: lines(kind) for kind in WALL_KINDS},
        "doors": [
            {"at": [[at["x"], at["y"]] for at in (door["at"], door["to"])], "open": door["open"]}
            for door in scene["doors"]
        ],
        "lights": [{**light, "at": [*light["at"].values()]} for light in scene.get("lights", ())],
    }
    board = cast("BoardKept", kept)
    found = {"walls": wall_documents(board, pixels), "lights": light_documents(board, pixels, place.distance)}
    return {kind: [{**each, "flags": _MADE} for each in documents] for kind, documents in found.items()}


def missing_documents(documents: list[Payload], there: list[Mapping[str, object]]) -> list[Payload]:
    """Return those of our walls, or lights, that a scene lacks.

    They are all of them for an empty scene, and the rest for a scene with only some of them; none for a scene
    that somebody else drew, or that got another map.
    """
    drawn = {_place_of(each) for each in there if value_at(each, f"flags.{FLAG}.made")}
    if len(drawn) < len({_place_of(each) for each in there}) or not drawn <= {*map(_place_of, documents)}:
        return []
    return [each for each in documents if _place_of(each) not in drawn]


def _place_of(document: Mapping[str, object]) -> tuple[object, ...]:
    """Return the position of a wall or a light, which identifies it."""
    return tuple(cast("Sequence[object]", document.get("c")) or (document.get("x"), document.get("y")))


def _point_table(point: tuple[float, float]) -> PointPayload:
    return {"x": point[0], "y": point[1]}
