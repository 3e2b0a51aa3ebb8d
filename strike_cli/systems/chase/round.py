"""How a round of a chase is played (STR-CH-03 to 07).

The code serves the chase under way, single rounds outside any chase, odds, and bots. Begin with
`play_dice_of_round`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Choose, Happen, Procedure, Roll, Sets, World
from strike_cli.kernel.statements import Somebody
from strike_cli.systems.core.conditions import (
    gain_escalate_or_keep_condition,
    recover_from_conditions_with_doubts,
)
from strike_cli.systems.core.facts.rolls import HelpedWith
from strike_cli.systems.core.opposed_rolls import (
    UNSKILLED_AGAINST,
    ask_and_record_losers_choice,
    ask_to_break_tie,
    use_complication_to_break_tie,
)
from strike_cli.systems.core.skill_roll import (
    changes_adding_unlisted_skills,
    changes_counting_skill_use,
    roll_helpers_dice,
)
from strike_cli.tabletop.dice import (
    ADVANTAGE,
    PLAIN,
    Modifier,
    Rolled,
    Source,
    clamp_total,
    roll_die,
    roll_mode_and_dice_request,
)

from . import rule_tables
from .facts import (
    AfterSetUp,
    AtRange,
    ChaseEnded,
    ChaseRevealed,
    ChaseRisked,
    ChaseRolled,
    ChaseRoundOver,
    ChaseShot,
    ChaseSide,
    ChaseTakenOut,
    ChaseWon,
    Follow,
    Predicted,
    ShotAt,
    ShotInChase,
    ShotTarget,
    SkillsUsed,
)
from .round_outcome import ChaseOutcome, ChaseRound, Shot
from .rule_tables import (
    CAUGHT,
    CHASERS,
    CRASH,
    ESCAPED,
    FOLLOW,
    GIVE_UP,
    RUNNERS,
    SIDES,
    STOPPED,
    actions,
    numbers,
    other_side,
    prediction_effect,
)

if TYPE_CHECKING:
    from .data import ChaseRoundData


def fact_of_revealed_picks(world: World, chase_round: ChaseRound) -> Happen:
    """Return the fact that reveals both sides' choices."""
    gives = prediction_effect(chase_round.action, chase_round.prediction)
    return world.tell(ChaseRevealed(chase_round.action, chase_round.prediction, gives or ""))


def risk_rolled_fact(world: World, roll: Rolled) -> Happen:
    """Return the fact that the Runners rolled for a Risk. `roll` is their roll."""
    return world.tell(ChaseRisked(roll.who, roll))


def tell_rolls_and_shots(world: World, outcome: ChaseOutcome) -> Procedure[None]:
    """Report both drivers' rolls, then each shot. Report nothing if a driver didn't roll."""
    if len(outcome.rolls) < len(SIDES):
        return
    runners, chasers = outcome.rolls.values()
    helpers = [
        HelpedWith(roll.who, roll, gain, side)
        for side in outcome.helps
        for roll, gain in zip(outcome.helps[side], outcome.total_and_help(side)[1], strict=True)
    ]
    if outcome.chasers_answer:  # the Runners' roll for a Risk is already reported
        yield world.tell(ChaseRolled(chasers, before=runners, helpers=helpers))
    else:
        yield world.tell(ChaseRolled(chasers, roll=runners, helpers=helpers))
    for shot in outcome.shots:
        yield world.tell(ChaseShot(shot.roll.who, shot.at, shot.roll, shot.beats))


def round_over_fact(world: World, outcome: ChaseOutcome, sets: Mapping[str, object]) -> Happen:
    """Return the fact that the round is over; `sets` are the changes of the state that go with it."""
    fact = ChaseRoundOver(
        outcome.winner,
        outcome.round.range,
        outcome.range,
        tuple(outcome.crashed),
        gave_up=outcome.chasers_answer == GIVE_UP,
        tie=outcome.tie and not (outcome.close and outcome.winner is not None),
        lost=outcome.ended == CAUGHT,
        over=outcome.ended is not None,
        advantage=outcome.advantage,
    )
    return world.tell(fact, sets)


def chase_ended_fact(world: World, outcome: ChaseOutcome, sets: Mapping[str, object]) -> Happen:
    """Return the fact that the chase has ended; `sets` are the changes of the state that go with it."""
    name = world.get("chase.name", "") if outcome.round.number else ""
    both = len(outcome.crashed) == len(SIDES)
    return world.tell(ChaseEnded(outcome.ended or STOPPED, name, outcome.close, both), sets)


