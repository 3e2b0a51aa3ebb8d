"""Walls, doors and lights of a map in Foundry: draws them, and reads and sets the state of doors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.foundry_walls_and_lights import light_documents, wall_and_door_documents
from strike_cli.tabletop.grid import Grid, format_square
from strike_cli.tabletop.squares_and_lines import WALL_KINDS
from strike_cli.tabletop.wall_and_door_lines import lines_of_square_doors

from .answers_and_pixel_grid import value_at_path_of_keys
from .base import Asking, Conversation, Outcome, OutcomeKind, Payload, Request
from .foundry_documents import DOOR_CLOSED, DOOR_LOCKED, DOOR_OPEN, FLAG, FoundryScene, match_doors_to_walls
from .foundry_relay import OLD, FoundryRelay

if TYPE_CHECKING:
    from strike_cli.tabletop.data import BoardKept
    from strike_table.schemas import PointPayload

    from ..payloads import ShownDoor, ShownScene


DOORS, BUILT = "doors", "built "
"""Memory keys: which walls are our doors (by number, or by the square they fill), and which scenes got our
walls and lights in this fight."""
_MADE = {FLAG: {"made": True}}


class FoundryWallsAndLights:
    """The part of the target that draws the map's walls and lights, and sets its doors."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put_walls_lights_and_doors(self, scene: ShownScene) -> Conversation:
        """Draw walls and lights in the scene that Foundry shows, and open or close its doors.

        Walls and lights are drawn only if the option `walls` is on. If the relay is older than version 3, the
        outcome is REJECTED, with a reason.
        """
        if not self._relay.is_new:
            self._relay.forget_version_scenes_and_tracker()
        yield from self._relay.find_version_and_only_world()
        self._relay.is_new = False
        if self._relay.version < 3:
            return Outcome(OutcomeKind.REJECTED, OLD)
        if self._target.options["walls"]:
            yield from self._draw_walls_and_lights_if_none(scene)
        yield from self._put_doors(scene)
        return None

    def _draw_walls_and_lights_if_none(self, scene: ShownScene) -> Asking[None]:
        """Draw walls with doors, and lights, if Foundry's scene has none of its own.

        In one fight, a scene is drawn only once. Walls and lights are sent one by one, as the relay requires.
        If that is interrupted, the rest is drawn the next time.
        """
        place = yield from self._relay.read_scene()
        for kind, documents in wall_and_light_documents(scene, place).items():
            built = f"{BUILT}{kind} {place.id}"
            if not documents or built in self._target.memory:
                continue
            missing = missing_documents_unless_foreign(
                documents, (yield from self._relay.read_walls_or_lights(kind, place))
            )
            for document in missing:
                body = {"sceneId": place.id, "data": document}
                yield Request("POST", self._relay.path_in_world(f"/canvas/{kind}"), body, looked_for=True)
            self._target.memory[built] = "1"

    def _put_doors(self, scene: ShownScene) -> Asking[None]:
        """Open or close doors in Foundry as they are open or closed in our scene.

        A door in Foundry is changed only if it lies where our scene has a door. If our door is closed and
        Foundry's door is locked, Foundry's door stays locked.
        """
        self._target.memory.pop(DOORS, None)
        doors = [*scene["doors"], *square_doors_as_lines(scene)]
        if not doors:
            return
        place = yield from self._relay.read_scene()
        walls = yield from self._relay.read_door_walls(place)
        ours = match_doors_to_walls(doors, walls, place)
        self._target.memory[DOORS] = json.dumps(
            {doors[number].get("square", str(number)): wall["_id"] for number, wall in ours.items()}
        )
        for number, wall in ours.items():
            state = DOOR_OPEN if doors[number]["open"] else DOOR_CLOSED
            locked = wall.get("ds") == DOOR_LOCKED and state == DOOR_CLOSED
            if wall.get("ds", DOOR_CLOSED) != state and not locked:
                body = {"sceneId": place.id, "documentId": wall["_id"], "data": {"ds": state}}
                yield Request("PUT", self._relay.path_in_world("/canvas/walls"), body)

    def read_door_states(self, scene: FoundryScene) -> Asking[dict[str, bool]]:
        """Return for each door that strike made in Foundry whether it is open there.

        The key of a door in a wall is the door's number. The key of a door that fills a square is the
        square's name. A door that is no longer in Foundry is left out.
        """
        ours = json.loads(self._target.memory.get(DOORS, "{}"))
        if not ours:
            return {}
        walls = {str(wall.get("_id")): wall for wall in (yield from self._relay.read_door_walls(scene))}
        return {which: walls[id].get("ds") == DOOR_OPEN for which, id in ours.items() if id in walls}

    def forget_drawn_scenes(self) -> None:
        """Forget in which scenes our walls and lights were drawn.

        Call this after a fight. The walls and lights of the next fight can then be drawn in the same scenes.
        """
        for built in [key for key in self._target.memory if key.startswith(BUILT)]:
            del self._target.memory[built]


def square_doors_as_lines(scene: ShownScene) -> list[ShownDoor]:
    """Return the doors that fill a whole square, as lines.

    Foundry knows only doors in walls. So each door becomes a line across the middle of its square. The field
    `square` names the square.
    """
    return [
        {
            "at": _point_payload(door.start),
            "to": _point_payload(door.end),
            "open": door.open,
            "square": format_square((int(door.start[0]), int(door.start[1]))),
        }
        for door in lines_of_square_doors(Grid(scene["rows"]))
    ]


def wall_and_light_documents(scene: ShownScene, foundry_scene: FoundryScene) -> dict[str, list[Payload]]:
    """Return a map's walls with doors ("walls") and its lights ("lights") as Foundry's documents."""

    def lines(kind: str) -> list[list[list[float]]]:
        found = cast("Sequence[Sequence[PointPayload]]", scene.get(kind, ()))
        return [[[point["x"], point["y"]] for point in wall] for wall in found]

    def pixels(point: Sequence[float]) -> list[int]:
        found = foundry_scene.corner_pixels({"x": point[0], "y": point[1]})
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
    found = {
        "walls": wall_and_door_documents(board, pixels),
        "lights": light_documents(board, pixels, foundry_scene.distance),
    }
    return {kind: [{**each, "flags": _MADE} for each in documents] for kind, documents in found.items()}


def missing_documents_unless_foreign(
    documents: list[Payload], in_scene: list[Mapping[str, object]]
) -> list[Payload]:
    """Return those of our walls or lights (`documents`) that must still be drawn in a scene.

    `in_scene` has the walls or lights that are in the scene already. Those of ours that are among them are
    left out. In two cases, none of ours are returned: `in_scene` has some that the bridge didn't draw, or
    some that it drew for another map.
    """
    drawn = {
        _document_position(each) for each in in_scene if value_at_path_of_keys(each, f"flags.{FLAG}.made")
    }
    if len(drawn) < len({_document_position(each) for each in in_scene}) or not drawn <= {
        *map(_document_position, documents)
    }:
        return []
    return [each for each in documents if _document_position(each) not in drawn]


def _document_position(document: Mapping[str, object]) -> tuple[object, ...]:
    """Return the position of a wall or a light, by which it is recognised."""
    return tuple(cast("Sequence[object]", document.get("c")) or (document.get("x"), document.get("y")))


def _point_payload(point: tuple[float, float]) -> PointPayload:
    return {"x": point[0], "y": point[1]}
