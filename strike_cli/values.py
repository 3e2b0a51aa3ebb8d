"""Values: classes whose objects are their fields, and are never changed once they are made.

They are declared by hand, as those are that every start imports. Counted in instructions (cachegrind, Python
3.11) such a class takes 0.09 million, a NamedTuple of two fields 0.6, and a minimal Typer app 251 in all: as
NamedTuples the 30 that an attack imports would be some 6 percent of that.
"""

from __future__ import annotations

from typing import TypeVar

V = TypeVar("V", bound="Value")


class Value:
    """What equals another of its class whose fields, its slots, are equal."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.__slots__))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"

    def but(self: V, **changed: object) -> V:
        """Return a copy with other values in some fields."""
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, changed[name] if name in changed else getattr(self, name))
        return other
