"""Attacks: the ladder, Miss Tokens, damage and effects (STR-TAC-08 to 12, 20, 24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ...problems import Refused
from ..contributions import ban_on, reasons_for, remap_damage, remap_die
from ..dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, clamp, roll_die
from ..grid import flanks
from ..numbers import numbers
from ..procedure import Choose, Procedure, World
from .fight import Fight, path_of
from .harm import add_status, gain_strike, heal, hurt
from .move import opportunity, threatened_by

MELEE_BASIC = "core:melee-basic"
RANGED_BASIC = "core:ranged-basic"


@cache
def _ladder() -> tuple[Mapping[str, Any], ...]:
    table = numbers("combat")["attack"]
    return tuple(table[str(face)] for face in range(1, 7))


def rung(die: int) -> Mapping[str, Any]:
    """`result`, `damage` (times the printed number) and `effect` for an attack die (STR-TAC-09)."""
    return _ladder()[clamp(die) - 1]


def with_tokens(die: int, tokens: int) -> int:
    """The attack die after Miss Tokens (STR-TAC-10): the first makes a 1 a 3, others add 1, never above 6."""
    if tokens and die == 1:
        die, tokens = numbers("combat")["attack_rules"]["token_raises_one_to"], tokens - 1
    return min(die + tokens, 6)


def useful_tokens(die: int, held: int, guard: Mapping[int, int]) -> dict[int, str]:
    """Numbers of Miss Tokens worth spending, with the result: none, and each that reaches a better one once
    the target's remap is read (STR-TAC-10, 11)."""
    useful: dict[int, str] = {}
    for tokens in range(held + 1):
        raised = with_tokens(die, tokens)
        result = str(rung(guard.get(raised, raised))["result"])
        if result not in useful.values():
            useful[tokens] = result
    return useful


class Line:
    """One attack line: what a die comes to once tokens, Guarded and a glancing choice are settled."""

    __slots__ = ("damage", "die", "effect", "result", "strike", "tokens")

    def __init__(self, die: int, printed: int, strike: bool, tokens: int) -> None:
        row = rung(die)
        self.die = die
        self.result = str(row["result"])
        self.damage = printed * int(row["damage"])
        self.effect = bool(row["effect"])
        self.strike = strike
        self.tokens = tokens


def attack_line(
    who: str,
    rolled: Rolled,
    printed: int,
    has_effect: bool,
    tokens: int,
    guard: Mapping[int, int],
) -> Procedure[Line]:
    """From the dice to the result: tokens, the target's remap, then damage or effect on a glancing hit.

    `printed` is the power's damage in HP, `tokens` how many Miss Tokens may be spent, `guard` what the
    target's statuses make of a die (STR-TAC-11).
    """
    die = clamp(rolled.total)
    strike = die == numbers("combat")["attack_rules"]["strike_on"]
    spent = 0
    if tokens:
        useful = useful_tokens(die, tokens, guard)
        if len(useful) > 1:
            labels = tuple(
                f"spend {count}: {result}" if count else f"keep: {result}" for count, result in useful.items()
            )
            spent = int((yield Choose(who, "miss tokens", tuple(map(str, useful)), labels)))
            die = with_tokens(die, spent)
    return (yield from settled_line(who, die, printed, has_effect, strike, spent, guard))


def settled_line(
    who: str,
    die: int,
    printed: int,
    has_effect: bool,
    strike: bool,
    spent: int,
    guard: Mapping[int, int],
) -> Procedure[Line]:
    """The result of a die with its tokens spent: the target's remap, then damage or effect on a 3."""
    line = Line(guard.get(die, die), printed, strike, spent)
    if line.result == "glancing":
        taken = "damage"
        if has_effect and printed:
            labels = (f"{printed} damage", "the effect")
            taken = yield Choose(who, "glancing", ("damage", "effect"), labels)
        elif has_effect:
            taken = "effect"
        if taken == "damage":
            line.effect = False
        else:
            line.damage = 0
    line.effect = line.effect and has_effect
    return line


