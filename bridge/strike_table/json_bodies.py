"""Reads a JSON body as a TypedDict, or refuses it; and makes the TypedDict's JSON Schema.

A field is `Annotated[TYPE, ...]`, with `Limits`, a `Default`, a `Check` for other conditions, and a
description. A field without a `Default` is required, unless it may be null. Nothing here depends on HTTP, or
on what a table stores. Begin with `check_body_and_drop_unknown`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Literal,
    NamedTuple,
    NotRequired,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

LARGEST_NUMBER = 10_000
"""The largest number of squares, HP or initiative: any larger one is a mistake."""
T = TypeVar("T")
Read = Callable[[object, str], object]
Schema = dict[str, object]


class Limits(NamedTuple):
    """Limits for the length of a text, the size of a list or a table, or a number.

    `least` and `most` are the smallest and the largest value allowed. `above` is a value that must be
    exceeded. `pattern` is a regular expression for a text. `words` is the complaint about a text that doesn't
    match `pattern`.
    """

    least: float | None = None
    most: float | None = None
    above: float | None = None
    pattern: str = ""
    words: str = ""


class Default(NamedTuple):
    """The value that a field gets if a body leaves it out."""

    value: object


class Check(NamedTuple):
    """A further check of a value in a JSON body.

    `fault` is a function that returns what is wrong with a value, or "" if nothing is.
    """

    fault: Callable[[object], str]


class KeyRequired(NamedTuple):
    """An annotation that says whether a field's key must be in a JSON body.

    It overrides what the field's type and default say. For example, the key `id` isn't needed if the address
    has the id. A field that may be null can still need its key.
    """

    needed: bool


class Refusal(ValueError):
    """Raised for a request that is refused and so has changed nothing."""


class InvalidBody(Refusal):
    """Raised for a body with a fault.

    `field` is the path to the fault in the body, such as `hp.max`.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field


def check_body_and_drop_unknown(kind: type[T], body: object) -> T:
    """Return a JSON body as the TypedDict `kind`. Raises InvalidBody.

    Unknown keys are dropped: a newer sender's body is accepted, and nothing that players shouldn't see is
    stored by accident.
    """
    return cast(T, _reader_of_hint(kind)(body, ""))


# Of each type


def _reader_of_hint(hint: object) -> Read:
    hint, said = _strip_annotated(hint), _annotations_of(hint)
    limits = next((each for each in said if isinstance(each, Limits)), Limits())
    checks = [each.fault for each in said if isinstance(each, Check)]
    if isinstance(hint, type) and is_typeddict(hint):
        return _typed_dict_reader(hint)
    of_kind = _reader_without_checks(hint, limits)
    if not checks:
        return of_kind

    def read_checked(value: object, where: str) -> object:
        found = of_kind(value, where)
        for fault in checks:
            if problem := fault(found):
                raise InvalidBody(where, problem)
        return found

    return read_checked


@cache
def _typed_dict_reader(kind: type) -> Read:
    fields = [(name, *_reader_optionality_and_default(hint)) for name, hint in _field_hints(kind).items()]

    def read_object(value: object, where: str) -> object:
        if not isinstance(value, dict):
            raise InvalidBody(where or "body", "must be an object")
        found: dict[str, object] = {}
        for name, read_field, may_lack, default in fields:
            inner = f"{where}.{name}" if where else name
            given = value.get(name)
            if given is not None:
                found[name] = read_field(given, inner)
            elif isinstance(default, Default) and (name not in value or default.value is None):
                found[name] = deepcopy(default.value)
            elif not may_lack:
                raise InvalidBody(inner, "is missing")
        return found

    return read_object


def _reader_optionality_and_default(hint: object) -> tuple[Read, bool, Default | None]:
    """Return what is needed to read a field of a JSON table.

    These are the function that reads the field's value, whether the field may be left out of the result, and
    the field's default. The default is None if the field has none.
    """
    if get_origin(hint) is NotRequired:
        return _reader_of_hint(get_args(hint)[0]), True, None
    default = next((each for each in _annotations_of(hint) if isinstance(each, Default)), None)
    if default is None and _may_be_null(hint):
        default = Default(None)
    return _reader_of_hint(hint), False, default


def _reader_without_checks(hint: object, limits: Limits) -> Read:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (inner,) = (part for part in parts if part is not NoneType)
        return _reader_of_hint(inner)  # null is read where the field is
    if origin is Literal:
        return lambda value, where: _read_choice(value, where, parts)
    if origin is list:
        item = _reader_of_hint(parts[0])
        return lambda value, where: [
            item(each, f"{where}[{number}]")
            for number, each in enumerate(_require_list(value, where, limits))
        ]
    if origin is dict:
        name, item = _reader_of_hint(parts[0]), _reader_of_hint(parts[1])
        return lambda value, where: {
            cast(str, name(key, where)): item(each, f"{where}.{key}")
            for key, each in _require_object(value, where, limits).items()
        }
    kinds: Mapping[object, Callable[[object, str, Limits], object]] = {
        str: _read_text,
        int: _read_integer,
        float: _read_number,
        bool: _read_flag,
    }
    of_kind = kinds[hint]
    return lambda value, where: of_kind(value, where, limits)


def _read_text(value: object, where: str, limits: Limits) -> str:
    if not isinstance(value, str):
        raise InvalidBody(where, "must be text")
    if limits.least and not value:
        raise InvalidBody(where, "must not be empty")
    if limits.most is not None and len(value) > limits.most:
        raise InvalidBody(where, f"has {len(value)} characters, at most {limits.most} are allowed")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidBody(where, "contains half a character (a lone surrogate)")
    if limits.pattern and not re.search(limits.pattern, value):
        raise InvalidBody(where, limits.words)
    return value


