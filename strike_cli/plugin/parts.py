"""The parts that a `System` consists of, each a value made of names and references."""

from ..registry.fact_follower import Follower
from ..registry.gm_override_hooks import Hand
from ..registry.system_declaration import (
    Content,
    Counted,
    Help,
    InHelp,
    Outside,
    SceneTable,
    Secret,
    Sheets,
    Simulation,
    Tally,
)

__all__ = [
    "Content",
    "Counted",
    "Follower",
    "Hand",
    "Help",
    "InHelp",
    "Outside",
    "SceneTable",
    "Secret",
    "Sheets",
    "Simulation",
    "Tally",
]
