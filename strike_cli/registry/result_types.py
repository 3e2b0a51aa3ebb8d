"""The type of a move's result: the annotation of its procedure.

As a rule a TypedDict of its system's `data` module. Nothing that is played needs it.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import get_args, get_type_hints, is_typeddict


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
