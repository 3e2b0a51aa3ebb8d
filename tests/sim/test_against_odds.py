"""What fights come to is what exact odds say, where both are: by chi-square, over a million plays in the
long form."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import pytest
from support.game import Game
from support.thorough import THOROUGH

from strike_cli.content.merged_content import Book, book_of_core_and_plugins
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import World
from strike_cli.play.forecast import move_chances, outcomes_of_move
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.registry.installed_plugins import import_object
from strike_cli.sim.simulated_fight import FrozenCampaign, KeyedDice, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.chase.chase_solver import end_chances
from strike_cli.systems.chase.options_and_position_value import chase_as_game
from strike_cli.systems.combat.bots.outcome_forecast import USUAL_POLICY

PLAYS = 1_000_000 if THOROUGH else 3_000
CHASES = 1_000_000 if THOROUGH else 250
"""Whole chases: each takes as long as ten plays of one move."""
SECONDS = float(os.environ.get("SOAK_SECONDS", "inf"))
"""For each kind; once they are over, what was played is held against the odds."""


def numbers(most: int) -> Iterator[int]:
    """Of so many plays as many as there is time for."""
    began = time.monotonic()
    for number in range(most):
        if number % 1000 == 0 and time.monotonic() - began > SECONDS:
            return
        yield number


def agree(what: str, found: Mapping[Hashable, int], odds: Mapping[Hashable, float]) -> None:
    """Holds counts against odds; the long form tells the figures."""
    plays = sum(found.values())
    square, freedom = chi_square(found, odds)
    told = f"{what}: {plays} plays, chi-square {square:.1f} of {freedom} degrees"
    if THOROUGH:
        print(f"  {told}", flush=True)
    assert is_likely(found, odds), told


def is_likely(found: Mapping[Hashable, int], odds: Mapping[Hashable, float]) -> bool:
    """Whether counts are as likely as luck makes them: less than five standard deviations of chi-square
    off."""
    square, freedom = chi_square(found, odds)
    return square < freedom + 5 * (2 * freedom) ** 0.5


def chi_square(found: Mapping[Hashable, int], odds: Mapping[Hashable, float]) -> tuple[float, int]:
    """How far counts are off, and by how many degrees of freedom. What is expected less than five times
    stands together."""
    plays = sum(found.values())
    assert set(found) <= set(odds)
    rare = [key for key in odds if odds[key] * plays < 5]
    lots = [([key], odds[key]) for key in odds if key not in rare]
    lots += [(rare, sum(odds[key] for key in rare))] if rare else []
    square = sum(
        (sum(found.get(key, 0) for key in keys) - chance * plays) ** 2 / (chance * plays)
        for keys, chance in lots
        if chance
    )
    return square, max(1, len(lots) - 1)


def _counted(world: World, name: str, args: Any) -> Counter[Hashable]:
    """A move, played as often as fights are, each with the dice of a fight of its own."""
    move = find_move(name)
    counts: Callable[[Mapping[str, Any]], Mapping[str, Any]] = import_object(
        move.system.absolute(move.system.moves[move.name].odds)
    )
    given, found = move.read_args(args), Counter[Hashable]()
    for number in numbers(PLAYS):
        now = World(world.book, world.state)
        played = play_until_open_decision(
            move.start(now, given), now, KeyedDice(1, str(number)), first_option
        )
        assert played.data is not None
        found[tuple(counts(played.data).items())] += 1
    return found


def _exact(world: World, name: str, args: Any) -> dict[Hashable, float]:
    return {tuple(key.items()): float(chance) for key, chance in outcomes_of_move(world, name, args)}


@pytest.mark.slow
def test_one_attack(frozen: FrozenCampaign) -> None:
    """GRT-05, 06: damage, Overflow, the Save."""
    world = World(frozen.book, frozen.state)
    for name, args in (("grit start", {"encounter": "bridge"}), ("grit move", {"who": "pete", "to": "F3"})):
        play_until_open_decision(find_move(name).start(world, args), world, KeyedDice(0, ""), first_option)
    args = {"who": "pete", "targets": ["troll"], "weapon": "great-bow"}
    odds = _exact(world, "grit attack", args)
    assert len(odds) > 3
    agree("an attack of grit", _counted(world, "grit attack", args), odds)


@pytest.mark.slow
def test_one_attack_of_strike(game: Game) -> None:
    """STR-TAC-09, 10, 17: what is left of the target, Strikes and Miss Tokens; Miss Tokens are spent."""
    game.draw("Vg").begin("vex")
    game.put("vex", miss_tokens=1)
    args = {"who": "vex", "targets": ["goblin"], "power": "core:melee-basic"}

    def read(data: Mapping[str, Any], after: World) -> Hashable:
        people = after.get("fight.combatants")
        return people["goblin"]["hp"], people["vex"].get("strikes", 0), people["vex"].get("miss_tokens", 0)

    ways = move_chances(game.world, "combat attack", args, read, USUAL_POLICY)
    odds = {key: float(chance) for key, chance in ways.items()}
    assert len(odds) > 3
    move, found = find_move("combat attack"), Counter[Hashable]()
    for number in numbers(PLAYS):
        now = World(game.world.book, game.world.state)
        data = play_until_open_decision(
            move.start(now, move.read_args(args)), now, KeyedDice(1, str(number)), USUAL_POLICY
        ).data
        found[read(data or {}, now)] += 1
    agree("an attack", found, odds)


@pytest.mark.slow
def test_one_round_of_a_conflict() -> None:
    """STR-TC-06 to 08: Advance against Defense, ties, Hits."""
    args = {"ours": [3, 2], "theirs": [2, 4]}
    world = World(book_of_core_and_plugins())
    odds = _exact(world, "conflict round", args)
    agree("a round of a conflict", _counted(world, "conflict round", args), odds)


@pytest.mark.slow
def test_a_chase(example: Book) -> None:
    """STR-CH-01 to 06: how it ends where both sides mix as they would who play perfectly: what `strike sim`
    plays, and what `strike odds chase --whole` says."""
    frozen = FrozenCampaign.freeze(example, {}, "chase", ["causeway"], Lineup())
    world = World(frozen.book, frozen.state)
    begins = frozen.rules.begin(world, "causeway", Lineup())
    play_until_open_decision(
        find_move(begins.command).start(world, begins.args), world, KeyedDice(0, ""), first_option
    )
    odds: dict[Hashable, float] = {}
    for ended, chance in end_chances(*chase_as_game(world)).items():
        whole, _, crashed = ended.partition("-")  # of a Hide what its loser makes of it aside
        whole = "both crashed" if crashed == "both" else whole
        odds[whole] = odds.get(whole, 0.0) + chance
    found = Counter[Hashable]()
    for number in numbers(CHASES):
        (chase,) = play_day_until_not_won(frozen, 1, number, "good").fights
        found[chase.came_of_it["ended"]] += 1
    agree("a chase", found, odds)


def test_it_would_notice() -> None:
    """A die that is a little off is told from luck, with enough plays."""
    odds: dict[Hashable, float] = dict.fromkeys(range(6), 1 / 6)
    fair: dict[Hashable, int] = {face: 1000 + (face - 2) * 10 for face in range(6)}
    off: dict[Hashable, int] = {**fair, 5: 1300}
    assert is_likely(fair, odds) and not is_likely(off, odds)
