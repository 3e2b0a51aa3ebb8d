"""Dice that know what they are for."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from strike_cli.kernel.procedure import Roll
from strike_cli.sim.simulated_fight import KeyedDice


def _attack(who: str = "vex", n: int = 1) -> Roll:
    return Roll(n, 6, "attack on goblin", who)


def test_what_happens_in_between_changes_no_roll() -> None:
    plain, other = KeyedDice(7, "3"), KeyedDice(7, "3")
    first = [plain(_attack()) for _ in range(20)]
    second = []
    for _ in range(20):
        other(_attack("odo"))
        other(Roll(2, 20, "saving throw", "vex"))
        second.append(other(_attack()))
    assert first == second


def test_another_seed_or_fight_rolls_otherwise() -> None:
    rolls = {key: [KeyedDice(*key)(_attack(n=30))] for key in ((7, "3"), (8, "3"), (7, "4"), (7, "3.1"))}
    assert len({str(faces) for faces in rolls.values()}) == 4


@pytest.mark.parametrize("sides", [4, 6, 20])
def test_every_face_comes_as_often(sides: int) -> None:
    """Chi-square of the faces, and of faces that follow one another, beyond what luck explains."""
    dice, n = KeyedDice(1, "0"), 12_000
    faces = [dice(Roll(1, sides, "attack", "vex"))[0] for _ in range(n)]
    pairs = list(pairwise(faces))
    for found, kinds in ((Counter[object](faces), sides), (Counter[object](pairs), sides**2)):
        expected = sum(found.values()) / kinds
        square = sum((found[kind] - expected) ** 2 / expected for kind in found)
        square += (kinds - len(found)) * expected
        assert square < kinds - 1 + 5 * (2 * (kinds - 1)) ** 0.5


def test_many_dice_at_once_are_all_rolled() -> None:
    faces = KeyedDice(1, "0")(Roll(40, 6, "handful", ""))
    assert len(faces) == 40 and set(faces) == set(range(1, 7))
