"""Zones of a map, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def describe_zone(zone: Mapping[str, Any]) -> Iterator[str]:
    """What a zone does, in words."""
    if zone.get("damage"):
        yield f"{zone['damage']} damage"
    if zone.get("difficult"):
        yield "difficult"
    if zone.get("sight"):
        yield {"dark": "completely obscured"}.get(zone["sight"], str(zone["sight"]))
