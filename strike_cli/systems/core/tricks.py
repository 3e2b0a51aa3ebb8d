"""Tricks and Complications of characters: of the sheet, and as play has changed them (STR-CORE-23 and 24)."""

# Annotations are left as they are: kept as text, a NamedTuple would compile each of them at every start.

from typing import NamedTuple

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.people import kept, sheet, slug


class Trick(NamedTuple):
    """A narrow use of a Skill (STR-CORE-23). `skill` is empty where the sheet doesn't tie it to one."""

    name: str
    skill: str = ""
    text: str = ""


class Complication(NamedTuple):
    """A way in which a character gets into trouble (STR-CORE-24)."""

    name: str
    text: str = ""


def tricks_of(world: World, who: str) -> list[Trick]:
    """Return the Tricks that somebody has now: the sheet's, less those given up in play, and those gained."""
    lost = {slug(name) for name in kept(world, who).get("tricks_lost", [])}
    found = {slug(trick.name): trick for trick in sheet_tricks(world, who) if slug(trick.name) not in lost}
    for item in kept(world, who).get("tricks_gained", []):
        found.setdefault(slug(item["name"]), Trick(item["name"], item.get("skill", "")))
    return list(found.values())


def complications_of(world: World, who: str) -> list[Complication]:
    """Return the Complications that somebody has now: the sheet's, less those given up, and those gained."""
    lost = {slug(name) for name in kept(world, who).get("complications_lost", [])}
    written = [one for one in sheet_complications(world, who) if slug(one.name) not in lost]
    found = {slug(one.name): one for one in written}
    for name in kept(world, who).get("complications_gained", []):
        found.setdefault(slug(name), Complication(name))
    return list(found.values())


def sheet_tricks(world: World, who: str) -> list[Trick]:
    """Return the Tricks as people wrote them, whatever happened in play."""
    return [
        Trick(item)
        if isinstance(item, str)
        else Trick(item["name"], item.get("skill", ""), item.get("text", ""))
        for item in sheet(world, who).get("tricks", [])
    ]


def sheet_complications(world: World, who: str) -> list[Complication]:
    """Return the Complications as people wrote them, whatever happened in play."""
    return [
        Complication(item) if isinstance(item, str) else Complication(item["name"], item.get("text", ""))
        for item in sheet(world, who).get("complications", [])
    ]
