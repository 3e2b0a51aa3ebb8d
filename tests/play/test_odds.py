"""Exact odds against two others who count for themselves: plain enumeration, and icepool.

The rules are written down a second time here, in plain code, so that a fault in one shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import icepool
import pytest
from support.cases import case
from support.game import DEFAULTS, Game
from support.thorough import few_of, some_of

from strike_cli.kernel.exact_odds import exact_chances, outcome_weights
from strike_cli.kernel.procedure import Choose, Procedure, Roll, World
from strike_cli.play import forecast
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.systems.core.commands.skill_roll_odds import skill_odds
from strike_cli.systems.core.opposed_rolls import OpposedRoll, roll_both_sides
from strike_cli.systems.core.skill_roll import (
    Helper,
    RollingSide,
    RollSkill,
    SkillRoll,
    prepare_side,
    roll_skill_and_helpers_dice,
)
from strike_cli.tabletop.dice import Modifier, typed_sources


def skill_key(came: SkillRoll) -> tuple[str, bool, int, bool]:
    return came.row["outcome"], came.row["bonus"], came.row["costs"], came.dice_allow_learning


def opposed_key(came: OpposedRoll) -> tuple[str | None, int, bool]:
    return came.winner, came.margin, came.complete


def learning_key(came: OpposedRoll) -> tuple[bool, ...]:
    return tuple(roll.dice_allow_learning for roll in came.side_rolls.values())


MODES = ("plain", "advantage", "disadvantage")
MODIFIERS = range(-2, 3)
HELP = [help_ for count in range(4) for help_ in product("su", repeat=count) if list(help_) == sorted(help_)]
"""Up to three helpers, each (s)killed or (u)nskilled."""

SKILLED = {6: "S+", 5: "S", 4: "S", 3: "SC", 2: "T", 1: "TC"}
UNSKILLED = {6: "S+", 5: "S", 4: "SC", 3: "T", 2: "T", 1: "TC"}
KEYS = {
    "S+": ("success", True, 0), "S": ("success", False, 0), "SC": ("success", False, 1),
    "T": ("twist", False, 0), "TC": ("twist", False, 1),
}  # fmt: skip


# --- the rules once more, in plain code


def kept(mode: str, faces: tuple[int, ...]) -> int:
    return {"plain": max, "advantage": max, "disadvantage": min}[mode](faces)


def teaches(skilled: bool, faces: tuple[int, ...]) -> bool:
    return not skilled and tuple(sorted(faces)) in {(6,), (5, 6), (6, 6)}


def outcome(skilled: bool, total: int, helps: tuple[int, ...]) -> str:
    for result in sorted(helps):
        if result > total:
            total += 1
    return (SKILLED if skilled else UNSKILLED)[min(max(total, 1), 6)]


def raw_faces(mode: str) -> Iterator[tuple[int, ...]]:
    return product(range(1, 7), repeat=1 if mode == "plain" else 2)


@cache
def help_results(kind: str) -> dict[int, int]:
    """Ways in which a helper's die comes up, out of all the raw faces thrown."""
    mode = "plain" if kind == "s" else "disadvantage"
    return dict(Counter(kept(mode, faces) for faces in raw_faces(mode)))


@cache
def outcomes(skilled: bool, total: int, helpers: tuple[str, ...]) -> Counter[str]:
    """Ways in which the helpers' dice make each outcome of a total."""
    found: Counter[str] = Counter()
    for helps in product(*(help_results(kind).items() for kind in helpers)):
        ways = prod(count for _, count in helps)
        found[outcome(skilled, total, tuple(result for result, _ in helps))] += ways
    return found


def enumerated(skilled: bool, mode: str, modifier: int, helpers: tuple[str, ...]) -> dict[Any, Fraction]:
    """By product over raw faces; a helper's two dice are counted once and weighted."""
    found: Counter[Any] = Counter()
    for faces in raw_faces(mode):
        for name, ways in outcomes(skilled, kept(mode, faces) + modifier, helpers).items():
            found[(*KEYS[name], teaches(skilled, faces))] += ways
    every = sum(found.values())
    return {key: Fraction(ways, every) for key, ways in found.items()}


# --- icepool's way


