"""Commands: a signature and a help text each, and the words that people type in them."""

from typing import TYPE_CHECKING

from ..campaign import Campaign
from ..terminal.argument_names import FREE, IN_SCENE, SQUARE, WHO, Noun, choice
from ..terminal.command_declarations import Call, Like, Typed, WordParser, plays
from ..terminal.commands_and_options import ONLY_HERE, Options, command, new_app
from ..terminal.name_lookup import (
    Acting,
    Character,
    Encounter,
    InScene,
    PeopleOf,
    creatures_by_count,
    find_encounter,
    find_if_any,
    find_in_scene,
    find_one,
    find_word,
)
from ..terminal.result import Result
from ..terminal.scene_ending_hint import ending_below

if TYPE_CHECKING:
    from ..play.command_execution import Performed as Performed

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
    "Like",
    "Noun",
    "Options",
    "PeopleOf",
    "Result",
    "Typed",
    "WordParser",
    "choice",
    "command",
    "creatures_by_count",
    "ending_below",
    "find_encounter",
    "find_if_any",
    "find_in_scene",
    "find_one",
    "find_word",
    "new_app",
    "plays",
]
