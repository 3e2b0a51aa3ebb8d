"""What is wrong with something that people wrote, and where: values, worded when somebody is told."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TypedDict

from .values import Value


class Place(Value):
    """Where something stands: the `keys` down to it, those of lists as numbers from 1 on, and the `file`'s
    name as people know it, "" where there is none. `place / "powers" / 2` is a place below."""

    __slots__ = ("file", "keys")

    def __init__(self, *keys: str | int, file: str = "") -> None:
        self.keys = keys
        self.file = file

    def __truediv__(self, key: str | int) -> Place:
        below = object.__new__(Place)
        below.keys = (*self.keys, key)
        below.file = self.file
        return below

    def within(self, above: Place) -> Place:
        """The same place, where what it is told from stands at another."""
        return Place(*above.keys, *self.keys, file=above.file)

    def names(self) -> tuple[str, ...]:
        """The keys but for those of lists."""
        return tuple(key for key in self.keys if isinstance(key, str))

    def path(self) -> str:
        """The keys as people read them: `powers.spark.effects[2].to`."""
        return "".join(
            f"[{key}]" if isinstance(key, int) else f".{key}" if number else key
            for number, key in enumerate(self.keys)
        )

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.file, self.path())))


class PlainFault(TypedDict):
    """A fault as JSON may have it."""

    file: str
    keys: list[str | int]
    what: str
    line: int | None


class Fault(Value):
    """Something that is wrong: the `place`, `what` is wrong there and what to do, and the `line` in its file,
    from 1 on, where that is known."""

    __slots__ = ("line", "place", "what")

    def __init__(self, place: Place, what: str, line: int | None = None) -> None:
        self.place = place
        self.what = what
        self.line = line

    def within(self, above: Place) -> Fault:
        """The same, where what it was found in stands at a place."""
        return Fault(self.place.within(above), self.what, self.line)

    def plain(self) -> PlainFault:
        """It as JSON may have it."""
        place = self.place
        return {"file": place.file, "keys": [*place.keys], "what": self.what, "line": self.line}

    @classmethod
    def of(cls, plain: PlainFault) -> Fault:
        """What `plain` made."""
        return cls(Place(*plain["keys"], file=plain["file"]), plain["what"], plain["line"])

    def __str__(self) -> str:
        told = ": ".join(filter(None, (str(self.place), self.what)))
        return f"{told} (line {self.line})" if self.line else told


Faults = list[Fault]
"""What is wrong with something that people wrote, in the order in which it was found."""


def told_of(faults: Sequence[Fault]) -> str:
    """Faults, a line each."""
    return "\n".join(map(str, faults))


def check_plain(value: object, where: Place, faults: Faults) -> None:
    """Add a fault for each part of a value that journal and state can't hold: a date, an endless number,
    None, a key that a path can't name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str) or not key or "." in key:
                faults.append(Fault(where / repr(key), "a key can't be empty or hold a dot"))
            else:
                check_plain(inner, where / key, faults)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            check_plain(inner, where / (number + 1), faults)
    elif not isinstance(value, str | int | float) or value != value or value in (inf, -inf):
        faults.append(Fault(where, f"{value} is neither text nor a number, true or false"))
