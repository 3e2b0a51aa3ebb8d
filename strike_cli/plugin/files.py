"""Formats of content and maps, drafts of content, and checks for `strike doctor`."""

from ..content.drafts import (
    Answers,
    Draft,
    Question,
    number_reader,
    sheet_head,
    split_at_commas,
    split_at_semicolons,
    toml_line,
    word_reader,
)
from ..content.system_checks import CheckResult, ContentWithoutEffect
from ..deprecated_api_names import make_module_getattr_for_old_names
from ..problems import CampaignProblem, Problem
from ..tabletop.foreign_map_files import Ambient, Light, MapDoor, MapFile, MapFormat, Stairs
from ..untrusted_input import FileFormat

__all__ = [
    "Ambient",
    "Answers",
    "CampaignProblem",
    "CheckResult",
    "ContentWithoutEffect",
    "Draft",
    "FileFormat",
    "Light",
    "MapDoor",
    "MapFile",
    "MapFormat",
    "Problem",
    "Question",
    "Stairs",
    "number_reader",
    "sheet_head",
    "split_at_commas",
    "split_at_semicolons",
    "toml_line",
    "word_reader",
]

_NEW_NAMES = {
    "Idle": "ContentWithoutEffect",
    "LookedAt": "CheckResult",
    "line": "toml_line",
    "number": "number_reader",
    "one_of": "word_reader",
    "parts": "split_at_semicolons",
    "words": "split_at_commas",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
