"""Damage, healing and their consequences, from Bloodied to Taken Out, and statuses (STR-TAC-10, 15, 17, 25).

Strikes and Miss Tokens are here, too. Begin with `deal_damage` and `heal_combatant`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from strike_cli.kernel.procedure import Happen, Procedure, Sets, World
from strike_cli.kernel.statements import (
    BeforeAfter,
    Clause,
    Reason,
    Said,
    clause_as_json,
    clause_from_json,
    say,
)
from strike_cli.problems import Refused
from strike_cli.registry.installed_plugins import load_plugin_word
from strike_cli.tabletop.active_effects import ActiveEffect, effects_on, halve_damage_if_effect_says
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker
from strike_cli.tabletop.rules_vocabulary import (
    DURATIONS,
    OF_TURNS,
    ROLL_KINDS,
    UNTIL,
    Duration,
    EndingFact,
    MomentKind,
)
from strike_cli.tabletop.turn_order import DELAYED

from .facts.effects_and_causes import AllOf, Because, Halves
from .facts.harm import (
    Damaged,
    DamageDue,
    FinalAction,
    FirstBloodied,
    GameMasterSays,
    Healed,
    HouseStrike,
    HpPaid,
    HpSet,
    StrikeTaken,
    TakenOut,
    TokenGained,
    WillTake,
)
from .facts.statuses import (
    Lasting,
    StatusAdded,
    StatusEnded,
    StatusGaining,
    StatusIs,
    StatusLasts,
    StatusNumber,
)
from .fight_state import (
    Fight,
    SeveralActorsArgs,
    adjusted_number_and_reasons,
    combatant_path,
    combatants_in,
    combine_results_as_first_and_others,
    fight_in,
    must_be_known_status,
)
from .rule_numbers import combat_numbers, highest_bloodied_hp
from .steps import SCENE

if TYPE_CHECKING:
    from typing import Protocol

    from strike_cli.tabletop.data import StatusHeld

    from .data import ContentOfFights, HpData, StrikesData, TokensData, WaitingDamage
    from .steps import StepTable

    class DurationClauseMaker(Protocol):
        """A class or function that makes the clause for a duration."""

        def __call__(
            self,
            ends: str,
            of: str = "",
            next: bool = False,
            *,
            until: str = "",
            words: str = "",
            after: str = "",
        ) -> Lasting:
            """Return the clause for a duration."""


def hp_change_result(hp_before: int, hp_after: int, taken_out: bool = False, amount: int = 0) -> HpData:
    """Return the result of damage or healing."""
    return {"hp_before": hp_before, "hp_after": hp_after, "taken_out": taken_out, "amount": amount}


def is_bloodied(world: World, hp: int, max_hp: int) -> bool:
    """Return whether HP are at most half of the maximum, rounded down.

    With the house rule `bloodied` set to `less-than-half`, they must be less than half (conflict C-1).
    """
    return hp <= highest_bloodied_hp(max_hp, world.book.house["bloodied"])


def deal_damage(
    world: World,
    target: str,
    amount: int,
    cause: Reason,
    *,
    by: str = "",
    keywords: Collection[str] = (),
    passed_on: bool = False,
) -> Procedure[HpData]:
    """Deal damage to a creature, and return the result.

    First, the creature's statuses change the amount, and then reactions do. A reaction may redirect the
    damage. Then another creature takes it, and the result is that creature's.

    Args:
        world: The world.
        target: The creature.
        amount: The damage before any changes.
        cause: The cause of the damage, in words or as a clause.
        by: The creature that causes the damage; "" if there is none.
        keywords: The keywords of the power that causes the damage.
        passed_on: The damage was redirected. Then no reaction may change it.
    """
    fight = Fight(world)
    amount, reasons = adjusted_number_and_reasons(fight, target, "taken", amount, by, keywords)
    from .reactions.reaction_events_and_moments import (  # screens show statuses without any
        ReactionEvent,
        play_reactions_to_event,
    )

    for kind in () if passed_on else ("harmed", "falls"):
        if not amount or (kind == "falls" and not would_bring_down(fight, target, amount)):
            continue
        what = WillTake(target, amount, cause)
        coming = yield from play_reactions_to_event(world, ReactionEvent(kind, by, target, what, amount))
        if (other := coming.redirected) and not fight.is_out(other):
            passed = Because(cause, coming.reasons)
            return (
                yield from deal_damage(
                    world, other, coming.amount, passed, by=by, keywords=keywords, passed_on=True
                )
            )
        amount = coming.amount
        reasons = [*reasons, *coming.reasons]
    return (yield from _take_damage_and_consequences(world, target, amount, cause, by, reasons))


def _take_damage_and_consequences(
    world: World, target: str, amount: int, cause: Reason, by: str, reasons: Sequence[Reason]
) -> Procedure[HpData]:
    fight = Fight(world)
    hp_before = int(fight.combatant(target)["hp"])
    if fight.is_out(target):  # a reaction may have taken it out
        return hp_change_result(hp_before, hp_before, True)
    if "threshold" in fight.combatant(target):
        yield _box_damage_fact(fight, target, amount, cause, by, tuple(reasons))
    else:
        hp = BeforeAfter(hp_before, hp_before - amount)
        yield world.tell(
            Damaged(target, amount, cause, hp, tuple(reasons), by), {combatant_path(target, "hp"): hp.after}
        )
    if not fight.is_out(target):  # a reaction to the damage may have taken it out
        yield from apply_hp_consequences(world, target)
    return hp_change_result(hp_before, fight.combatant(target)["hp"], fight.is_out(target), amount)


def damage_changed_by_attacker(
    fight: Fight, attacker: str, amount: int, target: str, keywords: Collection[str] = ()
) -> tuple[int, list[Reason]]:
    """Return the damage after changes by the attacker's statuses and traits, and the reasons for the changes.

    The target's statuses aren't applied here; `deal_damage` applies them.
    """
    amount, reasons = adjusted_number_and_reasons(fight, attacker, "dealt", amount, target, keywords)
    amount, halved = halve_damage_if_effect_says(fight.world, attacker, amount)
    return amount, [*reasons, *([Halves(halved.reason)] if halved else [])]


def would_bring_down(fight: Fight, combatant_id: str, amount: int) -> bool:
    """Return whether damage would reduce the HP, or boxes, of a creature from above 0 to 0 or less."""
    combatant = fight.combatant(combatant_id)
    lost = amount
    if "threshold" in combatant:
        lost = amount // combatant["threshold"] or int(bool(amount and combatant.get("dented")))
    return 0 < int(combatant["hp"]) <= lost


def _box_damage_fact(
    fight: Fight, target: str, amount: int, cause: Reason, by: str, reasons: Sequence[Reason]
) -> Happen:
    """Return the fact that a creature with boxes instead of HP takes damage (STR-TAC-27).

    The fact also changes the state: it marks boxes. Damage below the creature's threshold only dents the
    creature; if the creature is dented already, such damage marks a box and removes the dent.
    """
    combatant = fight.combatant(target)
    threshold, left = int(combatant["threshold"]), int(combatant["hp"])
    how, boxes, sets = "boxes", amount // threshold, Sets()
    if not boxes and combatant.get("dented"):
        boxes, sets = 1, {combatant_path(target, "dented"): None}
    elif not boxes:
        how, sets = ("dent", {combatant_path(target, "dented"): True}) if amount else ("nothing", {})
    boxes = min(boxes, left)
    if boxes:
        sets = {combatant_path(target, "hp"): left - boxes, **sets}
    hp, most = BeforeAfter(left, left - boxes), int(combatant["max_hp"])
    return fight.world.tell(
        Damaged(target, amount, cause, hp, reasons, by, how, threshold, boxes, most), sets
    )


def would_heal_nothing(fight: Fight, combatant: str, amount: int) -> bool:
    """Return whether healing by `amount` would leave a combatant's HP, or boxes, as they are."""
    return _hp_after_healing(fight, combatant, amount) == int(fight.combatant(combatant)["hp"])


