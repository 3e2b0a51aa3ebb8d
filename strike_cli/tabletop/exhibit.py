"""Exhibits: things on the table beside the game, in one form.

The scene's name, a clock, the day of a calendar, a letter, a picture. A screen that shows exhibits knows
this and no system.
"""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from collections.abc import Mapping, Sequence
from typing import NamedTuple

SCENE, DAY, CLOCK, HANDOUT = "scene", "day", "clock", "handout"


class Exhibit(NamedTuple):
    """Something to look at.

    A text may be clauses in the form of the state, which `exhibits_of` puts in words. Of a clock, `filled` of
    `segments` are full. `image` is a picture: its `file` in the campaign's folder and
    the `sha256` of its bytes. Only the game master sees a `hidden` one.
    """

    id: str
    kind: str
    name: str
    text: str | Sequence[Mapping[str, object]] = ""
    filled: int = 0
    segments: int = 0
    image: Mapping[str, object] | None = None
    hidden: bool = False

    def __str__(self) -> str:
        """Return it in a line: `The flood 2/6`."""
        if self.segments:
            return f"{self.name} {self.filled}/{self.segments}"
        return f"{self.name}, {self.text}" if self.kind == DAY and self.text else self.name
