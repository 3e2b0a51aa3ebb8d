"""Legal actions counted one and two deep (perft): what is listed, against a count that knows no rule of ours,
and against trying every command with every argument."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from support.game import Game, book_with
from support.thorough import THOROUGH, few_of

from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import World
from strike_cli.play.forecast import Preview
from strike_cli.play.legal_options import Option, refusal_of_move
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.legal_options import (
    commands_that_may_be_legal,
    legal_actions_worth_listing,
    legal_uses_of,
)
from strike_cli.systems.combat.bots.outcome_forecast import (
    attack_odds,
    expected_outcome_within_effort,
    preview_option,
)
from strike_cli.systems.combat.powers.power_use import UsePower

Action = tuple[str, Any]
Rows = tuple[str, ...]

# Vex has Speed 6 and, of powers that are rolled for one target, these; `trip` may have two.
REACHES = {
    "trip": 1, "plain-cut": 1, "snare": 1, "shove": 1, "last-word": 1, "sting": 5, "scold": 5,
    "core:melee-basic": 1, "core:ranged-basic": 5,
}  # fmt: skip
SPEED, BURST = 6, 3

# Positions without a line of sight that could be argued about.
POSITIONS: dict[str, Rows] = {
    "a yard": ("#######", "#V..g.#", "#..~..#", "#B..g.#", "#######"),
    "nose to nose": ("gV.", "g.."),
    "a marsh": ("V~~~~~g",),
    "a hall": ("V.........", "..........", "......g..."),
    "alone": ("V....", "....."),
}
PERFT = {
    "a yard": (26, 585),
    "nose to nose": (29, 324),
    "a marsh": (6, 35),
    "a hall": (26, 886),
    "alone": (17, 240),
}


@pytest.fixture(params=few_of(POSITIONS))
def placed(request: pytest.FixtureRequest, game: Game) -> tuple[str, World]:
    game.draw(*POSITIONS[request.param]).begin("vex")
    return request.param, game.world


def distinct(option: Option) -> Action:
    """What makes an option another one: what is done, and to the target or square."""
    args = option.args
    if option.command == "combat move":
        return "shift" if args.shift else "move", args.to
    if option.command in ("combat attack", "combat use"):
        return args.power, frozenset(args.targets)
    about = getattr(args, "target", "") or getattr(args, "status", "") or None
    return option.command.removeprefix("combat "), about


def listed(world: World) -> set[Action]:
    options = legal_actions_worth_listing(world, "vex")
    found = {distinct(option) for option in options}
    assert len(found) == len(options), "an option is listed twice"
    return found


def played(world: World, option: Option) -> World:
    """The world after an option: every die a 4, of every choice the first option."""
    after = World(world.book, world.state)
    procedure = find_move(option.command).start(after, option.args)
    play_until_open_decision(procedure, after, lambda roll: [4] * roll.n, first_option)
    return after


def two_deep(world: World) -> Iterator[World]:
    for option in legal_actions_worth_listing(world, "vex"):
        after = played(world, option)
        if after.get("fight.active") == "vex":
            yield after


# Counted by hand


def by_hand(rows: Rows) -> set[Action]:
    """The first actions of Vex, from the drawing alone."""
    at = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    own = next(square for square, sign in at.items() if sign == "V")
    foes = {square for square, sign in at.items() if sign == "g"}
    taken = {square for square, sign in at.items() if sign in "VBg"}

    def cost(square: tuple[int, int]) -> int:
        return 2 if at[square] == "~" else 1

    def steps(a: tuple[int, int]) -> Iterator[tuple[int, int]]:
        for dx, dy in product((-1, 0, 1), repeat=2):
            b = a[0] + dx, a[1] + dy
            corner = at.get((a[0], b[1]), "#") == "#" and at.get((b[0], a[1]), "#") == "#"
            if b != a and at.get(b, "#") != "#" and not (dx and dy and corner):
                yield b

    # Bellman's way: as many rounds as there is Speed, no queue.
    best = {own: 0}
    for _ in range(SPEED):
        for square, spent in list(best.items()):
            for step in steps(square):
                total = spent + cost(step)
                if step not in foes and total <= SPEED and total < best.get(step, 99):
                    best[step] = total
    name = "{0}{1}".format
    found: set[Action] = {("move", name(chr(65 + x), y + 1)) for x, y in best if (x, y) not in taken}
    found |= {
        ("shift", name(chr(65 + x), y + 1)) for x, y in steps(own) if (x, y) not in taken and at[x, y] != "~"
    }
    ordered = sorted(foes, key=lambda square: (square[1], square[0]))
    ids = dict(
        zip(ordered, ["goblin"] if len(foes) == 1 else [f"goblin-{n}" for n in range(1, 9)], strict=False)
    )
    far = {ids[foe]: max(abs(foe[0] - own[0]), abs(foe[1] - own[1])) for foe in foes}
    for power, reach in REACHES.items():
        inside = [foe for foe, apart in far.items() if apart <= reach]
        for count in range(1, min(2 if power == "trip" else 1, len(inside)) + 1):
            found |= {(power, frozenset(targets)) for targets in combinations(inside, count)}
    if any(apart <= BURST for apart in far.values()):
        found.add(("blast", frozenset()))

    def apart(a: tuple[int, int], b: tuple[int, int]) -> int:
        return max(abs(a[0] - b[0]), abs(a[1] - b[1]))

    def rushes(here: tuple[int, int], foe: tuple[int, int], left: int) -> bool:
        """Whether a charge from here comes to stand beside a foe, each square nearer and none difficult."""
        if apart(here, foe) == 1:
            return here not in taken
        return left > 0 and any(
            apart(step, foe) < apart(here, foe)
            and at[step] != "~"
            and step not in foes
            and rushes(step, foe, left - 1)
            for step in steps(here)
        )

    found |= {("charge", ids[foe]) for foe in foes if apart(own, foe) > 1 and rushes(own, foe, SPEED)}
    found |= set() if foes else {("hide", None), ("leave", None)}
    return found | {("assess", None), ("delay", None), ("end-turn", None)}


def test_one_deep_by_hand(placed: tuple[str, World]) -> None:
    where, world = placed
    assert listed(world) == by_hand(POSITIONS[where])


def test_known_numbers(placed: tuple[str, World]) -> None:
    """Like perft: a number that changes is a rule that changed."""
    where, world = placed
    assert (len(listed(world)), sum(len(listed(after)) for after in two_deep(world))) == PERFT[where]


# Trying everything


def accepted(world: World) -> set[Action]:
    """Every command with every argument that could make sense, and many that don't, as far as it is taken."""
    fight = world.state["fight"]
    rows = fight["map"]["rows"]
    squares = [f"{chr(65 + x)}{y + 1}" for y in range(len(rows)) for x in range(max(map(len, rows)))]
    foes = [one for one, item in fight["combatants"].items() if item["side"] != "party" and "at" in item]
    trade = fight.get("turn", {}).get("move", 0) > 0
    found: set[Action] = set()

    def attempt(name: str, **args: Any) -> None:
        option = Option(name, find_move(name).read_args(args), ())
        if refusal_of_move(world, name, option.args) is None:
            found.add(distinct(option))

    for to, shift in product(squares, (False, True)):
        attempt("combat move", who="vex", to=to, via=[], shift=shift, trade=trade)
    attempt("combat stand", who="vex", trade=trade)
    attempt("combat end-turn")
    attempt("combat assess", who="vex")
    attempt("combat delay", who="vex")
    attempt("combat hide", who="vex", now=False)
    attempt("combat leave", who="vex")
    plain: dict[str, Any] = {"adv": [], "dis": [], "mods": []}
    for foe in foes:
        attempt("combat charge", who="vex", target=foe, **plain)
    for status in world.book.statuses:
        attempt("combat escape", who="vex", status=status, trade=trade)
    for power in world.book.powers:
        area = "burst" in world.book.powers[power]
        for count in range(1 if area else len(foes) + 1):
            for targets in combinations(foes, count):
                for name in ("combat attack", "combat use"):
                    attempt(name, who="vex", targets=list(targets), power=power, **plain)
    return found


