"""What a fight is about besides felling everybody, who breaks it off, and what players make of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with

from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.play.legal_options import Option
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import PLAYER_NAMES, find_player
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.combat.board.move import MoveAction
from strike_cli.systems.combat.bots.endgame_search import EndgameSearch, quick_bot_option
from strike_cli.systems.combat.bots.legal_options import END_TURN, legal_actions_worth_listing
from strike_cli.systems.combat.bots.outcome_forecast import USUAL_POLICY
from strike_cli.systems.combat.bots.pursuit_evasion import Evasion
from strike_cli.systems.combat.bots.quick_bot import QuickTurn
from strike_cli.systems.combat.encounter.objective import (
    VALUE_OF_ESCAPE,
    VALUE_OF_FIRST_ON_PLACE,
    VALUE_OF_FURTHER_ON_PLACE,
    VALUE_OF_PROTECTED_HP,
    VALUE_PER_SQUARE_TO_EXIT,
    VALUE_PER_SQUARE_TO_PLACE,
    is_place_held_by_party,
    objective_value_for_side,
    objective_words,
)
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.simulation import SIMULATED
from strike_cli.tabletop.grid import Grid, Square, distance_between_spaces

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
    option = find_player(name, load_known_system("combat")).choose_command(game.world)
    assert option is not None
    return option


def played(game: Game, name: str = "full") -> list[str]:
    """What a player does until somebody else's turn, every die a 4."""
    who, done = game.get("fight.active"), list[str]()
    while game.get("fight.active") == who and len(done) < 12:
        done.append(str(plays(game, name)))
    return done


def plays(game: Game, name: str) -> Option:
    """What a player does next, every die a 4."""
    option, world = chosen(game, name), game.world
    procedure = find_move(option.command).start(world, option.args)
    play_until_open_decision(procedure, world, lambda roll: [4] * roll.n, USUAL_POLICY)
    game.state = world.state
    return option


def aim(game: Game, **objective: Any) -> Game:
    game.set("fight.objective", objective)
    return game


def decided(game: Game) -> str | None:
    return Fight(game.world).fight_outcome()


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


def test_squares_that_are_no_rectangle_are_told_one_by_one() -> None:
    for squares, words in (
        (["A1"], "A1"), (["B2", "C2", "B3", "C3"], "B2 to C3"), (["C3", "B2", "B3", "C2"], "B2 to C3"),
        (["A1", "C3"], "A1, C3"), (["A1", "B1", "B2"], "A1, B1, B2"),
    ):  # fmt: skip
        assert objective_words({"reach": squares}, {}) == f"Get out by {words}"


def test_who_is_to_be_protected_has_to_be_there() -> None:
    game = Game(book_with(YARD.format(id="out", more='objective = { protect = ["odo"] }')))
    with pytest.raises(Refused, match="'odo' should be protected"):
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


def test_who_surrenders_has_not_got_out(game: Game) -> None:
    """STR-TAC-15: nor has who leaves elsewhere, but as the story has it."""
    aim(game.draw("V.O" + "." * 30 + "g").begin("vex"), reach=["C1"])
    game.play("combat leave", who="vex", surrender=True)
    game.put("odo", at="D1").play("combat leave", who="odo")
    assert decided(game) == "lost"
    for way_out, why in (("C1", ""), ("D1", "wounded")):
        game.put("odo", out=None, elsewhere=None, at=way_out)
        game.play("combat leave", who="odo", why=why, surrender=True)
        assert decided(game) == "lost"
    game.put("odo", out=None, elsewhere=None, at="D1").play("combat leave", who="odo", why="by the well")
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


@pytest.mark.parametrize("name", PLAYER_NAMES)
def test_who_can_get_out_soon_does(game: Game, name: str) -> None:
    """To the way out, with the Attack Action too, and away."""
    aim(game.draw("." * 16, ".......V.......g").begin("vex"), reach=["A1", "A2"])
    assert [line.split()[0] for line in played(game, name)] == ["move", "move", "leave"]
    assert decided(game) == "won"


BRUTES = """
[creatures.brute]
name = "Brute"
hp = 30
melee = {{ damage = 5, reach = 1 }}
[creatures.hulk]
name = "Hulk"
hp = 30
speed = 4
ranged = false
melee = {{ damage = 8, reach = 1 }}
[creatures.snail]
name = "Snail"
hp = 30
speed = 2
ranged = false
melee = {{ damage = 8, reach = 1 }}
[encounters.goal]
name = "Goal"
map = "{rows}"
place = {{ P = "party", {foes} }}
objective = {{ {objective} }}
"""
FOES = {"g": "brute", "o": "hulk", "s": "snail"}


