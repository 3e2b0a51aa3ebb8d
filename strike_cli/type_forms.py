"""The form of a table, made of the type that code reads it by.

Required keys are there, no others are, and each value is of its type, or of the form that its annotation
names. Begin with `form_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .faults import Fault, Faults, Place
from .problems import PluginProblem
from .reading import line_of
from .validation import Also, Flag, Kind, ListOf, Number, OneOf, Record, TableOf, Text

T = TypeVar("T")


class Keys(NamedTuple):
    """All the keys that a table by names must have, no others."""

    keys: tuple[str, ...]


class Default(NamedTuple):
    """The value of a key that is left out."""

    value: object


class Checked(NamedTuple):
    """What must be so of a table besides the form of each key."""

    also: Also


Faces = Annotated[dict[str, T], Keys(("1", "2", "3", "4", "5", "6"))]
"""A value for each face of a d6."""


def check_typed(table: object, kind: type, file: str, text: str) -> None:
    """Refuse a file's table that breaks its TypedDict with PluginProblem, naming each fault and its line."""
    faults: Faults = []
    form_of(kind).check(table, Place(), faults)
    if faults:
        found = (Fault(each.place, each.what, line_of(text, each.place.names())) for each in faults[:_MOST])
        told = "\n".join(map(str, found))
        hint = "It comes with what is installed: fix that line, or install it again."
        raise PluginProblem(f"{file}: {told}", hint)


_MOST = 5
"""Faults that are told at once: more of them follow from these."""


def form_of(hint: object) -> Kind:
    """Return the form of an annotation.

    It may be a TypedDict, a list, a table by names, text, a number, a flag, a word out of a closed set, or
    the Kind that the annotation holds.
    """
    said: tuple[object, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        said = tuple(more)
    own = next((each for each in said if isinstance(each, Kind)), None)
    if own is not None:
        return own
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and is_typeddict(hint):
        return _record(hint, *(each.also for each in said if isinstance(each, Checked)))
    if origin is Literal:
        return OneOf(*parts)
    if origin is list:
        return ListOf(form_of(parts[0]))
    if origin is dict:
        keys = next((each.keys for each in said if isinstance(each, Keys)), ())
        item = form_of(parts[1])
        return Record(**dict.fromkeys(keys, (item, ...))) if keys else TableOf(item, form_of(parts[0]))
    if origin in (Union, UnionType):
        (inner,) = (part for part in parts if part is not NoneType)  # TOML has no null
        return form_of(inner)
    return _PLAIN[hint]()


_PLAIN: Mapping[object, type[Kind]] = {str: Text, int: Number, bool: Flag}


@cache
def _record(kind: type, *also: Also) -> Record:
    fields: dict[str, tuple[Kind, object]] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        said = get_origin(hint)
        is_needed = said is Required or (said is not NotRequired and kind.__total__)  # type: ignore[attr-defined]  # a TypedDict has it
        hint = get_args(hint)[0] if said in (Required, NotRequired) else hint
        default = [each.value for each in get_args(hint) if isinstance(each, Default)]
        fields[name] = form_of(hint), default[0] if default else ... if is_needed else None
    return Record(*also, **fields)
