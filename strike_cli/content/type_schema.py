"""JSON Schema of what moves return, made of the types that their procedures are annotated with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import NoneType, UnionType
from typing import Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from ..kernel.statements import Clause
from ..registry import systems
from ..registry.installed import load_object


def returned_by(procedure: object) -> type | None:
    """Return the TypedDict of a move's data, by its procedure; None where its annotation is no TypedDict.

    Raises NameError for an annotation that names nothing.
    """
    found = get_type_hints(procedure, localns=_types_beside(procedure.__module__)).get("return")
    returned = get_args(found)[-1] if get_args(found) else None
    return returned if isinstance(returned, type) and is_typeddict(returned) else None


def _types_beside(module: str) -> dict[str, object]:
    """Return the declarations of the `data` module of a procedure's package.

    The procedure's own module imports them only for type checkers.
    """
    package = module.rpartition(".")[0]
    while package:
        if find_spec(f"{package}.data"):
            return dict(vars(import_module(f"{package}.data")))
        package = package.rpartition(".")[0]
    return {}


Schema = dict[str, object]
_PLAIN: Mapping[object, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    NoneType: "null",
    Clause: "string",  # is told in words
}


def data_schema() -> Schema:
    """Return the schema of the data of each command that plays a move and declares their type, by command."""
    definitions: dict[str, Schema] = {}
    properties: dict[str, Schema] = {}
    for system in systems():
        for command, move in system.moves.items():
            returned = returned_by(load_object(system.absolute(move.play)))
            if returned is not None:
                properties[command] = _type_schema(returned, definitions)
    return {"type": "object", "properties": properties, "definitions": dict(sorted(definitions.items()))}


def _type_schema(kind: object, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a type; TypedDicts are defined once, by name."""
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_typeddict(kind):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}  # one that holds itself ends here
            definitions[kind.__name__] = _table_schema(kind, definitions)
        return {"$ref": f"#/definitions/{kind.__name__}"}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if origin is NotRequired:
        return _type_schema(parts[0], definitions)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, UnionType):
        return {"anyOf": [_type_schema(part, definitions) for part in parts]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type_schema(parts[1], definitions)}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _type_schema(parts[0], definitions)}
    return {}


def _table_schema(kind: type, definitions: dict[str, Schema]) -> Schema:
    # Of annotations that are text only the hints say whether a key may be left out.
    hints = get_type_hints(kind, include_extras=True)
    found: Schema = {
        "type": "object",
        "properties": {name: _type_schema(hint, definitions) for name, hint in hints.items()},
        "required": sorted(name for name, hint in hints.items() if get_origin(hint) is not NotRequired),
    }
    return found | ({"description": kind.__doc__} if kind.__doc__ else {})
