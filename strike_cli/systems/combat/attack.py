"""Using a power: what it costs, the attack roll for each target, and what comes of it (STR-TAC-08 to 12,
20, 24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.contributions import ban_on, reasons_for, remap_damage, remap_die
from strike_cli.tabletop.dice import ADVANTAGE, Modifier, Rolled, Source, clamp, roll_die, sources
from strike_cli.tabletop.grid import flanks, format_square
from strike_cli.tabletop.people import spend_action_point

from .areas import shape_of
from .attack_table import Line, attack_line, with_tokens
from .effects import bonuses, conditions, do_steps, gain_tokens
from .fight import ACTIONS, Fight, action_taken, path_of
from .harm import gain_strike, hurt
from .hide import give_away
from .idle import must_do_something
from .opportunity import opportunity, threatened_by
from .powers import Deed, Power, aim_again, is_rolled, must_be_usable, power_of, take_aim, take_first_aim
from .sight import HIDDEN, drawbacks, is_hidden_from, show_briefly

Args = Mapping[str, Any]


def play_attack(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat attack`: a power that is rolled, with the action that it takes.

    Args: who, targets, power (full id), adv, dis, mods; optional: at (the square an area is aimed at),
    no_effect (why its Effect doesn't happen), trade (the Attack Action for a second Move Action).
    """
    fight = Fight(world)
    power = power_of(fight, args["who"], args["power"])
    if not is_rolled(power):
        raise Refused(
            f"{power['name']} is no attack.", f"`strike combat use {args['who']} ...` uses what isn't rolled."
        )
    return (yield from _use(world, power, args))