def for_a_goal(rows: str, objective: str) -> str:
    foes = ", ".join(f'{sign} = "{foe}"' for sign, foe in FOES.items() if sign in rows)
    return BRUTES.format(rows=rows, objective=objective, foes=foes)


FAR = "." * 30
TWO = "P" + 13 * "." + r"s\n" + 15 * "." + r"\n" + 14 * "." + "s"
WALLED = r"P.........#.........\n..........#........s\n..........#.........\n" + 20 * "."
RING = r"\n." + 12 * "#" + "."
WON_BY_THE_GOAL = {
    "reach": (r"P........................g\nP...~~...................g", 'reach = ["J1:J2"], rounds = 3'),
    "reach under their eyes": (r"......P.g.\n......P.g.", 'reach = ["A1:A2"]'),
    "reach behind a door": (
        r"P.+.....................g\nP.#.....................g",
        'reach = ["F1:F2"], rounds = 2',
    ),
    "hold": (r"P....................g\nP.....~.............g.", 'hold = ["D1:D2"], rounds = 1'),
    "hold far off": ("P" + FAR * 2 + r"g\nP" + FAR * 2 + "g", 'hold = ["Y1:Y2"], rounds = 3'),
    "last around a block": ("P" + 13 * "." + 4 * RING + r"\n" + 13 * "." + "o", "rounds = 5"),
    "last in the open": (r"\n".join([24 * "."] * 2 + ["P.....s" + 17 * "."] + [24 * "."] * 3), "rounds = 4"),
    "last behind a wall with a gap": (WALLED, "rounds = 3"),
    "protect from two": (TWO, 'protect = ["vex"], rounds = 3'),
    "reach past the nearer way out": ("....o" + 10 * "." + "P" + 18 * ".", 'reach = ["A1", "AH1"]'),
}
KEPT_AWAY_FROM = tuple(goal for goal in WON_BY_THE_GOAL if goal.startswith(("protect", "last")))
"""Won by who searches; the headline of a sim is as `full` plays."""
SEARCHED = ("reach under their eyes", *KEPT_AWAY_FROM)


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        pytest.param(goal, name, marks=[pytest.mark.slow] * (name == "full" or goal in SEARCHED))
        for goal in WON_BY_THE_GOAL
        for name in (PLAYER_NAMES if goal not in KEPT_AWAY_FROM else ("full",))
    ],
)
def test_what_the_goal_alone_decides_is_won(goal: str, name: str) -> None:
    """STR-TAC-01: nobody can be in the way in time."""
    rows, objective = WON_BY_THE_GOAL[goal]
    book = book_with(for_a_goal(rows, objective))
    party = ("vex", "odo") if rows.count("P") > 1 else ("vex",)
    frozen = FrozenCampaign.freeze(book, {}, "combat", ["goal"], Lineup(party))
    assert [play_day_until_not_won(frozen, 3, number, name).outcome for number in range(2)] == ["won"] * 2


def _walks(grid: Grid, at: Square, walk: int, beside: Callable[[Square], bool]) -> set[Square]:
    """Where a walk from a square may end that leaves no square beside an enemy."""
    open_to, found = [(walk, at)], {at: walk}
    for left, square in open_to:
        for step, cost in grid.steps_from(square, 1) if not beside(square) else ():
            if left - cost > found.get(step, -1):
                found[step] = left - cost
                open_to.append((left - cost, step))
    return set(found)


@cache
def _gets_away(grid: Grid, at: Square, foes: tuple[Square, ...], moves: int, turns: int) -> bool:
    """Whether somebody of Speed 2 can evade enemies of Speed 1 for some turns, by all that all can do."""

    def beside(square: Square) -> bool:
        return any(distance_between_spaces(square, 1, foe, 1) <= 1 for foe in foes)

    def walks(foe: Square) -> set[Square]:
        return _walks(grid, foe, 2, lambda _: False)

    if not turns:
        return True
    ends = _walks(grid, at, 2 * moves, beside)
    for step, cost in grid.steps_from(at, 1) if moves and beside(at) else ():
        if cost == 1:
            ends |= _walks(grid, step, 2 * (moves - 1), beside)
    ways = [walks(foe) for foe in foes]
    return any(
        all(distance_between_spaces(end, 1, there, 1) > 1 for way in ways for there in way)
        and all(_gets_away(grid, end, then, 2, turns - 1) for then in product(*ways))
        for end in ends
    )


