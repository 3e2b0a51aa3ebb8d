"""What comes by itself at the start and the end of a turn: start effects, Saving Throws, end effects.

The owner orders the effects of a step (STR-TAC-03). A player is asked where the order can matter; creatures
take theirs in a fixed order. Of a status whose time is up at this step what it does comes first where it
helps, and not at all where it harms: so its owner would have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.tabletop.contributions import reactions_to, reasons_for
from strike_cli.tabletop.dice import roll_die

from . import zones
from .engine import Moment, amount_of, carry_out
from .enter_square import hurt_by_zones, start_in_zones
from .fight import Fight
from .harm import INCAPACITATED, end_status, has_status, heal, hurt, status_in_words, wait_a_turn
from .hide import vanish
from .numbers import numbers

DAMAGE, HEAL, ROLL, NOTE, COMEBACK, ENDING = "damage", "heal", "roll", "note", "comeback", "ending"
"""Kinds of effects of a step that the order of others may depend on."""


class _Effect(NamedTuple):
    """One effect of a step of the turn: what tells it from others, the word and the label to choose it by,
    what kind of thing it does, how many HP it gives or takes, how it is played, and the status that it comes
    of."""

    key: Hashable
    word: str
    label: str
    kind: str
    amount: int
    play: Callable[[], Procedure[Any]]
    status: str = ""


def start_effects(world: World, who: str) -> Procedure[dict[str, Any] | None]:
    """All that the start of a turn brings: what lasted until it, statuses, zones, and the Comeback Roll,
    which is returned (STR-TAC-03, 16)."""
    rolled: list[dict[str, Any]] = []

    def comeback() -> Procedure[None]:
        rolled.append((yield from _comeback(world, who)))

    def waiting() -> list[_Effect]:
        found = [*_of_statuses(world, who, "turn-started", "turn-start"), *_of_zones(world, who)]
        if "out" not in Fight(world).combatant(who) and has_status(world, who, INCAPACITATED):
            found.append(_Effect("comeback", "comeback", "the Comeback Roll", COMEBACK, 0, comeback))
        return found

    yield from _end_for_others(world, "turn-start", who)
    yield from _in_owners_order(world, who, waiting)
    yield from vanish(world, who)
    return rolled[0] if rolled else None


def end_effects(world: World, who: str) -> Procedure[None]:
    """All that the end of a turn brings, but the Saving Throws."""
    yield from _in_owners_order(world, who, lambda: _of_statuses(world, who, "turn-ended", "turn-end"))
    yield from _end_for_others(world, "turn-end", who)


def _in_owners_order(world: World, who: str, waiting: Callable[[], Sequence[_Effect]]) -> Procedure[None]:
    """Play each effect that waits, until none is left. What one effect ends or begins counts for the next."""
    done: set[Hashable] = set()
    while True:
        there = waiting()
        left = [effect for effect in there if effect.key not in done]
        if not left:
            return
        effect = left[0]
        if Fight(world).is_player(who) and _order_matters(world, who, left):
            words = dict(zip(_distinct([each.word for each in there]), there, strict=True))
            open_ = {word: each for word, each in words.items() if each in left}
            labels = tuple(each.label for each in open_.values())
            effect = open_[(yield Choose(who, "what comes first", tuple(open_), labels))]
        done.add(effect.key)
        yield from effect.play()


def _distinct(words: Sequence[str]) -> list[str]:
    """Each word, with a number from its second time on: `ongoing`, `ongoing-2`."""
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append(word if seen[word] == 1 else f"{word}-{seen[word]}")
    return found


def _order_matters(world: World, who: str, effects: Sequence[_Effect]) -> bool:
    """Whether effects may come out differently in another order: where damage could bring somebody down,
    where healing would be lost at the maximum, with a Comeback Roll, where what ends would weigh on another
    effect, and with anything but damage, healing and dice."""
    combatant = Fight(world).combatant(who)
    others = [effect for effect in effects if effect.kind not in (NOTE, ENDING)]
    kinds = {effect.kind for effect in others}
    harm, help_ = (sum(effect.amount for effect in others if effect.kind == kind) for kind in (DAMAGE, HEAL))
    falls = harm >= combatant["hp"]
    if any(effect.kind == ENDING and _weighs(world, effect.status, others, falls) for effect in effects):
        return True
    if len(kinds) < 2:
        return False
    wasted = harm and help_ and combatant["hp"] + help_ > combatant["max_hp"]
    return bool(wasted or (harm and falls) or kinds - {DAMAGE, HEAL, ROLL})


def _weighs(world: World, status: str, others: Sequence[_Effect], falls: bool) -> bool:
    """Whether it may matter to other effects that this status ends before them or after them; `falls` says
    that they may bring its holder down."""
    kinds = {effect.kind for effect in others if effect.status != status}
    definitions = list(_with_implied(world, status))
    bans = [ban for definition in definitions for ban in definition["bans"]]
    sources = [source for definition in definitions for source in definition["sources"]]
    if ROLL in kinds:
        return bool(bans or sources or any(definition["remaps"] for definition in definitions))
    if COMEBACK in kinds and any(item["on"] in ("comeback", "any") for item in sources):
        return True
    return falls and DAMAGE in kinds and any(ban["action"] == "act" for ban in bans)


def _with_implied(world: World, status: str) -> Iterator[Mapping[str, Any]]:
    definition = world.book.statuses[status]
    yield definition
    for implied in definition["implies"]:
        yield from _with_implied(world, implied)


def _of_zones(world: World, who: str) -> list[_Effect]:
    fight = Fight(world)
    hurting = [fight.zones[key] for key in hurt_by_zones(fight, who)]
    if not hurting:
        return []
    names = " and ".join(str(zone["name"]) for zone in hurting)
    harm = sum(zone["damage"] for zone in hurting)
    label = f"{harm} damage from {names}"
    return [_Effect("zones", "zones", label, DAMAGE, harm, lambda: start_in_zones(world, who))]


def _of_statuses(world: World, who: str, moment: str, ends: str) -> list[_Effect]:
    """What somebody's own statuses do at a moment, and those of them that end with it: the harmful before all
    others, the helpful after them."""
    combatant = Fight(world).combatant(who)
    if "out" in combatant:
        return []
    over = [
        status
        for status in combatant.get("statuses", [])
        if status["ends"] == ends and status.get("of", who) == who and not status.get("later")
    ]
    endings = [(_ending(world, who, status), world.book.statuses[status["id"]]["harmful"]) for status in over]
    return [
        *(effect for effect, harmful in endings if harmful),
        *_reactions(world, who, moment),
        *(effect for effect, harmful in endings if not harmful),
    ]


def _ending(world: World, who: str, status: Mapping[str, Any]) -> _Effect:
    return _Effect(
        (ENDING, *sorted(status.items())),
        f"{_word(status['id'])}-ends",
        f"{world.book.statuses[status['id']]['name']} ends",
        ENDING,
        0,
        lambda: end_status(world, who, status["id"], only=status),
        status["id"],
    )


def _reactions(world: World, who: str, moment: str) -> Iterator[_Effect]:
    for reaction in reactions_to(world, who, moment):
        held, kind = reaction.held, str(reaction.does["do"])
        amount = amount_of(reaction)
        # Of a kind of which the highest counts only one has its turn, whatever comes to count meanwhile.
        alone = held.definition.get("stacks") == "highest"
        told = {DAMAGE: f"{amount} damage from {held.name}", HEAL: f"{amount} HP from {held.name}"}
        yield _Effect(
            (held.id, reaction.number, *(() if alone else sorted(held.instance.items()))),
            _word(held.id),
            told.get(kind, held.name),
            kind,
            amount,
            lambda reaction=reaction: carry_out(world, Moment(moment, who), reaction, []),  # type: ignore[misc]
            held.id,
        )


def _word(key: str) -> str:
    return key.rpartition(":")[2]


def _comeback(world: World, who: str) -> Procedure[dict[str, Any]]:
    """The Comeback Roll of who is Incapacitated at the start of their turn (STR-TAC-16)."""
    rules = numbers()["comeback"]
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
    ended = rolled.total >= numbers()["save"]["target"]
    several = sum(item["id"] == status["id"] for item in fight.combatant(who).get("statuses", ())) > 1
    named = f"{name} {status['value']}" if several and "value" in status else name
    text = f"{fight.name(who)} saves against {named}: {rolled.words()}, " + (
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
    names = [_word(status["id"]) for status in waiting]
    keys = [name if names.count(name) == 1 else f"{name}-{n + 1}" for n, name in enumerate(names)]
    labels = tuple(status_in_words(Fight(world), who, status) for status in waiting)
    key = yield Choose(who, "which save comes first", tuple(keys), labels)
    return waiting[keys.index(key)]


def _weighs_on_saves(world: World, status: str) -> bool:
    return any(
        item["on"] in ("save", "any") and item["side"] == "own"
        for definition in _with_implied(world, status)
        for item in definition["sources"]
    )


# Durations


def _end_for_others(world: World, moment: str, of: str) -> Procedure[None]:
    """End every zone, and every status that somebody else holds, whose duration is the start or end of this
    combatant's turn; those that wait for the turn after it have one turn less to wait."""
    for who in list(Fight(world).in_the_fight()):
        for status in Fight(world).combatant(who).get("statuses", []):
            if status["ends"] != moment or status.get("of", who) != of:
                continue
            if status.get("later"):
                yield from wait_a_turn(world, who, status)
            elif who != of:
                yield from end_status(world, who, status["id"], only=status)
    yield from zones.ended_at(world, moment, of)