def _hp_after_healing(fight: Fight, combatant_id: str, amount: int) -> int:
    """Return the HP, or boxes, that a combatant has after healing by `amount` HP (STR-TAC-15)."""
    combatant = fight.combatant(combatant_id)
    gained = amount // combatant.get("threshold", 1)
    return int(min(max(combatant["hp"], 0) + gained, combatant["max_hp"]))


def heal_combatant(world: World, combatant: str, amount: int, cause: Reason) -> Procedure[HpData]:
    """Heal a combatant, and return the result (STR-TAC-15).

    HP below 0 count as 0 before the healing, and the maximum is never exceeded.
    """
    fight = Fight(world)
    hp = BeforeAfter(int(fight.combatant(combatant)["hp"]), _hp_after_healing(fight, combatant, amount))
    told = Healed(combatant, hp.after - hp.before, cause, hp, _has_boxes(fight, combatant))
    yield world.tell(told, {combatant_path(combatant, "hp"): hp.after})
    yield from apply_hp_consequences(world, combatant)
    return hp_change_result(hp.before, hp.after)


def _has_boxes(fight: Fight, combatant: str) -> bool:
    return "threshold" in fight.combatant(combatant)


def set_hp_with_consequences(world: World, combatant: str, hp: int) -> Procedure[HpData]:
    """Set HP, or boxes, as the game master wants, with all consequences."""
    fight = Fight(world)
    before = int(fight.combatant(combatant)["hp"])
    yield world.tell(
        HpSet(combatant, BeforeAfter(before, hp), _has_boxes(fight, combatant)),
        {combatant_path(combatant, "hp"): hp},
    )
    yield from apply_hp_consequences(world, combatant)
    return hp_change_result(before, hp, fight.is_out(combatant))