class BareChaseRound(Args):
    """The arguments of `chase round`: a round outside any chase, between sides without people.

    `action` is what the Runners do, and `prediction` is what the Chasers predict. `advantage` says whether
    the Runners have Advantage from their last action. In a Hide, `unskilled` is the side that is Unskilled
    while the other is Skilled, or "".
    """

    action: str
    prediction: str
    range: str
    danger: int = 0
    advantage: bool = False
    unskilled: str = ""


def play_bare_round(world: World, args: BareChaseRound) -> Procedure[ChaseRoundData]:
    """Play `chase round`: a bare round, which changes no state.

    Raises Usage for an unknown word or number.
    """
    rule_tables.must_be_known(args.prediction, actions(), "action")
    rule_tables.must_be_known(args.danger, rule_tables.danger_levels(), "Danger Level")
    rule_tables.must_be_known(args.unskilled, ("", *SIDES), "side")
    return (yield from play_whole_round(world, ChaseRound(**vars(args))))


def play_whole_round(world: World, chase_round: ChaseRound) -> Procedure[ChaseRoundData]:
    """Play a round of a chase and its consequences, report them, and return the round's data.

    The Runners' dice come first, then the Chasers', then those of each shooter. A round with the `number` 0
    belongs to no chase. It is played and reported, but changes no state.
    """
    outcome = yield from play_dice_of_round(world, chase_round)
    yield from tell_rolls_and_shots(world, outcome)
    yield from play_take_outs_of_shots(world, outcome)
    if chase_round.number and outcome.margin is not None:
        yield from _play_consequences_of_hide(world, outcome)
    yield round_over_fact(world, outcome, _changes_after_round(outcome) if chase_round.number else {})
    if outcome.ended:
        yield chase_ended_fact(world, outcome, _changes_recording_end(outcome) if chase_round.number else {})
    data = outcome.as_data()
    if chase_round.number:
        data["may_change_danger"] = None if outcome.ended else outcome.winner
    return data


def _changes_after_round(outcome: ChaseOutcome) -> Sets:
    over = ("runners_action", "prediction", "prediction_secret", "shooters")
    return {
        "chase.round": outcome.round.number,
        "chase.range": outcome.range,
        **{f"chase.{key}": None for key in over},
        "chase.runners_advantage": True if outcome.advantage else None,
        "chase.winner": outcome.winner,
    }


# The dice and their outcome


def play_dice_of_round(world: World, chase_round: ChaseRound) -> Procedure[ChaseOutcome]:
    """Play the dice and the Chasers' decision of a round, and return the outcome (STR-CH-03 to 07).

    It changes no state. Raises Refused for an action that isn't possible at this range.
    """
    rule_tables.must_be_possible_action(chase_round.action, chase_round.range)
    outcome = ChaseOutcome(chase_round)
    yield fact_of_revealed_picks(world, chase_round)
    yield from _roll_for_driver_and_helpers(outcome, RUNNERS)
    if "crash" in actions()[chase_round.action] and not (
        yield from _report_risk_and_ask_to_follow(world, outcome)
    ):
        return outcome
    yield from _roll_for_driver_and_helpers(outcome, CHASERS)
    yield from _roll_shots(outcome)
    _decide_outcome(outcome)
    return outcome


def _roll_for_driver_and_helpers(outcome: ChaseOutcome, side: str) -> Procedure[None]:
    """Roll a side's die, affected by the last action, the prediction and the range (STR-CH-03, 04).

    In a Hide the side's helpers roll, too.
    """
    one, roller = outcome.round, outcome.round.drivers[side]
    reasons, modifiers = list(roller.sources), list(roller.modifiers)
    gives = rule_tables.prediction_effect(one.action, one.prediction)
    if side == RUNNERS and one.advantage:
        reasons.append(Source(ADVANTAGE, AfterSetUp()))
    if side == CHASERS and gives:
        reasons.append(Source(gives, Predicted(one.prediction)))
    if one.is_opposed_roll and one.unskilled == side:
        reasons += UNSKILLED_AGAINST
    by_range = rule_tables.range_modifier(one.action, side, one.range)
    if by_range:
        modifiers.append(Modifier(by_range, AtRange(one.range)))
    outcome.rolls[side] = yield from roll_die(roller.who, side, reasons, modifiers)
    if one.is_opposed_roll and roller.helpers:
        _, outcome.helps[side], _ = yield from roll_helpers_dice(outcome.rolls[side].total, roller.helpers)


