"""Formats of content and maps, drafts of content, and what `strike doctor` looks at."""

from ..content.checks import Idle, LookedAt
from ..content.drafts import Draft, Question
from ..problems import CampaignProblem, Problem
from ..reading import FileFormat
from ..tabletop.map_file import Ambient, Door, Light, MapFile, MapFormat

__all__ = [
    "Ambient",
    "CampaignProblem",
    "Door",
    "Draft",
    "FileFormat",
    "Idle",
    "Light",
    "LookedAt",
    "MapFile",
    "MapFormat",
    "Problem",
    "Question",
]