def _read_integer(value: object, where: str, limits: Limits) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # in JSON, 7.0 is the same number as 7
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidBody(where, "must be a whole number")
    return int(_must_be_within_limits_or_default(value, where, limits))


def _read_number(value: object, where: str, limits: Limits) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidBody(where, "must be a number")
    return _must_be_within_limits_or_default(value, where, limits)


def _must_be_within_limits_or_default(value: float, where: str, limits: Limits) -> float:
    if limits.above is not None and not value > limits.above:
        raise InvalidBody(where, f"must be above {limits.above}")
    least = -LARGEST_NUMBER if limits.least is None else limits.least
    most = LARGEST_NUMBER if limits.most is None else limits.most
    if not least <= value <= most:  # this form refuses NaN, too
        raise InvalidBody(where, f"must be from {least} to {most}")
    return value


def _read_flag(value: object, where: str, limits: Limits) -> bool:
    if not isinstance(value, bool):
        raise InvalidBody(where, "must be true or false")
    return value


def _read_choice(value: object, where: str, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        raise InvalidBody(where, f"must be one of {', '.join(known)}")
    return value


def _require_list(value: object, where: str, limits: Limits) -> list[object]:
    if not isinstance(value, list):
        raise InvalidBody(where, "must be a list")
    _check_count(len(value), where, limits)
    return value


def _require_object(value: object, where: str, limits: Limits) -> dict[object, object]:
    if not isinstance(value, dict):
        raise InvalidBody(where, "must be an object")
    _check_count(len(value), where, limits)
    return value


def _check_count(count: int, where: str, limits: Limits) -> None:
    if limits.most is not None and count > limits.most:
        raise InvalidBody(where, f"has {count} items, at most {limits.most} are allowed")
    if limits.least is not None and count < limits.least:
        raise InvalidBody(where, f"has {count} items, at least {limits.least} are needed")


# The same as JSON Schema

_KEYWORDS: Mapping[object, tuple[str, str]] = {
    str: ("minLength", "maxLength"),
    list: ("minItems", "maxItems"),
    dict: ("minProperties", "maxProperties"),
    int: ("minimum", "maximum"),
    float: ("minimum", "maximum"),
}
_TYPES: Mapping[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def component_schemas(kinds: list[type]) -> dict[str, Schema]:
    """Return the JSON Schemas of TypedDicts, and of the TypedDicts in them, by name.

    The schemas are the components of an OpenAPI document.
    """
    found: dict[str, Schema] = {}
    for kind in kinds:
        _add_component(kind, found)
    return found


def _add_component(kind: type, components: dict[str, Schema]) -> Schema:
    name = kind.__name__.removesuffix("Payload")
    if name not in components:
        components[name] = {}  # ends the recursion of a type that contains itself
        fields = _field_hints(kind)
        needed = [field for field, hint in fields.items() if not _may_be_left_out_of_body(hint)]
        components[name] = {
            "type": "object",
            **({"description": " ".join(kind.__doc__.split())} if kind.__doc__ else {}),
            **({"required": needed} if needed else {}),
            "properties": {
                field: _schema_with_annotations(hint, components) for field, hint in fields.items()
            },
        }
    return {"$ref": f"#/components/schemas/{name}"}


def _schema_with_annotations(hint: object, components: dict[str, Schema]) -> Schema:
    if get_origin(hint) is NotRequired:
        return _nullable_schema(_schema_with_annotations(get_args(hint)[0], components))
    said = _annotations_of(hint)
    schema = _schema_of_type(
        _strip_annotated(hint),
        next((each for each in said if isinstance(each, Limits)), Limits()),
        components,
    )
    for each in said:
        if isinstance(each, Default):
            schema["default"] = each.value
        elif isinstance(each, str):
            schema["description"] = each
    return schema


def _schema_of_type(hint: object, limits: Limits, components: dict[str, Schema]) -> Schema:
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and is_typeddict(hint):
        return _add_component(hint, components)
    if origin in (Union, UnionType):
        (inner,) = (part for part in parts if part is not NoneType)
        return _nullable_schema(_schema_with_annotations(inner, components))
    if origin is Literal:
        return {"enum": list(parts)}
    limited = _limit_keywords(origin or hint, limits)
    if origin is list:
        return {"type": "array", **limited, "items": _schema_with_annotations(parts[0], components)}
    if origin is dict:
        return {
            "type": "object",
            **limited,
            "additionalProperties": _schema_with_annotations(parts[1], components),
        }
    return {"type": _TYPES[hint], **limited}


def _limit_keywords(kind: object, limits: Limits) -> Schema:
    if kind is bool:
        return {}
    least, most = limits.least, limits.most
    if kind in (int, float):
        least = -LARGEST_NUMBER if least is None and limits.above is None else least
        most = LARGEST_NUMBER if most is None else most
    said = zip((*_KEYWORDS[kind], "exclusiveMinimum"), (least, most, limits.above), strict=True)
    return {word: value for word, value in said if value is not None} | (
        {"pattern": limits.pattern} if limits.pattern else {}
    )


def _nullable_schema(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


# Annotations


def _field_hints(kind: type) -> dict[str, object]:
    return get_type_hints(kind, include_extras=True)


def _strip_annotated(hint: object) -> object:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _annotations_of(hint: object) -> tuple[object, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _may_be_null(hint: object) -> bool:
    return get_origin(_strip_annotated(hint)) in (Union, UnionType)


def _may_be_left_out_of_body(hint: object) -> bool:
    for each in _annotations_of(hint):
        if isinstance(each, KeyRequired):
            return not each.needed
        if isinstance(each, Default):
            return True
    return get_origin(hint) is NotRequired or _may_be_null(hint)
