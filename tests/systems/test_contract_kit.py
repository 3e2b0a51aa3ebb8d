"""The contract kit, run by the toy and by strike's own systems; and whether it finds what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.plugins import install_toy

from strike_cli.plugin import OfOne, Procedure, Refused, World
from strike_cli.plugin.testing import Contract, check_plugin, play, world_of
from strike_cli.registry import installed


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Contract]:
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        yield Contract("toy", begin=[("toy start", {"one": "ana", "other": "bo", "coins": 5})])
    installed.forget()


def test_the_toy_keeps_it(toy: Contract) -> None:
    toy.check(evenings=5)


def test_evenings_differ_and_come_again(toy: Contract) -> None:
    assert toy.check_evening(1) != toy.check_evening(2)
    assert toy.check_evening(1) == toy.check_evening(1)


def test_a_move_in_memory(toy: Contract) -> None:
    """What the rules of a system are tested with: dice and choices in hand."""
    begun = play(world_of(), "toy start", {"one": "ana", "other": "bo"})
    world = World(world_of().book, begun.state)
    tossed = play(world, "toy toss", {"who": "ana"}, dice=[2], choices=["heads"])
    assert (tossed.data["winner"], tossed.facts[0]["text"]) == ("bo", "Ana calls heads: tails.")
    with pytest.raises(AssertionError, match="still asks"):
        play(world, "toy toss", {"who": "ana"})


@pytest.mark.parametrize("plugin", ["core", "elements"])
def test_what_comes_with_strike_is_sound(plugin: str) -> None:
    """Everything that it names is there, and every move says of which type its arguments are."""
    check_plugin(plugin)


# What it finds

Toss = Callable[[World, OfOne], Procedure[dict[str, Any]]]


def refused_midway(right: Toss) -> Toss:
    def play_toss(world: World, args: OfOne) -> Procedure[dict[str, Any]]:
        data = yield from right(world, args)
        if data["face"] == "tails":
            raise Refused("Not tails.")
        return data

    return play_toss


def undeclared(right: Toss) -> Toss:
    def play_toss(world: World, args: OfOne) -> Procedure[dict[str, Any]]:
        data = yield from right(world, args)
        yield world.happen("toy-cheated", args.who, "Nobody saw it.")
        return data

    return play_toss


def unsound(right: Toss) -> Toss:
    def play_toss(world: World, args: OfOne) -> Procedure[dict[str, Any]]:
        data = yield from right(world, args)
        yield world.happen("toy-tossed", args.who, "", {"toy.round": "the next"})
        return data

    return play_toss


def behind_its_back(right: Toss) -> Toss:
    def play_toss(world: World, args: OfOne) -> Procedure[dict[str, Any]]:
        data = yield from right(world, args)
        if "toy" in world.state:
            world.state["toy"] = {**world.state["toy"], "round": 7}  # no fact says so
        return data

    return play_toss


def by_chance(right: Toss) -> Toss:
    import random

    def play_toss(world: World, args: OfOne) -> Procedure[dict[str, Any]]:
        data = yield from right(world, args)
        if "toy" in world.state:
            yield world.happen("toy-tossed", args.who, "", {"toy.round": random.randrange(10**6)})
        return data

    return play_toss


def crashes(right: Toss) -> Toss:
    def play_toss(world: World, args: OfOne) -> Procedure[dict[str, Any]]:
        yield from right(world, args)
        return {"nobody": world.state["nowhere"]}

    return play_toss


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (refused_midway, "an option .*refused"),
        (undeclared, "no class says 'toy-cheated'"),
        (unsound, "the state has lost its form: .*toy.round"),
        (behind_its_back, "differ|before it|undo"),
        (by_chance, "replayed, it differs"),
        (crashes, "KeyError: 'nowhere'"),
    ],
)
def test_what_it_finds(
    toy: Contract, broken: Callable[[Toss], Toss], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import toy as module

    made = broken(module.play_toss)
    made.__annotations__ = {"args": OfOne}
    monkeypatch.setattr(module, "play_toss", made)
    installed.forget()
    with pytest.raises(AssertionError, match=what) as failed:
        toy.check(evenings=5)
    assert "toy start" in str(failed.value), "it tells how it came about"


def test_what_its_doctor_finds(toy: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    import toy as module

    monkeypatch.delattr(module, "worth")
    with pytest.raises(AssertionError, match="toy:worth can't be loaded"):
        toy.check_declared()