def pay_hp(world: World, combatant: str, hp: int, for_what: Reason) -> Procedure[None]:
    """Make a combatant pay HP as the price for something, which `for_what` names.

    For a combatant that has boxes instead of HP, the number is in boxes. The loss isn't damage, but the
    combatant may become Bloodied or worse.
    """
    fight = Fight(world)
    left = int(fight.combatant(combatant)["hp"]) - hp
    yield world.tell(
        HpPaid(combatant, hp, for_what, left, _has_boxes(fight, combatant)),
        {combatant_path(combatant, "hp"): left},
    )
    yield from apply_hp_consequences(world, combatant)


def apply_hp_consequences(world: World, combatant_id: str) -> Procedure[None]:
    """Add and end the statuses that depend on a combatant's HP, or take the combatant out."""
    fight = Fight(world)
    combatant = fight.combatant(combatant_id)
    hp = combatant["hp"]
    down = hp <= 0
    # Creatures are Taken Out at once at 0 (STR-TAC-15).
    if hp <= (combat_numbers()["defaults"]["taken_out_at"] if fight.is_player(combatant_id) else 0):
        yield from _take_out_with_house_strikes(world, combatant_id)
        return
    bloodied = is_bloodied(world, hp, combatant["max_hp"])
    if bloodied and not has_been_given_status(world, combatant_id, BLOODIED):
        yield from add_status_by_stacking_rule(world, combatant_id, {"id": BLOODIED, "ends": "permanent"})
        yield from _record_first_bloodied_by_house_rule(world, combatant_id)
    elif not bloodied and has_been_given_status(world, combatant_id, BLOODIED):
        yield from end_status(world, combatant_id, BLOODIED)
    if down and not has_been_given_status(world, combatant_id, INCAPACITATED):
        yield from add_status_by_stacking_rule(
            world, combatant_id, {"id": INCAPACITATED, "ends": "permanent"}
        )
        yield from _give_strike_by_house_rule(world, combatant_id, "incapacitated")
    elif not down and has_been_given_status(world, combatant_id, INCAPACITATED):
        yield from end_status(world, combatant_id, INCAPACITATED, "back")
        # Ruling on STR-TAC-16: Stunned ends with it, Prone stays.
        yield from add_status_by_stacking_rule(
            world, combatant_id, {"id": PRONE, "ends": "permanent"}, silent=True
        )


