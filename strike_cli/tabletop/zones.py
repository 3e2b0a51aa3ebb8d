"""Zones of a map: their effects in words, the people whom they affect, and their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .data import ZoneKept

People = Mapping[str, Mapping[str, object]]


def zone_effects_in_words(zone: ZoneKept) -> Iterator[str]:
    """Yield each effect of a zone, in words."""
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


def moves_with_hidden_person(zone: ZoneKept, people: People) -> bool:
    """Return whether a zone has no effect now.

    A zone that moves with somebody Hidden has none, since its effect would give that person away.
    """
    return "along" in zone and bool(people.get(zone["along"], {}).get("hidden"))


def zone_affects(zone: ZoneKept, person: str, people: People) -> bool:
    """Return whether a zone affects a person now.

    The zone's `who` names the affected people from the view of its maker: "enemies" are the maker's enemies.
    Without a maker or `who`, the zone affects everybody.
    """
    if moves_with_hidden_person(zone, people):
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


def free_zone_id_marked_if_secret(name: str, taken: Collection[str], secret: bool = False) -> str:
    """Return an unused id made from a name. If the id is `taken`, a number is added.

    The id of a `secret` zone begins with "secret". Otherwise a number after a visible zone's id could reveal
    that a secret zone has the same name.
    """
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in name.lower()).split()
    key = "-".join([*(["secret"] if secret else []), *(words or ["zone"])])
    number = 1
    while (key if number == 1 else f"{key}-{number}") in taken:
        number += 1
    return key if number == 1 else f"{key}-{number}"
