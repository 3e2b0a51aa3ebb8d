"""Turns, the effects at their start and end, standing up, and escapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.procedure import Args, Choose, Procedure, Roll, Sets, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused
from strike_cli.refusals import AnotherPersonsTurn, CantStandUp
from strike_cli.tabletop.active_effects import (
    Reaction,
    effect_banning,
    effects_on,
    reactions_to,
    roll_reasons_from_effects,
)
from strike_cli.tabletop.dice import clamp_total, roll_die
from strike_cli.tabletop.turn_order import DELAYED

from ..board import zones
from ..board.sight_and_hiding import become_hidden_after_full_round
from ..board.square_entry import take_zone_damage_at_turn_start, zones_that_damage
from ..facts.effects_and_causes import AllOf, ComebackRoll, OfZone
from ..facts.harm import ComebackRolled, EscapeFrom, EscapeRolled
from ..facts.powers_and_fight_events import Noted
from ..facts.statuses import StatusIs
from ..facts.turns_and_actions import (
    DamageFrom,
    Dominated,
    Ends,
    HpFrom,
    PreparedWasted,
    RechargeRolled,
    Recharges,
    Stood,
    TurnEnded,
    TurnStarted,
    WhatFirst,
)
from ..fight_state import ActorArgs, Fight, action_taken_fact, combatant_path, last_part_of_id
from ..health_and_statuses import (
    INCAPACITATED,
    PRONE,
    Status,
    deal_damage,
    deal_postponed_damage,
    end_or_unmark_statuses_at_turn,
    end_status,
    has_been_given_status,
    heal_combatant,
    statuses_given_to,
)
from ..powers.standard_powers_and_use_limits import power_regained_fact
from ..reactions.reaction_events_and_moments import Moment
from ..reactions.status_and_trait_reactions import play_reaction_steps
from ..rule_numbers import combat_numbers
from ..steps import steps_of_reaction
from .saving_throws import play_saving_throws, status_definitions_with_implied

if TYPE_CHECKING:
    from ..data import ComebackData, EndTurnData, EscapeData, StandData, TurnData


DAMAGE, HEAL, ROLL, NOTE, COMEBACK, ENDING = "damage", "heal", "roll", "note", "comeback", "ending"
STEPS = "steps"
"""Kinds of effects at the start or end of a turn; STEPS is any that is none of the others."""


class _TurnEffect(NamedTuple):
    """One effect at the start or end of a turn.

    `key` identifies it. `word` and `label` name it when a player chooses the order. `kind` is one of the
    module's constants, such as DAMAGE. `play` plays the effect. `amount` is the HP that it gives or takes,
    and `status` the status that causes it.
    """

    key: Hashable
    word: str
    label: Reason
    kind: str
    play: Callable[[], Procedure[object]]
    amount: int = 0
    status: str = ""


def play_turn_start_effects(world: World, combatant: str) -> Procedure[ComebackData | None]:
    """Play everything that happens at the start of a turn (STR-TAC-03, 16).

    1. What lasts until this moment ends: statuses of other combatants, the combatant's zones, and creatures
       that it summoned.
    2. The combatant's statuses and zones take effect, and some of its statuses end. Powers are recharged, and
       the Comeback Roll is made.
    3. If the combatant began to hide in an earlier round, it becomes Hidden.

    Returns the Comeback Roll, or None if there is none.
    """
    rolled: list[ComebackData] = []

    def roll_and_note_comeback() -> Procedure[None]:
        rolled.append((yield from _play_comeback_roll(world, combatant)))

    def effects_now() -> list[_TurnEffect]:
        found = [
            *_status_effects_and_endings(world, combatant, "turn-started", "turn-start"),
            *_zone_damage_effects(world, combatant),
        ]
        found += _recharge_effects(world, combatant)
        if not Fight(world).is_out(combatant) and has_been_given_status(world, combatant, INCAPACITATED):
            found.append(
                _TurnEffect(_play_comeback_roll, "comeback", ComebackRoll(), COMEBACK, roll_and_note_comeback)
            )
        return found

    yield from _end_effects_timed_by_turn(world, "turn-start", combatant)
    yield from _play_in_chosen_order(world, combatant, effects_now)
    yield from become_hidden_after_full_round(world, combatant)
    return rolled[0] if rolled else None


def play_turn_end_effects(world: World, combatant: str) -> Procedure[None]:
    """Play all effects at the end of a turn except the Saving Throws."""
    yield from _play_in_chosen_order(
        world, combatant, lambda: _status_effects_and_endings(world, combatant, "turn-ended", "turn-end")
    )
    yield from _end_effects_timed_by_turn(world, "turn-end", combatant)


def _end_effects_timed_by_turn(world: World, moment: str, turn_of: str) -> Procedure[None]:
    yield from end_or_unmark_statuses_at_turn(world, moment, turn_of)
    yield from zones.end_or_postpone_zones_due_at_turn(world, moment, turn_of)
    if any("summoned" in one for one in Fight(world).data["combatants"].values()):
        from ..encounter import joining_and_leaving

        yield from joining_and_leaving.dismiss_or_keep_expiring_summons(world, moment, turn_of)


def _play_in_chosen_order(
    world: World, combatant: str, effects_now: Callable[[], Sequence[_TurnEffect]]
) -> Procedure[None]:
    """Play the effects that `effects_now` returns, each of them once, until none is left.

    `effects_now` is called again after each effect, since an effect may end or add others. If the order
    matters for a player's character, the player chooses the next effect.
    """
    done: set[Hashable] = set()
    while True:
        effects = effects_now()
        left = [effect for effect in effects if effect.key not in done]
        if not left:
            return
        effect = left[0]
        if Fight(world).is_player(combatant) and _effect_order_matters(world, combatant, left):
            words = dict(zip(_number_repeated_words([each.word for each in effects]), effects, strict=True))
            open_ = {word: each for word, each in words.items() if each in left}
            labels = tuple(each.label for each in open_.values())
            about = WhatFirst(combatant)
            key = yield Choose(combatant, "what comes first", tuple(open_), labels, kind="order", about=about)
            effect = open_[key]
        done.add(effect.key)
        yield from effect.play()


def _number_repeated_words(words: Sequence[str]) -> list[str]:
    """Return the words, with a number for each repetition: `ongoing`, `ongoing-2`."""
    seen: Counter[str] = Counter()
    found = []
    for word in words:
        seen[word] += 1
        found.append(word if seen[word] == 1 else f"{word}-{seen[word]}")
    return found


def _effect_order_matters(world: World, combatant_id: str, effects: Sequence[_TurnEffect]) -> bool:
    """Return whether the effects can have a different result in a different order.

    They can if a status ends and this changes another effect. They also can if the other effects are of at
    least two kinds, and one of these is true:
    - The damage could bring the combatant down.
    - There is damage, and the healing could exceed the maximum HP.
    - One of the effects is neither damage, nor healing, nor a die.
    """
    combatant = Fight(world).combatant(combatant_id)
    others = [effect for effect in effects if effect.kind not in (NOTE, ENDING)]
    kinds = {effect.kind for effect in others}
    harm, help_ = (sum(effect.amount for effect in others if effect.kind == kind) for kind in (DAMAGE, HEAL))
    falls = harm >= combatant["hp"]
    if any(
        effect.kind == ENDING and _status_end_affects_others(world, effect.status, others, falls)
        for effect in effects
    ):
        return True
    if len(kinds) < 2:
        return False
    wasted = harm and help_ and combatant["hp"] + help_ > combatant["max_hp"]
    return bool(wasted or (harm and falls) or kinds - {DAMAGE, HEAL, ROLL})


def _status_end_affects_others(
    world: World, status: str, others: Sequence[_TurnEffect], damage_may_take_out: bool
) -> bool:
    """Return whether other effects change if a status ends before them instead of after them.

    `damage_may_take_out` is true if the damage of the other effects can bring the status's bearer down.
    """
    kinds = {effect.kind for effect in others if effect.status != status}
    definitions = list(status_definitions_with_implied(world, status))
    bans = [ban for definition in definitions for ban in definition["bans"]]
    sources = [source for definition in definitions for source in definition["sources"]]
    if ROLL in kinds:
        return bool(bans or sources or any(definition["remaps"] for definition in definitions))
    if COMEBACK in kinds and any(item["on"] in ("comeback", "any") for item in sources):
        return True
    return damage_may_take_out and DAMAGE in kinds and any(ban["action"] == "act" for ban in bans)


def _zone_damage_effects(world: World, combatant: str) -> list[_TurnEffect]:
    fight = Fight(world)
    keys = [*zones_that_damage(fight, combatant)]
    hurting = [fight.zones[key] for key in keys]
    if not hurting:
        return []
    harm = sum(zone["damage"] for zone in hurting)
    label = DamageFrom(harm, AllOf([OfZone(key) for key in keys]))
    return [
        _TurnEffect(
            _zone_damage_effects,
            "zones",
            label,
            DAMAGE,
            lambda: take_zone_damage_at_turn_start(world, combatant),
            harm,
        )
    ]


def _recharge_effects(world: World, combatant: str) -> Iterator[_TurnEffect]:
    """Yield an effect for each spent power that a recharge roll may restore."""
    fight = Fight(world)
    for key in dict.fromkeys(fight.combatant(combatant).get("used", ())):
        power = world.book.powers[key]
        if "recharge" in power and not fight.is_out(combatant):
            play = partial(_roll_recharge_and_regain, world, combatant, key)
            yield _TurnEffect(
                (_roll_recharge_and_regain, key), last_part_of_id(key), Recharges(key), NOTE, play
            )


def _roll_recharge_and_regain(world: World, combatant: str, key: str) -> Procedure[None]:
    power = world.book.powers[key]
    faces: list[int] = yield Roll(1, 6, f"{power['name']} recharges", combatant)
    fight = Fight(world)
    yield world.tell(Noted(combatant, RechargeRolled(combatant, key, faces[0])))
    if faces[0] >= power["recharge"]:
        yield power_regained_fact(fight, combatant, key)


def _status_effects_and_endings(
    world: World, combatant: str, moment: str, duration_over: str
) -> list[_TurnEffect]:
    """Return the effects of a combatant's statuses at a moment.

    They include the end of each status that lasts until the moment. Harmful statuses end before all other
    effects, and helpful statuses after them.
    """
    if Fight(world).is_out(combatant):
        return []
    over = [
        status
        for status in statuses_given_to(world, combatant)
        if status["ends"] == duration_over
        and status.get("of", combatant) == combatant
        and not status.get("later")
    ]
    endings = [
        (_status_end_effect(world, combatant, status), world.book.statuses[status["id"]]["harmful"])
        for status in over
    ]
    return [
        *(effect for effect, harmful in endings if harmful),
        *_reaction_effects(world, combatant, moment),
        *(effect for effect, harmful in endings if not harmful),
    ]


def _status_end_effect(world: World, combatant: str, status: Status) -> _TurnEffect:
    return _TurnEffect(
        (ENDING, *sorted(status.items())),
        f"{last_part_of_id(status['id'])}-ends",
        Ends(status["id"]),
        ENDING,
        lambda: end_status(world, combatant, status["id"], only=status),
        status=status["id"],
    )


def _reaction_effects(world: World, combatant: str, moment: str) -> Iterator[_TurnEffect]:
    for reaction in reactions_to(world, combatant, moment):
        held = reaction.held
        kind, amount = _kind_and_amount_of_reaction(reaction)
        # Of a status whose highest instance counts, only one is played, whichever is the highest by then.
        alone = held.definition.get("stacks") == "highest"
        instance = [] if alone else [item for item in sorted(held.instance.items()) if item[0] != "value"]
        labels = {DAMAGE: DamageFrom(amount, held.reason), HEAL: HpFrom(amount, held.reason)}
        yield _TurnEffect(
            (held.id, reaction.number, *instance),
            last_part_of_id(held.id),
            labels.get(kind, held.reason),
            kind,
            partial(play_reaction_steps, world, Moment(moment, combatant), reaction),
            amount,
            held.id,
        )


def _kind_and_amount_of_reaction(reaction: Reaction) -> tuple[str, int]:
    """Return a reaction's kind of effect and its amount, such as the HP of damage or healing.

    If the reaction has a single step, its kind is the step's word, such as "damage". For a step that loses
    control, the kind is ROLL. The result is STEPS and 0 in three cases:
    - The reaction has several steps.
    - Its step affects others.
    - Its damage or healing has no known amount.

    `_effect_order_matters` uses the result.
    """
    step, *more = steps_of_reaction(reaction.definition)
    if more or step["to"] not in ("self", "target"):
        return STEPS, 0
    given: object = step.get("amount")
    if given == {"of": "value"}:
        given = reaction.held.instance.get("value")
    amount = given if isinstance(given, int) else 0
    kind = ROLL if step["do"] == "lose-control" else str(step["do"])
    return (STEPS, 0) if kind in (DAMAGE, HEAL) and not amount else (kind, amount)


def _play_comeback_roll(world: World, combatant: str) -> Procedure[ComebackData]:
    """Make the Comeback Roll of an Incapacitated combatant at the start of its turn (STR-TAC-16)."""
    rules = combat_numbers()["comeback"]
    reasons, modifiers = roll_reasons_from_effects(world, combatant, "comeback")
    rolled = yield from roll_die(combatant, "comeback", reasons, modifiers)
    total = clamp_total(rolled.total)
    result = "lost" if total in rules["lost_on"] else "back" if total in rules["back_on"] else "nothing"
    yield world.tell(ComebackRolled(combatant, rolled, result, rules["lost_hp"]))
    if result == "lost":
        yield from deal_damage(world, combatant, rules["lost_hp"], ComebackRoll())
    elif result == "back":
        yield from heal_combatant(world, combatant, rules["back_hp"], ComebackRoll())
    return {"roll": rolled.as_json(), "result": result}


class Stand(ActorArgs):
    """The arguments of `combat stand`.

    `trade` gives up the Attack Action if the Move Action is already used.
    """

    trade: bool = False


class Escape(Stand):
    """The arguments of `combat escape`: the combatant, and the full id of the status to escape from.

    If the id is "" and several statuses are possible, the player is asked.
    """

    status: str = ""


def play_turn(world: World, args: Args) -> Procedure[TurnData]:
    """Play `combat turn`: begin the next combatant's turn, with the effects at its start.

    Raises Refused if initiative hasn't been rolled or a turn is under way.
    """
    return (yield from begin_next_turn(world))


def begin_next_turn(world: World) -> Procedure[TurnData]:
    """Begin the next combatant's turn, and play the effects at its start.

    If the combatant's prepared action wasn't triggered, it is wasted. If the effects take the combatant out
    of the fight, the turn ends at once. Raises Refused if initiative hasn't been rolled, or if another turn
    is still under way.
    """
    fight = Fight(world)
    fight.must_have_initiative()
    active = fight.data.get("active")
    if active:
        raise AnotherPersonsTurn(fight.name(active), "`strike next` ends it.")
    combatant = fight.next_combatant()
    now = fight.data["round"]
    new_round = not fight.combatants_with_turns_left()
    sets: Sets = {"fight.active": combatant, "fight.turn": None, combatant_path(combatant, DELAYED): None}
    if new_round:
        now += 1
        sets["fight.round"] = now
    yield world.tell(TurnStarted(combatant, now, new_round), sets)
    if "prepared" in fight.combatant(combatant):
        yield world.tell(PreparedWasted(combatant), {combatant_path(combatant, "prepared"): None})
    comeback = yield from play_turn_start_effects(world, combatant)
    decided_by = Fight(world).decider(combatant)
    if decided_by != combatant:
        yield world.tell(Dominated(combatant, decided_by))
    data: TurnData = {
        "who": combatant,
        "round": now,
        "new_round": new_round,
        "comeback": comeback,
        "decided_by": decided_by,
        "by_hand": [
            f"{held.name}: {held.definition['by_hand']}"
            for held in effects_on(world, combatant)
            if "by_hand" in held.definition
        ],
    }
    if fight.is_out(combatant):
        yield world.tell(
            TurnEnded(combatant, cut=True), {"fight.active": None, **fight.turn_count_changes(combatant)}
        )
    return data


def play_end_turn(world: World, args: Args) -> Procedure[EndTurnData]:
    """Play `combat end-turn`: roll Saving Throws, then play the effects at the end of the turn.

    If damage was postponed, it is dealt first. Raises Refused if it is nobody's turn.
    """
    fight = Fight(world)
    combatant = fight.data.get("active")
    if not combatant:
        raise Refused(
            "It is nobody's turn." if fight.data["round"] else "Initiative has not been rolled.",
            "`strike next` begins the next." if fight.data["round"] else "`strike next` rolls initiative.",
        )
    yield from deal_postponed_damage(world)
    saves = yield from play_saving_throws(world, combatant)
    yield from play_turn_end_effects(world, combatant)
    sets = {"fight.active": None, "fight.turn": None, **fight.turn_count_changes(combatant)}
    yield world.tell(TurnEnded(combatant), sets)
    over = fight.fight_outcome()
    return {
        "who": combatant,
        "saves": saves,
        "next": None if over else fight.next_combatant(),
        "decided": over,
    }


def play_stand(world: World, args: Stand) -> Procedure[StandData]:
    """Play `combat stand`: stand up from Prone with a Move Action (STR-TAC-07).

    Raises Refused if the combatant is not Prone or can't stand up.
    """
    fight, combatant = Fight(world), args.who
    if not has_been_given_status(world, combatant, PRONE):
        lying = next((held for held in effects_on(world, combatant) if held.id == PRONE), None)
        if lying is None:
            raise Refused(f"{fight.name(combatant)} is not Prone.")
        why = world.book.statuses[str(lying.instance["id"])]["name"]
        raise CantStandUp(fight.name(combatant), why)
    if reason := effect_banning(world, combatant, "stand", 1):
        raise CantStandUp(fight.name(combatant), reason.name)
    action = fight.action_to_spend(combatant, "move", args.trade)
    yield world.tell(Stood(combatant), {f"fight.turn.{action}": fight.times_taken(action) + 1})
    yield from end_status(world, combatant, PRONE, "stands")
    return {"who": combatant, "action": action}


def play_escape(world: World, args: Escape) -> Procedure[EscapeData]:
    """Play `combat escape`: spend a Move Action on a roll against a status that an escape ends (STR-TAC-25).

    Raises Refused if the combatant has no such status.
    """
    fight, combatant = Fight(world), args.who
    held = [
        status
        for status in statuses_given_to(world, combatant)
        if status["ends"] == "escape" and args.status in ("", status["id"])
    ]
    if not held:
        raise Refused(f"{fight.name(combatant)} has nothing to escape from.")
    action = fight.action_to_spend(combatant, "move", args.trade)
    status = yield from _choose_status_to_escape(world, combatant, held)
    yield action_taken_fact(fight, combatant, action, "escape")
    rolled = yield from roll_die(combatant, "escape", *roll_reasons_from_effects(world, combatant, "escape"))
    ended = rolled.total >= world.book.house["escape_target"]
    yield world.tell(EscapeRolled(combatant, rolled, status["id"], ended))
    if ended:
        yield from end_status(world, combatant, status["id"], "silent", only=status)
    return {
        "who": combatant,
        "status": status["id"],
        "roll": rolled.as_json(),
        "ended": ended,
        "action": action,
    }


def _choose_status_to_escape(world: World, combatant: str, escapable: list[Status]) -> Procedure[Status]:
    if len(escapable) == 1:
        return escapable[0]
    keys = [
        f"{number}-{item.get('by') or last_part_of_id(item['id'])}"
        for number, item in enumerate(escapable, 1)
    ]
    labels = tuple(StatusIs(item["id"], by=item.get("by", "")) for item in escapable)
    about = EscapeFrom(combatant, world.book.house["escape_target"])
    return escapable[keys.index((yield Choose(combatant, "escape from", tuple(keys), labels, about=about)))]
