"""The scene that the game master's commands change, with its map and people.

This module also has the moves that park a scene and return to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.refusals import NotOnMap, OutOfScene

from ...kernel.procedure import Args, Data, Procedure, Sets, World
from ...kernel.state_changes import require_scene_table
from ...problems import Refused, listed
from ...registry.installed_plugins import gm_override_rules_of
from ...registry.scenes_and_decisions_in_state import (
    nothing_under_way_refusal,
    parked_scene_names,
    parked_scene_tables,
    scene_or_bare_scene_from_table,
)
from ...registry.system_declaration import PARKED, System
from ...tabletop.characters_and_names import checked_creature_size, display_name
from ...tabletop.grid import Grid, Square, footprint, format_square, grid_of, parse_square
from ...tabletop.scene import Meter, people_table

if TYPE_CHECKING:
    from ...tabletop.data import PersonKept, SceneKept


def out_in_words(out: str) -> str:
    """Return a person's `out` (the reason why they are out of a scene) as words."""
    return out.replace("-", " ")


class OverriddenScene:
    """A system's scene under way, as a command of the game master sees and changes it.

    `move` is the name of the command. Raises Refused if no scene is under way, or if the system doesn't allow
    this command.
    """

    def __init__(self, system: System, world: World, move: str) -> None:
        self.system = system
        self.world = world
        self.hand = gm_override_rules_of(system)
        if not world.get(system.scene.key):
            raise nothing_under_way_refusal(system, world.state)
        if reason := self.hand.refuses.get(move):
            raise Refused(reason, "Nothing was changed.")

    @property
    def data(self) -> SceneKept:
        """The stored data of the scene in the state."""
        return cast("SceneKept", require_scene_table(self.world.state, self.system.scene.key))

    def shown_and_counted_meters(self, person: str) -> Mapping[str, Meter]:
        """Return a person's numbers, by id.

        These are the numbers that the scene shows, and further numbers that the system counts. A number that
        isn't shown has the value 0 here.
        """
        scene = scene_or_bare_scene_from_table(self.system, self.data)
        counted = {id: Meter(id, name, 0, vital=False) for id, name in self.hand.counted.items()}
        return counted | {meter.id: meter for meter in scene.people[person].meters}

    @property
    def people(self) -> Mapping[str, PersonKept]:
        """The people of the scene by id."""
        return people_table(self.data, self.system.scene.people)

    def name(self, person: str) -> str:
        """Return the name under which a person is shown."""
        return display_name(self.world, person)

    def require_present(self, person: str) -> PersonKept:
        """Return the stored data of a person who is in the scene.

        Raises Refused if they were never in it, and OutOfScene if they are out of it.
        """
        there = [one for one, table in self.people.items() if "out" not in table]
        if person not in self.people:
            raise Refused(f"{self.name(person)} is not here.", f"Here: {listed(there) or 'nobody'}.")
        if out := self.people[person].get("out"):
            raise OutOfScene(self.name(person), out_in_words(out), self.how_to_return(person))
        return self.people[person]

    def how_to_return(self, person: str) -> str:
        """Return a sentence saying how a person out of the scene can come back, or that they can't."""
        if self.people[person].get("out") in self.hand.gone_for_good:
            return "They can't return in this scene."
        return f"`strike {self.system.name} join {person}` brings them back."

    def state_path(self, person: str, key: str) -> str:
        """Return the path in the state of one value (`key`) of a person."""
        return f"{self.system.scene.key}.{self.system.scene.people}.{person}.{key}"

    # The map

    @property
    def has_squares(self) -> bool:
        """Whether people's places are squares of a map; otherwise they are words."""
        return bool(self.data.get("map")) and not self.hand.has_places_in_words(self.world)

    def must_have_map(self, feature: str) -> None:
        """Raise Refused if the scene has no squares.

        `feature` names the thing that needs them, for the message.
        """
        if not self.has_squares:
            raise Refused(
                f"{self.data.get('name') or 'This scene'} has no map, and `{feature}` needs one.",
                "Describe it at the table; `strike note TEXT` writes it down.",
            )

    @property
    def grid(self) -> Grid:
        """The scene's map, with the squares that block.

        A system may make the map itself. Otherwise, the squares of zones that block are added as blocked
        squares.
        """
        own = self.hand.grid(self.world)
        if own is not None:
            return own
        blocked = {
            parse_square(square)
            for zone in self.data.get("zones", {}).values()
            if zone.get("blocks")
            for square in zone.get("squares", ())
        }
        return grid_of(self.data["map"], blocked=frozenset(blocked))

    def square_on_map(self, text: str) -> Square:
        """Return the square of the map with this name, such as "C7".

        Raises Refused if `text` names no square, and NotOnMap if the square is off the map.
        """
        try:
            found = parse_square(text.strip())
        except ValueError as fault:
            raise Refused(f"{fault}.", f"`strike {self.system.name} show` has the map.") from None
        if not self.grid.is_on_map(found):
            raise NotOnMap(format_square(found), f"`strike {self.system.name} show` has the map.")
        return found

    def size(self, person: str) -> int:
        """Return how many squares wide a person is."""
        return checked_creature_size(self.people[person].get("size", 1))

    def occupied_squares(self, skip: str = "") -> dict[Square, str]:
        """Return the id of the person on each occupied square, leaving out the person `skip`."""
        found = {}
        for person, one in self.people.items():
            if person != skip and "out" not in one and one.get("at"):
                try:
                    at = parse_square(one["at"])
                except ValueError:
                    continue  # a place by words
                found.update(dict.fromkeys(footprint(at, self.size(person)), person))
        return found

    def must_be_free(self, square: Square, size: int, name: str, skip: str = "") -> None:
        """Raise Refused if there is no room for a person on a square.

        There is no room if somebody else stands there, or if the person doesn't fit there.

        Args:
            square: The top left square of the person's space.
            size: The width of the person in squares.
            name: The person's name, for the message.
            skip: The id of somebody whose own squares count as free, such as the person who moves.
        """
        where = format_square(square)
        taken = self.occupied_squares(skip)
        there = dict.fromkeys(taken[part] for part in footprint(square, size) if part in taken)
        if there:
            names = listed(map(self.name, there))
            raise Refused(
                f"{names} {'stand' if len(there) > 1 else 'stands'} on {where}.", "Name a free square."
            )
        if not self.grid.fits(square, size):
            raise Refused(f"{name} doesn't fit on {where}.", f"`strike {self.system.name} show` has the map.")

    def play_after_map_change(self) -> Procedure[None]:
        """Play the consequences of a changed map, such as people who are no longer hidden.

        If the scene's system has no rule for this, nothing happens.
        """
        looked = self.hand.play_after_map_change(self.world)
        if looked is not None:
            yield from looked