def test_what_is_listed_is_what_is_accepted(placed: tuple[str, World]) -> None:
    """One deep and two deep, whatever the first action made of things."""
    _, world = placed
    assert listed(world) == accepted(world)
    for after in list(two_deep(world))[:: 1 if THOROUGH else 14]:
        assert listed(after) == accepted(after)


@pytest.mark.parametrize(
    "status", ["prone", "stunned", "dazed", "immobilized", "slowed", "distracted", "blinded"]
)
def test_statuses_take_options_away(game: Game, status: str) -> None:
    """STR-TAC-25."""
    game.draw(*POSITIONS["a yard"]).begin("vex").afflict("vex", status)
    assert listed(game.world) == accepted(game.world)


# What is to be expected


def attack(power: str, *targets: str) -> Option:
    return Option("combat attack", UsePower(who="vex", targets=list(targets), power=power), ())


def options_by_words(game: Game) -> dict[str, Option]:
    return {str(option): option for option in legal_actions_worth_listing(game.world, "vex")}


AIMED = """
[powers]
bolt = { name = "Bolt", area = 1, range = 3, who = "enemies", damage = 1 }
dash = { name = "Dash", action = "move", who = "self", effect = [
  { do = "shift", to = "self", amount = 2 }] }
"""


@pytest.mark.parametrize(
    ("statuses", "moved", "typed"),
    [
        ((), False, "use vex dash, charge vex goblin, move vex B1, move vex A2, move vex B2, move vex C2, "
         "move vex B1 --shift, move vex A2 --shift, move vex B2 --shift, assess vex, delay vex, end-turn"),
        ((), True, "use vex dash --trade, charge vex goblin, move vex B1 --trade, move vex A2 --trade, "
         "move vex B2 --trade, move vex C2 --trade, move vex B1 --shift --trade, "
         "move vex A2 --shift --trade, move vex B2 --shift --trade, assess vex, end-turn"),
        (("prone", "grabbed"), True, "use vex dash --trade, stand vex --trade, "
         "escape vex core:prone --trade, escape vex core:grabbed --trade, assess vex, end-turn"),
    ],
)  # fmt: skip
def test_what_is_typed(statuses: tuple[str, ...], moved: bool, typed: str) -> None:
    """STR-TAC-04: each option as a line of its command, which says all that it is played with."""
    game = Game(book_with(AIMED, "vex")).draw("V.g", "...").begin("vex")
    game.afflict("vex", *statuses, ends="escape").set("fight.turn", {"move": int(moved)})
    attacks = (
        "attack vex --power blast, attack vex goblin --power sting, attack vex goblin --power scold, "
        "attack vex goblin --power bolt --at B1, attack vex goblin --power ranged-basic"
    )
    found = legal_actions_worth_listing(game.world, "vex")
    lines = [" ".join(option.typed) for option in found]
    assert ", ".join(line for line in lines if line.startswith("attack")) == attacks
    assert ", ".join(line for line in lines if not line.startswith("attack")) == typed
    for option in found:
        assert option.command == f"combat {option.typed[0]}"
        for flag in ("trade", "shift", "at"):
            assert bool(getattr(option.args, flag, False)) == (f"--{flag}" in option.typed)


