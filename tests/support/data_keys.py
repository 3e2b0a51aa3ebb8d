"""The keys of what commands give back, which scripts read (docs/scripting.md): tests/data/keys.toml has them,
and every command that a test plays in memory is held against it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

KEYS = Path(__file__).parent.parent / "data" / "keys.toml"


@cache
def table() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """By command the keys that its data always has, and those that it may have."""
    found = tomllib.loads(KEYS.read_text(encoding="utf-8"))
    return {name: {how: frozenset(keys) for how, keys in item.items()} for name, item in found.items()}


def keys_of(data: Mapping[str, Any]) -> Iterator[str]:
    """The keys of data, and those of the items of its lists as `attacks.damage`."""
    for key, value in data.items():
        yield key
        if isinstance(value, list):
            yield from (f"{key}.{inner}" for item in value if isinstance(item, dict) for inner in item)


def check_keys(command: str, data: Mapping[str, Any]) -> None:
    """Fails where data lacks a key that it always has, or has one that nobody has heard of."""
    if (known := table().get(command)) is not None:
        found = set(keys_of(data))
        lacking, unheard = known["always"] - found, found - known["always"] - known["sometimes"]
        assert not lacking and not unheard, f"{command}: {lacking=} {unheard=}; tests/data/keys.toml has them"
