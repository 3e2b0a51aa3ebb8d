"""What statuses and conditions do: sources, bans, remaps and reactions, each with its reason.

The one place that reads them. A rule asks here by kind of roll, action, stage or fact; it never looks for
a status by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..kernel.procedure import World
from ..record import NamedTuple
from .dice import Modifier, Source
from .grid import footprint, format_square, parse_square
from .people import conditions_on, in_scenes, squares_a_side
from .zones import acts_on


class Held(NamedTuple):
    """Something that somebody has: its definition, and the instance where it is a status."""

    id: str
    definition: Mapping[str, Any]
    instance: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name to give as a reason."""
        return str(self.definition["name"])


Standing = Callable[[Held, str], bool]
"""Whether what somebody has counts now, in a word of vocabularies.STANDINGS."""


def held_by(world: World, who: str) -> Iterator[Held]:
    """Every status in a scene, those it implies, every trait of a creature that acts, and every condition.
    Each definition once, unless it stacks by source."""
    seen: set[str] = set()
    waiting: list[tuple[str, Mapping[str, Any]]] = []
    acting: list[Mapping[str, Any]] = []
    for table, one in in_scenes(world, who):
        if statuses := one.get("statuses"):
            waiting += [(status["id"], status) for status in _counting(world, statuses)]
        if zones := table.get("zones"):
            waiting += _of_zones(table, zones, who, one)
        traits = world.book.creatures.get(one.get("ref"), {}).get("traits", ())
        acting += [trait for trait in traits if not isinstance(trait, str)]
    while waiting:
        key, instance = waiting.pop(0)
        definition = world.book.statuses.get(key)
        if definition is None or (key in seen and definition["stacks"] == "once"):
            continue
        seen.add(key)
        yield Held(key, definition, instance)
        waiting += [(implied, instance) for implied in definition["implies"]]
    for trait in acting:
        yield Held(trait["name"], trait, {})
    plain = "others" not in world.state  # as most often
    for key in world.get(f"characters.{who}.conditions", ()) if plain else conditions_on(world, who):
        definition = world.book.conditions.get(key)
        if definition is not None:
            yield Held(key, definition, {})


