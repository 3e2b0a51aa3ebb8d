"""Improved Initiative: its player view shows the players' view, whole, whatever happens on the way."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.cases import case
from support.thorough import few_of

from strike_bridge.dry_run import dry_run
from strike_bridge.settings import Settings

from .helpers import Told, storm
from .servers.base import running
from .servers.improved_initiative import ImprovedInitiative

REAL = os.environ.get("STRIKE_IMPROVED_INITIATIVE")
"""The address of a real one, for whoever has it running."""


@pytest.fixture
def server() -> Iterator[Any]:
    with running(ImprovedInitiative()) as server:
        yield server


@pytest.fixture
def begun(evening: Told, server: Any) -> Told:
    """A fight in which it is Vex's turn, told there."""
    return begin(evening.tell(server, Settings("tracker", "improved-initiative", server.url)))


def begin(evening: Told) -> Told:
    evening.start()
    evening.play("combat initiative", dice=[6, 5, 3, 2, 1])
    evening.play("combat turn")
    evening.told()
    return evening


def shown(evening: Told) -> dict[str, Any]:
    return dict(evening.server.views["strike"])


def people(evening: Told) -> dict[str, Any]:
    return {each["Name"]: each for each in shown(evening)["Combatants"]}


def test_a_fight_is_a_list_in_our_order_with_whose_turn_it_is(begun: Told) -> None:
    assert list(people(begun)) == ["Vex", "Brann", "Goblin 1", "Goblin 2"], "and nobody hidden"
    assert (shown(begun)["ActiveCombatantId"], shown(begun)["RoundCounter"]) == ("vex", 1)
    vex = people(begun)["Vex"]
    assert (vex["HPDisplay"], vex["IsPlayerCharacter"]) == ("10/10", True)
    begun.play("combat damage", who="goblin-1", amount=1, why="")
    begun.play("combat status add", who="goblin-1", status="core:dazed")
    begun.told()
    goblin = people(begun)["Goblin 1"]
    assert goblin["HPDisplay"] == "3/4" and [tag["Text"] for tag in goblin["Tags"]] == ["Dazed"]
    assert begun.drift == []
    begun.undo(2)
    begun.told()
    goblin = people(begun)["Goblin 1"]
    assert goblin["HPDisplay"] == "4/4" and not goblin["Tags"]


def test_numbers_are_shown_as_the_campaign_says(begun: Told) -> None:
    begun.play("combat damage", who="goblin-1", amount=2, why="")
    for hp, shows in {"exact": "2/4", "bar": "▮▮▯▯", "wounds": "Bloodied", "none": ""}.items():
        with case(hp):
            begun.told(hp=hp, audience="gm")
            assert people(begun)["Goblin 1"]["HPDisplay"] == shows
    assert "lurker" not in str(begun.server.views).lower(), "not even where the game master is told"


def test_who_is_out_has_a_tag_or_goes_and_the_end_leaves_nothing(begun: Told) -> None:
    begun.take_out("goblin-1")
    begun.told()
    assert [tag["Text"] for tag in people(begun)["Goblin 1"]["Tags"]] == ["Out"]
    begun.told(defeated="hide")
    begun.move("vex", "B2")
    begun.play("combat abandon")
    begun.told()
    assert shown(begun)["Combatants"] == []


def test_a_dry_run_asks_nobody(fight: Told, server: Any) -> None:
    requests = dry_run(fight.folder, Settings("tracker", "improved-initiative", server.url))
    assert any("update encounter" in str(each["body"]) or each["method"] == "POST" for each in requests)
    assert server.calls == []


@pytest.mark.parametrize("seed", few_of(range(20 if os.environ.get("STRIKE_THOROUGH") else 2), 2))
def test_after_a_storm_it_shows_what_the_campaign_says(begun: Told, seed: int) -> None:
    rng = random.Random(seed)
    begun.server.always = storm(rng)
    for _ in range(8):
        who = rng.choice(["vex", "goblin-1"])
        begun.happen(("hurt", who, f"{who} is hurt.", {f"fight.combatants.{who}.hp": rng.randint(1, 4)}))
        if rng.random() < 0.3:
            begun.undo()
        if rng.random() < 0.3:
            begun.server.hang_up_all()
        begun.push()
    begun.server.always = None
    begun.told()
    assert begun.drift == []


@pytest.mark.skipif(REAL is None, reason="there is no real one")
def test_a_real_one_shows_a_fight(evening: Told) -> None:
    evening.settings = Settings("tracker", "improved-initiative", REAL or "")
    begin(evening)
    evening.play("combat damage", who="goblin-1", amount=1, why="")
    evening.told()
    assert evening.drift == []
