"""Values: immutable objects that consist of their fields.

`Value` is the base class of values, such as `Args`. Facts, decisions and clauses (`Statement`) have another
base class. NamedTuples are for results that are unpacked. TypedDicts are for tables that are stored or sent.

Importing classes takes time, measured in million instructions (cachegrind, Python 3.11). A subclass of
`Value` takes 0.09, a NamedTuple of two fields 0.6, and a minimal Typer app 251 in all. An attack imports 30
values: as NamedTuples, these would take some 6 percent of that. Facts have their own base class because one
more base costs each class 0.016, and an attack imports 209 such classes.

Making an object takes a third of the time if its class has slots and a constructor of its own. Classes that
rules instantiate often have these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar, TypeVar, dataclass_transform

V = TypeVar("V", bound="Value")


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a class's fields, in order; the fields of base classes come first."""
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
def required_field_names(kind: type) -> tuple[str, ...]:
    """Return the names of those of a class's fields that have no default."""
    return tuple(name for name in field_names(kind) if not hasattr(kind, name))


class _LazyClassAttribute:
    """A descriptor for an attribute of a class that is computed only when it is asked for.

    Most classes are never asked for it.
    """

    def __init__(self, find: Callable[[type], tuple[str, ...]]) -> None:
        self._find = find

    def __get__(self, value: Value | None, kind: type[Value]) -> tuple[str, ...]:
        return self._find(kind)


@dataclass_transform(frozen_default=True)
class Value:
    """An immutable object; it equals another object of the same class with equal fields.

    The fields are the annotations of the class, in order, and may have defaults. If the class has a
    constructor of its own, the fields are its slots. Annotations in capitals, private annotations and class
    variables are no fields. Making an object raises TypeError for an unknown field, a missing one, or one
    given twice: each of these is a mistake in a program.
    """

    __slots__ = ()
    FIELDS: ClassVar = _LazyClassAttribute(field_names)
    REQUIRED: ClassVar = _LazyClassAttribute(required_field_names)

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
        """Return the values of the fields, in order."""
        return [getattr(self, name) for name in self.FIELDS]

    def as_dict(self) -> dict[str, object]:
        """Return the values of the fields, by name."""
        return {name: getattr(self, name) for name in self.FIELDS}
