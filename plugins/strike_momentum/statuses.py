"""Status Effects and stances: what they do, how they begin, and when they end (WSH-04, 16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from strike_cli.plugin import Procedure, World
from strike_cli.plugin.dice import ADVANTAGE, DISADVANTAGE, Modifier, Source
from strike_cli.plugin.tactics import statuses_ending_now_and_later

from .facts import FromStatus, MomentumStatusAdded, MomentumStatusEnded, MomentumStatusLasts
from .fight_state import Battle
from .rule_constants import ACTION_POINTS, REACTION_POINTS, UNTIL_WORDS

if TYPE_CHECKING:
    from .data import MomentumStatus, StatusEffectWritten

BLEEDING, PRONE, GRABBED, BLINDED = (f"momentum:{id}" for id in ("bleeding", "prone", "grabbed", "blinded"))
DEFENDING, TAKING_COVER, COMMANDED = (f"momentum:{id}" for id in ("defending", "taking-cover", "commanded"))
STANCES = (DEFENDING, TAKING_COVER, COMMANDED)
START, END, FIGHT, UPKEEP = UNTIL_WORDS


EffectNumber = Literal["evasion", "dr_bonus", "ap", "rp", "movement", "initiative"]
"""A number to which Status Effects can add."""


class Upkeep(NamedTuple):
    """The cost of keeping up a hold each turn: AP, and a condition in words (WSH-08).

    One payment keeps up all holds with the same `cinematic` number. The number is 0 for a hold that is paid
    for by itself.
    """

    ap: int
    cinematic: int = 0
    condition: str = ""


class MomentumEffect(NamedTuple):
    """A Status Effect on a combatant: its definition in the book, and its entry in the state."""

    id: str
    definition: StatusEffectWritten
    instance: MomentumStatus

    @property
    def name(self) -> str:
        """The Status Effect's name."""
        return self.definition["name"]


def active_status_effects(battle: Battle, combatant: str) -> Iterator[MomentumEffect]:
    """Yield the Status Effects that affect a combatant now.

    Taking Cover is among them only while the combatant is in half cover.
    """
    for instance in battle.people[combatant].get("statuses", ()):
        definition = battle.world.book.status_effects.get(instance["id"])
        if definition is not None and (
            instance["id"] != TAKING_COVER or is_beside_half_cover(battle, combatant)
        ):
            yield MomentumEffect(instance["id"], definition, instance)


def is_beside_half_cover(battle: Battle, combatant: str) -> bool:
    """Return whether a combatant is next to a wall or an object that gives half cover (WSH-18)."""
    grid, own = battle.grid, battle.squares(combatant)
    around = {(x + right, y + down) for x, y in own for right in (-1, 0, 1) for down in (-1, 0, 1)}
    objects = [
        other
        for other in battle.combatants_on(tuple(around), except_for=(combatant,))
        if battle.people[other].get("object")
    ]
    return bool(objects) or any(grid.is_blocked(square) and grid.sign_at(square) != " " for square in around)


def effects_total(battle: Battle, combatant: str, key: EffectNumber) -> int:
    """Return the sum that a combatant's Status Effects add to a number."""
    return sum(item.definition.get(key, 0) for item in active_status_effects(battle, combatant))


def effect_modifiers(battle: Battle, combatant: str, key: EffectNumber) -> list[Modifier]:
    """Return the modifiers to one of a combatant's numbers that come from Status Effects.

    `key` names the number. Each modifier has the Status Effect as its reason.
    """
    return [
        Modifier(value, FromStatus(item.id))
        for item in active_status_effects(battle, combatant)
        if (value := item.definition.get(key))
    ]


def status_advantages_and_disadvantages(
    battle: Battle, combatant: str, key: str, named_in_reason: str = ""
) -> list[Source]:
    """Return the Advantage and Disadvantage that a combatant's Status Effects give on a kind of roll.

    `key` is the key of that kind of roll in the definition of a Status Effect. If the combatant makes the
    roll, `named_in_reason` is "". If somebody else makes it, `named_in_reason` is the combatant's id, so that
    the reason names the combatant.
    """
    return [
        Source(ADVANTAGE if kind == "advantage" else DISADVANTAGE, FromStatus(item.id, named_in_reason))
        for item in active_status_effects(battle, combatant)
        if (kind := item.definition.get(key))
    ]


def has_effect_flag(battle: Battle, combatant: str, flag: str) -> bool:
    """Return whether a Status Effect of a combatant has a flag: `stuck`, `blind` or `loses_control`."""
    return any(item.definition.get(flag) for item in active_status_effects(battle, combatant))


# Beginning and end


