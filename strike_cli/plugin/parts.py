"""The parts of a `System`'s declaration: classes for its fields."""

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..registry.fact_follower import EventResponses
from ..registry.gm_override_hooks import GmOverrideRules
from ..registry.system_declaration import (
    Content,
    CountedFact,
    Help,
    HelpExampleNames,
    RemoteCommands,
    SceneTable,
    SecretPick,
    Sheets,
    Simulation,
    Tally,
)

__all__ = [
    "Content",
    "CountedFact",
    "EventResponses",
    "GmOverrideRules",
    "Help",
    "HelpExampleNames",
    "RemoteCommands",
    "SceneTable",
    "SecretPick",
    "Sheets",
    "Simulation",
    "Tally",
]

_NEW_NAMES = {
    "Counted": "CountedFact",
    "Follower": "EventResponses",
    "Hand": "GmOverrideRules",
    "InHelp": "HelpExampleNames",
    "Outside": "RemoteCommands",
    "Secret": "SecretPick",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
