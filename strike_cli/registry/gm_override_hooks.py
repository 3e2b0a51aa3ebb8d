"""The game master's overrides in a system: the moves, and the base class for a system's own rules.

Every system with people in its scenes has these moves. The package `play/gm_override` plays them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..deprecated_api_names import HasOldNames, OldName
from ..kernel.procedure import Data, Procedure, Sets, World
from ..problems import Refused
from ..tabletop.grid import Grid
from ..tabletop.scene_change_facts import SceneParked, SceneResumed
from .system_declaration import Move, Scope, System

PLAY_PACKAGE = "strike_cli.play.gm_override"
MOVES: Mapping[str, Move] = {
    name: Move(f"{PLAY_PACKAGE}.{at}", Scope.SCENE, by_hand=True)
    for name, at in {
        "reveal": "people:play_reveal",
        "hide": "people:play_hide",
        "join": "people:play_join",
        "leave": "people:play_leave",
        "place": "people:play_place",
        "set": "people:play_set",
        "door": "maps:play_door",
        "zone add": "maps:play_zone_add",
        "zone remove": "maps:play_zone_remove",
        "fog": "maps:play_fog",
        "picture": "maps:play_picture",
        "park": "overridden_and_parked_scenes:play_park",
        "return": "overridden_and_parked_scenes:play_return",
    }.items()
}
"""The game master's overrides, by the command in the system's group that plays each."""
COMMANDS = (
    *("reveal", "hide", "join", "leave", "place", "set", "park", "return"),
    *("door open", "door close", "zone add", "zone remove", "fog on", "fog off", "fog lift", "fog cover"),
)
"""The commands for the game master's overrides."""
FIRST_WORDS = tuple(dict.fromkeys(name.split()[0] for name in COMMANDS))
"""The first words of the commands for overrides."""
LEFT = "left"
"""The value of `out` for a person whom the game master removed."""
ZONE_EFFECTS = ("damage", "difficult", "obscured", "dark", "light", "blocks", "cover")
"""Every effect that a zone may have."""


class GmOverrideRules(HasOldNames):
    """A system's own rules for the game master's overrides.

    Without them, overrides can do only what every scene allows: show, hide, move and remove people, open
    doors, lift fog and set numbers. Subclass it, write the methods that you need, and name the class in
    `SceneTable.hand`.
    """

    gone_for_good: Collection[str] = ()
    """The value of `out` for a person who never comes back into the scene."""
    zones_do: Sequence[str] = ()
    """The effects in ZONE_EFFECTS that the system's rules apply. Others are refused: nothing would happen."""
    counted: Mapping[str, str] = {}
    """Numbers that a person need not have, so that no scene lists them: id -> title."""
    refuses: Mapping[str, str] = {}
    """Overrides that the system refuses, by name ("fog"), with the reason."""
    parks: type[SceneParked] = SceneParked
    resumes: type[SceneResumed] = SceneResumed
    """The facts of a scene that is parked, and of one that is resumed, where the system has its own."""

    def has_places_in_words(self, world: World) -> bool:
        """Return whether places are words although the scene has a map.

        Without a map, places are always words.
        """
        return False

    def table_of_newcomer(self, world: World, ref: str, person: Data) -> Data:
        """Return the whole table of a character or creature that joins a scene.

        `person` has the keys that every scene stores: `name`, `ref`, `side`, `size`, `at`. Raises Refused for
        somebody without a sheet of this game.
        """
        raise Refused(
            f"{person['name']} can't join: this game has no numbers for newcomers.",
            "Its plugin has to write `GmOverrideRules.table_of_newcomer`. Nothing was changed.",
        )

    def play_after_joining(self, world: World, newcomers: Sequence[str]) -> Procedure[Data | None] | None:
        """Play the consequences of joining or coming back, such as a place in the turn order.

        Return None if there are none. The procedure's data become part of the data of `join`.
        """
        return None

    def play_leaving(self, world: World, person: str, why: str) -> Procedure[Data] | None:
        """Play the leaving of a person by the system's own rules.

        Return None if the system has no such rules.
        """
        return None

    def changes_after_leaving(self, world: World, person: str) -> Sets:
        """Return further changes of the state for a person who leaves, such as ended effects."""
        return {}

    def play_hiding(self, world: World, person: str) -> Procedure[Data] | None:
        """Return the procedure by which a person hides under the system's own rules.

        Return None if the system has no rules for hiding.
        """
        return None

    def changes_after_hiding(self, world: World, person: str) -> Sets:
        """Return further changes of the state for a person whom the game master hides without a roll."""
        return {}

    def play_revealing(self, world: World, person: str) -> Procedure[Data] | None:
        """Return a procedure that reveals a person by the system's own rules, or None.

        If the result is None, strike removes the person's mark `hidden`. It refuses the command if the person
        has no such mark.
        """
        return None

    def play_zone_removal(self, world: World, zone: str) -> Procedure[None] | None:
        """Return a procedure that removes a zone by the system's own rules.

        Return None if the system has no such rules.
        """
        return None

    def grid(self, world: World) -> Grid | None:
        """Return the map as the system's own rules read it, or None.

        If the result is None, strike reads the stored map. Squares of zones that are walls are then blocked.
        """
        return None

    def play_after_map_change(self, world: World) -> Procedure[Data | None] | None:
        """Play the consequences of a changed map, such as people who are no longer hidden.

        Return None if there are none.
        """
        return None

    def read_number(self, meter: str, text: str) -> int:
        """Return the number that a typed text means for a meter.

        Here the text must be a whole number. A system may override the method, for example to read `d8`, too.
        Raises ValueError for other text.
        """
        return int(text)

    def play_setting_number(
        self, world: World, person: str, meter: str, number: int
    ) -> Procedure[Data] | None:
        """Play the system's own procedure for setting a number of a person; return None if it has none.

        By default, a system has none. The game master's command then makes the changes of
        `changes_for_number`.
        """
        return None

    def changes_for_number(self, world: World, person: str, meter: str, number: int) -> Sets | None:
        """Return the changes that set a person's number, and everything that depends on the number.

        If the result is None, only the number itself is set. Raises Refused for an impossible number.
        """
        return None

    def play_harm_or_healing(self, world: World, person: str, meter: str, by: int) -> Procedure[Data] | None:
        """Play the system's own rules for harm or healing, with the reactions of people and effects.

        If the system has no such rules for this meter, return None. The caller then only changes the meter's
        number.

        Args:
            world: The world with the scene.
            person: The id of the person who is harmed or healed.
            meter: The id of the meter, such as HP.
            by: The change of the meter. It is below 0 for harm.
        """
        return None

    by_words = OldName("has_places_in_words")
    newcomer = OldName("table_of_newcomer")
    joined = OldName("play_after_joining")
    leaves = OldName("play_leaving")
    left = OldName("changes_after_leaving")
    hides = OldName("play_hiding")
    sets_hidden = OldName("changes_after_hiding")
    reveals = OldName("play_revealing")
    removes_zone = OldName("play_zone_removal")
    looked = OldName("play_after_map_change")
    writes = OldName("play_setting_number")
    sets_number = OldName("changes_for_number")
    changes = OldName("play_harm_or_healing")


def with_gm_overrides(system: System) -> System:
    """Return a system with the moves for the game master's overrides.

    Moves that the system declares itself are kept. A system without people in its scenes is returned as it
    is.
    """
    if not system.scene.key or not system.scene.people:
        return system
    hand = {f"{system.name} {verb}": move for verb, move in MOVES.items()}
    return system._replace(moves={**hand, **system.moves})
