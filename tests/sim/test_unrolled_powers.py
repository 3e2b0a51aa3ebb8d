"""What a power without a roll is for follows from its steps, and what a status is worth from what it takes:
whoever plays, harm is for enemies, and a creature that brings harm makes a fight harder."""

from __future__ import annotations

from statistics import mean

import pytest
from support.game import Game, book_with
from support.thorough import few_of

from strike_cli.registry import system
from strike_cli.sim.fight import Frozen, play_day
from strike_cli.sim.plan import Lineup
from strike_cli.sim.players import NAMES, player_named
from strike_cli.systems.combat.bots.status_worth import worth_of_a_turn

FIGHT = """
[powers.hew]
name = "Hew"
action = "attack"
reach = 1
damage = 3
[powers.hex]
name = "Hex"
action = "role"
range = 8
effect = [{{ do = "{do}"{keys} }}]
[characters.ann]
name = "Ann"
powers = ["hew"]
[characters.bob]
name = "Bob"
powers = ["hew"]
[creatures.hexer]
name = "Hexer"
hp = 20
melee = {{ damage = 4, reach = 1 }}
powers = {powers}
[encounters.trial]
name = "Trial"
map = \"\"\"
P......
P.....h
.......
\"\"\"
place = {{ P = "party", h = "hexer" }}
"""
MATTER = ("blinded", "dominated", "frenzied", "ongoing", "panicked", "restrained", "stunned", "weakened")
"""Statuses that cost two who fight hand to hand something; the others keep them from what they do not do."""
FIGHTS = 16


def fought(status: str, powers: str, bot: str) -> list[tuple[int, int]]:
    """The margin in HP and the rounds of some fights, on the same dice for every status."""
    keys = f', status = "{status}"' + (", amount = 2" if status == "ongoing" else "")
    book = book_with(FIGHT.format(do="apply", keys=keys, powers=powers))
    frozen = Frozen.of(book, {}, "combat", ["trial"], Lineup(("ann", "bob")))
    fights = [play_day(frozen, 7, number, bot).fights[0] for number in range(FIGHTS)]
    return [(fight.margin, fight.rounds) for fight in fights]


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["quick", "full"])
@pytest.mark.parametrize("status", few_of(MATTER))
def test_who_brings_a_harmful_status_is_worse_to_meet(status: str, bot: str) -> None:
    plain, hexed = fought("prone", "[]", bot), fought(status, '["hex"]', bot)
    margin = mean(after - before for (before, _), (after, _) in zip(plain, hexed, strict=True))
    assert margin < -1, status


@pytest.mark.parametrize("bot", NAMES)
@pytest.mark.parametrize(
    ("do", "keys", "whom"),
    [
        ("apply", ', status = "stunned"', "enemies"),
        ("damage", ", amount = 3", "enemies"),
        ("heal", ", amount = 3", "self"),
        ("apply", ', status = "guarded"', "self"),
    ],
)
def test_harm_is_for_enemies_and_help_for_friends(bot: str, do: str, keys: str, whom: str) -> None:
    """STR-TAC-12: of a power that anybody may be the target of, and that takes no roll."""
    game = Game(book_with(FIGHT.format(do=do, keys=keys, powers='["hex"]')))
    game.play("combat start", encounter="trial", party=["ann", "bob"])
    game.begin("hexer").put("hexer", hp=6, at="C2").put("ann", at="B1").put("bob", at="B2")
    player = player_named(bot, system("combat"))
    for _ in range(4):
        option = player.choose_command(game.world)
        assert option is not None
        if getattr(option.args, "power", "") == "hex":
            ours = set(option.args.targets) <= {"hexer"}
            assert ours == (whom == "self")
            return
        if option.command == "combat end-turn":
            break
        game.play(option.command, dice=[4], **option.args.as_json())
    pytest.fail("the power was never used")


def test_what_a_status_is_worth_follows_from_what_it_takes(game: Game) -> None:
    """More is worth more, whatever it is called; a marker is worth nothing."""
    game.draw("V....g").begin("vex")
    one, book = game.get("fight.combatants.vex"), game.book

    def worth(id: str, value: int = 0) -> float:
        return worth_of_a_turn(book, one, book.statuses[f"core:{id}"], value)

    assert worth("dominated") < worth("stunned") < worth("dazed") < worth("harried") < 0
    assert worth("restrained") < worth("immobilized") < worth("slowed") < 0
    assert worth("ongoing", 5) < worth("ongoing", 2) == -2
    assert worth("bloodied") == 0 < worth("guarded") < worth("invisible")
