"""Game master overrides of a system: the class that it subclasses, and the moves common to every system.

Every system with people in its scenes has these moves; `play/gm_override` plays them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..kernel.procedure import Data, Procedure, Sets, World
from ..problems import Refused
from ..tabletop.gm_override_facts import SceneParked, SceneResumed
from ..tabletop.grid import Grid
from .declaration import Move, Scope, System

PLAYED = "strike_cli.play.gm_override"
MOVES: Mapping[str, Move] = {
    name: Move(f"{PLAYED}.{at}", Scope.SCENE, by_hand=True)
    for name, at in {
        "reveal": "people:play_reveal",
        "hide": "people:play_hide",
        "join": "people:play_join",
        "leave": "people:play_leave",
        "place": "people:play_place",
        "set": "people:play_set",
        "door": "ground:play_door",
        "zone add": "ground:play_zone_add",
        "zone remove": "ground:play_zone_remove",
        "fog": "ground:play_fog",
        "picture": "ground:play_picture",
        "park": "table:play_park",
        "return": "table:play_return",
    }.items()
}
"""The moves of the game master's hand, by the command that plays each in the system's group."""
COMMANDS = (
    *("reveal", "hide", "join", "leave", "place", "set", "park", "return"),
    *("door open", "door close", "zone add", "zone remove", "fog on", "fog off", "fog lift", "fog cover"),
)
"""The commands that play them."""
HEADS = tuple(dict.fromkeys(name.split()[0] for name in COMMANDS))
"""The first words of these."""
LEFT = "left"
"""What somebody's `out` is who has left by the game master's word."""
ZONES_DO = ("damage", "difficult", "obscured", "dark", "light", "blocks", "cover")
"""All that a zone may do."""


class Hand:
    """A system's part in the game master's hand, beyond the common keys of a scene.

    Subclass it, write the methods that you need, and name the class in `SceneTable.hand`: without one, people
    are shown, hidden, moved and taken out, doors and fog are opened and lifted, and numbers are set.
    """

    gone_for_good: Collection[str] = ()
    """What somebody's `out` is who never comes back into the scene."""
    zones_do: Sequence[str] = ()
    """What of ZONES_DO the system's rules read of a zone. Anything else is refused: the table would think
    that it works."""
    counted: Mapping[str, str] = {}
    """Numbers that somebody may have none of, so that no scene shows them: id -> what it is called."""
    refuses: Mapping[str, str] = {}
    """Moves of the hand that the system refuses, by name ("fog"), with the reason."""
    parks: type[SceneParked] = SceneParked
    resumes: type[SceneResumed] = SceneResumed
    """The facts of a scene that waits, and of one that goes on, where the system has had its own."""

    def by_words(self, world: World) -> bool:
        """Return whether places are words. Unless said, they are where the scene has no map."""
        return False

    def newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return the whole table of a character or creature who joins.

        `person` has what every scene stores of them: `name`, `ref`, `side`, `size`, `at`. Raises Refused for
        somebody without a sheet of this game.
        """
        raise Refused(
            f"{person['name']} can't join: this game has no numbers for newcomers.",
            "Its plugin has to write `Hand.newcomer`. Nothing was changed.",
        )

    def joined(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None] | None:
        """Play other consequences of joining or coming back: a place in the turn order, a die of luck.

        Its data become part of those of `join`.
        """
        return None

    def leaves(self, world: World, person: str, why: str) -> Procedure[Data] | None:
        """Let somebody leave by the system's own rules, where it has any."""
        return None

    def left(self, world: World, person: str) -> Sets:
        """Return other changes of the scene once somebody has left: whatever they held or kept up."""
        return {}

    def hides(self, world: World, person: str) -> Procedure[Data] | None:
        """Hide somebody by the system's own rules, where it has any."""
        return None

    def sets_hidden(self, world: World, person: str) -> Sets:
        """Return other changes once somebody is hidden by the game master's word."""
        return {}

    def reveals(self, world: World, person: str) -> Procedure[Data] | None:
        """Reveal somebody with the system's own data of their hiding, where that is more than `hidden`."""
        return None

    def removes_zone(self, world: World, zone: str) -> Procedure[None] | None:
        """Remove a zone by the system's own rules, where it has any."""
        return None

    def grid(self, world: World) -> Grid | None:
        """Return the map as the system's rules read it; None for one with the walls that zones are."""
        return None

    def looked(self, world: World) -> Procedure[Data | None] | None:
        """Play the consequences of a changed map: people who are seen, or hidden no longer."""
        return None

    def read_number(self, meter: str, text: str) -> int:
        """Return a number of a meter as it is typed, where that isn't plain digits: `d8`.

        Raises ValueError.
        """
        return int(text)

    def writes(self, world: World, person: str, meter: str, number: int) -> Procedure[Data] | None:
        """Write a number by the system's own procedure, with its own facts.

        None leaves it to `sets_number`.
        """
        return None

    def sets_number(self, world: World, person: str, meter: str, number: int) -> Sets | None:
        """Return what a fact has to set for a number, and for the state that follows from it.

        None for what follows by the common keys. Raises Refused for an impossible number.
        """
        return None

    def changes(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Play harm (`by` below 0) or healing by the system's own rules, with the reactions to it.

        None where a number of this meter simply rises and falls.
        """
        return None


def with_hand(system: System) -> System:
    """Return a system with those moves of the game master's hand that it doesn't bring itself."""
    if not system.scene.key or not system.scene.people:
        return system
    hand = {f"{system.name} {verb}": move for verb, move in MOVES.items()}
    return system._replace(moves={**hand, **system.moves})


def hand_of(system: System) -> Hand:
    """Return the game master's hand of a system. Raises PluginProblem where its class can't be imported."""
    from . import made

    return made(system.absolute(system.scene.hand), Hand)
