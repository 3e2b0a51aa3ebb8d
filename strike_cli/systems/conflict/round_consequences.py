"""What follows a round once its dice are compared, in the order of the rules (STR-TC-07).

First come the Hits of the outcome, then the Hits that actions deal, then everything else, then the next
round. If the effect of a Hit has to be decided, the rest waits. Begin with `play_rest_of_round`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, Sets, World
from strike_cli.kernel.statements import Reason
from strike_cli.tabletop.characters_and_names import slug

from .conflict_under_way import (
    active_traits,
    add_strike,
    bonus_for_coming_round,
    chosen_actions,
    current_or_ended_conflict,
    give_bonus,
    is_team_of_players,
    other_side,
    read_regain_choice,
    regain_wanted_else_strike_else_trait,
    removable_strikes,
    remove_strike,
    require_conflict,
    side_in,
    side_path,
    trait_with_effect,
)
from .facts import ConflictHeldUp, ConflictRoundClosed, ConflictWonDearly, CostlyWin, OfOutcome, OfTeamTrait
from .hits import deal_or_ignore_hit, has_undecided_hit, must_have_no_undecided_hit
from .round_dice import Verdict
from .rule_numbers import ROLLS, SIDES

if TYPE_CHECKING:
    from .data import ConflictState, RestOfRound

DueHits = list[tuple[str, Reason]]
"""Hits, each with the side that takes it and its reason."""
THEIRS_FIRST = SIDES[::-1]
"""The sides in the order of the rules: opponents before the players (STR-TC-07)."""
REST = "conflict.rest"
"""Where the state has the rest of a round that a Hit holds up."""


def deal_hits_of_outcome_and_traits(
    world: World, verdict: Verdict, loss_saving_trait: str
) -> Procedure[list[str]]:
    """Deal the Hits that come from a round's outcome and from traits (STR-TC-05, 16).

    Afterwards, traits that reduce a Defense take effect.

    Args:
        world: The world of the conflict.
        verdict: The result of the round.
        loss_saving_trait: The trait that saves the losers from losing the conflict, or "". If there is such a
            trait, the losers take a Hit.

    Returns:
        For each Hit, the side that it was dealt to. A side can occur several times.
    """
    due: DueHits = [(side, OfOutcome(verdict.outcome)) for side in verdict.sides_taking_hit]
    for side in THEIRS_FIRST:
        due += [
            (other_side(side), OfTeamTrait(name))
            for name, does in active_traits(world, side)
            if "hit_on" in does and verdict.is_draw_or_own_push(side, does["hit_on"])
        ]
    if loss_saving_trait:
        due.append((verdict.conflict_loser, OfTeamTrait(loss_saving_trait)))
    yield from _deal_hits(world, due)
    for side in THEIRS_FIRST:
        yield from _reduce_defense_by_traits(world, side, verdict)
    return [side for side, _ in due]


def _reduce_defense_by_traits(world: World, side: str, verdict: Verdict) -> Procedure[None]:
    """Apply a side's traits that reduce the opponents' Defense in the next round (STR-TC-16).

    Depending on the trait, it takes effect if the round is a Draw, or if it is a Push by the side.
    """
    for name, does in list(active_traits(world, side)):
        if "next_on" in does and verdict.is_draw_or_own_push(side, does["next_on"]):
            less = does["next_defense"]
            value = -max(0, verdict.margins[side]) if less == "margin" else less
            if value:
                yield from give_bonus(
                    world,
                    other_side(side),
                    bonus_for_coming_round(world, "defense", value, OfTeamTrait(name)),
                )


def hits_by_actions(world: World, verdict: Verdict) -> DueHits:
    """Return the Hits that actions deal (STR-TC-02)."""
    return [
        (hit, one.reason)
        for side in THEIRS_FIRST
        for one in chosen_actions(world, side)
        for rider, hit in (("hit_self", side), ("hit_foe", other_side(side)))
        if one.action.get(rider) in ("always", verdict.outcome)
    ]


def _deal_hits(world: World, due: DueHits) -> Procedure[None]:
    for side, why in due:
        yield from deal_or_ignore_hit(world, side, why)


def play_rest_of_round(world: World, rest: RestOfRound) -> Procedure[None]:
    """Play the consequences of a round, up to the next round or the end of the conflict.

    If the effect of a Hit has to be decided first, play stops there. The state then stores the rest of the
    round until somebody decides.
    """
    verdict = Verdict(rest["outcome"], rest["counts_as"], rest["margins"])
    struck, over = rest.get("struck", False), bool(rest.get("over"))
    if over and rest.get("costly"):
        winner, by = (
            other_side(verdict.conflict_loser),
            trait_with_effect(world, verdict.conflict_loser, "strike_on_win"),
        )
        for _ in range(rest["costly"]):
            yield from add_strike(world, winner, OfTeamTrait(by) if by else CostlyWin())
        yield world.tell(ConflictWonDearly(winner), {side_path(winner, "cost_of_win"): rest["costly"]})
        rest = {**rest, "costly": 0}
    if not has_undecided_hit(world) and not struck:
        yield from _deal_hits(world, hits_by_actions(world, verdict))
        struck = True
    if has_undecided_hit(world):
        left = {
            key: value for key, value in {**rest, "struck": struck}.items() if value not in (False, "", 0)
        }
        yield world.tell(ConflictHeldUp(), {REST: left})
        return
    for side in THEIRS_FIRST:
        yield from _apply_action_effects_besides_hits(world, side)
        # Regain what a side's traits bring back after the round
        recover = rest.get("recover", "")
        for name, does in list(active_traits(world, side)):
            if "recover_on" in does and verdict.is_draw_or_own_push(side, does["recover_on"]):
                yield from regain_wanted_else_strike_else_trait(
                    world, side, read_trait_recovery_choice(world, side, recover), OfTeamTrait(name)
                )
    yield from _begin_next_round_or_end(world, verdict, over)


def finish_round_and_get_conflict(world: World, *, may_have_ended: bool = False) -> Procedure[ConflictState]:
    """Finish the last round, if a part of it is still to be played, and return the conflict.

    Raises Refused if there is no conflict, or if a Hit waits for a decision. Raises Refused also if the
    conflict is over, unless `may_have_ended` is true.
    """
    require_conflict(world, may_have_ended=may_have_ended)
    yield from play_rest_of_last_round(world)
    return require_conflict(world, may_have_ended=may_have_ended)


def play_rest_of_last_round(world: World) -> Procedure[None]:
    """Play the rest of the last round. Raises HitWaits if a Hit waits for a decision."""
    must_have_no_undecided_hit(world)
    rest = current_or_ended_conflict(world).get("rest")
    if rest:
        yield from play_rest_of_round(world, rest)


def strikes_that_winning_costs(world: World, loser: str) -> int:
    """Return how many Strikes the opponents of `loser` take for winning (Costly, STR-TC-16)."""
    return sum(does.get("strike_on_win", 0) for _, does in active_traits(world, loser)) if loser else 0


def _apply_action_effects_besides_hits(world: World, side: str) -> Procedure[None]:
    """Apply the effects of a side's chosen actions, except Hits.

    An action can give the side itself a Strike. It can remove a Strike from either side, restore a lost
    trait, or give a bonus for a later round.
    """
    observed = sum(bool(one.action.get("scout")) for one in chosen_actions(world, other_side(side)))
    for one in chosen_actions(world, side):
        action, why = one.action, one.reason
        if is_team_of_players(world, side):
            for _ in range(action.get("irremovable", 0)):
                yield from add_strike(world, side, why, irremovable=True)
        elif action.get("their_removal") and removable_strikes(world, other_side(side)):
            yield from remove_strike(world, other_side(side), why)
        if action.get("recover"):
            yield from regain_wanted_else_strike_else_trait(world, side, one.item.get("recover", ""), why)
        if action.get("next_advance"):
            yield from give_bonus(
                world, side, bonus_for_coming_round(world, "advance", action["next_advance"], why)
            )
        if action.get("obscure") and observed:
            helped = ROLLS if observed > 1 else (one.item["next"],)
            for which in helped:
                yield from give_bonus(
                    world, side, bonus_for_coming_round(world, which, action["obscure"], why)
                )


def read_trait_recovery_choice(world: World, side: str, wanted: str) -> str:
    """Return what a side will regain by a trait such as Recovery, or "" if it has no such trait.

    `wanted` is the choice as it was typed. Raises Refused if it can't be regained.
    """
    return read_regain_choice(world, side, wanted) if trait_with_effect(world, side, "recover_on") else ""


def _begin_next_round_or_end(world: World, verdict: Verdict, conflict_over: bool) -> Procedure[None]:
    """Begin the next round, or end the conflict if `conflict_over` is true.

    Effects that last only for this round end. Traits that grow with the rounds grow.
    """
    number = current_or_ended_conflict(world)["round"] + 1
    sets: Sets = {"conflict.round": number, REST: None}
    for side in SIDES:
        after = _side_changes_after_round(world, side, verdict, conflict_over, number)
        sets |= {side_path(side, key): value for key, value in after.items()}
    if conflict_over:
        sets["conflict.ended"] = verdict.outcome
    yield world.tell(ConflictRoundClosed(number - 1), sets)


def _side_changes_after_round(
    world: World, side: str, verdict: Verdict, conflict_over: bool, next_round: int
) -> dict[str, object]:
    """Return the values of a side that change when a round ends, by their keys in the state."""
    broken = verdict.pushes(side) or (conflict_over and verdict.conflict_loser == side)
    bonuses = [
        bonus
        for bonus in side_in(world, side).get("bonuses", [])
        if bonus["last"] >= next_round and not (bonus.get("until_push") and broken)
    ]
    after: dict[str, object] = {
        "actions": None,
        "opposition": None,
        "scouted": None,
        "scouts": dice_to_scout_next_round(world, side) or None,
        "bonuses": bonuses or None,
    }
    grown = dict(side_in(world, side).get("grown", {}))
    for name, does in active_traits(world, side):
        if does.get("grows_advance") or does.get("grows_defense"):
            grown[slug(name)] = grown.get(slug(name), 0) + 1
    if grown:
        after["grown"] = grown
    takers = [one.who for one in chosen_actions(world, side) if one.action.get("concession")]
    if takers:
        after["took_one"] = [*side_in(world, side).get("took_one", ()), *takers]
    return after


def dice_to_scout_next_round(world: World, side: str) -> int:
    """Return how many of the other side's dice a side may scout in the next round (STR-TC-03).

    The number depends on the actions of this round. It is 0 if the other side Obscures.
    """
    if any(one.action.get("obscure") for one in chosen_actions(world, other_side(side))):
        return 0
    return min(sum(one.action.get("scout", 0) for one in chosen_actions(world, side)), len(ROLLS))