def _report_risk_and_ask_to_follow(world: World, outcome: ChaseOutcome) -> Procedure[bool]:
    """Report the Runners' roll for a Risk, and return whether the Chasers take the Risk, too (STR-CH-05).

    If the Runners crash, the Chasers aren't asked. Otherwise the Chasers choose whether to follow or to give
    up. The result is True only if they follow. If they don't follow, the round is decided, and `outcome` has
    its result.
    """
    one, action = outcome.round, actions()[outcome.round.action]
    yield risk_rolled_fact(world, outcome.rolls[RUNNERS])
    if outcome.total_without_range(RUNNERS) <= action["crash"]:
        outcome.crashed, outcome.winner, outcome.ended = [RUNNERS], CHASERS, CRASH
        return False
    person = one.drivers[CHASERS].who or CHASERS
    about = Follow(one.drivers[CHASERS].who, outcome.rolls[RUNNERS], action["fail"])
    outcome.chasers_answer = yield Choose(
        person, FOLLOW, (FOLLOW, GIVE_UP), data=outcome.as_data(), about=about
    )
    if outcome.chasers_answer == GIVE_UP:
        outcome.winner = RUNNERS
        outcome.apply_effect(action["give_up"])
    return outcome.chasers_answer == FOLLOW


def _roll_shots(outcome: ChaseOutcome) -> Procedure[None]:
    """Roll for each shooter, and compare the shot with the roll of the driver who is shot at (STR-CH-07).

    The drivers have rolled already. A driver with a lower total than a shot gets a modifier (`outshot`), only
    once even if several shots beat the driver.
    """
    outshot: dict[str, str] = {}
    for at, roller in outcome.round.shooters:
        driver, takes_out = outcome.rolls[at].total, numbers()["shooting"]["takes_out"]
        # For a bare shooter all that matters is whether the shot beats the driver and takes somebody out.
        mode, question = roll_mode_and_dice_request(roller.who, "shooting", roller.sources)
        if mode == PLAIN:
            more = sum(item.value for item in roller.modifiers)
            question = Roll(1, 6, question.purpose, question.who, _make_shot_result_key(driver, more))
        roll = Rolled(
            question.who, question.purpose, (yield question), mode, roller.sources, roller.modifiers
        )
        if roll.total > driver:
            outshot.setdefault(at, roller.who)
        outcome.shots.append(Shot(at, roll, roll.total > driver, clamp_total(roll.total) >= takes_out))
    for at, by in outshot.items():
        roll = outcome.rolls[at]
        less = Modifier(numbers()["shooting"]["outshot"], ShotAt(by))
        modifiers = [*roll.modifiers, less]
        outcome.rolls[at] = Rolled(roll.who, roll.purpose, roll.faces, roll.mode, roll.sources, modifiers)


@cache
def _make_shot_result_key(driver_total: int, modifier: int) -> Callable[[Sequence[int]], tuple[bool, bool]]:
    takes_out = numbers()["shooting"]["takes_out"]
    return lambda faces: (faces[0] + modifier > driver_total, clamp_total(faces[0] + modifier) >= takes_out)


def _decide_outcome(outcome: ChaseOutcome) -> None:
    """Decide the outcome of the round by the drivers' rolls.

    The first of these that applies decides: a crash, a failed pursuit after a Risk, a tie, or the higher
    total.
    """
    one, action = outcome.round, actions()[outcome.round.action]
    outcome.crashed = [side for side in SIDES if outcome.total_without_range(side) <= one.danger]
    if outcome.crashed:
        outcome.winner = other_side(*outcome.crashed) if len(outcome.crashed) == 1 else None
        outcome.ended = CRASH if RUNNERS in outcome.crashed else ESCAPED
        outcome.range = ESCAPED if outcome.ended == ESCAPED else outcome.range
    elif "fail" in action and outcome.total_without_range(CHASERS) <= action["fail"]:
        outcome.winner = RUNNERS
        outcome.apply_effect(action["failed"])
    elif (ours := outcome.total_and_help(RUNNERS)[0]) == (theirs := outcome.total_and_help(CHASERS)[0]):
        outcome.tie = True
        outcome.margin = 0 if one.is_opposed_roll else None
        outcome.apply_effect(action.get("tie_at", {}).get(one.range, action["tie"]))
        outcome.winner = CHASERS if outcome.ended == CAUGHT else None
    else:
        outcome.set_winner_and_apply_action_effect(RUNNERS if ours > theirs else CHASERS, abs(ours - theirs))


