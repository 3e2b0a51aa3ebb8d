"""Exact odds of Wealth rolls against plain enumeration: STR-CORE-20, 27 and 28 once more, in plain code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from support.game import Game
from support.thorough import few_of, some_of

from strike_cli.kernel.procedure import World
from strike_cli.systems.wealth.commands import wealth as rolls
from strike_cli.systems.wealth.effective_wealth_and_purchase_roll import RollWealth, prepare_wealth_roll

ROWS = {
    -1: {6: "S+", 5: "S+", 4: "S", 3: "S", 2: "SC", 1: "SCC"},
    0: {6: "S+", 5: "S", 4: "SC", 3: "SCC", 2: "T", 1: "TF"},
    1: {6: "S", 5: "SC", 4: "SCC", 3: "T", 2: "TF", 1: "TF"},
}
KEYS: dict[str, tuple[str | None, bool, int, int]] = {
    "S+": ("success", True, 0, 0), "S": ("success", False, 0, 0), "SC": ("success", False, 1, 0),
    "SCC": ("success", False, 2, 1), "T": ("twist", False, 0, 0), "TF": ("twist", False, 1, 1),
    "no": (None, False, 0, 0),
}  # fmt: skip
MODES = {"plain": (1, max), "advantage": (2, max), "disadvantage": (2, min)}
HELPERS = [(), (-1,), (0,), (1,), (0, 1), (-1, 1), (2,)]
"""Tiers of the helpers, next to the buyer's."""


def die(mode: str) -> Counter[int]:
    number, keep = MODES[mode]
    return Counter(keep(faces) for faces in product(range(1, 7), repeat=number))


def enumerated(wealth: int, price: int, mode: str, modifier: int, helpers: tuple[int, ...]) -> Any:
    above = price - wealth
    if abs(above) > 1:
        return {KEYS["S" if above < 0 else "no"]: Fraction(1)}
    modes = {-1: "disadvantage", 0: "plain", 1: "advantage", 2: "advantage"}
    found: Counter[Any] = Counter()
    for (kept, ways), *helps in product(die(mode).items(), *(die(modes[tier]).items() for tier in helpers)):
        total = kept + modifier
        for result, more in sorted(helps):
            total += result > total
            ways *= more
        found[KEYS[ROWS[above][min(max(total, 1), 6)]]] += ways
    every = sum(found.values())
    return {key: Fraction(ways, every) for key, ways in found.items()}


def args(wealth: int, price: int, mode: str, modifier: int, helpers: tuple[int, ...]) -> dict[str, Any]:
    return {
        "who": "",
        "wealth": wealth,
        "price": price,
        "adv": ["haggling"] if mode == "advantage" else [],
        "dis": ["a hurry"] if mode == "disadvantage" else [],
        "mods": [[modifier, "modifier"]] if modifier else [],
        "helpers": [{"name": f"h{number}", "wealth": wealth + tier} for number, tier in enumerate(helpers)],
    }


def odds_of(given: dict[str, Any]) -> Any:
    return rolls.wealth_roll_odds(prepare_wealth_roll(World(None), RollWealth.read(given)), given["price"])


@pytest.mark.parametrize("helpers", few_of([(each,) for each in HELPERS], 4), ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_every_wealth_and_price(mode: str, helpers: tuple[int, ...]) -> None:
    """STR-CORE-20, STR-CORE-27, STR-CORE-28."""
    first = list(MODES).index(mode) + HELPERS.index(helpers)
    for wealth, price, modifier in some_of(product(range(5), range(5), (-2, -1, 0, 1)), first=first):
        found = odds_of(args(wealth, price, mode, modifier, helpers))
        assert found == enumerated(wealth, price, mode, modifier, helpers), (wealth, price, modifier)
        assert sum(found.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("price", few_of([1, 2, 3]))
def test_the_odds_are_those_of_the_command(game: Game, price: int) -> None:
    """STR-CORE-27: what is rolled comes out as often as the odds say."""
    given = args(2, price, "advantage", 0, (-1,))
    found: Counter[Any] = Counter()
    for faces in product(range(1, 7), repeat=4):
        data = game.play("roll wealth", dice=faces, **given)
        found[tuple(data[key] for key in ("outcome", "bonus", "costs", "flaws"))] += 1
    assert odds_of(given) == {key: Fraction(ways, 6**4) for key, ways in found.items()}
