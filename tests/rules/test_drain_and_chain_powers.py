"""A drain, a swap that takes the blow, a bomb, a chain, thorns, a duel, in plain TOML, played
(STR-TAC-12); test_power_odds_and_undo.py counts them."""

from __future__ import annotations

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.systems.combat.bots.full_bot import FullBot

TEXT = """
[powers]
drain = { reach = 1, damage = 4, hit = [
  { do = "heal", to = "self", amount = { of = "dealt", half = "up" } }] }
bomb = { action = "role", range = 5, who = "enemies", effect = [
  { do = "apply", status = "fuse", duration = "encounter" }] }
lightning = { range = 8, damage = 3, hit = [
  { do = "attack", to = "self", power = "arc", at = "other", near = 2 }] }
arc = { range = 20, damage = 1, hit = [
  { do = "attack", to = "self", power = "arc", at = "other", near = 2 }] }
challenge = { action = "role", range = 5, who = "enemies", effect = [
  { do = "apply", status = "dueling", duration = "encounter" }] }

[powers.stand-in]
name = "Stand In"
action = "interrupt"
on = "declared"
befalls = "ally"
near = 2
usage = "encounter"
effect = [{ do = "swap", to = "befallen" }, { do = "redirect" }]

[statuses.fuse]
name = "Fuse"
[[statuses.fuse.reactions]]
on = "turn-started"
do = "steps"
steps = [
  { do = "end", to = "self", status = "fuse" },
  { do = "damage", to = "around", within = 1, amount = 2 },
  { do = "damage", to = "self", amount = 4 },
]

[statuses]
barbs = { harmful = false, reactions = [
  { on = "hit", do = "steps", steps = [{ do = "damage", amount = { die = 6, half = "down" } }] }] }

[statuses.dueling]
name = "Dueling"
ends_when = ["giver-down"]
sources = [{ on = "attack", gives = "disadvantage", when = "without-giver" }]
numbers = [{ of = "taken", gives = 1, when = "from-giver" }, { of = "dealt", gives = 1, when = "from-giver" }]
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT, "vex", "brann")


def test_a_drain(game: Game) -> None:
    """The bot, hurt, whose Role Action is over, drains: half of 4 comes back."""
    game.draw("Vp").begin("vex").put("vex", hp=3)
    game.play("combat use", who="vex", power="bomb", targets=["post"])
    assert getattr(FullBot().choose_command(game.world, "vex").args, "power", "") == "drain"
    game.attack("vex", "post", power="drain", dice=[5])
    assert game.of("vex", "hp") == 5


def test_swap_and_take_the_blow_once_a_fight(game: Game) -> None:
    game.draw("gV", ".B").begin("goblin")
    game.play("combat attack", who="goblin", targets=["vex"], dice=[5], choose=["use"])
    assert (game.of("brann", "at"), game.lost("vex")) == ("B1", 0)
    assert game.lost("brann") > 0
    game.next_turn_of("goblin")
    game.play("combat attack", who="goblin", targets=["brann"], dice=[5], choose=["use"])
    assert game.lost("vex") > 0, "Vex has one too, and goes back for Brann"


def test_a_bomb_that_goes_off_next_turn(game: Game) -> None:
    """At the start of the goblin's turn: 4 to it, 2 to all beside it, friend or foe; once."""
    game.draw("V..gB", "...p.").begin("vex").put("goblin", hp=10, max_hp=10)
    game.play("combat use", who="vex", power="bomb", targets=["goblin"])
    assert game.lost("goblin") == 0
    game.next_turn_of("goblin")
    assert [game.lost(who) for who in ("goblin", "brann", "post", "vex")] == [4, 2, 2, 0]
    assert "fuse" not in game.statuses("goblin")


def test_a_chain_leaps_on_and_never_back(game: Game) -> None:
    """From the post to each goblin within 2 of the last; then nobody is left. The fallen count where they
    stood."""
    game.draw("V..p.g.g...").begin("vex").put("post", hp=1)
    data = game.attack("vex", "post", power="lightning", dice=[5, 5, 5], choose=["goblin-1", "goblin-2"])
    assert data["taken_out"]
    assert [game.lost(f"goblin-{n}") for n in (1, 2)] == [1, 1]


def test_thorns(game: Game) -> None:
    """Whoever hits is pricked by half a die; who misses isn't."""
    game.draw("Vp").begin("vex").put("post", statuses=[{"id": "barbs", "ends": "encounter"}])
    game.attack("vex", "post", dice=[5, 5])
    assert game.lost("vex") == 2
    game.next_turn_of("vex")
    game.attack("vex", "post", dice=[2])
    assert game.lost("vex") == 2


def test_a_duel(game: Game) -> None:
    """1 more either way between the two; Disadvantage against everybody else, until the challenger falls."""
    game.draw("VgB").begin("vex").put("goblin", hp=30, max_hp=30)
    game.play("combat use", who="vex", power="challenge", targets=["goblin"])
    game.attack("vex", "goblin", dice=[5, 5])
    assert game.lost("goblin") == game.book.characters["vex"]["melee"]["damage"] + 1
    game.next_turn_of("goblin")
    assert game.attack("goblin", "brann", dice=[5, 5], choose=["pass"])["roll"]["mode"] == "disadvantage"
