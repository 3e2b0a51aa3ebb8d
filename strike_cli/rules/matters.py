"""What matters to a roll: conditions, flaws, favors, banked bonuses, tools, an extra Skill; each says why.

Relevance is the game master's to judge; the guess here comes from tags, and every part of it can be
overruled with `ignore`, `adv` and `dis`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..problems import Refused
from .contributions import reasons_for
from .dice import ADVANTAGE, DISADVANTAGE, Modifier, Source, sources
from .numbers import numbers
from .people import display_name, knows, sheet, spend_action_point
from .procedure import Procedure, World

Args = Mapping[str, Any]


class Matters:
    """Sources and modifiers of a roll, and what making it uses up: banked bonuses, Action Points."""

    __slots__ = ("banked", "extra_skill", "modifiers", "sources")

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.modifiers: list[Modifier] = []
        self.banked: list[str] = []
        self.extra_skill = ""


def tags_of(world: World, who: str, skill: str, more: Sequence[str] = ()) -> frozenset[str]:
    """What a Skill is about: as the sheet says, else as its name suggests; and what the caller adds."""
    written = {name.lower(): tags for name, tags in sheet(world, who).get("tags", {}).items()}
    own: Iterable[str] = written.get(skill.lower(), _guessed(skill.lower()))
    return frozenset([*own, *more])


@lru_cache(maxsize=128)
def _guessed(skill: str) -> tuple[str, ...]:
    words = skill.replace("-", " ").split()
    stems: Mapping[str, Sequence[str]] = numbers("tags")["skills"]
    return tuple(
        tag for tag, of in stems.items() if any(word.startswith(stem) for word in words for stem in of)
    )


def what_matters(world: World, who: str, kind: str, skill: str, args: Args) -> Matters:
    """Everything that bears on a roll of this kind by somebody now (STR-CORE-04, 10 to 12, 22, 25).

    Args, all optional: adv, dis, mods, tags, using (an item), asking (a party), makeshift, also (an extra
    Skill, for an Action Point), use (ids of banked bonuses), ignore (reasons to leave out).
    """
    found = Matters()
    found.sources += sources(args.get("adv", ()), args.get("dis", ()))
    found.modifiers += [Modifier(*pair) for pair in args.get("mods", ())]
    if world.book is None or not who:
        return found
    ignored = [name.lower() for name in args.get("ignore", ())]
    own, modifiers = reasons_for(world, who, kind, tags=tags_of(world, who, skill, args.get("tags", ())))
    own += _doubts(world, who, skill)
    own += _flaws(world, who, args.get("using", ""))
    own += _favors(world, args.get("asking", ""))
    if args.get("makeshift"):
        own.append(Source(DISADVANTAGE, "makeshift tools"))
    for item in world.get(f"characters.{who}.banked", ()):
        reason = f"{item['why']} ({item['id']})" if item.get("why") else f"banked {item['id']}"
        named = item["for"].lower() == skill.lower() or item["id"] in args.get("use", ())
        if named and not _is_ignored(reason, ignored) and item["id"] not in ignored:
            own.append(Source(item["gives"], reason))
            found.banked.append(item["id"])
    if args.get("also"):
        found.extra_skill = args["also"]
        own.append(Source(ADVANTAGE, f"{args['also']} helps (1 AP)"))
    found.sources += [source for source in own if not _is_ignored(source.reason, ignored)]
    found.modifiers += [item for item in modifiers if not _is_ignored(item.reason, ignored)]
    return found


def _is_ignored(reason: str, ignored: Sequence[str]) -> bool:
    return any(reason.lower().startswith(name) for name in ignored)


def _doubts(world: World, who: str, skill: str) -> list[Source]:
    doubted = {name.lower() for name in world.get(f"characters.{who}.doubts", ())}
    return [Source(DISADVANTAGE, "Lost Confidence")] if skill.lower() in doubted else []


def _flaws(world: World, who: str, using: str) -> list[Source]:
    """Flaws of what somebody uses (STR-CORE-10): by the item's name, or the flaw's id."""
    low = using.lower()
    return [
        Source(DISADVANTAGE, f"{flaw['on']}: {flaw.get('text') or 'flawed'}")
        for flaw in world.get(f"characters.{who}.flaws", ())
        if low and low in (flaw["on"].lower(), flaw["id"])
    ]


def _favors(world: World, asking: str) -> list[Source]:
    """Favors that anybody of the party still owes whom they ask (STR-CORE-11)."""
    low = asking.lower()
    if not low:
        return []
    owed = [
        (who, favor)
        for who in world.book.characters
        for favor in world.get(f"characters.{who}.favors", ())
        if favor["to"].lower() == low
    ]
    return [
        Source(
            DISADVANTAGE,
            f"bad reputation with {favor['to']}"
            if favor.get("reputation")
            else f"{display_name(world, who)} owes {favor['to']} a favor",
        )
        for who, favor in owed[:1]
    ]


def pay(world: World, who: str, matters: Matters) -> Procedure[None]:
    """Use up what the roll takes, before the dice: banked bonuses, the Action Point of an extra Skill."""
    if matters.extra_skill:
        name = display_name(world, who)
        if not knows(world, who, matters.extra_skill):
            raise Refused(
                f"{name} does not have {matters.extra_skill}.", "`strike character show` has the Skills."
            )
        yield from spend_action_point(world, who, f"{matters.extra_skill} helps")
    if matters.banked:
        path = f"characters.{who}.banked"
        left = [item for item in world.get(path, ()) if item["id"] not in matters.banked]
        yield world.happen("bonus-spent", who, "", {path: left or None}, spent=matters.banked)


def bank(world: World, who: str, gives: str, for_: str, why: str) -> Procedure[str]:
    """Keep Advantage or Disadvantage for a named later roll (STR-CORE-07, 19). Returns its id."""
    path = f"characters.{who}.banked"
    held = world.get(path, [])
    number = 1 + max((int(item["id"][1:]) for item in held), default=0)
    item = {"id": f"b{number}", "gives": gives, "for": for_, "why": why}
    text = f"{display_name(world, who)} has {gives.capitalize()} on a later roll: {for_}."
    yield world.happen("bonus-banked", who, text, {path: [*held, item]}, banked=item)
    return str(item["id"])
