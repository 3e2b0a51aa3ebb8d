"""All twelve hard powers at once (STR-TAC-12): their odds are those of every face of every die, each can be
taken back without a trace, and what comes of them is a state that `doctor` accepts.

The enumeration here knows nothing of which faces a rule tells apart (`Roll.matters`), nor of any driver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from rules import test_drain_and_chain_powers as six
from rules import test_zone_and_redirect_powers as six_more
from support.game import Game, book_with
from support.thorough import few_of
from support.told import as_json

from strike_cli.campaign.state_checks import state_faults
from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.exact_odds import exact_chances, first_option
from strike_cli.kernel.procedure import Choose, Happen, Happened, Procedure, Roll, World
from strike_cli.kernel.state_changes import State, apply_changes, changes_and_places_that_undo
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.systems.combat.bots.position_value import USUAL_POLICY

SWORD = "core:melee-basic"


class Case(NamedTuple):
    """A power as it goes off: the fight before it, the command, and in how many ways its dice can fall."""

    before: Callable[[Game], Any]
    command: str
    args: dict[str, Any]
    ways: int


def uses(who: str, power: str, *targets: str, **more: Any) -> dict[str, Any]:
    return {"who": who, "power": power, "targets": list(targets), **more}


def fused(game: Game) -> None:
    game.draw("V..gB", "...p.").begin("vex").put("goblin", hp=10, max_hp=10)
    game.play("combat use", **uses("vex", "bomb", "goblin"))
    game.play("combat end-turn")


def dueling(game: Game) -> None:
    game.draw("V...gB").begin("vex").put("goblin", hp=30, max_hp=30)
    game.play("combat use", **uses("vex", "challenge", "goblin"))
    game.next_turn_of("goblin")


def burning(game: Game) -> None:
    game.draw("V.........", ".....p....", "..........", ".......g..").begin("vex")
    game.play("combat use", **uses("vex", "bonfire", at="F2"))
    game.play("combat end-turn")


def tolling(game: Game) -> None:
    game.draw("V...g..p", "........").begin("vex")
    game.play("combat use", choose=["D1"], **uses("vex", "bell"))
    game.next_turn_of("goblin")


def strung(game: Game) -> None:
    game.draw("V......g", "........").begin("vex")
    game.play("combat use", choose=["E1", "E2"], **uses("vex", "snare-line"))
    game.next_turn_of("goblin")


def sworn(game: Game) -> None:
    game.draw("V.B", "..g").begin("vex").put("goblin", hp=20, max_hp=20)
    game.play("combat use", **uses("vex", "pact", "brann"))
    game.next_turn_of("goblin")


def attack(who: str, target: str, power: str = SWORD) -> dict[str, Any]:
    return uses(who, power, target)


CASES = {
    "drain": Case(
        lambda game: game.draw("Vp").begin("vex").put("vex", hp=3),
        "combat attack", attack("vex", "post", "drain"), 6,
    ),
    "stand-in": Case(
        lambda game: game.draw("gV", ".B").begin("goblin"),
        "combat attack", attack("goblin", "vex"), 6,
    ),
    "bomb": Case(fused, "combat turn", {}, 1),
    "lightning": Case(
        lambda game: game.draw("V..p.g.g...").begin("vex"),
        "combat attack", attack("vex", "post", "lightning"), 2 + 4 * (2 + 4 * 6),
    ),
    "barbs": Case(
        lambda game: (
            game.draw("Vp").begin("vex").put("post", statuses=[{"id": "barbs", "ends": "encounter"}])
        ),
        "combat attack", attack("vex", "post"), 2 + 4 * 6,
    ),
    "challenge": Case(dueling, "combat attack", attack("goblin", "brann"), 36),
    "bonfire": Case(burning, "combat turn", {}, 1),
    "mirror": Case(
        lambda game: game.draw("gV.", ".p.").begin("goblin"),
        "combat attack", attack("goblin", "vex"), 6,
    ),
    "bell": Case(tolling, "combat attack", attack("goblin", "bell"), 20 + 16 * 4),
    "gamble": Case(
        lambda game: game.draw("V..g....", "........").begin("vex").put("goblin", hp=9, max_hp=9),
        "combat use", uses("vex", "gamble"), 36,
    ),
    "snare-line": Case(strung, "combat move", {"who": "goblin", "to": "E1"}, 6),
    "pact": Case(sworn, "combat attack", attack("goblin", "brann"), 6),
}  # fmt: skip
"""Where a power waits for something, that it goes off: the bomb's and the fire's next turn, a step into the
snare, a blow at who is sworn to."""


@pytest.fixture(scope="module")
def books() -> dict[str, Book]:
    """Of the first six and the others: each with its own people armed."""
    first, others = book_with(six.TEXT, "vex", "brann"), book_with(six_more.TEXT, "vex", "goblin")
    return {name: others if name in others.powers else first for name in CASES}


@pytest.fixture(params=few_of(CASES))
def case(request: pytest.FixtureRequest, books: dict[str, Book]) -> tuple[Case, Game]:
    found, game = CASES[request.param], Game(books[request.param])
    found.before(game)
    return found, game


def all_falls(case: Case, game: Game) -> Iterator[tuple[State, list[Happened], Fraction]]:
    """Every sequence of faces, each played by itself: the state and the facts it came to, and its chance."""
    waiting: list[list[list[int]]] = [[]]
    while waiting:
        script = waiting.pop()
        world = game.world
        procedure = find_move(case.command).start(world, case.args)
        facts, at, chance = [], 0, Fraction(1)
        answer: Any = None
        try:
            while True:
                question = procedure.send(answer)
                answer = None
                if isinstance(question, Roll):
                    if at == len(script):
                        faces = product(range(1, question.sides + 1), repeat=question.n)
                        waiting += [[*script, list(fall)] for fall in faces]
                        break
                    answer, at = script[at], at + 1
                    chance /= question.sides**question.n
                elif isinstance(question, Choose):
                    answer = first_option(question)
                elif isinstance(question, Happen):
                    facts.append(question.fact)
                    answer = world.state = apply_changes(world.state, question.fact.changes)
        except StopIteration:
            yield world.state, facts, chance


def seen(state: State) -> str:
    """All that a fight shows of who is how, and of what lies there."""
    people = state["fight"]["combatants"]
    shown = ("hp", "at", "out", "statuses", "used", "miss_tokens", "strikes")
    return str([{who: {key: one.get(key) for key in shown}} for who, one in sorted(people.items())]) + str(
        state["fight"].get("zones")
    )


def test_odds_are_those_of_every_face_each_of_which_can_be_taken_back(case: tuple[Case, Game]) -> None:
    """Whatever falls: what stood before stands again, and in between a state that `doctor` accepts."""
    power, game = case
    wanted = Counter[str]()
    ways = 0
    for state, facts, chance in all_falls(power, game):
        wanted[seen(state)] += chance  # type: ignore[assignment]
        ways += 1
        assert state_faults(state, game.book, {}) == []
        changes, places = changes_and_places_that_undo([as_json(fact) for fact in facts])
        assert apply_changes(state, changes, places) == game.state
    world = game.world

    def again() -> tuple[Procedure[Any], World]:
        world.state = game.state
        return find_move(power.command).start(world, power.args), world

    assert exact_chances(again, lambda _: seen(world.state)) == wanted
    assert sum(wanted.values()) == 1
    assert ways == power.ways


def test_all_twelve_are_here(books: dict[str, Book]) -> None:
    written = {*books["drain"].powers, *books["mirror"].powers} - {*Game(book_with("")).book.powers}
    assert written - {"arc"} == {*CASES} - {"barbs"}


@pytest.mark.parametrize(
    ("power", "row"), [("drain", "Vg"), ("lightning", "V.......gp"), ("bomb", "V.g"), ("challenge", "V.g")]
)
def test_the_bot_uses_the_first_six(books: dict[str, Book], power: str, row: str) -> None:
    """What one uses on one's own turn; the six more have this in their own tests."""
    game = Game(books[power])
    game.draw(row).begin("vex").put("vex", hp=3)
    assert six_more.bot_uses(game, "vex", power)


def test_the_bot_stands_in(books: dict[str, Book]) -> None:
    """Asked at the moment of the blow, Brann's plan takes it for somebody about to fall of it."""
    game = Game(books["stand-in"])
    game.draw("gV", ".B").begin("goblin").put("vex", hp=1)
    world = game.world
    procedure = find_move("combat attack").start(world, attack("goblin", "vex"))
    assert play_until_open_decision(procedure, world, lambda roll: [5] * roll.n, USUAL_POLICY).pending is None
    assert world.get("fight.combatants.vex.hp") == 1
    assert world.get("fight.combatants.brann.hp") < game.of("brann", "hp")
