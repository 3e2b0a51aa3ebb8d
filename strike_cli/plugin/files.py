"""Formats of content and maps, drafts of content, and checks for `strike doctor`."""

from ..content.drafts import Answers, Draft, Question, line, number, one_of, parts, sheet_head, words
from ..content.system_check_hooks import Idle, LookedAt
from ..problems import CampaignProblem, Problem
from ..tabletop.foreign_map_files import Ambient, Light, MapDoor, MapFile, MapFormat, Stairs
from ..untrusted_data_reader import FileFormat

__all__ = [
    "Ambient",
    "Answers",
    "CampaignProblem",
    "Draft",
    "FileFormat",
    "Idle",
    "Light",
    "LookedAt",
    "MapDoor",
    "MapFile",
    "MapFormat",
    "Problem",
    "Question",
    "Stairs",
    "line",
    "number",
    "one_of",
    "parts",
    "sheet_head",
    "words",
]
