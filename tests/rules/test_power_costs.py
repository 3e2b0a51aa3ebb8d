"""What powers cost and how often they come: uses, recharge, charges, HP, Action Points gained; steps once a
turn, round or fight (STR-TAC-12, 13; STR-CORE-21)."""

from __future__ import annotations

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.systems.combat.commands.power_descriptions import (
    aura_effects_in_words,
    unusual_cost_and_trigger_words,
)
from strike_cli.systems.combat.commands.sheet_view import fight_part_of_sheet
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.powers_and_targets import require_power_as_user_has_it
from strike_cli.systems.combat.powers.standard_powers_and_use_limits import uses_left_and_in_all

TEXT = """
[powers]
spark = { action = "role", range = 9, uses = 2, effect = [{ do = "damage", amount = 1 }] }
breath = { action = "role", range = 9, usage = "encounter", recharge = 5, effect = [
  { do = "damage", amount = 1 }] }
wand = { action = "role", range = 9, charges = 2, back = "day", effect = [{ do = "damage", amount = 1 }] }
blood = { action = "role", range = 9, hp = 4, effect = [{ do = "damage", amount = 1 }] }
glory = { action = "role", who = "self", effect = [{ do = "ap", to = "self", amount = 2 }] }
first-blood = { action = "role", range = 9, effect = [
  { do = "damage", amount = 1 }, { do = "damage", amount = 3, once = "scene" }] }
warm-up = { action = "interrupt", on = "harmed", once = "fight", effect = [{ do = "reduce", amount = 1 }] }
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT, "vex", "goblin")


@pytest.fixture
def game(book: Book) -> Game:
    return Game(book).draw("V...p", "g....").begin("vex")


def use(game: Game, power: str, *targets: str, who: str = "vex", dice: tuple[int, ...] = ()) -> None:
    game.set("fight.turn", {})
    game.play("combat use", who=who, power=power, targets=targets, dice=dice)


def test_two_uses_a_fight(game: Game) -> None:
    use(game, "spark", "post")
    use(game, "spark", "post")
    with pytest.raises(Refused, match="has used Spark"):
        use(game, "spark", "post")


@pytest.mark.parametrize(("die", "back"), [(4, False), (5, True)])
def test_a_die_brings_it_back(game: Game, die: int, back: bool) -> None:
    """Of players too; rolled at the start of the turn, and for what is used up alone."""
    use(game, "breath", "post")
    game.next_turn_of("vex", dice=[die])
    assert (game.of("vex", "used") is None) is back


def test_charges_are_kept_between_fights_until_a_rest(game: Game) -> None:
    """A shorter rest brings back nothing."""
    use(game, "wand", "post")
    game.play("combat abandon")
    game.draw("V...p").begin("vex")
    use(game, "wand", "post")
    with pytest.raises(Refused, match="no charge of Wand left"):
        use(game, "wand", "post")
    game.play("combat abandon")
    assert "charges" not in game.play("rest", who="vex", rest="long")
    assert game.play("rest", who="vex", rest="week")["charges"] == {"vex": ["wand"]}
    assert game.get("characters.vex.charges") is None
    game.set("characters.vex.charges", {"wand": {"spent": 3}})  # the power had more of them, once
    game.draw("V...p")
    assert uses_left_and_in_all(
        Fight(game.world), "vex", require_power_as_user_has_it(Fight(game.world), "vex", "wand")
    ) == (0, 2)


def test_a_sheet_tells_the_charges_that_are_left(game: Game) -> None:
    use(game, "wand", "post")
    assert "1 of 2 charges left" in str(fight_part_of_sheet(game.world, "vex").blocks[-1].rows)


def test_an_aura_in_words(book: Book) -> None:
    aura = {"name": "Dread", "spread": 2, "status": "core:slowed", "who": "enemies", "difficult": True}
    assert aura_effects_in_words(book, aura) == "difficult, Slowed for enemies"


def test_a_creatures_charges_are_those_of_the_fight(game: Game) -> None:
    game.next_turn_of("goblin")
    use(game, "wand", "post", who="goblin")
    use(game, "wand", "post", who="goblin")
    with pytest.raises(Refused, match="has used Wand"):
        use(game, "wand", "post", who="goblin")


def test_hp_that_it_costs(game: Game) -> None:
    """Never the last of them; it is no damage, and makes Bloodied what it leaves so."""
    game.put("vex", hp=8)
    use(game, "blood", "post")
    assert game.of("vex", "hp") == 4
    assert "bloodied" in game.statuses("vex")
    assert "Vex pays 4 HP for Blood: 4 left." in game.texts()
    with pytest.raises(Refused, match="hasn't the HP"):
        use(game, "blood", "post")


def test_action_points_are_gained(game: Game) -> None:
    use(game, "glory")
    assert game.get("characters.vex.ap") == 3


def test_a_step_is_done_once_a_fight(game: Game) -> None:
    before = game.of("post", "hp")
    use(game, "first-blood", "post")
    assert before - game.of("post", "hp") == 4
    game.next_turn_of("vex")
    use(game, "first-blood", "post")
    assert before - game.of("post", "hp") == 5


def test_once_a_fight_is_not_once_a_round(game: Game) -> None:
    """Both words, of an answer too."""
    game.play("combat damage", who="goblin", amount=1)
    assert game.of("goblin", "hp") == 4
    game.next_turn_of("vex")
    game.play("combat damage", who="goblin", amount=1)
    assert game.of("goblin", "hp") == 3


def test_how_it_is_said(book: Book) -> None:
    assert unusual_cost_and_trigger_words(book.powers["spark"]) == "role action, 2 times a fight"
    assert (
        unusual_cost_and_trigger_words(book.powers["breath"])
        == "role action, once a fight, returns on 5 or more"
    )
    assert unusual_cost_and_trigger_words(book.powers["wand"]) == "role action, 2 charges (rest: day)"
    assert unusual_cost_and_trigger_words(book.powers["blood"]) == "role action, 4 HP"
