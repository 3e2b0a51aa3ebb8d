"""Conditions of one's own: a severity, recovery with needs, time and a roll, what worsens; on creatures and
whole sides (STR-CORE-12, 13)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import World
from strike_cli.problems import Refused
from strike_cli.systems.core.commands.current_sheets import sheet_block
from strike_cli.systems.core.conditions import severity_name
from strike_cli.systems.wealth.effective_wealth_and_purchase_roll import effective_wealth
from strike_cli.tabletop.active_effects import effects_on, roll_reasons_from_effects
from strike_cli.terminal.command_output import blocks_as_unwrapped_text

TEXT = """
[severities.curse]
name = "Curse"
stacks = false
like = "major"

[severities.debt]
name = "Debt"
stacks = true
like = "wealth"

[conditions]
mortgage = { name = "Mortgage", severity = "debt" }
evil-eye = { name = "Evil Eye", severity = "curse", sources = [{ on = "save", gives = "disadvantage" }] }
plague = { name = "Plague", severity = "major", numbers = [{ of = "speed", gives = -2 }] }
hunted = { name = "Hunted", severity = "minor", sources = [{ on = "attack", gives = "disadvantage" }] }

[conditions.geas]
name = "Geas"
severity = "curse"
recovery = { needs = ["no-other"], own = ["a silver bell"], text = "a silver bell rung thrice" }
sources = [{ on = "any", gives = -1 }]

[conditions.fever]
name = "Fever"
severity = "major"
sources = [{ on = "initiative", gives = -1 }, { on = "recovery", gives = "advantage" }]

[conditions.fever.recovery]
needs = ["day"]
times = 2
text = "a day in bed"
roll = { at_least = 4, worse_on = 1, to = "plague" }

[conditions.bite]
name = "Bite"
severity = "minor"
recovery = { needs = ["doctor"], text = "a leech" }
worsens = { after = "long", times = 2, to = "fever" }
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT)


def add(game: Game, condition: str, who: str = "vex") -> None:
    game.play("condition add", who=who, condition=condition)


def conditions(game: Game, who: str = "vex") -> list[str]:
    return list(game.get(f"characters.{who}.conditions", []))


def test_a_severity_of_ones_own(game: Game) -> None:
    """It says whether its Conditions add up, and bears on rolls as they say."""
    add(game, "geas")
    with pytest.raises(Refused, match="doesn't add up"):
        add(game, "geas")
    assert [modifier.value for modifier in roll_reasons_from_effects(game.world, "vex", "skill")[1]] == [-1]


@pytest.mark.parametrize(("severity", "name"), [("minor", "minor"), ("curse", "Curse"), ("gone", "gone")])
def test_what_a_severity_is_called(book: Book, severity: str, name: str) -> None:
    """By its name, where it is one's own; by its id where the book has it no more."""
    assert severity_name(book, severity) == name


def test_what_is_mending_is_so_until_the_last_of_it_goes(game: Game) -> None:
    """STR-CORE-13: of two fevers one may go, and what was had of the cure is kept for the other."""
    add(game, "fever")
    add(game, "fever")
    game.play("rest", who="vex", rest="day")
    mending = game.get("characters.vex.course.fever")
    assert mending
    game.play("condition remove", who="vex", condition="fever")
    assert (conditions(game), game.get("characters.vex.course.fever")) == (["fever"], mending)
    game.play("condition remove", who="vex", condition="fever")
    assert (conditions(game), game.get("characters.vex.course.fever")) == ([], None)


def test_a_severity_like_that_of_wealth_lowers_it(game: Game) -> None:
    """STR-CORE-29: each Condition of it by one, where it is like one that rules know; a curse does not."""
    game.set("characters.vex.wealth", 3)
    for condition in ("mortgage", "mortgage", "geas"):
        add(game, condition)
    assert effective_wealth(game.world, "vex").effective == 1


def test_a_need_in_words_of_ones_own(game: Game) -> None:
    """It is said with its words; and no other of the severity may be there."""
    add(game, "geas")
    add(game, "evil-eye")
    with pytest.raises(Refused, match='--met "a silver bell"'):
        game.play("recover", who="vex", condition="geas")
    with pytest.raises(Refused, match="Evil Eye"):
        game.play("recover", who="vex", condition="geas", met=["A silver bell"])
    game.play("condition remove", who="vex", condition="evil-eye")
    game.play("recover", who="vex", condition="geas", met=["A silver bell"])
    assert conditions(game) == []


