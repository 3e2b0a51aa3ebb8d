"""Powers in plain TOML: a fire that spreads, a blow turned on a neighbour, a bell that tolls when it breaks,
a gamble, a snare, a pact (STR-TAC-12, 21). The bot plays them; test_power_odds_and_undo.py
counts them."""

from __future__ import annotations

from copy import copy
from fractions import Fraction

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import World
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.legal_options import END_TURN, legal_actions_worth_listing

TEXT = """
[powers]
bonfire = { action = "role", area = 1, range = 6, uses = 1, effect = [
  { do = "zone", to = "self", name = "Bonfire", amount = 2, sight = "obscured" },
  { do = "apply", to = "self", status = "stoking", duration = "encounter" }] }
mirror = { name = "Mirror Guard", action = "interrupt", on = "struck", once = "round", effect = [
  { do = "redirect", to = "enemies", within = 1 }] }
bell = { name = "Grave Bell", action = "role", who = "self", uses = 1, effect = [
  { do = "summon", to = "self", creature = "bell", turns = "none", near = 3 }] }
snare-line = { action = "role", range = 6, who = "self", charges = 1, effect = [
  { do = "zone", to = "self", name = "Snare Line", length = 2, status = "tripwire", who = "enemies" }] }
pact = { name = "Blood Pact", action = "role", range = 5, who = "allies", effect = [
  { do = "apply", status = "warded", duration = "encounter" }] }

[statuses.stoking]
name = "Stoking"
harmful = false
[[statuses.stoking.reactions]]
on = "turn-started"
do = "steps"
steps = [
  { do = "grow-zone", to = "self", zone = "Bonfire", amount = 1, once = "scene" },
  { do = "damage", to = "inside", zone = "Bonfire", amount = 1 },
]

[creatures]
bell = { hp = 1, auras = [{ name = "Toll", spread = 2, status = "tolled", who = "enemies" }] }

[statuses]
tolled = { sources = [{ on = "attack", gives = "disadvantage" }], reactions = [
  { on = "zone-ends", do = "steps", steps = [{ do = "damage", to = "self", amount = { die = 4 } }] }] }

[powers.gamble]
name = "Gambler's Volley"
action = "role"
who = "self"
uses = 2
recharge = 5
hp = 1

[[powers.gamble.effect]]
do = "repeat"
to = "self"
amount = 2

[[powers.gamble.effect.steps]]
do = "roll"
to = "enemies"
within = 3
faces = { 1-3 = [], 4-5 = [{ do = "damage", amount = 1 }], 6 = [{ do = "damage", amount = 3 }] }

[statuses.tripwire]
name = "Tripwire"
[[statuses.tripwire.reactions]]
on = "enters"
do = "steps"
steps = [
  { do = "end-zone", to = "self" },
  { do = "roll", to = "self", faces = { 1-2 = [], 3-6 = [
    { do = "apply", status = "immobilized", duration = "save" }] } },
]

[statuses.warded]
name = "Warded"
harmful = false
ends_when = ["giver-down"]
[[statuses.warded.reactions]]
on = "harmed"
do = "steps"
once = "round"
steps = [{ do = "halve" }, { do = "redirect", to = "giver" }]
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT, "vex", "goblin")


def use(game: Game, power: str, *targets: str, who: str = "vex", **more: object) -> None:
    game.play("combat use", who=who, power=power, targets=targets, **more)  # type: ignore[arg-type]


def bot_uses(game: Game, who: str, power: str) -> bool:
    """Whether the bot, left with this power alone, uses it in its turn; and that it is among the options."""
    book = copy(game.book)
    book.characters = {**book.characters, who: {**book.characters[who], "powers": [power]}}
    world = World(book, game.state)
    assert any(
        getattr(option.args, "power", "") == power
        for option in legal_actions_worth_listing(world, who, ["power"])
    )
    while (option := FullBot().choose_command(world, who)) != END_TURN:
        if getattr(option.args, "power", "") == power:
            return True
        procedure = find_move(option.command).start(world, option.args.as_json())
        play_until_open_decision(procedure, world, lambda roll: [3] * roll.n, first_option)
    return False


def test_a_fire_that_spreads(game: Game) -> None:
    """2 to who comes in, 1 to all in it as its maker's turn begins; it grows once, and hides."""
    game.draw("V.........", ".....p....", "..........", ".......g..").begin("vex")
    assert bot_uses(game, "vex", "bonfire")
    use(game, "bonfire", at="F2")
    assert len(game.get("fight.zones.bonfire.squares")) == 9
    game.next_turn_of("post")
    assert game.lost("post") == 2, "it starts its turn there"
    game.next_turn_of("vex")
    assert len(game.get("fight.zones.bonfire.squares")) == 20
    assert (game.lost("post"), game.lost("goblin")) == (3, 1)
    before = game.get("fight.zones.bonfire.squares")
    game.next_turn_of("vex")
    assert game.get("fight.zones.bonfire.squares") == before


