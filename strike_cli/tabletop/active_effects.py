"""The effects of statuses, Conditions and traits: what they change, forbid or react to.

Only this module reads the definitions of effects. A rule asks this module for everything that affects a roll,
an action, a die or a moment. Rules never look for a status by its name. Each answer comes with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from ..immutable_records import Value
from ..kernel.procedure import World
from ..kernel.state_changes import cached_by_identity, cached_values_of
from ..kernel.statements import Clause
from .characters_and_names import (
    character_changes_in,
    checked_creature_size,
    conditions_of_person_kind_and_side,
    scenes_of_person,
)
from .dice import Modifier, Source
from .facts import OfCondition, OfStatus, OfTrait, TargetIs
from .squares_and_lines import footprint, format_square, parse_square
from .zones import zone_affects

if TYPE_CHECKING:
    from .data import (
        ContentOfScenes,
        EffectWritten,
        PersonKept,
        ReactionWritten,
        SceneKept,
        StatusHeld,
        ZoneKept,
    )
    from .status_effect_schemas import BanWritten, NumberWritten


class ActiveEffect(Value):
    """A status, Condition or trait of a person: its definition, and the clause that names it.

    `instance` is the status in the scene's table. It is empty for a Condition or a trait.
    """

    id: str
    definition: EffectWritten
    instance: Mapping[str, object]
    as_reason: Callable[[str], Clause] = OfStatus

    @property
    def name(self) -> str:
        """The name of the effect."""
        return str(self.definition["name"])

    @property
    def reason(self) -> Clause:
        """The effect as a reason to show."""
        return self.as_reason(self.id)


Standing = Callable[[ActiveEffect, str], bool]
"""Tells whether an effect counts now, given a word of `STANDINGS`."""


class CombinedEffects:
    """All effects on a person, with their parts sorted for look-up.

    Bans are listed by action, reactions by moment, and changes of numbers by the number. Each part comes with
    its effect.
    """

    __slots__ = ("bans", "flies", "held", "numbers", "reactions", "remaps", "sources")

    def __init__(self, held: Sequence[ActiveEffect]) -> None:
        self.held = held
        self.sources = [(one, item) for one in held for item in one.definition["sources"]]
        self.remaps = [(one, item) for one in held for item in one.definition["remaps"]]
        self.flies = any(one.definition.get("flies") for one in held)
        self.bans: dict[str, list[tuple[ActiveEffect, BanWritten]]] = {}
        self.numbers: dict[str, list[tuple[ActiveEffect, NumberWritten]]] = {}
        self.reactions: dict[str, list[Reaction]] = {}
        for one in held:
            for ban in one.definition["bans"]:
                self.bans.setdefault(ban["action"], []).append((one, ban))
            for change in one.definition.get("numbers", ()):
                self.numbers.setdefault(change["of"], []).append((one, change))
            for number, does in enumerate(one.definition["reactions"]):
                self.reactions.setdefault(does["on"], []).append(Reaction(one, number, does))


def combined_effects(world: World, person: str) -> CombinedEffects:
    """Return all effects on a person together: those of scenes, zones, traits and Conditions.

    The result is cached.
    """
    known = cached_values_of(world)
    found: CombinedEffects | None = known.get(person)
    if found is None:
        parts: list[object] = []
        for table, one in scenes_of_person(world, person):
            parts += one.get("statuses"), one.get("ref")
            if zones := table.get("zones"):
                parts += _statuses_from_zones(zones, table, person, one)
        found = known[person] = _carried(world.book, _interned_conditions_applying_to(world, person), *parts)
    return found


_NOBODY: Mapping[str, PersonKept] = {}


def _interned_conditions_applying_to(world: World, person: str) -> Sequence[str] | None:
    """Return the Conditions of a person. Without any, return None or an empty tuple.

    The same Conditions usually come as the same object. The cache of effects needs this, since it compares by
    identity.
    """
    if "others" not in world.state:  # the common case, without a search
        own = character_changes_in(world.state).get(person)
        return own.get("conditions") if own else None
    return _interned_conditions(tuple(conditions_of_person_kind_and_side(world, person)))


@lru_cache(maxsize=1024)
def _interned_conditions(conditions: tuple[str, ...]) -> tuple[str, ...]:
    return conditions


def _combine_effects(
    book: ContentOfScenes, conditions: Sequence[str] | None, *statuses_refs_and_zones: object
) -> CombinedEffects:
    """Return all effects on a person: of Conditions, statuses, traits and zones.

    Args:
        book: The content of the campaign.
        conditions: The person's Conditions.
        *statuses_refs_and_zones: Two values for each scene with the person: the person's statuses there, and
            the id of the sheet that gives the traits. There is also one value for each zone around the
            person.
    """
    zones = [part for part in statuses_refs_and_zones if type(part) is _ZoneStatus]
    scenes = [part for part in statuses_refs_and_zones if type(part) is not _ZoneStatus]
    of_scenes = cast(
        "list[tuple[Sequence[StatusHeld] | None, str]]", list(zip(scenes[::2], scenes[1::2], strict=True))
    )
    return CombinedEffects(tuple(_active_effects(book, conditions or (), of_scenes, zones)))


_carried = cached_by_identity(_combine_effects)


def effects_on(world: World, person: str) -> Sequence[ActiveEffect]:
    """Return the effects on a person: first statuses, then traits, then Conditions.

    The statuses come from scenes and zones, and include statuses that other statuses imply. A status that
    stacks "once" is included only once. If several instances of a status stack by "highest", only the highest
    of each scene is included.
    """
    return combined_effects(world, person).held


def _active_effects(
    book: ContentOfScenes,
    conditions: Sequence[str],
    scenes: Sequence[tuple[Sequence[StatusHeld] | None, str]],
    zones: Sequence[_ZoneStatus],
) -> Iterator[ActiveEffect]:
    seen: set[str] = set()
    waiting: list[tuple[str, Mapping[str, object]]] = []
    acting: list[EffectWritten] = []
    for statuses, ref in scenes:
        if statuses:
            waiting += [(status["id"], status) for status in _without_lower_instances(book, statuses)]
        traits = book.creatures.get(ref, {}).get("traits", ())
        acting += [trait for trait in traits if not isinstance(trait, str)]
    waiting += [(zone.status, {"id": zone.status, "by": zone.by, "zone": zone.zone}) for zone in zones]
    while waiting:
        key, instance = waiting.pop(0)
        definition = book.statuses.get(key)
        if definition is None or (key in seen and definition["stacks"] == "once"):
            continue
        seen.add(key)
        yield ActiveEffect(key, definition, instance)
        waiting += [(implied, instance) for implied in definition["implies"]]
    for trait in acting:
        yield ActiveEffect(trait["name"], trait, {}, OfTrait)
    for key in conditions:
        definition = book.conditions.get(key)
        if definition is not None:
            yield ActiveEffect(key, definition, {}, OfCondition)


class _ZoneStatus(Value):
    """A status that a zone gives to people in the zone, with the ids of the zone and of its maker."""

    status: str
    by: str
    zone: str


_in_zone = lru_cache(maxsize=1024)(_ZoneStatus)
"""Returns a _ZoneStatus, cached, so that what is computed from it is cached too."""


def _statuses_from_zones(
    zones: Mapping[str, ZoneKept], table: SceneKept, person: str, stored_person: PersonKept
) -> Iterator[_ZoneStatus]:
    for key, zone in zones.items():
        if "status" in zone and "at" in stored_person:
            people = table.get("people") or table.get("combatants", _NOBODY)
            squares = footprint(
                parse_square(stored_person["at"]), checked_creature_size(stored_person["size"])
            )
            if zone_affects(zone, person, people) and any(
                format_square(each) in zone["squares"] for each in squares
            ):
                yield _in_zone(zone["status"], zone.get("by", ""), key)


def changes_to_number(world: World, person: str, number: str) -> Iterator[tuple[ActiveEffect, NumberWritten]]:
    """Yield the changes that effects make to one of a person's numbers, each with its effect.

    `number` is the name of the number, one of `rules_vocabulary.NUMBERS`.
    """
    yield from combined_effects(world, person).numbers.get(number, ())


def _without_lower_instances(book: ContentOfScenes, statuses: Sequence[StatusHeld]) -> Sequence[StatusHeld]:
    """Return the statuses that count (STR-TAC-25).

    For a status that stacks by "highest", only the instance with the highest value counts.
    """
    if len(statuses) < 2:
        return statuses
    highest: dict[str, StatusHeld] = {}
    for status in statuses:
        definition = book.statuses.get(status["id"])
        if definition is not None and definition["stacks"] == "highest":
            best = highest.setdefault(status["id"], status)
            if status.get("value", 0) > best.get("value", 0):
                highest[status["id"]] = status
    return (
        [status for status in statuses if highest.get(status["id"], status) is status]
        if highest
        else statuses
    )


def roll_reasons_from_effects(
    world: World,
    person: str,
    roll: str,
    *,
    side: str = "own",
    range_: str = "any",
    tags: frozenset[str] = frozenset(),
    holds: Standing | None = None,
) -> tuple[list[Source], list[Modifier]]:
    """Return the sources and the modifiers that a person's effects give to one kind of roll.

    A modifier is a number. A source is something else that changes the roll, such as Advantage. An effect
    that is limited to one round counts only in that round of a scene.

    Args:
        world: The world.
        person: The person whose effects are looked up.
        roll: The kind of roll.
        side: "own" for rolls that the person makes, "against" for rolls against the person.
        range_: The range of the roll. Effects that are limited to another range don't count.
        tags: The tags of the roll. An effect with tags counts only if the roll has one of them.
        holds: Tells whether the condition of an effect (`when`) is met. Without this function, effects with a
            condition don't count.
    """
    sources: list[Source] = []
    modifiers: list[Modifier] = []
    for held, item in combined_effects(world, person).sources:
        if item["side"] != side or not _is_about(item["on"], roll):
            continue
        if item["tags"] and tags.isdisjoint(item["tags"]):
            continue
        if item["range"] not in (range_, "any") or (
            "round" in item
            and not any(table.get("round") == item["round"] for table, _ in scenes_of_person(world, person))
        ):
            continue
        if "when" in item and not (holds and holds(held, item["when"])):
            continue
        reason = held.reason if side == "own" else TargetIs(held.reason)
        if isinstance(item["gives"], int):
            modifiers.append(Modifier(item["gives"], reason, held.id))
        else:
            sources.append(Source(item["gives"], reason, held.id))
    return sources, modifiers


TASKS = ("skill", "opposed", "help")
"""The kinds of roll that a Condition calls tasks."""


def _is_about(on: str, roll: str) -> bool:
    return on in (roll, "any") or (on == "task" and roll in TASKS)


def effect_banning(
    world: World, actor: str, action: str, count: int = 1, *, side: str = "own", other: str = ""
) -> ActiveEffect | None:
    """Return the effect that forbids an action, or None if the action isn't forbidden.

    Args:
        world: The world.
        actor: The person whose effects are looked up.
        action: The action.
        count: The number of squares or actions so far, including this one. Some effects forbid only the
            squares or actions above a certain number.
        side: "own" if `actor` wants to do the action, "against" if somebody wants to do it to `actor`.
        other: The person on the other side. Some effects apply only if this person is given and lacks the
            same status.
    """
    for held, item in combined_effects(world, actor).bans.get(action, ()):
        if item["side"] != side or ("over" in item and count <= item["over"]):
            continue
        if "unless" not in item or (
            other and all(theirs.id != held.id for theirs in effects_on(world, other))
        ):
            return held
    return None


def decider_for(world: World, person: str) -> str:
    """Return the decider for a person.

    Usually it is the person. With a status that takes control, it is the giver of the status, or "the game
    master" if there is no giver.
    """
    for held, _ in combined_effects(world, person).bans.get("decide", ()):
        return str(held.instance.get("by") or "the game master")
    return person


def action_limit(world: World, actor: str, action: str, most: int) -> tuple[int, ActiveEffect | None]:
    """Return the limit on an action of `actor`, and the effect that sets the limit.

    `most` is the limit without any effects, such as squares of movement. The effect is None if none lowers
    it.
    """
    limit = None
    for held, item in combined_effects(world, actor).bans.get(action, ()):
        over = item.get("over", 0)
        if item["side"] == "own" and over < most:
            most, limit = over, held
    return most, limit


def can_fly(world: World, person: str) -> bool:
    """Return whether a person can move over others and over difficult ground."""
    return combined_effects(world, person).flies


def remap_die(world: World, target: str, face: int) -> tuple[int, ActiveEffect | None]:
    """Return an attack die's face after the target's remaps (STR-TAC-11), and the effect that changed it.

    The effect is None if the face is unchanged.
    """
    for held, item in combined_effects(world, target).remaps:
        mapped = item.get("faces", {}).get(str(face))
        if item["stage"] == "die" and item["side"] == "against" and mapped is not None:
            return mapped, held
    return face, None


def halve_damage_if_effect_says(world: World, attacker: str, damage: int) -> tuple[int, ActiveEffect | None]:
    """Return the damage that an attacker deals, halved if an effect on the attacker halves it.

    The second value is this effect, such as the status Weakened. It is None if the damage is unchanged.
    Halves are rounded down.
    """
    for held, item in combined_effects(world, attacker).remaps:
        if item["stage"] == "damage" and item["side"] == "own" and item["half"]:
            return damage // 2, held
    return damage, None


class Reaction(Value):
    """A reaction of an effect to a moment.

    `number` is the index of the reaction among all reactions of the effect.
    """

    held: ActiveEffect
    number: int
    definition: ReactionWritten


def reactions_to(world: World, person: str, moment: str) -> list[Reaction]:
    """Return the reactions of a person's effects to a moment, such as being damaged."""
    return combined_effects(world, person).reactions.get(moment, [])


def reactions_of_effect(effect: ActiveEffect, moment: str) -> list[Reaction]:
    """Return the reactions of one effect to a moment."""
    listed = enumerate(effect.definition["reactions"])
    return [Reaction(effect, number, does) for number, does in listed if does["on"] == moment]