def _changes_recording_end(outcome: ChaseOutcome) -> Sets:
    """Return the changes of the state that record the chase's end, and a crash of both sides."""
    both = {"chase.crashed": list(outcome.crashed)} if len(outcome.crashed) > 1 else {}
    return {"chase.ended": outcome.ended, **both}


# Leaving the chase


def play_take_outs_of_shots(world: World, outcome: ChaseOutcome) -> Procedure[None]:
    """Take somebody out for each shot that is good enough (STR-CH-07).

    If only one side then has nobody left, it loses the chase. If neither side has anybody left, the chase is
    called off. Neither happens if the chase has already ended.
    """
    for number, shot in enumerate(outcome.shots):
        if shot.takes_out:
            outcome.shots[number] = shot._replace(
                taken_out=(yield from _take_out_one_person(world, outcome, shot))
            )
    gone = [side for side in SIDES if not outcome.people_left[side]]
    if gone and outcome.ended is None:
        outcome.end_by_shots(gone.pop() if len(gone) == 1 else None)


def _take_out_one_person(world: World, outcome: ChaseOutcome, shot: Shot) -> Procedure[str | None]:
    """Take out one person of the side that was shot at, and return the person's id.

    The shooter chooses the person. A character is Injured (STR-CH-07). Returns None if nobody is left on the
    side.
    """
    left = outcome.people_left[shot.at]
    if not left:
        return None
    person, *others = dict.fromkeys(left)
    if others:
        targets = (person, *others)
        about, labels = ShotTarget(shot.roll.who, shot.at), tuple(Somebody(one) for one in targets)
        person = yield Choose(shot.roll.who, "target", targets, labels, outcome.as_data(), about=about)
    left.remove(person)
    if person:
        out = [*world.get("chase.out", ()), person]
        yield world.tell(ChaseTakenOut(person), {"chase.out": out})
        if person in world.book.characters:
            condition = numbers()["shooting"]["condition"]
            yield from gain_escalate_or_keep_condition(world, person, condition, ShotInChase())
    return person


# A Hide


def _play_consequences_of_hide(world: World, outcome: ChaseOutcome) -> Procedure[None]:
    """Play the consequences of a Hide, which are those of an Opposed Roll (STR-CH-05).

    Learning a Skill isn't played here. First the uses of the Skills are counted. If the rolls tie, somebody
    may break the tie. If the result was close, the loser has a choice. Finally, if the winner had doubts
    about the Skill, they end.
    """
    drivers = outcome.round.drivers
    known = {side: one.who for side, one in drivers.items() if one.who in world.book.characters}
    unlisted = [(drivers[side].skill, person) for side, person in known.items() if drivers[side].unlisted]
    uses: dict[str, object] = changes_adding_unlisted_skills(world, unlisted)
    for side, person in known.items():
        uses |= changes_counting_skill_use(world, person, drivers[side].skill)
    if uses:
        yield world.tell(SkillsUsed(), uses)
    broken = (yield from ask_to_break_tie(world, known, outcome.as_data())) if outcome.tie else None
    if broken:
        side, used = broken
        outcome.set_winner_and_apply_action_effect(other_side(side), 0)
        outcome.more_data |= {"tie_broken_by": side, "complication": used}
        yield from use_complication_to_break_tie(world, known[side], used, ChaseWon(other_side(side)))
    if outcome.close and outcome.winner:
        loser = other_side(outcome.winner)
        person, data = drivers[loser].who, outcome.as_data()
        yield from ask_and_record_losers_choice(world, data, person, loser, ChaseSide(loser))
        outcome.more_data["loser_chose"] = data["loser_chose"]
    if outcome.winner in known and drivers[outcome.winner].skill:
        yield from recover_from_conditions_with_doubts(
            world, known[outcome.winner], drivers[outcome.winner].skill
        )