class ReturnToSceneArgs(Args):
    """The arguments of `return`: the id of a parked scene."""

    scene: str


def play_park(system: System, world: World, args: Args) -> Procedure[Data]:
    """Play `park`: put the scene aside, so that another can begin.

    The key "parked" of the result has the id with which `return` brings the scene back.
    """
    table = OverriddenScene(system, world, "park")
    scene = table.data
    id = str(scene.get("id", system.name))
    key, number = id, 1
    while key in parked_scene_names(world.state, system):
        number += 1
        key = f"{id}-{number}"
    told = table.hand.parks(id, int(scene.get("round", 0)))
    yield world.tell(told, {system.scene.key: None, f"{system.path_of_parked_scenes}.{key}": dict(scene)})
    return {"name": scene.get("name", id), "parked": key}


def play_return(system: System, world: World, args: ReturnToSceneArgs) -> Procedure[Data]:
    """Play `return`: go on with a parked scene. If another scene is under way, that one is parked first.

    Raises Refused for an unknown id.
    """
    known = parked_scene_names(world.state, system)
    if args.scene not in known:
        raise Refused(
            f"No scene {args.scene!r} is parked.",
            f"Parked: {listed(known)}." if known else f"`strike {system.name} park` parks the one under way.",
        )
    if world.get(system.scene.key):
        yield from play_park(system, world, Args())
    scene = parked_scene_tables(world.state, system)[args.scene]
    sets: Sets = {_path_to_remove_on_return(world, system, args.scene): None, system.scene.key: scene}
    told = gm_override_rules_of(system).resumes(str(scene.get("id", args.scene)), int(scene.get("round", 0)))
    yield world.tell(told, sets)
    return {"name": scene.get("name", args.scene), "returned": args.scene}


def _path_to_remove_on_return(world: World, system: System, key: str) -> str:
    """Return the path in the state to remove when a parked scene is resumed.

    Usually it is the path of the parked scene. If the scene is the last one in its table, it is the path of
    the whole table, so that no empty table remains.
    """
    place = system.path_of_parked_scenes
    if len(parked_scene_tables(world.state, system)) > 1:
        return f"{place}.{key}"
    return PARKED if not system.scene.parked and len(world.get(PARKED, {})) == 1 else place
