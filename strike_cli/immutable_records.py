"""Values: immutable objects that consist of their fields.

`Value` is the base class of values, such as `Args`. Facts, decisions and clauses have another base class,
`Statement`. NamedTuples are for results that are unpacked. TypedDicts are for tables that are stored or sent.
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
    """Return the names of a class's fields that have no default."""
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
    variables are no fields. The constructor is compiled when it is first used.
    """

    __slots__ = ()
    FIELDS: ClassVar = _LazyClassAttribute(field_names)
    REQUIRED: ClassVar = _LazyClassAttribute(required_field_names)
    _has_own_constructor: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls._has_own_constructor = cls._has_own_constructor or "__init__" in vars(cls)
        if not cls._has_own_constructor:
            cls.__init__ = Value.__init__  # type: ignore[method-assign]  # not the one compiled for its base

    def __init__(self, *values: object, **given: object) -> None:
        """Compile the class's real constructor, and call it with the given values.

        The real constructor replaces this method, so that the class compiles it only once. In a class with a
        constructor of its own, this method isn't replaced.
        """
        cls = type(self)
        defaults = {name: getattr(cls, name) for name in cls.FIELDS if name not in cls.REQUIRED}
        parameters = [f"{name}=_defaults[{name!r}]" if name in defaults else name for name in cls.FIELDS]
        body = "; ".join(f"self.{name} = {name}" for name in cls.FIELDS) or "pass"
        space: dict[str, object] = {"_defaults": defaults}
        exec(f"def {cls.__name__}(self, {', '.join(parameters)}): {body}", space)
        made = space[cls.__name__]
        assert callable(made)
        if not cls._has_own_constructor:
            cls.__init__ = made  # type: ignore[method-assign]  # compiled above
        made(self, *values, **given)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.FIELDS
        )

    def __hash__(self) -> int:
        return hash(tuple(self.field_values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.field_values_by_name().items())
        return f"{type(self).__name__}({fields})"

    def but(self: V, **changed: object) -> V:
        """Return a copy with other values in some fields. Raises TypeError for an unknown field."""
        return type(self)(**{**self.field_values_by_name(), **changed})

    def field_values(self) -> list[object]:
        """Return the values of the fields, in order."""
        return [getattr(self, name) for name in self.FIELDS]

    def field_values_by_name(self) -> dict[str, object]:
        """Return the values of the fields, by name."""
        return {name: getattr(self, name) for name in self.FIELDS}
