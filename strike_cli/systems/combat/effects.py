"""What powers do besides their damage: the steps of an effect, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from strike_cli.kernel.procedure import Choose, Happen, Procedure, World
from strike_cli.problems import PluginProblem
from strike_cli.tabletop.contributions import remap_damage
from strike_cli.tabletop.dice import Modifier
from strike_cli.tabletop.grid import format_square, gap

from .fight import Fight, path_of, short_names
from .forced_movement import displace
from .harm import add_status, end_status, gain_strike, given_status, has_status, heal, hurt, is_bloodied
from .move import destinations, find_way, walk
from .powers import Deed
from .sight import is_hidden_from
from .upkeep import saving_throw
from .zones import add_zone

Step = Mapping[str, Any]
PASS = "pass"


def do_steps(
    world: World, deed: Deed, steps: Sequence[Step], target: str = "", so: Collection[str] = ()
) -> Procedure[list[str]]:
    """Steps of a power, in order; what they say in words is left to the table.

    `target` is the one that they are about, empty where there is none; `so` are the conditions (`if`) that
    hold. Returns the ids of the statuses that took hold.
    """
    added: list[str] = []
    for step in steps:
        if "if" in step and step["if"] not in so:
            continue
        for one in (yield from _people(world, deed, step, target)):
            combatant = Fight(world).combatant(one)
            if "out" in combatant or ("if_status" in step and not has_status(world, one, step["if_status"])):
                continue
            added += (yield from _DO[step["do"]](world, deed, step, one)) or ()
    return added


def conditions(fight: Fight, deed: Deed, target: str, flanked: bool = False) -> frozenset[str]:
    """Which conditions of steps and of bonus damage hold between the two as they stand now, before a roll."""
    combatant, own = fight.combatant(target), fight.combatant(deed.who)
    hold = {
        "bloodied": is_bloodied(fight.world, combatant["hp"], combatant["max_hp"]),
        "self-bloodied": is_bloodied(fight.world, own["hp"], own["max_hp"]),
        "flanked": flanked,
        "hidden": bool(own.get("hidden")) and (target == deed.who or is_hidden_from(fight, deed.who, target)),
        "adjacent": "at" in combatant and "at" in own and fight.gap(deed.who, target) <= 1,
    }
    return frozenset(key for key, holds in hold.items() if holds)


def bonuses(fight: Fight, deed: Deed, target: str, so: Collection[str]) -> list[Modifier]:
    """HP that a hit takes beyond the power's printed number, with reasons; a 6 doubles them only where the
    house says so (STR-TAC-09)."""
    found = []
    for bonus in deed.power.get("bonus", ()):
        status = bonus.get("if_status")
        if bonus.get("if", "") in ("", *so) and (not status or has_status(fight.world, target, status)):
            named = [fight.world.book.statuses[status]["name"]] if status else []
            named += [_IF[bonus["if"]]] if "if" in bonus else []
            found.append(Modifier(bonus["amount"], " and ".join(named) or str(deed.power["name"])))
    return found


_IF = {
    "bloodied": "Bloodied",
    "self-bloodied": "oneself Bloodied",
    "flanked": "flanked",
    "adjacent": "adjacent",
    "hidden": "Hidden",
    "critical": "critical",
}
"""Conditions of steps and bonuses in a sentence."""


# Who a step is for


def _people(world: World, deed: Deed, step: Step, target: str) -> Procedure[list[str]]:
    fight, who = Fight(world), deed.who
    if step["to"] == "target":
        return [target] if target else []
    if step["to"] == "self":
        return [who]
    if step["to"] == "enemies":
        return [foe for foe in fight.enemies_of(who) if is_near(fight, who, foe, step)]
    allies = [ally for ally in allies_of(fight, who) if is_near(fight, who, ally, step)]
    if step["to"] == "allies":
        return allies
    if not allies:
        yield _nothing(world, deed, who, f"nobody is there whom {fight.name(who)} could choose")
    if step["do"] == "heal":  # most hurt first
        allies.sort(key=lambda ally: fight.combatant(ally)["hp"] - fight.combatant(ally)["max_hp"])
    chosen = yield from choose_who(fight, who, f"{deed.power['name']}: who", allies)
    return [chosen] if chosen else []


def allies_of(fight: Fight, who: str) -> Iterator[str]:
    """Others on one's side who are still in the fight."""
    return (one for one in fight.in_the_fight() if one != who and fight.side(one) == fight.side(who))


