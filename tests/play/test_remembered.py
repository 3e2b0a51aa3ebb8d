"""What is remembered of parts of a state holds for just these, and changes nothing that is found out."""

from __future__ import annotations

import gc
from weakref import ref

import pytest
from support.game import Game

from strike_cli.kernel.exact_odds import play_all_outcomes
from strike_cli.kernel.procedure import Procedure, Roll, World
from strike_cli.kernel.state_changes import (
    MOST_BOOKS,
    MOST_IN_PASSING,
    MOST_STATES,
    block_cache,
    cached_by_identity,
    cached_in_block,
    cached_values_of,
)
from strike_cli.tabletop.active_effects import combined_effects, effect_banning
from strike_cli.tabletop.grid import Grid


def test_what_is_made_of_parts_is_made_once_for_the_same_ones() -> None:
    made: list[object] = []

    def make(*parts: object) -> int:
        made.append(parts)
        return len(made)

    remembered = cached_by_identity(make)
    one, equal = [1], [1]
    assert remembered(one, None) == remembered(one, None) == 1
    assert remembered(equal, None) == 2, "an equal one is another: it may become another thing"


def test_in_passing_what_is_made_of_the_same_is_made_once_and_then_forgotten() -> None:
    made: list[object] = []

    @cached_in_block
    def count(of: list[int]) -> int:
        made.append(of)
        return len(made)

    one, equal = [1], [1]
    assert count(one) != count(one), "nobody has said that it doesn't change"
    with block_cache():
        first = count(one)
        assert count(one) == first != count(equal)
        for _ in range(MOST_IN_PASSING):
            count([1])
        assert count(one) > first, "it does not grow for ever"
        last = count(one)
    assert count(one) > last


def test_what_is_known_of_a_state_is_of_its_book_too() -> None:
    state, first, second = {"a": 1}, object(), object()
    cached_values_of(World(first, state))["what"] = "this"
    assert cached_values_of(World(first, state)) == {"what": "this"}
    assert cached_values_of(World(second, state)) == {}
    assert cached_values_of(World(first, dict(state))) == {}


def test_what_is_known_does_not_grow_for_ever() -> None:
    worlds = [World(None, {"n": number}) for number in range(3 * MOST_STATES)]
    for world in worlds:
        cached_values_of(world)["n"] = 1
    assert cached_values_of(worlds[-1]) == {"n": 1}
    assert cached_values_of(worlds[0]) == {}


@pytest.mark.slow
def test_a_campaign_that_is_over_is_forgotten() -> None:
    """A process may play thousands, each with a book of its own."""

    class Book:
        pass

    remembered = cached_by_identity(lambda book, part: book)
    books = [Book() for _ in range(3 * MOST_BOOKS)]
    held = [ref(book) for book in books]
    for book in books:
        cached_values_of(World(book, {}))["n"] = remembered(book, None)  # type: ignore[arg-type]  # any will do
    del book, books
    gc.collect()
    assert sum(each() is not None for each in held) <= MOST_BOOKS + 1


def test_what_somebody_carries_is_as_it_is_now(game: Game) -> None:
    """A status that comes or goes is seen at once, and one that a zone gives where one stands."""
    game.draw("V.g").begin("vex")
    assert combined_effects(game.world, "vex") is combined_effects(game.world, "vex")
    assert effect_banning(game.world, "vex", "act", 1) is None
    game.afflict("vex", "stunned")
    assert (found := effect_banning(game.world, "vex", "act", 1)) and found.name == "Stunned"
    game.play("combat status remove", who="vex", status="core:stunned")
    assert effect_banning(game.world, "vex", "act", 1) is None
    zone = {"name": "Web", "squares": ["B1"], "status": "core:stunned", "ends": "encounter"}
    game.set("fight.zones", {"web": zone})
    assert effect_banning(game.world, "vex", "act", 1) is None
    game.put("vex", at="B1")
    assert (found := effect_banning(game.world, "vex", "act", 1)) and found.name == "Stunned"


def test_falls_share_the_states_up_to_where_they_differ() -> None:
    """Each way comes to what it came to; the state before a die is one for all that fall alike until then."""
    came: list[list[object]] = [[], [], []]

    def procedure(world: World) -> Procedure[int]:
        yield world.happen("begun", "", "", {"sum": 1})
        came[0].append(world.state)
        for states in came[1:]:
            (face,) = yield Roll(1, 3, "a die", "")
            yield world.happen("added", "", "", {"sum": world.get("sum") + face})
            states.append(world.state)
        return int(world.get("sum"))

    start = World(None, {})

    def anew() -> tuple[Procedure[int], World]:
        world = World(None, start.state)
        return procedure(world), world

    found = sorted(value for value, _, _ in play_all_outcomes(anew))
    assert found == sorted(1 + first + second for first in (1, 2, 3) for second in (1, 2, 3))
    assert [len(set(map(id, states))) for states in came] == [1, 3, 9]


def test_distances_are_those_of_a_walk() -> None:
    """STR-TAC-07: difficult terrain takes 2, walls are gone round; who stands where is nothing to them."""
    grid = Grid([".#...", "..~..", ".#..."])
    found = grid.distances_from((0, 0))
    walked = grid.reachable((0, 0), 100, passable=lambda square: True, standable=lambda square: True)
    assert found == walked
    assert found[2, 1] == 3
    assert grid.distances_from((0, 0)) is found
    assert dict(grid.steps_from((1, 1), 1))[2, 1] == 2
