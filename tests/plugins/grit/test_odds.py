"""Odds of Grit, against an enumeration that shares nothing with the program but the rules as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from plugins.grit.conftest import Table
from support.cases import case
from support.cli import Strike
from support.plugins import told_odds
from support.thorough import some_of

from strike_cli.play.forecast import outcomes_of_move
from strike_cli.plugin import World

STEPS = {12: 10, 10: 8, 8: 6, 6: 4, 4: 0, 0: 0}
Chances = dict[tuple[int, int, str], Fraction]


def thrown(dice: Sequence[int], mode: str = "") -> Counter[int]:
    """Weights of the highest of a handful: enhanced, impaired or neither."""
    dice = [*dice, 12] if mode == "enhanced" else [4] if mode == "impaired" else list(dice)
    falls = Counter(max(faces) for faces in product(*(range(1, sides + 1) for sides in dice)))
    return Counter({face: Fraction(ways, prod(dice)) for face, ways in falls.items()})  # type: ignore[misc]


def reckoned(
    damage: Sequence[int], armor: int, grit: int, die: int, mode: str = "", save: str = "", name: str = "str"
) -> Chances:
    """GRT-05 to 08 by hand: direct, steps down, state."""
    word = {"str": "incapacitated", "dex": "paralysed", "wil": "catatonic"}[name]
    found: Chances = Counter()  # type: ignore[assignment]
    for face, chance in thrown(damage, mode).items():
        direct = max(0, max(0, face - armor) - grit)
        left, now, steps = direct, die, 0
        while now and left >= now:
            left, now, steps = left - now, STEPS[now], steps + 1
        if not left or not now:
            found[direct, steps, "up" if now else word] += Fraction(chance)
            continue
        for shown, also in thrown([now], save).items():
            safe = shown > left
            after = now if safe else STEPS[now]
            found[direct, steps + (not safe), "up" if after else word] += Fraction(chance) * Fraction(also)
    return dict(found)


def told(world: World, **args: object) -> Chances:
    found = outcomes_of_move(world, "grit attack", args)
    return {(key["direct"], key["critical"], key["state"]): chance for key, chance in found}


DAMAGE = [["d6"], ["d6", "d6"], ["d4", "d8", "d8"], ["d12"]]
MODES = ["", "enhanced", "impaired"]
WHOM = [(0, 0, 4), (1, 2, 10), (0, 0, 6), (2, 0, 8), (3, 9, 12)]


def test_bare_attacks() -> None:
    """GRT-05 to 07: as fractions, whatever is thrown at whom."""
    for (damage, mode, save), (armor, grit, die) in some_of(
        product(product(DAMAGE, MODES, MODES), WHOM), every=11
    ):
        reasons = {mode: ["so"]} if mode else {}
        reasons |= {f"save_{save}": ["so"]} if save else {}
        sides = [int(one[1:]) for one in damage]
        for name in ("str", "wil"):
            with case(damage, mode, save, armor, grit, die, name):
                args = {"damage": damage, "armor": armor, "grit": grit, name: f"d{die}", **reasons}
                assert told(World(None), **args) == reckoned(sides, armor, grit, die, mode, save, name)


def test_an_attack_of_the_fight(bridge: Table) -> None:
    """GRT-05 to 07: of somebody as they stand now."""
    bridge.put("troll", str=4)
    chances = told(bridge.world, who="sam", targets=["troll"], weapon="dagger", enhanced=["so"])
    assert chances == reckoned([6], 1, 2, 4, "enhanced")
    assert sum(chances.values()) == 1


def test_several_targets_of_a_blast(bridge: Table) -> None:
    """GRT-09: each by their own dice, and so each with the odds of one."""
    bridge.put("pete", at="F2")
    bridge.play("next")
    args = {"who": "troll", "targets": ["sam", "pete"], "weapon": "rail"}
    found: Chances = Counter()  # type: ignore[assignment]
    for key, chance in outcomes_of_move(bridge.world, "grit attack", args):
        found[key["pete direct"], key["pete critical"], key["pete state"]] += chance
    assert found == reckoned([8], 1, 5, 8)


def saving(mine: int, theirs: int = 0, mode: str = "") -> Fraction:
    return sum(
        (
            Fraction(chance) * Fraction(also)
            for face, chance in thrown([mine], mode).items()
            for other, also in (thrown([theirs]) if theirs else {3: 1}).items()
            if face > other
        ),
        Fraction(0),
    )


def test_saves() -> None:
    """GRT-02."""
    for die, mode, against in product((4, 6, 8, 10, 12), MODES, (0, 6, 12)):
        with case(die, mode, against):
            args: dict[str, Any] = {"die": f"d{die}", **({mode: ["so"]} if mode else {})}
            if against:
                args["against_die"] = f"d{against}"
            outcomes = outcomes_of_move(World(None), "grit save", args)
            found = {key["success"]: chance for key, chance in outcomes}
            assert found.get(True, Fraction(0)) == saving(die, against, mode)
            assert sum(found.values()) == 1


def test_morale(bridge: Table) -> None:
    """GRT-11."""
    outcomes = outcomes_of_move(bridge.world, "grit morale", {"who": "troll"})
    assert {key["success"]: chance for key, chance in outcomes}[True] == saving(6)


def test_by_the_command_line(grit: Strike) -> None:
    """What is typed after `odds` is what one would play."""
    grit("grit start stair")
    found = told_odds(grit, "grit attack sam troll --with sling", "direct", "critical")
    assert found[3, 1] == reckoned([6], 1, 2, 6, name="wil")[3, 1, "up"]
    assert told_odds(grit, "grit save sam dex --against troll", "success")[True] == saving(10, 6)
    assert grit("odds grit save --die d6").out.startswith("success")
    assert "grit" in grit("odds --help").out
