"""The names that a plugin imports to write its commands.

They declare commands and the arguments of commands. They also find the people and things that a typed command
names.
"""

from typing import TYPE_CHECKING

from ..campaign import Campaign
from ..deprecated_api_names import make_module_getattr_for_old_names
from ..terminal.argument_completions import FREE, IN_SCENE, SQUARE, WHO, Metavar, choice_metavar
from ..terminal.command_output import Result
from ..terminal.commands_and_options import ONLY_HERE, Options, command, new_app
from ..terminal.move_commands import Call, ParametersOf, Typed, WordParser, plays
from ..terminal.name_lookup import (
    Acting,
    Character,
    Encounter,
    InScene,
    PeopleOfGame,
    creature_counts,
    find_encounter,
    find_id_by_name,
    find_id_if_any,
    find_person_in_scene,
    find_word,
)
from ..terminal.scene_ending_hint import ending_hint_shower

if TYPE_CHECKING:
    from ..play.command_execution import PerformedCommand as PerformedCommand

__all__ = [
    "FREE",
    "IN_SCENE",
    "ONLY_HERE",
    "SQUARE",
    "WHO",
    "Acting",
    "Call",
    "Campaign",
    "Character",
    "Encounter",
    "InScene",
    "Metavar",
    "Options",
    "ParametersOf",
    "PeopleOfGame",
    "Result",
    "Typed",
    "WordParser",
    "choice_metavar",
    "command",
    "creature_counts",
    "ending_hint_shower",
    "find_encounter",
    "find_id_by_name",
    "find_id_if_any",
    "find_person_in_scene",
    "find_word",
    "new_app",
    "plays",
]

_NEW_NAMES = {
    "Like": "ParametersOf",
    "Noun": "Metavar",
    "PeopleOf": "PeopleOfGame",
    "choice": "choice_metavar",
    "creatures_by_count": "creature_counts",
    "ending_below": "ending_hint_shower",
    "find_if_any": "find_id_if_any",
    "find_in_scene": "find_person_in_scene",
    "find_one": "find_id_by_name",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