def test_evasion_is_what_all_moves_of_both_come_to() -> None:
    """On small maps of all kinds: for one enemy exactly, for several never more than they leave."""
    random, text = Random(58), SLUGS
    for number in range(MAPS):
        squares = random.choices(".......#~", k=24)
        for sign, place in zip("Psss"[: 2 + number % 2], random.sample(range(24), 3), strict=False):
            squares[place] = sign
        rows = r"\n".join("".join(squares[line : line + 8]) for line in (0, 8, 16))
        text += f"[encounters.m{number}]\nname = 'M'\nmap = \"{rows}\"\n"
        text += "place = { P = 'party', s = 'slug' }\nobjective = { rounds = 3 }\n"
    book, known = book_with(text), set[tuple[bool, int, int]]()
    for number in range(MAPS):
        game = Game(book)
        game.play("combat start", encounter=f"m{number}", party=["ann"])
        turn = QuickTurn(Fight(game.begin("ann").world), "ann")
        evasion, foes = (
            Evasion(turn),
            tuple(turn.fight.at(foe) for _, foe, _ in turn.known_foes_nearest_first),
        )
        assert evasion.turns == 3
        for moves in range(3):
            found = evasion.turns_safe(turn.at, moves)
            exact = sum(_gets_away(turn.fight.grid, turn.at, foes, moves, turns) for turns in (1, 2, 3))
            assert found == exact if len(foes) == 1 else found <= exact, (number, moves)
            known.add((len(foes) == 1, moves, found))
    assert len(known) > 10, "turns of all numbers came about"


MAPS = 16
SLUGS = """
[characters.ann]
name = "Ann"
speed = 2
[creatures.slug]
name = "Slug"
speed = 1
ranged = false
"""


@pytest.mark.parametrize(
    ("rows", "objective", "standing", "plays"),
    [
        (["V.....", "g....."], {"reach": ["D1"], "rounds": 1}, ["core:prone"], "move"),
        (["V+..", "g###"], {"reach": ["D1"], "rounds": 1}, [], "door"),
        ([".Vg" + "." * 8, "." * 11], {"rounds": 2}, [], "move"),
    ],
)
def test_the_end_of_a_fight_for_a_goal_is_searched(
    rows: list[str], objective: dict[str, Any], standing: list[str], plays: str
) -> None:
    """STR-TAC-01, 04: who lies on the ground crawls to the way out; who only has to last runs from the blow
    that fells two times in three. `good`, which weighs one action, strikes."""
    text = for_a_goal("P.g", "rounds = 1").replace("damage = 5", "damage = 9")
    game = Game(book_with(text))
    aim(game.draw(*rows).begin("vex"), **objective).put("goblin", ref="brute", hp=30, max_hp=30)
    game.put("vex", statuses=[{"id": each, "ends": "permanent"} for each in standing])
    assert chosen(game, "good").command == "combat attack"
    done = [line.split()[0] for line in played(game)]
    assert plays in done and (done[-1] == "leave") == ("reach" in objective)


def test_what_an_enemy_may_not_do_is_no_chance_of_theirs(game: Game) -> None:
    """STR-TAC-01: at the end of the last round a fight is decided, whatever else was tried before."""
    refused = Option("combat move", MoveAction(who="goblin", to="A1"), ())
    game.draw("Vg").begin("vex").next_turn()
    for objective, chance in (({"rounds": 1}, 1.0), ({"rounds": 1, "reach": ["A1"]}, 0.0)):
        aim(game, **objective)
        search = EndgameSearch({}, quick_bot_option, "party", 1, lambda *_: iter([refused, END_TURN]))
        search.plays_left = 20
        with case(objective):
            assert search.chance_after(game.world, refused) == (-1.0, True)
            assert search.chance_to_win(game.world).chance == chance


@pytest.mark.slow
def test_full_runs_where_it_cannot_evade_everything() -> None:
    """STR-TAC-01: cornered in the last round, it has 1 chance in 3; who charges is struck four times."""
    text = for_a_goal(FAR + "P.....o.....", "rounds = 5").replace("damage = 8", "damage = 30")
    text += "[characters.ann]\nname = 'Ann'\nhp = 6\nranged = false\n"
    game = Game(book_with(text.replace("hp = 30", "hp = 300")))
    game.play("combat start", encounter="goal", party=["ann"])
    assert played(game.begin("ann"))[:2] == ["move ann Y1", "move ann S1 --trade"]


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


