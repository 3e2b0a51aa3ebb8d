"""Targets of attacks: range, sight, cover, leaning and Evasion (WSH-09, 12, 18)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from strike_cli.plugin import Refused
from strike_cli.plugin.board import footprint, squares_between_spaces
from strike_cli.plugin.dice import ADVANTAGE, DISADVANTAGE, Source
from strike_cli.plugin.refusals import TargetHidden
from strike_cli.plugin.tactics import Spot

from .facts import AttackFromHiding, EnemyNear, RiddenBy
from .fight_state import Battle
from .rule_constants import HALF_COVER_EVASION
from .statuses import effects_total, has_effect_flag, status_advantages_and_disadvantages


class CoverBetween(NamedTuple):
    """The cover that a target has; `creature` is the creature that gives the cover, "" if none does."""

    half: bool = False
    creature: str = ""


def attack_origin(battle: Battle, combatant: str, lean: str = "") -> Spot:
    """Return where a combatant's attack comes from: their own place or, if they lean, the square `lean`.

    Raises Refused if `lean` isn't adjacent, or if a wall or a closed door is in the way (WSH-18).
    """
    here = battle.spot(combatant)
    if not lean:
        return here
    square = battle.square(lean)
    beside = {near for own in battle.squares(combatant) for near in battle.grid.neighbours(own)}
    if square not in beside:
        raise Refused(
            f"{battle.name(combatant)} can't lean towards {lean}.", "Lean towards a free neighbouring square."
        )
    return Spot(square)


def is_seen_from(battle: Battle, origin: Spot, target: str) -> bool:
    """Return whether a target is seen from a place (WSH-18).

    The target is seen if a clear line leads to where it stands, or to the square into which it leans. A line
    to a spot that lies wholly in the dark doesn't count.
    """
    return any(
        battle.sees(origin, spot)
        for spot in battle.spots_standing_and_leaning(target)
        if not battle.dark_squares.issuperset(footprint(spot.square, spot.size))
    )


def half_cover_from(
    battle: Battle, origin: Spot, target: str, except_for: Sequence[str] = ()
) -> CoverBetween:
    """Return the cover that a target has against attacks from a place (WSH-18).

    The target has half cover in these cases:

    - An obstacle covers it.
    - It can be seen only because it leans out.
    - A creature or object between the place and the target is at least as large as the target. Combatants in
      `except_for` don't count for this.
    """
    here = battle.spot(target)
    grid = battle.grid
    if not battle.sees(origin, here) or grid.has_cover(origin.square, here.square, origin.size, here.size):
        return CoverBetween(half=True)
    left_out = {target, *except_for, *battle.riders(target), battle.people[target].get("on", "")}
    for square in squares_between_spaces(origin.square, here.square, origin.size, here.size):
        for other in battle.combatants_on((square,), except_for=tuple(left_out)):
            if battle.size_category(other) >= battle.size_category(target):
                return CoverBetween(half=True, creature="" if battle.people[other].get("object") else other)
    return CoverBetween()


def require_attack_origin_seeing_target(battle: Battle, actor: str, target: str, lean: str = "") -> Spot:
    """Return where the actor's attack on a target comes from: their own place, or the square `lean`.

    Raises Refused if the target is hidden, in full cover or in the dark. If `lean` is given, although the
    actor sees the target without leaning, Refused is raised, too.
    """
    if battle.people[target].get("hidden") and battle.side(target) != battle.side(actor):
        raise TargetHidden(battle.name(target), "Only a visible target can be aimed at.")
    here = attack_origin(battle, actor)
    place = attack_origin(battle, actor, lean)
    if lean and is_seen_from(battle, here, target):
        raise Refused(
            f"{battle.name(actor)} sees {battle.name(target)} without leaning.", "Leave out --lean."
        )
    if not battle.sees(place, target):
        raise Refused(f"{battle.name(target)} is in full cover.", "Move, or lean out with --lean SQUARE.")
    if not is_seen_from(battle, place, target):
        raise Refused(
            f"{battle.name(target)} is in the dark, and isn't seen.",
            "An Ability with an area reaches everybody in it: --at SQUARE.",
        )
    return place


def require_distance_within(battle: Battle, actor: str, origin: Spot, target: str, meters: int) -> int:
    """Return how many metres away a target is. Raises Refused if it is farther away than `meters`."""
    apart = min(battle.gap(origin, spot) for spot in battle.spots_standing_and_leaning(target))
    if apart > meters:
        raise Refused(
            f"{battle.name(target)} is {apart} m off, and {battle.name(actor)} reaches {meters} m.",
            f"`strike momentum move {actor} SQUARE` goes nearer.",
        )
    return apart


def evasion_against_attack(battle: Battle, combatant: str, cover: CoverBetween, melee: bool) -> int:
    """Return the number that an attack on a combatant has to reach (WSH-12, 18)."""
    base = battle.sheet(combatant).evasion(battle.held_shield_kind(combatant)) + effects_total(
        battle, combatant, "evasion"
    )
    return base + (HALF_COVER_EVASION if cover.half and not melee else 0)


def attack_advantages_and_disadvantages(battle: Battle, actor: str, target: str, melee: bool) -> list[Source]:
    """Return the reasons for Advantage and Disadvantage on an attack (WSH-07, 09).

    They are Status Effects of either combatant, an attacker who is hidden, an enemy too near for shooting,
    and a target who rides on the attacker.
    """
    found = status_advantages_and_disadvantages(battle, actor, "attack")
    found += status_advantages_and_disadvantages(battle, target, "against", target)
    found += status_advantages_and_disadvantages(battle, target, "melee_against", target) if melee else []
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
        and not has_effect_flag(battle, foe, "blind")
        and is_seen_from(battle, attack_origin(battle, foe), combatant)
    ]
