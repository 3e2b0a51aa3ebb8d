"""Of more ways to aim a power than anybody would read the likeliest are listed, and how many are not
(STR-TAC-12)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.play.legal_options import Option
from strike_cli.systems.combat.bots.legal_options import (
    KINDS,
    MOST_AREAS,
    count_unlisted_aims,
    legal_actions_worth_listing,
)

POWERS = """
[powers]
ball = { range = 20, area = 1, damage = 2 }
blessing = { action = "role", range = 20, area = 1, effect = [
  { do = "apply", status = "guarded", duration = "turn-start" }] }
volley = { range = 7, targets = 3, damage = 2 }
flurry = { range = 7, targets = 3, repeats = true, damage = 2 }
dance = { action = "role", effect = [{ do = "note", text = "Round and round.", to = "self" }] }
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(POWERS, "vex")


def listed(game: Game, power: str) -> Iterator[tuple[str, ...]]:
    """Whom a power of Vex is listed for, in the order of the list."""
    for option in legal_actions_worth_listing(game.world, "vex", ["power"]):
        if option.args.power == power:
            yield tuple(option.args.targets)


def test_of_many_areas_those_that_spare_friends_are_listed(book: Book) -> None:
    """STR-TAC-12: to an attack a friend in its area is as bad as an enemy is good, to what is not rolled all
    are alike; of the areas of three squares by three the best are listed, and how many others there are."""
    rows = ("V.B.g......", "..gg.g..g..", "...g.O.g.g.", ".....gS....", "...g....g..")
    game = Game(book).draw(*rows).begin("vex")
    drawn = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in "BOSg"}
    groups = {
        frozenset(at for at in drawn if abs(at[0] - x) <= 1 and abs(at[1] - y) <= 1)
        for y, row in enumerate(rows) for x in range(len(row))
    }  # fmt: skip
    for power, friend in (("ball", -1), ("blessing", 1)):
        worth = [sum(1 if drawn[at] == "g" else friend for at in group) for group in groups if group]
        found = [sum(1 if "goblin" in who else friend for who in targets) for targets in listed(game, power)]
        assert sorted(found) == sorted(worth)[-MOST_AREAS:]
    assert count_unlisted_aims(game.world, "vex")["ball"] == len(groups - {frozenset()}) - MOST_AREAS


def test_of_many_targets_each_and_the_likeliest_sets_are_listed(book: Book) -> None:
    """STR-TAC-12: each alone, the three nearest, the three weakest; of what may be aimed at one several times
    each so often. Nothing is listed twice, and nobody out of reach is among several."""
    game = Game(book).draw("Vggg....g", "....gg..g", "......ggg").begin("vex").put("goblin-6", hp=1)
    far = {"goblin-4", "goblin-7", "goblin-10"}
    for number in (5, 8):
        game.put(f"goblin-{number}", hp=2)
    found = list(listed(game, "volley"))
    assert [each for each in found if len(each) > 1] == [
        ("goblin-1", "goblin-2", "goblin-3"), ("goblin-5", "goblin-6", "goblin-8"),
    ]  # fmt: skip
    assert not any({*each} & far for each in found)
    assert count_unlisted_aims(game.world, "vex")["volley"] == 45 + 120 - 2
    again = list(listed(game, "flurry"))
    assert {(who,) * 3 for (who,) in found[:7]} <= {*again}
    assert len(again) == len({*again}) == 7 + 2 + 7


def test_of_a_crowd_out_of_reach_no_sets_are_made(book: Book) -> None:
    """STR-TAC-12: a set has all who are in reach in it, if they are several; who is alone there is listed
    once."""
    game = Game(book).draw("Vg........ggggggg").begin("vex")
    assert list(listed(game, "volley")) == [("goblin-1",)]
    game = Game(book).draw("Vgg........ggggggg").begin("vex")
    assert list(listed(game, "volley")) == [("goblin-1",), ("goblin-2",), ("goblin-1", "goblin-2")]


def test_what_needs_no_target_is_listed_without_one(book: Book) -> None:
    """STR-TAC-12: and what is rolled is not."""
    game = Game(book).draw("V.g").begin("vex")
    assert () in list(listed(game, "dance"))
    assert () not in [*listed(game, "volley"), *listed(game, "trip")]


def test_options_of_a_kind_are_listed_by_its_name(book: Book) -> None:
    """STR-TAC-03: who asks for some kinds of what may be done gets these, and of all of them nothing else."""
    game = Game(book).draw("V..g").begin("vex").afflict("vex", "prone")
    game.afflict("vex", "grabbed", ends="escape")
    every: list[Option] = legal_actions_worth_listing(game.world, "vex")
    words = {
        "power": {"attack", "use"}, "charge": {"charge"}, "move": {"move"}, "stand": {"stand"},
        "escape": {"escape"}, "other": {"assess", "hide", "delay", "leave"}, "end": {"end-turn"},
    }  # fmt: skip
    assert [*words] == [*KINDS]
    for kind, typed in words.items():
        assert legal_actions_worth_listing(game.world, "vex", [kind]) == [
            one for one in every if one.typed[0] in typed
        ]