class Helped(icepool.MultisetEvaluator[int, int]):
    """The total after help. The pool is seen from its lowest die up."""

    def initial_state(self, order: icepool.Order, outcomes: Any, /, *sizes: Any, total: int = 0) -> int:
        if order == icepool.Order.Descending:
            raise icepool.UnsupportedOrder
        return total

    def next_state(self, state: Any, order: Any, outcome: int, /, *counts: int) -> int:
        for _ in range(counts[0]):
            state += outcome > state
        return int(state)


@cache
def helped_by(total: int, helpers: tuple[str, ...]) -> Any:
    dice = [icepool.d6 if kind == "s" else icepool.lowest(icepool.d6, icepool.d6) for kind in helpers]
    return Helped().evaluate(icepool.Pool(dice), total=total) if dice else icepool.Die([total])


def by_icepool(skilled: bool, mode: str, modifier: int, helpers: tuple[str, ...]) -> dict[Any, Fraction]:
    number = 1 if mode == "plain" else 2

    def play(*faces: int) -> Any:
        total = helped_by(kept(mode, faces) + modifier, helpers)
        learn = teaches(skilled, faces)
        return total.map(lambda result: (*KEYS[outcome(skilled, result, ())], learn))

    die = icepool.map(play, *[icepool.d6] * number)
    return {key: Fraction(ways, die.denominator()) for key, ways in die.items()}


# --- ours


def reasons(mode: str) -> list[Any]:
    return {"plain": [], "advantage": typed_sources(["rope"]), "disadvantage": typed_sources([], ["rain"])}[
        mode
    ]


def skill(skilled: bool, mode: str, modifier: int, helpers: tuple[str, ...]) -> Procedure[Any]:
    modifiers = [Modifier(modifier, "modifier")] if modifier else []
    named = tuple(Helper(f"helper {number}", kind == "s") for number, kind in enumerate(helpers))
    return roll_skill_and_helpers_dice("", "", skilled, reasons(mode), modifiers, named)


def our_odds(*question: Any) -> dict[Any, Fraction]:
    return exact_chances(lambda: (skill(*question), None), skill_key)


@pytest.mark.parametrize("mode", few_of(MODES, 2))
@pytest.mark.parametrize("skilled", [True, False], ids=["skilled", "unskilled"])
def test_skill_odds_are_exact(skilled: bool, mode: str) -> None:
    """STR-CORE-03, 04, 05, 06, 20: each modifier, up to three helpers of both kinds, counted three ways."""
    first = 2 * MODES.index(mode) + skilled
    for modifier, helpers in some_of(product(MODIFIERS, HELP), first=first, every=6):
        question = skilled, mode, modifier, helpers
        ours = our_odds(*question)
        assert sum(ours.values()) == 1
        assert ours == enumerated(*question), question
        assert ours == by_icepool(*question), question


def test_the_order_of_helpers_changes_no_odds() -> None:
    """STR-CORE-20: help is sorted before it counts."""
    for helpers in (("u", "s"), ("s", "u", "s"), ("u", "s", "u"), ("u", "u", "s")):
        with case(helpers):
            ordered = tuple(sorted(helpers))
            assert our_odds(False, "advantage", -1, helpers) == our_odds(False, "advantage", -1, ordered)


# --- opposed


SIDES = list(product((True, False), MODES))


def side(skilled: bool, mode: str) -> RollingSide:
    adv = ["rope"] if mode == "advantage" else []
    dis = ["rain"] if mode == "disadvantage" else []
    return RollingSide(who="", skill="", known=False, skilled=skilled, adv=adv, dis=dis)


def opposed(ours: tuple[bool, str], theirs: tuple[bool, str]) -> Callable[[], tuple[Procedure[Any], None]]:
    both = prepare_side(World(None), side(*ours)), prepare_side(World(None), side(*theirs))
    return lambda: (roll_both_sides(*both), None)


def mode_against(skilled: bool, mode: str, other_skilled: bool) -> str:
    """The mode once an Unskilled side's Disadvantage against a Skilled one is in it."""
    kinds = {mode} - {"plain"} | ({"disadvantage"} if other_skilled and not skilled else set())
    return kinds.pop() if len(kinds) == 1 else "plain"


