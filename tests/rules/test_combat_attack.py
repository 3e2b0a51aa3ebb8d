"""Attacks: the ladder, Miss Tokens, Guarded, Strikes, Advantage (STR-TAC-09 to 13, 17, 20, 24, 25)."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import text_of, words_of

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import DrivenPlay, play_until_open_decision, refuse_more_dice
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import Roll
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.attack_table import LookUpAttackDie, play_attack_table_lookup
from strike_cli.systems.combat.powers.powers_and_targets import aim_power, require_power_as_user_has_it

Games = Callable[..., Game]


def beside_a_post(book: Book) -> Game:
    """Vex next to a training post of 99 HP, her turn."""
    return Game(book).draw("Vp").begin("vex")


@pytest.fixture
def duel(book: Book) -> Game:
    """The same, for one attack or a few."""
    return beside_a_post(book)


def bare_row(game: Game, args: LookUpAttackDie) -> DrivenPlay:
    """A row of the table by itself."""
    world = game.world
    return play_until_open_decision(
        play_attack_table_lookup(world, args), world, refuse_more_dice, first_option
    )


def line(data: dict[str, Any], *keys: str) -> tuple[Any, ...]:
    return tuple(data[key] for key in keys)


# --- the ladder


def test_the_attack_table(book: Book) -> None:
    """STR-TAC-09, and golden example 35 (N = 3, die 6: 6 and the effect)."""
    for die, result, damage, effect, strike, token in (
        (6, "critical", 6, True, False, False),
        (5, "solid", 3, True, False, False),
        (4, "solid", 3, True, False, False),
        (2, "miss", 0, False, False, True),
        (1, "miss", 0, False, True, True),
    ):
        with case(die):
            duel = beside_a_post(book)
            data = duel.attack("vex", "post", power="trip", dice=[die])
            told = line(data, "result", "damage", "effect", "strike", "miss_token", "die")
            assert told == (result, damage, effect, strike, token, die)
            assert line(data, "hp_before", "hp_after") == (99, duel.of("post", "hp")) == (99, 99 - damage)
            assert ("prone" in duel.statuses("post")) is effect
            assert data["statuses_added"] == (["core:prone"] if effect else [])
            assert duel.of("vex", "strikes", 0) == int(strike)
            assert duel.of("vex", "miss_tokens", 0) == int(token)


def test_a_row_of_the_table_is_what_an_attack_comes_to(book: Book) -> None:
    """STR-TAC-09, STR-TAC-10, STR-TAC-17: between nobody and nobody, and between two in a fight."""
    for die, tokens, mod in ((1, 0, 0), (1, 2, 0), (2, 2, 0), (4, 0, 0), (6, 0, 0), (1, 0, 1), (4, 0, 1)):
        with case(die, tokens, mod):
            duel = beside_a_post(book)
            args = LookUpAttackDie(die=die, damage=3, tokens=tokens, mod=mod)
            bare = bare_row(duel, args)
            duel.put("vex", miss_tokens=tokens or None)
            more: dict[str, Any] = {
                "mods": [(mod, "a bench")] if mod else [], "choose": [str(tokens)] * bool(tokens)
            }  # fmt: skip
            attack = duel.attack("vex", "post", power="trip", dice=[die], **more)
            keys = ("die", "result", "damage", "effect", "strike", "miss_token")
            assert bare.data == {key: attack[key] for key in keys}
            said = text_of(bare.facts[0])
            assert ("a Strike" in said, "a Miss Token" in said) == (attack["strike"], attack["miss_token"])


def test_a_glancing_hit_is_damage_or_effect(book: Book) -> None:
    """STR-TAC-09: on a 3 the attacker picks one of the two; without effect or damage there is nothing to
    pick."""
    duel = beside_a_post(book)
    question = duel.asked("combat attack", who="vex", targets=["post"], power="trip", dice=[3])
    assert (question.who, question.what, question.options) == ("vex", "glancing", ("damage", "effect"))
    assert (question.secret, question.default, question.data) == (False, None, None)
    for power, choose, damage, effect in (
        ("trip", ["damage"], 3, False), ("trip", ["effect"], 0, True), ("plain-cut", [], 3, False),
        ("snare", [], 0, True),
    ):  # fmt: skip
        with case(power, choose):
            duel = beside_a_post(book)
            data = duel.attack("vex", "post", power=power, dice=[3], choose=choose)
            told = line(data, "result", "damage", "effect", "miss_token")
            assert told == ("glancing", damage, effect, False)
            assert bool(duel.statuses("post")) is effect


def test_a_basic_attack_takes_its_damage_from_the_sheet(game: Game) -> None:
    """STR-TAC-13: melee and ranged basic attacks, with the attacker's numbers or 2."""
    game.draw("V...p", ".Op..").begin("odo")
    assert game.attack("odo", "post-2", dice=[5])["damage"] == 2
    game.next_turn_of("vex")
    assert game.attack("vex", "post-1", power="core:ranged-basic", dice=[5])["damage"] == 2


