"""As much of JSON Schema as openapi.json uses. What it doesn't know it refuses: nothing goes unchecked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
PLAIN = {"description", "default", "examples", "properties", "items", "required", "anyOf", "type"}


def faults(value: Any, schema: dict[str, Any], whole: dict[str, Any], at: str = "") -> Iterator[str]:
    """What of a value isn't as the schema says. `whole` is the document that references are looked up in."""
    if "$ref" in schema:
        found: Any = whole
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        yield from faults(value, found, whole, at)
    if "anyOf" in schema and all(list(faults(value, one, whole)) for one in schema["anyOf"]):
        yield f"{at}: {value!r} is none of those"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{at}: {value!r} is no {' or '.join(kinds)}"
        return
    for rule, wanted in schema.items():
        if rule not in PLAIN | {"$ref", "additionalProperties", "contains"} and not _holds(
            rule, wanted, value
        ):
            yield f"{at}: {value!r} breaks {rule} {wanted}"
    if isinstance(value, dict):
        yield from (f"{at}.{name}: is missing" for name in schema.get("required", []) if name not in value)
        named = schema.get("properties", {})
        for name, inner in value.items():
            if name in named:
                yield from faults(inner, named[name], whole, f"{at}.{name}")
            elif "additionalProperties" in schema:
                yield from faults(inner, schema["additionalProperties"], whole, f"{at}.{name}")
            elif named:
                yield f"{at}.{name}: isn't described"
    if isinstance(value, list):
        for number, inner in enumerate(value):
            yield from faults(inner, schema.get("items", {}), whole, f"{at}[{number}]")
        if "contains" in schema and all(list(faults(inner, schema["contains"], whole)) for inner in value):
            yield f"{at}: has nothing that it should contain"


def _is(value: Any, kind: str) -> bool:
    if kind in ("number", "integer"):
        return isinstance(value, int | float if kind == "number" else int) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def _holds(rule: str, wanted: Any, value: Any) -> bool:
    if value is None:
        return True
    return {
        "enum": lambda: value in wanted,
        "const": lambda: value == wanted,
        "pattern": lambda: re.search(wanted, value) is not None,
        "minimum": lambda: value >= wanted,
        "maximum": lambda: value <= wanted,
        "minLength": lambda: len(value) >= wanted,
        "maxLength": lambda: len(value) <= wanted,
        "minItems": lambda: len(value) >= wanted,
        "maxItems": lambda: len(value) <= wanted,
        "maxProperties": lambda: len(value) <= wanted,
    }[rule]()