@pytest.mark.slow
def test_a_fight_is_won_by_getting_out(game: Game) -> None:
    """From start to end, the others played as well."""
    aim(game.draw("." * 14, ".VB......gg...", "." * 14).begin("vex"), reach=["A1", "A2", "A3"])
    for _ in range(60):
        if not decided(game):
            plays(game, "full")
    assert decided(game) == "won"
    assert {game.of("vex", "out"), game.of("brann", "out")} == {"left"}


@pytest.mark.slow
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


# How far the party has got


@pytest.mark.parametrize(
    ("objective", "at", "worth"),
    [
        # A place to hold: on it, each other there, an enemy there; how near the nearest is where none is.
        ({"hold": ["C2", "D2"]}, {"vex": "C2"}, VALUE_OF_FIRST_ON_PLACE),
        (
            {"hold": ["C2", "D2"]},
            {"vex": "C2", "brann": "D2"},
            VALUE_OF_FIRST_ON_PLACE + VALUE_OF_FURTHER_ON_PLACE,
        ),
        (
            {"hold": ["C2", "D2", "E2"]},
            {"vex": "C2", "brann": "D2", "odo": "E2"},
            VALUE_OF_FIRST_ON_PLACE + 2 * VALUE_OF_FURTHER_ON_PLACE,
        ),
        ({"hold": ["C2", "D2"]}, {"vex": "C2", "goblin": "D2"}, 0.0),
        (
            {"hold": ["C2", "D2"]},
            {"goblin": "D2", "vex": "A1"},
            -VALUE_OF_FIRST_ON_PLACE - 2 * VALUE_PER_SQUARE_TO_PLACE,
        ),
        (
            {"hold": ["C2", "D2"]},
            {"goblin": "D2", "vex": "", "brann": "", "odo": ""},
            -VALUE_OF_FIRST_ON_PLACE,
        ),
        ({"hold": ["F2"]}, {"vex": "A1", "brann": "A2", "odo": "C1"}, -3 * VALUE_PER_SQUARE_TO_PLACE),
        ({"hold": ["E4"]}, {"ogre": "D3"}, -4 * VALUE_PER_SQUARE_TO_PLACE - VALUE_OF_FIRST_ON_PLACE),
        # A way out: how far each is from it, and who is out, with what they have left.
        ({"reach": ["A1", "A2"]}, {"vex": "A1", "brann": "A2", "odo": "A2"}, 0.0),
        ({"reach": ["A1", "A2"]}, {"vex": "D1", "brann": "B2", "odo": "A2"}, -4 * VALUE_PER_SQUARE_TO_EXIT),
        (
            {"reach": ["A1"]},
            {"vex": "", "brann": "A1", "odo": "B1"},
            VALUE_OF_ESCAPE + 10 - VALUE_PER_SQUARE_TO_EXIT,
        ),
        # Who is to be protected: by what they have left.
        ({"protect": ["odo"]}, {}, 10 * VALUE_OF_PROTECTED_HP),
        ({"protect": ["odo", "vex"]}, {"odo": "A1"}, 20 * VALUE_OF_PROTECTED_HP),
        (
            {"hold": ["C2"], "protect": ["odo"]},
            {"vex": "C2"},
            VALUE_OF_FIRST_ON_PLACE + 10 * VALUE_OF_PROTECTED_HP,
        ),
    ],
)
def test_what_a_position_is_worth_towards_it(
    game: Game, objective: dict[str, Any], at: dict[str, str], worth: float
) -> None:
    """In HP; what the party gains its enemies lose."""
    game.draw("V.....", "B.....", "O....g", "......", "....x.", "......").begin("vex")
    for who, square in at.items():
        game.put(who, at=square or None, **({} if square else {"out": "left"}))
    aim(game, **objective)
    fight = game.get("fight")
    assert objective_value_for_side(fight, "party") == pytest.approx(worth)
    assert objective_value_for_side(fight, "enemies") == pytest.approx(-worth)