def test_modifiers_are_clamped_before_the_table(duel: Game) -> None:
    """STR-CORE-05, STR-TAC-09: 6 + 2 is a 6; the roll keeps its total."""
    data = duel.attack("vex", "post", power="plain-cut", dice=[6], mods=[[2, "luck"]])
    assert line(data, "die", "result") == (6, "critical")
    assert data["roll"]["total"] == 8


def test_an_attack_roll_of_one_is_what_the_table_reads(book: Book) -> None:
    """STR-TAC-09, STR-TAC-17: the Strike stands on the row of the table, after modifiers."""
    for die, mod, strike in ((2, -1, True), (1, 1, False), (1, 0, True), (1, -2, True)):
        with case(die, mod, strike):
            duel = beside_a_post(book)
            assert duel.attack("vex", "post", dice=[die], mods=[[mod, "luck"]])["strike"] is strike


def test_whoever_rolls_is_told_at_whom(book: Book) -> None:
    """STR-TAC-11: dice on the table may be for any of several attacks."""
    for statuses, why in (([], ""), (["blinded"], "; the worse counts: Blinded")):
        duel = beside_a_post(book).afflict("vex", *statuses)
        asked: list[Roll] = []

        def dice(roll: Roll, asked: list[Roll] = asked) -> list[int]:
            asked.append(roll)
            return [4] * roll.n

        args = {"who": "vex", "power": "core:melee-basic", "targets": ["post"]}
        attack = find_move("combat attack").start(duel.world, args)
        play_until_open_decision(attack, duel.world, dice, first_option)
        assert [(each.who, each.purpose, words_of(each.why, duel.world)) for each in asked] == [
            ("vex", "attack", f"Melee Basic Attack at Training Post{why}")
        ]


def test_every_target_has_a_roll_of_its_own(game: Game) -> None:
    """STR-TAC-09, STR-TAC-10: dice in the order of the targets, and a Strike for each 1."""
    game.draw("pV", ".p").begin("vex")
    data = game.attack("vex", "post-1", "post-2", power="blast", dice=[1, 5])
    assert [item["target"] for item in data["attacks"]] == ["post-1", "post-2"]
    assert [item["result"] for item in data["attacks"]] == ["miss", "solid"]
    game.next_turn_of("vex")
    game.attack("vex", "post-1", "post-2", power="blast", dice=[1, 1])
    assert game.of("vex", "strikes") == 3


# --- Miss Tokens


def test_miss_tokens_raise_the_die(book: Book) -> None:
    """STR-TAC-10 and golden example 36: the first makes a 1 a 3, others add one; the Strike stays one."""
    for die, held, spent, counts_as, result, strike in (
        (1, 1, 1, 3, "glancing", True), (1, 2, 2, 4, "solid", True), (2, 1, 1, 3, "glancing", False),
        (2, 2, 2, 4, "solid", False), (3, 1, 1, 4, "solid", False), (5, 1, 1, 6, "critical", False),
        (3, 3, 3, 6, "critical", False), (1, 4, 4, 6, "critical", True),
    ):  # fmt: skip
        with case(die, held):
            duel = beside_a_post(book).put("vex", miss_tokens=held)
            data = duel.attack("vex", "post", power="plain-cut", dice=[die], choose=[str(spent)])
            assert line(data, "die", "result", "tokens_spent", "strike") == (counts_as, result, spent, strike)
            assert data["miss_token"] is False, "an attack turned into a hit earns no new token"
            assert duel.of("vex", "miss_tokens") == held - spent
            assert duel.of("vex", "strikes", 0) == int(strike)