@pytest.mark.parametrize(("dice", "left"), [([3, 4], []), ([2, 3], ["fever"]), ([1, 1], ["plague"])])
def test_time_and_a_roll(game: Game, dice: list[int], left: list[str]) -> None:
    """Two days, then a die: it ends, stays or turns into something worse."""
    add(game, "fever")
    assert game.play("rest", who="vex", rest="day")["ended"] == {}
    assert not [text for text in game.texts() if "it ends nothing" in text]
    assert "Vex is Fever recovering: 1 of 2." in game.texts()
    data = game.play("rest", who="vex", rest="week", dice=dice)
    assert conditions(game) == left
    ends = {(): "it ends.", ("fever",): "it stays.", ("plague",): "it gets worse."}[tuple(left)]
    assert [text.endswith(ends) for text in game.texts() if "recovers from" in text] == [True]
    assert (data["ended"] == {"vex": ["fever"]}) is (not left or left == ["plague"])


def test_what_is_untended_gets_worse(game: Game) -> None:
    """A shorter rest doesn't count; nor does what else one has."""
    add(game, "hunted")
    add(game, "bite")
    game.play("rest", who="vex", rest="minutes")
    game.play("rest", who="vex", rest="long")
    assert conditions(game) == ["hunted", "bite"]
    game.play("rest", who="vex", rest="day")
    assert conditions(game) == ["hunted", "fever"]


ORDINALS = ("second", "third", "fourth", "fifth", "6th", "7th", "8th", "9th")


def test_how_often_it_takes_to_get_worse(book: Book) -> None:
    """STR-CORE-12: from twice to nine times, and it is said."""
    numbers = range(2, 10)
    game = Game(book_with("".join(
        f'[conditions.ache-{at}]\nname = "Aching"\nseverity = "major"\n'
        f'escalates = {{ to = "core:exhausted", at = {at} }}\n' for at in numbers
    )))  # fmt: skip
    for at, word in zip(numbers, ORDINALS, strict=True):
        for already in range(1, at):
            add(game, f"ache-{at}", "brann")
            assert conditions(game, "brann") == [f"ache-{at}"] * already
        add(game, f"ache-{at}", "brann")
        assert game.texts() == [f"Brann is Aching a {word} time and so Exhausted."]
        assert conditions(game, "brann") == ["core:exhausted"]
        game.play("condition remove", who="brann", condition="core:exhausted")


def test_on_a_creature_and_on_all_of_a_kind(game: Game) -> None:
    """By its name in the fight it is that one's, by the creature's id every one's."""
    game.draw("V..", "g.g").begin("vex")
    add(game, "hunted", "goblin-1")
    add(game, "plague", "goblin")
    names = {
        who: [held.id for held in effects_on(game.world, who)] for who in ("goblin-1", "goblin-2", "vex")
    }
    assert names == {"goblin-1": ["hunted", "plague"], "goblin-2": ["plague"], "vex": []}
    game.play("condition remove", who="goblin-1", condition="hunted")
    assert [held.id for held in effects_on(game.world, "goblin-1")] == ["plague"]


def test_on_a_whole_side(game: Game) -> None:
    """Everybody of the party, in scenes and out of them."""
    add(game, "hunted", "party")
    assert game.texts() == ["The party is Hunted."]
    assert [source.kind for source in roll_reasons_from_effects(game.world, "brann", "attack")[0]] == [
        "disadvantage"
    ]
    game.draw("V..", "g.g").begin("vex")
    assert [held.id for held in effects_on(game.world, "vex")] == ["hunted"]
    assert list(effects_on(game.world, "goblin-1")) == []
    add(game, "plague", "enemies")
    assert game.texts() == ["The other side is Plague."]
    assert [[held.id for held in effects_on(game.world, who)] for who in ("vex", "goblin-2")] == [
        ["hunted"],
        ["plague"],
    ]


def test_the_odds_of_recovering(game: Game) -> None:
    """With Advantage the better of two: 4 or more in 27 of 36."""
    add(game, "fever")
    game.play("rest", who="vex", rest="day")
    ended = 0
    for first in range(1, 7):
        for second in range(1, 7):
            left = Game(game.book, game.state)
            left.play("rest", who="vex", rest="day", dice=[first, second])
            ended += not conditions(left)
    assert Fraction(ended, 36) == Fraction(27, 36)


def test_a_sheet_says_what_ends_one_that_has_no_summary(book: Book) -> None:
    world = World(book, {"characters": {"vex": {"conditions": ["geas"]}}})
    assert "Geas  Ends with a silver bell rung thrice." in blocks_as_unwrapped_text(
        [sheet_block(world, "vex")]
    )
