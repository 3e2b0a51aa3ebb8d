"""Access to the JSON of other programs key by key, with errors that name the key at fault."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..tabletop.foreign_map_files import require_finite

Table = Mapping[str, object]


def parse_json_table(raw: bytes) -> Table:
    """Return the JSON object in a file's bytes. Raises ValueError for anything else."""
    try:
        return require_table(json.loads(raw, parse_constant=_refuse_constant), "the file")
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno} is not JSON") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is not text") from None
    except RecursionError:
        raise ValueError("it is too deeply nested") from None


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def require_table(value: object, where: str) -> Table:
    """Return `value` if it is a table. Raises ValueError that names the place `where` for anything else."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} is {shorten_value(value)}, not a table")
    return value


def table_at(table: Table, key: str, where: str = "") -> Table:
    """Return the table under a key; {} if the key is missing.

    Raises ValueError for a value that is no table. The error names `where`, the place of the outer table, and
    then the key.
    """
    value = table.get(key)
    return {} if value is None else require_table(value, f"{where}.{key}".lstrip("."))


def list_at(table: Table, key: str, where: str = "") -> list[object]:
    """Return the list under a key; [] if the key is missing.

    Raises ValueError for a value that is no list. The error names `where`, the place of the outer table, and
    then the key.
    """
    value = table.get(key)
    return [] if value is None else require_list(value, f"{where}.{key}".lstrip("."))


def require_list(value: object, where: str) -> list[object]:
    """Return `value` if it is a list. Raises ValueError that names the place `where` for anything else."""
    if not isinstance(value, list):
        raise ValueError(f"{where} is {shorten_value(value)}, not a list")
    return value


def number_at(table: Table, key: str, full_place: str, otherwise: float | None = None) -> float:
    """Return the number under a key; `otherwise` if the key is missing.

    Raises ValueError for a value that is no finite number, and for a missing key without `otherwise`. The
    error names `full_place`, which is the place of the number, with its key.
    """
    value = table.get(key)
    if value is None and otherwise is not None:
        return otherwise
    if value is None:
        raise ValueError(f"there is no {full_place}")
    return require_number(value, full_place)


def require_number(value: object, where: str) -> float:
    """Return `value` if it is a finite number.

    Raises ValueError that names the place `where` for anything else.
    """
    try:
        return require_finite(value)
    except ValueError:
        raise ValueError(f"{where} is {shorten_value(value)}, not a number") from None


def shorten_value(value: object) -> str:
    """Return a value as text of at most 40 characters, for messages.

    The text is JSON, cut off if it is longer. For None it is "nothing".
    """
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:37]}..."


def short_printable_name(name: object) -> str:
    """Return the printable characters of a name, at most 100; "" if it is no text."""
    return "".join(filter(str.isprintable, name))[:100] if isinstance(name, str) else ""
