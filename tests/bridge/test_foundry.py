"""Foundry shows what the campaign says, through a relay that does all that relays do."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.evening import PNG, Evening
from support.thorough import few_of

from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import Answer, Request, Wire
from strike_bridge.push_follow_and_sync import push, resend_whole_state
from strike_bridge.request_outcome import Outcome, OutcomeKind
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.target_differences import diff_target
from strike_bridge.targets import make_target_checking_consent
from strike_bridge.targets.base import ListedToken
from strike_bridge.targets.foundry import FoundryTarget
from strike_bridge.targets.foundry_documents import FoundryScene, initiatives_that_keep_order
from strike_bridge.token_links import link_token
from strike_bridge.worker import Patience
from strike_cli.problems import BridgeProblem

from .helpers import HASTY, ToldWhole, shown_of, wired
from .helpers import told_whole as told
from .servers.base import Fault, Handler, answers, applies_and, cut_short, drops, html
from .servers.foundry import KEY, BadFoundry, World, in_turns, origin, texts


def settings_for(foundry: BadFoundry, **table: Any) -> Settings:
    """Tokens may be made, and each has an actor of its own."""
    [vex, brann, goblin, lurker] = foundry.world.actors
    ours = {"vex": vex, "brann": brann, "goblin": goblin, "lurker": lurker}
    table = {"kind": "foundry", "url": foundry.url, "preset": "worldbuilding", "create": True, **table}
    table["options"] = {"actors": ours, **table.get("options", {})}
    return settings_from_unchecked_table("foundry", table)


def at_foundry(place: Path, foundry: BadFoundry) -> ToldWhole:
    """An evening that is told to this one."""
    evening = ToldWhole(place / "ferry")
    evening.tell(foundry, settings_for(foundry))
    return evening


def same_as_the_campaign(evening: ToldWhole) -> None:
    """Every token of ours once, where it should be and as it should be; the tracker in our order."""
    ours, world = shown_of(evening, gm=True), evening.world
    scene = world.scene
    assert scene is not None
    left, top = origin(scene)
    theirs = {token["flags"]["strike"]["id"]: token for token in world.tokens[scene["_id"]].values()}
    assert len(theirs) == len(world.tokens[scene["_id"]])
    assert set(theirs) == set(ours.tokens)
    for id, token in ours.tokens.items():
        found = theirs[id]
        at = {"x": left + 100 * token["position"]["x"], "y": top + 100 * token["position"]["y"]}
        assert {"x": found["x"], "y": found["y"]} == at, id
        assert (found["name"], found["hidden"]) == (token["name"], token["hidden"])
        actor = world.actor_of(found)
        assert actor is not None
        assert actor["system"]["health"] == token["hp"], id
        assert len(actor["effects"]) == len(token["statuses"]) + (token["state"] == "out"), id
    assert len(world.combats) == 1
    [combat] = world.combats.values()
    seen = [entry["id"] for entry in ours.order["entries"] if not ours.tokens[entry["id"]]["hidden"]]
    names = [ours.tokens[id]["name"] for id in seen]
    out = [token["name"] for token in ours.tokens.values() if token["state"] == "out" and not token["hidden"]]
    turns = in_turns(combat)
    assert [each["name"] for each in turns if not each["defeated"]] == names
    assert sorted(each["name"] for each in turns if each["defeated"]) == sorted(out)
    assert combat["round"] == ours.order["round"]
    active = ours.order["active"]
    if active in seen:
        assert turns[combat["turn"]]["name"] == ours.tokens[active]["name"]
    elif active is not None:
        assert combat["turn"] is None


@pytest.fixture
def evening(tmp_path: Path, foundry: BadFoundry) -> ToldWhole:
    return at_foundry(tmp_path, foundry)


def play_a_round(evening: Evening) -> None:
    """Initiative, moves, wounds, statuses, somebody down, and a line for each."""
    who = "fight.combatants."
    order = ["vex", "goblin-1", "brann", "goblin-2", "lurker"]
    known = shown_of(evening, gm=True).tokens
    order = [id for id in order if id in known] + [id for id in known if id not in order]
    evening.happen(("rolled", "vex", "Initiative.", {"fight.order": order, "fight.round": 1}))
    for number, id in enumerate(order):
        evening.happen(("initiative", id, "", {f"{who}{id}.initiative": 9 - number}))
    evening.happen(("turn", "vex", "Vex begins.", {"fight.active": "vex"}))
    evening.happen(("moved", "vex", "Vex runs.", {f"{who}vex.at": "C1"}))
    evening.happen(("hit", "goblin-1", "Goblin is hit.", {f"{who}goblin-1.hp": 1}))
    prone = [{"id": "core:prone"}, {"id": "core:dazed"}, {"id": "core:ongoing", "value": 3}]
    evening.happen(("status", "goblin-1", "It falls.", {f"{who}goblin-1.statuses": prone}))
    evening.happen(
        ("out", "goblin-2", "Another is out.", {f"{who}goblin-2.out": True, f"{who}goblin-2.hp": 0})
    )
    evening.happen(("turn", "brann", "Brann goes on.", {"fight.active": "brann", "fight.round": 2}))


def test_tokens_are_made_with_hp_statuses_and_a_tracker(fight: ToldWhole) -> None:
    play_a_round(fight)
    fight.told()
    world = fight.world
    same_as_the_campaign(fight)
    assert (world.named("Vex")["x"], world.named("Vex")["y"]) == (500, 300)
    assert world.statuses_of("Goblin 1") == ["prone", "strike-dazed", "strike-ongoing-3"]
    assert [each["name"] for each in (world.actor_of(world.named("Goblin 1")) or {})["effects"]] == [
        "Prone", "Dazed", "Ongoing 3",
    ]  # fmt: skip
    assert world.statuses_of("Goblin 2") == ["dead"]
    assert world.turns() == [("Vex", 9), ("Goblin 1", 8), ("Brann", 7), ("Goblin 2", None)]
    assert list(texts(world))[-2:] == ["Another is out.", "Brann goes on."]
    told_again = fight.told()
    assert told_again.sent == 0


def test_pictures_are_put_into_foundrys_data_once(evening: ToldWhole) -> None:
    evening.picture("creatures.goblin", "faces/goblin.png", PNG)
    evening.picture("characters.vex", "https://pictures.example/vex.webp")
    evening.start()
    assert not any("base64" in str(request["body"]) for request in dry_run(evening.folder, evening.settings))
    evening.told()
    world = evening.world
    [(path, content)] = world.files.items()
    assert content == PNG
    assert "goblin" not in path
    assert {world.named(f"Goblin {n}")["texture"]["src"] for n in (1, 2)} == {path}
    assert world.named("Vex")["texture"]["src"] == "https://pictures.example/vex.webp"
    assert evening.drift == []

    (evening.folder / "faces" / "goblin.png").write_bytes(PNG + b"in another light")
    evening.server.keys[KEY].remove("file:write")
    evening.told()
    assert world.named("Goblin 1")["texture"]["src"] == path, "a key that may not upload holds up nothing"
    evening.server.keys[KEY].append("file:write")
    resend_whole_state(evening.folder, evening.settings)
    assert world.named("Goblin 1")["texture"]["src"] != path


def test_nothing_that_rolls_or_counts_is_ever_asked(fight: ToldWhole) -> None:
    play_a_round(fight)
    fight.told()
    paths = {path for _, path, _ in fight.server.seen}
    assert not paths & {"/roll", "/increase", "/decrease", "/next-turn", "/next-round", "/end-encounter"}
    assert fight.server.most_at_once == 1


FAULTS: list[Fault] = [
    answers(500), answers(429, body={"error": "Rate limit exceeded"}), answers(408), drops,
    applies_and(drops), applies_and(answers(408, body={"error": "Request timed out"})), html(502),
    applies_and(html(500)), applies_and(cut_short), applies_and(answers(504)),
    answers(404, body={"error": "Invalid client ID", "message": "No Foundry client connected with this ID."}),
]  # fmt: skip


def storm(seed: int) -> Fault:
    """Every third request fails, each time in another way."""
    chance = random.Random(seed)
    return lambda handler: chance.choice([*FAULTS, *[Handler.apply] * 2 * len(FAULTS)])(handler)


@pytest.mark.parametrize("seed", few_of(range(200 if os.environ.get("STRIKE_THOROUGH") else 2), 2))
def test_after_the_storm_foundry_is_as_the_campaign(
    evening: ToldWhole, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("strike_bridge.targets.foundry_relay.OFFLINE_WAIT", 0.001)
    patient = Patience(20.0, 20.0, at_once=True)
    evening.server.always = storm(seed)

    evening.start()
    play_a_round(evening)
    told(evening, evening.settings, patient)
    evening.move("brann", "C2")
    evening.happen(("saved", "goblin-1", "It stands.", {"fight.combatants.goblin-1.statuses": []}))
    evening.undo()
    told(evening, evening.settings, patient)
    same_as_the_campaign(evening)
    lines = list(texts(evening.world))
    assert len(lines) == len(set(lines)), "said twice"
    wanted = ["The Ford begins.", "Vex runs.", "Goblin is hit.", "It falls.", "Brann goes on.", "It stands."]
    places = [next(at for at, line in enumerate(lines) if words in line) for words in wanted]
    assert places == sorted(places)
    assert lines[-1].startswith("Undone")
    assert evening.server.most_at_once == 1
    evening.finish()
    told(evening, evening.settings, patient)
    assert not evening.world.combats
    assert not evening.world.tokens["sceneFord0000000"]


def test_the_game_masters_own_tokens_are_linked_moved_and_never_deleted(evening: ToldWhole) -> None:
    world = evening.world
    [vex, brann, *_] = world.actors
    world.add_token("sceneFord0000000", name="Vex the Bold", actorId=vex, actorLink=True)
    world.add_token("sceneFord0000000", name="Brann", actorId=brann, width=2)
    evening.start()
    first, second = (world.named(name)["_id"] for name in ("Vex the Bold", "Brann"))
    settings = evening.settings._replace(create=False)
    link_token(evening.folder, settings, "vex", f"Scene.sceneFord0000000.Token.{first}")
    link_token(evening.folder, settings, "brann", second)
    told(evening, settings)
    assert len(world.tokens["sceneFord0000000"]) == 2
    token = world.named("Vex the Bold")
    assert (token["x"], token["y"], token["flags"]) == (300, 300, {"strike": {"id": "vex", "made": False}})
    assert world.actors[vex]["system"]["health"] == {"value": 10, "max": 1}, "its maximum is the player's"
    assert world.actors[brann]["system"]["health"] == {"value": 1, "max": 1}, "the token's own actor has it"
    assert world.of_tokens[second]["system"]["health"] == {"value": 10, "max": 10}
    assert world.named("Brann")["width"] == 2
    evening.finish()
    told(evening, settings)
    assert len(world.tokens["sceneFord0000000"]) == 2
    assert not world.combats


def test_only_what_is_new_is_sent(fight: ToldWhole) -> None:
    fight.told()
    fight.server.seen.clear()
    fight.move("vex", "B2")
    fight.told()
    [(method, path, body)] = fight.server.writes()
    assert (method, path) == ("POST", "/move-token")
    assert (body["x"], body["y"], body["animate"]) == (400, 400, True)
    fight.server.seen.clear()
    fight.change("vex", initiative=5)
    fight.told()
    assert fight.server.seen == []


def test_who_is_hidden_is_in_no_tracker_and_no_open_line(fight: ToldWhole) -> None:
    play_a_round(fight)
    lurker = "Reed Lurker"
    id = next(id for id, token in shown_of(fight, gm=True).tokens.items() if token["name"] == lurker)
    fight.happen(("lurks", id, f"The {lurker} waits.", {}))
    fight.told()
    world = fight.world
    assert world.named(lurker)["hidden"]
    assert lurker not in dict(world.turns())
    whispered = [message for message in world.messages if lurker in message["content"]]
    assert whispered
    assert all(message["whisper"] == ["userGamemaster00"] for message in whispered)
    fight.happen(("turn", id, "", {"fight.active": id}))
    fight.told()
    [combat] = world.combats.values()
    assert combat["turn"] is None
    fight.happen(("seen", id, "There!", {f"fight.combatants.{id}.hidden": False}))
    fight.told()
    assert not world.named(lurker)["hidden"]
    assert lurker in dict(world.turns())
    same_as_the_campaign(fight)


def test_a_secret_result_without_a_game_master_is_not_said_aloud(fight: ToldWhole) -> None:
    fight.told()
    fight.world.users = [user for user in fight.world.users if not user["isGM"]]
    before = len(fight.world.messages)
    fight.roll(6, secret=True)
    report = fight.push()
    assert (report.error, report.review) == ("", 1)
    assert len(fight.world.messages) == before


def test_players_alone_are_told_nothing_hidden(fight: ToldWhole) -> None:
    fight.told(audience="players")
    names = [token["name"] for token in fight.world.tokens["sceneFord0000000"].values()]
    assert sorted(names) == ["Brann", "Goblin 1", "Goblin 2", "Vex"]
    assert "Lurker" not in " ".join(str(call.raw) for call in fight.server.calls)


@pytest.mark.parametrize(
    ("hp", "health", "bars"),
    [
        ("exact", {"value": 4, "max": 4}, 50),
        ("none", {"value": 4, "max": 4}, 40),
        ("bar", {"value": 4, "max": 4}, 50),
    ],
)
def test_hp_are_on_the_actor_and_bars_as_the_campaign_says(
    fight: ToldWhole, hp: str, health: Any, bars: int
) -> None:
    fight.told(hp=hp)
    goblin = fight.world.named("Goblin 1")
    actor = fight.world.actor_of(goblin)
    assert actor is not None
    assert (actor["system"]["health"], goblin["displayBars"]) == (health, bars)
    assert goblin["bar1"] == {"attribute": "health"}


def test_a_token_without_an_actor_is_moved_and_no_more(fight: ToldWhole) -> None:
    play_a_round(fight)
    settings = settings_for(fight.server, options={"actors": {}})
    told(fight, settings)
    assert fight.world.named("Goblin 1")["actorId"] is None
    assert not [path for _, path, _ in fight.server.seen if path == "/effects"]
    assert not resend_whole_state(fight.folder, fight.settings).error
    same_as_the_campaign(fight)


def test_statuses_of_others_stay(fight: ToldWhole) -> None:
    fight.told()
    actor = fight.world.actor_of(fight.world.named("Goblin 1"))
    assert actor is not None
    actor["effects"] += [{"id": "x", "name": "Blessed", "statuses": ["bless"]},
                         {"id": "y", "name": "Prone", "statuses": ["prone"]}]  # fmt: skip
    fight.change("goblin-1", statuses=[{"id": "core:prone"}, {"id": "core:dazed"}])
    fight.told()
    assert fight.world.statuses_of("Goblin 1") == ["bless", "prone", "strike-dazed"]
    fight.change("goblin-1", statuses=[])
    fight.told()
    assert fight.world.statuses_of("Goblin 1") == ["bless"]


def test_statuses_that_came_in_another_order_are_no_drift(fight: ToldWhole) -> None:
    fight.change("goblin-1", statuses=[{"id": "core:prone"}])
    fight.told()
    fight.change("goblin-1", statuses=[{"id": "core:dazed"}, {"id": "core:prone"}])
    fight.told()
    assert fight.world.statuses_of("Goblin 1") == ["prone", "strike-dazed"]
    assert fight.drift == []
    fight.change("goblin-1", statuses=[{"id": "core:dazed"}, {"id": "core:stunned"}])
    assert [each["field"] for each in fight.drift] == ["statuses"]


def test_who_gets_up_has_what_they_have_now(fight: ToldWhole) -> None:
    """Whoever lies there keeps what they had; getting up, nothing of it is there twice or for nothing."""
    fight.change("goblin-1", statuses=[{"id": "core:prone"}, {"id": "core:dazed"}])
    fight.told()
    fight.change("goblin-1", out=True, hp=0, statuses=[])
    fight.told()
    assert fight.world.statuses_of("Goblin 1") == ["dead", "prone", "strike-dazed"]
    fight.undo()
    fight.told()
    assert fight.world.statuses_of("Goblin 1") == ["prone", "strike-dazed"]
    fight.redo()
    fight.told()
    fight.change("goblin-1", out=None, hp=1)
    fight.told()
    assert fight.world.statuses_of("Goblin 1") == []


def test_statuses_come_and_go_where_none_can_be_looked_up(evening: ToldWhole) -> None:
    """Relay and module 3.4.1 in a world of Foundry 14 whose game system keeps statuses in a table."""
    evening.world.lists_statuses = False
    evening.start()
    play_a_round(evening)
    evening.told()
    assert evening.world.statuses_of("Goblin 1") == ["prone", "strike-dazed", "strike-ongoing-3"]
    actor = evening.world.actor_of(evening.world.named("Goblin 1"))
    assert actor is not None
    actor["effects"].append({"id": "x", "name": "Blessed", "statuses": ["bless"]})
    evening.change("goblin-1", statuses=[{"id": "core:dazed"}])
    evening.told()
    assert evening.world.statuses_of("Goblin 1") == ["bless", "strike-dazed"]
    begun = len(evening.server.calls)
    evening.change("goblin-1", statuses=[{"id": "core:prone"}])
    evening.told()
    assert evening.world.statuses_of("Goblin 1") == ["bless", "prone"]
    assert not [
        call for call in evening.server.calls[begun:] if "statusId" in call.path or "statusId" in call.query
    ]


def test_statuses_may_be_left_to_those_that_are_mapped(fight: ToldWhole) -> None:
    play_a_round(fight)
    told(fight, settings_for(fight.server, options={"effects": "mapped"}, statuses={"dazed": "stun"}))
    assert fight.world.statuses_of("Goblin 1") == ["prone", "stun"]


def test_a_status_that_the_world_does_not_know_becomes_an_effect(fight: ToldWhole) -> None:
    play_a_round(fight)
    told(fight, settings_for(fight.server, statuses={"dazed": "dizzy"}))
    assert fight.world.statuses_of("Goblin 1") == ["dizzy", "prone", "strike-ongoing-3"]


# What the relay answers


def outcome_of(request: Request, status: int, body: Any) -> Outcome:
    target = FoundryTarget(Settings("f", "foundry", "http://127.0.0.1:1"), KEY)
    answer = Answer(status, {"content-type": "application/json"}, json.dumps(body).encode())
    return target.outcome(request, answer, 0.0)


PUT = Request("PUT", "/canvas/tokens", {"documentId": "T", "data": {}})
DELETE = Request("DELETE", "/effects?uuid=Scene.S.Token.T&statusId=prone", gone_will_do=True)


def test_what_answers_mean() -> None:
    for request_, status, error, kind, all_, words in (
        (PUT, 400, "Actor 'Vex' already has status 'prone'", OutcomeKind.APPLIED, False, ""),
        (DELETE, 400, "Status 'prone' not found on actor 'Vex'", OutcomeKind.APPLIED, False, ""),
        (PUT, 400, 'Token "T" does not exist!', OutcomeKind.REJECTED, False, "link it again"),
        (PUT, 400, "No active scene", OutcomeKind.REJECTED, True, "activate one in Foundry"),
        (PUT, 400, "'clientId' is required", OutcomeKind.REJECTED, True, "options.client"),
        (PUT, 400, "Something else", OutcomeKind.REJECTED, False, "Something else"),
        (PUT, 401, "Invalid API key", OutcomeKind.REJECTED, True, "the key"),
        (PUT, 403, "API key lacks required scope: canvas:write", OutcomeKind.REJECTED, True, "canvas:write"),
        (PUT, 404, "No connected Foundry clients found", OutcomeKind.NOT_SENT, False, "not open in Foundry"),
        (PUT, 404, "Cannot PUT /canvas/tokens", OutcomeKind.REJECTED, True, "nothing at this address"),
        (PUT, 408, "Request timed out", OutcomeKind.UNKNOWN, False, "408"),
        (PUT, 429, "Rate limit exceeded", OutcomeKind.NOT_SENT, False, "429"),
        (PUT, 429, "Monthly API request limit reached", OutcomeKind.NOT_SENT, False, "Monthly"),
        (PUT, 500, "Failed to send request to Foundry client", OutcomeKind.UNKNOWN, False, "500"),
    ):
        with case(request_, status, error, kind, all_, words):
            outcome = outcome_of(request_, status, {"error": error})
            assert (outcome.kind, outcome.all) == (kind, all_)
            assert words in outcome.why


def test_what_is_no_answer_settles_nothing() -> None:
    for body in [b"", b"<h1>Proxy</h1>", b'{"data": [{"_i', b"[]"]:
        with case(body):
            target = FoundryTarget(Settings("f", "foundry", "http://127.0.0.1:1"), KEY)
            for request in (PUT, Request("GET", "/encounters")):
                assert target.outcome(request, Answer(200, {}, body), 0.0).kind is OutcomeKind.UNKNOWN


def test_a_used_up_month_is_waited_for_long_and_a_moment_is_not() -> None:
    assert outcome_of(PUT, 429, {"error": "Monthly API request limit reached"}).retry_after == 3600
    assert outcome_of(PUT, 429, {"error": "Rate limit exceeded"}).retry_after is None


def test_several_worlds_are_named_and_nothing_is_guessed(evening: ToldWhole) -> None:
    evening.server.worlds.append(World("fvtt_other"))
    evening.start()
    report = evening.push()
    assert "fvtt_ford, fvtt_other" in report.error
    assert "bridge.targets.foundry.options.client" in report.error
    assert report.lag
    told(evening, settings_for(evening.server, options={"client": "fvtt_ford"}))
    assert not evening.server.worlds[1].messages
    assert evening.world.messages


def test_nothing_is_told_to_another_world_that_is_open_later(fight: ToldWhole) -> None:
    """The relay takes whichever is open alone, where none is named."""
    fight.told()
    tavern = World("fvtt_tavern")
    fight.server.worlds.append(tavern)
    fight.roll(4)
    fight.told()  # both are open, and one of them is known
    fight.world.online = False
    fight.roll(5)
    report = fight.push(Patience(0.2, 0.05, at_once=True))
    assert "fvtt_ford" in report.error and "options.client" in report.error
    assert tavern.messages == []
    assert len(fight.world.messages) == 3


def test_a_closed_world_holds_the_queue_until_it_is_open(
    evening: ToldWhole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strike_bridge.targets.foundry_relay.OFFLINE_WAIT", 0.06)
    evening.world.online = False
    evening.start()
    report = evening.push()
    assert "not open in Foundry" in report.error
    assert report.next_attempt
    evening.world.online = True
    evening.told()
    assert len(list(texts(evening.world))) == 2


def test_a_token_that_was_deleted_by_hand_is_made_again_and_the_rest_goes_on(fight: ToldWhole) -> None:
    fight.told()
    fight.world.tokens["sceneFord0000000"].pop(fight.world.named("Goblin 1")["_id"])
    fight.move("goblin-1", "E1")
    fight.move("vex", "B1")
    fight.told()
    assert fight.world.named("Vex")["x"] == 400
    assert fight.world.named("Goblin 1")["x"] == 700
    fight.world.tokens["sceneFord0000000"].pop(fight.world.named("Goblin 1")["_id"])
    fight.move("goblin-1", "F1")
    report = push(fight.folder, fight.settings._replace(create=False), HASTY)
    assert (report.error, report.review) == ("", 1)
    assert "link it again" in fight.cursor.review[0]["why"]
    assert not resend_whole_state(fight.folder, fight.settings).error
    assert fight.world.named("Goblin 1")["x"] == 800


# The tracker


def test_a_tracker_that_the_game_master_began_is_used_and_kept(fight: ToldWhole) -> None:
    play_a_round(fight)
    fight.told()
    world = fight.world
    [combat] = world.combats.values()
    guest = {"id": "guest", "name": "A guest", "tokenUuid": "Scene.x.Token.y", "initiative": 8.5}
    combat["combatants"].append({**guest, "hidden": False, "defeated": False})
    fight.happen(("turn", "vex", "", {"fight.active": "vex", "fight.round": 3}))
    fight.happen(("turn", "brann", "", {"fight.active": "brann"}))
    fight.told()
    assert [name for name, _ in world.turns()] == ["Vex", "A guest", "Goblin 1", "Brann", "Goblin 2"]
    assert in_turns(combat)[combat["turn"]]["name"] == "Brann"


def test_initiatives_tell_our_order_even_where_they_are_level() -> None:
    def entries(*values: float | None) -> list[dict[str, Any]]:
        return [{"id": str(number), "initiative": value} for number, value in enumerate(values)]

    assert initiatives_that_keep_order(entries(6, 4, 1)) == {"0": 6, "1": 4, "2": 1}
    level = {"0": 6, "1": 5.02, "2": 5.01, "3": 5, "4": 1}
    assert initiatives_that_keep_order(entries(6, 5, 5, 5, 1)) == level
    assert initiatives_that_keep_order(entries(1, 6)) == {"0": 2, "1": 1}
    assert initiatives_that_keep_order(entries(None, 4)) == {"0": 2, "1": 1}
    assert initiatives_that_keep_order([]) == {}


def test_a_tracker_begun_without_a_reply_is_not_begun_again(fight: ToldWhole) -> None:
    play_a_round(fight)

    def loses_the_start(handler: Handler) -> None:
        if handler.call.path == "/start-encounter":
            fight.server.always = None
            return applies_and(drops)(handler)
        return handler.apply()

    fight.server.always = loses_the_start
    fight.told()
    same_as_the_campaign(fight)


# Geometry


def test_padding_shifts_the_origin() -> None:
    for width, padding, size in itertools.product((1000, 1010, 3000), (0, 0.1, 0.25), (50, 70, 100)):
        with case(width, padding, size):
            doc = {"_id": "s", "name": "", "width": width, "height": 830, "padding": padding}
            doc |= {"grid": {"size": size}, "background": {"offsetX": 0, "offsetY": 0}}
            scene = FoundryScene.from_document(doc, (0, 0))
            assert (scene.left, scene.top) == origin(doc)
            assert scene.left >= padding * width
            assert scene.left % size == 0
            square = {"x": 3, "y": 4}
            assert scene.square_with_nearest_corner(**scene.corner_pixels(square)) == square
            moved = FoundryScene.from_document(doc, (2, 1)).corner_pixels({"x": 0, "y": 0})
            assert moved == scene.corner_pixels({"x": 2, "y": 1})


def test_a_shifted_picture_keeps_tokens_on_the_grid() -> None:
    doc = {"_id": "s", "width": 1000, "height": 1000, "padding": 0.25, "grid": {"size": 100},
           "background": {"offsetX": 30, "offsetY": -130}}  # fmt: skip
    scene = FoundryScene.from_document(doc, (0, 0))
    assert (scene.left, scene.top) == (300, 400)
    assert not math.fmod(scene.left, 100)


LEVELS = [
    {"_id": "levelUpstairs000", "name": "Upstairs", "sort": 2},
    {"_id": "levelCellar00000", "name": "Cellar", "sort": 1},
]


@pytest.mark.parametrize(
    ("scene", "named", "level"),
    [
        ({}, "", ""),
        ({"levels": LEVELS}, "", "levelCellar00000"),
        ({"levels": LEVELS, "initialLevel": "levelUpstairs000"}, "", "levelUpstairs000"),
        ({"levels": LEVELS, "initialLevel": "gone"}, "", "levelCellar00000"),
        ({"levels": LEVELS}, "Upstairs", "levelUpstairs000"),
    ],
)
def test_tokens_of_foundry_14_stand_on_a_level_that_the_scene_has(
    evening: ToldWhole, scene: dict[str, Any], named: str, level: str
) -> None:
    """What Foundry would put in by itself, `defaultLevel0000`, is a level that few scenes have."""
    next(iter(evening.world.scenes.values())).update(scene)
    evening.start()
    told(evening, settings_for(evening.server, options={"level": named}))
    tokens = [token for tokens in evening.world.tokens.values() for token in tokens.values()]
    assert tokens
    assert {token.get("level", "") for token in tokens} == {level}


def test_an_effect_without_an_end_is_shown_on_its_token_in_foundry_14(fight: ToldWhole) -> None:
    fight.told()
    fight.change("vex", statuses=[{"id": "core:reeling"}])
    fight.told()
    bodies = [body for _, path, body in fight.server.seen if path == "/effects"]
    assert [body["effectData"]["showIcon"] for body in bodies if "effectData" in body] == [2]


def test_another_scene_by_name_and_another_corner(evening: ToldWhole) -> None:
    evening.world.add_scene("sceneCave0000000", "The Cave", active=False, padding=0)
    evening.start()
    told(evening, settings_for(evening.server, options={"scene": "The Cave", "origin": [4, 2]}))
    assert not evening.world.tokens["sceneFord0000000"]
    assert (evening.world.named("Vex")["x"], evening.world.named("Vex")["y"]) == (400, 200)


# 2.x


def test_an_old_relay_moves_and_wounds_and_says_what_it_cannot(evening: ToldWhole) -> None:
    evening.server.version = "2.1.3"
    world = evening.world
    vex = next(iter(world.actors))
    token = world.add_token("sceneFord0000000", name="Vex", actorId=vex)
    evening.start()
    play_a_round(evening)
    uuid = f"Scene.sceneFord0000000.Token.{token['_id']}"
    options = {"client": "fvtt_ford", "scene": "sceneFord0000000"}
    settings = settings_for(evening.server, create=False, options=options)
    link_token(evening.folder, settings, "vex", uuid)
    report = push(evening.folder, settings, HASTY)
    assert (report.error, report.lag) == ("", 0)
    [review] = evening.cursor.review
    assert "relay 2.x supports moves, HP and turn order, but no" in review["why"]
    assert (token["x"], token["y"]) == (500, 300)
    assert world.of_tokens[token["_id"]]["system"]["health"] == {"value": 10, "max": 10}
    assert world.turns() == [("Vex", 9)]
    assert not world.messages
    evening.move("vex", "A3")
    push(evening.folder, settings, HASTY)
    assert (token["x"], token["y"]) == (300, 500)


# Looking


def test_a_dry_run_sends_nothing_and_shows_no_key(fight: ToldWhole) -> None:
    play_a_round(fight)
    requests = dry_run(fight.folder, fight.settings)
    assert not fight.server.seen
    assert KEY not in str(requests)
    sent = [
        (each["method"], each["url"].removeprefix(fight.server.url).partition("?")[0]) for each in requests
    ]
    assert sent.count(("POST", "/canvas/tokens")) == 5
    assert ("POST", "/start-encounter") in sent
    assert ("POST", "/create") in sent


@pytest.mark.parametrize("hp", ["exact", "wounds", "none"])
def test_diff_shows_what_was_changed_by_hand_and_nothing_else(fight: ToldWhole, hp: str) -> None:
    play_a_round(fight)
    settings = fight.settings._replace(hp=hp)
    told(fight, settings)
    fight.take_out("goblin-1")
    told(fight, settings)
    assert diff_target(fight.folder, settings) == []
    vex = fight.world.named("Vex")
    vex["x"] += 200
    actor = fight.world.actor_of(vex)
    assert actor is not None
    actor["system"]["health"]["value"] = 2
    drift = [(each["id"], each["ours"], each["theirs"]) for each in diff_target(fight.folder, settings)]
    assert drift == [
        ("vex", {"x": 2, "y": 0}, {"x": 4, "y": 0}),
        ("vex", {"value": 10, "max": 10}, {"value": 2, "max": 10}),
    ]


@contextlib.contextmanager
def target_of(evening: Evening, settings: Settings) -> Iterator[tuple[FoundryTarget, Wire]]:
    target = make_target_checking_consent(evening.folder, settings)
    assert isinstance(target, FoundryTarget)
    with wired(target) as wire:
        yield target, wire


def test_tokens_can_be_found_by_name(evening: ToldWhole) -> None:
    token = evening.world.add_token("sceneFord0000000", name="Vex")
    with target_of(evening, evening.settings) as (target, wire):
        found = target.find_tokens(wire)
    assert found == [ListedToken(f"Scene.sceneFord0000000.Token.{token['_id']}", "Vex", "", made=False)]


def test_doctor_finds_scopes_scene_and_bare_tokens_and_changes_nothing(fight: ToldWhole) -> None:
    settings = settings_for(fight.server, options={"actors": {}})
    told(fight, settings)
    before = repr(vars(fight.world))
    with target_of(fight, settings) as (target, wire):
        findings = list(target.own_findings(wire))
    assert [finding.well for finding in findings] == [True, True, False]
    assert "The Ford, with squares of 100 pixels" in findings[1].what
    assert "Goblin 1" in findings[2].what
    assert repr(vars(fight.world)) == before
    fight.server.keys[KEY] = [scope for scope in fight.server.keys[KEY] if scope != "chat:write"]
    with target_of(fight, settings) as (target, wire):
        assert next(iter(target.own_findings(wire))).what == "The key lacks scopes: chat:write."
    fight.world.online = False
    with target_of(fight, settings_for(fight.server, options={"client": fight.world.client})) as (
        target,
        wire,
    ):
        lacks, closed = target.own_findings(wire)
    assert lacks.what == "The key lacks scopes: chat:write."
    assert (closed.what[:21], closed.remedy[:14]) == ("The world is not open", "Open the world")
    fight.world.online = True
    fight.server.worlds.append(World("fvtt_mill"))
    with target_of(fight, settings) as (target, wire):
        *_, which = target.own_findings(wire)
    assert (which.what[:15], which.remedy) == ("Say which world", "")
    fight.server.worlds.pop()
    fight.server.version = "2.0.0"
    with target_of(fight, settings) as (target, wire):
        assert "Relay 2.x supports moves" in next(iter(target.own_findings(wire))).what


# Login


def logged_in(evening: ToldWhole, status: str) -> tuple[str, list[str]]:
    told_: list[str] = []

    def tell(line: str) -> None:
        told_.append(line)
        next(iter(evening.server.requests.values()))["status"] = status

    with target_of(evening, evening.settings) as (target, wire):
        return target.login(wire, lambda question, secret: "", tell), told_


def test_login_waits_for_somebody_to_approve(evening: ToldWhole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strike_bridge.targets.foundry_inspection.LOGIN_POLL", 0.0)
    key, said = logged_in(evening, "approved")
    assert key == KEY
    own = f"{evening.server.url}/approve/ANN000"
    assert said[0] == f"Open {own} and approve ANN000.", "their own relay, which they can reach, comes first"
    assert "https://relay.example/approve/ANN000" in said[1]
    evening.server.approval_url = f"{evening.server.url}/approve/"
    evening.server.requests.clear()
    assert logged_in(evening, "approved")[1] == [f"Open {own} and approve ANN000."]
    evening.server.approval_url = "\x1b[31mnone"
    evening.server.requests.clear()
    assert logged_in(evening, "approved")[1] == [f"Open {evening.server.url} and approve ANN000."]
    evening.server.approval_url = "https://relay.example/approve/"
    for status, words in (("denied", "refused"), ("expired", "nobody approved"), ("exchanged", "already")):
        evening.server.requests.clear()
        with pytest.raises(BridgeProblem, match=words):
            logged_in(evening, status)