def _take_out_with_house_strikes(world: World, combatant: str) -> Procedure[None]:
    yield from _record_first_bloodied_by_house_rule(world, combatant)
    if not has_been_given_status(world, combatant, INCAPACITATED):
        yield from _give_strike_by_house_rule(world, combatant, "incapacitated")  # one blow may do both
    yield world.tell(
        TakenOut(combatant),
        {
            combatant_path(combatant, "out"): "taken-out",
            **changes_clearing_removed_combatant(Fight(world), combatant),
        },
    )
    yield from _give_strike_by_house_rule(world, combatant, "taken-out")
    yield from end_effects_waiting_for_turn_of(world, combatant)


def changes_clearing_removed_combatant(fight: Fight, combatant: str) -> Sets:
    """Return the changes that clear the table of a combatant which is out of the fight.

    They clear its square, its statuses, its prepared action and its delay. With fog of war, they also record
    whether it was unseen when it left the map. The mark `out` isn't among them.
    """
    sets: Sets = {combatant_path(combatant, key): None for key in ("at", "statuses", "prepared", DELAYED)}
    if "seen" in fight.data and fight.is_on_map(combatant):
        from strike_cli.tabletop.fog import parse_seen_squares

        unseen = parse_seen_squares(fight.data["seen"]).isdisjoint(fight.squares_of(combatant))
        sets[combatant_path(combatant, "gone_unseen")] = unseen or None
    return sets


def end_effects_waiting_for_turn_of(world: World, combatant: str) -> Procedure[None]:
    """End the statuses and zones that wait for a turn of `combatant`.

    It is called for a combatant who takes no more turns.
    """
    yield from end_statuses_waiting_for_turn_of(world, combatant)
    if Fight(world).zones:
        from .board import zones

        yield from zones.end_zones_that_depend_on_departed(world, combatant)


