"""Reading back a state.toml that nobody has touched since strike wrote it.

Python's reader of TOML takes as long as all else that opening a campaign does. What strike writes has a form:
heads of tables, a key and its value on a line, lists with an item on a line, short tables within braces. Its
values are those of JSON, but for the keys within braces. What has another form is left to Python's reader.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..reading import unsound

_OTHER_FORM = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


def read_own(raw: bytes) -> dict[str, object] | None:
    """What a file says that strike wrote; None where it is of a form that it may not have written."""
    try:
        data = _tables(iter(raw.decode().split("\n")))
    except _OTHER_FORM:
        return None
    return None if unsound(data) else data


def _tables(lines: Iterator[str]) -> dict[str, object]:
    data: dict[str, object] = {}
    table = data
    for line in lines:
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            table = _table_at(data, line)
            continue
        key, found, value = line.partition(" = ")
        if not found or not _is_bare(key) or key in table:
            raise ValueError
        table[key] = _value("".join(_list(lines)) if value == "[" else value)
    return data


def _is_bare(key: str) -> bool:
    return key.isascii() and key.replace("-", "a").replace("_", "a").isalnum()


def _table_at(data: dict[str, Any], line: str) -> dict[str, object]:
    """The table whose head a line is."""
    many = line.startswith("[[")
    path = line[2:-2] if many else line[1:-1]
    if line != (f"[[{path}]]" if many else f"[{path}]"):
        raise ValueError
    *outer, last = path.split(".")
    if not all(map(_is_bare, (*outer, last))):
        raise ValueError
    table = data
    for key in outer:
        inner = table.setdefault(key, {})
        table = inner[-1] if type(inner) is list else inner
    new: dict[str, object] = {}
    if many:
        table.setdefault(last, []).append(new)
    elif last in table:
        raise ValueError
    else:
        table[last] = new
    return new


def _list(lines: Iterator[str]) -> Iterator[str]:
    """The lines of a list, and of lists in it, without the comma behind a last item."""
    yield "["
    before = ""
    for line in lines:
        yield before.removesuffix(",") if line.lstrip().startswith("]") else before
        if line == "]":
            yield line
            return
        before = line
    raise ValueError


def _value(text: str) -> Any:
    if "{" in text:
        text = _with_colons(text)
    value, end = _JSON.raw_decode(text)
    if end != len(text):
        raise ValueError
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_JSON = json.JSONDecoder(strict=False, parse_constant=_refuse)
"""A tab may stand in a text as it is; `NaN` and the like are no values."""


def _with_colons(text: str) -> str:
    """Tables within braces as JSON has them."""
    if "\\" in text:
        raise ValueError
    parts = text.split('"')
    parts[::2] = map(_with_quoted_keys, parts[::2])  # the others are what stands between quotes
    return '"'.join(parts)


def _with_quoted_keys(text: str) -> str:
    *keyed, rest = text.split(" = ")
    written = []
    for each in keyed:
        before, _, key = each.rpartition(" ")
        if not _is_bare(key):
            raise ValueError
        written.append(f'{before} "{key}": ')
    return "".join([*written, rest])
