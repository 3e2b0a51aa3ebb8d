"""Attacks: whom they reach, what bears on the roll, and what comes of it (STR-TAC-08 to 12, 20, 24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..contributions import ban_on, reasons_for, remap_damage, remap_die
from ..dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, roll_die
from ..grid import flanks
from ..procedure import Procedure, World
from .effects import do_effects
from .fight import Fight, path_of
from .harm import gain_strike, hurt
from .hide import give_away
from .ladder import Line, attack_line
from .opportunity import opportunity, threatened_by
from .powers import check_targets, power_of
from .sight import drawbacks, show_briefly


def play_attack(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat attack`: an Attack Action. Args: who, targets, power (full id), adv, dis, mods."""
    fight = Fight(world)
    who, targets = args["who"], args["targets"]
    power = power_of(fight, who, args["power"])
    fight.must_be_able(who, "attack")
    melee = check_targets(fight, who, targets, power)
    yield from show_briefly(world, who)
    taken = {"fight.turn.attack": fight.taken("attack") + 1}
    yield world.happen("action-taken", who, "", taken, action="attack", targets=list(targets))
    if power["usage"] == "encounter":
        used = [*fight.combatant(who).get("used", []), power["id"]]
        yield world.happen("power-used", who, "", {path_of(who, "used"): used})
    opportunities: list[dict[str, Any]] = []
    if not melee and "burst" not in power:
        for foe in list(threatened_by(fight, who)):
            yield from opportunity(world, foe, who, "making a ranged attack next to it", opportunities)
    lines = []
    if not ban_on(world, who, "act", 1) and "out" not in fight.combatant(who):
        for number, target in enumerate(targets):
            if "out" not in fight.combatant(target):
                lines.append((yield from _one_target(world, args, power, target, melee, number == 0)))
    yield from give_away(world, who)  # STR-TAC-23: once the attack is over
    token = yield from _miss_token(world, who, lines)
    return {
        "who": who,
        "power": power["id"],
        "attacks": lines,
        "miss_token": token,
        "opportunities": opportunities,
        "decided": fight.decided(),
    }


def attack_reasons(
    fight: Fight, who: str, target: str, power: Mapping[str, Any], melee: bool, first: bool = True
) -> tuple[list[Source], list[Modifier]]:
    """Every source and modifier on an attack as the two stand now (STR-TAC-20, 24). `first` says that it is
    the first roll of its power, the only one that hiding helps."""
    world = fight.world
    range_ = "melee" if melee else "ranged"
    sources, modifiers = reasons_for(world, who, "attack", range_=range_)
    against, more = reasons_for(world, target, "attack", side="against", range_=range_)
    sources += against
    modifiers += more
    if melee:
        helper = next((ally for ally in _flankers(fight, who, target)), None)
        if helper:
            sources.append(Source(ADVANTAGE, f"flanking with {fight.name(helper)}"))
    if first and fight.combatant(who).get("hidden"):
        sources.append(Source(ADVANTAGE, "Hidden"))
    if "burst" not in power:
        sources += drawbacks(fight, who, target, melee)
    return sources, modifiers


def _flankers(fight: Fight, who: str, target: str) -> list[str]:
    """Allies on the other side of the target (STR-TAC-20)."""
    place = fight.at(who), fight.at(target)
    return [
        ally
        for ally in fight.in_the_fight()
        if ally != who
        and fight.side(ally) == fight.side(who)
        and "at" in fight.combatant(ally)
        and not ban_on(fight.world, ally, "flank")
        and flanks(place[0], place[1], fight.at(ally), fight.size(who), fight.size(target), fight.size(ally))
    ]


def _one_target(
    world: World, args: Mapping[str, Any], power: Mapping[str, Any], target: str, melee: bool, first: bool
) -> Procedure[dict[str, Any]]:
    fight = Fight(world)
    who = args["who"]
    sources, modifiers = attack_reasons(fight, who, target, power, melee, first)
    sources += [Source(ADVANTAGE, reason) for reason in args["adv"]]
    sources += [Source(DISADVANTAGE, reason) for reason in args["dis"]]
    modifiers += [Modifier(*pair) for pair in args["mods"]]
    rolled = yield from roll_die(who, "attack", sources, modifiers)
    held = fight.combatant(who).get("miss_tokens", 0)
    guard = {face: remap_die(world, target, face)[0] for face in range(1, 7)}
    line = yield from attack_line(who, rolled, power["damage"], bool(power["effect"]), held, guard)
    text = _tell(fight, who, target, power, rolled, line)
    sets = {path_of(who, "miss_tokens"): held - line.tokens} if line.tokens else {}
    yield world.happen("attacked", who, text, sets, target=target, roll=rolled.as_json(), result=line.result)
    if line.strike and fight.is_player(who):
        yield from gain_strike(world, who, "an attack roll of 1")
    told = {
        "target": target,
        "roll": rolled.as_json(),
        "tokens_spent": line.tokens,
        "die": line.die,
        "result": line.result,
        "damage": 0,
        "effect": line.effect,
        "strike": line.strike and fight.is_player(who),
        "hp_before": fight.combatant(target)["hp"],
        "hp_after": fight.combatant(target)["hp"],
        "statuses_added": [],
        "taken_out": False,
    }
    if line.damage:
        damage, _ = remap_damage(world, who, line.damage)
        told["damage"] = damage
        told.update((yield from hurt(world, target, damage, power["name"], by=who)))
    if line.effect:
        told["statuses_added"] = yield from do_effects(world, who, target, power)
        told["hp_after"] = fight.combatant(target)["hp"]
        told["taken_out"] = "out" in fight.combatant(target)
    return told


def _tell(fight: Fight, who: str, target: str, power: Mapping[str, Any], rolled: Rolled, line: Line) -> str:
    words = {
        "critical": "a critical hit",
        "solid": "a solid hit",
        "glancing": "a glancing hit",
        "miss": "a miss",
    }
    raised = (
        f", {line.die} with {line.tokens} Miss Token{'s' if line.tokens > 1 else ''}" if line.tokens else ""
    )
    with_power = "" if power["kind"] == "basic" else f" with {power['name']}"
    return (
        f"{fight.name(who)} attacks {fight.name(target)}{with_power}: {rolled.words()}{raised}, "
        f"{words[line.result]}."
    )


def _miss_token(world: World, who: str, lines: Sequence[Mapping[str, Any]]) -> Procedure[bool]:
    """A Miss Token for an attack that missed every target (STR-TAC-10; the house may say any)."""
    fight = Fight(world)
    missed = [line["result"] == "miss" for line in lines]
    enough = any(missed) if world.book.house["miss_token"] == "any-missed" else bool(missed) and all(missed)
    if not enough or not fight.is_player(who):
        return False
    tokens = fight.combatant(who).get("miss_tokens", 0) + 1
    text = f"{fight.name(who)} gains a Miss Token ({tokens} now)."
    yield world.happen("token-gained", who, text, {path_of(who, "miss_tokens"): tokens})
    return True
