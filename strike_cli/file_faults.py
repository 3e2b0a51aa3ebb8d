"""Faults in files that people write, and the places of these faults, as data.

They become text only when they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TypedDict

from .immutable_records import Value


class Place(Value):
    """A place in a file: the `keys` that lead to it, and the `file`'s name, "" for none.

    Keys that are numbers are positions in lists, from 1. `place / "powers" / 2` is a place below `place`.
    """

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
        """Return this place, moved below the place `above`.

        The result is in the file of `above`, and its keys are those of `above` followed by this place's.
        """
        return Place(*above.keys, *self.keys, file=above.file)

    def names(self) -> tuple[str, ...]:
        """Return the keys of the place, without the numbers that are positions in lists."""
        return tuple(key for key in self.keys if isinstance(key, str))

    def path(self) -> str:
        """Return the keys as people read them: `powers.spark.effects[2].to`."""
        return "".join(
            f"[{key}]" if isinstance(key, int) else f".{key}" if number else key
            for number, key in enumerate(self.keys)
        )

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.file, self.path())))


class PlainFault(TypedDict):
    """A fault as data for JSON."""

    file: str
    keys: list[str | int]
    what: str
    line: int | None


class Fault(Value):
    """A mistake in a file: its `place`, and a description with the remedy (`what`).

    `line` counts from 1; it is None if it isn't known.
    """

    place: Place
    what: str
    line: int | None = None

    def within(self, above: Place) -> Fault:
        """Return this fault at a longer place: the place `above`, followed by the fault's own place."""
        return Fault(self.place.within(above), self.what, self.line)

    def plain(self) -> PlainFault:
        """Return the fault as data for JSON."""
        place = self.place
        return {"file": place.file, "keys": [*place.keys], "what": self.what, "line": self.line}

    @classmethod
    def of(cls, plain: PlainFault) -> Fault:
        """Return the fault that the plain data of `Fault.plain` describes."""
        return cls(Place(*plain["keys"], file=plain["file"]), plain["what"], plain["line"])

    def __str__(self) -> str:
        told = ": ".join(filter(None, (str(self.place), self.what)))
        return f"{told} (line {self.line})" if self.line else told


Faults = list[Fault]
"""Faults in what people wrote, in the order in which they were found."""


def faults_as_text(faults: Sequence[Fault]) -> str:
    """Return the faults, one on each line."""
    return "\n".join(map(str, faults))


def check_storable_in_journal(value: object, where: Place, faults: Faults) -> None:
    """Add a fault for each part of a value that journal and state can't store.

    Such parts are dates, infinite numbers, NaN, None, and keys that are empty or contain a dot.
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str) or not key or "." in key:
                faults.append(Fault(where / repr(key), "a key can't be empty or contain a dot"))
            else:
                check_storable_in_journal(inner, where / key, faults)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            check_storable_in_journal(inner, where / (number + 1), faults)
    elif not isinstance(value, str | int | float) or value != value or value in (inf, -inf):
        faults.append(Fault(where, f"{value} is not text, a number, true or false"))
