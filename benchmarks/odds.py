"""Speed of exact odds for single rolls, against icepool and dyce.

All programs answer the same questions with the same fractions, and are measured in turn.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import dyce
import icepool

from benchmarks.paired_timing import print_ratio, time_ratios
from strike_cli.kernel.exact_odds import exact_chances
from strike_cli.kernel.procedure import World
from strike_cli.systems.core.opposed_rolls import roll_both_sides
from strike_cli.systems.core.skill_roll import (
    Helper,
    RollingSide,
    outcome_row,
    prepare_side,
    roll_skill_and_helpers_dice,
)
from strike_cli.tabletop.dice import Source, typed_sources

Odds = dict[Any, Fraction]


def main() -> None:
    """Print, for each question, our time divided by that of another library (icepool or dyce)."""
    warnings.simplefilter("ignore")  # dyce.expand is experimental, and says so at every call
    for name, ours, rivals in _questions():
        for rival, theirs in rivals.items():
            if ours() != theirs():
                raise AssertionError(f"{name}: {rival} has other fractions")
            print_ratio(f"{name} / {rival}", time_ratios(ours, theirs, rounds=15, repeat=10), "below 1")


def _questions() -> list[tuple[str, Callable[[], Odds], dict[str, Callable[[], Odds]]]]:
    advantage = typed_sources(["a rope"])
    found = []
    for name, reasons in (("skill, one die", []), ("skill, Advantage", advantage)):
        two = bool(reasons)
        found.append(
            (
                name,
                _strike_skill_odds(reasons, 0),
                {"icepool": _icepool_skill_odds(two, 0), "dyce": _dyce_skill_odds(two, 0)},
            )
        )
    for helpers in (1, 2, 3):
        name = f"skill, Advantage, {helpers} Skilled help{'er' if helpers == 1 else 'ers'}"
        rivals = {"icepool": _icepool_skill_odds(True, helpers), "dyce": _dyce_skill_odds(True, helpers)}
        found.append((name, _strike_skill_odds(advantage, helpers), rivals))
    found.append(
        ("opposed, Skilled against Unskilled", _strike_opposed_odds(), {"icepool": _icepool_opposed_odds()})
    )
    return found


def _strike_skill_odds(reasons: list[Source], helpers: int) -> Callable[[], Odds]:
    helping = tuple(Helper(str(n), True) for n in range(helpers))

    def key(came: Any) -> Any:
        return came.row["outcome"], came.row["bonus"], came.row["costs"]

    return lambda: exact_chances(
        lambda: (roll_skill_and_helpers_dice("", "", True, reasons, (), helping), None), key
    )


def _icepool_skill_odds(has_advantage: bool, helpers: int) -> Callable[[], Odds]:
    def ask() -> Odds:
        die = icepool.d6.highest(2) if has_advantage else icepool.d6
        answer: Any = icepool.map(_outcome_with_help, die, *[icepool.d6] * helpers)
        return {outcome: answer.probability(outcome) for outcome in answer}

    return ask


def _outcome_with_help(best: int, *helps: int) -> Any:
    total = best
    for face in sorted(helps):
        total += face > total
    return _skill_outcome(total)


def _skill_outcome(total: int) -> Any:
    row = outcome_row(total, True)
    return row["outcome"], row["bonus"], row["costs"]


def _dyce_skill_odds(has_advantage: bool, helpers: int) -> Callable[[], Odds]:
    def helped(kept: Any, helps: Any) -> Any:
        return _outcome_with_help(kept.outcome, *helps.roll)

    def ask() -> Odds:
        d6 = dyce.H(6)
        kept: Any = (2 @ dyce.P(d6)).at(-1) if has_advantage else d6
        answer: Any = (
            dyce.expand(helped, kept, helpers @ dyce.P(d6)) if helpers else kept.apply(_skill_outcome)
        )
        return dict(answer.probability_items())

    return ask


def _strike_opposed_odds() -> Callable[[], Odds]:
    sides = [RollingSide(who="", skill="", skilled=skilled, known=False) for skilled in (True, False)]
    ours, theirs = (prepare_side(World(None), side) for side in sides)
    return lambda: exact_chances(
        lambda: (roll_both_sides(ours, theirs), None), lambda came: (came.winner, came.margin)
    )


def _icepool_opposed_odds() -> Callable[[], Odds]:
    def margin(ours: int, theirs: int) -> Any:
        difference = ours - theirs
        winner = "ours" if difference > 0 else "theirs" if difference < 0 else None
        return str(winner), abs(difference)

    def ask() -> Odds:
        answer: Any = icepool.map(margin, icepool.d6, icepool.d6.lowest(2))
        return {(None if w == "None" else w, m): answer.probability((w, m)) for w, m in answer}

    return ask
