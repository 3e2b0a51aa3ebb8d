"""What fights come to is what exact odds say, where both are: by chi-square, over a million plays in the
long form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import Any

from support.thorough import THOROUGH

from strike_cli.content.book import bare_book
from strike_cli.kernel.drive import drive
from strike_cli.kernel.exhaustive import first_option
from strike_cli.kernel.procedure import World
from strike_cli.play.forecast import outcomes
from strike_cli.play.moves import find_move
from strike_cli.registry.installed import load_object
from strike_cli.sim.dice import KeyedDice
from strike_cli.sim.fight import Frozen

PLAYS = 1_000_000 if THOROUGH else 3_000


def is_likely(found: Mapping[Hashable, int], odds: Mapping[Hashable, float]) -> bool:
    """Whether counts are as likely as luck makes them: less than five standard deviations of chi-square off.
    What is expected less than five times stands together."""
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
    freedom = max(1, len(lots) - 1)
    return bool(square < freedom + 5 * (2 * freedom) ** 0.5)


def _counted(world: World, name: str, args: Any) -> Counter[Hashable]:
    """A move, played as often as fights are, each with the dice of a fight of its own."""
    move = find_move(name)
    counts: Callable[[Mapping[str, Any]], Mapping[str, Any]] = load_object(
        move.system.absolute(move.move.odds)
    )
    given, found = move.args(args), Counter[Hashable]()
    for number in range(PLAYS):
        now = World(world.book, world.state)
        played = drive(move.start(now, given), now, KeyedDice(1, str(number)), first_option)
        assert played.data is not None
        found[tuple(counts(played.data).items())] += 1
    return found


def _exact(world: World, name: str, args: Any) -> dict[Hashable, float]:
    return {tuple(key.items()): float(chance) for key, chance in outcomes(world, name, args)}


def test_one_attack(frozen: Frozen) -> None:
    """GRT-05, 06: damage, Overflow, the Save."""
    world = World(frozen.book, frozen.state)
    for name, args in (
        ("grit start", {"encounter": "bridge"}),
        ("grit move", {"who": "pete", "to": "F3"}),
    ):
        drive(find_move(name).start(world, args), world, KeyedDice(0, ""), first_option)
    args = {"who": "pete", "targets": ["troll"], "weapon": "great-bow"}
    odds = _exact(world, "grit attack", args)
    assert len(odds) > 3
    assert is_likely(_counted(world, "grit attack", args), odds)


def test_one_round_of_a_conflict() -> None:
    """STR-TC-06 to 08: Advance against Defense, ties, Hits."""
    args = {"ours": [3, 2], "theirs": [2, 4]}
    world = World(bare_book())
    assert is_likely(_counted(world, "conflict round", args), _exact(world, "conflict round", args))


FLEE = {"action": "flee", "prediction": "flee", "danger": 1}


def test_a_chase() -> None:
    """STR-CH-04, 05: how it ends, and in which round, where the Runners flee and the Chasers expect it."""
    world = World(bare_book())

    @cache
    def odds_of_round(at: str, ahead: bool) -> tuple[tuple[Any, float], ...]:
        args = {**FLEE, "range": at, "advantage": ahead}
        found: dict[Any, float] = {}
        for fall, chance in _falls(world, args):
            found[fall] = found.get(fall, 0.0) + float(chance)
        return tuple(found.items())

    now, odds = {("medium", False): 1.0}, Counter[Hashable]()
    for number in range(1, LONGEST + 1):
        then: Counter[Any] = Counter()
        for (at, ahead), so_far in now.items():
            for (ended, after, advantage), chance in odds_of_round(at, ahead):
                if ended or number == LONGEST:
                    odds[ended or "goes on", number] += so_far * chance  # type: ignore[assignment]
                else:
                    then[after, advantage] += so_far * chance
        now = dict(then)
    assert abs(sum(odds.values()) - 1) < 1e-9
    found = Counter(_chase(world, KeyedDice(1, str(number))) for number in range(PLAYS // 3))
    assert is_likely(found, odds)


LONGEST = 6
"""Rounds of a chase that are told apart."""


def _falls(world: World, args: Mapping[str, Any]) -> Any:
    from strike_cli.play.forecast import chances

    def read(data: Mapping[str, Any], after: World) -> Hashable:
        return data["ended"], data["range_after"], data["runners_advantage_next"]

    return chances(world, "chase round", dict(args), read).items()


def _chase(world: World, dice: KeyedDice) -> Hashable:
    at, ahead = "medium", False
    for number in range(1, LONGEST + 1):
        now = World(world.book, {})
        args = {**FLEE, "range": at, "advantage": ahead}
        data = drive(find_move("chase round").start(now, args), now, dice, first_option).data
        assert data is not None
        if data["ended"] or number == LONGEST:
            return data["ended"] or "goes on", number
        at, ahead = data["range_after"], data["runners_advantage_next"]
    raise AssertionError


def test_it_would_notice() -> None:
    """A die that is a little off is told from luck, with enough plays."""
    odds: dict[Hashable, float] = dict.fromkeys(range(6), 1 / 6)
    fair: dict[Hashable, int] = {face: 1000 + (face - 2) * 10 for face in range(6)}
    off: dict[Hashable, int] = {**fair, 5: 1300}
    assert is_likely(fair, odds) and not is_likely(off, odds)