def play_use(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`combat use`: any power, rolled or not. Args as for `combat attack`."""
    return (yield from _use(world, power_of(Fight(world), args["who"], args["power"]), args))


def _use(world: World, power: Power, args: Args) -> Procedure[dict[str, Any]]:
    fight, who = Fight(world), args["who"]
    must_be_usable(fight, who, power)
    action = action_for(fight, who, power, args.get("trade", False))
    aim = take_first_aim(fight, who, power, args["targets"], args.get("at", ""))
    unexplained = args.get("no_effect", "")
    if unexplained:  # STR-TAC-26: what nobody at the table can explain does not happen
        power = {**power, "effect": []}
    deed = Deed(who, power, aim, *given_reasons(args))
    if not unexplained:
        must_do_something(fight, deed)
    if action:
        yield action_taken(fight, who, action)
    if unexplained:
        yield world.happen("noted", who, f"{power['name']} has no Effect: {unexplained}.")
    return (yield from perform(world, deed))


def given_reasons(args: Args) -> tuple[tuple[Source, ...], tuple[Modifier, ...]]:
    """Sources and modifiers that somebody names."""
    modifiers = tuple(Modifier(*pair) for pair in args.get("mods", ()))
    return tuple(sources(args.get("adv", ()), args.get("dis", ()))), modifiers


def action_for(fight: Fight, who: str, power: Power, trade: bool = False) -> str:
    """Which action of the turn pays for a power, `trade` giving an Attack Action for a Move Action
    (STR-TAC-04); empty where none does. Raises Refused where it can't be used now.

    A Free Action is for one's own turn, and so is what takes No Action and has no trigger; only that may be
    used under any status (STR-TAC-13). An Interrupt may come in anybody's turn.
    """
    action: str = power["action"]
    if action in ACTIONS:
        return fight.must_be_able(who, action, trade)
    if "out" in fight.combatant(who):
        raise Refused(f"{fight.name(who)} is out of this fight.")
    if action != "interrupt" and not _has_trigger(power):
        fight.must_be_active(who)
    reason = ban_on(fight.world, who, "act", 1)
    if reason and action != "none":
        raise Refused(f"{fight.name(who)} can't use {power['name']}: {reason}.")
    return ""


def _has_trigger(power: Power) -> bool:
    return "trigger" in power or "on" in power


def perform(world: World, deed: Deed) -> Procedure[dict[str, Any]]:
    """A power is used, its action paid for: Opportunities that it gives, its steps, its rolls.

    Returns `who`, `power`, `targets`, `attacks` (a line for each roll), `statuses_added` (by whom),
    `miss_token`, `opportunities` and `decided`.
    """
    fight = Fight(world)
    who, power = deed.who, deed.power
    opportunities: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    added: dict[str, list[str]] = {}
    yield from _spend(world, deed)
    if not is_rolled(power):
        yield world.happen("power-told", who, _tell_use(fight, deed), power=power["id"])
    if power.get("before"):
        yield from _steps_for_all(world, deed, "before", added)
        deed = deed._replace(aim=aim_again(fight, deed))
    if is_rolled(power):
        yield from show_briefly(world, who)
        yield world.happen("attacking", who, "", targets=list(deed.aim.targets))
        yield from _provoke(world, deed, opportunities)
    if _still_able(fight, deed):
        if is_rolled(power):
            lines = yield from _rolls(world, deed)
        else:
            yield from _steps_for_all(world, deed, "effect", added)
        yield from _steps_for_all(world, deed, "always", added)
    if is_rolled(power):
        yield from give_away(world, who)  # STR-TAC-23: once the attack is over
    token = yield from _miss_token(world, who, lines)
    return {
        "who": who,
        "power": power["id"],
        "targets": list(deed.aim.targets),
        **({"at": format_square(deed.aim.at)} if deed.aim.at else {}),
        "attacks": lines,
        "statuses_added": added,
        "miss_token": token,
        "opportunities": opportunities,
        "decided": fight.decided(),
    }


def _spend(world: World, deed: Deed) -> Procedure[None]:
    """An Encounter power is used up; what costs Action Points takes them from a player."""
    fight, who, power = Fight(world), deed.who, deed.power
    if power["usage"] == "encounter":
        used = [*fight.combatant(who).get("used", []), power["id"]]
        yield world.happen("power-used", who, "", {path_of(who, "used"): used})
    if power.get("ap") and fight.is_player(who):
        yield from spend_action_point(world, fight.combatant(who)["ref"], power["name"], power["ap"])


def _provoke(world: World, deed: Deed, told: list[dict[str, Any]]) -> Procedure[None]:
    """A ranged attack gives an Opportunity to each enemy next to the attacker; an area doesn't
    (STR-TAC-08)."""
    fight = Fight(world)
    if "out" in fight.combatant(deed.who):  # what answers an attack came first: Marked, say
        return
    if deed.aim.targets and not deed.aim.melee and not shape_of(deed.power):
        for foe in list(threatened_by(fight, deed.who)):
            yield from opportunity(world, foe, deed.who, "making a ranged attack next to it", told)


def _still_able(fight: Fight, deed: Deed) -> bool:
    """Whether an Opportunity has not brought them down first."""
    if deed.power["action"] == "none":
        return "out" not in fight.combatant(deed.who)
    return not ban_on(fight.world, deed.who, "act", 1) and "out" not in fight.combatant(deed.who)


def _tell_use(fight: Fight, deed: Deed) -> str:
    others = [fight.name(target) for target in deed.aim.targets if target != deed.who]
    on = f" on {', '.join(others)}" if others else ""
    return f"{fight.name(deed.who)} uses {deed.power['name']}{on}."


def _steps_for_all(world: World, deed: Deed, part: str, added: dict[str, list[str]]) -> Procedure[None]:
    """Steps that no roll decides: those about a target for each of them, the others once."""
    for step in deed.power.get(part, ()):
        about = deed.aim.targets if step["to"] == "target" else ("",)
        for target in about:
            so = conditions(Fight(world), deed, target or deed.who)
            statuses = yield from do_steps(world, deed, [step], target, so)
            if statuses:
                added.setdefault(target or step["to"], []).extend(statuses)


def _rolls(world: World, deed: Deed) -> Procedure[list[dict[str, Any]]]:
    lines = []
    for number, target in enumerate(deed.aim.targets):
        fight = Fight(world)
        if "out" not in fight.combatant(target) and "out" not in fight.combatant(deed.who):
            lines.append((yield from _one_target(world, deed, target, number == 0)))
    return lines


def _one_target(world: World, deed: Deed, target: str, first: bool) -> Procedure[dict[str, Any]]:
    fight = Fight(world)
    who, power = deed.who, deed.power
    bearing = what_bears(fight, who, target, power, deed.aim.melee, first)
    so = conditions(fight, deed, target, bearing.flanked)
    sources, modifiers = [*bearing.sources, *deed.sources], [*bearing.modifiers, *deed.modifiers]
    rolled = yield from roll_die(who, "attack", sources, modifiers)
    held = fight.combatant(who).get("miss_tokens", 0)
    guard = {face: remap_die(world, target, face) for face in range(1, 7)}
    mapped = {face: counts for face, (counts, _) in guard.items()}
    line = yield from attack_line(who, rolled, power["damage"], bool(power["effect"]), held, mapped)
    raised = with_tokens(clamp(rolled.total), line.tokens)
    text = _tell(fight, who, target, power, rolled, line, raised, guard[raised][1])
    sets = {path_of(who, "miss_tokens"): held - line.tokens} if line.tokens else {}
    more = {"turned": True} if line.turned else {}
    yield world.happen(
        "attacked", who, text, sets, target=target, roll=rolled.as_json(), result=line.result, **more
    )
    if line.strike and fight.is_player(who):
        yield from gain_strike(world, who, "an attack roll of 1")
    if line.result == "critical":
        so |= {"critical"}
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
    if line.deals_damage:
        damage, cause = _whole_damage(fight, deed, target, line, so)
        told["damage"] = damage
        told.update((yield from hurt(world, target, damage, cause, by=who)))
    told["statuses_added"] = yield from _what_follows(world, deed, target, line, so)
    told["hp_after"] = fight.combatant(target)["hp"]
    told["taken_out"] = "out" in fight.combatant(target)
    yield from _answer(world, deed, target, "missed" if line.result == "miss" else "hit")
    return told


def _whole_damage(fight: Fight, deed: Deed, target: str, line: Line, so: frozenset[str]) -> tuple[int, str]:
    """Damage with its bonus, which a 6 doubles only where the house says so (STR-TAC-09), as the attacker's
    statuses leave it; and what it comes from, with every reason."""
    times = line.times if fight.world.book.house["crit_doubles_bonus"] else 1
    more = bonuses(fight, deed, target, so)
    damage, halved = remap_damage(
        fight.world, deed.who, line.damage + times * sum(bonus.value for bonus in more)
    )
    reasons = [f"{times * bonus.value:+d} {bonus.reason}" for bonus in more]
    reasons += [f"half: {halved}"] if halved else []
    told = f" ({', '.join(reasons)})" if reasons else ""
    return damage, f"{deed.power['name']}{told}"


def _what_follows(
    world: World, deed: Deed, target: str, line: Line, so: frozenset[str]
) -> Procedure[list[str]]:
    """The Effect; then what a hit triggers, though not one that Miss Tokens made of a miss (STR-TAC-10); or
    what a miss does. Returns the statuses that took hold."""
    power, added = deed.power, []
    if line.effect:
        added += yield from do_steps(world, deed, power["effect"], target, so)
    if line.result == "miss":
        # STR-TAC-25: "no Miss Effects" is for the one who has the status.
        if power.get("miss") and not ban_on(world, deed.who, "miss-effect"):
            added += yield from do_steps(world, deed, power["miss"], target, so)
    elif power.get("hit") and not line.turned:
        added += yield from do_steps(world, deed, power["hit"], target, so)
    return added


def _answer(world: World, deed: Deed, target: str, moment: str) -> Procedure[None]:
    """What the target's own powers do when it is hit or missed; creatures do it, players are asked. Nothing
    answers an answer."""
    if deed.reacting:
        return
    for power in answers_of(Fight(world), target, moment, deed.who):
        fight = Fight(world)
        labels = (f"{fight.name(target)} uses {power['name']} on {fight.name(deed.who)}", "let it pass")
        if not fight.is_player(target) or (
            (yield Choose(target, f"{power['name']} against {deed.who}", ("use", "pass"), labels)) == "use"
        ):
            aim = take_aim(fight, target, power, _answered(power, deed.who))
            yield from perform(world, Deed(target, power, aim, reacting=True))


def answers_of(fight: Fight, who: str, moment: str, to: str) -> list[dict[str, Any]]:
    """Powers of somebody that a moment triggers, and that they may use on the one who brought it about."""
    if "out" in fight.combatant(who) or (ban_on(fight.world, who, "miss-effect") and moment == "missed"):
        return []
    found = []
    for key in fight.sheet(who).get("powers", []):
        if fight.world.book.powers[key].get("on") != moment:
            continue
        power = power_of(fight, who, key)
        try:
            must_be_usable(fight, who, power)
            action_for(fight, who, power)
            take_aim(fight, who, power, _answered(power, to))
        except Refused:
            continue
        found.append(power)
    return found


def _answered(power: Power, to: str) -> list[str]:
    return [] if power.get("who") == "self" else [to]


AREA = "area"
"""How far an attack on all in an area goes: neither in melee nor at range."""


class Bearing(NamedTuple):
    """What bears on an attack roll: Advantage, Disadvantage and modifiers, and whether the target is
    flanked."""

    sources: list[Source]
    modifiers: list[Modifier]
    flanked: bool


def what_bears(fight: Fight, who: str, target: str, power: Power, melee: bool, first: bool = True) -> Bearing:
    """Every source and modifier on an attack as the two stand now (STR-TAC-20, 24). `first` says that it is
    the first roll of its power, the only one that hiding helps."""
    world = fight.world
    range_ = AREA if shape_of(power) else "melee" if melee else "ranged"
    sources, modifiers = reasons_for(world, who, "attack", range_=range_)
    against, more = reasons_for(world, target, "attack", side="against", range_=range_)
    sources += against
    modifiers += more
    helper = next((ally for ally in _flankers(fight, who, target)), None) if melee else None
    if helper:
        sources.append(Source(ADVANTAGE, f"flanking with {fight.name(helper)}"))
    if first and is_hidden_from(fight, who, target):
        sources.append(Source(ADVANTAGE, HIDDEN))
    if not shape_of(power):
        sources += drawbacks(fight, who, target, melee)
    return Bearing(sources, modifiers, flanked=helper is not None)


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


_RESULTS = {
    "critical": "a critical hit",
    "solid": "a solid hit",
    "glancing": "a glancing hit",
    "miss": "a miss",
}


def _tell(
    fight: Fight,
    who: str,
    target: str,
    power: Power,
    rolled: Rolled,
    line: Line,
    raised: int,
    guarded: str | None,
) -> str:
    """An attack roll in a sentence: the dice, what Miss Tokens raised them to, what they count as and why."""
    words = rolled.words()
    if line.tokens:
        words += f", {raised} with {line.tokens} Miss Token{'s' if line.tokens > 1 else ''}"
    if guarded is not None:
        words += f", counts as {line.die} ({fight.name(target)} is {guarded})"
    with_power = "" if power["kind"] == "basic" else f" with {power['name']}"
    return f"{fight.name(who)} attacks {fight.name(target)}{with_power}: {words}, {_RESULTS[line.result]}."


def _miss_token(world: World, who: str, lines: Sequence[Mapping[str, Any]]) -> Procedure[bool]:
    """A Miss Token for an attack that missed every target (STR-TAC-10; the house may say any)."""
    missed = [line["result"] == "miss" for line in lines]
    enough = any(missed) if world.book.house["miss_token"] == "any-missed" else bool(missed) and all(missed)
    if not enough or not Fight(world).is_player(who):
        return False
    yield from gain_tokens(world, who, 1)
    return True
