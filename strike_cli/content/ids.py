"""Full ids of content, `core:dazed` or `burning`, and what people write for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def matching(name: str, table: Mapping[str, Any]) -> list[str]:
    """Full ids that a name may mean: the id itself, else its last part, else a display name; case aside."""
    low = name.strip().lower().replace(" ", "-")
    tests: tuple[Callable[[str], bool], ...] = (
        lambda key: key.lower() == low,
        lambda key: key.rpartition(":")[2].lower() == low,
        lambda key: str(table[key].get("name", "")).lower() == name.strip().lower(),
    )
    for test in tests:
        found = [key for key in table if test(key)]
        if found:
            return found
    return []


def one_of(kind: str) -> str:
    """`status` of `statuses`: what one thing of a kind is called."""
    return {"statuses": "status", "severities": "severity"}.get(kind, kind[:-1]).replace("_", " ")
