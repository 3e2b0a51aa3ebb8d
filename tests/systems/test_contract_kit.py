"""The contract kit, run by the toy and by strike's own systems; and whether it finds what is wrong."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.plugins import TOY, install_toy

from strike_cli.plugin import PersonArgs, Procedure, Refused, World
from strike_cli.plugin.testing import Contract, NeverReached, check_plugin, play, world_of
from strike_cli.registry import installed_plugins


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Contract]:
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        yield Contract("toy", begin=[("toy start", {"one": "ana", "other": "bo", "coins": 5})])
    installed_plugins.drop_plugin_index()


@pytest.mark.slow
def test_the_toy_keeps_it(toy: Contract) -> None:
    toy.check_references()
    for seed in range(1, 6):
        toy.play_checked_evening(seed)
    assert toy.never_reached() == []


def test_it_says_what_it_never_reached(toy: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system whose moves are always refused keeps every promise: nothing of it was tried."""
    import toy as module

    def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
        yield from ()
        raise Refused("Not today.")

    monkeypatch.setattr(module, "play_toss", play_toss)
    installed_plugins.drop_plugin_index()
    monkeypatch.setattr(
        toy, "check_hash_independence", lambda seed, moves: None
    )  # which knows nothing of this patch
    with pytest.warns(NeverReached) as warned:
        toy.check(evenings=1)
    said = str(warned[0].message)
    assert said.startswith("toy, evenings: 1; always refused: toy toss (tries: ")
    assert "facts never recorded: toy-tossed, toy-over" in said
    assert "no option was ever listed" in said


@pytest.mark.slow
def test_evenings_differ_and_come_again(toy: Contract) -> None:
    assert toy.play_checked_evening(1) != toy.play_checked_evening(2)
    assert toy.play_checked_evening(1) == toy.play_checked_evening(1)


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

Told = Iterable[Any]


def refuses_midway(world: World, who: str, data: dict[str, Any]) -> Told:
    if data["face"] == "tails":
        raise Refused("Not tails.")
    return []


def tells_what_no_class_says(world: World, who: str, data: dict[str, Any]) -> Told:
    return [world.happen("toy-cheated", who, "Nobody saw it.")]


def writes_what_fits_no_form(world: World, who: str, data: dict[str, Any]) -> Told:
    return [world.happen("toy-tossed", who, "", {"toy.round": "the next"})]


def changes_the_state_itself(world: World, who: str, data: dict[str, Any]) -> Told:
    if "toy" in world.state:
        world.state["toy"] = {**world.state["toy"], "round": 7}  # no fact says so
    return []


def rolls_by_itself(world: World, who: str, data: dict[str, Any]) -> Told:
    if "toy" not in world.state:
        return []
    return [world.happen("toy-tossed", who, "", {"toy.round": random.randrange(10**6)})]


def crashes(world: World, who: str, data: dict[str, Any]) -> Told:
    return [world.state["nowhere"]]


def prints(world: World, who: str, data: dict[str, Any]) -> Told:
    print("Clink!")
    return []


def reaches_over(world: World, who: str, data: dict[str, Any]) -> Told:
    return [world.happen("noted", who, "Clink!", {"characters.cy.action_points": 5})]


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (refuses_midway, "a listed option is refused"),
        (tells_what_no_class_says, "no class says 'toy-cheated'"),
        (writes_what_fits_no_form, "the state no longer fits its form: .*toy.round"),
        (changes_the_state_itself, "can't be recorded: its changes"),
        (rolls_by_itself, "replayed, it differs"),
        (crashes, "KeyError: 'nowhere'"),
        (prints, "prints 'Clink!"),
        (reaches_over, "toy toss may change toy, and changes roll cy"),
    ],
)
def test_what_it_finds(
    toy: Contract,
    broken: Callable[[World, str, dict[str, Any]], Told],
    what: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A toss after which something is done that no move may do."""
    import toy as module

    right = module.play_toss

    def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
        data: dict[str, Any] = yield from right(world, args)
        yield from (fact for fact in broken(world, args.who, data))
        return data

    play_toss.__annotations__["args"] = PersonArgs
    monkeypatch.setattr(module, "play_toss", play_toss)
    installed_plugins.drop_plugin_index()
    with pytest.raises(AssertionError, match=what) as failed:
        toy.check(evenings=5)
    assert "toy start" in str(failed.value), "it tells how it came about"


@pytest.mark.slow  # it starts processes
def test_an_order_that_comes_of_a_hash_is_found(toy: Contract, tmp_path: Path) -> None:
    """Whoever comes first of a set begins: in each process it is another evening."""
    toy.check_hash_independence()
    source = (TOY / "toy.py").read_text("utf-8")
    hashed = source.replace("for who in (args.one, args.other)}", "for who in {args.one, args.other}}")
    assert hashed != source
    (tmp_path / "hashed").mkdir()
    (tmp_path / "hashed" / "toy.py").write_text(hashed, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(tmp_path / "hashed"), *sys.path])
        with pytest.raises(AssertionError, match="an order depends on a hash") as failed:
            toy.check_hash_independence()
    assert "toy start" in str(failed.value)


def test_what_its_doctor_finds(toy: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    import toy as module

    monkeypatch.delattr(module, "TossBot")
    with pytest.raises(AssertionError, match="toy:TossBot can't be loaded"):
        toy.check_references()