def test_who_is_down_or_gone_counts_for_no_more_than_they_are(game: Game) -> None:
    """On a place that is to be held nobody who is down; of who is protected no HP below 0, and none of who is
    Taken Out; nobody who was summoned gets out."""
    game.draw("VO....", "....g.").begin("vex")
    aim(game, hold=["A1"])
    game.put("vex", hp=0)
    assert objective_value_for_side(game.get("fight"), "party") == pytest.approx(
        -VALUE_PER_SQUARE_TO_PLACE
    ), "Odo's square"
    game.put("vex", hp=1)
    assert objective_value_for_side(game.get("fight"), "party") == pytest.approx(VALUE_OF_FIRST_ON_PLACE)
    aim(game, protect=["vex"])
    for hp, out, worth in (
        (-3, None, 0),
        (4, None, 4 * VALUE_OF_PROTECTED_HP),
        (4, "taken-out", 0),
        (4, "left", 4 * VALUE_OF_PROTECTED_HP),
    ):
        game.put("vex", hp=hp, out=out)
        assert objective_value_for_side(game.get("fight"), "party") == pytest.approx(worth)
    aim(game, reach=["B1"])
    game.put("vex", hp=-3, out="left")
    assert objective_value_for_side(game.get("fight"), "party") == pytest.approx(VALUE_OF_ESCAPE)
    game.put("vex", hp=4, summoned={"by": "odo", "ends": "encounter"})
    assert objective_value_for_side(game.get("fight"), "party") == 0


@pytest.mark.parametrize(("at", "held"), [("C3", False), ("C2", True), ("D3", False), ("E4", True)])
def test_who_is_large_stands_on_all_their_squares(game: Game, at: str, held: bool) -> None:
    """A place is no longer held once any square of an enemy is upon it."""
    game.draw("V.....", "......", "..x...", "......", "......").begin("vex")
    aim(game, hold=["D4"])
    game.put("vex", at="D4").put("ogre", at=at)
    assert is_place_held_by_party(game.get("fight")) is held


# Who breaks off


@pytest.mark.parametrize("name", PLAYER_NAMES)
@pytest.mark.parametrize(("columns", "does"), [(12, ["leave goblin --surrender"]), (30, ["move", "move"])])
def test_who_flees_gets_away_or_surrenders(name: str, columns: int, does: list[str]) -> None:
    """STR-TAC-15: at `flees_at` of its sheet it walks to where it is 20 squares from every enemy, with the
    Attack Action too; where there is no such square it surrenders at once, at the map's edge or not."""
    game = Game(book_with("[creatures.coward]\nname = 'Coward'\nhp = 4\nspeed = 3\nflees_at = 2\n"))
    game.draw("V..g".ljust(columns, "."), *["." * columns] * 2).begin("goblin")
    game.put("goblin", ref="coward", hp=3)
    assert chosen(game, name).command != "combat leave"
    game.put("goblin", hp=2)
    for line in does:
        option = chosen(game, name)
        assert str(option).startswith(line)
        assert option in legal_actions_worth_listing(game.world, "goblin")
        game.play(option.command, **option.args.as_json())
    assert decided(game) == ("won" if columns == 12 else None)
    if columns == 30:
        game.put("goblin", at="U2")
        game.set("fight.turn", {})
        assert str(chosen(game, name)) == "leave goblin"


def test_leaving_is_one_law(game: Game) -> None:
    """STR-TAC-15: 20 squares, the way out, a surrender; else it takes a reason, at the map's edge too."""
    game.draw("V..g".ljust(30, ".")).begin("vex")
    with pytest.raises(Refused, match="3 squares from an enemy, and leaving takes 20"):
        game.play("combat leave", who="vex")
    assert not any(
        option.command == "combat leave" for option in legal_actions_worth_listing(game.world, "vex")
    )
    game.put("vex", at="X1")
    assert "leave vex" in map(str, legal_actions_worth_listing(game.world, "vex"))
    game.put("vex", at="A1")
    game.play("combat leave", who="vex", surrender=True)
    assert "Vex surrenders." in game.texts()


def test_enemies_break_off_once_few_are_left() -> None:
    game = Game(book_with(YARD.format(id="rout", more="flees_at = 1\ncreatures = { goblin = 1 }")))
    game.play("combat start", encounter="rout", party=["vex"])
    first, second = (who for who in game.get("fight.combatants") if who != "vex")
    game.begin(first).put(first, at="H1")
    assert chosen(game, "quick").command != "combat leave"
    game.put(second, out="taken-out")
    assert chosen(game, "quick").command == "combat leave"


