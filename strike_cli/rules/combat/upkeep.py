"""What comes by itself at the start and the end of a turn: start effects, Saving Throws, end effects.

The owner orders the effects of a step (STR-TAC-03). A player is asked where the order can matter; creatures
take theirs in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..contributions import reactions_to, reasons_for
from ..dice import roll_die
from ..numbers import numbers
from ..procedure import Choose, Procedure, World
from . import zones
from .engine import Moment, amount_of, carry_out
from .fight import Fight
from .harm import INCAPACITATED, end_status, has_status, heal, hurt, wait_a_turn
from .hide import vanish
from .place import start_in_zones


class _Effect(NamedTuple):
    """One effect of a step of the turn: what kind of thing it does, and how many HP it gives or takes."""

    key: str
    kind: str
    amount: int
    play: Callable[[], Procedure[Any]]


def start_effects(world: World, who: str) -> Procedure[dict[str, Any] | None]:
    """All that the start of a turn brings: what lasted until it, statuses, zones, and the Comeback Roll,
    which is returned (STR-TAC-03, 16)."""
    yield from _ends_at(world, "turn-start", who)
    yield from _in_owners_order(world, who, lambda: _at_start(world, who))
    yield from vanish(world, who)
    if "out" in Fight(world).combatant(who) or not has_status(world, who, INCAPACITATED):
        return None
    return (yield from _comeback(world, who))


def end_effects(world: World, who: str) -> Procedure[None]:
    """All that the end of a turn brings, but the Saving Throws."""
    yield from _in_owners_order(world, who, lambda: _of_statuses(world, who, "turn-ended"))
    yield from _ends_at(world, "turn-end", who)


def _in_owners_order(world: World, who: str, waiting: Callable[[], Sequence[_Effect]]) -> Procedure[None]:
    """Play each effect that waits, until none is left. What one effect ends or begins counts for the next."""
    done: set[str] = set()
    while left := [effect for effect in waiting() if effect.key not in done]:
        effect = left[0]
        if Fight(world).is_player(who) and _order_matters(Fight(world).combatant(who), left):
            key = yield Choose(who, "what comes first", tuple(each.key for each in left))
            effect = next(each for each in left if each.key == key)
        done.add(effect.key)
        yield from effect.play()


def _order_matters(combatant: Mapping[str, Any], effects: Sequence[_Effect]) -> bool:
    """Whether effects may come out differently in another order: where damage could bring somebody down,
    where healing would be lost at the maximum, and with anything but damage, healing and dice."""
    kinds = {effect.kind for effect in effects}
    if len(kinds) == 1:
        return False
    harm, help_ = (
        sum(effect.amount for effect in effects if effect.kind == kind) for kind in ("damage", "heal")
    )
    wasted = harm and help_ and combatant["hp"] + help_ > combatant["max_hp"]
    return bool(wasted or harm >= combatant["hp"] or kinds - {"damage", "heal", "roll", "note"})


def _at_start(world: World, who: str) -> list[_Effect]:
    fight = Fight(world)
    if "out" in fight.combatant(who):
        return []
    found = _of_statuses(world, who, "turn-started")
    if harm := sum(zone.get("damage", 0) for zone in fight.zones.values()):
        found.append(_Effect("zones", "damage", harm, lambda: start_in_zones(world, who)))
    return found


def _of_statuses(world: World, who: str, moment: str) -> list[_Effect]:
    if "out" in Fight(world).combatant(who):
        return []
    found: list[_Effect] = []
    for reaction in reactions_to(world, who, moment):
        short = reaction.held.id.rpartition(":")[2]
        taken = [effect.key for effect in found]
        number = 1 + sum(key.rstrip("0123456789-") == short for key in taken)
        found.append(
            _Effect(
                short if number == 1 else f"{short}-{number}",
                str(reaction.does["do"]),
                amount_of(reaction),
                lambda reaction=reaction: carry_out(world, Moment(moment, who), reaction, []),  # type: ignore[misc]
            )
        )
    return found


def _comeback(world: World, who: str) -> Procedure[dict[str, Any]]:
    """The Comeback Roll of who is Incapacitated at the start of their turn (STR-TAC-16)."""
    rules = numbers("combat")["comeback"]
    fight = Fight(world)
    reasons, modifiers = reasons_for(world, who, "comeback")
    rolled = yield from roll_die(who, "comeback", reasons, modifiers)
    total = max(1, min(6, rolled.total))
    result = "lost" if total in rules["lost_on"] else "back" if total in rules["back_on"] else "nothing"
    told = {
        "lost": f"loses {rules['lost_hp']} HP",
        "back": "is back in the fight",
        "nothing": "nothing changes",
    }
    text = f"{fight.name(who)}'s Comeback Roll: {rolled.words()}, {told[result]}."
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    if result == "lost":
        yield from hurt(world, who, rules["lost_hp"], "the Comeback Roll")
    elif result == "back":
        now = fight.combatant(who)["hp"]
        yield from heal(world, who, rules["back_hp"] - max(now, 0), "the Comeback Roll")
    return {"roll": rolled.as_json(), "result": result}


# Saving Throws


def saving_throws(world: World, who: str) -> Procedure[list[dict[str, Any]]]:
    """A Saving Throw for each status that a save ends (STR-TAC-03)."""
    made: list[dict[str, Any]] = []
    waiting = [item for item in Fight(world).combatant(who).get("statuses", []) if item["ends"] == "save"]
    while waiting:
        status = yield from _next_save(world, who, waiting)
        waiting.remove(status)
        made.append((yield from saving_throw(world, who, status)))
    return made


def saving_throw(world: World, who: str, status: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """One Saving Throw, against a status that somebody has (STR-TAC-03): its `status`, `roll` and `ended`."""
    fight = Fight(world)
    name = world.book.statuses[status["id"]]["name"]
    reasons, modifiers = reasons_for(world, who, "save")
    rolled = yield from roll_die(who, f"save: {name}", reasons, modifiers)
    ended = rolled.total >= numbers("combat")["save"]["target"]
    text = f"{fight.name(who)} saves against {name}: {rolled.words()}, " + (
        "it ends." if ended else "it stays."
    )
    yield world.happen("rolled", who, text, roll=rolled.as_json())
    if ended:
        yield from end_status(world, who, status["id"], "", only=status)
    return {"status": status["id"], "roll": rolled.as_json(), "ended": ended}


def _next_save(world: World, who: str, waiting: Sequence[Mapping[str, Any]]) -> Procedure[Mapping[str, Any]]:
    """Which Saving Throw comes next. Order matters where one of the statuses weighs on the others' saves;
    creatures are rid of what burdens them first."""
    burdens = [status for status in waiting if _weighs_on_saves(world, status["id"])]
    if not burdens or len(waiting) == 1:
        return waiting[0]
    if not Fight(world).is_player(who):
        return burdens[0]
    names = [status["id"].rpartition(":")[2] for status in waiting]
    keys = [name if names.count(name) == 1 else f"{name}-{n + 1}" for n, name in enumerate(names)]
    key = yield Choose(who, "which save comes first", tuple(keys))
    return waiting[keys.index(key)]


def _weighs_on_saves(world: World, status: str) -> bool:
    definition = world.book.statuses[status]
    own = any(item["on"] in ("save", "any") and item["side"] == "own" for item in definition["sources"])
    return own or any(_weighs_on_saves(world, implied) for implied in definition["implies"])


# Durations


def _ends_at(world: World, moment: str, of: str) -> Procedure[None]:
    """End every status and zone whose duration is the start or end of this combatant's turn."""
    for who in list(Fight(world).in_the_fight()):
        for status in Fight(world).combatant(who).get("statuses", []):
            if status["ends"] == moment and status.get("of", who) == of:
                if status.get("later"):
                    yield from wait_a_turn(world, who, status)
                else:
                    yield from end_status(world, who, status["id"], only=status)
    yield from zones.ended_at(world, moment, of)
