"""Webhooks: signed, each event under one id, as plain JSON or as CloudEvents, and silent once told to be."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.evening import PNG, Evening

from strike_bridge import worker_launcher
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_bridge.targets.base import Request
from strike_bridge.targets.webhook import WebhookTarget, make_signature
from strike_cli.problems import CampaignProblem

from .helpers import HASTY, Told, shown_of, told
from .servers.base import answers, applies_and, drops, running
from .servers.webhook import OLD_SECRET, SECRET, Receiver


@pytest.fixture
def hook(receiver: Receiver) -> Settings:
    return Settings("log", "webhook", f"{receiver.url}/strike")


@pytest.fixture
def evening(evening: Told, receiver: Receiver, hook: Settings) -> Told:
    return evening.tell(receiver, hook)


def test_the_signature_is_that_of_the_specifications_example() -> None:
    signed = b'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}'
    assert make_signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", signed) == (
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_each_attempt_is_stamped_and_signed_by_every_secret() -> None:
    target = WebhookTarget(Settings("log", "webhook", "https://example.org/in"), f"{SECRET} {OLD_SECRET}")
    request = Request("POST", "", {"a": "é"}, headers={"webhook-id": "msg_1"})
    prepared = target.prepare(request, 1614265330.9)
    assert prepared.headers["webhook-timestamp"] == "1614265330"
    signed = b"msg_1.1614265330." + (prepared.content or b"")
    by_both = f"{make_signature(SECRET, signed)} {make_signature(OLD_SECRET, signed)}"
    assert prepared.headers["webhook-signature"] == by_both
    later = target.prepare(request, 1614265390.0)
    assert later.headers["webhook-id"] == prepared.headers["webhook-id"]
    assert later.headers["webhook-signature"] != prepared.headers["webhook-signature"]


def test_a_secret_that_can_not_sign_is_refused_without_being_shown() -> None:
    for key in ["swordfish!", "whsec_c2hvcnQ=", "whsec_%%%%", f"{SECRET} whsec_abc"]:
        with case(key):
            with pytest.raises(CampaignProblem, match="signing secret of log is not valid") as raised:
                WebhookTarget(Settings("log", "webhook", "https://example.org/in"), key)
            assert key not in str(raised.value) + raised.value.hint


def test_a_receiver_is_told_the_scene_and_the_evening(fight: Told) -> None:
    fight.told()
    state = shown_of(fight)
    assert fight.server.scene == state.scene
    assert fight.server.tokens == state.tokens
    assert fight.server.order == state.order
    assert [result["seq"] for result in fight.server.results] == [1, 2]
    first = fight.server.events[0]
    assert (set(first), first["type"]) == ({"type", "timestamp", "data"}, "strike.scene.cleared")
    assert {call.headers["content-type"] for call in fight.server.calls} == {"application/json"}
    assert "idempotency-key" not in fight.server.calls[0].headers


@pytest.mark.parametrize("audience", ["players", "gm"])
def test_where_a_picture_lies_is_told_to_the_game_master_alone(evening: Told, audience: str) -> None:
    evening.picture("creatures.goblin", "faces/traitor.png", PNG)
    evening.picture("characters.vex", "https://pictures.example/vex")
    evening.start()
    evening.told(audience=audience)
    kept = {"sha256": hashlib.sha256(PNG).hexdigest(), "media_type": "image/png"}
    where = {"file": "faces/traitor.png"} if audience == "gm" else {}
    assert evening.server.tokens["goblin-1"]["image"] == {**where, **kept}
    assert evening.server.tokens["vex"]["image"] == {"url": "https://pictures.example/vex"}


def test_a_token_that_returns_is_news_and_a_repeated_event_is_not(fight: Told) -> None:
    fight.told()
    for square in ("A2", "A1", "A2", "A1"):
        fight.move("vex", square)
        fight.server.faults = [applies_and(drops), answers(500)]
        fight.told()
        column, row = ord(square[0]) - ord("A"), int(square[1]) - 1
        assert fight.server.tokens["vex"]["position"] == {"x": column, "y": row}
    moves = [call.headers["webhook-id"] for call in fight.server.calls[-12:]]
    assert [moves.count(id) for id in dict.fromkeys(moves)] == [3, 3, 3, 3]
    assert len(fight.server.ids) == len(fight.server.events)


def test_an_id_is_the_same_after_the_worker_was_restarted(fight: Told) -> None:
    fight.told()
    fight.move("vex", "A2")
    fight.server.always = applies_and(answers(500, {"Retry-After": "100"}))
    assert fight.push().error
    cursor = fight.cursor
    cursor.asked_to_wait = False
    cursor.save(fight.folder)
    fight.server.always = None
    fight.told()
    first, second = fight.server.calls[-2:]
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert [event["type"] for event in fight.server.events].count("strike.token.updated") == 5


def test_undo_marks_the_result_and_redo_unmarks_it(evening: Told) -> None:
    evening.play("session start", at="", title="")
    seq = evening.roll(4)
    evening.told()
    for undone in (True, False, True):
        (evening.undo if undone else evening.redo)()
        evening.told()
        assert {r["id"]: r["undone"] for r in evening.server.results}[str(seq)] is undone
    assert [r["id"] for r in evening.server.results].count(str(seq)) == 1


def test_cloudevents_are_structured(fight: Told) -> None:
    fight.told(options={"format": "cloudevents", "source": "/ferry"})
    for call in fight.server.calls:
        event = call.body
        assert call.headers["content-type"] == "application/cloudevents+json; charset=utf-8"
        assert (event["specversion"], event["source"]) == ("1.0", "/ferry")
        assert event["id"] == call.headers["webhook-id"]
        assert event["datacontenttype"] == "application/json"
        assert event["type"].startswith("strike.")
        time.strptime(event["time"][:19], "%Y-%m-%dT%H:%M:%S")
    vex = next(call.body for call in fight.server.calls if call.body.get("subject") == "vex")
    assert (vex["type"], vex["data"]["name"]) == ("strike.token.updated", "Vex")


def test_a_source_is_an_address(hook: Settings) -> None:
    for source in ["/the ferry", "", "/fähre"]:
        options = {"format": "cloudevents", "source": source}
        with case(source), pytest.raises(CampaignProblem, match=r"options\.source.* is not an address"):
            WebhookTarget(hook._replace(options=options))


def test_key_rotation_is_seamless(evening: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.play("session start", at="", title="")
    monkeypatch.setenv("STRIKE_WEBHOOK_SECRET", f"{OLD_SECRET} {SECRET}")
    for secret in (SECRET, OLD_SECRET):
        evening.server.secret = secret
        evening.roll(2)
        evening.told()
    assert len(evening.server.results) == 3


def test_a_wrong_secret_stops_the_queue_and_says_so(evening: Told) -> None:
    evening.roll(2)
    evening.server.secret = OLD_SECRET
    report = evening.push()
    assert "401" in report.error
    assert report.lag == 1
    evening.server.secret = SECRET
    evening.told()
    assert len(evening.server.results) == 1


def test_410_switches_the_target_off(evening: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.roll(2)
    evening.server.gone = True
    report = evening.push()
    assert report.off
    assert "it wants no more events" in report.error
    calls = len(evening.server.calls)
    evening.roll(3)
    evening.server.gone = False
    report = evening.push(HASTY._replace(at_once=False))
    assert (report.off, len(evening.server.calls)) == (True, calls)
    # A command that is played leaves no worker behind for it, unless it was set up anew.
    started: list[str] = []
    monkeypatch.setattr(worker_launcher, "_start_worker", lambda folder, name: started.append(name))
    hook = evening.settings
    table = {"kind": hook.kind, "url": hook.url, "statuses": {}, "options": dict(hook.options)}
    worker_launcher.start_workers_and_list_not_agreed(evening.folder, {"log": table})
    assert not started
    worker_launcher.start_workers_and_list_not_agreed(evening.folder, {"log": {**table, "hp": "bar"}})
    assert started == ["log"]
    # Another address is another wish.
    evening.told(url=f"{evening.server.url}/again")
    assert len(evening.server.results) == 2
    assert not (evening.folder / "bridge" / "log.off").exists()


def test_a_new_secret_is_made_at_login() -> None:
    target = WebhookTarget(Settings("log", "webhook", "https://example.org/in"))
    said: list[str] = []
    wire: Any = None
    made = target.login(wire, lambda question, secret: "", said.append)
    assert len(base64.b64decode(made.removeprefix("whsec_"))) == 32
    assert made not in "".join(said)
    assert target.login(wire, lambda question, secret: f" {SECRET} ", said.append) == SECRET
    with pytest.raises(CampaignProblem, match="signing secret"):
        target.login(wire, lambda question, secret: "nonsense", said.append)


def test_the_guides_receiver_hears_what_is_signed_and_nothing_else(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guide = Path(__file__).parents[2].joinpath("docs", "targets", "webhook.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 30
    names: dict[str, Any] = {"__name__": "receiver"}
    exec(example, names)
    monkeypatch.setenv("STRIKE_WEBHOOK_SECRET", f"{OLD_SECRET} {SECRET}")
    names["SECRET"] = SECRET
    monkeypatch.setattr(names["Receiver"], "log_message", lambda *args: None)
    with running(names["HTTPServer"](("127.0.0.1", 0), names["Receiver"])) as server:
        hook = Settings("log", "webhook", f"http://127.0.0.1:{server.server_address[1]}")
        evening.start()
        told(evening, hook)
        said = capsys.readouterr().out.splitlines()
        assert "strike.token.updated Vex" in said
        assert "strike.result.created The Ford begins. The goal: Get across." in said
        names["SECRET"] = "whsec_c29tZWJvZHktZWxzZXMtc2VjcmV0LWVudGlyZWx5"
        evening.roll(3)
        assert "401" in push(evening.folder, hook, HASTY).error
        assert not capsys.readouterr().out