def with_coward(*rows: str, speed: int = 6) -> Game:
    """The turn of a goblin that flees."""
    text = f"[creatures.coward]\nname = 'Coward'\nhp = 4\nspeed = {speed}\nflees_at = 4\n"
    return Game(book_with(text)).draw(*rows).begin("goblin").put("goblin", ref="coward")


@pytest.mark.parametrize(
    ("rows", "speed", "fire", "to"),
    [
        (("####V#####", "#g........" + "." * 24, "##########"), 6, "", "D2"),
        (("V#########", "#.g......." + "." * 24, "##########"), 5, "", "H2"),
        (("V#########", "#.g......." + "." * 24, "##########"), 5, "H2", "G2"),
    ],
)
def test_which_way_one_gets_away(rows: tuple[str, ...], speed: int, fire: str, to: str) -> None:
    """STR-TAC-08, 15, 21: to a way out that nobody stands beside, as far as it goes, though not for an
    Opportunity that a square or two would spare, and never to stop in a fire."""
    game = with_coward(*rows, speed=speed)
    if fire:
        game.play("combat zone add", called="Fire", squares=[fire], damage=2)
    assert chosen(game, "quick").args.to == to


def test_who_is_cornered_surrenders(game: Game) -> None:
    """A long way off is no way for who can't get there; who isn't on the map leaves."""
    game.draw("#####".ljust(30, "."), "#gV..".ljust(30, "."), "#####".ljust(30, ".")).begin("goblin")
    coward = {**game.book.creatures["goblin"], "flees_at": 4}
    game.book.creatures = {**game.book.creatures, "goblin": coward}
    assert str(chosen(game, "quick")) == "leave goblin --surrender"
    game.put("vex", at=None)
    assert str(chosen(game, "quick")) == "leave goblin"


@pytest.mark.parametrize(
    ("rows", "wall", "does"),
    [
        (("." * 28 + "+g..V",), 0, ["door open AC1", "move goblin X1", "move goblin R1 --trade", "end-turn"]),
        (
            ("." * 28 + "+..g..V",),
            0,
            ["move goblin AD1", "door open AC1", "move goblin X1 --trade", "end-turn"],
        ),
        (
            ("." * 28 + "g..V",),
            28,
            ["door open AC1 AB1", "move goblin W1", "move goblin Q1 --trade", "end-turn"],
        ),
        (("..." + "+g..V",), 0, ["leave goblin --surrender"]),
        (("." * 28 + "#+g..V",), 0, ["leave goblin --surrender"]),
        (("." * 28 + "Vg.+" + "." * 4,), 0, ["leave goblin --surrender"]),
    ],
    ids=["beside", "farther off", "in a wall", "into a small room", "onto a wall", "not far enough"],
)
def test_a_shut_door_is_a_way_out(rows: tuple[str, ...], wall: float, does: list[str]) -> None:
    """STR-TAC-15: who flees opens a door that alone bars the way; where none leads out, it surrenders."""
    game = with_coward(*rows)
    if wall:
        game.set("fight.map.doors", [{"at": [[wall, 0], [wall, 1]], "open": False}])
    assert played(game, "quick") == does


def test_a_zone_that_bars_the_way_is_no_door() -> None:
    """What a zone blocks stays shut to who flees, beside a door too."""
    game = with_coward("." * 28 + "+g..V")
    game.set("fight.zones", {"rubble": {"name": "Rubble", "squares": ["Z1"], "blocks": True}})
    assert str(chosen(game, "quick")) == "leave goblin --surrender"


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
    """Alone, with a hit left, against two ogres: out where that may be (STR-TAC-15). With all of theirs and
    somebody beside them, not."""
    rows = [row.ljust(30, ".") for row in ("V", "B....................x..x", "", "")]
    game.draw(*rows).begin("vex")
    assert chosen(game).command != "combat leave"
    game.put("vex", hp=1).put("brann", out="taken-out")
    assert str(chosen(game)) == "leave vex"
    assert chosen(game, "good").command != "combat leave"


def test_full_opens_a_door_out_of_a_fight_that_is_lost(game: Game) -> None:
    wall = "#" * 28
    rows = (wall + "#......", "." * 28 + "+V...x.", wall + "#B.....", wall + "#....x.", wall + "#......")
    game.draw(*rows).begin("vex")
    game.put("vex", hp=1).put("brann", out="taken-out")
    assert str(chosen(game)) == "door open AC2"
