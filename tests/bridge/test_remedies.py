"""Answers that belong to somebody else, what remedies there are, and drift that no sync can cure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.cases import case
from support.evening import Evening

from strike_bridge.delivery_record import load_or_make_cursor
from strike_bridge.doctor import check_target
from strike_bridge.http_conversation import Answer, Request
from strike_bridge.push_follow_and_sync import push, resend_whole_state
from strike_bridge.request_outcome import OutcomeKind
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.target_differences import diff_target
from strike_bridge.targets import target_class_of_kind
from strike_bridge.targets.base import Target
from strike_cli.problems import BridgeProblem

from .helpers import HASTY, Told, link, told
from .servers.base import running
from .servers.cozyvtt import BadCozy
from .servers.discord import Discord
from .servers.dungeon_revealer import DungeonRevealer
from .servers.foundry import BadFoundry


@pytest.fixture
def screen(evening: Told, revealer: DungeonRevealer) -> Told:
    """A fight at Dungeon Revealer, with Vex and the first goblin linked."""
    settings = Settings("screen", "dungeon-revealer", revealer.url)
    evening.start()
    link(evening, settings, vex="t1", goblin_1="t2")
    return evening.tell(revealer, settings)


TOKEN = "/api/campaigns/c/maps/m/tokens"


def target_of(kind: str) -> Target:
    return target_class_of_kind(kind)(Settings("t", kind, "http://127.0.0.1:1"), "a key")


def test_the_answer_to_anothers_request_counts_for_nothing() -> None:
    for kind, request_, body in [
        ("cozyvtt", Request("POST", TOKEN, {}, creates="vex"),
         {"token": {"id": "7", "metadata": {"strike": {"id": "orc"}}}}),
        ("cozyvtt", Request("PUT", f"{TOKEN}/6", {}), {"token": {"id": "7"}}),
        ("cozyvtt", Request("GET", "/api/campaigns/c/maps/m"), {"map": {"id": "n", "tokens": []}}),
        ("dungeon-revealer", Request("PATCH", "/api/map/cave/token/t1", {}),
         {"data": {"map": {"id": "hall", "tokens": [{"id": "t1"}]}}}),
        ("dungeon-revealer", Request("PATCH", "/api/map/cave/token/t1", {}),
         {"data": {"map": {"id": "cave", "tokens": [{"id": "t2"}]}}}),
        ("encounterplus", Request("PATCH", "/api/tokens/t1", {}), {"id": "t2"}),
        ("encounterplus", Request("GET", "/api/combatants/c1"), {"id": "c2"}),
        ("encounterplus", Request("POST", "/api/messages", {"source": "strike #4"}), {"source": "strike #5"}),
        ("table", Request("PUT", "/api/v1/tokens/vex", {"id": "vex"}), {"id": "orc"}),
        ("table", Request("POST", "/api/v1/results", {"id": "4"}), {"id": "5"}),
        ("foundry", Request("PUT", "/update?uuid=Actor.A", {}), {"uuid": "Actor.B", "entity": []}),
        ("foundry", Request("PUT", "/canvas/tokens", {"documentId": "T", "data": {}}),
         {"data": [{"_id": "T2"}]}),
        ("foundry", Request("GET", "/get?uuid=Actor.A"), {"uuid": "Actor.B", "data": {}}),
        ("foundry", Request("POST", "/move-token", {"uuid": "Scene.S.Token.T"}),
         {"data": {"tokenUuid": "Scene.S.Token.U"}}),
        ("foundry", Request("POST", "/canvas/tokens", {}, creates="vex"),
         {"data": [{"flags": {"strike": {"id": "orc"}}}]}),
        ("foundry", Request("POST", "/chat", {"flavor": "#4"}), {"data": {"flavor": "#5"}}),
    ]:  # fmt: skip
        with case(kind, request_, body):
            outcome = target_of(kind).outcome(request_, Answer(200, {}, json.dumps(body).encode()), 0.0)
            assert (outcome.kind, "another request" in outcome.why) == (OutcomeKind.UNKNOWN, True)


def test_a_token_is_linked_to_its_own_whatever_was_answered(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    with running(BadCozy()) as cozy:
        settings = settings_from_unchecked_table("cozy", {"kind": "cozyvtt", "url": cozy.url, "create": True})

        def anothers(handler: Any) -> None:
            """It makes the token, and hands out the answer to somebody else's request."""
            reply = handler.server.respond(handler.call)
            stranger = {"id": "token-99", "name": "Chest", "metadata": {"strike": {"id": "brann"}}}
            handler.answer(201, {**reply.body, "token": stranger})

        cozy.faults = [lambda handler: handler.apply(), anothers]
        told(evening.folder, settings)
        links = load_or_make_cursor(evening.folder, "cozy").links
        ids = {token["metadata"]["strike"]["id"]: token["id"] for token in cozy.tokens}
        assert {ours: theirs.partition("/")[2] for ours, theirs in links.items()} == ids


