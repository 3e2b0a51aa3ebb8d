"""CozyVTT shows what the campaign says: by one login, and nothing that players may not see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.evening import Evening

from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import Answer, Request
from strike_bridge.push_follow_and_sync import push, resend_whole_state
from strike_bridge.request_outcome import Outcome, OutcomeKind
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.targets import make_target_checking_consent
from strike_bridge.targets.cozyvtt import CozyTarget
from strike_bridge.token_links import link_token
from strike_bridge.worker import Patience

from .helpers import HASTY, ToldWhole, shown_of, wired
from .helpers import told_whole as told
from .servers.cozyvtt import EMAIL, MAP, PASSWORD, BadCozy


def settings_for(cozy: BadCozy, **table: Any) -> Settings:
    return settings_from_unchecked_table(
        "cozy", {"kind": "cozyvtt", "url": cozy.url, "create": True, **table}
    )


@pytest.fixture
def evening(tmp_path: Path, cozy: BadCozy) -> ToldWhole:
    evening = ToldWhole(tmp_path / "ferry")
    evening.tell(cozy, settings_for(cozy))
    return evening


def same_as_the_campaign(evening: ToldWhole) -> None:
    """Every token of ours once, where it should be and as it should be."""
    ours = shown_of(evening, gm=True).tokens
    theirs = {token["metadata"]["strike"]["id"]: token for token in evening.server.tokens}
    assert len(theirs) == len(evening.server.tokens)
    assert set(theirs) == set(ours)
    for id, token in ours.items():
        found = theirs[id]
        assert (found["name"], found["position"]) == (token["name"], token["position"])
        assert found["visible"] is not token["hidden"]
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


def test_tokens_are_made_whole_with_one_login(fight: ToldWhole) -> None:
    play_a_round(fight)
    told(fight, settings_for(fight.server, options={"images": {"goblin": "an-asset"}}))
    same_as_the_campaign(fight)
    assert [fight.server.named(name)["imageUrl"] for name in ("Vex", "Goblin 1")] == ["", "an-asset"]
    assert fight.server.named("Vex")["type"] == "player"
    goblin = fight.server.named("Goblin 1")
    assert (goblin["type"], goblin["disposition"]) == ("npc", "hostile")
    assert goblin["conditions"] == ["Prone", "Ongoing 3"]
    fight.move("vex", "B2")
    fight.told()
    assert fight.server.tries == 1, "the session is kept"
    assert fight.told().sent == 0


def test_a_session_that_is_no_more_is_asked_for_anew_once(fight: ToldWhole) -> None:
    fight.told()
    fight.server.forget_logins()
    fight.move("vex", "B2")
    fight.told()
    assert fight.server.tries == 2
    same_as_the_campaign(fight)


def test_a_wrong_password_is_tried_once_and_never_shown(
    evening: ToldWhole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_COZYVTT_KEY", f"{EMAIL} wrong but long")
    evening.start()
    report = evening.push(Patience(5.0, 5.0, at_once=True))
    assert "does not accept email and password (Invalid email or password)" in report.error
    assert evening.server.tries == 1
    assert "wrong but long" not in (evening.folder / "bridge" / "cozy.json").read_text()


def test_too_many_logins_are_waited_for_as_long_as_it_says(evening: ToldWhole) -> None:
    evening.server.tries = 5
    evening.start()
    report = evening.push()
    assert report.error == "too many tries to log in: it answered 429"
    assert report.next_attempt is not None
    assert evening.cursor.asked_to_wait
    evening.push()
    assert evening.server.tries == 6, "not tried before the time"


def test_a_second_factor_is_said_and_not_looped_on(evening: ToldWhole) -> None:
    evening.server.second_factor = True
    evening.start()
    report = evening.push()
    assert "second factor" in report.error
    assert evening.server.tries == 1


def test_waiting_times_come_in_two_headers() -> None:
    for headers, wait in [
        ({"ratelimit-reset": "42"}, 42.0),
        ({"retry-after": "7", "ratelimit-reset": "42"}, 7.0),
        ({"ratelimit-reset": "soon"}, None),
        ({}, None),
    ]:
        with case(headers, wait):
            target = CozyTarget(Settings("c", "cozyvtt", "http://127.0.0.1:1"), "e p")
            outcome = target.outcome(Request("PUT", "/x"), Answer(429, headers, b"Too many"), 0.0)
            assert (outcome.kind, outcome.retry_after) == (OutcomeKind.NOT_SENT, wait)


def test_hidden_ones_are_invisible_and_hp_are_told_as_players_may_know(fight: ToldWhole) -> None:
    fight.told(hp="bar")
    assert not fight.server.named("Reed Lurker")["visible"]
    goblin = fight.server.named("Goblin 1")
    assert goblin["hp"] == {"current": 4, "max": 4, "temp": 0}
    fight.change("goblin-1", hp=1)
    fight.told(hp="bar")
    assert fight.server.named("Goblin 1")["hp"]["current"] == 1
    fight.change("goblin-1", hp=2)
    fight.told(hp="none")
    assert (fight.server.named("Goblin 1")["hp"], fight.server.named("Goblin 1")["showHpBar"]) == (
        None,
        False,
    )
    assert fight.server.named("Vex")["hp"]["current"] == 10
    assert "gm_hp" not in " ".join(str(call.raw) for call in fight.server.calls)


def test_players_alone_are_told_nothing_hidden(fight: ToldWhole) -> None:
    fight.told(audience="players")
    assert "Lurker" not in " ".join(str(call.raw) for call in fight.server.calls)


def test_the_game_masters_own_token_is_linked_hidden_and_never_deleted(evening: ToldWhole) -> None:
    own = {"id": "own", "name": "Vex the Bold", "conditions": [], "metadata": {"note": 1}, "hp": None}
    evening.server.tokens.append({**own, "position": {"x": 9, "y": 9}, "visible": True})
    evening.start()
    settings = evening.settings._replace(create=False)
    link_token(evening.folder, settings, "vex", "own")
    told(evening, settings)
    [token] = evening.server.tokens
    assert (token["name"], token["position"]) == ("Vex the Bold", {"x": 0, "y": 0})
    assert token["metadata"] == {"note": 1, "strike": {"id": "vex", "made": False, "state": "up"}}
    evening.happen(("left", "vex", "", {"fight.combatants.vex": None}))
    told(evening, settings)
    assert [token["visible"] for token in evening.server.tokens] == [False]


def test_a_forgotten_cursor_finds_its_tokens_again_and_those_of_others_stay(fight: ToldWhole) -> None:
    fight.told()
    (fight.folder / "bridge" / "cozy.json").unlink()
    fight.told()
    same_as_the_campaign(fight)
    fight.server.tokens.append({**fight.server.named("Vex"), "id": "guest", "name": "Guest", "metadata": {}})
    fight.finish()
    fight.told()
    assert [token["name"] for token in fight.server.tokens] == ["Guest"]


def test_a_token_that_was_deleted_by_hand_is_made_again_or_reviewed_until_it_may(fight: ToldWhole) -> None:
    fight.told()
    for square in ("E1", "F1"):
        fight.server.tokens.remove(fight.server.named("Goblin 1"))
        fight.move("goblin-1", square)
        report = push(fight.folder, fight.settings._replace(create=square == "E1"), HASTY)
        assert (report.error, report.review) == ("", square == "F1")
    assert "link it again" in fight.cursor.review[0]["why"]
    report = resend_whole_state(fight.folder, fight.settings)
    assert (report.error, report.review) == ("", 0)
    same_as_the_campaign(fight)


def test_a_token_outside_of_the_map_is_reviewed(fight: ToldWhole) -> None:
    fight.server.maps[MAP]["width"] = 5
    report = fight.push()
    assert (report.error, report.review) == ("", 1)
    assert "within map bounds (0-4" in fight.cursor.review[0]["why"]


@pytest.mark.parametrize(
    ("options", "where"),
    [({}, "map-mill"), ({"map": "The Ford"}, "map-ford"), ({"map": "map-ford"}, "map-ford"),
     ({"campaign": "The Ferry"}, "map-mill")],
)  # fmt: skip
def test_the_map_is_the_one_named_or_else_the_one_shown(
    evening: ToldWhole, options: dict[str, str], where: str
) -> None:
    evening.server.add_map("map-mill", "The Mill")
    evening.server.campaigns[0]["currentMapId"] = "map-mill"
    evening.start()
    told(evening, settings_for(evening.server, options={"origin": [3, 2], **options}))
    [vex] = [token for token in evening.server.maps[where]["tokens"] if token["name"] == "Vex"]
    assert vex["position"] == {"x": 3, "y": 2}


def test_what_is_not_clear_is_asked_and_not_guessed(fight: ToldWhole) -> None:
    fight.server.add_map("map-mill", "The Mill")
    fight.server.campaigns[0]["currentMapId"] = None
    assert "name the map: " in fight.push().error
    fight.server.campaigns.append({"id": "campaign-2", "name": "Another"})
    report = fight.push()
    assert "name the campaign that you lead: " in report.error
    assert "bridge.targets.cozy.options.campaign" in report.error
    assert not fight.server.tokens
    options = {"campaign": "The Ferry", "map": "The Ford"}
    told(fight, settings_for(fight.server, options=options))


def test_a_player_may_not_do_this(evening: ToldWhole) -> None:
    evening.server.role = "PLAYER"
    evening.start()
    assert "campaign that you lead" in evening.push().error


def test_looking_changes_nothing_and_shows_no_secret(fight: ToldWhole) -> None:
    play_a_round(fight)
    requests = dry_run(fight.folder, fight.settings)
    assert not fight.server.calls
    assert PASSWORD not in str(requests)
    made = [each for each in requests if each["method"] == "POST" and each["url"].endswith("/tokens")]
    assert len(made) == 5
    assert made[0]["url"].endswith("/api/campaigns/<campaign>/maps/<map>/tokens")
    fight.told()
    assert fight.drift == []
    fight.server.named("Vex")["position"] = {"x": 7, "y": 7}
    [item] = fight.drift
    theirs = {"x": 7, "y": 7}
    assert (item["id"], item["field"], item["theirs"], item["stays"]) == ("vex", "position", theirs, False)


def test_who_is_taken_out_is_marked_or_hidden_there_and_no_drift(fight: ToldWhole) -> None:
    fight.told()
    fight.take_out("goblin-1")
    fight.told()
    goblin = fight.server.named("Goblin 1")
    assert (goblin["visible"], goblin["conditions"]) == (True, ["Taken Out"])
    assert fight.drift == []
    resend_whole_state(fight.folder, fight.settings._replace(defeated="hide"))
    goblin = fight.server.named("Goblin 1")
    assert (goblin["visible"], goblin["conditions"]) == (False, ["Taken Out"])
    assert fight.drift == []
    fight.undo()
    fight.told()
    assert fight.server.named("Goblin 1")["visible"]
    assert fight.drift == []


def test_doctor_names_campaign_and_map(fight: ToldWhole) -> None:
    fight.told()
    target = make_target_checking_consent(fight.folder, fight.settings)
    with wired(target) as wire:
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

    with wired(target) as wire:
        assert target.login(wire, ask, print) == f"{EMAIL} {PASSWORD}"
    assert asked == [False, True]
    assert CozyTarget(settings_for(cozy), f"{EMAIL} {PASSWORD}").redact(f"no: {PASSWORD}") == "no: ***"
