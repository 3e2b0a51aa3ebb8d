"""The types of the keys of steps.

The string in each annotation is a key of `schemas.STEP_KEYS`, where the form of the type is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from . import StepTable

if TYPE_CHECKING:
    from strike_cli.tabletop.data import StepOption
else:
    StepOption = Mapping

Amount = Annotated[int, "amount"]
"""A number, or a table that computes it from a measure. By the time that a step is played it is a number."""
StatusId = Annotated[str, "status"]
PowerId = Annotated[str, "power"]
CreatureId = Annotated[str, "creature"]
HandlerId = Annotated[str, "handler"]
Squares = Annotated[int, "squares"]
"""A number of squares, 1 to 20."""
Count = Annotated[int, "count"]
"""A number, 1 to 100."""
DurationWord = Annotated[str, "duration"]
FactWord = Annotated[str, "fact"]
"""A fact or moment that ends something whose duration is "until"."""
Steps = Annotated[Sequence[StepTable], "steps"]
Options = Annotated[Sequence[StepOption], "options"]
Faces = Annotated[Mapping[str, Sequence[StepTable]], "faces"]
Sight = Annotated[Literal["", "obscured", "dark", "light"], "sight"]
ZoneWho = Annotated[Literal["", "enemies", "allies", "friends", "others"], "zone-who"]
ZoneEnd = Annotated[Literal["turn-start", "turn-end", "encounter"], "duration"]
Turns = Annotated[str, "turns"]
RollWord = Annotated[str, "roll"]
"""A kind of roll."""
Rounding = Literal["down", "up"]
OneOrOther = Literal["self", "target"]
"""The power's user, or the creature that the step affects."""
