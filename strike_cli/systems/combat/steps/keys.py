"""Types of the keys of steps. The word beside each names its form in `schemas.STEP_KEYS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from . import StepTable

if TYPE_CHECKING:
    from strike_cli.tabletop.data import StepOption
else:
    StepOption = Mapping

Amount = Annotated[int, "amount"]
"""A number, or a table with its measure."""
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
"""The word for a fact or a moment that ends something, with the duration "until"."""
Steps = Annotated[Sequence[StepTable], "steps"]
Options = Annotated[Sequence[StepOption], "options"]
Faces = Annotated[Mapping[str, Sequence[StepTable]], "faces"]
Sight = Annotated[Literal["", "obscured", "dark", "light"], "sight"]
ZoneWho = Annotated[Literal["", "enemies", "allies", "friends", "others"], "zone-who"]
ZoneEnd = Annotated[Literal["turn-start", "turn-end", "encounter"], "duration"]
Turns = Annotated[str, "turns"]
RollWord = Annotated[str, "roll"]
"""The word for a kind of roll."""
Rounding = Literal["down", "up"]
OneOrOther = Literal["self", "target"]
"""The choice between the power's user and the creature that the step affects."""
