"""CozyVTT shows what the campaign says: by one login, and nothing that players may not see."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.delivery_cursor import Cursor, load_or_make_cursor
from strike_bridge.delivery_operations import push, sync
from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import Answer, Request, Wire
from strike_bridge.journal_reader import JournalReader
from strike_bridge.request_outcome import Outcome, OutcomeKind
from strike_bridge.settings import Settings, settings_from_table
from strike_bridge.state_projection import project_state
from strike_bridge.target_differences import diff_target
from strike_bridge.targets import make_target_checking_consent
from strike_bridge.targets.cozyvtt import CozyTarget
from strike_bridge.token_links import link_token
from strike_bridge.worker import DeliveryReport, Patience

from .servers.base import Call, running
from .servers.cozyvtt import EMAIL, MAP, PASSWORD, BadCozy

HASTY = Patience(5.0, 0.05, at_once=True)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_COZYVTT_KEY", f"{EMAIL} {PASSWORD}")


@pytest.fixture
def cozy() -> Iterator[BadCozy]:
    with running(BadCozy()) as server:
        yield server


def settings_for(cozy: BadCozy, **table: Any) -> Settings:
    return settings_from_table("cozy", {"kind": "cozyvtt", "url": cozy.url, "create": True, **table})


def told(evening: Evening, settings: Settings) -> DeliveryReport:
    """A push that must go through."""
    report = push(evening.folder, settings, HASTY)
    assert (report.error, report.lag, report.review) == ("", 0, 0), cursor_of(evening).review
    return report


def cursor_of(evening: Evening) -> Cursor:
    return load_or_make_cursor(evening.folder, "cozy")


def same_as_the_campaign(evening: Evening, cozy: BadCozy) -> None:
    """Every token of ours once, where it should be and as it should be."""
    ours = project_state(JournalReader(evening.folder).read_backlog(("", 0), 0).now, gm=True).tokens
    theirs = {token["metadata"]["strike"]["id"]: token for token in cozy.tokens}
    assert len(theirs) == len(cozy.tokens)
    assert set(theirs) == set(ours)
    for id, token in ours.items():
        found = theirs[id]
        assert (found["name"], found["position"], found["visible"]) == (
            token["name"],
            token["position"],
            not token["hidden"],
        )
        assert found["hp"] == {"current": token["hp"]["value"], "max": token["hp"]["max"], "temp": 0}
        out = ["Taken Out"] if token["state"] == "out" else []
        assert found["conditions"] == [*token["statuses"], *out]
        assert found["initiative"] == token["initiative"]


def play_a_round(evening: Evening) -> None:
    who = "fight.combatants."
    evening.happen(("initiative", "vex", "", {f"{who}vex.initiative": 6}))
    evening.happen(("moved", "vex", "Vex runs.", {f"{who}vex.at": "C1"}))
    evening.happen(("hit", "goblin-1", "Goblin is hit.", {f"{who}goblin-1.hp": 1}))
    prone = [{"id": "core:prone"}, {"id": "core:ongoing", "value": 3}]
    evening.happen(("status", "goblin-1", "It falls.", {f"{who}goblin-1.statuses": prone}))
    evening.happen(
        ("out", "goblin-2", "Another is out.", {f"{who}goblin-2.out": True, f"{who}goblin-2.hp": 0})
    )


def test_tokens_are_made_whole_with_one_login(fight: Evening, cozy: BadCozy) -> None:
    play_a_round(fight)
    told(fight, settings_for(cozy, options={"images": {"goblin": "an-asset"}}))
    same_as_the_campaign(fight, cozy)
    assert [cozy.named(name)["imageUrl"] for name in ("Vex", "Goblin 1")] == ["", "an-asset"]
    assert cozy.named("Vex")["type"] == "player"
    assert (cozy.named("Goblin 1")["type"], cozy.named("Goblin 1")["disposition"]) == ("npc", "hostile")
    assert cozy.named("Goblin 1")["conditions"] == ["Prone", "Ongoing 3"]
    fight.move("vex", "B2")
    told(fight, settings_for(cozy))
    assert cozy.tries == 1, "the session is kept"
    assert told(fight, settings_for(cozy)).sent == 0


def test_parallel_updates_would_be_lost_here(cozy: BadCozy) -> None:
    for name in ("Vex", "Brann"):
        cozy.tokens.append({"id": name, "name": name, "conditions": [], "metadata": {}, "hp": None})
    cozy.work = 0.1

    def wound(name: str) -> None:
        path = f"/api/campaigns/campaign-1/maps/{MAP}/tokens/{name}"
        cozy.respond(Call("PUT", path, {}, {}, b'{"hp": {"current": 1, "max": 4, "temp": 0}}'))

    threads = [threading.Thread(target=wound, args=(name,)) for name in ("Vex", "Brann")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [cozy.named(name)["hp"] for name in ("Vex", "Brann")].count(None) == 1


def test_a_session_that_is_no_more_is_asked_for_anew_once(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy))
    cozy.forget_logins()
    fight.move("vex", "B2")
    told(fight, settings_for(cozy))
    assert cozy.tries == 2
    same_as_the_campaign(fight, cozy)


def test_a_wrong_password_is_tried_once_and_never_shown(
    evening: Evening, cozy: BadCozy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_COZYVTT_KEY", f"{EMAIL} wrong but long")
    evening.start()
    report = push(evening.folder, settings_for(cozy), Patience(5.0, 5.0, at_once=True))
    assert "does not accept email and password (Invalid email or password)" in report.error
    assert cozy.tries == 1
    assert "wrong but long" not in (evening.folder / "bridge" / "cozy.json").read_text()


def test_too_many_logins_are_waited_for_as_long_as_it_says(evening: Evening, cozy: BadCozy) -> None:
    cozy.tries = 5
    evening.start()
    report = push(evening.folder, settings_for(cozy), HASTY)
    assert report.error == "too many tries to log in: it answered 429"
    assert report.next_attempt is not None
    assert cursor_of(evening).asked_to_wait
    push(evening.folder, settings_for(cozy), HASTY)
    assert cozy.tries == 6, "not tried before the time"


def test_a_second_factor_is_said_and_not_looped_on(evening: Evening, cozy: BadCozy) -> None:
    cozy.second_factor = True
    evening.start()
    report = push(evening.folder, settings_for(cozy), HASTY)
    assert "second factor" in report.error
    assert cozy.tries == 1


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"ratelimit-reset": "42"}, 42.0),
        ({"retry-after": "7", "ratelimit-reset": "42"}, 7.0),
        ({"ratelimit-reset": "soon"}, None),
        ({}, None),
    ],
)
def test_waiting_times_come_in_two_headers(headers: dict[str, str], wait: float | None) -> None:
    target = CozyTarget(Settings("c", "cozyvtt", "http://127.0.0.1:1"), "e p")
    outcome = target.outcome(Request("PUT", "/x"), Answer(429, headers, b"Too many"), 0.0)
    assert (outcome.kind, outcome.retry_after) == (OutcomeKind.NOT_SENT, wait)


def test_hidden_ones_are_invisible_and_hp_are_told_as_players_may_know(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy, hp="bar"))
    assert not cozy.named("Reed Lurker")["visible"]
    goblin = cozy.named("Goblin 1")
    assert goblin["hp"] == {"current": 4, "max": 4, "temp": 0}
    fight.happen(("hit", "goblin-1", "", {"fight.combatants.goblin-1.hp": 1}))
    told(fight, settings_for(cozy, hp="bar"))
    assert cozy.named("Goblin 1")["hp"]["current"] == 1
    fight.happen(("hit", "goblin-1", "", {"fight.combatants.goblin-1.hp": 2}))
    told(fight, settings_for(cozy, hp="none"))
    assert (cozy.named("Goblin 1")["hp"], cozy.named("Goblin 1")["showHpBar"]) == (None, False)
    assert cozy.named("Vex")["hp"]["current"] == 10
    assert "gm_hp" not in " ".join(str(call.raw) for call in cozy.calls)


def test_players_alone_are_told_nothing_hidden(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy, audience="players"))
    assert "Lurker" not in " ".join(str(call.raw) for call in cozy.calls)


def test_the_game_masters_own_token_is_linked_hidden_and_never_deleted(
    evening: Evening, cozy: BadCozy
) -> None:
    own = {"id": "own", "name": "Vex the Bold", "conditions": [], "metadata": {"note": 1}, "hp": None}
    cozy.tokens.append({**own, "position": {"x": 9, "y": 9}, "visible": True})
    evening.start()
    settings = settings_for(cozy, create=False)
    link_token(evening.folder, settings, "vex", "own")
    told(evening, settings)
    [token] = cozy.tokens
    assert (token["name"], token["position"]) == ("Vex the Bold", {"x": 0, "y": 0})
    assert token["metadata"] == {"note": 1, "strike": {"id": "vex", "made": False, "state": "up"}}
    evening.happen(("left", "vex", "", {"fight.combatants.vex": None}))
    told(evening, settings)
    assert [token["visible"] for token in cozy.tokens] == [False]


def test_a_forgotten_cursor_finds_its_tokens_again_and_those_of_others_stay(
    fight: Evening, cozy: BadCozy
) -> None:
    told(fight, settings_for(cozy))
    (fight.folder / "bridge" / "cozy.json").unlink()
    told(fight, settings_for(cozy))
    same_as_the_campaign(fight, cozy)
    cozy.tokens.append({**cozy.named("Vex"), "id": "guest", "name": "Guest", "metadata": {}})
    fight.happen(("finished", "", "Over.", {"fight": None}), command="combat finish")
    told(fight, settings_for(cozy))
    assert [token["name"] for token in cozy.tokens] == ["Guest"]


def test_a_token_that_was_deleted_by_hand_is_made_again(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy))
    cozy.tokens.remove(cozy.named("Goblin 1"))
    fight.move("goblin-1", "E1")
    report = push(fight.folder, settings_for(cozy), HASTY)
    assert (report.error, report.review) == ("", 0)
    same_as_the_campaign(fight, cozy)


def test_a_token_that_may_not_be_made_is_reviewed_until_it_may(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy))
    cozy.tokens.remove(cozy.named("Goblin 1"))
    fight.move("goblin-1", "E1")
    report = push(fight.folder, settings_for(cozy)._replace(create=False), HASTY)
    assert (report.error, report.review) == ("", 1)
    assert "link it again" in cursor_of(fight).review[0]["why"]
    assert not sync(fight.folder, settings_for(cozy)).error
    same_as_the_campaign(fight, cozy)


def test_a_token_outside_of_the_map_is_reviewed(fight: Evening, cozy: BadCozy) -> None:
    cozy.maps[MAP]["width"] = 5
    report = push(fight.folder, settings_for(cozy), HASTY)
    assert (report.error, report.review) == ("", 1)
    assert "within map bounds (0-4" in cursor_of(fight).review[0]["why"]


@pytest.mark.parametrize(
    ("options", "where"),
    [({}, "map-mill"), ({"map": "The Ford"}, "map-ford"), ({"map": "map-ford"}, "map-ford"),
     ({"campaign": "The Ferry"}, "map-mill")],
)  # fmt: skip
def test_the_map_is_the_one_named_or_else_the_one_shown(
    evening: Evening, cozy: BadCozy, options: dict[str, str], where: str
) -> None:
    cozy.add_map("map-mill", "The Mill")
    cozy.campaigns[0]["currentMapId"] = "map-mill"
    evening.start()
    told(evening, settings_for(cozy, options={"origin": [3, 2], **options}))
    [vex] = [token for token in cozy.maps[where]["tokens"] if token["name"] == "Vex"]
    assert vex["position"] == {"x": 3, "y": 2}


def test_what_is_not_clear_is_asked_and_not_guessed(fight: Evening, cozy: BadCozy) -> None:
    cozy.add_map("map-mill", "The Mill")
    cozy.campaigns[0]["currentMapId"] = None
    assert "name the map: " in push(fight.folder, settings_for(cozy), HASTY).error
    cozy.campaigns.append({"id": "campaign-2", "name": "Another"})
    report = push(fight.folder, settings_for(cozy), HASTY)
    assert "name the campaign that you lead: " in report.error
    assert "bridge.targets.cozy.options.campaign" in report.error
    assert not cozy.tokens
    options = {"campaign": "The Ferry", "map": "The Ford"}
    told(fight, settings_for(cozy, options=options))


def test_a_player_may_not_do_this(evening: Evening, cozy: BadCozy) -> None:
    cozy.role = "PLAYER"
    evening.start()
    assert "campaign that you lead" in push(evening.folder, settings_for(cozy), HASTY).error


def test_looking_changes_nothing_and_shows_no_secret(fight: Evening, cozy: BadCozy) -> None:
    play_a_round(fight)
    requests = dry_run(fight.folder, settings_for(cozy))
    assert not cozy.calls
    assert PASSWORD not in str(requests)
    made = [each for each in requests if each["method"] == "POST" and each["url"].endswith("/tokens")]
    assert len(made) == 5
    assert made[0]["url"].endswith("/api/campaigns/<campaign>/maps/<map>/tokens")
    told(fight, settings_for(cozy))
    assert diff_target(fight.folder, settings_for(cozy)) == []
    cozy.named("Vex")["position"] = {"x": 7, "y": 7}
    [item] = diff_target(fight.folder, settings_for(cozy))
    theirs = {"x": 7, "y": 7}
    assert (item["id"], item["field"], item["theirs"], item["stays"]) == ("vex", "position", theirs, False)


def test_who_is_taken_out_is_marked_or_hidden_there_and_no_drift(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy))
    fight.take_out("goblin-1")
    told(fight, settings_for(cozy))
    assert (cozy.named("Goblin 1")["visible"], cozy.named("Goblin 1")["conditions"]) == (True, ["Taken Out"])
    assert diff_target(fight.folder, settings_for(cozy)) == []
    hiding = settings_for(cozy)._replace(defeated="hide")
    sync(fight.folder, hiding)
    assert (cozy.named("Goblin 1")["visible"], cozy.named("Goblin 1")["conditions"]) == (False, ["Taken Out"])
    assert diff_target(fight.folder, settings_for(cozy)) == []
    fight.undo()
    told(fight, settings_for(cozy))
    assert cozy.named("Goblin 1")["visible"]
    assert diff_target(fight.folder, settings_for(cozy)) == []


def test_a_token_made_again_is_no_longer_to_be_reviewed(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy))
    cozy.tokens.remove(cozy.named("Vex"))
    fight.move("vex", "B1")
    assert push(fight.folder, settings_for(cozy)._replace(create=False), HASTY).review == 1
    assert sync(fight.folder, settings_for(cozy)).review == 0
    assert cozy.named("Vex")["position"] == {"x": 1, "y": 0}


def test_doctor_names_campaign_and_map(fight: Evening, cozy: BadCozy) -> None:
    told(fight, settings_for(cozy))
    target = make_target_checking_consent(fight.folder, settings_for(cozy))
    with contextlib.closing(Wire(target.address, target.prepare)) as wire:
        [finding] = target.own_findings(wire)
        found = target.find_tokens(wire)
    assert finding.well
    assert finding.what == "The map The Ford has 5 tokens, 5 of them ours."
    assert not isinstance(found, Outcome)
    assert {token.ours for token in found} == {"vex", "brann", "goblin-1", "goblin-2", "lurker"}


def test_login_asks_for_both_and_keeps_spaces(cozy: BadCozy) -> None:
    target = CozyTarget(settings_for(cozy))
    asked: list[bool] = []

    def ask(question: str, secret: bool) -> str:
        asked.append(secret)
        return PASSWORD if secret else EMAIL

    with contextlib.closing(Wire(target.address, target.prepare)) as wire:
        assert target.login(wire, ask, print) == f"{EMAIL} {PASSWORD}"
    assert asked == [False, True]
    assert CozyTarget(settings_for(cozy), f"{EMAIL} {PASSWORD}").redact(f"no: {PASSWORD}") == "no: ***"
