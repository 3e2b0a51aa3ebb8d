"""The scene of a system as the game master's commands see it, and how scenes are parked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.refusals import NotOnMap, OutOfIt

from ...kernel.facts import table_under_way
from ...kernel.procedure import Args, Data, Procedure, Sets, World
from ...problems import Refused, listed
from ...registry.declaration import System
from ...registry.gm_override import hand_of
from ...registry.scenes import PARKED, nothing_under_way, parked_in, parked_of, place_of_parked, scene_of
from ...tabletop.grid import Grid, Square, footprint, format_square, grid_of, parse_square
from ...tabletop.people import display_name, squares_a_side
from ...tabletop.scene import Meter, people_in

if TYPE_CHECKING:
    from ...tabletop.data import PersonKept, SceneKept


def out_in_words(out: str) -> str:
    """Return the words for how somebody is out of a scene."""
    return out.replace("-", " ")


class OnTable:
    """The current scene of a system.

    Raises Refused if no scene is under way, or if the system doesn't allow this command.
    """

    def __init__(self, system: System, world: World, move: str) -> None:
        self.system = system
        self.world = world
        self.hand = hand_of(system)
        if not world.get(system.scene.key):
            raise nothing_under_way(system, world.state)
        if reason := self.hand.refuses.get(move):
            raise Refused(reason, "Nothing was changed.")

    @property
    def data(self) -> SceneKept:
        """The table of the scene in the state."""
        return cast("SceneKept", table_under_way(self.world.state, self.system.scene.key))

    def meters(self, person: str) -> Mapping[str, Meter]:
        """Return somebody's numbers that are shown, by their ids."""
        scene = scene_of(self.system, self.data)
        counted = {id: Meter(id, name, 0, vital=False) for id, name in self.hand.counted.items()}
        return counted | {meter.id: meter for meter in scene.people[person].meters}

    @property
    def people(self) -> Mapping[str, PersonKept]:
        """The people of the scene by id."""
        return people_in(self.data, self.system.scene.people)

    def name(self, person: str) -> str:
        """Return the name that people see."""
        return display_name(self.world, person)

    def present(self, person: str) -> PersonKept:
        """Return the data of somebody who is in the scene.

        Raises Refused if they aren't in it, and OutOfIt if they have left.
        """
        there = [one for one, table in self.people.items() if "out" not in table]
        if person not in self.people:
            raise Refused(f"{self.name(person)} is not here.", f"Here: {listed(there) or 'nobody'}.")
        if out := self.people[person].get("out"):
            raise OutOfIt(self.name(person), out_in_words(out), self.come_back(person))
        return self.people[person]

    def come_back(self, person: str) -> str:
        """Return a sentence about how somebody who is out can come back."""
        if self.people[person].get("out") in self.hand.gone_for_good:
            return "They can't return in this scene."
        return f"`strike {self.system.name} join {person}` brings them back."

    def path(self, person: str, key: str) -> str:
        """Return where in the state a value of somebody is."""
        return f"{self.system.scene.key}.{self.system.scene.people}.{person}.{key}"

    # The map

    @property
    def has_squares(self) -> bool:
        """Whether places are squares of a map, and not words."""
        return bool(self.data.get("map")) and not self.hand.by_words(self.world)

    def must_have_map(self, what: str) -> None:
        """Raise Refused if the scene has no squares; `what` is what there can't be without them."""
        if not self.has_squares:
            raise Refused(
                f"{self.data.get('name') or 'This scene'} has no map, and no {what}.",
                "Say it at the table; `strike note TEXT` writes it down.",
            )

    @property
    def grid(self) -> Grid:
        """The map as the system's rules read it, by default with the walls that zones are."""
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

    def square(self, text: str) -> Square:
        """Return a square of the map by its name.

        Raises Refused if it is no name, NotOnMap if it is off the map.
        """
        try:
            found = parse_square(text.strip())
        except ValueError as fault:
            raise Refused(f"{fault}.", f"`strike {self.system.name} show` has the map.") from None
        if not self.grid.inside(found):
            raise NotOnMap(format_square(found), f"`strike {self.system.name} show` has the map.")
        return found

    def size(self, person: str) -> int:
        """Return how many squares somebody is wide."""
        return squares_a_side(self.people[person].get("size", 1))

    def taken(self, skip: str = "") -> dict[Square, str]:
        """Return who stands on which squares, leaving out the person `skip`."""
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
        """Raise Refused if somebody of this size doesn't fit on a square, or if another is there.

        The person `skip` doesn't count.
        """
        where = format_square(square)
        taken = self.taken(skip)
        there = dict.fromkeys(taken[part] for part in footprint(square, size) if part in taken)
        if there:
            names = listed(map(self.name, there))
            raise Refused(
                f"{names} {'stand' if len(there) > 1 else 'stands'} on {where}.", "Name a free square."
            )
        if not self.grid.fits(square, size):
            raise Refused(f"{name} doesn't fit on {where}.", f"`strike {self.system.name} show` has the map.")


class ReturnToScene(Args):
    """The arguments of `return`: the id of a parked scene."""

    scene: str


def play_park(system: System, world: World, args: Args) -> Procedure[Data]:
    """Play `park`: put the scene aside, so that another can begin."""
    table = OnTable(system, world, "park")
    scene = table.data
    id = str(scene.get("id", system.name))
    key, number = id, 1
    while key in parked_of(world.state, system):
        number += 1
        key = f"{id}-{number}"
    told = table.hand.parks(id, int(scene.get("round", 0)))
    yield world.tell(told, {system.scene.key: None, f"{place_of_parked(system)}.{key}": dict(scene)})
    return {"name": scene.get("name", id), "parked": key}


def play_return(system: System, world: World, args: ReturnToScene) -> Procedure[Data]:
    """Play `return`: go on with a parked scene. A scene that is under way is parked in its place.

    Raises Refused for an unknown id.
    """
    known = parked_of(world.state, system)
    if args.scene not in known:
        raise Refused(
            f"No scene {args.scene!r} is parked.",
            f"Parked: {listed(known)}." if known else f"`strike {system.name} park` parks the one under way.",
        )
    if world.get(system.scene.key):
        yield from play_park(system, world, Args())
    scene = parked_in(world.state, system)[args.scene]
    sets: Sets = {_path_to_remove(world, system, args.scene): None, system.scene.key: scene}
    told = hand_of(system).resumes(str(scene.get("id", args.scene)), int(scene.get("round", 0)))
    yield world.tell(told, sets)
    return {"name": scene.get("name", args.scene), "returned": args.scene}


def _path_to_remove(world: World, system: System, key: str) -> str:
    """Return the path to remove so that a scene is no longer parked, and no empty table stays behind."""
    place = place_of_parked(system)
    if len(parked_in(world.state, system)) > 1:
        return f"{place}.{key}"
    return PARKED if not system.scene.parked and len(world.get(PARKED, {})) == 1 else place
