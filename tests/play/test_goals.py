"""What a fight is about besides felling everybody, who breaks it off, and what players make of it."""

from __future__ import annotations

from typing import Any

import pytest
from support.game import Game, book_with

from strike_cli.kernel.drive import drive
from strike_cli.kernel.procedure import Roll
from strike_cli.play.legal import Option
from strike_cli.play.moves import find_move
from strike_cli.problems import Refused
from strike_cli.registry import system
from strike_cli.sim.players import NAMES, player_named
from strike_cli.systems.combat.fight import Fight
from strike_cli.systems.combat.forecast import USUAL
from strike_cli.systems.combat.simulated import SIMULATED
from strike_cli.systems.combat.usual import Usual

YARD = """
[encounters.{id}]
name = "The Yard"
map = \"\"\"
P.......
P......g
........
\"\"\"
place = {{ P = "party", g = "goblin" }}
{more}
"""


def chosen(game: Game, name: str = "full") -> Option:
    option = player_named(name, system("combat")).choose_command(game.world)
    assert option is not None
    return option


def played(game: Game, name: str = "full", most: int = 12) -> list[str]:
    """What a player does until somebody else's turn, every die a 4."""
    player, done = player_named(name, system("combat")), list[str]()
    who = game.get("fight.active")
    while game.get("fight.active") == who and len(done) < most:
        world = game.world
        option = player.choose_command(world)
        assert option is not None
        drive(find_move(option.command).start(world, option.args), world, _fours, USUAL)
        game.state = world.state
        done.append(str(option))
    return done


def _fours(roll: Roll) -> list[int]:
    return [4] * roll.n


def aim(game: Game, **objective: Any) -> Game:
    game.set("fight.objective", objective)
    return game


def decided(game: Game) -> str | None:
    return Fight(game.world).decided()


# What decides a fight


def test_an_encounter_says_what_it_is_about() -> None:
    """STR-TAC-01: its squares, its people as they are called in the fight; in words where it has none."""
    game = Game(
        book_with(
            YARD.format(id="out", more='objective = { reach = ["H1:H3"], protect = ["odo"], rounds = 6 }')
        )
    )
    game.play("combat start", encounter="out", party=["vex", "odo"])
    assert game.get("fight.objective") == {"reach": ["H1", "H2", "H3"], "protect": ["odo"], "rounds": 6}
    assert game.get("fight.goal") == "Get out by H1 to H3 within 6 rounds. Protect Odo"


def test_who_is_to_be_protected_has_to_be_there() -> None:
    game = Game(book_with(YARD.format(id="out", more='objective = { protect = ["odo"] }')))
    with pytest.raises(Refused, match="'odo' is to be protected"):
        game.play("combat start", encounter="out", party=["vex"])


def test_getting_out_wins(game: Game) -> None:
    """STR-TAC-15: who stands on the way out may leave, an enemy near or not; who is left may not."""
    aim(game.draw("VO...g").begin("vex"), reach=["A1"])
    with pytest.raises(Refused):
        game.play("combat leave", who="odo")
    game.play("combat leave", who="vex")
    assert decided(game) is None
    game.put("odo", at="A1").play("combat leave", who="odo")
    assert decided(game) == "won"


def test_getting_out_may_come_too_late(game: Game) -> None:
    aim(game.draw("V....g").begin("vex"), reach=["A1"], rounds=2)
    game.set("fight.round", 2)
    assert decided(game) is None
    game.set("fight.round", 3)
    assert decided(game) == "lost"


def test_holding_a_place_wins_once_it_has_lasted(game: Game) -> None:
    aim(game.draw("V....g").begin("vex"), hold=["A1"], rounds=2)
    assert decided(game) is None
    game.set("fight.round", 3)
    assert decided(game) == "won"
    game.put("vex", at="B1")
    assert decided(game) is None


def test_rounds_are_lasted(game: Game) -> None:
    aim(game.draw("V....g").begin("vex"), rounds=2)
    assert decided(game) is None
    game.set("fight.round", 3)
    assert decided(game) == "won"


def test_who_is_protected_and_falls_loses_it(game: Game) -> None:
    aim(game.draw("VO...g").begin("vex"), protect=["odo"])
    game.put("odo", out="taken-out")
    assert decided(game) == "lost"


# What `full` makes of it


def test_full_gets_out(game: Game) -> None:
    """It walks to the way out, with the Attack Action too, and leaves; `good` knows nothing of it, and walks
    to the goblin."""
    aim(game.draw("." * 16, ".......V.......g").begin("vex"), reach=["A1", "A2"])
    assert chosen(game, "good").args.to > "H2"
    assert [line.split()[0] for line in played(game)] == ["move", "move", "leave"]
    assert decided(game) == "won"


def test_full_stays_on_what_it_holds(game: Game) -> None:
    """`good` goes after the goblin; `full` shoots from where it stands, or waits."""
    aim(game.draw("." * 16, "V.............g.").begin("vex"), hold=["A2"], rounds=5)
    assert chosen(game, "good").command == "combat move"
    done = played(game)
    assert not any(line.startswith(("move", "charge")) for line in done)
    assert game.of("vex", "at") == "A2"


def test_full_comes_to_what_it_should_hold(game: Game) -> None:
    aim(game.draw("....V....", ".........", "........g").begin("vex"), hold=["A1"], rounds=5)
    played(game)
    assert game.of("vex", "at") == "A1"


