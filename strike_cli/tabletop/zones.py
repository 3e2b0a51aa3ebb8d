"""Zones of a map: their words and their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .data import ZoneKept

People = Mapping[str, Mapping[str, object]]


def describe_zone(zone: ZoneKept) -> Iterator[str]:
    """Yield the effects of a zone, in words."""
    if zone.get("damage"):
        yield f"{zone['damage']} damage"
    if zone.get("difficult"):
        yield "difficult"
    if zone.get("sight"):
        yield {"dark": "completely obscured"}.get(zone["sight"], str(zone["sight"]))
    if zone.get("blocks"):
        yield "a wall"
    if zone.get("cover"):
        yield "cover"


def is_asleep(zone: ZoneKept, people: People) -> bool:
    """Return whether a zone has no effect now.

    A zone that moves with a Hidden person has none, since it would reveal them.
    """
    return "along" in zone and bool(people.get(zone["along"], {}).get("hidden"))


def acts_on(zone: ZoneKept, person: str, people: People) -> bool:
    """Return whether a zone affects a person, as its `who` says relative to its maker (if it has one)."""
    if is_asleep(zone, people):
        return False
    maker, whom = people.get(zone.get("by", "")), zone.get("who", "any")
    if maker is None or whom == "any":
        return True
    oneself, friend = person == zone["by"], people[person].get("side") == maker.get("side")
    return bool(
        {"enemies": not friend, "allies": friend and not oneself, "friends": friend, "others": not oneself}[
            whom
        ]
    )


def free_id(name: str, taken: Collection[str], secret: bool = False) -> str:
    """Return an id made from a name, with a number where it is taken.

    A secret one begins with a word of its own: a number added to an id that players see would reveal another.
    """
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in name.lower()).split()
    key = "-".join([*(["secret"] if secret else []), *(words or ["zone"])])
    number = 1
    while (key if number == 1 else f"{key}-{number}") in taken:
        number += 1
    return key if number == 1 else f"{key}-{number}"