def test_the_ways_to_use_one_power() -> None:
    """STR-TAC-12, 13: those of its options that use it; of what waits for its trigger, too."""
    text = AIMED + '[powers.duck]\nname = "Duck"\naction = "interrupt"\ntrigger = "It rains."\nwho = "self"\n'
    text += 'effect = [{ do = "shift", to = "self", amount = 1 }]\n'
    game = Game(book_with(text, "vex")).draw("V.g", "...").begin("vex")
    for moved in (0, 1):
        game.set("fight.turn", {"move": moved})
        options = legal_actions_worth_listing(game.world, "vex", ["power"])
        for power in ("bolt", "dash", "sting", "core:ranged-basic"):
            assert legal_uses_of(game.world, "vex", power) == [
                one for one in options if one.args.power == power
            ]
    assert [str(option) for option in legal_uses_of(game.world, "vex", "duck")] == ["use vex duck"]


@pytest.mark.slow
def test_a_prospect_is_the_mean_of_the_odds(game: Game) -> None:
    """STR-TAC-09: hit, damage and Taken Out from the same exact odds that `odds attack` shows."""
    game.draw("..g", ".V.", "g..").begin("vex").put("vex", miss_tokens=1)
    for option in legal_actions_worth_listing(game.world, "vex", ["power"]):
        if option.command != "combat attack" or len(option.args.targets) != 1:
            continue
        what = expected_outcome_within_effort(game.world, option)
        odds = attack_odds(game.world, option.args)
        lines = [(line, chance) for (line,), chance in odds.items() if line]
        assert what.hit == sum(chance for line, chance in lines if line.result != "miss")
        assert what.damage == sum(line.damage * chance for line, chance in lines)
        assert what.taken_out == sum(chance for line, chance in lines if line.taken_out)