# What people are told to do


def test_a_wrong_key_names_the_login(screen: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_DUNGEON_REVEALER_PASSWORD", "another")
    assert "bridge login screen" in screen.push().hint
    with pytest.raises(BridgeProblem) as refused:
        diff_target(screen.folder, screen.settings)
    assert "bridge login screen" in refused.value.hint


def test_a_kind_without_url_is_not_asked_for_its_url(fight: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(Discord()) as discord:
        monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", discord.webhook_url.replace("webhooks/", "webhooks/9"))
        findings = check_target(fight.folder, Settings("channel", "discord"))
    [bad] = [finding for finding in findings if not finding.well]
    assert "url" not in bad.remedy
    assert "bridge login channel" in bad.what + bad.remedy


def test_tokens_without_actors_are_told_apart_by_what_mends_them(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    with running(BadFoundry()) as foundry:
        settings = settings_from_unchecked_table(
            "foundry", {"kind": "foundry", "url": foundry.url, "create": True}
        )
        told(evening.folder, settings)
        goblin = foundry.world.add_actor("Goblin")
        named = settings._replace(options={"actors": {"goblin": goblin}})
        bare = [
            finding for finding in check_target(evening.folder, named) if "Without an actor" in finding.what
        ]
        [sync_alone] = [finding.remedy for finding in bare if "Goblin 1" in finding.what]
        [name_them] = [finding.remedy for finding in bare if "Vex" in finding.what]
        assert sync_alone.startswith("`strike bridge sync foundry` gives")
        assert name_them.startswith("Name their actors in")
        resend_whole_state(evening.folder, named)
        assert "Goblin" not in str([f for f in check_target(evening.folder, named) if not f.well])


def test_an_old_relay_counts_no_line_that_it_was_not_sent(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    with running(BadFoundry("2.2.0")) as foundry:
        client = {"client": foundry.world.client, "scene": "sceneFord0000000"}
        settings = settings_from_unchecked_table(
            "foundry", {"kind": "foundry", "url": foundry.url, "options": client}
        )
        report = push(evening.folder, settings, HASTY)
        assert (report.error, report.results) == ("", 0)
        [item] = [
            item for item in load_or_make_cursor(evening.folder, "foundry").review if item["id"] == "scene"
        ]
        assert "upgrade relay and module" in item["why"]


# Drift


def test_drift_that_a_sync_does_not_cure_is_told_as_such(
    screen: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server shows a name of its own, whatever it is sent."""
    screen.told()
    server, kept = screen.server, screen.server.respond

    def respond(call: Any) -> Any:
        if call.method == "GET":
            server.tokens["t1"]["title"] = server.tokens["t1"]["title"].upper()
        return kept(call)

    monkeypatch.setattr(server, "respond", respond)
    resend_whole_state(screen.folder, screen.settings)
    [item] = screen.drift
    assert (item["field"], item["theirs"], item["stays"]) == ("name", "VEX", True)
    server.tokens["t1"]["x"] += 60
    assert {item["field"]: item["stays"] for item in screen.drift} == {"name": True, "position": False}
    monkeypatch.setattr(server, "respond", kept)
    resend_whole_state(screen.folder, screen.settings)
    assert screen.drift == []


# Who is out, and what a fight leaves


def test_who_is_out_lies_there_or_is_hidden_and_a_finished_fight_leaves_names(screen: Told) -> None:
    screen.take_out("goblin-1")
    screen.told()
    body = screen.server.tokens["t2"]
    assert (body["title"], body["isVisibleForPlayers"]) == ("Goblin 1 — out", True)
    hiding = screen.settings._replace(defeated="hide")
    resend_whole_state(screen.folder, hiding)
    assert screen.server.tokens["t2"]["isVisibleForPlayers"] is False
    assert diff_target(screen.folder, hiding) == []
    screen.finish()
    screen.told()
    assert [screen.server.tokens[id]["title"] for id in ("t1", "t2")] == ["Vex", "Goblin 1"]