def _record_first_bloodied_by_house_rule(world: World, combatant: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and not world.get(combatant_path(combatant, "was_bloodied")):
        yield world.tell(FirstBloodied(combatant), {combatant_path(combatant, "was_bloodied"): True})
        yield from _give_strike_by_house_rule(world, combatant, "first-bloodied")


def _give_strike_by_house_rule(world: World, combatant: str, why: str) -> Procedure[None]:
    if world.book.house["hp_strikes"] and Fight(world).is_player(combatant):
        yield from give_strikes(world, combatant, HouseStrike(why))


# Damage that waits for a final action (STR-TAC-25)


def postpone_damage_until_final_action(
    world: World, combatant: str, amount: int, why: Reason
) -> Procedure[None]:
    """Postpone damage that would bring a combatant down, until it has taken one final action."""
    due = _postponed_damage(world) or {"who": combatant, "amount": 0, "why": []}
    before = [due["why"]] if isinstance(due["why"], str) else due["why"]
    whys = [*before, clause_as_json(Said(why) if isinstance(why, str) else why, GameMasterSpeaker())]
    kept = {"who": combatant, "amount": amount + due["amount"], "why": whys}
    yield world.tell(DamageDue(combatant, why), {"fight.due": kept})


def _postponed_damage(world: World) -> WaitingDamage | None:
    fight = fight_in(world.state)
    return fight.get("due") if fight else None


def deal_postponed_damage(world: World) -> Procedure[None]:
    """Deal the damage that was postponed until a final action, if there is any."""
    due = _postponed_damage(world)
    if not due:
        return
    yield world.tell(FinalAction(due["who"]), {"fight.due": None})
    if not Fight(world).is_out(due["who"]):
        # A fight of an older strike has the causes as text.
        why = due["why"]
        causes = [clause_from_json(one) for one in ([why] if isinstance(why, str) else why)]
        yield from deal_damage(world, due["who"], due["amount"], AllOf(causes))


class GiveStrikes(SeveralActorsArgs):
    """The arguments of `combat strike`: players' characters, and the number `n` of Strikes for each."""

    n: int = 1
    why: str = ""


class GiveMissTokens(SeveralActorsArgs):
    """The arguments of `combat token`: players' characters, and the number `n` of Miss Tokens for each."""

    RETIRED = ("why",)

    n: int = 1


def give_strikes(world: World, combatant: str, why: Reason, count: int = 1) -> Procedure[None]:
    """Give a player's character Strikes (STR-TAC-17)."""
    fight = Fight(world)
    strikes = fight.combatant(combatant).get("strikes", 0) + count
    yield world.tell(StrikeTaken(combatant, strikes, why), {combatant_path(combatant, "strikes"): strikes})


def give_miss_tokens(world: World, combatant: str, count: int) -> Procedure[None]:
    """Give a player's character Miss Tokens (STR-TAC-10)."""
    fight = Fight(world)
    tokens = fight.combatant(combatant).get("miss_tokens", 0) + count
    yield world.tell(
        TokenGained(combatant, count, tokens), {combatant_path(combatant, "miss_tokens"): tokens}
    )


def play_strike(world: World, args: GiveStrikes) -> Procedure[StrikesData]:
    """Play `combat strike`: give players' characters Strikes (STR-TAC-17).

    Raises Refused for anybody else.
    """
    people = [_must_be_player(Fight(world), combatant, "Strikes") for combatant in args.people()]
    for combatant in people:
        yield from give_strikes(world, combatant, Said(args.why) if args.why else GameMasterSays(), args.n)
    return cast(
        "StrikesData",
        combine_results_as_first_and_others(
            {combatant: {"strikes": world.get(combatant_path(combatant, "strikes"))} for combatant in people}
        ),
    )


def play_token(world: World, args: GiveMissTokens) -> Procedure[TokensData]:
    """Play `combat token`: give players' characters Miss Tokens (STR-TAC-10).

    Raises Refused for anybody else.
    """
    people = [_must_be_player(Fight(world), combatant, "Miss Tokens") for combatant in args.people()]
    for combatant in people:
        yield from give_miss_tokens(world, combatant, args.n)
    return cast(
        "TokensData",
        combine_results_as_first_and_others(
            {
                combatant: {"miss_tokens": world.get(combatant_path(combatant, "miss_tokens"))}
                for combatant in people
            }
        ),
    )


def _must_be_player(fight: Fight, combatant: str, resource: str) -> str:
    if not fight.is_player(combatant):
        raise Refused(f"{fight.name(combatant)} can't have {resource}: only players' characters can.")
    return combatant


BLOODIED = "core:bloodied"
INCAPACITATED = "core:incapacitated"
PRONE = "core:prone"

Status: TypeAlias = "StatusHeld"
"""A status that a combatant has, as the state stores it.

It has `id` and `ends`, and it may have `by`, `of`, `until`, `later` and `value`.
"""


def statuses_given_to(world: World, combatant: str) -> Sequence[Status]:
    """Return the statuses that were given to a combatant, without the statuses that these imply."""
    one = combatants_in(world.state).get(combatant)
    return (one.get("statuses") if one else None) or ()


def has_been_given_status(world: World, combatant: str, status: str) -> bool:
    """Return whether a combatant was given a status; being implied by another doesn't count."""
    return any(item["id"] == status for item in statuses_given_to(world, combatant))


def has_incapacitated_status_or_is_out(world: World, combatant: str) -> bool:
    """Return whether a combatant is Incapacitated or out of the fight."""
    return has_been_given_status(world, combatant, INCAPACITATED) or "out" in world.get(
        f"fight.combatants.{combatant}", ()
    )


def statuses_to_save_against(world: World, combatant: str) -> list[Status]:
    """Return the statuses of a combatant that a Saving Throw ends."""
    return [status for status in statuses_given_to(world, combatant) if status["ends"] == "save"]


def ids_of_harmful_temporary_statuses(world: World, combatant: str) -> list[str]:
    """Return the ids of a combatant's harmful statuses, except permanent ones such as Bloodied."""
    held = [item["id"] for item in statuses_given_to(world, combatant) if item["ends"] != "permanent"]
    return [status for status in held if world.book.statuses[status]["harmful"]]


def duration_named(book: object, word: str) -> Duration:
    """Return the duration called `word`, which is in the rules or is added by a plugin."""
    found: Duration = DURATIONS.get(word) or load_plugin_word(book, "durations", word)
    return found


def ending_event_named(book: object, word: str) -> EndingFact | MomentKind:
    """Return the fact or moment called `word` that ends an effect.

    It is one of strike's own (UNTIL), or one that a plugin adds.
    """
    found: EndingFact | MomentKind = UNTIL.get(word) or load_plugin_word(book, "moments", word)
    return found


def duration_and_until_keys_of_step(book: ContentOfFights, ends: str, until: str = "") -> dict[str, str]:
    """Return the keys `duration` and `until` of a step that gives a status.

    `ends` says when the status ends. If `ends` names a duration, `duration` is that name. If `ends` names a
    fact or a moment, `duration` is "until", and `until` is that name. Only older journals have the argument
    `until`.
    """
    if ends in UNTIL or ends in book.moments:
        return {"duration": "until", "until": ends}
    return {"duration": ends, "until": until}


def make_status(fight: Fight, given: StepTable, giver: str, turns_of: str) -> Status:
    """Return a new instance of a status. No creature has it yet.

    Args:
        fight: The fight.
        given: A table with the status's id and its duration. It may also have a number (`amount`), and the
            moment at which the status ends (`until`).
        giver: The giver of the status; "" for none.
        turns_of: The combatant whose turns count. With the duration `turn-end`, the status lasts until the
            end of this combatant's next turn, even if the combatant has the turn now. With `this-turn`, it
            lasts until the end of the turn under way, whoever has the turn. If nobody has the turn,
            `this-turn` means the next turn of `turns_of`.
    """
    must_be_known_status(fight.world, given["status"])
    status: Status = {"id": given["status"], "ends": given["duration"]}
    if giver:
        status["by"] = giver
    active = fight.data.get("active")
    if status["ends"] == "this-turn":
        status |= {"ends": "turn-end", "of": active or turns_of}
    elif status["ends"] in OF_TURNS:
        status["of"] = turns_of
        if status["ends"] == "turn-end" and active == turns_of:
            status["later"] = True
    if until := given.get("until") or duration_named(fight.world.book, status["ends"]).until:
        status["until"] = until
    amount = given.get("amount")
    if isinstance(amount, int):
        status["value"] = amount
    return status


def add_status_by_stacking_rule(
    world: World, combatant: str, status: Status, silent: bool = False
) -> Procedure[bool]:
    """Give a combatant a status, by the status's stacking rule; return whether anything changed.

    With `silent`, nothing is reported.
    """
    definition = world.book.statuses[status["id"]]
    stacks = definition["stacks"]
    same = [
        item
        for item in statuses_given_to(world, combatant)
        if item["id"] == status["id"] and _replaces_status(stacks, status, item)
    ]
    if same and stacks == "highest" and same[0].get("value", 0) >= status.get("value", 0):
        return False
    if same and stacks == "once" and _duration_rank(world, same[0]) > _duration_rank(world, status):
        return False  # the one that lasts longer stays
    if status in same:
        return False
    if any(reaction["on"] == "gaining" for reaction in definition["reactions"]):
        yield world.tell(StatusGaining(combatant, status["id"], status.get("by", "")))
        if Fight(world).is_out(combatant):
            return False
    others = [item for item in statuses_given_to(world, combatant) if item not in same]
    told = StatusAdded(combatant, status["id"], silent=True)
    if not silent:
        lasts, noun = duration_clause(Fight(world), combatant, status), bool(definition.get("noun"))
        told = StatusAdded(combatant, status["id"], status.get("value"), lasts, noun=noun)
    yield world.tell(told, {combatant_path(combatant, "statuses"): [*others, status]})
    return True


def _duration_rank(world: World, status: Status) -> tuple[int, bool]:
    """Return a sort key for a status by its duration; a longer duration has the higher key."""
    return duration_named(world.book, status["ends"]).rank, bool(status.get("later"))


def _replaces_status(stacks: str, status: Status, other: Status) -> bool:
    """Return whether a new instance of a status replaces the instance `other`, by the stacking rule `stacks`.

    "once" always replaces. "by-source" replaces an instance of the same giver. "highest" replaces an instance
    of the same giver and duration; other instances stay, and only the highest number counts (STR-TAC-25).
    """
    alike = {"once": (), "by-source": ("by",), "highest": ("by", "ends", "of", "until", "later")}[stacks]
    return all(status.get(key) == other.get(key) for key in alike)


def end_status(
    world: World, combatant: str, status: str, how: str = "", only: Status | None = None
) -> Procedure[None]:
    """End all of a combatant's instances of a status, or only the instance `only`.

    `how` selects the words of the report (see `StatusEnded`).
    """
    left = [
        item
        for item in statuses_given_to(world, combatant)
        if item["id"] != status or (only and item != only)
    ]
    noun = bool(world.book.statuses.get(status, {}).get("noun"))
    yield world.tell(
        StatusEnded(combatant, status, how, noun), {combatant_path(combatant, "statuses"): left or None}
    )


def set_status_number_or_end(
    world: World, combatant: str, status: Status, new_number: int
) -> Procedure[None]:
    """Set the number of one instance of a status. If the new number is 0, end this instance."""
    if not new_number:
        yield from end_status(world, combatant, status["id"], only=status)
        return
    told = StatusNumber(combatant, status["id"], int(status.get("value", 0)), new_number)
    held = [
        {**item, "value": new_number} if item == status else item
        for item in statuses_given_to(world, combatant)
    ]
    yield world.tell(told, {combatant_path(combatant, "statuses"): held})


def find_status_instance_of_any_number(
    world: World, combatant: str, instance: Mapping[str, object]
) -> Status | None:
    """Return the current data of a combatant's status that was read earlier; None if it has ended.

    `instance` is the data that was read earlier. The status's number may have changed since then.
    """
    same = ("id", "by", "ends", "of", "until")
    return next(
        (
            item
            for item in statuses_given_to(world, combatant)
            if all(item.get(key) == instance.get(key) for key in same)
        ),
        None,
    )


def end_or_unmark_statuses_at_turn(world: World, moment: str, whose_turn: str) -> Procedure[None]:
    """End the statuses of other combatants that last until a certain moment of somebody's turn.

    A status with the mark `later` doesn't end now. It loses the mark, so that it ends at the same moment of
    the next turn. A status gets the mark if it lasts until the end of a turn and was given during that turn.

    The statuses of the combatant whose turn it is don't end here, but they can lose the mark, too.

    Args:
        world: The world of the fight.
        moment: The moment, `turn-start` or `turn-end`.
        whose_turn: The combatant whose turn it is.
    """
    for combatant in list(Fight(world).still_in_fight()):
        for status in statuses_given_to(world, combatant):
            if status["ends"] != moment or status.get("of", combatant) != whose_turn:
                continue
            if status.get("later"):
                # A status given on the very turn whose end it waits for lasts until the end of the next.
                later = {key: value for key, value in status.items() if key != "later"}
                held = [later if item == status else item for item in statuses_given_to(world, combatant)]
                yield world.tell(StatusLasts(combatant), {combatant_path(combatant, "statuses"): held})
            elif combatant != whose_turn:
                yield from end_status(world, combatant, status["id"], only=status)


def end_statuses_waiting_for_turn_of(world: World, turn_of: str) -> Procedure[None]:
    """End the statuses that last until a turn of the creature `turn_of`.

    This is called when the creature takes no more turns.
    """
    for combatant in list(Fight(world).still_in_fight()):
        for status in statuses_given_to(world, combatant):
            if status.get("of") == turn_of and status["ends"] in OF_TURNS:
                yield from end_status(world, combatant, status["id"], only=status)


# In words


def statuses_and_conditions_in_words(world: World, combatant: str) -> list[str]:
    """Return a combatant's statuses, each with its duration, and its Conditions in words.

    Hiding comes first. Statuses that other statuses imply are left out.
    """
    return list(_words_for_hiding_and_all_statuses(Fight(world), combatant))


def _words_for_hiding_and_all_statuses(fight: Fight, combatant_id: str) -> Iterator[str]:
    combatant = fight.combatant(combatant_id)
    if combatant.get("hidden"):
        yield "Hidden"
    elif "hiding" in combatant:
        yield "hiding"
    yield from (status_in_words(fight, combatant_id, status) for status in combatant.get("statuses", ()))
    for held in effects_on(fight.world, combatant_id):
        if not held.instance and held.id in fight.world.book.conditions:
            rounds = _rolls_affected_in_one_round_words(fight.world.book, held)
            yield f"{held.name} ({rounds})" if rounds else held.name


def _rolls_affected_in_one_round_words(book: object, held: ActiveEffect) -> str:
    """Return the rolls that a Condition affects in one round only: `attacks in round 1`.

    It is "" if there are none.
    """
    found: dict[int, list[str]] = {}
    for source in held.definition["sources"]:
        if "round" in source:
            kind = ROLL_KINDS.get(source["on"]) or load_plugin_word(book, "rolls", source["on"])
            found.setdefault(source["round"], []).append(kind)
    return "; ".join(f"{', '.join(rolls)} in round {number}" for number, rolls in found.items())


def status_in_words(fight: Fight, combatant: str, status: Status) -> str:
    """Return a status in words: `Ongoing damage 2 by Goblin (save ends)`."""
    return _say_clause_to_game_master(fight, status_clause(fight, combatant, status))


def status_clause(fight: Fight, combatant: str, status: Status) -> StatusIs:
    """Return a clause for a combatant's status, with its number, giver and duration."""
    lasts = duration_clause(fight, combatant, status)
    return StatusIs(status["id"], status.get("value") or None, status.get("by", ""), lasts)


def status_name_with_number(fight: Fight, status: Status) -> str:
    """Return a status's name, with its number if it has one: `Ongoing damage 2`."""
    return _say_clause_to_game_master(fight, StatusIs(status["id"], status.get("value") or None))


def status_end_in_words(fight: Fight, combatant: str, status: Status) -> str:
    """Return the end of a combatant's status in words: `save ends`; "" for a permanent status."""
    lasts = duration_clause(fight, combatant, status)
    return _say_clause_to_game_master(fight, lasts).removeprefix("(").removesuffix(")") if lasts else ""


def duration_clause(
    fight: Fight, combatant: str, status: Status, clause_class: DurationClauseMaker = Lasting
) -> Lasting | None:
    """Return a clause of class `clause_class` for a status's duration; None for a permanent status."""
    ends, of = status["ends"], status.get("of", combatant)
    if ends == "permanent":
        return None
    if ends in OF_TURNS:
        now = fight.data.get("active") == of and not status.get("later")
        return clause_class(ends, of, ends == "turn-start" or not now)
    if ends == "until":
        until = status["until"]
        words = "" if until in UNTIL else ending_event_named(fight.world.book, until).standing
        return clause_class(ends, until=until, words=words)
    if ends in DURATIONS:
        return clause_class(ends)
    words, turn, after = duration_named(fight.world.book, ends).standing.partition("{}")
    return clause_class(
        ends, of if turn else "", words=words.format(scene=SCENE), after=after.format(scene=SCENE)
    )


def _say_clause_to_game_master(fight: Fight, clause: Clause) -> str:
    return say(clause, GameMasterSpeaker(fight.world.book, [fight.world.state])) or ""