def is_near(fight: Fight, who: str, other: str, step: Step) -> bool:
    """Whether somebody is within what a step asks for."""
    placed = "at" in fight.combatant(other) and "at" in fight.combatant(who)
    return "within" not in step or (placed and fight.gap(who, other) <= step["within"])


def choose_who(fight: Fight, who: str, what: str, people: Sequence[str]) -> Procedure[str]:
    """One of these, as `who` says; without a question where there is only one, empty where there is none."""
    if len(people) < 2:
        return people[0] if people else ""
    chosen: str = yield Choose(who, what, tuple(people), tuple(map(fight.name, people)))
    return chosen


# What a step does


def _apply(world: World, deed: Deed, step: Step, one: str) -> Procedure[list[str]]:
    of = one if step.get("whose") == "target" else deed.who
    status = given_status(Fight(world), step, deed.who, of=of)
    if (yield from add_status(world, one, status)):
        return [step["status"]]
    if "out" not in Fight(world).combatant(one):
        name = world.book.statuses[step["status"]]["name"]
        yield _nothing(world, deed, one, f"{Fight(world).name(one)} is {name} already")
    return []


def _nothing(world: World, deed: Deed, one: str, why: str) -> Happen:
    """A step that comes to nothing beside others that don't."""
    return _noted(world, deed, one, f"{why}.")


def _noted(world: World, deed: Deed, one: str, words: str) -> Happen:
    """Words about somebody that name a power, and so tell of whoever used it."""
    doer: dict[str, Any] = {"power_of": deed.who} if deed.who != one else {}
    return world.happen("noted", one, f"{deed.power['name']}: {words}", **doer)