def test_one_target_is_offered_as_often_as_it_may_be_named() -> None:
    """STR-TAC-12."""
    text = "powers.double-tap = { range = 5, targets = 2, repeats = true, damage = 3 }"
    game = Game(book_with(text, "vex")).draw("V.p").begin("vex")
    found = [
        option
        for option in legal_actions_worth_listing(game.world, "vex", ["power"])
        if option.args.power == "double-tap"
    ]
    assert {tuple(option.args.targets): expected_outcome_within_effort(game.world, option).damage
            for option in found} == {("post",): Fraction(5, 2), ("post", "post"): Fraction(5)}  # fmt: skip
    while (option := FullBot().choose_command(game.world, "vex")).command != "combat attack":
        game.play(option.command, **option.args.as_json())
    assert option.args.targets == ("post", "post")


def test_damage_to_expect_has_that_of_steps_in_it(game: Game) -> None:
    """STR-TAC-12: 1 damage of the roll and 2 of its Effect, 2 and 2 on a 6."""
    game.draw("V..p").begin("vex")
    assert expected_outcome_within_effort(game.world, attack("scold", "post")).damage == Fraction(
        1 + 3 + 3 + 4, 6
    )


def test_what_is_shown_of_an_option(game: Game) -> None:
    """STR-TAC-08, STR-TAC-09: of a roll the chance to hit and its damage, be it none; else only what there is
    of damage, of Opportunities and of harm; of what goes on with the fight nothing."""
    by_words = options_by_words(game.draw("gV....", "....g.").begin("vex"))
    cut = preview_option(game.world, by_words["attack vex goblin-1 --power plain-cut"])
    assert cut.chances == {"hit": Fraction(4, 6)}
    assert cut.averages == {"damage": Fraction(3 * 3 + 6, 6), "taken out": Fraction(1, 6)}
    snare = preview_option(game.world, by_words["attack vex goblin-1 --power snare"])
    assert snare.averages == {"damage": 0}
    charge = preview_option(game.world, by_words["charge vex goblin-2"])
    assert charge.chances == {"hit": Fraction(4, 6)}
    assert charge.averages["own damage"] == 2, "leaving the goblin beside her"
    move = preview_option(game.world, by_words["move vex C1"])
    assert (move.chances, move.averages, move.provokes) == ({}, {"own damage": 2}, ("goblin-1",))
    assert preview_option(game.world, by_words["assess vex"]) == Preview()
    for goblin in ("goblin-1", "goblin-2"):
        game.play("combat damage", who=goblin, amount=9)
    game.play("combat end-turn")
    (finish,) = commands_that_may_be_legal(game.world)
    assert preview_option(game.world, finish) == Preview()


def test_who_falls_to_the_first_is_not_rolled_for_again() -> None:
    """STR-TAC-09: the rolls after it are at the others all the same."""
    text = "powers.volley = { range = 9, targets = 3, repeats = true, damage = 9 }"
    game = Game(book_with(text, "vex")).draw("V.p", "..g").begin("vex")
    found = attack_odds(game.world, attack("volley", "goblin", "goblin", "post").args)
    again = {lines[1] is not None for lines in found if lines[0] and lines[0].taken_out}
    assert again == {False}
    assert all(lines[2] is not None for lines in found)


def test_a_prospect_says_what_bears_on_it(game: Game) -> None:
    """STR-TAC-20: as the roll itself will."""
    game.draw("VgB", "...").begin("vex").set("characters.vex.conditions", ["core:injured"])
    assert expected_outcome_within_effort(game.world, attack("plain-cut", "goblin")).side_with_modifiers == (
        ("advantage", "flanking with Brann"), (-1, "Injured"),
    )  # fmt: skip


def test_a_prospect_names_whom_it_provokes(game: Game) -> None:
    """STR-TAC-08: a shot beside an enemy, and a step out of its reach."""
    by_words = options_by_words(game.draw(".g...", ".V..g", ".....").begin("vex"))
    for words, provoked in (
        ("attack vex goblin-2 --power ranged-basic", ("goblin-1",)),
        ("attack vex goblin-1 --power melee-basic", ()),
        ("move vex B3", ("goblin-1",)),
        ("move vex B3 --shift", ()),
    ):
        assert expected_outcome_within_effort(game.world, by_words[words]).provokes == provoked