def play_ladder(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat ladder`: one bare attack line between nobody and nobody.

    Args: die (natural), damage, mod, tokens, attacker and target (lists of status ids).
    """
    sides = {side: {"statuses": [{"id": key} for key in args[side]]} for side in ("attacker", "target")}
    bare = World(world.book, {"fight": {"combatants": sides}})
    die = clamp(args["die"] + args["mod"])
    strike = die == numbers("combat")["attack_rules"]["strike_on"]
    guard = {face: remap_die(bare, "target", face)[0] for face in range(1, 7)}
    after = with_tokens(die, args["tokens"])
    line = yield from settled_line("", after, args["damage"], True, strike, args["tokens"], guard)
    damage, _ = remap_damage(bare, "attacker", line.damage)
    missed = line.result == "miss"
    words = [f"{args['die']} comes to {line.die}: {line.result}", f"{damage} damage"]
    words += (["the effect"] if line.effect else []) + (["a Strike"] if strike else [])
    words += ["a Miss Token"] if missed else []
    yield world.happen("attacked", "", ", ".join(words) + ".")
    return {
        "die": line.die,
        "result": line.result,
        "damage": damage,
        "effect": line.effect,
        "strike": strike,
        "miss_token": missed,
    }


def play_attack(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat attack`: an Attack Action. Args: who, targets, power (full id), adv, dis, mods."""
    fight = Fight(world)
    who, targets = args["who"], args["targets"]
    power = power_of(fight, who, args["power"])
    fight.must_be_able(who, "attack")
    melee = check_targets(fight, who, targets, power)
    yield world.happen("action-taken", who, "", {"fight.turn.attack": fight.taken("attack") + 1})
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
    if fight.combatant(who).get("hidden"):
        # STR-TAC-23: attacking gives one away, once the attack is over.
        text = f"{fight.name(who)} is Hidden no longer."
        yield world.happen("revealed", who, text, {path_of(who, "hidden"): None})
    token = yield from _miss_token(world, who, lines)
    return {
        "who": who,
        "power": power["id"],
        "attacks": lines,
        "miss_token": token,
        "opportunities": opportunities,
        "decided": fight.decided(),
    }


def power_of(fight: Fight, who: str, power: str) -> dict[str, Any]:
    """A power as this combatant has it: the basic attacks take damage and range from the sheet.

    Raises Refused for a power that is not theirs or is spent.
    """
    sheet, name = fight.sheet(who), fight.name(who)
    found = {"id": power, **fight.world.book.powers[power]}
    if power == MELEE_BASIC:
        melee = sheet.get("melee", {})
        found.update(damage=melee.get("damage", found["damage"]), reach=melee.get("reach", found["reach"]))
    elif power == RANGED_BASIC:
        ranged = sheet.get("ranged", {})
        found.update(damage=ranged.get("damage", found["damage"]), range=ranged.get("range", found["range"]))
    elif power not in sheet.get("powers", []):
        raise Refused(f"{name} has no power {found['name']}.", "`strike combat show` lists what each can do.")
    if power in fight.combatant(who).get("used", []):
        raise Refused(
            f"{name} has used {found['name']} in this fight.", "Encounter powers come once a fight."
        )
    if found["action"] != "attack" or "damage" not in found:
        raise Refused(f"{found['name']} is no attack.", "Only powers with damage are rolled as attacks.")
    return found


def check_targets(fight: Fight, who: str, targets: Sequence[str], power: Mapping[str, Any]) -> bool:
    """Whether the attack is made in melee. Raises Refused for a target that can't be attacked."""
    if not targets:
        raise Refused("An attack needs a target.", "`strike combat attack WHO TARGET`")
    most = power.get("targets", 1)
    if "burst" not in power and len(targets) > most:
        raise Refused(f"{power['name']} has {most} target{'s' if most > 1 else ''}, not {len(targets)}.")
    melee = True
    for number, target in enumerate(targets):
        name = fight.name(target)
        if target in targets[:number]:
            raise Refused(f"{name} is named twice; each target is rolled for once.")
        if target == who:
            raise Refused(f"{name} can't attack itself.")
        if "out" in fight.combatant(target):
            raise Refused(f"{name} is out of this fight.")
        if fight.combatant(target).get("hidden"):
            raise Refused(
                f"Nobody knows where {name} is.", "Hidden creatures can't be targeted (STR-TAC-23)."
            )
        apart = fight.gap(who, target)
        in_reach = apart <= power.get("reach", 0)
        in_range = apart <= power.get("range", power.get("burst", 0))
        if not in_reach and not in_range:
            most = max(power.get("reach", 0), power.get("range", 0), power.get("burst", 0))
            raise Refused(f"{name} is {apart} squares away; {power['name']} reaches {most}.")
        melee = melee and in_reach
        if not fight.sees(who, target):
            raise Refused(
                f"{fight.name(who)} can't see {name} from there.", "`strike combat map` shows the walls."
            )
    for target in targets:
        reason = ban_on(fight.world, target, "melee" if melee else "ranged", side="against")
        if reason and "burst" not in power:
            raise Refused(f"{fight.name(target)} can't be attacked: {reason}.")
    return melee


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
    covered = "burst" not in power and (not melee or world.book.house["cover_applies_to_melee"])
    if covered and fight.grid.cover(fight.at(who), fight.at(target), fight.size(who), fight.size(target)):
        sources.append(Source(DISADVANTAGE, "target in cover"))
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
        told.update((yield from hurt(world, target, damage, power["name"])))
    if line.effect:
        told["statuses_added"] = yield from _effects(world, who, target, power)
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


def _effects(world: World, who: str, target: str, power: Mapping[str, Any]) -> Procedure[list[str]]:
    """The power's effect, op by op; what it says in words is left to the table."""
    fight = Fight(world)
    added = []
    for effect in power["effect"]:
        to = who if effect["to"] == "self" else target
        if "out" in fight.combatant(to):
            continue
        if effect["do"] == "apply":
            status = {"id": effect["status"], "ends": effect["duration"], "by": who}
            if effect["duration"] in ("turn-start", "turn-end"):
                status["of"] = who
                # Ruling: "until the end of your turn", said on that turn, means the next one's end.
                if effect["duration"] == "turn-end" and fight.data.get("active") == who:
                    status["later"] = True
            if "amount" in effect:
                status["value"] = effect["amount"]
            if (yield from add_status(world, to, status)):
                added.append(effect["status"])
        elif effect["do"] == "damage":
            damage, _ = remap_damage(world, who, effect["amount"])
            yield from hurt(world, to, damage, power["name"])
        elif effect["do"] == "heal":
            yield from heal(world, to, effect["amount"], power["name"])
        elif effect["do"] == "push":
            yield from _push(world, who, to, effect["amount"])
        else:
            yield world.happen("noted", to, f"{power['name']}: {effect['text']}")
    return added


def _push(world: World, who: str, target: str, squares: int) -> Procedure[None]:
    """Away from who pushes, square by square, as straight as the way is free."""
    from ..grid import footprint, format_square, gap

    fight = Fight(world)
    start = fight.at(target)
    here = start
    taken = fight.occupied(skip=target)
    source, size = fight.at(who), fight.size(target)
    for _ in range(squares):
        apart = gap(source, fight.size(who), here, size)
        onward = [
            square
            for square in fight.grid.neighbours(here, size)
            if gap(source, fight.size(who), square, size) > apart
            and not any(part in taken for part in footprint(square, size))
        ]
        if not onward:
            break
        here = min(onward, key=lambda square: _off_line(source, start, square))
    if here != start:
        text = f"{fight.name(target)} is pushed to {format_square(here)}."
        yield world.happen("pushed", target, text, {path_of(target, "at"): format_square(here)})


def _off_line(source: tuple[int, int], start: tuple[int, int], square: tuple[int, int]) -> int:
    """How far a square is off the line from the source through the start."""
    across = (start[0] - source[0]) * (square[1] - source[1]) - (start[1] - source[1]) * (
        square[0] - source[0]
    )
    return abs(across)


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
