"""Odds of Karma, against an enumeration that shares nothing with the program but the rules as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from plugins.karma.conftest import Table, begun, house
from support.cli import Strike
from support.plugins import told_odds
from support.thorough import THOROUGH

from strike_cli.play.forecast import outcomes_of_move
from strike_cli.plugin import Refused

Score = Callable[[Sequence[tuple[int, int]], int], int]
"""The score of dice, as (sides, face), for a target number."""

SCORES: dict[str, Score] = {
    "count": lambda dice, target: len([face for _, face in dice if face >= target]),
    "several": lambda dice, target: sum(
        face // target if sides > 6 else int(face >= target) for sides, face in dice
    ),
    "highest": lambda dice, target: max(face for _, face in dice),
    "total": lambda dice, target: sum(face for _, face in dice),
}


def scores(dice: Sequence[int], target: int, score: Score) -> dict[int, Fraction]:
    """The chance of each score, fall by fall."""
    falls = product(*(range(1, sides + 1) for sides in dice))
    found = Counter(score(list(zip(dice, faces, strict=True)), target) for faces in falls)
    return {n: Fraction(ways, prod(dice)) for n, ways in found.items()}


def reckoned(
    dice: Sequence[int], against: Sequence[int], target: int, method: str, defends: bool
) -> dict[tuple[bool, int, int], Fraction]:
    """CIN-11 by hand: (success, score, what was needed). The opposition's dice always need 5."""
    score = SCORES[method]
    alone = 1 if method in ("count", "several") else target
    theirs = scores(against, 5, score) if against else {alone: Fraction(1)}
    found: Counter[tuple[bool, int, int]] = Counter()
    for mine, chance in scores(dice, target, score).items():
        for other, also in theirs.items():
            wins = mine > other or (mine == other and (defends or not against))
            found[wins, mine, other] += chance * also  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def told(table: Table, move: str, **args: object) -> dict[tuple[bool, int, int], Fraction]:
    found = outcomes_of_move(table.world, f"karma {move}", args)
    return {(key["success"], key["successes"], key["needed"]): chance for key, chance in found}


CASES = list(
    product([0, 4, 6], [([], []), (["2d6"], [6, 6]), (["d8", "d4"], [8, 4])], SCORES)
)  # fmt: skip
"""Everyday every way and everything against it, with one target each."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "opposed", "method"),
    CASES if THOROUGH else [CASES[number % 3 * 12 + number] for number in range(12)],
)
def test_an_action(target: int, opposed: tuple[list[str], list[int]], method: str) -> None:
    """CIN-11: as fractions, by every way of reading dice, against a number or against dice."""
    against, sides = opposed
    table = begun(house(f'standard_roll = "{method}"'))
    dice = [6, 6, 6, 8]
    args = {"who": "ana", "for": ["trope"], "against": against, "target": target}
    if target and against and method in ("highest", "total"):
        with pytest.raises(Refused, match="karma.standard_roll"):
            told(table, "act", **args)
        return
    found = told(table, "act", **args)
    assert found == reckoned(dice, sides, target or 5, method, defends=False)
    assert sum(found.values()) == 1


def test_the_house_rule_is_what_a_die_has_to_show() -> None:
    """CIN-11."""
    table = begun(house("success_on = 3"))
    assert told(table, "act", who="ana") == reckoned([6, 6, 6], [], 3, "count", defends=False)


def test_a_reaction(yard: Table) -> None:
    """CIN-07, 11: of the dice that the pool has left; a tie is for who reacts."""
    yard.set("karma.people.ana.pool", 2)
    args = {"who": "ana", "against": ["2d6"], "for": ["trademark"]}
    found: Counter[bool] = Counter()
    for key, chance in outcomes_of_move(yard.world, "karma react", args):
        found[key["failed"]] += chance  # type: ignore[assignment]
    by_hand: Counter[bool] = Counter()
    for (wins, _, _), chance in reckoned([6, 6, 6], [6, 6], 5, "count", defends=True).items():
        by_hand[not wins] += chance  # type: ignore[assignment]
    assert found == by_hand


def test_what_can_not_be_rolled_fails_for_sure(yard: Table) -> None:
    """CIN-07."""
    yard.set("karma.people.cy.pool", 0)
    assert outcomes_of_move(yard.world, "karma react", {"who": "cy"}) == [({"failed": True}, Fraction(1))]


def test_a_delayed_action(yard: Table) -> None:
    """CIN-05, 11: with the roll that was said as it began, and what is said now in its place."""
    yard.play("delay", "ana", what="a shot", open=True, **{"for": ["trope"]}, against=["d6"])
    yard.play("pass", "bo")
    yard.turn("bo")
    by_hand = reckoned([6, 6, 6, 8], [6], 5, "count", defends=False)
    assert told(yard, "complete", who="ana") == by_hand
    by_hand = reckoned([6, 6, 6, 8], [8, 8], 6, "count", defends=False)
    assert told(yard, "complete", who="ana", target=6, against=["2d8"]) == by_hand


def test_by_the_command_line(karma: Strike) -> None:
    """What is typed after `odds` is what one would play."""
    karma("karma start yard --first ana --party ana --dice 5")
    line = "karma act . --for gunslinger --against 2d6"
    found = told_odds(karma, line, "success", "successes", "needed")
    assert found == reckoned([6, 6, 6, 8], [6, 6], 5, "count", defends=False)
    assert "karma" in karma("odds --help").out