def test_a_blow_turned_on_a_neighbour(game: Game) -> None:
    """A hit falls on another foe beside; a second one in the round doesn't."""
    game.draw("gV.", ".p.").begin("goblin")
    game.attack("goblin", "vex", dice=[5], choose=["use"])
    assert (game.lost("post"), game.lost("vex")) == (1, 0)
    game.set("fight.turn", {})
    game.attack("goblin", "vex", dice=[5])
    assert (game.lost("post"), game.lost("vex")) == (1, 1)
    game.next_turn_of("goblin")
    game.attack("goblin", "vex", dice=[6], choose=["use"])
    assert (game.lost("post"), game.lost("vex")) == (3, 1)


def test_a_bell_that_tolls_when_it_breaks(game: Game) -> None:
    """Whoever is near attacks with Disadvantage; when the bell breaks a die of four to each who is."""
    game.draw("V...g..p", "........").begin("vex")
    assert bot_uses(game, "vex", "bell")
    use(game, "bell", choose=["D1"])
    assert "bell" not in game.get("fight.order")
    game.next_turn_of("goblin")
    game.attack("goblin", "bell", dice=[4, 5, 3])
    assert game.of("bell", "out") == "taken-out"
    assert (game.lost("goblin"), game.lost("post")) == (3, 0)


def test_a_gamble(game: Game) -> None:
    """Two dice for each foe within 3: nothing, 1 or 3 each; one HP it costs, and a die brings it back."""
    game.draw("V..g....", "........").begin("vex").put("goblin", hp=9, max_hp=9)
    assert bot_uses(game, "vex", "gamble")
    use(game, "gamble", dice=[6, 4])
    assert (game.lost("goblin"), game.lost("vex")) == (4, 1)
    game.play("combat end-turn")
    game.next_turn_of("vex", dice=[5])
    assert game.of("vex", "used") is None


def test_a_snare_is_drawn_and_sprung(game: Game) -> None:
    """The first foe who steps in springs all of it; four dice in six hold them."""
    game.draw("V......g", "........").begin("vex")
    assert bot_uses(game, "vex", "snare-line")
    use(game, "snare-line", choose=["E1", "E2"])
    assert game.get("fight.zones.snare-line.squares") == ["E1", "E2"]
    game.next_turn_of("goblin")
    held = 0
    for die in range(1, 7):
        sprung = Game(game.book, game.state)
        sprung.move("goblin", "E1", dice=[die])
        assert not sprung.get("fight.zones")
        held += "immobilized" in sprung.statuses("goblin")
    assert Fraction(held, 6) == Fraction(4, 6)


def test_a_pact(game: Game) -> None:
    """Half of a blow on the ally falls on who made the pact, once a round; not when they are down."""
    game.draw("V.B", "..g").begin("vex").put("goblin", hp=20, max_hp=20)
    assert bot_uses(game, "vex", "pact")
    use(game, "pact", "brann")
    game.play("combat damage", who="brann", amount=5)
    assert (game.lost("vex"), game.lost("brann")) == (2, 0)
    game.play("combat damage", who="brann", amount=3)
    assert game.lost("brann") == 3
    game.play("combat damage", who="vex", amount=30)
    assert "warded" not in game.statuses("brann")