def _end(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A status ends; without a name, one of those that harm, as the one who has it says."""
    status = step.get("status") or (
        yield from _choose_status(world, one, "end", harmful_statuses(world, one))
    )
    if status and has_status(world, one, status):
        yield from end_status(world, one, status)
    elif not step.get("status"):
        yield _nothing(world, deed, one, f"{Fight(world).name(one)} has nothing that it could end")


def _save(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A Saving Throw at once, against a status that a save ends."""
    held = [item for item in _statuses(world, one) if item["ends"] == "save"]
    names = [item["id"] for item in held]
    status = step.get("status") or (yield from _choose_status(world, one, "save against", names))
    same = [item for item in held if item["id"] == status]
    if same:
        yield from saving_throw(world, one, max(same, key=lambda item: item.get("value", 0)))
    else:
        yield _nothing(world, deed, one, f"{Fight(world).name(one)} has nothing to save against")


def _statuses(world: World, who: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = world.get(path_of(who, "statuses"), [])
    return found


def harmful_statuses(world: World, who: str) -> list[str]:
    """Statuses that an effect may end: not those that follow from HP, which are permanent."""
    held = [item["id"] for item in _statuses(world, who) if item["ends"] != "permanent"]
    return [status for status in held if world.book.statuses[status]["harmful"]]


def _choose_status(world: World, who: str, what: str, statuses: Sequence[str]) -> Procedure[str]:
    names = list(dict.fromkeys(statuses))
    if len(names) < 2:
        return names[0] if names else ""
    words = short_names(names)
    labels = tuple(str(world.book.statuses[status]["name"]) for status in words.values())
    return words[(yield Choose(who, what, tuple(words), labels))]


def _damage(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    damage, _ = remap_damage(world, deed.who, step["amount"])
    yield from hurt(world, one, damage, deed.power["name"], by=deed.who)


def _heal(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    yield from heal(world, one, step["amount"], deed.power["name"])


def _displace(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    # Who shifts or teleports goes where they like; who is pushed, pulled or slid, where the other likes.
    by = one if step["do"] == "shift" else deed.who
    fight = Fight(world)
    # Who makes an attack may be out of the fight by what answered it; then nothing is away from them.
    if all("at" in fight.combatant(each) for each in (one, by)):
        yield from displace(world, one, by, step["amount"], step["do"])


def _move(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """A move for nothing, of up to `amount` squares or one's Speed, with the Opportunities that it gives."""
    fight = Fight(world)
    if "at" not in fight.combatant(one):
        return
    most = step.get("amount")
    reachable = destinations(fight, one, most)
    foes = [foe for foe in fight.enemies_of(one) if "at" in fight.combatant(foe)]
    size = fight.size(one)

    def worth(square: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
        near = min((gap(square, size, fight.at(foe), fight.size(foe)) for foe in foes), default=0)
        return near, reachable[square], square

    names = {format_square(square): square for square in sorted(reachable, key=worth)}
    if not names:
        yield _nothing(world, deed, one, f"{fight.name(one)} has nowhere to go")
    else:
        answer = yield Choose(one, f"{deed.power['name']}: move to", (*names, "stay"))
        if answer != "stay":
            yield from walk(world, one, find_way(fight, one, [names[answer]], False, most))


def _zone(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    fight = Fight(world)
    squares = sorted(deed.aim.squares) or list(fight.squares_of(one))
    yield from add_zone(
        world,
        step["name"],
        squares,
        by=deed.who,
        damage=step.get("amount", 0),
        difficult=step.get("difficult", False),
        sight=step.get("sight", ""),
        ends=step.get("duration", "encounter"),
    )


def _token(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    if Fight(world).is_player(one):
        yield from gain_tokens(world, one, step.get("amount", 1))


def gain_tokens(world: World, who: str, count: int) -> Procedure[None]:
    """A player gains Miss Tokens (STR-TAC-10)."""
    fight = Fight(world)
    tokens = fight.combatant(who).get("miss_tokens", 0) + count
    what = "a Miss Token" if count == 1 else f"{count} Miss Tokens"
    text = f"{fight.name(who)} gains {what} ({tokens} now)."
    yield world.happen("token-gained", who, text, {path_of(who, "miss_tokens"): tokens})


def _strike(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    if Fight(world).is_player(one):
        yield from gain_strike(world, one, deed.power["name"], step.get("amount", 1))


def spent_class_powers(fight: Fight, who: str) -> list[str]:
    """Ids of the expended Encounter powers of somebody's class (STR-TAC-13)."""
    used: list[str] = fight.combatant(who).get("used", [])
    return [power for power in used if fight.world.book.powers[power]["kind"] == "class"]


def _regain(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """An expended Encounter power of the class may be used again (STR-TAC-13)."""
    fight = Fight(world)
    words = short_names(spent_class_powers(fight, one))
    if not words:
        return
    names = tuple(str(world.book.powers[power]["name"]) for power in words.values())
    answer = next(iter(words)) if len(words) == 1 else (yield Choose(one, "regain", tuple(words), names))
    power = words[answer]
    left = [item for item in fight.combatant(one)["used"] if item != power]
    text = f"{fight.name(one)} may use {world.book.powers[power]['name']} again."
    yield world.happen("power-regained", one, text, {path_of(one, "used"): left or None}, power=power)


def _attack(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    from .grants import granted_attack

    yield from granted_attack(world, deed, one, step.get("uses", "basic"))


def _note(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    yield _noted(world, deed, one, step["text"])


def _handler(world: World, deed: Deed, step: Step, one: str) -> Procedure[Any]:
    """What a plugin's handler does; it is a procedure too."""
    play = load_handler(step["handler"], world.book.handlers[step["handler"]]["calls"])
    return (yield from play(world, deed, one))


@cache
def load_handler(name: str, calls: str) -> Callable[..., Procedure[Any]]:
    from importlib import import_module

    module, _, attribute = calls.partition(":")
    try:
        found: Callable[..., Procedure[Any]] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise PluginProblem(
            f"Handler {name!r} can't be loaded: {error}.", "Mend or remove the plugin that brings it."
        ) from error
    return found


_DO: dict[str, Callable[[World, Deed, Step, str], Procedure[Any]]] = {
    "apply": _apply,
    "end": _end,
    "damage": _damage,
    "heal": _heal,
    **dict.fromkeys(("push", "pull", "slide", "shift", "teleport"), _displace),
    "save": _save,
    "zone": _zone,
    "token": _token,
    "strike": _strike,
    "regain": _regain,
    "attack": _attack,
    "move": _move,
    "note": _note,
    "handler": _handler,
}
"""What each step does to one of those it is for; some return the statuses that took hold."""
