"""A drain, a swap that takes the blow, a bomb, a chain, thorns, a duel, in plain TOML, played; odds
that an enumeration confirms (STR-TAC-12)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.outcome_forecast import attack_odds
from strike_cli.systems.combat.powers.power_use import UsePower

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
    """Half of 4 comes back; nothing of a miss. The bot, hurt, drains."""
    game.draw("Vp").begin("vex").put("vex", hp=3)
    game.play("combat use", who="vex", power="bomb", targets=["post"])  # its Role Action is over
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


def test_the_chain_by_enumeration(game: Game) -> None:
    """The odds that the second goblin is reached: two hits and no miss before."""
    game.draw("V..p.g.....").begin("vex")
    odds = attack_odds(game.world, UsePower(who="vex", targets=["post"], power="lightning"))
    assert odds.plays == 0
    damage = {1: 0, 2: 0, 3: 3, 4: 3, 5: 3, 6: 6}
    for wanted in set(damage.values()):
        ways = sum(damage[first] == wanted for first, _ in product(damage, repeat=2))
        found = sum(
            (chance for lines, chance in odds.items() if lines[0] and lines[0].damage == wanted), Fraction()
        )
        assert found == Fraction(ways, 36)


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