def test_what_an_attack_on_several_costs_is_counted_once() -> None:
    """STR-TAC-08: the Opportunity comes before the first roll, whoever is aimed at; exact for many, too."""
    text = "powers.spray = { range = 9, targets = 6, damage = 3 }"
    for count in (2, 6):
        game = Game(book_with(text, "vex")).draw("gV." + "p" * count).begin("vex")
        posts = [f"post-{number}" for number in range(1, count + 1)]
        found = expected_outcome_within_effort(game.world, attack("spray", *posts))
        assert (found.provokes, found.own_damage, found.plays) == (("goblin",), 2, 0)
        assert found.damage == count * Fraction(3 * 3 + 6, 6)


@pytest.mark.parametrize(("count", "tokens", "damage"), [(2, 0, 5), (2, 3, 7), (5, 0, 12.5), (5, 3, 12.5)])
def test_miss_tokens_count_where_rolls_are_few(count: int, tokens: int, damage: float) -> None:
    """STR-TAC-10: of two rolls at 3 damage; of very many none is spent, so that it stays exact."""
    text = "powers.spray = { range = 9, targets = 6, damage = 3 }"
    game = Game(book_with(text, "vex")).draw("V." + "p" * count).begin("vex").put("vex", miss_tokens=tokens)
    posts = [f"post-{number}" for number in range(1, count + 1)]
    found = expected_outcome_within_effort(game.world, attack("spray", *posts))
    assert (found.damage, found.plays) == (damage, 0)


def test_what_may_come_next_in_a_fight(game: Game) -> None:
    """STR-TAC-01, 03, 15: initiative, turns, what whoever is up may do, the end."""
    game.draw("Vgg")
    assert [option.typed for option in commands_that_may_be_legal(game.world)] == [("initiative",)]
    game.begin("vex")
    found = [option.typed for option in commands_that_may_be_legal(game.world)]
    assert {("assess", "vex"), ("hide", "vex"), ("delay", "vex"), ("end-turn",)} <= {*found}
    assert ("turn",) not in found
    game.play("combat end-turn")
    assert [option.typed for option in commands_that_may_be_legal(game.world)] == [("turn",)]
    for goblin in ("goblin-1", "goblin-2"):
        game.play("combat damage", who=goblin, amount=4)
    assert [option.typed for option in commands_that_may_be_legal(game.world)] == [("finish",)]


@pytest.mark.parametrize("holds", [("grabbed",), ("grabbed", "restrained")])
def test_an_escape_names_the_hold_where_there_are_several(game: Game, holds: tuple[str, ...]) -> None:
    """STR-TAC-25."""
    game.draw("Vg").begin("vex")
    for hold in holds:
        game.play("combat status add", who="vex", status=f"core:{hold}", ends="escape", by="goblin")
    found = [option.typed for option in legal_actions_worth_listing(game.world, "vex", ["escape"])]
    named = [(f"core:{hold}",) for hold in holds] if len(holds) > 1 else [()]
    assert found == [("escape", "vex", *more) for more in named]


def test_who_falls_before_the_first_roll_does_nothing(game: Game) -> None:
    """STR-TAC-08: the Opportunity comes first, and nothing is expected of what comes after it."""
    text = "powers.spray = { range = 5, targets = 2, damage = 3 }"
    game = Game(book_with(text, "vex")).draw("gV.pp").begin("vex").put("vex", hp=1)
    found = expected_outcome_within_effort(game.world, attack("spray", "post-1", "post-2"))
    assert (found.hit, found.damage, found.taken_out, found.own_damage) == (0, 0, 0, 2)


def test_who_fell_in_their_own_turn_aims_nothing() -> None:
    """STR-TAC-15: an area can't be aimed from nowhere, and that is no mistake of who asks what there is."""
    breath = '[powers.breath]\nname = "Breath"\ncone = 3\ndamage = 2\n'
    game = Game(book_with(breath, "vex")).draw("V...g").begin("vex")
    game.put("vex", out="taken-out", at=None)
    assert legal_actions_worth_listing(game.world, "vex", ["power"]) == []
    assert "combat end-turn" in {option.command for option in legal_actions_worth_listing(game.world, "vex")}


def test_whoever_is_taken_out_in_their_own_turn_can_only_end_it(game: Game) -> None:
    game.draw("V..B", "...g").begin("vex")
    for who in ("vex", "brann", "goblin"):
        game.put(who, out="taken-out")
    found = [
        each.typed
        for each in commands_that_may_be_legal(game.world)
        if not refusal_of_move(game.world, each.command, each.args)
    ]
    assert found == [("finish",), ("end-turn",)]
