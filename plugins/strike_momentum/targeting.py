"""Possible targets and their Evasion: range, sight, cover, leaning (WSH-09, 12, 18)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from strike_cli.plugin import Refused
from strike_cli.plugin.board import Square, between, footprint, gap, parse_square
from strike_cli.plugin.dice import ADVANTAGE, DISADVANTAGE, Source
from strike_cli.plugin.refusals import WhereNobodyKnows

from .battle import Battle
from .facts import AttackFromHiding, EnemyNear, RiddenBy
from .numbers import HALF_COVER_EVASION
from .statuses import has, reasons, total


class AttackOrigin(NamedTuple):
    """The origin of an attack: a square, and the size of a side."""

    square: Square
    size: int = 1


class CoverBetween(NamedTuple):
    """The cover on a line: whether it is half cover, and the creature that gives it, if any."""

    half: bool = False
    creature: str = ""


def place_of(battle: Battle, combatant: str, lean: str = "") -> AttackOrigin:
    """Return the place that a combatant acts from: their own, or the square that they lean towards.

    Raises Refused for a square that is not adjacent, or not free (WSH-18).
    """
    here = AttackOrigin(battle.at(combatant), battle.size(combatant))
    if not lean:
        return here
    square = battle.square(lean)
    beside = {near for own in battle.squares(combatant) for near in battle.grid.neighbours(own)}
    if square not in beside:
        raise Refused(
            f"{battle.name(combatant)} can't lean towards {lean}.", "Lean towards a free neighbouring square."
        )
    return AttackOrigin(square)


def sees(battle: Battle, place: AttackOrigin, target: str) -> bool:
    """Return whether a target can be seen from a place, where they stand or where they lean (WSH-18).

    A target wholly in the dark can't.
    """
    return any(
        _is_open(battle, place, spot)
        for spot in spots_of(battle, target)
        if not battle.dark.issuperset(footprint(spot.square, spot.size))
    )


def reaches(battle: Battle, place: AttackOrigin, target: str) -> bool:
    """Return whether no obstacle blocks the line to a target.

    The target need not be seen, since an area needs no aim.
    """
    return any(_is_open(battle, place, spot) for spot in spots_of(battle, target))


def _is_open(battle: Battle, place: AttackOrigin, spot: AttackOrigin) -> bool:
    return battle.grid.sees_past(battle.veil, place.square, spot.square, place.size, spot.size)


def spots_of(battle: Battle, target: str) -> list[AttackOrigin]:
    """Return the squares where a target may be aimed at: where they stand and where they lean."""
    lean = battle.people[target].get("lean")
    return [
        AttackOrigin(battle.at(target), battle.size(target)),
        *([AttackOrigin(parse_square(lean))] if lean else []),
    ]


def cover_from(battle: Battle, place: AttackOrigin, target: str, but: Sequence[str] = ()) -> CoverBetween:
    """Return a target's cover against attacks from a place (WSH-18).

    It comes from an obstacle or from leaning; without these, from a creature in front of the target whose
    size category is at least the target's.
    """
    here = AttackOrigin(battle.at(target), battle.size(target))
    grid = battle.grid
    straight = grid.sees_past(battle.veil, place.square, here.square, place.size, here.size)
    if not straight or grid.cover(place.square, here.square, place.size, here.size):
        return CoverBetween(half=True)
    left_out = {target, *but, *battle.riders(target), battle.people[target].get("on", "")}
    for square in between(place.square, here.square, place.size, here.size):
        for other in battle.on_squares((square,), but=tuple(left_out)):
            if battle.category(other) >= battle.category(target):
                return CoverBetween(half=True, creature="" if battle.people[other].get("object") else other)
    return CoverBetween()


def must_see(battle: Battle, actor: str, target: str, lean: str = "") -> AttackOrigin:
    """Return the place that the actor aims from.

    Raises Refused where the target is hidden or in full cover, and for needless leaning.
    """
    if battle.people[target].get("hidden") and battle.side(target) != battle.side(actor):
        raise WhereNobodyKnows(battle.name(target), "Only a visible target can be aimed at.")
    here = place_of(battle, actor)
    place = place_of(battle, actor, lean)
    if lean and sees(battle, here, target):
        raise Refused(
            f"{battle.name(actor)} sees {battle.name(target)} without leaning.", "Leave out --lean."
        )
    if not reaches(battle, place, target):
        raise Refused(f"{battle.name(target)} is in full cover.", "Move, or lean out with --lean SQUARE.")
    if not sees(battle, place, target):
        raise Refused(
            f"{battle.name(target)} is in the dark, and isn't seen.",
            "An Ability with an area reaches everybody in it: --at SQUARE.",
        )
    return place


def must_reach(battle: Battle, actor: str, place: AttackOrigin, target: str, meters: int) -> int:
    """Return the metres to the target. Raises Refused where it is out of range."""
    spots = [gap(place.square, place.size, spot.square, spot.size) for spot in spots_of(battle, target)]
    if min(spots) > meters:
        raise Refused(
            f"{battle.name(target)} is {min(spots)} m off, and {battle.name(actor)} reaches {meters} m.",
            f"`strike momentum move {actor} SQUARE` goes nearer.",
        )
    return min(spots)


def evasion_of(battle: Battle, combatant: str, cover: CoverBetween, melee: bool) -> int:
    """Return the number that an attack on a combatant must reach (WSH-12, 18)."""
    base = battle.sheet(combatant).evasion(battle.held_shield(combatant)) + total(
        battle, combatant, "evasion"
    )
    return base + (HALF_COVER_EVASION if cover.half and not melee else 0)


def attack_reasons(battle: Battle, actor: str, target: str, melee: bool) -> list[Source]:
    """Return the Advantage and Disadvantage of an attack (WSH-07, 09).

    The causes are effects on both, hiding, an enemy too near to shoot, riding the target.
    """
    found = reasons(battle, actor, "attack")
    found += reasons(battle, target, "against", target)
    found += reasons(battle, target, "melee_against", target) if melee else []
    if battle.people[actor].get("hidden"):
        found.append(Source(ADVANTAGE, AttackFromHiding()))
    if battle.people[target].get("on") == actor:
        found.append(Source(DISADVANTAGE, RiddenBy(target)))
    if not melee:
        near = [foe for foe in battle.enemies(actor) if battle.is_up(foe) and battle.gap(actor, foe) <= 1]
        found += [Source(DISADVANTAGE, EnemyNear(foe)) for foe in near[:1]]
    return found


def watchers(battle: Battle, combatant: str) -> list[str]:
    """Return the enemies who see a combatant now (WSH-07)."""
    return [
        foe
        for foe in battle.enemies(combatant)
        if battle.is_up(foe)
        and not has(battle, foe, "blind")
        and sees(battle, place_of(battle, foe), combatant)
    ]
