"""Grit, karma and momentum on other tabletops: played by the command line, shown by the common form alone.

One frame for the three: what was played, and what whoever looks on has to see of it in the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from support.cli import Once, Strike

from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.target_differences import diff_target
from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.kernel.procedure import World
from strike_cli.play.legal_options import meaning_of_change, refusal_if_no_legal_move
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.tabletop.vtt_edit_types import TabletopChange
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.visibility.audiences import PLAYERS

from .helpers import served, told
from .servers.base import running
from .servers.cozyvtt import BadCozy
from .servers.discord import Discord
from .servers.foundry import BadFoundry
from .servers.table import KEY as TABLE_KEY
from .servers.webhook import Receiver

Meters = Mapping[str, tuple[int, int | None]]
"""Name -> what there is, and the most."""


class Shown(NamedTuple):
    """What is played, and what has to be seen of it in the end. `one` is somebody whose `meters` are looked
    at, `ids` theirs; `order` everybody whose turn it is or who may act, then who has acted; `said` is what a
    chat tells; `hidden` somebody whom players must not know of."""

    system: str
    scene: str
    played: Sequence[str]
    one: str
    name: str
    meters: Meters
    ids: Sequence[str]
    further: str
    statuses: Sequence[str]
    kind: str
    active: str | None
    next: Sequence[str]
    to_act: Sequence[str]
    acted: Sequence[str]
    words: Sequence[str]
    said: Sequence[str]
    dice: Sequence[str]
    hidden: str = ""


GRIT = Shown(
    "grit",
    "The Lit Gallery",
    [
        "grit start gallery",
        "override grit.people.pit-moth.at D4 --why 'close by'",
        "grit door H3",
        "grit move sam F4",
        "grit move pete F3",
        "grit attack pete cutter-1 --with great-bow --enhanced above --dice 3,8",
        "grit act wick 'holds up the lamp'",
    ],
    one="cutter-1",
    name="Salt Cutter 1",
    meters={"Grit": (0, 2), "STR": (4, 6), "DEX": (6, 6), "WIL": (4, 4)},
    ids=("grit", "str", "dex", "wil"),
    further="d4/d6 STR, d6 DEX, d4 WIL",
    statuses=["Morale due"],
    kind="sides",
    active="party",
    next=["enemies"],
    to_act=["sam", "cutter-1", "cutter-2", "foreman"],
    acted=["pete", "wick"],
    words=["To act: Sam", "Acted: Pete, Wick", "STR d4/d6", "DEX d6"],
    said=["Grit 2 to 0, 6 Direct Damage", "STR d6 to d4", "must make a Morale Save"],
    dice=["`3, 8` 8 kept"],
    hidden="Pit Moth",
)
KARMA = Shown(
    "karma",
    "The Sluice",
    [
        "karma start sluice --first-group party --dice 6,4,3 --choose ana",
        "karma delay ana --segments 2 --what 'a long throw' --for harpooner",
        "karma pass bo",
        "karma act bo --what 'a fog' --for trope --dice 5,2,9",
        "karma react cy --to 'the fog' --for swindler --dice 6,5,3,1",
        "karma pass bailiff",
    ],
    one="cy",
    name="Cy",
    meters={"Reaction Pool": (2, 3), "Instant Karma": (3, None)},
    ids=("pool", "karma"),
    further="3 Instant Karma",
    statuses=[],
    kind="pool",
    active="bailiff",
    next=["cy"],
    to_act=["bailiff", "cy"],
    acted=["ana", "bo"],
    words=["Face down: [Cy] ▸[The Bailiff]", "Face up: [Ana, delayed] [Bo]", "Reaction Pool", "2/3"],
    said=["Reaction Pool 3 to 2", "Segment 3: The Bailiff has the initiative", "takes effect as segment 3"],
    dice=["`5, 2, 9`", "`6, 5, 3, 1`"],
    hidden="Grandfather Eel",
)
MOMENTUM = Shown(
    "momentum",
    "The Orchard Gate",
    [
        "momentum start gate",
        "override momentum.people.shardling-2.hidden true --why 'it lies still'",
        "momentum initiative --choose shardling-1",
        "momentum turn",
        "momentum use ilse star-bolt warden --dice 14,5,4,6",
        "momentum react ilse ward ilse",
    ],
    one="ilse",
    name="Ilse",
    meters={
        "Vitality": (20, 20),
        "AP": (1, None),
        "RP": (1, None),
        "Movement": (3, None),
        "Momentum": (8, None),
    },
    ids=("vitality", "ap", "rp", "movement", "momentum"),
    further="1 AP, 1 RP, 3 Movement, 8 Momentum",
    statuses=["Defending"],
    kind="list",
    active="ilse",
    next=["tam", "runa"],
    to_act=["ilse", "tam", "runa", "shardling-1", "warden"],
    acted=[],
    words=["▸ I  Ilse", "AP 1, RP 1,", "Orchard Warden"],
    said=["takes 5 Heat damage", "Vitality 40", "Ilse is Defending"],
    dice=["`14` +5 (hit bonus) = 19", "`5, 4, 6`"],
    hidden="Shardling 2",
)


@pytest.fixture(
    params=[GRIT, *(pytest.param(each, marks=pytest.mark.slow) for each in (KARMA, MOMENTUM))],
    ids=lambda shown: shown.system,
)
def shown(
    request: pytest.FixtureRequest,
    strike: Strike,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    once: Once,
) -> Shown:
    """An evening of one of them, in the folder where the commands then are."""
    found: Shown = request.param
    folder = tmp_path / "evening"

    def play() -> None:
        for line in (f"new {folder} --system {found.system}", "session start", *found.played):
            strike(line if line.startswith("new") else f"-C {folder} {line}")

    once(f"an evening of {found.system}", folder, play)
    monkeypatch.chdir(folder)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evening"


def meters_of(token: Mapping[str, Any]) -> Meters:
    return {meter["name"]: (meter["value"], meter["max"]) for meter in token["meters"]}


def test_a_webhook_is_told_all_that_players_may_know(shown: Shown, folder: Path, receiver: Receiver) -> None:
    told(folder, Settings("log", "webhook", receiver.url))
    token, order = receiver.tokens[shown.one], receiver.order
    assert meters_of(token) == shown.meters
    assert [meter["id"] for meter in token["meters"]] == list(shown.ids)
    assert token["statuses"] == shown.statuses
    assert order is not None
    assert (order["kind"], order["active"], order["next"]) == (shown.kind, shown.active, list(shown.next))
    people = {entry["id"]: entry["state"] for entry in order["entries"] if entry["id"] in receiver.tokens}
    assert {who for who, state in people.items() if state in ("acted", "delayed")} == set(shown.acted)
    assert shown.hidden not in str(receiver.events)


def test_the_page_has_the_same_and_no_drift(shown: Shown, folder: Path, tmp_path: Path) -> None:
    with served(tmp_path / "table") as url:
        table = Settings("table", "table", url)
        report = push(folder, table)
        assert (report.error, report.review, diff_target(folder, table)) == ("", 0, [])
        headers = {"Authorization": f"Bearer {TABLE_KEY}"}
        state = httpx.get(f"{url}/api/v1/state", headers=headers, verify=False).json()
    token = next(token for token in state["tokens"] if token["id"] == shown.one)
    assert meters_of(token) == shown.meters
    assert token["statuses"] == shown.statuses
    assert (state["order"]["kind"], state["order"]["active"]) == (shown.kind, shown.active)
    assert state["order"]["next"] == list(shown.next)
    faces = [die["faces"] for result in state["results"] for die in result["dice"]]
    for dice in shown.dice:
        assert [int(face) for face in dice.split("`")[1].split(", ")] in faces


def test_foundry_has_meters_on_actors_and_those_first_who_may_act(shown: Shown, folder: Path) -> None:
    with running(BadFoundry()) as foundry:
        world = foundry.world
        system = {id: {"value": 0, "max": 0} for id in shown.ids}
        places = {id: f"system.{id}.value" for id in shown.ids}
        places |= {f"max_{id}": f"system.{id}.max" for id in shown.ids}
        actor = world.add_actor(shown.name, **system)
        table = {"url": foundry.url, "create": True, "attributes": places}
        table |= {"kind": "foundry", "options": {"actors": {shown.one: actor}}}
        told(folder, settings_from_unchecked_table("f", table))
        token = world.named(shown.name)
        kept = (world.actor_of(token) or {})["system"]
        for id, (value, most) in zip(shown.ids, shown.meters.values(), strict=True):
            assert kept[id] == {"value": value, "max": value if most is None else most}
        assert (token["bar1"], token["bar2"]) == tuple({"attribute": id} for id in shown.ids[:2])
        assert len(world.statuses_of(shown.name)) == len(shown.statuses)
        there = world.tokens["sceneFord0000000"].values()
        names = {token["flags"]["strike"]["id"]: token["name"] for token in there}
        turns = world.turns()
        assert [name for name, _ in turns] == [names[who] for who in (*shown.to_act, *shown.acted)]
        if shown.kind != "list":
            assert {name for name, place in turns if place > 0} == {names[who] for who in shown.to_act}
        assert shown.hidden not in str(turns), "players see the tracker"
        assert world.named(shown.hidden)["hidden"]
        for words in shown.said:
            assert words in str(world.messages)


def test_cozyvtt_has_the_first_as_a_bar_and_the_rest_as_conditions(
    shown: Shown, folder: Path, cozy: BadCozy
) -> None:
    settings = settings_from_unchecked_table("cozy", {"kind": "cozyvtt", "url": cozy.url, "create": True})
    told(folder, settings)
    assert diff_target(folder, settings) == []
    token = cozy.named(shown.name)
    value, most = next(iter(shown.meters.values()))
    assert token["hp"] == {"current": value, "max": most, "temp": 0}
    assert token["conditions"] == [*shown.statuses, shown.further]
    assert cozy.named(shown.hidden)["visible"] is False
    acted = {each["metadata"]["strike"]["id"] for each in cozy.tokens if "Has acted" in each["conditions"]}
    assert acted == set(shown.acted)


def test_discord_tells_what_came_of_it_with_all_dice(shown: Shown, folder: Path, discord: Discord) -> None:
    told(folder, Settings("chat", "discord"))
    texts = "\n".join(message["content"] for message in discord.messages)
    embeds = [embed["description"] for message in discord.messages for embed in message["embeds"]]
    for words in shown.said:
        assert words in texts
    for dice in shown.dice:
        assert [line for embed in embeds for line in embed.splitlines() if line.endswith(dice)], dice
    assert shown.hidden not in texts + str(embeds)


def test_watch_status_and_report_show_it(shown: Shown, folder: Path, strike: Strike) -> None:
    with Campaign(folder) as campaign:
        for_all, for_players = (
            blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 60, *who))
            for who in ((), (PLAYERS,))
        )
    for words in shown.words:
        assert words in for_all
    assert shown.hidden in for_all
    assert shown.hidden not in for_players

    status = strike("status").out
    data = strike.json("status")["data"]["party"]
    for name in shown.meters:
        assert name in status
    if mine := next((one for one in data if one["id"] == shown.one), None):
        assert [(each["value"], each["max"]) for each in mine["meters"].values()] == [*shown.meters.values()]

    report = strike("session report --player").out
    assert re.search(rf"{shown.scene} .*\(1 round", report)
    assert shown.hidden not in report


def test_a_token_that_was_moved_there_is_a_move_by_its_own_rules(shown: Shown, folder: Path) -> None:
    if shown.system == "karma":
        pytest.skip("it is played without a map")
    with Campaign(folder) as campaign:
        world = World(campaign.book, campaign.state)
        [scene] = [scene for scene in scenes_of(campaign.state) if scene.key == shown.system]
        squares = [f"{column}{row}" for column in "ABCDEFGHIJKLMNOP" for row in range(1, 10)]
        ways = [
            meaning_of_change(world, TabletopChange("moved", scene.key, who, square))
            for who, one in scene.people.items()
            if one.at and one.state == "up"
            for square in squares
        ]
        legal = [way for way in ways if refusal_if_no_legal_move(world, way) is None]
    assert legal
    assert {way.command for way in legal} == {f"{shown.system} move"}
    assert all(way.sets for way in ways), "the game master's hand can set what the rules refuse"
