"""Values: classes whose objects are their fields, and are never changed once they are made.

`Value` is their base, that of the arguments of moves (`Args`), too. NamedTuples are for what is unpacked,
TypedDicts for tables that are stored or sent. Facts, decisions and clauses (`Statement`) have a base of their
own: one more base class costs each class 0.016 million instructions, and an attack imports 209 of them.

Counted in instructions (cachegrind, Python 3.11) such a class takes 0.09 million, a NamedTuple of two fields
0.6, and a minimal Typer app 251 in all: as NamedTuples the 30 that an attack imports would be some 6 percent
of that. An object of a class with slots and a constructor of its own takes a third of the time of another:
the classes that rules instantiate often have those.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar, TypeVar, dataclass_transform

V = TypeVar("V", bound="Value")


@cache
def fields_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a class, in their order, those of its bases first."""
    own: list[str] = []
    for base in reversed(kind.__mro__):
        if issubclass(base, Value):
            own += vars(base).get("__slots__") or (
                name
                for name, said in base.__annotations__.items()
                if not name.isupper() and name[0] != "_" and "ClassVar" not in str(said)
            )
    return tuple(dict.fromkeys(own))


@cache
def required_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields that have no default."""
    return tuple(name for name in fields_of(kind) if not hasattr(kind, name))


class _OfClass:
    """A descriptor for names that are computed from a class on first use: for most classes they never are."""

    def __init__(self, find: Callable[[type], tuple[str, ...]]) -> None:
        self._find = find

    def __get__(self, value: Value | None, kind: type[Value]) -> tuple[str, ...]:
        return self._find(kind)


@dataclass_transform(frozen_default=True)
class Value:
    """An immutable object, equal to another of its class with equal fields.

    Its fields are the annotations of its class, in their order, which may have defaults; or its slots, if it
    has a constructor of its own. Annotations in capitals, private ones and those of class variables are no
    fields.

    Raises TypeError for an unknown field, a missing one and one given twice: a mistake in a program.
    """

    __slots__ = ()
    FIELDS: ClassVar = _OfClass(fields_of)
    REQUIRED: ClassVar = _OfClass(required_of)

    def __init__(self, *values: object, **given: object) -> None:
        fields = vars(self)
        fields.update(zip(self.FIELDS, values, strict=False))
        twice = fields.keys() & given.keys()
        fields.update(given)
        unknown = [*map(repr, values[len(self.FIELDS) :]), *(fields.keys() - self.FIELDS)]
        missing = [name for name in self.REQUIRED if name not in fields]
        if unknown or missing or twice:
            wrong = f"needs {', '.join(missing)}" if missing else f"is given {', '.join(twice)} twice"
            wrong = f"has no {', '.join(unknown)}" if unknown else wrong
            raise TypeError(f"{type(self).__name__} {wrong}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.FIELDS
        )

    def __hash__(self) -> int:
        return hash(tuple(self.as_list()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"{type(self).__name__}({fields})"

    def but(self: V, **changed: object) -> V:
        """Return a copy with other values in some fields. Raises TypeError for an unknown field."""
        other = object.__new__(type(self))
        for name in self.FIELDS:
            setattr(other, name, changed.pop(name) if name in changed else getattr(self, name))
        if changed:
            raise TypeError(f"{type(self).__name__} has no {', '.join(changed)}")
        return other

    def as_list(self) -> list[object]:
        """Return its fields in their order."""
        return [getattr(self, name) for name in self.FIELDS]

    def as_dict(self) -> dict[str, object]:
        """Return its fields by name."""
        return {name: getattr(self, name) for name in self.FIELDS}
