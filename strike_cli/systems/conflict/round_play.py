"""A round of a conflict (STR-TC-04 to 08, 16).

The module has the reveal, the bonuses, the dice and their consequences, and the later decision about a Hit.
Begin with `play_roll`, which takes three steps: `reveal_and_ready_both_sides`, `roll_add_bonuses_and_compare`
and `report_and_play_round_consequences`. The computation of odds takes the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Choose, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.tabletop.characters_and_names import display_name, slug
from strike_cli.tabletop.dice import Modifier, Rolled

from .conflict_under_way import (
    LIMITS,
    active_members,
    active_traits,
    are_players_on_both_sides,
    bonus_for_coming_round,
    chosen_actions,
    current_or_ended_conflict,
    give_bonus,
    is_team_of_players,
    other_side,
    people_without_action,
    read_regain_choice,
    regain_wanted_else_strike_else_trait,
    require_conflict,
    side_in,
    side_name,
    side_path,
    strikes_by_side,
    trait_effects,
    trait_with_effect,
)
from .endings import conflict_aftermath
from .facts import (
    BonusAfter,
    BonusBefore,
    ComesTo,
    ConflictRevealed,
    ConflictStockUsed,
    OfAHit,
    OfPreparation,
    OfTeamTrait,
    Totals,
    WasChosen,
)
from .hits import (
    ABLATE,
    DRAIN,
    STRIKE,
    find_hit_option,
    give_strike_and_let_opponents_drain,
    has_undecided_hit,
    hit_decided_fact,
    hit_options,
    let_opponents_regain_by_draining,
    trait_lost_fact,
)
from .roll_modifiers import RollsOfConditionsAndFlaws, must_name_conditions_or_flaws, side_ready_to_roll
from .round_consequences import (
    REST,
    THEIRS_FIRST,
    deal_hits_of_outcome_and_traits,
    dice_to_scout_next_round,
    finish_round_and_get_conflict,
    hits_by_actions,
    play_rest_of_round,
    read_trait_recovery_choice,
    strikes_that_winning_costs,
)
from .round_dice import (
    Contest,
    Rolls,
    RoundSide,
    compare_rolls,
    house_rule_lets_double_tie_kill,
    report_round,
    roll_double_tie_event,
    roll_or_use_scouted_dice_of_sides,
    single_tie_rule,
)
from .rule_numbers import ROLLS, SIDES, WhichRoll, WhichSide

if TYPE_CHECKING:
    from .data import ConflictHitData, ConflictRollData, RestOfRound

KEEP = "keep"
STOCK_UP_REASON = OfPreparation("stock-up")
ChosenBonuses = dict[str, dict[str, list[Modifier]]]


class RollConflictRound(Args):
    """The arguments of `conflict roll`.

    Attributes:
        weigh: The choice of the roll that each Condition and Flaw affects.
        dis: The reasons for Disadvantage on our rolls, by roll.
        stock: The roll that gets a Stock Up, by side. It has only sides that use a Stock Up before the dice
            are rolled.
        recover: What a trait like Recovery restores.
    """

    weigh: RollsOfConditionsAndFlaws = RollsOfConditionsAndFlaws()
    dis: Mapping[str, Sequence[str]] = {}
    stock: Mapping[str, WhichRoll] = {}
    recover: str = ""


def play_roll(world: World, args: RollConflictRound) -> Procedure[ConflictRollData]:
    """Play `conflict roll`: the round, once everybody has chosen an action.

    Raises Refused if somebody has no action yet, or if a side would use a Stock Up that it doesn't have.
    """
    sides = yield from reveal_and_ready_both_sides(world, args)
    contest = yield from roll_add_bonuses_and_compare(world, sides)
    return (yield from report_and_play_round_consequences(world, args.recover, contest))


def reveal_and_ready_both_sides(world: World, args: RollConflictRound) -> Procedure[dict[str, RoundSide]]:
    """Reveal the secret actions of a round, and return both sides, ready to roll.

    First, the previous round is finished. After the actions are revealed, the sides are asked for bonuses
    that must be chosen before the dice. `args.stock` names the sides that use a Stock Up.

    Raises Refused if the round can't be rolled yet: for example, a Hit waits for a decision, or somebody
    hasn't chosen an action. Raises Refused also if a side has no Stock Up to use.
    """
    yield from finish_round_and_get_conflict(world)
    must_have_all_actions_and_members(world)
    must_name_conditions_or_flaws(world, args.weigh)
    for side in SIDES:
        read_trait_recovery_choice(world, side, args.recover)
        if side in args.stock and "before" not in side_in(world, side).get("stock", ()):
            raise Refused("Nothing is stocked up.", "Stock Up is a preparatory action.")
    for side in THEIRS_FIRST:
        if are_players_on_both_sides(world) or not is_team_of_players(world, side):
            picked = [
                WasChosen(one.item["action"], one.who, one.item.get("came", ""))
                for one in chosen_actions(world, side)
            ]
            yield world.tell(ConflictRevealed(side, picked))
    extra: ChosenBonuses = {side: {which: [] for which in ROLLS} for side in SIDES}
    for side in THEIRS_FIRST:
        for name, does in active_traits(world, side):
            if does.get("either_when") == "before":
                about = BonusBefore(side, name, does["either"])
                asked = Choose(side_name(world, side), slug(name), ROLLS, data={"side": side}, about=about)
                which = yield asked
                extra[side][which].append(Modifier(does["either"], OfTeamTrait(name)))
        if side in args.stock:
            yield from _spend_stock_up(world, side, "before")
            extra[side][args.stock[side]].append(Modifier(LIMITS["stock"], STOCK_UP_REASON))
    dis = {"ours": args.dis, "theirs": {}}
    return {side: side_ready_to_roll(world, side, args.weigh, dis[side], extra[side]) for side in SIDES}


def must_have_all_actions_and_members(world: World) -> None:
    """Raise Refused if somebody hasn't chosen an action, or if a team has no members left.

    If somebody hasn't chosen, the message names them.
    """
    waits = [display_name(world, person) for side in SIDES for person in people_without_action(world, side)]
    if waits:
        raise Refused(
            f"Not everybody has chosen an action: {listed(waits)}.",
            "`strike conflict act WHO ACTION`; to pass: `strike conflict act WHO pass`.",
        )
    if not is_team_of_players(world, "theirs") and not side_in(world, "theirs").get("opposition"):
        raise Refused(
            f"{side_name(world, 'theirs')} has chosen no action.",
            "`strike conflict oppose ACTION`, in secret.",
        )
    for side in SIDES:
        if is_team_of_players(world, side) and not active_members(world, side):
            raise Refused(
                f"Nobody of {side_name(world, side)} is left.",
                f"`strike conflict concede{' --theirs' if side == 'theirs' else ''}` concedes for them.",
            )


def roll_add_bonuses_and_compare(world: World, sides: Mapping[str, RoundSide]) -> Procedure[Contest]:
    """Roll the dice of a round, add bonuses, compare the totals, and return the result.

    Certain traits, and Stock Up, give a bonus that is added after the dice are rolled. A side with such a
    bonus is asked which of its rolls gets it.
    """
    rolls = yield from roll_or_use_scouted_dice_of_sides(sides)
    for side in THEIRS_FIRST:
        for name, does in active_traits(world, side):
            if does.get("either_when") == "after":
                yield from _ask_to_add_bonus_after_dice(world, rolls, side, does["either"], name)
        if "after" in side_in(world, side).get("stock", ()):
            used = yield from _ask_to_add_bonus_after_dice(world, rolls, side, LIMITS["stock"])
            if used:
                yield from _spend_stock_up(world, side, "after")
    return _compare_by_rules(world, rolls)


def _compare_by_rules(world: World, rolls: Rolls) -> Contest:
    fated = [side for side in SIDES if trait_with_effect(world, side, "ties")]
    return compare_rolls(rolls, single_tie_rule(world), fated)


def _ask_to_add_bonus_after_dice(
    world: World, rolls: Rolls, side: str, value: int, name: str = ""
) -> Procedure[bool]:
    """Ask a side which of its rolls gets a bonus, after the dice are rolled (STR-TC-07, 14, 16).

    The bonus is that of the trait `name`. If `name` is "", it is a Stock Up, which the side may also save for
    later. The bonus is added to `rolls`. Returns whether it was used.
    """
    key, why = (slug(name), OfTeamTrait(name)) if name else (STOCK_UP_REASON.action, STOCK_UP_REASON)

    def rolls_with_bonus(which: str) -> Rolls:
        old = rolls[side][which]
        new = Rolled(
            old.who, old.purpose, old.faces, old.mode, old.sources, [*old.modifiers, Modifier(value, why)]
        )
        return {**rolls, side: {**rolls[side], which: new}}

    comes_to = {KEEP: _compare_by_rules(world, rolls).outcome} if not name else {}
    comes_to |= {which: _compare_by_rules(world, rolls_with_bonus(which)).outcome for which in ROLLS}
    shown = tuple(ComesTo(option, value, outcome) for option, outcome in comes_to.items())
    data = {"side": side, "comes_to": comes_to}
    ours, theirs = (Totals(*(rolls[each][which].total for which in ROLLS)) for each in SIDES)
    about = BonusAfter(side, value, ours, theirs, name)
    taken = yield Choose(side_name(world, side), key, tuple(comes_to), shown, data, about=about)
    if taken == KEEP:
        return False
    rolls[side] = rolls_with_bonus(taken)[side]
    return True


def _spend_stock_up(world: World, side: str, kind: str) -> Procedure[None]:
    left = list(side_in(world, side).get("stock", []))
    left.remove(kind)
    yield world.tell(ConflictStockUsed(side, LIMITS["stock"]), {side_path(side, "stock"): left or None})


def report_and_play_round_consequences(
    world: World, recover: str, contest: Contest
) -> Procedure[ConflictRollData]:
    """Play the consequences of a round's dice (STR-TC-07).

    They are Hits, effects of actions and traits, and the next round or the end of the conflict. If somebody
    has to decide the effect of a Hit, the consequences after that Hit are played later. `recover` is what a
    trait like Recovery regains: "strike", a lost trait's name, "none", or "" for the usual choice.
    """
    scene, verdict = current_or_ended_conflict(world), contest.verdict()
    opposition = scene["theirs"].get("opposition")
    opposed = opposition["action"] if opposition else None
    tied = None
    if contest.outcome == "double-tie":
        tied = yield from roll_double_tie_event(
            house_rule_lets_double_tie_kill(world, bool(scene.get("death"))), scene.get("swaps")
        )
    shield = (
        trait_with_effect(world, verdict.conflict_loser, "hit_for_loss") if verdict.conflict_loser else ""
    )
    yield from report_round(world, contest, tied, shield)
    over = contest.outcome == "double-tie" or bool(verdict.conflict_loser and not shield)
    scouts: dict[str, int] = {side: dice_to_scout_next_round(world, side) for side in SIDES}
    costly = strikes_that_winning_costs(world, verdict.conflict_loser) if over else 0
    hits = yield from deal_hits_of_outcome_and_traits(world, verdict, shield)
    hits += [side for side, _ in hits_by_actions(world, verdict)]
    rest: RestOfRound = {
        "outcome": verdict.outcome,
        "counts_as": verdict.counts_as,
        "margins": verdict.margins,
        "recover": recover,
        "over": over,
        "costly": costly,
    }
    yield from play_rest_of_round(world, rest)
    held_up = has_undecided_hit(world)
    return {
        "round": scene["round"],
        **contest.as_data(),
        "hits": hits,
        "opposition": opposed,
        "double_tie": tied,
        "strikes": strikes_by_side(world),
        "hits_due": {side: side_in(world, side).get("hits_due", 0) for side in SIDES},
        "scouts": scouts,
        "ended": over,
        "aftermath": conflict_aftermath(world) if over and not held_up else None,
    }


# A Hit whose effect has to be decided


class DecideHit(Args):
    """The arguments of `conflict hit`: what a Hit does to the team `side`.

    `what` is the effect: "strike", the name of a trait that is lost, "ablate" or "drain". `recover` is what
    the opponents regain if they have Draining: "strike", a lost trait, "none", or "" for the default.
    """

    side: WhichSide
    what: str
    recover: str = ""


def play_hit(world: World, args: DecideHit) -> Procedure[ConflictHitData]:
    """Play `conflict hit`: the effect of a Hit on a side, chosen by its opponents (STR-TC-06).

    Raises Refused if no Hit on that side is undecided, or if the Hit can't have this effect.
    """
    require_conflict(world, may_have_ended=True)
    side = args.side
    if not side_in(world, side).get("hits_due", 0):
        name = side_name(world, side)
        raise Refused(
            f"No Hit on {name[0].lower() + name[1:]} is undecided.",
            "A Hit that can only be a Strike is one at once.",
        )
    what = find_hit_option(world, side, args.what)
    recover = read_regain_choice(world, other_side(side), args.recover)
    yield hit_decided_fact(world, side)
    if what == STRIKE:
        yield from give_strike_and_let_opponents_drain(world, side, OfAHit(), recover)
    elif what == ABLATE:
        # The round after the Hit's, or the current one where that round is over, or before the first.
        by = trait_with_effect(world, other_side(side), "ablates")
        ahead = 1 if world.get(REST) else 0
        less = bonus_for_coming_round(
            world, "defense", trait_effects(world, by)["ablates"], OfTeamTrait(by), ahead=ahead
        )
        yield from give_bonus(world, side, less, is_for_this_round=not ahead)
    elif what == DRAIN:
        by = next(
            name for name, does in active_traits(world, other_side(side)) if does.get("drains") == "instead"
        )
        yield from regain_wanted_else_strike_else_trait(world, other_side(side), recover, OfTeamTrait(by))
    else:
        yield trait_lost_fact(world, side, what)
        yield from let_opponents_regain_by_draining(world, side, recover)
    while side_in(world, side).get("hits_due", 0) and len(hit_options(world, side)) == 1:
        yield hit_decided_fact(world, side)
        yield from give_strike_and_let_opponents_drain(world, side, OfAHit(), "")
    rest = current_or_ended_conflict(world).get("rest")
    if rest and not has_undecided_hit(world):
        yield from play_rest_of_round(world, rest)
    ended = bool(current_or_ended_conflict(world).get("ended"))
    return {
        "side": side,
        "what": what,
        "strikes": strikes_by_side(world),
        "traits": side_in(world, side)["traits"],
        "lost_traits": side_in(world, side).get("lost_traits", []),
        "hits_due": side_in(world, side).get("hits_due", 0),
        "ended": ended,
        "aftermath": conflict_aftermath(world) if ended else None,
    }
