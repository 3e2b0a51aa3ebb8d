"""Improved Initiative: its player view shows the players' view, whole, whatever happens on the way."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.delivery_operations import push
from strike_bridge.dry_run import dry_run
from strike_bridge.settings import Settings
from strike_bridge.target_differences import diff_target

from .helpers import HASTY, told
from .servers.base import running
from .servers.improved_initiative import ImprovedInitiative
from .test_pull import storm

REAL = os.environ.get("STRIKE_IMPROVED_INITIATIVE")
"""The address of a real one, for whoever has it running."""


@pytest.fixture
def server() -> Iterator[Any]:
    with running(ImprovedInitiative()) as server:
        yield server


def settings_of(server: Any, **more: Any) -> Settings:
    return Settings("tracker", "improved-initiative", server.url, **more)


def shown(server: Any) -> dict[str, Any]:
    return dict(server.views["strike"])


def people(server: Any) -> dict[str, Any]:
    return {each["Name"]: each for each in shown(server)["Combatants"]}


def begun(evening: Evening, settings: Settings) -> None:
    evening.start()
    evening.play("combat initiative", dice=[6, 5, 3, 2, 1])
    evening.play("combat turn")
    told(evening.folder, settings)


def test_a_fight_is_a_list_in_our_order_with_whose_turn_it_is(evening: Evening, server: Any) -> None:
    settings = settings_of(server)
    begun(evening, settings)
    assert list(people(server)) == ["Vex", "Brann", "Goblin 1", "Goblin 2"], "and nobody hidden"
    assert (shown(server)["ActiveCombatantId"], shown(server)["RoundCounter"]) == ("vex", 1)
    vex = people(server)["Vex"]
    assert (vex["HPDisplay"], vex["IsPlayerCharacter"]) == ("10/10", True)
    evening.play("combat damage", who="goblin-1", amount=1, why="")
    evening.play("combat status add", who="goblin-1", status="core:dazed")
    told(evening.folder, settings)
    goblin = people(server)["Goblin 1"]
    assert goblin["HPDisplay"] == "3/4" and [tag["Text"] for tag in goblin["Tags"]] == ["Dazed"]
    assert diff_target(evening.folder, settings) == []
    evening.undo(2)
    told(evening.folder, settings)
    assert people(server)["Goblin 1"]["HPDisplay"] == "4/4" and not people(server)["Goblin 1"]["Tags"]


@pytest.mark.parametrize(
    ("hp", "shows"), [("exact", "2/4"), ("bar", "▮▮▯▯"), ("wounds", "Bloodied"), ("none", "")]
)
def test_numbers_are_shown_as_the_campaign_says(evening: Evening, server: Any, hp: Any, shows: str) -> None:
    settings = settings_of(server, hp=hp, audience="gm")
    begun(evening, settings)
    evening.play("combat damage", who="goblin-1", amount=2, why="")
    told(evening.folder, settings)
    assert people(server)["Goblin 1"]["HPDisplay"] == shows
    assert "lurker" not in str(server.views).lower(), "not even where the game master is told"


def test_who_is_out_has_a_tag_or_goes_and_the_end_leaves_nothing(evening: Evening, server: Any) -> None:
    settings = settings_of(server)
    begun(evening, settings)
    evening.take_out("goblin-1")
    told(evening.folder, settings)
    assert [tag["Text"] for tag in people(server)["Goblin 1"]["Tags"]] == ["Out"]
    told(evening.folder, settings_of(server, defeated="hide"))
    evening.move("vex", "B2")
    evening.play("combat abandon")
    told(evening.folder, settings)
    assert shown(server)["Combatants"] == []


def test_names_are_no_markup(evening: Evening, server: Any) -> None:
    file = evening.folder / "campaign.toml"
    file.write_text(file.read_text("utf-8").replace('name = "Vex"', 'name = "<b>Vex"'), "utf-8")
    begun(evening, settings_of(server))
    assert all("<" not in each["HPDisplay"] for each in shown(server)["Combatants"])


def test_a_dry_run_asks_nobody(fight: Evening, server: Any) -> None:
    requests = dry_run(fight.folder, settings_of(server))
    assert any("update encounter" in str(each["body"]) or each["method"] == "POST" for each in requests)
    assert server.calls == []


@pytest.mark.parametrize("seed", few_of(range(20 if os.environ.get("STRIKE_THOROUGH") else 2), 2))
def test_after_a_storm_it_shows_what_the_campaign_says(evening: Evening, server: Any, seed: int) -> None:
    rng, settings = random.Random(seed), settings_of(server)
    begun(evening, settings)
    server.always = storm(rng)
    for _ in range(8):
        who = rng.choice(["vex", "goblin-1"])
        evening.happen(("hurt", who, f"{who} is hurt.", {f"fight.combatants.{who}.hp": rng.randint(1, 4)}))
        if rng.random() < 0.3:
            evening.undo()
        if rng.random() < 0.3:
            server.hang_up_all()
        push(evening.folder, settings, HASTY)
    server.always = None
    told(evening.folder, settings)
    assert diff_target(evening.folder, settings) == []


@pytest.mark.skipif(REAL is None, reason="there is no real one")
def test_a_real_one_shows_a_fight(evening: Evening) -> None:
    settings = Settings("tracker", "improved-initiative", REAL or "")
    begun(evening, settings)
    evening.play("combat damage", who="goblin-1", amount=1, why="")
    told(evening.folder, settings)
    assert diff_target(evening.folder, settings) == []
