"""Dice as people write them: health read, thrown and counted."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from oracle.dice_notation import chances
from support.cases import case
from support.thorough import THOROUGH

from strike_cli.content.merged_content import book_of_core_and_plugins
from strike_cli.kernel.exact_odds import exact_chances
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.phones.player_page_data import offer_of_dice_if_prefixed
from strike_cli.problems import Usage
from strike_cli.systems.core.commands.die import subcommand_of_short_roll
from strike_cli.systems.core.plain_dice import RollDice, play_die
from strike_cli.systems.prep.random_tables import are_table_dice, throw_dice_in_braces
from strike_cli.tabletop.dice_notation import (
    DiceFault,
    TooManyWays,
    count_ways_to_totals,
    parse_dice,
    throw_expression,
)

MODS = (
    ("", "ro1", "ro2", "ro1ro2"),
    ("", "", "!", "e"),
    ("", "", "kh", "kl2", "dh", "dl"),
    ("", "", ">=2", "s3"),
)


def dice_text(draw: random.Random, depth: int = 2) -> str:
    """Write dice of the grammar that are few enough to list."""
    if depth and draw.random() < 0.4:
        left, right = dice_text(draw, depth - 1), draw.choice([str(draw.randint(0, 9)), dice_text(draw, 0)])
        return draw.choice(["{}+{}", "{} - {}", "({})*{}", "({}) x {}", "{1}+{0}", "({})"]).format(
            left, right
        )
    n, sides = draw.randint(1, 3), draw.choice(["2", "3", "4", "F", "f"])
    mods = [draw.choice(each) for each in MODS]
    if n == 1:
        mods[2] = mods[2].replace("kl2", "kl").replace("dh", "").replace("dl", "")
    if mods[1]:
        n = min(n, 2)
    mods[2] = mods[2] if n > 1 else ""
    return f"{n if n > 1 else draw.choice(['', '1'])}d{sides}{''.join(mods)}"


DOORS: dict[str, Callable[[str], Procedure[int]]] = {
    "a throw": lambda text: _totals(throw_expression(parse_dice(text), "", "die"), lambda found: found.total),
    "roll die": lambda text: _totals(
        play_die(World(book_of_core_and_plugins()), RollDice(formula=text)), lambda found: found["total"]
    ),
    "a table, a handout": lambda text: _totals(
        throw_dice_in_braces(f"{{{text}}}", "", "table:x"), lambda found: int(found[0])
    ),
}
"""Where dice may stand, and what they come to there."""


def _totals(played: Procedure[Any], total: Callable[[Any], int]) -> Procedure[int]:
    return total((yield from played))


@pytest.mark.slow
def test_any_dice_are_counted_as_a_list_of_all_their_ways() -> None:
    draw = random.Random(59)
    for number in range(2000 if THOROUGH else 60):
        text = dice_text(draw)
        with case(text):
            tree = parse_dice(text).tree
            ways = count_ways_to_totals(tree)
            whole, expected = sum(ways.values()), chances(text)
            assert {total: Fraction(each, whole) for total, each in ways.items() if each} == expected
            if number < 40 and "!" not in text and "e" not in text:
                for door in DOORS.values():
                    assert exact_chances(lambda door=door, text=text: (door(text), None), int) == expected
                assert offer_of_dice_if_prefixed(f"dice {text}").words == ("roll", "die", text)


def test_a_mistake_in_dice_is_shown_and_nobodys_name() -> None:
    for text, at, reason in (
        ("2d6-", 4, "a number or dice"), ("5d6>4", 3, ">=5"), ("(2d6", 4, "bracket"), ("2d6)", 3, "bracket"),
        ("2d6k3", 3, "kh keeps"), ("d0", 2, "at least 1 side"), ("0d6", 0, "1 to 100"), ("2d", 2, "sides"),
        ("101d6", 0, "1 to 100"), ("2d6kh3", 6, "of 2 dice"), ("d6kh0", 5, "of "), ("d6ro", 4, "miss"),
        ("2d6dh2", 6, "of "),
        ("2d6kh1!", 6, "order"), ("3d6/2", 3, "divided"), ("d6 vex", 3, "sign"), ("4d6r1", 3, "ro1"),
        ("d%d", 2, "drops"), ("(" * 30 + "d6", 21, "brackets"), ("d6" + "+1" * 200, 200, "longer"),
        ("1234567+d6", 0, "at most"),
    ):  # fmt: skip
        with case(text):
            with pytest.raises(DiceFault, match=reason) as found:
                parse_dice(text)
            assert found.value.at == at
            assert isinstance(found.value.as_usage, Usage)
            assert subcommand_of_short_roll(text.split()) == "die"


@pytest.mark.parametrize("name", ["vex", "dov", "d", "dfoo", "dana", "2", "3 goblins", "edd4", "x2d6y"])
def test_a_name_is_no_dice(name: str) -> None:
    assert subcommand_of_short_roll([name, "climbing"]) == "skill"


def test_garbled_dice_are_read_or_refused() -> None:
    draw = random.Random(7)
    for _ in range(3000 if THOROUGH else 500):
        text = list(dice_text(draw))
        for _ in range(draw.randint(1, 3)):
            text.insert(draw.randrange(len(text) + 1), draw.choice("0129dDxF%!ekhlros>=<+-*/() \té٣"))
        garbled = "".join(text)
        with case(garbled):
            try:
                count_ways_to_totals(parse_dice(garbled).tree)
            except TooManyWays:
                continue
            except DiceFault:
                with pytest.raises(DiceFault):
                    offer_of_dice_if_prefixed(f"dice {garbled}")
                assert not are_table_dice(garbled)


@pytest.mark.slow
def test_what_is_too_much_to_count_is_refused() -> None:
    for text in ("100d1000", "d999999999", "100d100*100d100"):
        with case(text), pytest.raises(TooManyWays):
            count_ways_to_totals(parse_dice(text).tree)


def test_older_journals_have_the_parts_of_a_roll() -> None:
    for raw, dice in (
        ({"sides": 6}, "1d6"), ({"n": 4, "sides": 6, "keep": 3}, "4d6kh3"),
        ({"n": 2, "sides": 20, "keep": -1}, "2d20kl1"), ({"n": 2, "sides": 6, "plus": -1}, "2d6-1"),
        ({"formula": "d%", "who": "vex"}, "d%"),
    ):  # fmt: skip
        with case(raw):
            assert RollDice.read(raw).formula == dice
