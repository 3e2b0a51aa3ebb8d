"""`odds attack` against play: the command itself, played by hand with every fall of its dice, wherever two
sides happen to stand and whatever they happen to have.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import Choose, Happen, Happened, Roll, World
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.systems.combat.bots.outcome_forecast import (
    GLANCING,
    OPPORTUNITIES,
    TOKENS,
    AttackLine,
    ChoicePolicy,
    attack_odds,
)
from strike_cli.systems.combat.powers.power_use import UsePower

EXAMPLES = 1000 if os.environ.get("STRIKE_THOROUGH") else 4
OWN = ("blinded", "weakened", "restrained", "prone", "harried", "dazed", "grabbed")
THEIRS = ("blinded", "guarded", "prone", "restrained", "weakened", "stunned", "flying")
ATTACKS = (
    *((power, 1) for power in ("core:melee-basic", "core:ranged-basic", "plain-cut", "snare", "sting")),
    *((power, 1) for power in ("shove", "last-word", "scold", "trip")),
    ("trip", 2),
    ("blast", 2),
    ("double-tap", 2),
)
"""Powers, and how many they are aimed at."""


class Fell(NamedTuple):
    """What a command came to."""

    data: dict[str, Any]
    facts: list[Happened]


def falls(world: World, args: dict[str, Any], plan: ChoicePolicy) -> Iterator[tuple[Fell, Fraction]]:
    """What a command comes to for every fall of its dice, and the chance of each. Nothing is shared between
    them: the command is played from its beginning each time."""
    open_: list[tuple[tuple[tuple[int, ...], ...], Fraction]] = [((), Fraction(1))]
    while open_:
        thrown, chance = open_.pop()
        came = _played(World(world.book, world.state), args, plan, thrown)
        if isinstance(came, Roll):
            faces = list(product(range(1, came.sides + 1), repeat=came.n))
            open_ += [((*thrown, fall), chance / len(faces)) for fall in faces]
        else:
            yield came, chance


def _played(
    world: World, args: dict[str, Any], plan: ChoicePolicy, thrown: Sequence[tuple[int, ...]]
) -> Fell | Roll:
    """What the attack comes to; or the next dice that it asks for when those thrown are used up."""
    procedure = find_move("combat attack").start(world, args)
    dice, answer, facts = iter(thrown), None, []
    try:
        while True:
            question = procedure.send(answer)
            if isinstance(question, Happen):
                world.state = answer = apply_changes(world.state, question.fact.changes)
                facts.append(question.fact)
            elif isinstance(question, Choose):
                answer = plan(question)
            else:
                fall = next(dice, None)
                if fall is None:
                    return question
                answer = list(fall)
    except StopIteration as end:
        return Fell(end.value, facts)


def lines(fell: Fell, targets: Sequence[str]) -> tuple[AttackLine | None, ...]:
    """A line for each roll in the order of the targets; its damage is that of the facts between it and the
    next roll at the same target."""
    rolls = [(number, fact) for number, fact in enumerate(fell.facts) if fact.kind == "attacked"]
    found: list[AttackLine | None] = []
    attacks = list(fell.data["attacks"])
    for target in targets:
        if not attacks or attacks[0]["target"] != target:
            found.append(None)
            continue
        attack = attacks.pop(0)
        number, fact = rolls.pop(0)
        assert fact.details["target"] == target
        later = [at for at, other in rolls if other.details["target"] == target]
        span = fell.facts[number : later[0] if later else None]
        damage = sum(one.details["amount"] for one in span if (one.kind, one.who) == ("damaged", target))
        rest = (attack[field] for field in ("effect", "strike", "tokens_spent", "taken_out"))
        found.append(AttackLine(attack["result"], damage, *rest))
    return tuple(found)


@st.composite
def stands(draw: st.DrawFn) -> tuple[str, ...]:
    """A map of three by three: two of the party, two goblins, and ground that may be in the way."""
    ground = draw(st.lists(st.sampled_from("....~#"), min_size=5, max_size=5))
    squares = draw(st.permutations([*"VBgg", *ground]))
    return tuple("".join(squares[start : start + 3]) for start in range(0, 9, 3))


@pytest.fixture(scope="module")
def tapping() -> Book:
    """A book in which one target may be shot at twice."""
    return book_with(DOUBLE_TAP, "vex")


DOUBLE_TAP = "powers.double-tap = { range = 5, targets = 2, repeats = true, damage = 1 }"


@settings(max_examples=EXAMPLES)
@given(
    rows=stands(),
    attack=st.sampled_from(ATTACKS),
    own=st.lists(st.sampled_from(OWN), max_size=2, unique=True),
    theirs=st.lists(st.sampled_from(THEIRS), max_size=2, unique=True),
    marked=st.booleans(),
    hidden=st.booleans(),
    tokens=st.integers(0, 2),
    hp=st.integers(1, 4),
    mod=st.sampled_from([-2, 0, 1]),
    plan=st.builds(
        ChoicePolicy, st.sampled_from(GLANCING), st.sampled_from(TOKENS), st.sampled_from(OPPORTUNITIES)
    ),
)
def test_odds_are_what_playing_comes_to(
    book: Book, tapping: Book, rows: tuple[str, ...], attack: tuple[str, int], own: list[str],
    theirs: list[str], marked: bool, hidden: bool, tokens: int, hp: int, mod: int, plan: ChoicePolicy,
) -> None:  # fmt: skip
    """STR-TAC-08 to 11, STR-TAC-20, 22 to 25: any attacker, power and target as they stand."""
    game = Game(tapping if attack[0] == "double-tap" else book).draw(*rows).begin("vex")
    held = [*_held(own), *([{**_held(["marked"])[0], "by": "goblin-2"}] if marked else [])]
    game.put("vex", miss_tokens=tokens, hp=hp + 1, hidden=hidden or None, statuses=held)
    game.put("goblin-1", hp=hp, statuses=_held(theirs))
    power, count = attack
    targets = ["goblin-1", "goblin-2"][:count] if power != "double-tap" else ["goblin-1"] * count
    args: dict[str, Any] = {"who": "vex", "targets": targets, "power": power, "adv": [], "dis": []}
    args["mods"] = [[mod, "a word"]] if mod else []
    counted: Counter[Any] = Counter()
    try:
        for fell, chance in falls(game.world, args, plan):
            counted[lines(fell, targets)] += chance
    except Refused:
        event("refused")
        assert _is_refused(game, args, plan)
        return
    event(f"{len(counted)} ways")
    assert attack_odds(game.world, UsePower.read(args), plan) == dict(counted)


def _held(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": f"core:{name}", "ends": "permanent"} for name in names]


def _is_refused(game: Game, args: dict[str, Any], plan: ChoicePolicy) -> bool:
    try:
        attack_odds(game.world, UsePower.read(args), plan)
    except Refused:
        return True
    return False
