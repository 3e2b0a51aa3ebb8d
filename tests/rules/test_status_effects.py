"""What statuses and Conditions do, asked by kind of roll, action, stage or moment: each contribution counts
by itself, whatever stands beside it (STR-TAC-20, 25)."""

from __future__ import annotations

from typing import Any

import pytest
from support.conflict import Table
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.tabletop.active_effects import (
    ActiveEffect,
    action_limit,
    can_fly,
    decider_for,
    effect_banning,
    effects_on,
    halve_damage_if_effect_says,
    reactions_to,
    remap_die,
    roll_reasons_from_effects,
)
from strike_cli.tabletop.facts import OfStatus, TargetIs

STATUSES = """
[statuses.many]
name = "Many"
sources = [
  { on = "attack", side = "against", gives = "advantage" },
  { on = "save", gives = "disadvantage" },
  { on = "attack", range = "melee", gives = 1 },
  { on = "attack", round = 2, gives = 2 },
  { on = "attack", when = "bloodied", gives = 3 },
  { on = "any", gives = -1 },
  { on = "task", tags = ["wet"], gives = 4 },
  { on = "task", tags = ["physical", "dry"], gives = 5 },
]
bans = [
  { action = "opportunity", side = "against" },
  { action = "shift", over = 2 },
  { action = "melee", unless = "alike" },
  { action = "move", over = 4 },
]
remaps = [
  { stage = "die", side = "against", faces = { 6 = 5 } },
  { stage = "damage", half = true },
]

[statuses.slow]
name = "Slow"
bans = [{ action = "move", over = 2 }, { action = "stand", over = 0 }, { action = "role", over = 1 }]
remaps = [{ stage = "die", side = "against", faces = { 4 = 3, 6 = 1 } }]
flies = true

[statuses]
bleeding = { stacks = "highest", reactions = [
  { on = "turn-started", do = "damage", amount = "value" }, { on = "moved", do = "note", text = "Drip." }] }
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(STATUSES)


@pytest.fixture
def game(book: Book) -> Game:
    return Game(book).draw("VB.p.g").begin("vex")


def has(game: Game, who: str, *statuses: str, **more: Any) -> Game:
    return game.put(who, statuses=[{"id": one, "ends": "encounter", **more} for one in statuses])


def numbers(game: Game, roll: str, **more: Any) -> list[int]:
    return [item.value for item in roll_reasons_from_effects(game.world, "vex", roll, **more)[1]]


def test_what_bears_on_a_roll(game: Game) -> None:
    """STR-TAC-20: by its kind, side, range, round and tags, and while it says; each with its reason."""
    has(game, "vex", "many")
    assert numbers(game, "attack") == [-1]
    assert numbers(game, "attack", range_="melee") == [1, -1]
    assert numbers(game, "attack", range_="ranged", holds=lambda held, word: word == "bloodied") == [3, -1]
    assert numbers(game, "attack", holds=lambda held, word: False) == [-1]
    assert numbers(game, "skill") == numbers(game, "help") == [-1]
    assert numbers(game, "skill", tags=frozenset({"dry"})) == [-1, 5]
    assert numbers(game, "opposed", tags=frozenset({"wet", "physical"})) == [-1, 4, 5]
    assert numbers(game, "save", tags=frozenset({"wet"})) == [-1]
    game.set("fight.round", 2)
    assert numbers(game, "attack") == [2, -1]
    sources, modifiers = roll_reasons_from_effects(game.world, "vex", "attack", side="against")
    assert [(one.kind, one.reason) for one in sources] == [("advantage", TargetIs(OfStatus("many")))]
    assert modifiers == []
    sources, _ = roll_reasons_from_effects(game.world, "vex", "save")
    assert [(one.kind, one.reason) for one in sources] == [("disadvantage", OfStatus("many"))]


@pytest.mark.parametrize(
    ("action", "more", "reason"),
    [
        ("opportunity", {}, None),
        ("opportunity", {"side": "against"}, "Many"),
        ("shift", {"count": 2}, None),
        ("shift", {"count": 3}, "Many"),
        ("melee", {"other": "goblin"}, "Many"),
        ("melee", {"other": "brann"}, None),
        ("melee", {}, None),
        ("act", {"count": 1}, None),
        ("stand", {}, "Slow"),
        ("role", {}, None),
    ],
)
def test_what_bans_something(game: Game, action: str, more: dict[str, Any], reason: str | None) -> None:
    """STR-TAC-25: by its side, beyond a number, where one is meant unless it is said, or against those who
    differ; Brann is as Vex is."""
    has(game, "vex", "many", "slow")
    has(game, "brann", "many")
    found = effect_banning(game.world, "vex", action, **more)
    assert (found and found.name) == reason


def of(found: tuple[int, ActiveEffect | None]) -> tuple[int, str | None]:
    """A number, and the name of what made it so."""
    return found[0], found[1] and found[1].name


def test_what_limits_something(game: Game) -> None:
    """STR-TAC-25: the least that any leaves, and which; nothing more than there is."""
    assert of(action_limit(game.world, "vex", "move", 6)) == (6, None)
    has(game, "vex", "many", "slow")
    assert of(action_limit(game.world, "vex", "move", 6)) == (2, "Slow")
    assert of(action_limit(game.world, "vex", "move", 2)) == (2, None)
    assert of(action_limit(game.world, "vex", "opportunity", 3)) == (3, None)
    has(game, "vex", "slow", "many")
    assert of(action_limit(game.world, "vex", "move", 3)) == (2, "Slow")


def test_what_a_die_and_damage_come_to(game: Game) -> None:
    """STR-TAC-11, STR-TAC-25: the first that has a face for it says what it counts as; half is rounded
    down."""
    assert of(remap_die(game.world, "vex", 6)) == (6, None)
    has(game, "vex", "many", "slow")
    for face, counts_as in ((6, (5, "Many")), (4, (3, "Slow")), (3, (3, None))):
        assert of(remap_die(game.world, "vex", face)) == counts_as
    assert of(halve_damage_if_effect_says(game.world, "vex", 5)) == (2, "Many")
    has(game, "vex", "slow")
    assert of(halve_damage_if_effect_says(game.world, "vex", 5)) == (5, None)


def test_of_what_counts_once_the_highest_acts(game: Game) -> None:
    """STR-TAC-25: the first of equals; others stand back, whatever else somebody has."""
    held = [
        {"id": "bleeding", "ends": "save", "value": value, "by": by}
        for value, by in ((2, "goblin"), (4, "post"), (4, "brann"), (3, "odo"))
    ]
    game.put("vex", statuses=[*held, {"id": "slow", "ends": "save"}])
    acting = reactions_to(game.world, "vex", "turn-started")
    assert [one.held.instance["by"] for one in acting] == ["post"]
    assert [one.number for one in reactions_to(game.world, "vex", "moved")] == [1]
    assert {"bleeding", "slow"} <= {one.id for one in effects_on(game.world, "vex")}
    game.put("vex", statuses=held[:1])
    assert len(reactions_to(game.world, "vex", "turn-started")) == 1


def test_who_flies_and_who_decides(game: Game) -> None:
    """STR-TAC-25: somebody themselves, unless a status says who; without a giver the game master."""
    assert not can_fly(game.world, "vex")
    assert can_fly(has(game, "vex", "many", "slow").world, "vex")
    assert decider_for(game.world, "vex") == "vex"
    assert decider_for(has(game, "vex", "slow", "core:dominated", by="goblin").world, "vex") == "goblin"
    assert decider_for(has(game, "vex", "core:dominated").world, "vex") == "the game master"


def test_what_counts_once_keeps_nothing_else_out(game: Game) -> None:
    """STR-TAC-25: of two givers it is had once, and what comes after it all the same; so is what no book
    knows any more."""
    givers = ("goblin", "post")
    statuses = [{"id": one, "ends": "save", "by": by} for one in ("many", "gone") for by in givers]
    game.put("vex", statuses=[*statuses, {"id": "slow", "ends": "save"}])
    assert [one.id for one in effects_on(game.world, "vex")] == ["many", "slow"]


def test_who_is_in_two_scenes_has_what_each_gives(game: Game) -> None:
    """STR-CORE-12, STR-TAC-25: statuses of the fight and Conditions, whichever scene began first."""
    game.set("characters.vex.conditions", ["core:winded"])
    begun: list[set[str]] = []
    for fight_first in (True, False):
        game.state = {"characters": game.state["characters"]}
        for scene in ("fight", "conflict") if fight_first else ("conflict", "fight"):
            if scene == "fight":
                game.draw("V.g")
                game.put("vex", statuses=[{"id": "slow", "ends": "save"}])
            else:
                Table(game)
        begun.append({one.id for one in effects_on(game.world, "vex")})
    assert begun == [{"slow", "core:winded"}] * 2


def test_a_zone_gives_its_status_to_who_stands_in_it_with_any_square(game: Game) -> None:
    """STR-TAC-21: as if who made it had given it."""
    fog = {"name": "Fog", "squares": ["B1", "C1"], "status": "slow", "by": "goblin"}
    game.set("fight.zones", {"z1": fog, "z2": {"name": "Ash", "squares": ["A1"]}})

    def slowed(who: str) -> bool:
        return any(one.id == "slow" for one in effects_on(game.world, who))

    assert [slowed(who) for who in ("vex", "brann", "post")] == [False, True, False]
    (held,) = (one for one in effects_on(game.world, "brann") if one.id == "slow")
    assert held.instance["by"] == "goblin"
    game.put("vex", size=2)
    assert slowed("vex")
