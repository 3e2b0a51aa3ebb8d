"""Formats of content and maps, drafts of content, and what `strike doctor` looks at."""

from ..content.checks import Idle, LookedAt
from ..content.drafts import Draft, Question
from ..problems import CampaignProblem, Problem
from ..reading import FileFormat
from ..tabletop.map_file import Ambient, Light, MapDoor, MapFile, MapFormat

__all__ = [
    "Ambient",
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
]