def test_a_six_asks_for_no_tokens(duel: Game) -> None:
    """STR-TAC-10: a 6 can't be raised, so nothing is asked."""
    duel.put("vex", miss_tokens=3)
    assert line(duel.attack("vex", "post", dice=[6]), "tokens_spent", "die") == (0, 6)


def test_only_tokens_that_change_something_are_offered(book: Book) -> None:
    """STR-TAC-10, STR-TAC-11: each number that reaches a better result, with what it comes to. Guarded is
    read after the tokens, so against it a 4 and a 6 are not worth any."""
    for guarded, die, held, options in (
        (False, 2, 1, ("0", "1")), (False, 2, 2, ("0", "1", "2")), (False, 1, 3, ("0", "1", "2")),
        (False, 4, 1, None), (False, 4, 2, ("0", "2")), (False, 3, 3, ("0", "1", "3")),
        (True, 3, 2, ("0", "2")), (True, 1, 3, ("0", "1", "3")), (True, 5, 1, None), (True, 2, 1, ("0", "1")),
    ):  # fmt: skip
        with case(guarded, die, held):
            duel = beside_a_post(book).put("vex", miss_tokens=held)
            if guarded:
                duel.afflict("post", "guarded")
            if options is None:
                duel.attack("vex", "post", dice=[die])
                continue
            question = duel.asked("combat attack", who="vex", targets=["post"], dice=[die])
            assert (question.what, question.options) == ("miss tokens", options)


def test_tokens_last_from_attack_to_attack_and_end_with_the_fight(game: Game) -> None:
    """STR-TAC-10: later in this combat, and no longer."""
    game.draw("Vp").begin("vex")
    game.attack("vex", "post", dice=[2])
    game.next_turn_of("vex")
    game.attack("vex", "post", dice=[2], choose=["0"])
    assert game.of("vex", "miss_tokens") == 2
    game.play("combat finish", result="won")
    game.draw("Vp")
    assert game.of("vex", "miss_tokens", 0) == 0


def test_which_misses_earn_a_token(game_with: Games) -> None:
    """STR-TAC-10, conflict C-4: every target missed, or any, as the house plays it; one token either way."""
    for rule, dice, token in (
        ("all-missed", [2, 5], False), ("all-missed", [2, 1], True), ("all-missed", [5, 5], False),
        ("any-missed", [2, 5], True), ("any-missed", [1, 2], True), ("any-missed", [5, 4], False),
    ):  # fmt: skip
        with case(rule, dice):
            game = game_with(miss_token=rule).draw("pV", ".p").begin("vex")
            data = game.attack("vex", "post-1", "post-2", power="blast", dice=dice)
            assert (data["miss_token"], game.of("vex", "miss_tokens", 0)) == (token, int(token))


# --- Guarded and Weakened


def test_guarded_comes_after_modifiers_and_tokens(book: Book) -> None:
    """STR-TAC-11: modifiers, clamp, tokens; the target's Guarded last: 6 to 5 and 4 to 3."""
    for die, mod, tokens, counts_as, result in (
        (6, 0, 0, 5, "solid"), (5, 0, 0, 5, "solid"), (4, 0, 0, 3, "glancing"), (3, 0, 0, 3, "glancing"),
        (2, 0, 0, 2, "miss"), (1, 0, 0, 1, "miss"), (5, 1, 0, 5, "solid"), (5, -1, 0, 3, "glancing"),
        (6, 3, 0, 5, "solid"), (1, 0, 1, 3, "glancing"), (1, 0, 3, 5, "solid"), (2, 0, 1, 3, "glancing"),
        (3, 0, 2, 5, "solid"), (4, 0, 1, 5, "solid"),
    ):  # fmt: skip
        with case(die, mod, tokens):
            duel = beside_a_post(book).afflict("post", "guarded").put("vex", miss_tokens=tokens)
            mods = [[mod, "luck"]] if mod else []
            choose = [str(tokens)] if tokens else []
            data = duel.attack("vex", "post", power="plain-cut", dice=[die], mods=mods, choose=choose)
            damage = 0 if result == "miss" else 3
            assert line(data, "die", "result", "damage") == (counts_as, result, damage)


