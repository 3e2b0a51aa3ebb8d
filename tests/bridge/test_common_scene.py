"""Every target shows a system that nothing was written for, by the common form: meters, turns, no map."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agreed import agree_to
from support.cases import case
from support.evening import Evening
from support.plugins import install_toy, play_with

from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.state_projection import turn_order_as_list_by_readiness
from strike_bridge.targets.dungeon_revealer import meter_words_or_out
from strike_cli.registry import installed_plugins

from .helpers import council, cursor_of, link, shown_of, state_of, told, without_key
from .servers.base import running
from .servers.cozyvtt import BadCozy
from .servers.discord import Discord
from .servers.dungeon_revealer import DungeonRevealer
from .servers.encounterplus import EncounterPlus
from .servers.foundry import BadFoundry
from .servers.table import BadTable
from .servers.webhook import Receiver

TOSS: dict[str, Any] = {
    "name": "The toss",
    "round": 1,
    "people": {
        "vex": {"name": "Vex", "side": "party", "coins": 3, "all": 4, "luck": 2},
        "brann": {"name": "Brann", "side": "party", "coins": 1, "all": 4, "luck": 1},
    },
    "order": ["vex", "brann"],
    "active": "brann",
    "meters": {"coins": {"name": "Coins", "max": "all"}, "luck": {"name": "Luck"}},
}
MAP = {"rows": ["....", "...."]}


@pytest.fixture
def toss(evening: Evening, tmp_path: Path) -> Iterator[Evening]:
    """Vex and Brann toss coins, by a plugin's system."""
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        play_with(evening.folder, "toy")
        evening.happen(("toy-started", "", "The toss begins.", {"toy": TOSS}))
        yield evening
    installed_plugins.drop_plugin_index()


def on_a_map(toss: Evening) -> None:
    at = {f"toy.people.{who}.at": square for who, square in (("vex", "A1"), ("brann", "B2"))}
    toss.happen(("toy-tossed", "", "", {"toy.map": MAP, **at}))


def test_a_webhook_and_a_table_hear_of_every_meter(
    toss: Evening, settings: Settings, bad_table: BadTable, receiver: Receiver
) -> None:
    told(toss, Settings("log", "webhook", receiver.url))
    told(toss, settings)
    for theirs in (receiver, bad_table):
        assert theirs.scene is not None and theirs.scene["name"] == "The toss"
        vex = theirs.tokens["vex"]
        meters = [(each["name"], each["value"], each["max"]) for each in vex["meters"]]
        assert meters == [("Coins", 3, 4), ("Luck", 2, None)]
        assert vex["hp"] == {"value": 3, "max": 4}
        assert theirs.order is not None and theirs.order["active"] == "brann"


def test_foundry_keeps_meters_where_its_world_does(toss: Evening) -> None:
    """On linked tokens without a map; on those that are made the first two are bars."""
    with running(BadFoundry()) as foundry:
        world = foundry.world
        actors = {
            who: world.add_actor(who, coins={"value": 0, "max": 0}, luck={"value": 0})
            for who in ("vex", "brann")
        }
        places = {"hp": "system.coins.value", "max_hp": "system.coins.max", "luck": "system.luck.value"}
        table = {"url": foundry.url, "create": True, "attributes": places, "options": {"actors": actors}}
        settings = settings_from_unchecked_table("foundry", {"kind": "foundry", **table})
        vex = world.add_token("sceneFord0000000", name="Vex", actorId=actors["vex"])
        link(toss, settings, vex=f"Scene.sceneFord0000000.Token.{vex['_id']}")
        told(toss, settings)
        assert world.actor_of(vex)["system"] == {"coins": {"value": 3, "max": 4}, "luck": {"value": 2}}  # type: ignore[index]
        assert len(world.tokens["sceneFord0000000"]) == 1, "who stands nowhere is not made"
        assert cursor_of(toss, settings).unlinked == []

        on_a_map(toss)
        told(toss, settings)
        brann = world.named("Brann")
        assert (brann["bar1"], brann["bar2"]) == ({"attribute": "coins"}, {"attribute": "luck"})
        assert world.actor_of(brann)["system"]["luck"] == {"value": 1}  # type: ignore[index]


def test_others_show_what_they_can(toss: Evening, cozy: BadCozy, revealer: DungeonRevealer) -> None:
    on_a_map(toss)
    told(toss, settings_from_unchecked_table("cozy", {"kind": "cozyvtt", "url": cozy.url, "create": True}))
    assert cozy.named("Vex")["hp"] == {"current": 3, "max": 4, "temp": 0}
    screen = Settings("screen", "dungeon-revealer", revealer.url)
    link(toss, screen, vex="t1")
    told(toss, screen)
    assert revealer.tokens["t1"]["title"] == "Vex — 3/4 Coins, 2 Luck"
    with running(EncounterPlus(t1="Vex")) as app:
        places = {"coins": "data.purse.coins", "max_coins": "data.purse.room", "luck": "data.luck"}
        pad = settings_from_unchecked_table(
            "pad", {"kind": "encounterplus", "url": app.url, "attributes": places}
        )
        link(toss, pad, vex="t1")
        told(toss, pad)
        kept = app.combatants[app.tokens["t1"]["combatant"]["id"]]["data"]
        assert (kept["purse"], kept["luck"]) == ({"coins": 3, "room": 4}, 2)


