"""JSON Schema of the data that commands return, made from the annotations of their procedures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import NoneType
from typing import Literal, Union, get_args, get_type_hints, is_typeddict

from ..kernel.statements import Clause
from ..registry import load_usable_systems
from ..registry.installed_plugins import import_object
from ..validation_schemas_from_types import parse_annotation


def returned_typed_dict(procedure: object) -> type | None:
    """Return the TypedDict in a procedure's return annotation; None if there is none.

    For a generator, it is the type of the returned value. Raises NameError for an unknown name in the
    annotation.
    """
    found = get_type_hints(procedure, localns=_names_in_nearest_data_module(procedure.__module__)).get(
        "return"
    )
    returned = get_args(found)[-1] if get_args(found) else None
    return returned if isinstance(returned, type) and is_typeddict(returned) else None


def _names_in_nearest_data_module(module: str) -> dict[str, object]:
    """Return the names in the `data` module of a module's package.

    If the package has no `data` module, the nearest outer package that has one is used. If no package has
    one, return {}.
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
    Clause: "string",  # shown in words
}


def schema_of_command_data() -> Schema:
    """Return the JSON Schema of the data that commands return, by command.

    Only commands that play a move are in it, and only if the move's procedure declares the type of its data.
    """
    definitions: dict[str, Schema] = {}
    properties: dict[str, Schema] = {}
    for system in load_usable_systems():
        for command, move in system.moves.items():
            returned = returned_typed_dict(import_object(system.absolute(move.play)))
            if returned is not None:
                properties[command] = _type_schema(returned, definitions)
    return {"type": "object", "properties": properties, "definitions": dict(sorted(definitions.items()))}


def _type_schema(annotation: object, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a type.

    Each TypedDict is defined once, under its name in `definitions`.
    """
    read = parse_annotation(annotation)
    if isinstance(read.kind, type) and is_typeddict(read.kind):
        name = read.kind.__name__
        if name not in definitions:
            definitions[name] = {}  # a type that contains itself ends here
            # Where annotations are text, only the hints show whether a key is optional.
            hints = get_type_hints(read.kind, include_extras=True)
            found: Schema = {
                "type": "object",
                "properties": {name: _type_schema(hint, definitions) for name, hint in hints.items()},
                "required": sorted(
                    name for name, hint in hints.items() if parse_annotation(hint).needed is not False
                ),
            }
            definitions[name] = found | ({"description": read.kind.__doc__} if read.kind.__doc__ else {})
        return {"$ref": f"#/definitions/{name}"}
    if read.kind in _PLAIN:
        return {"type": _PLAIN[read.kind]}
    if read.kind is Literal:
        return {"enum": list(read.parts)}
    if read.kind is Union:
        return {"anyOf": [_type_schema(part, definitions) for part in read.parts]}
    if read.kind is Mapping:
        return {"type": "object", "additionalProperties": _type_schema(read.parts[1], definitions)}
    if read.kind is Sequence:
        return {"type": "array", "items": _type_schema(read.parts[0], definitions)}
    return {}