def add_or_replace_status(
    world: World,
    target: str,
    id: str,
    *,
    until: str = "",
    of: str = "",
    by: str = "",
    upkeep: Upkeep | None = None,
    is_stance: bool = False,
) -> Procedure[None]:
    """Give a target a Status Effect. It replaces an effect with the same id.

    Args:
        world: The world with the fight.
        target: The combatant who gets the effect.
        id: The effect's id.
        until: The end of the effect: START or END (of a turn), UPKEEP, FIGHT, or "" if it stays. An effect
            with END or UPKEEP that is given during the turn in question ends only in the next one.
        of: The combatant whose turn is meant, and who pays the upkeep; by default the target.
        by: The cause of the effect.
        upkeep: The cost of keeping up the effect. With it, `until` is always UPKEEP.
        is_stance: Whether the effect is a stance.
    """
    battle, until = Battle(world), UPKEEP if upkeep else until
    ap, cinematic, condition = upkeep or (0, 0, "")
    more = {"until": until, "by": by, "upkeep": ap, "cinematic": cinematic, "condition": condition}
    instance: dict[str, object] = {"id": id} | {key: value for key, value in more.items() if value}
    if until in (START, END, UPKEEP):
        instance["of"] = of or target
        if until != START and battle.is_acting(of or target):
            instance["later"] = True
    one = battle.people[target]
    others = [status for status in one.get("statuses", ()) if status["id"] != id]
    sets = battle.sets(target, statuses=[*others, instance])
    if len(others) == len(one.get("statuses", ())):
        # Somebody who loses all AP loses them at once, even in their own turn.
        taken = world.book.status_effects.get(id, {})
        if taken.get("ap", 0) <= -ACTION_POINTS:
            sets |= battle.sets(target, ap=0)
        if taken.get("rp", 0) <= -REACTION_POINTS:
            sets |= battle.sets(target, rp=0)
    yield world.tell(MomentumStatusAdded(target, id, by, is_stance), sets)


def remove_statuses(
    world: World, combatant: str, statuses: Iterable[MomentumStatus], how: str = ""
) -> Procedure[None]:
    """Remove the Status Effects `statuses` from a combatant; if `statuses` is empty, nothing happens.

    `how` chooses the wording, as in MomentumStatusEnded.
    """
    ids = [instance["id"] for instance in statuses]
    battle = Battle(world)
    if not ids:
        return
    left = [one for one in battle.people[combatant].get("statuses", ()) if one["id"] not in ids]
    yield world.tell(MomentumStatusEnded(combatant, ids, how), battle.sets(combatant, statuses=left))


def expire_statuses(world: World, turn_of: Iterable[str], moment: str) -> Procedure[None]:
    """End the Status Effects that last until a moment of these combatants' present turn (WSH-04).

    The moment is START, END or UPKEEP. An effect marked `later` doesn't end yet. It loses the mark, and so
    ends at the same moment of the next turn.
    """
    turns = set(turn_of)
    for combatant in list(Battle(world).combatants_there()):
        over, waits = statuses_ending_now_and_later(
            Battle(world).people[combatant].get("statuses", ()), moment, turns
        )
        yield from remove_statuses(world, combatant, over)
        if waits:
            battle = Battle(world)
            kept = [
                {key: value for key, value in one.items() if key != "later" or one not in waits}
                for one in battle.people[combatant].get("statuses", ())
            ]
            yield world.tell(MomentumStatusLasts(combatant), battle.sets(combatant, statuses=kept))


def holds_kept_up_by_payment(
    battle: Battle, combatant: str
) -> dict[object, list[tuple[str, MomentumStatus]]]:
    """Return the holds that a combatant keeps up, grouped by payment (WSH-08).

    Each group is a list of held combatants, each with the Status Effect that holds them. The holds of one
    cinematic are one group.
    """
    found: dict[object, list[tuple[str, MomentumStatus]]] = {}
    for held_one in battle.combatants_there():
        for one in battle.people[held_one].get("statuses", ()):
            if one.get("until") == UPKEEP and one.get("of") == combatant:
                found.setdefault(one.get("cinematic") or (held_one, one["id"]), []).append((held_one, one))
    return found


def next_cinematic_number(battle: Battle, combatant: str) -> int:
    """Return an unused number for a combatant's next cinematic action.

    All holds that the action makes are stored with this number. So the holds of one action can be found
    together.
    """
    return (
        max((key for key in holds_kept_up_by_payment(battle, combatant) if isinstance(key, int)), default=0)
        + 1
    )


def end_broken_grabs(world: World) -> Procedure[None]:
    """End the grabs whose holder is down, gone or no longer adjacent."""
    for combatant in list(Battle(world).combatants_there()):
        battle = Battle(world)
        lost = [
            one
            for one in battle.people[combatant].get("statuses", ())
            if one["id"] == GRABBED
            and (by := one.get("by"))
            and (by not in battle.people or not battle.is_up(by) or battle.gap(combatant, by) > 1)
        ]
        yield from remove_statuses(world, combatant, lost, "let-go")
