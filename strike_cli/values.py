"""Values: classes whose objects are their fields, and are never changed once they are made.

They are for what every start imports. Counted in instructions (cachegrind, Python 3.11) such a class takes
0.09 million, a NamedTuple of two fields 0.6, and a minimal Typer app 251 in all: as NamedTuples the 40 that
an attack imports would be some 8 percent of that.
"""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

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
        """The same with other values in some fields."""
        other = object.__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, changed[name] if name in changed else getattr(self, name))
        return other


@dataclass_transform(frozen_default=True)
class NamedValue(Value):
    """A value whose fields are the annotations of its class, in their order; they may have defaults. It takes
    a few times as long to make as one declared by hand: it is for what is made once, as tables of words are.
    """

    def __init_subclass__(cls) -> None:
        cls.__slots__ = tuple(cls.__annotations__)

    def __init__(self, *values: object, **given: object) -> None:
        fields = vars(self)
        fields.update(zip(self.__slots__, values, strict=False))
        fields.update(given)
        unknown = [*map(repr, values[len(self.__slots__) :]), *(fields.keys() - self.__slots__)]
        missing = [name for name in self.__slots__ if not hasattr(self, name)]
        if unknown or missing:
            wrong = f"has no {', '.join(unknown)}" if unknown else f"needs {', '.join(missing)}"
            raise TypeError(f"{type(self).__name__} {wrong}")

    def as_list(self) -> list[object]:
        """Its fields in their order."""
        return [getattr(self, name) for name in self.__slots__]

    def as_dict(self) -> dict[str, object]:
        """Its fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}