def result(ours: int, theirs: int) -> tuple[str | None, int, bool]:
    winner = None if ours == theirs else "ours" if ours > theirs else "theirs"
    return winner, abs(ours - theirs), abs(ours - theirs) >= 3


def die_of(mode: str) -> Any:
    pair = icepool.d6, icepool.d6
    return {"plain": icepool.d6, "advantage": icepool.highest(*pair), "disadvantage": icepool.lowest(*pair)}[
        mode
    ]


@pytest.mark.parametrize("ours", SIDES, ids=lambda pair: f"{'skilled' if pair[0] else 'unskilled'}-{pair[1]}")
def test_opposed_odds_are_exact(ours: tuple[bool, str]) -> None:
    """STR-CORE-04, STR-CORE-16, STR-CORE-18: every pairing of sides, by raw faces with what either may learn,
    and by icepool."""
    for theirs in SIDES:
        odds = exact_chances(opposed(ours, theirs), lambda came: (opposed_key(came), learning_key(came)))
        modes = mode_against(*ours, theirs[0]), mode_against(*theirs, ours[0])
        raw = Counter(
            (
                result(kept(modes[0], first), kept(modes[1], second)),
                (teaches(ours[0], first), teaches(theirs[0], second)),
            )
            for first in raw_faces(modes[0])
            for second in raw_faces(modes[1])
        )
        assert sum(odds.values()) == 1
        assert odds == {key: Fraction(ways, raw.total()) for key, ways in raw.items()}
        won: dict[Any, Fraction] = {}
        for (key, _), chance in odds.items():
            won[str(key[0]), *key[1:]] = won.get((str(key[0]), *key[1:]), Fraction(0)) + chance
        die = icepool.map(
            lambda a, b: (str(result(a, b)[0]), *result(a, b)[1:]), die_of(modes[0]), die_of(modes[1])
        )
        assert won == {key: Fraction(ways, die.denominator()) for key, ways in die.items()}


# --- known numbers


def test_published_chances() -> None:
    """STR-CORE-06: with two dice the Skill is half as likely as with one: 3 in 36."""
    for question, key, chance in (
        ((False, "plain", 0, ()), ("success", True, 0, True), Fraction(1, 6)),
        ((False, "advantage", 0, ()), ("success", True, 0, True), Fraction(3, 36)),
        ((False, "advantage", 0, ()), ("success", True, 0, False), Fraction(8, 36)),
        ((False, "disadvantage", 0, ()), ("success", True, 0, True), Fraction(1, 36)),
        ((False, "disadvantage", 0, ()), ("success", False, 0, True), Fraction(2, 36)),
        ((True, "advantage", 0, ()), ("twist", False, 1, False), Fraction(1, 36)),
        ((True, "disadvantage", 0, ()), ("twist", False, 1, False), Fraction(11, 36)),
    ):
        with case(question, key):
            assert our_odds(*question)[key] == chance


# --- what the driver leaves out really makes no difference


def every_fall(procedure: Procedure[Any]) -> Procedure[Any]:
    """The same procedure with every face of every roll played out."""
    answer: Any = None
    try:
        while True:
            question = procedure.send(answer)
            answer = yield question.but(matters=None) if type(question) is Roll else question
    except StopIteration as end:
        return end.value


def assert_honest(
    start: Callable[[], tuple[Procedure[Any], World | None]], key: Callable[[Any], Any]
) -> None:
    def slowly() -> tuple[Procedure[Any], World | None]:
        procedure, world = start()
        return every_fall(procedure), world

    odds = exact_chances(start, key)
    assert len(odds) > 1, "nothing was rolled"
    assert odds == exact_chances(slowly, key)


def as_it_fell(question: Choose) -> str:
    """Nothing is decided that makes more, or less, of a roll than the dice did."""
    words = ("keep", "waive", "bonus", "pass")
    return next((word for word in words if word in question.options), question.options[0])