@pytest.mark.parametrize(("die", "damage"), [(6, 3), (5, 1), (4, 1), (2, 0)])
def test_weakened_halves_after_doubling_and_rounds_down(duel: Game, die: int, damage: int) -> None:
    """STR-TAC-25 and golden example 35: N = 3 is 3 on a 6 and 1 on a 4."""
    duel.afflict("vex", "weakened")
    assert duel.attack("vex", "post", power="plain-cut", dice=[die])["damage"] == damage


def test_weakened_halves_an_opportunity_too(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: whoever is Weakened deals half damage, however it comes."""
    game.draw("gV...").begin("vex").afflict("goblin", "weakened")
    game.move("vex", "E1")
    assert game.of("vex", "hp") == 9


# --- who collects what


def test_creatures_collect_neither_strikes_nor_tokens(game: Game) -> None:
    """STR-TAC-10, STR-TAC-17: Strikes and Miss Tokens are the players'."""
    game.draw("Vg").begin("goblin")
    data = game.attack("goblin", "vex", dice=[1])
    assert line(data, "result", "strike", "miss_token") == ("miss", False, False)
    assert game.of("goblin", "strikes") is None
    assert game.of("goblin", "miss_tokens") is None


# --- powers


def test_an_encounter_power_comes_once_a_fight(duel: Game) -> None:
    """STR-TAC-12: spent even where it misses, and back in the next fight."""
    duel.attack("vex", "post", power="last-word", dice=[2])
    duel.next_turn_of("vex")
    with pytest.raises(Refused, match="has used Last Word"):
        duel.attack("vex", "post", power="last-word", dice=[6])
    duel.play("combat finish", result="won")
    duel.draw("Vp").begin("vex")
    assert duel.attack("vex", "post", power="last-word", dice=[5])["damage"] == 4


def test_an_at_will_power_comes_as_often_as_one_likes(book: Book) -> None:
    """STR-TAC-12, STR-TAC-13."""
    for power in ("core:melee-basic", "plain-cut"):
        duel = beside_a_post(book)
        for _ in range(3):
            duel.attack("vex", "post", power=power, dice=[5])
            duel.next_turn_of("vex")


def test_nobody_has_powers_of_others(game: Game) -> None:
    """STR-TAC-12: what is not on the sheet can't be used."""
    game.draw("Bp").begin("brann")
    with pytest.raises(Refused, match="no power Trip"):
        game.attack("brann", "post", power="trip", dice=[6])


def test_reach_range_and_sight(book: Book) -> None:
    """STR-TAC-07, STR-TAC-13: as far as the power goes, diagonals counting one, and not through walls."""
    for rows, power, allowed in (
        ("Vp", "core:melee-basic", True),
        ("V.p", "core:melee-basic", False),
        ("V....p", "core:ranged-basic", True),
        ("V.....p", "core:ranged-basic", False),
        ("V..p", "blast", True),
        ("V...p", "blast", False),
        ("V....p", "sting", True),
        ("V.....p", "sting", False),
        ("V#p", "sting", False),
        ("V+p", "sting", False),
        ("V/p", "sting", True),
    ):
        with case(rows, power, allowed):
            game = Game(book).draw(rows).begin("vex")
            if allowed:
                assert game.attack("vex", "post", power=power, dice=[2])["result"] == "miss"
            else:
                before = game.state
                with pytest.raises(Refused):
                    game.attack("vex", "post", power=power, dice=[2])
                assert game.state == before


def test_creatures_have_their_own_reach_and_range(game: Game) -> None:
    """STR-TAC-13: an ogre's club reaches two squares from its large footprint, a goblin's sling eight."""
    game.draw("x..V.....", ".........", "........g").begin("ogre")
    assert game.attack("ogre", "vex", dice=[2])["result"] == "miss"
    game.next_turn_of("goblin")
    assert game.attack("goblin", "vex", power="core:ranged-basic", dice=[2])["result"] == "miss"


def test_nobody_attacks_itself_the_absent_or_the_same_twice(game: Game) -> None:
    """STR-TAC-09, STR-TAC-10: a target is somebody else, in the fight, and rolled for once."""
    game.draw("Vg", "pB").begin("vex")
    game.play("combat damage", who="goblin", amount=4)
    for power, targets in (
        ("blast", ["vex"]), ("blast", ["goblin"]), ("blast", ["post", "post"]), ("trip", [])
    ):  # fmt: skip
        with pytest.raises(Refused):
            game.attack("vex", *targets, power=power, dice=[6, 6])


@pytest.mark.parametrize(("power", "most"), [("core:melee-basic", 1), ("trip", 2), ("blast", 3)])
def test_how_many_a_power_can_be_aimed_at(game: Game, power: str, most: int) -> None:
    """STR-TAC-12, STR-TAC-13: a basic attack has one target, a power what it says, a burst all in it."""
    game.draw("ppp", ".V.").begin("vex")
    posts = ["post-1", "post-2", "post-3"]
    if most < 3:
        with pytest.raises(Refused, match=f"{most} target"):
            game.attack("vex", *posts[: most + 1], power=power, dice=[2] * (most + 1))
    game.play("combat attack", who="vex", targets=posts[:most], power=power, dice=[2] * most)


def test_a_hidden_creature_is_no_target(game: Game) -> None:
    """STR-TAC-23: it can't be targeted, and its attacks have Advantage."""
    game.draw("Vl").begin("vex")
    with pytest.raises(Refused):
        game.attack("vex", "lurker", dice=[6])
    game.next_turn_of("lurker")
    assert game.attack("lurker", "vex", dice=[2, 2])["roll"]["mode"] == "advantage"


# --- effects


def test_an_effects_steps_are_done_in_order(game: Game) -> None:
    """STR-TAC-09, STR-TAC-12: further damage, healing for oneself, and words for the table."""
    game.draw("V.p").begin("vex").put("vex", hp=7)
    data = game.attack("vex", "post", power="scold", dice=[5])
    assert line(data, "hp_before", "hp_after") == (99, 96)
    assert game.of("vex", "hp") == 8
    assert any("It blushes." in text for text in game.texts())


@pytest.mark.parametrize(
    ("rows", "to"),
    [(("Vp..",), "D1"), (("V....", ".p...", ".....", "....."), "D4"), (("Vp#",), "B1"), (("Vp.B",), "C1")],
)
def test_a_push_is_straight_away_until_something_is_in_the_way(
    game: Game, rows: tuple[str, ...], to: str
) -> None:
    """STR-TAC-09: two squares, one where there is only one, none against a wall."""
    game.draw(*rows).begin("vex")
    game.attack("vex", "post", power="shove", dice=[5])
    assert game.of("post", "at") == to


def test_an_effect_needs_somebody_to_have_it(game: Game) -> None:
    """STR-TAC-09, STR-TAC-15: who is Taken Out by the damage gets no status on top."""
    game.draw("Vg").begin("vex")
    data = game.attack("vex", "goblin", power="trip", dice=[6])
    assert line(data, "taken_out", "statuses_added", "hp_after") == (True, [], -2)


# --- Advantage and Disadvantage on attacks


def test_flanking(book: Book) -> None:
    """STR-TAC-20: an ally next to the target on the opposite side or corner; a ranged attack across it gains
    nothing."""
    for rows, power, mode in (
        (("VpB",), "melee", "advantage"),
        (("V..", ".p.", "..B"), "melee", "advantage"),
        (("V..", ".pB", "..."), "melee", "plain"),
        (("VB.", ".p.", "..."), "melee", "plain"),
        (("Vp.B",), "melee", "plain"),
        (("VpO",), "melee", "advantage"),
        (("Vpg",), "melee", "plain"),
        (("V.pB",), "ranged", "plain"),
    ):
        with case(rows):
            game = Game(book).draw(*rows).begin("vex")
            dice = [2, 2] if mode == "advantage" else [2]
            data = game.attack("vex", "post", power=f"core:{power}-basic", dice=dice)
            assert data["roll"]["mode"] == mode


@pytest.mark.parametrize("status", ["stunned", "incapacitated"])
def test_the_stunned_give_no_flanking(game: Game, status: str) -> None:
    """STR-TAC-20, STR-TAC-25."""
    game.draw("VpB").begin("vex").afflict("brann", status)
    assert game.attack("vex", "post", dice=[2])["roll"]["mode"] == "plain"


def test_a_status_that_is_called_flanking_flanks_nobody() -> None:
    """STR-TAC-20: what bears on a roll is known by what it is, whatever it is called."""
    book = book_with(
        """
statuses.drums = { name = "flanking drums", sources = [{ on = "attack", gives = "advantage" }] }
powers.cut = { reach = 1, range = 5, damage = 2, bonus = [{ amount = 2, if = "flanked" }] }
""",
        "vex",
    )
    game = Game(book).draw("V.p").begin("vex").afflict("vex", "drums", ends="encounter")
    assert game.attack("vex", "post", power="cut", dice=[4, 4])["damage"] == 2


def test_a_hidden_zone_hides_as_any_other(game: Game) -> None:
    """STR-TAC-22, STR-TAC-23: dark squares called Hidden make nobody Hidden."""
    game.draw("V.p").begin("vex")
    dark = {"name": "Hidden", "squares": ["C1"], "ends": "encounter", "sight": "dark"}
    game.set("fight.zones", {"dark": dark})
    with pytest.raises(Refused, match="can't see Training Post from there: Hidden"):
        game.attack("vex", "post", power="core:ranged-basic")


def test_hidden_from_one_and_not_from_another(game: Game) -> None:
    """STR-TAC-20, STR-TAC-22: Advantage is for attacks at those from whom one is Hidden."""
    game.draw("gVp").begin("vex")
    book = deepcopy(game.book)
    book.creatures["goblin"]["senses"] = [{"name": "A nose", "ignores": ["hidden"]}]
    game.book = book
    game.play("combat hide", who="vex", now=True)
    assert game.attack("vex", "goblin", dice=[4])["roll"]["mode"] == "plain"
    game.next_turn_of("vex")
    game.play("combat hide", who="vex", now=True)
    assert game.attack("vex", "post", dice=[4, 4])["roll"]["mode"] == "advantage"


def test_an_area_is_neither_melee_nor_ranged() -> None:
    """STR-TAC-22, STR-TAC-24: what bears on Ranged and Melee attacks doesn't on areas."""
    haze = """
[statuses]
haze = { sources = [
  { on = "attack", side = "against", range = "ranged", gives = "disadvantage" },
  { on = "attack", side = "against", range = "melee", gives = "disadvantage" }] }
"""
    game = Game(book_with(haze)).draw("V.p").begin("vex").afflict("post", "haze", ends="encounter")
    assert game.attack("vex", "post", power="blast", dice=[4])["roll"]["mode"] == "plain"
    game.next_turn_of("vex")
    assert game.attack("vex", "post", power="sting", dice=[4, 4])["roll"]["mode"] == "disadvantage"


def test_what_a_die_counts_as_is_told(duel: Game) -> None:
    """STR-TAC-10, STR-TAC-11: what tokens raised it to, then what the target's status makes of it."""
    duel.afflict("post", "guarded").put("vex", miss_tokens=2)
    duel.attack("vex", "post", dice=[2], choose=["1"])
    assert duel.texts()[0] == "Vex attacks Training Post: 2, 3 with 1 Miss Token, a glancing hit."
    duel.next_turn_of("vex")
    duel.attack("vex", "post", dice=[6], choose=[])
    assert duel.texts()[0] == (
        "Vex attacks Training Post: 6, counts as 5 (Training Post is Guarded), a solid hit."
    )


def test_a_journal_keeps_no_more_of_a_plain_attack_than_there_is(duel: Game) -> None:
    """STR-TAC-09: nothing of tokens, of what a die counts as or of a miss that became a hit."""
    duel.attack("vex", "post", dice=[4])
    (attacked,) = (fact for fact in duel.facts if fact.kind == "attacked")
    more = {"tokens": 0, "raised": 0, "guard": "", "die": 0, "turned": False}
    assert {**attacked.details, **more} == attacked.details


def test_statuses_on_attacks(book: Book) -> None:
    """STR-TAC-20, STR-TAC-25: Prone and Blinded for those in reach, one's own Blinded and Restrained."""
    for own, target, melee, ranged in (
        ([], ["prone"], "advantage", "plain"),
        ([], ["blinded"], "advantage", "plain"),
        ([], ["incapacitated"], "advantage", "plain"),
        (["blinded"], [], "disadvantage", "disadvantage"),
        (["restrained"], [], "disadvantage", "disadvantage"),
        (["blinded", "restrained"], [], "disadvantage", "disadvantage"),
        (["blinded"], ["prone"], "plain", "disadvantage"),
        (["dazed"], ["slowed"], "plain", "plain"),
        (["grabbed"], [], "plain", "plain"),
    ):
        for rows, power, mode in (("Vp", "core:melee-basic", melee), ("V.p", "core:ranged-basic", ranged)):
            with case(own, target, power):
                game = Game(book).draw(rows).begin("vex").afflict("vex", *own).afflict("post", *target)
                dice = [2] if mode == "plain" else [2, 2]
                assert game.attack("vex", "post", power=power, dice=dice)["roll"]["mode"] == mode


def test_cover(book: Book) -> None:
    """STR-TAC-24: an obstacle on the straight line, though one sees past it; a burst takes no notice."""
    for rows, power, mode in (
        (("V..p",), "core:ranged-basic", "plain"),
        (("V...", ".#..", "...p"), "core:ranged-basic", "disadvantage"),
        (("V...", ".#..", "...p"), "blast", "plain"),
        (("V#", ".p"), "core:ranged-basic", "plain"),
    ):
        with case(rows, power, mode):
            game = Game(book).draw(*rows).begin("vex")
            dice = [2] if mode == "plain" else [2, 2]
            assert game.attack("vex", "post", power=power, dice=dice)["roll"]["mode"] == mode


@pytest.mark.parametrize(("applies", "mode"), [(True, "disadvantage"), (False, "plain")])
def test_the_house_says_whether_cover_is_for_melee(game_with: Games, applies: bool, mode: str) -> None:
    """STR-TAC-24: a reach weapon round a corner."""
    game = game_with(cover_applies_to_melee=applies).draw("B..", "#..", ".p.").begin("brann")
    dice = [2] if mode == "plain" else [2, 2]
    assert game.attack("brann", "post", dice=dice)["roll"]["mode"] == mode


def test_conditions_on_attacks(book: Book) -> None:
    """STR-CORE-05, STR-TAC-20: Winded and Exhausted in the first round; Major Conditions always, each of
    them, the same one twice too."""
    for conditions, round_, mode, modifiers in (
        (["winded"], 1, "disadvantage", []), (["winded"], 2, "plain", []),
        (["exhausted"], 1, "disadvantage", []), (["exhausted"], 2, "plain", []),
        (["injured"], 1, "plain", [-1]), (["injured"], 2, "plain", [-1]), (["angry"], 1, "plain", []),
        (["injured", "injured", "sick"], 1, "plain", [-1, -1, -1]),
    ):  # fmt: skip
        with case(conditions, round_):
            game = Game(book)
            game.set("characters.vex.conditions", [f"core:{condition}" for condition in conditions])
            game.draw("Vp").begin("vex").set("fight.round", round_)
            roll = game.attack("vex", "post", dice=[4] if mode == "plain" else [4, 4])["roll"]
            assert (roll["mode"], roll["total"]) == (mode, 4 + sum(modifiers))
            assert [item["value"] for item in roll["modifiers"]] == modifiers


def test_the_invisible_are_safe_but_from_bursts(book: Book) -> None:
    """STR-TAC-25, conflict C-7: no melee, no ranged, no Opportunity; a burst hits."""
    for power, rows in (("core:melee-basic", "Vp"), ("core:ranged-basic", "V.p")):
        game = Game(book).draw(rows).begin("vex").afflict("post", "invisible")
        with pytest.raises(Refused, match="Invisible"):
            game.attack("vex", "post", power=power, dice=[5])
    assert game.attack("vex", "post", power="blast", dice=[5])["damage"] == 2


def test_every_reason_is_named(game: Game) -> None:
    """STR-CORE-04, STR-TAC-20: a roll explains itself, given reasons and found ones."""
    game.set("characters.vex.conditions", ["core:injured"])
    game.draw("VpB").begin("vex").afflict("post", "prone").afflict("vex", "restrained")
    roll = game.attack("vex", "post", dice=[4], adv=["a shove"], dis=["mud"], mods=[[1, "a song"]])["roll"]
    found = {(item["kind"], words_of(item["reason"], game.world)) for item in roll["sources"]}
    assert found == {
        ("advantage", "target is Prone"),
        ("advantage", "flanking with Brann"),
        ("advantage", "a shove"),
        ("disadvantage", "Restrained"),
        ("disadvantage", "mud"),
    }
    assert roll["modifiers"] == [{"value": -1, "reason": "Injured"}, {"value": 1, "reason": "a song"}]


def test_who_is_taken_out_by_one_opportunity_gives_no_other(game: Game) -> None:
    """STR-TAC-08: the shot of a goblin that stands between two of the party ends with the first of them."""
    game.draw(".....", ".VgB.", "...O.").begin("goblin").put("goblin", hp=1)
    data = game.attack("goblin", "odo", power="core:ranged-basic", choose=["take"])
    assert len(data["opportunities"]) == 1
    assert data["attacks"] == []


def test_who_is_taken_out_for_ignoring_a_marker_does_not_shoot(game: Game) -> None:
    """STR-TAC-08: the Marker's Opportunity comes before the attack, and may be the end of it."""
    game.draw(".....", ".VgB.", "...O.").begin("goblin").put("goblin", hp=1)
    game.put("goblin", statuses=[{"id": "core:marked", "ends": "encounter", "by": "vex"}])
    data = game.attack("goblin", "odo", power="core:ranged-basic", choose=["take"])
    assert data["attacks"] == []
    assert game.of("goblin", "out") == "taken-out"


def test_statuses_of_a_bare_attack(game: Game) -> None:
    """STR-TAC-25: Guarded counts for the one who is hit, Weakened for the one who hits."""

    def row(**statuses: list[str]) -> tuple[str, int]:
        data = bare_row(game, LookUpAttackDie(die=6, damage=3, **statuses)).data
        assert data
        return data["result"], data["damage"]

    plain = row()
    assert row(attacker=["core:weakened"]) == (plain[0], plain[1] // 2)
    assert row(target=["core:guarded"]) != plain
    assert row(attacker=["core:guarded"]) == row(target=["core:weakened"]) == plain


def test_what_is_aimed_in_melee(game: Game) -> None:
    """STR-TAC-12: an area never is; one creature next to one is, where the power reaches."""
    game.draw("V.....p").begin("vex")
    for power, at, melee in (
        ("blast", "B1", False), ("plain-cut", "B1", True), ("sting", "B1", True), ("sting", "D1", False)
    ):  # fmt: skip
        with case(power, at):
            fight = Fight(game.put("post", at=at).world)
            aim = aim_power(fight, "vex", require_power_as_user_has_it(fight, "vex", power), ["post"])
            assert (aim.targets, aim.melee) == (("post",), melee)
