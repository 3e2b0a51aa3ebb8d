"""Named tuples that cost little before the first of them is made.

A command imports some forty types of them and makes values of a few. What `typing.NamedTuple` prepares for
each type at once, its constructor above all, was a twentieth of a start. Whoever uses one sees no difference.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 14):  # where annotations wait until somebody asks for them
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter, namedtuple

    class _Record(tuple):
        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changed):
            made = self._make(map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"Got unexpected field names: {list(changed)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self):
            return tuple(self)

    class _Declared(type):
        """Makes the type that a class statement declares; its constructor is made when it is called."""

        def __new__(mcls, name, bases, namespace):
            if not bases:
                return super().__new__(mcls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one with a default")

            def first(kind, /, *given, **named):
                constructor = namedtuple(name, fields, defaults=defaults.values()).__new__
                made.__new__ = staticmethod(constructor)
                return constructor(kind, *given, **named)

            namespace |= {field: _tuplegetter(place, "") for place, field in enumerate(fields)}
            namespace |= {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            made = type.__new__(type, name, (_Record,), {**namespace, "__slots__": (), "__new__": first})
            return made

    class NamedTuple(metaclass=_Declared):
        """What a class statement names as its base, as it does `typing.NamedTuple`."""