def _of_zones(
    table: Mapping[str, Any], zones: Mapping[str, Mapping[str, Any]], who: str, one: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What zones give to who stands in them."""
    people = table.get("people") or table["combatants"]
    for key, zone in zones.items():
        if "status" in zone and "at" in one and acts_on(zone, who, people):
            squares = footprint(parse_square(one["at"]), squares_a_side(one["size"]))
            if any(format_square(square) in zone["squares"] for square in squares):
                yield zone["status"], {"id": zone["status"], "by": zone.get("by", ""), "zone": key}


def numbers_on(world: World, who: str, of: str) -> Iterator[tuple[Held, Mapping[str, Any]]]:
    """What changes a number of somebody (vocabularies.NUMBERS), each with who has it."""
    for held in held_by(world, who):
        for item in held.definition.get("numbers", ()):
            if item["of"] == of:
                yield held, item


def _counting(world: World, statuses: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The statuses without those that stand back behind a higher one of their kind (STR-TAC-25)."""
    if len(statuses) < 2:
        return statuses
    highest: dict[str, Mapping[str, Any]] = {}
    for status in statuses:
        definition = world.book.statuses.get(status["id"])
        if definition is not None and definition["stacks"] == "highest":
            best = highest.setdefault(status["id"], status)
            if status.get("value", 0) > best.get("value", 0):
                highest[status["id"]] = status
    return (
        [status for status in statuses if highest.get(status["id"], status) is status]
        if highest
        else statuses
    )


def reasons_for(
    world: World,
    who: str,
    roll: str,
    *,
    side: str = "own",
    range_: str = "any",
    tags: frozenset[str] = frozenset(),
    holds: Standing | None = None,
) -> tuple[list[Source], list[Modifier]]:
    """Sources and modifiers on a kind of roll: one's own, or with side "against" those on rolls at one.

    What has tags of its own bears only on rolls that share one of `tags`; what says when it counts, only
    where `holds` says so.
    """
    sources: list[Source] = []
    modifiers: list[Modifier] = []
    rounds = [table.get("round") for table, _ in in_scenes(world, who)]
    for held in held_by(world, who):
        for item in held.definition["sources"]:
            if item["side"] != side or not _is_about(item["on"], roll):
                continue
            if item["tags"] and tags.isdisjoint(item["tags"]):
                continue
            if item["range"] not in (range_, "any") or ("round" in item and item["round"] not in rounds):
                continue
            if "when" in item and not (holds and holds(held, item["when"])):
                continue
            reason = held.name if side == "own" else f"target is {held.name}"
            if isinstance(item["gives"], int):
                modifiers.append(Modifier(item["gives"], reason, held.id))
            else:
                sources.append(Source(item["gives"], reason, held.id))
    return sources, modifiers


TASKS = ("skill", "opposed", "help")
"""What a Condition calls a task."""


def _is_about(on: str, roll: str) -> bool:
    return on in (roll, "any") or (on == "task" and roll in TASKS)


def ban_on(
    world: World, who: str, action: str, count: int = 0, *, side: str = "own", other: str = ""
) -> str | None:
    """Why somebody may not do (or, with side "against", be the target of) an action; None if they may.

    `count` is what they would come to with it: squares moved, actions taken; a ban `over` n bites beyond n.
    `other` is who stands on the other side of the action: some bans hold only against those who differ.
    """
    for held in held_by(world, who):
        for item in held.definition["bans"]:
            if item["action"] != action or item["side"] != side or count <= item.get("over", -1):
                continue
            if "unless" not in item or not _alike(world, held, other):
                return held.name
    return None


def _alike(world: World, held: Held, other: str) -> bool:
    """Whether the other one has the same status, or nobody is named."""
    return not other or any(theirs.id == held.id for theirs in held_by(world, other))


def decider_for(world: World, who: str) -> str:
    """Who says what somebody does: they themselves, or the giver of a status that bans deciding."""
    for held in held_by(world, who):
        if any(item["action"] == "decide" for item in held.definition["bans"]):
            return str(held.instance.get("by") or "the game master")
    return who


def limit_on(world: World, who: str, action: str, most: int) -> tuple[int, str | None]:
    """The most that bans leave of an action, such as squares of movement, and what limits it."""
    reason = None
    for held in held_by(world, who):
        for item in held.definition["bans"]:
            over = item.get("over", 0)
            if item["action"] == action and item["side"] == "own" and over < most:
                most, reason = over, held.name
    return most, reason


def flies(world: World, who: str) -> bool:
    """Whether somebody moves over others and over difficult terrain."""
    return any(held.definition.get("flies") for held in held_by(world, who))


def remap_die(world: World, target: str, face: int) -> tuple[int, str | None]:
    """The attack die as the target's statuses make it count (STR-TAC-11), and why."""
    for held in held_by(world, target):
        for item in held.definition["remaps"]:
            mapped = item.get("faces", {}).get(str(face))
            if item["stage"] == "die" and item["side"] == "against" and mapped is not None:
                return mapped, held.name
    return face, None


def remap_damage(world: World, attacker: str, damage: int) -> tuple[int, str | None]:
    """Damage as the attacker's statuses make it (Weakened: half, rounded down), and why."""
    for held in held_by(world, attacker):
        remaps = held.definition["remaps"]
        if any(item["stage"] == "damage" and item["side"] == "own" and item["half"] for item in remaps):
            return damage // 2, held.name
    return damage, None


class Reaction(NamedTuple):
    """One thing that a status does at a moment. `number` tells it from the others of its status."""

    held: Held
    number: int
    does: Mapping[str, Any]


def reactions_to(world: World, who: str, moment: str) -> list[Reaction]:
    """What somebody's statuses do at a moment, such as when they are damaged."""
    return [reaction for held in held_by(world, who) for reaction in reactions_of(held, moment)]


def reactions_of(held: Held, moment: str) -> list[Reaction]:
    """What one status does at a moment."""
    listed = enumerate(held.definition["reactions"])
    return [Reaction(held, number, does) for number, does in listed if does["on"] == moment]