@pytest.mark.parametrize("helpers", [(), ("brann",), ("brann", "odo")])
@pytest.mark.parametrize(
    ("skill", "more"),
    [("Climbing", {"dis": ["rain"]}), ("Cooking", {"adv": ["rope"], "mods": [[-1, "ice"]]})],
)
def test_skill_odds_are_those_of_the_whole_move(
    game: Game, helpers: tuple[str, ...], skill: str, more: dict[str, Any]
) -> None:
    """STR-CORE-03 to 09, 20, 31: with all that it leaves behind, as somebody stands who is ill."""
    game.set("characters.vex.conditions", ["core:exhausted"])
    game.set("characters.vex.fallback", "sheer stubbornness")
    helping = [{"name": name, "skilled": name == "odo"} for name in helpers]
    roll = {"who": "vex", "skill": skill, "skilled": skill == "Climbing", "known": True, "helpers": helping}

    def read(data: dict[str, Any], _: World) -> Any:
        return data["outcome"], data["bonus"], data["costs"], data["can_learn"]

    whole = forecast.move_chances(game.world, "roll skill", {**roll, **more}, read, as_it_fell)
    assert skill_odds(game.world, RollSkill.read({**roll, **more})) == whole


def the_rest(value: Any) -> Any:
    """All that came of a command but the faces shown."""
    if isinstance(value, dict):
        return tuple((key, the_rest(item)) for key, item in value.items() if key != "faces")
    return tuple(map(the_rest, value)) if isinstance(value, (list, tuple)) else value


def about_to_attack(game: Game) -> None:
    game.draw("V.g", ".p.").put("goblin", at="B1").put("vex", miss_tokens=1)
    game.begin("vex").afflict("goblin", "guarded")


def about_to_roll_initiative(game: Game) -> None:
    game.draw("V.g", ".p.").set("characters.vex.conditions", ["core:exhausted"])


def about_to_come_back(game: Game) -> None:
    game.draw("g.V").begin("goblin").set("characters.vex.conditions", ["core:exhausted"])
    game.play("combat damage", who="vex", amount=12)
    game.play("combat end-turn")


def about_to_save(game: Game) -> None:
    game.draw("V.g").begin("vex").afflict("vex", "harried", "dazed", ends="save")


def anywhere(game: Game) -> None:
    return


@pytest.mark.parametrize(
    ("name", "args", "prepare"),
    few_of(
        [
            ("roll skill", {"skill": "Cooking", "skilled": False, "dis": ["rain"]}, anywhere),
            ("roll skill", {"skill": "Cooking", "skilled": False, "adv": ["rope"]}, anywhere),
            ("combat attack", {"who": "vex", "targets": ["goblin"], "adv": ["above"]}, about_to_attack),
            ("combat attack", {"who": "vex", "targets": ["goblin"], "power": "trip", "dis": ["dark"]},
             about_to_attack),
            ("combat initiative", {}, about_to_roll_initiative),
            ("combat turn", {}, about_to_come_back),
            ("combat end-turn", {}, about_to_save),
        ]
    ),
)  # fmt: skip
def test_every_procedure_says_honestly_what_matters(
    game: Game, name: str, args: dict[str, Any], prepare: Callable[[Game], None]
) -> None:
    """STR-TAC-02, 03, 09, 16: all that a command comes to and changes, under every fall."""
    prepare(game)
    play, given = find_move(name).start, {**DEFAULTS.get(name, {}), **args}

    def start() -> tuple[Procedure[Any], World]:
        world = game.world

        def with_state() -> Procedure[Any]:
            data = yield from play(world, given)
            return data, world.state

        return with_state(), world

    assert_honest(start, the_rest)


def test_weights_of_falls_that_ask_different_dice_are_one_fraction() -> None:
    """STR-CORE-05: some falls ask for more dice than others; the chances still sum to 1."""

    def explode() -> Procedure[int]:
        total = 0
        for _ in range(3):
            faces = yield Roll(1, 4, "die", "")
            total += faces[0]
            if faces[0] < 4:
                break
        return total

    found = outcome_weights(lambda: (explode(), None), lambda total: total)
    assert len({out_of for _, out_of in found.values()}) == 1
    odds = {total: Fraction(*weight) for total, weight in found.items()}
    assert odds[1] == Fraction(1, 4)
    assert odds[5] == Fraction(1, 16)
    assert odds[12] == Fraction(1, 64)
    assert sum(odds.values()) == 1
