"""Zones of a map: what they do in words, and their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .data import ZoneKept

People = Mapping[str, Mapping[str, object]]


def describe_zone(zone: ZoneKept) -> Iterator[str]:
    """Yield what a zone does, in words."""
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
    """Return whether a zone does nothing now.

    If it moves with somebody who is Hidden, it doesn't, since it would give them away.
    """
    return "along" in zone and bool(people.get(zone["along"], {}).get("hidden"))


def acts_on(zone: ZoneKept, person: str, people: People) -> bool:
    """Return whether a zone affects a person, as its `who` says in relation to its maker."""
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
    """Return an id made from a name, with a number if it is taken.

    That of something secret begins with a word of its own: a number after an id that players see would give
    away another one.
    """
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in name.lower()).split()
    key = "-".join([*(["secret"] if secret else []), *(words or ["zone"])])
    number = 1
    while (key if number == 1 else f"{key}-{number}") in taken:
        number += 1
    return key if number == 1 else f"{key}-{number}"
