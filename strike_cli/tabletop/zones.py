"""Zones of a map: their words and their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any


def describe_zone(zone: Mapping[str, Any]) -> Iterator[str]:
    """What a zone does, in words."""
    if zone.get("damage"):
        yield f"{zone['damage']} damage"
    if zone.get("difficult"):
        yield "difficult"
    if zone.get("sight"):
        yield {"dark": "completely obscured"}.get(zone["sight"], str(zone["sight"]))


def free_id(name: str, taken: Collection[str]) -> str:
    """An id made of a name, and of a number where it is taken."""
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in name.lower()).split()
    key = "-".join(words) or "zone"
    number = 1
    while (key if number == 1 else f"{key}-{number}") in taken:
        number += 1
    return key if number == 1 else f"{key}-{number}"