def test_full_opens_a_door_on_the_way(game: Game) -> None:
    """The goblin is on this side of it, and the way out on the other; then through it and out."""
    aim(game.draw("V+........", "#########g").begin("vex"), reach=["D1"])
    game.put("goblin", hidden=True)
    assert str(chosen(game)) == "door open B1"
    assert [line.split()[0] for line in played(game)] == ["door", "move", "leave"]


def test_full_heals_who_needs_it() -> None:
    """It is worth its action where somebody is nearly down; where nobody is hurt it strikes."""
    power = "[powers.bind]\nname = 'Bind'\naction = 'attack'\nrange = 5\nwho = 'friends'\n"
    power += "effect = [{ do = 'heal', amount = 5 }]\n"
    game = Game(book_with(power, "odo"))
    game.draw("VOg").begin("odo")
    assert chosen(game).command == "combat attack"
    game.put("vex", hp=1)
    option = chosen(game)
    assert (option.command, option.args.power, option.args.targets) == ("combat use", "bind", ("vex",))


def test_a_fight_is_won_by_getting_out(game: Game) -> None:
    """From start to end, the others played as well."""
    aim(game.draw("." * 14, ".VB......gg...", "." * 14).begin("vex"), reach=["A1", "A2", "A3"])
    player, commands = player_named("full", system("combat")), 0
    while not decided(game) and commands < 60:
        world = game.world
        option = player.choose_command(world)
        assert option is not None
        drive(find_move(option.command).start(world, option.args), world, _fours, USUAL)
        game.state, commands = world.state, commands + 1
    assert decided(game) == "won"
    assert {game.of("vex", "out"), game.of("brann", "out")} == {"left"}


def test_full_strikes_at_whom_the_party_protects(game: Game) -> None:
    """Played against the party it is about them, whoever else is as near."""
    game.draw("V", "g", "O").begin("goblin")
    game.put("goblin", ref="lurker")
    assert chosen(game).args.targets == ("odo",)
    aim(game, protect=["vex"])
    assert chosen(game).args.targets == ("vex",)


def test_full_readies_against_whom_it_cannot_see(game: Game) -> None:
    """STR-TAC-05, 23."""
    game.draw("V....g").begin("vex")
    game.put("goblin", hidden=True)
    assert chosen(game).command == "combat prepare"
    assert chosen(game, "good").command != "combat prepare"


# Who breaks off


@pytest.mark.parametrize("name", [*NAMES, "usual"])
def test_who_flees_leaves_by_the_edge(name: str) -> None:
    """STR-TAC-15: `flees_at` of its sheet; walking, with the Attack Action too, and off the map."""
    game = Game(book_with("[creatures.coward]\nname = 'Coward'\nhp = 4\nspeed = 3\nflees_at = 2\n"))
    game.draw("............", "............", ".....V..g...", "............", "............").begin("goblin")
    game.put("goblin", ref="coward", hp=3)
    player = Usual() if name == "usual" else player_named(name, system("combat"))
    option = player.choose_command(game.world)
    assert option is not None and option.command != "combat leave"
    game.put("goblin", hp=2)
    option = player.choose_command(game.world)
    assert option is not None and option.command == "combat move"
    game.play(option.command, **option.args.as_json())
    assert int(game.of("goblin", "at")[1:]) in (1, 5)
    option = player.choose_command(game.world)
    assert option is not None and option.command == "combat leave"
    assert game.play(option.command, **option.args.as_json())["decided"] == "won"


def test_enemies_break_off_once_few_are_left() -> None:
    game = Game(book_with(YARD.format(id="rout", more="flees_at = 1\ncreatures = { goblin = 1 }")))
    game.play("combat start", encounter="rout", party=["vex"])
    first, second = (who for who in game.get("fight.combatants") if who != "vex")
    game.begin(first).put(first, at="H1")
    assert chosen(game, "quick").command != "combat leave"
    game.put(second, out="taken-out")
    assert chosen(game, "quick").command == "combat leave"


def test_who_is_cornered_fights_on(game: Game) -> None:
    game.draw("#####", "#gV.#", "#####").begin("goblin")
    coward = {**game.book.creatures["goblin"], "flees_at": 4}
    game.book.creatures = {**game.book.creatures, "goblin": coward}
    assert chosen(game, "quick").command == "combat attack"


def test_a_habit_of_fleeing() -> None:
    """`flee when bloodied`."""
    game = Game(
        book_with("[creatures.shy]\nname = 'Shy'\ntactics = ['flee when bloodied', 'attack', 'charge']\n")
    )
    game.draw("..g.g...V").begin("goblin-1")
    for who in ("goblin-1", "goblin-2"):
        game.put(who, ref="shy")
    assert chosen(game, "quick").command == "combat charge"
    game.put("goblin-1", hp=2)
    assert chosen(game, "quick").command == "combat leave"


def test_lost_with_somebody_who_got_away_is_an_outcome_of_its_own(game: Game) -> None:
    game.draw("VB....g").begin("vex")
    game.put("brann", out="taken-out")
    assert SIMULATED.result(game.world) == ""
    game.put("vex", out="left")
    assert SIMULATED.result(game.world) == "fled"
    game.put("vex", out="taken-out")
    assert SIMULATED.result(game.world) == "lost"


def test_full_leaves_a_fight_that_is_lost(game: Game) -> None:
    """Alone, with a hit left, against two ogres: out. With all of theirs and somebody beside them, not."""
    game.draw("V.........", "B...x..x..", "..........", "..........").begin("vex")
    assert chosen(game).command != "combat leave"
    game.put("vex", hp=1).put("brann", out="taken-out")
    assert chosen(game).command == "combat leave"
    assert chosen(game, "good").command != "combat leave"
