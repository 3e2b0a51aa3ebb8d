"""Who can be aimed at, and how hard it is: range, sight, cover, leaning, Evasion (WSH-09, 12, 18)."""

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
from .statuses import effect_reasons, effects_total, has_flag


class AttackOrigin(NamedTuple):
    """Where an attack comes from: the top left square, and the size in squares."""

    square: Square
    size: int = 1


class CoverBetween(NamedTuple):
    """The cover that a target has, and the creature that gives it, if one does."""

    half: bool = False
    creature: str = ""


def place_of(battle: Battle, combatant: str, lean: str = "") -> AttackOrigin:
    """Return where a combatant acts from: their own place, or the square to which they lean.

    Raises Refused if that square isn't adjacent or isn't free (WSH-18).
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

    Somebody who is wholly in the dark can't be seen.
    """
    return any(
        _is_open(battle, place, spot)
        for spot in spots_of(battle, target)
        if not battle.dark.issuperset(footprint(spot.square, spot.size))
    )


def reaches(battle: Battle, place: AttackOrigin, target: str) -> bool:
    """Return whether no obstacle is between a place and a target. They need not be seen."""
    return any(_is_open(battle, place, spot) for spot in spots_of(battle, target))


def _is_open(battle: Battle, place: AttackOrigin, spot: AttackOrigin) -> bool:
    return battle.grid.sees_past(battle.veil, place.square, spot.square, place.size, spot.size)


def spots_of(battle: Battle, target: str) -> list[AttackOrigin]:
    """Return where a target can be aimed at: where they stand, and where they lean."""
    lean = battle.people[target].get("lean")
    return [
        AttackOrigin(battle.at(target), battle.size(target)),
        *([AttackOrigin(parse_square(lean))] if lean else []),
    ]


def cover_from(battle: Battle, place: AttackOrigin, target: str, but: Sequence[str] = ()) -> CoverBetween:
    """Return the cover that a target has against attacks from a place (WSH-18).

    It comes from an obstacle or from leaning. Without these, it comes from a creature before the target that
    is at least as large.
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
    """Return where the actor aims from.

    Raises Refused if the target is hidden, in full cover or in the dark, and if leaning isn't needed.
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
    """Return how many metres away a target is. Raises Refused if that is more than `meters`."""
    spots = [gap(place.square, place.size, spot.square, spot.size) for spot in spots_of(battle, target)]
    if min(spots) > meters:
        raise Refused(
            f"{battle.name(target)} is {min(spots)} m off, and {battle.name(actor)} reaches {meters} m.",
            f"`strike momentum move {actor} SQUARE` goes nearer.",
        )
    return min(spots)


def evasion_of(battle: Battle, combatant: str, cover: CoverBetween, melee: bool) -> int:
    """Return the number that an attack on a combatant has to reach (WSH-12, 18)."""
    base = battle.sheet(combatant).evasion(battle.held_shield(combatant)) + effects_total(
        battle, combatant, "evasion"
    )
    return base + (HALF_COVER_EVASION if cover.half and not melee else 0)


def attack_reasons(battle: Battle, actor: str, target: str, melee: bool) -> list[Source]:
    """Return the Advantage and Disadvantage of an attack (WSH-07, 09).

    They come from Status Effects of both, from hiding, from an enemy too near to shoot, and from a target who
    rides the attacker.
    """
    found = effect_reasons(battle, actor, "attack")
    found += effect_reasons(battle, target, "against", target)
    found += effect_reasons(battle, target, "melee_against", target) if melee else []
    if battle.people[actor].get("hidden"):
        found.append(Source(ADVANTAGE, AttackFromHiding()))
    if battle.people[target].get("on") == actor:
        found.append(Source(DISADVANTAGE, RiddenBy(target)))
    if not melee:
        near = [foe for foe in battle.enemies(actor) if battle.is_up(foe) and battle.gap(actor, foe) <= 1]
        found += [Source(DISADVANTAGE, EnemyNear(foe)) for foe in near[:1]]
    return found


def enemies_who_see(battle: Battle, combatant: str) -> list[str]:
    """Return the enemies who can see a combatant now (WSH-07)."""
    return [
        foe
        for foe in battle.enemies(combatant)
        if battle.is_up(foe)
        and not has_flag(battle, foe, "blind")
        and sees(battle, place_of(battle, foe), combatant)
    ]
