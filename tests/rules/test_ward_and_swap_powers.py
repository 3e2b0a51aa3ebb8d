"""The twelve powers of docs/power-reference.md, in plain TOML: numbers that go up and down, damage passed on,
others who change places, givers who stay givers, summons with their maker's numbers (STR-TAC-12, 25)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.systems.combat.bots.outcome_forecast import attack_odds
from strike_cli.systems.combat.bots.position_value import fight_value_to_side
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.health_and_statuses import statuses_and_conditions_in_words
from strike_cli.systems.combat.powers.power_use import UsePower
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing

PAGE = (Path(__file__).parents[2] / "docs" / "power-reference.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Numbers that go up and down")[2].partition("\n## ")[0]
POWERS = "\n".join(re.findall(r"^```toml\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(POWERS, "vex", "brann")


@pytest.fixture
def game(book: Book) -> Game:
    return Game(book).draw(".......", ".VBgg..", "...p...", ".......").begin("vex")


def use(game: Game, power: str, *targets: str, who: str = "vex", **more: Any) -> Any:
    game.set("fight.turn", None)
    return game.play("combat use", who=who, power=power, targets=list(targets), **more)


def give(game: Game, who: str, status: str, **more: Any) -> None:
    game.play("combat status add", who=who, status=status, by="vex", ends="encounter", **more)


def hurt(game: Game, who: str, amount: int) -> int:
    """What somebody loses of so much damage by hand."""
    before = int(game.of(who, "hp"))
    game.play("combat damage", who=who, amount=amount)
    return before - int(game.of(who, "hp"))


def number(game: Game, who: str, status: str) -> int:
    return next((item.get("value", 0) for item in game.of(who, "statuses") or () if item["id"] == status), 0)


def test_a_ward_of_5_is_used_up(game: Game) -> None:
    use(game, "ward", "brann")
    assert (hurt(game, "brann", 3), number(game, "brann", "warded")) == (0, 2)
    assert "Brann's Warded goes from 5 to 2." in game.texts()
    assert hurt(game, "brann", 4) == 2, "two of it are taken"
    assert "warded" not in game.statuses("brann")
    assert hurt(game, "brann", 1) == 1


def test_bots_count_what_a_ward_keeps_off(game: Game) -> None:
    """In HP, so that they give the larger of two, and strike elsewhere first."""
    side = Fight(game.world).side("brann")
    bare = fight_value_to_side(game.book, game.world.state, side)
    use(game, "ward", "brann")
    assert fight_value_to_side(game.book, game.world.state, side) - bare == 5
    hurt(game, "brann", 4)
    assert fight_value_to_side(game.book, game.world.state, side) - bare == 1


def test_a_ward_given_again_is_whole_again(game: Game) -> None:
    use(game, "ward", "brann")
    hurt(game, "brann", 3)
    use(game, "ward", "brann")
    assert number(game, "brann", "warded") == 5


def test_linked_targets_share_damage_once(game: Game) -> None:
    """What one takes the others take half of, and nobody a quarter of that again."""
    use(game, "soul-link", "goblin-1", "goblin-2", "post")
    before = [game.of(who, "hp") for who in ("goblin-1", "goblin-2", "post", "brann")]
    game.play("combat damage", who="post", amount=4)
    after = [game.of(who, "hp") for who in ("goblin-1", "goblin-2", "post", "brann")]
    assert [was - now for was, now in zip(before, after, strict=True)] == [2, 2, 4, 0]


def test_two_others_change_places(game: Game) -> None:
    places = {who: game.of(who, "at") for who in ("brann", "post")}
    use(game, "shuffle", "brann", "post")
    assert (game.of("brann", "at"), game.of("post", "at")) == (places["post"], places["brann"])
    assert game.of("vex", "at") == "B2"


def test_one_target_alone_changes_with_nobody(game: Game) -> None:
    """It is refused, and nothing is spent."""
    with pytest.raises(WouldDoNothing):
        use(game, "shuffle", "post")


def test_an_ally_and_a_foe_change_places(game: Game) -> None:
    ally, foe = game.of("brann", "at"), game.of("goblin-2", "at")
    use(game, "stand-in", "goblin-2")
    assert (game.of("brann", "at"), game.of("goblin-2", "at")) == (foe, ally)


def test_damage_is_given_back(game: Game) -> None:
    use(game, "mirror")
    game.set("fight.active", "goblin-1")
    game.set("fight.combatants.goblin-1.at", "C3")
    hp, own = game.of("goblin-1", "hp"), game.of("vex", "hp")
    game.play("combat attack", who="goblin-1", targets=["vex"], dice=[6])
    assert (hp - game.of("goblin-1", "hp"), own - game.of("vex", "hp")) == (2, 0)
    assert "mirrored" not in game.statuses("vex")


def test_a_third_of_it_is_given_back(book: Book) -> None:
    game = Game(book).draw("Vx..", "....").begin("vex")
    use(game, "barbs")
    game.set("fight.active", "ogre")
    hp, own = game.of("ogre", "hp"), game.of("vex", "hp")
    game.play("combat attack", who="ogre", targets=["vex"], dice=[6])
    assert own - game.of("vex", "hp") == 6
    assert hp - game.of("ogre", "hp") == 2


def test_a_bodyguard_takes_half(game: Game) -> None:
    use(game, "bodyguard", "brann")
    hp = game.of("vex", "hp")
    assert (hurt(game, "brann", 5), hp - game.of("vex", "hp")) == (2, 3)


def test_what_it_suffers_heals_the_giver(game: Game) -> None:
    game.put("vex", hp=4)
    give(game, "goblin-1", "leeched")
    game.play("combat damage", who="goblin-1", amount=3)
    assert game.of("vex", "hp") == 6


def test_a_mark_spreads_and_keeps_its_giver(game: Game) -> None:
    give(game, "goblin-1", "branded")
    game.play("combat damage", who="goblin-1", amount=1)
    assert [(item["id"], item["by"]) for item in game.of("goblin-2", "statuses")] == [("branded", "vex")]
    assert "branded" not in game.statuses("brann")


def test_a_summon_has_its_makers_numbers(game: Game) -> None:
    use(game, "echo", choose=["A1"])
    fight = Fight(game.world)
    assert (game.of("echo", "hp"), game.of("echo", "max_hp")) == (5, 5)
    assert fight.speed("echo")[0] == fight.speed("vex")[0] + 1
    assert fight.sheet("echo")["melee"]["damage"] == fight.sheet("vex").get("melee", {}).get("damage", 2)


def test_stress_grows_and_comes_home(game: Game) -> None:
    for _ in range(3):
        game.set("fight.turn", None)
        game.play("combat attack", who="vex", power="dread-whisper", targets=["post"], dice=[5])
    assert number(game, "post", "stressed") == 5, "at most"
    hp = game.of("post", "hp")
    use(game, "snap", "post")
    assert hp - game.of("post", "hp") == 5
    assert "stressed" not in game.statuses("post")


def test_what_was_wound_up_is_spent_by_a_hit(game: Game) -> None:
    use(game, "wind-up")
    for expected in (2, 3, 4, 4):
        game.next_turn_of("vex")
        assert number(game, "vex", "wound-up") == expected
    hp = game.of("post", "hp")
    game.set("fight.combatants.post.at", "B3")
    game.play("combat attack", who="vex", targets=["post"], dice=[4])
    assert hp - game.of("post", "hp") == 3 + 4
    assert "wound-up" not in game.statuses("vex")


def test_odds_know_what_a_ward_takes(game: Game) -> None:
    """They are the rules: 3 are taken whole, of the 6 of a critical hit 1 comes through."""
    give(game, "post", "warded", value=5)
    game.set("fight.combatants.post.at", "B3")
    odds = attack_odds(game.world, UsePower(who="vex", targets=["post"], power="core:melee-basic"))
    assert {line[0].damage for line in odds if line[0]} == {0, 1}


def test_a_number_stands_with_its_status(game: Game) -> None:
    use(game, "ward", "brann")
    assert "Warded 5 by Vex (this fight)" in statuses_and_conditions_in_words(game.world, "brann")


NAUGHT = """
[powers]
cheer = { action = "role", range = 5, effect = [
  { do = "damage", amount = 1 }, { do = "token" }, { do = "end", status = "prone" }, { do = "dismiss" }] }
calm = { action = "role", range = 5, effect = [
  { do = "damage", amount = 1 }, { do = "lower", status = "slowed" }] }
"""


@pytest.mark.parametrize(
    ("power", "said"),
    [
        ("cheer", ["only players' characters", "is not Prone", "was not summoned"]),
        ("calm", ["is not Slowed"]),
    ],
)
def test_what_comes_to_nothing_says_so(power: str, said: list[str]) -> None:
    game = Game(book_with(NAUGHT, "vex")).draw("V..g").begin("vex")
    use(game, power, "goblin")
    assert all(any(words in text for text in game.texts()) for words in said)