def test_discord_tells_what_happens(toss: Evening, discord: Discord) -> None:
    told(toss, Settings("chat", "discord"))
    assert "The toss begins" in str(discord.messages)


def test_a_meter_in_words_is_as_exact_as_it_may_be() -> None:
    for meter, words in (
        ({"value": 3, "max": 4, "shown": "bar"}, ["▮▮▮▯"]),
        ({"value": None, "shown": "wounds", "wounds": "hurt"}, ["hurt"]),
        ({"value": None, "shown": "none"}, []),
        ({"value": 0, "one": "Strike"}, []),
        ({"value": 1, "one": "Strike", "name": "Strikes"}, ["1 Strike"]),
        ({"value": 0}, ["0 HP"]),
        ({"value": 6, "max": 8, "sign": "d"}, ["d6/d8 HP"]),
        ({"value": 0, "max": 8, "sign": "d"}, ["0/d8 HP"]),
        ({"value": 8, "max": 8, "sign": "d"}, ["d8 HP"]),
    ):
        with case(meter, words):
            whole = {"name": "HP", "max": None, "one": "", "sign": "", "shown": "exact", "wounds": None}
            whole |= meter
            assert meter_words_or_out({"state": "up", "meters": [whole]}) == words
            second = [f"HP {word}" if word in ("▮▮▮▯", "hurt") else word for word in words]
            nothing = {**whole, "value": 0, "max": None, "one": "x", "shown": "exact"}
            assert meter_words_or_out({"state": "up", "meters": [nothing, whole]}) == second


# Turn orders that a target doesn't know


def order_of(kind: str, *states: tuple[str, str], active: str | None = None) -> dict[str, Any]:
    entries = [{"id": id, "initiative": None, "state": state, "count": 1} for id, state in states]
    return {"kind": kind, "round": 2, "active": active, "next": [], "entries": entries}


def test_a_pool_becomes_a_list_of_those_first_who_may_act() -> None:
    pool = order_of("pool", ("a", "acted"), ("b", "delayed"), ("c", "waiting"), ("d", "acting"), active="d")
    told = turn_order_as_list_by_readiness(pool, {})
    assert [entry["id"] for entry in told["entries"]] == ["d", "c", "b", "a"]
    assert (told["kind"], told["active"]) == ("list", "d")


def test_sides_become_a_list_of_their_people() -> None:
    people = {"a": "sea", "b": "party", "c": "sea", "d": "sea"}
    tokens = {
        id: {"id": id, "side": side, "state": "out" if id == "d" else "up", "hidden": id == "c"}
        for id, side in people.items()
    }
    sides = order_of("sides", ("sea", "acting"), ("party", "waiting"), active="sea")
    told = turn_order_as_list_by_readiness(sides, tokens)
    assert [entry["id"] for entry in told["entries"]] == ["a", "c", "b"]
    assert [bool(entry.get("hidden")) for entry in told["entries"]] == [False, True, False]
    assert (told["kind"], told["active"]) == ("list", None)


def test_a_list_stays_as_it_is(fight: Evening) -> None:
    order = shown_of(fight).order
    assert order is not None and turn_order_as_list_by_readiness(order, {}) == order


def test_a_target_is_told_no_more_than_it_supports(fight: Evening) -> None:
    """docs/targets/python.md: what `supports` lacks is left out before the target sees anything."""
    fight.happen(("begun", "", "", {"conflict": council()}))
    now = state_of(fight)
    foundry = without_key(fight, Settings("f", "foundry", "http://127.0.0.1:1"))
    table = without_key(fight, Settings("t", "table", "http://127.0.0.1:1"))
    assert [aside["scene"]["id"] for aside in table.project(now).beside] == ["council"]
    assert foundry.project(now).beside == ()
    for state, own_round in ((now, False), ({"conflict": council()}, True)):  # a fight's is in its order
        assert ("round" in (table.project(state).scene or {})) is own_round
    assert foundry.project(now).scene == {
        key: value for key, value in (table.project(now).scene or {}).items() if key not in ("round", "over")
    }


@pytest.mark.parametrize(
    ("audience", "knows", "sent"),
    [("gm", True, [{"at": {"x": 1.5, "y": 1}, "range": 4}]), ("gm", False, None), ("players", True, None)],
)
def test_lights_are_sent_to_the_game_masters_table_alone(
    fight: Evening, bad_table: BadTable, audience: str, knows: bool, sent: object
) -> None:
    """And there only if it knows that they aren't for players."""
    lamp = {"at": [1.5, 1], "range": 4, "color": "ffeccd8b", "shadows": False}
    fight.happen(("built", "", "", {"fight.map": {"rows": ["....", "...."], "lights": [lamp]}}))
    bad_table.supports["lights"] = knows
    settings = Settings("table", "table", bad_table.url, audience=audience)
    agree_to(fight.folder, settings)
    told(fight, settings)
    assert bad_table.scene is not None and bad_table.scene.get("lights") == sent


def test_a_scene_begun_by_name_alone_has_an_id(
    evening: Evening, settings: Settings, bad_table: BadTable
) -> None:
    evening.happen(("begun", "", "", {"conflict": {**council(), "id": ""}}))
    told(evening, settings)
    assert bad_table.scene is not None and bad_table.scene["id"] == "conflict"
