"""What servers say, read: nothing of it is believed before it was looked at."""

from __future__ import annotations

from collections.abc import Mapping


def items(value: object) -> list[Mapping[str, object]]:
    """Return the tables in what should be a list of them."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def at(data: object, path: str) -> object:
    """Return the value at a path of keys with dots between them; None where there is none."""
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data


def as_number(value: object) -> float:
    """Return a number, which may be written out as text; 0 where there is none.

    Raises ValueError for other text.
    """
    if isinstance(value, str):
        return float(value or 0)
    return value if isinstance(value, int | float) else 0


def nested(data: Mapping[str, object]) -> dict[str, object]:
    """Return data such as `{"system.hp.value": 7}` as tables in one another."""
    found: dict[str, object] = {}
    for path, value in data.items():
        *outer, last = path.split(".")
        inner = found
        for part in outer:
            inner = inner.setdefault(part, {})  # type: ignore[assignment]  # a table, by the line itself
        inner[last] = value
    return found
