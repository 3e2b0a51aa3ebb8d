"""Everything arrives, once and in order, whatever the table does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import pytest
from support.agreed import agree_to, put_in_keys
from support.cases import case
from support.evening import Evening

from strike_bridge.delivery_record import Cursor
from strike_bridge.doctor import past_delivery_faults
from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import Answer, Request
from strike_bridge.push_follow_and_sync import (
    deliver_in_parallel,
    deliver_until_stopped,
    drop_item_or_queued_result,
    is_delivering,
    push,
    push_unattended,
    resend_result_or_requeue_item,
    resend_whole_state,
)
from strike_bridge.request_outcome import Outcome
from strike_bridge.settings import Settings, read_targets, target_file_path
from strike_bridge.target_differences import diff_target
from strike_bridge.targets.base import Target
from strike_bridge.targets.table import TableTarget
from strike_bridge.worker import AUTO, Patience, Worker
from strike_bridge.worker_launcher import start_workers_and_list_not_agreed
from strike_bridge.worker_lock import try_to_hold_lock
from strike_cli.problems import BridgeProblem, CampaignProblem, Usage

from .helpers import HASTY, Followed, Told, cursor_of, everything_kept, point_at, served, told, until
from .servers.base import Fault, Handler, answers, applies_and, cut_short, drips, drops, html, silent
from .servers.table import KEY, BadTable


@pytest.fixture
def evening(evening: Told, bad_table: BadTable, settings: Settings) -> Told:
    return evening.tell(bad_table, settings)


def test_the_table_is_told_the_whole_scene_and_the_evening(fight: Told) -> None:
    report = fight.told()
    scene = {"id": "ford", "name": "The Ford", "goal": "Get across", "rows": ["........"] * 3, "image": None}
    assert fight.server.scene == scene | {"walls": [], "one_way_walls": [], "doors": [], "zones": []}
    assert set(fight.server.tokens) == {"vex", "brann", "goblin-1", "goblin-2"}
    hp = {"value": 10, "max": 10}
    meter = {"id": "hp", "name": "HP", "one": "", "sign": "", **hp, "wounds": "unhurt", "gm": None}
    vex = {
        "id": "vex",
        "name": "Vex",
        "side": "party",
        "position": {"x": 0, "y": 0},
        "away": False,
        "size": 1,
    }
    vex |= {"hp": hp, "hp_shown": "exact", "wounds": "unhurt", "meters": [{**meter, "shown": "exact"}]}
    vex |= {"statuses": [], "status_ids": [], "state": "up", "image": None}
    vex |= {"hidden": False, "active": False, "initiative": None}
    assert fight.server.tokens["vex"] == vex
    nobody_yet = {"kind": "list", "round": 0, "active": None, "next": [], "entries": []}
    assert fight.server.order == nobody_yet
    assert fight.server.texts()[0].startswith("Session 1 begins.")
    assert fight.server.texts()[1:] == ["The Ford begins. The goal: Get across."]
    assert (report.tokens, report.results) == (4, 2)
    assert fight.told().sent == 0


@pytest.mark.slow
def test_a_long_evening_arrives_once_and_in_order_over_every_fault(
    fight: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strike_bridge.http_conversation.READ_TIMEOUT", 0.25)
    fight.told()
    seqs = [fight.roll(face % 6 + 1) for face in range(20)]
    # Every second request fails, each time in another way; this table shows twice what it is sent twice.
    faults: list[Fault] = [
        answers(500), answers(429), answers(408), drops, applies_and(drops), applies_and(answers(500)),
        applies_and(answers(408)), html(502), applies_and(cut_short), applies_and(drips), silent,
        applies_and(silent), answers(503, {"Retry-After": "0.01"}), answers(429, {}, {"retry_after": 0.01}),
    ]  # fmt: skip
    fight.server.faults = [each for fault in faults for each in (fault, Handler.apply)]
    fight.told()
    assert [result["seq"] for result in fight.server.results] == [1, 2, *seqs]
    assert not fight.server.faults
    assert not fight.server.heard_out
    assert fight.cursor.last_error == ""


@pytest.mark.parametrize("fault", [drops, answers(500), answers(408)], ids=["drops", "500", "408"])
def test_a_result_that_may_have_arrived_is_asked_for_before_it_is_sent_again(
    evening: Told, fault: Fault
) -> None:
    evening.play("session start", at="", title="")
    evening.told()
    evening.roll(3)
    evening.server.faults = [applies_and(fault)]
    evening.told()
    methods = [method for method, path, _ in evening.server.seen if path.endswith("results")]
    assert methods[1:] == ["POST", "GET"]
    evening.roll(4)
    evening.server.faults = [fault]
    evening.told()
    assert [text.split()[-1] for text in evening.server.texts()[1:]] == ["3.", "4."]


def test_every_attempt_at_a_result_carries_the_same_key(evening: Told) -> None:
    evening.roll(3)
    evening.server.faults = [Handler.apply, answers(500), answers(429)]
    evening.told()
    keys = [key for key in evening.server.keys if key]
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_a_dead_table_ends_the_push_at_once_and_loses_nothing(fight: Told, nobody: Settings) -> None:
    report = push(fight.folder, nobody, HASTY)
    assert "connection refused" in report.error
    assert report.next_attempt is not None
    assert report.lag == 2
    assert fight.server.results == []
    fight.told()
    assert [result["seq"] for result in fight.server.results] == [1, 2]
    assert fight.cursor.next_attempt is None


def test_catching_up_sends_the_last_of_many_moves(fight: Told) -> None:
    fight.told()
    fight.server.seen.clear()
    for step in range(32):
        fight.move("vex", f"{'BCDE'[step % 4]}3")
    fight.told()
    assert [path for _, path, _ in fight.server.writes()] == ["/api/v1/tokens/vex"]
    assert fight.server.tokens["vex"]["position"] == {"x": 4, "y": 2}


def test_undo_is_the_state_as_it_is_again_and_marks_its_results(fight: Told) -> None:
    fight.play("combat damage", who="vex", amount=3, why="a fall")
    fight.roll(6)
    fight.told()
    before = list(fight.server.results)
    assert fight.server.tokens["vex"]["hp"] == {"value": 7, "max": 10}

    fight.undo(2)
    fight.told()
    assert fight.server.tokens["vex"]["hp"] == {"value": 10, "max": 10}
    assert fight.server.results[:2] == before[:2]
    assert fight.server.results[2:4] == [{**result, "undone": True} for result in before[2:]]
    assert fight.server.texts()[4] == "Undone: #4 d6: 6; and 1 more."
    assert len({*filter(None, fight.server.keys)}) == len([*filter(None, fight.server.keys)])

    fight.redo(2)
    fight.told()
    assert fight.server.tokens["vex"]["hp"] == {"value": 7, "max": 10}
    assert fight.server.results[:4] == before
    assert fight.server.texts()[5] == "Done again: #3 Vex takes 3 damage from a fall: 10 to 7 HP; and 1 more."


def test_undo_before_anything_was_told_tells_both(evening: Told) -> None:
    evening.roll(2)
    evening.undo()
    evening.told()
    marks = [(result["id"], result["undone"]) for result in evening.server.results]
    assert marks == [("1", True), ("2", False)]


def test_an_undo_that_was_half_told_goes_on_where_it_was(evening: Told) -> None:
    for face in (1, 2, 3):
        evening.roll(face)
    evening.told()
    evening.undo(3)
    evening.server.seen.clear()
    evening.server.faults = [Handler.apply, Handler.apply, answers(401)]
    assert evening.push().lag == 1
    evening.told()
    posted = [body["id"] for _, path, body in evening.server.writes("results")]
    assert posted == ["4", "3", "2", "2", "1"]  # the second "2" is the one that was refused
    assert [result["undone"] for result in evening.server.results] == [True, True, True, False]


def test_a_state_file_behind_the_journal_makes_no_difference(fight: Told) -> None:
    # A command that is killed after its line was written leaves the state to the next one.
    behind = (fight.folder / "state.toml").read_bytes()
    fight.change("goblin-1", hidden=True)
    fight.happen(("said", "goblin-1", "Goblin 1 holds its breath.", {}))
    fight.happen(("seen", "goblin-1", "Goblin 1 is back.", {"fight.combatants.goblin-1.hidden": None}))
    (fight.folder / "state.toml").write_bytes(behind)
    fight.told()
    assert fight.server.texts()[2:] == ["Goblin 1 is back."]
    fight.happen(("said", "goblin-1", "Goblin 1 laughs.", {"fight.combatants.goblin-1.hp": 2}))
    (fight.folder / "state.toml").write_bytes(behind)
    fight.told()
    assert fight.server.texts()[2:] == ["Goblin 1 is back.", "Goblin 1 laughs."]
    assert fight.server.tokens["goblin-1"]["hp"]["value"] == 2


def test_a_token_does_not_wait_for_many_old_results(evening: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strike_bridge.worker.FRESH", 0.02)
    evening.start()
    evening.told()
    for face in range(12):
        evening.roll(face % 6 + 1)
    evening.server.delay = 0.01
    evening.server.seen.clear()
    evening.server.faults = [lambda handler: (evening.move("vex", "B2"), handler.apply())[1]]
    evening.told()
    paths = [path for _, path, _ in evening.server.writes()]
    assert 0 < paths.index("/api/v1/tokens/vex") < 10
    assert len(paths) == 13


def test_a_fight_that_ends_clears_the_table_and_another_replaces_it(fight: Told) -> None:
    fight.told()
    fight.play("combat abandon")
    fight.play("combat start", encounter="mill", goal="", party=["vex"])
    fight.told()
    assert fight.server.scene is not None
    assert fight.server.scene["name"] == "The Mill"
    assert set(fight.server.tokens) == {"vex", "goblin"}
    fight.play("combat abandon")
    fight.told()
    assert (fight.server.scene, fight.server.tokens, fight.server.order) == (None, {}, None)


def test_a_new_target_gets_the_state_and_the_evening_under_way(fight: Told) -> None:
    fight.play("session end")
    first = fight.play("session start", at="", title="")
    fight.roll(1)
    waiting = [request["url"] for request in dry_run(fight.folder, fight.settings)]
    assert sum(url.endswith("/results") for url in waiting) == 2
    fight.told()
    assert [result["seq"] for result in fight.server.results] == [first, first + 1]
    assert "vex" in fight.server.tokens
    # What was never told isn't taken back either.
    fight.undo(3)
    fight.told()
    marks = [(result["seq"], result["undone"]) for result in fight.server.results]
    assert marks == [(first, True), (first + 1, True), (first + 2, False)]
    assert fight.server.texts()[-1] == f"Undone: #{first + 1} d6: 1; and 1 more."


def test_a_rejected_result_is_reviewed_and_the_rest_goes_on(evening: Told) -> None:
    for face in (1, 2, 3):
        evening.roll(face)
    refusal = {"error": {"code": "bad_request", "message": "too rude"}}
    evening.server.faults = [Handler.apply, answers(422, {}, refusal)]
    report = evening.told()
    assert report.review == 1
    assert [result["id"] for result in evening.server.results] == ["2", "3"]
    (item,) = evening.cursor.review
    assert (item["id"], item["why"]) == ("1", "it answered 422 (too rude)")
    with pytest.raises(Usage, match="no '9' to review"):
        resend_result_or_requeue_item(evening.folder, evening.settings, "9")
    evening.server.faults = [answers(422, {}, refusal)]
    with pytest.raises(BridgeProblem, match="did not accept 1"):
        resend_result_or_requeue_item(evening.folder, evening.settings, "1")
    resend_result_or_requeue_item(evening.folder, evening.settings, "1")
    assert [result["id"] for result in evening.server.results] == ["2", "3", "1"]
    assert evening.cursor.review == []


def test_a_rejected_token_is_not_sent_again_until_it_changes(fight: Told) -> None:
    fight.told()
    fight.move("vex", "B1")
    fight.server.faults = [answers(422)]
    assert fight.told().review == 1
    assert fight.told().sent == 0
    fight.move("vex", "C1")
    assert fight.told().review == 0
    assert fight.server.tokens["vex"]["position"] == {"x": 2, "y": 0}
    fight.move("vex", "D1")
    fight.server.faults = [answers(422)]
    fight.told()
    drop_item_or_queued_result(fight.folder, fight.settings, "token:vex")
    assert fight.cursor.review == []


def test_what_is_wrong_with_the_whole_target_holds_the_queue(evening: Told) -> None:
    evening.roll(1)
    for status, words in (
        (401, "does not accept the key"),
        (403, "may not do this"),
        (404, "nothing at this address"),
        (302, "redirects are not followed"),
    ):
        with case(status):
            evening.server.seen.clear()
            evening.server.always = answers(status, {"Location": "http://127.0.0.1:1/"})
            report = evening.push()
            assert words in report.error
            assert (report.lag, report.review, report.next_attempt) == (1, 0, None)
            assert len(evening.server.writes()) == 1
    evening.server.always = None
    evening.told()
    assert len(evening.server.results) == 1


def test_a_time_that_the_table_names_is_kept_by_the_next_push_too(evening: Told) -> None:
    evening.roll(1)
    evening.server.always = answers(429, {"Retry-After": "600"})
    for _ in range(2):
        report = evening.push()
        assert "429" in report.error
        assert report.next_attempt is not None
        assert 590 < report.next_attempt - time.time() < 601
    assert len(evening.server.writes()) == 1


def test_a_time_of_our_own_is_not_waited_for_by_somebody_who_pushes(evening: Told) -> None:
    evening.roll(1)
    evening.server.always = answers(503)
    report = evening.push(Patience(0.05, 0.05, at_once=True))
    assert "503" in report.error
    cursor = evening.cursor
    cursor.next_attempt = time.time() + 500
    cursor.save(evening.folder)
    evening.server.always = None
    assert push(evening.folder, evening.settings, AUTO).results == 0
    evening.told()


def test_two_pushes_at_once_are_one_worker(evening: Told) -> None:
    for face in range(6):
        evening.roll(face + 1)
    evening.server.delay = 0.02
    with ThreadPoolExecutor() as both:
        reports = [*both.map(lambda _: push(evening.folder, evening.settings), range(2))]
    assert evening.server.most_at_once == 1
    assert [result["id"] for result in evening.server.results] == ["1", "2", "3", "4", "5", "6"]
    assert [(report.lag, report.error) for report in reports] == [(0, "")] * 2
    assert sum(report.results for report in reports) == 6


@pytest.mark.slow
def test_a_worker_that_is_killed_leaves_nothing_lost_and_nothing_doubled(evening: Told) -> None:
    seqs = [evening.roll(face % 6 + 1) for face in range(12)]
    point_at(evening, evening.server.url)
    agree_to(evening.folder)
    for most in (4, 8):
        gone = threading.Event()

        def answers_up_to(handler: Handler, most: int = most, gone: threading.Event = gone) -> None:
            if len(evening.server.results) >= most:
                gone.wait(60)
            handler.apply()

        evening.server.always = answers_up_to
        worker = subprocess.Popen([sys.executable, "-m", "strike_bridge", "push", str(evening.folder)])
        try:
            until(lambda most=most: len(evening.server.results) >= most)  # type: ignore[misc]
        finally:
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            gone.set()
        until(lambda: evening.server.at_once == 0)
    assert len(evening.server.results) < 12
    evening.server.always = None
    evening.told()
    assert [result["seq"] for result in evening.server.results] == seqs


def test_a_drain_is_left_behind_and_finds_its_way(fight: Told) -> None:
    point_at(fight, fight.server.url)
    agree_to(fight.folder)
    go_on = threading.Event()

    def answers_later(handler: Handler) -> None:
        go_on.wait(60)
        handler.apply()

    fight.server.faults = [answers_later]
    start_workers_and_list_not_agreed(fight.folder, {"table": {}})
    assert fight.server.results == []  # it doesn't wait; benchmarks say how long it takes
    go_on.set()
    until(lambda: len(fight.server.results) == 2)
    until(lambda: not is_delivering(fight.folder, "table"))
    assert cursor_of(fight, "table").acknowledged == 2


@pytest.mark.parametrize("unattended", [True, False])
def test_changed_settings_end_the_wait_for_the_next_attempt(
    evening: Told, monkeypatch: pytest.MonkeyPatch, unattended: bool
) -> None:
    point_at(evening, "http://127.0.0.1:9")  # nobody is there
    evening.settings = read_targets(evening.folder)["table"]
    agree_to(evening.folder)
    monkeypatch.setattr("strike_bridge.worker.retry_delay", lambda *given: 50.0)
    monkeypatch.setattr("strike_bridge.push_follow_and_sync.SETTLE_SECONDS", 0.35)
    evening.roll(1)
    stop = threading.Event()
    work = partial(push_unattended, evening.folder, evening.settings)
    if not unattended:
        work = partial(deliver_until_stopped, evening.folder, evening.settings, stop)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        until(lambda: (cursor := Cursor.load(evening.folder, "table")) and cursor.next_attempt)
        file = evening.folder / "campaign.toml"
        text = file.read_text("utf-8").replace("http://127.0.0.1:9", evening.server.url)
        file.write_text("", "utf-8")  # as many editors do
        time.sleep(0.05)
        file.write_text(text, "utf-8")
        agree_to(evening.folder)
        until(lambda: evening.server.results)
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()


def test_what_the_table_asked_for_is_waited_for_whatever_is_changed(evening: Told) -> None:
    evening.roll(1)
    evening.server.always = answers(429, headers={"retry-after": "30"})
    assert evening.push().next_attempt
    evening.server.always = None
    assert push(evening.folder, evening.settings._replace(hp="bar"), HASTY).lag == 1


def test_no_drain_is_left_where_a_worker_runs(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr(
        "strike_bridge.worker_launcher._start_worker", lambda folder, name: started.append(name)
    )
    with try_to_hold_lock(target_file_path(evening.folder, "table", ".lock")) as had:
        assert had
        start_workers_and_list_not_agreed(evening.folder, {"table": {}, "other": {}})
    assert started == ["other"]


def test_a_command_between_the_last_look_and_the_lock_is_told_too(
    evening: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.roll(1)
    played: list[int] = []
    closing = Worker._save_idle_cursor_and_fill_report

    def close_late(worker: Worker) -> None:
        closing(worker)
        if not played:
            played.append(evening.roll(2))  # its own drain would find the lock held

    monkeypatch.setattr(Worker, "_save_idle_cursor_and_fill_report", close_late)
    evening.told()
    assert [result["id"] for result in evening.server.results] == ["1", "2"]


def test_following_tells_what_happens_and_goes_on_after_an_outage(fight: Told) -> None:
    with Followed(fight, fight.settings) as followed:
        until(lambda: len(fight.server.results) == 2)
        fight.move("vex", "B2")
        until(lambda: fight.server.tokens["vex"]["position"] == {"x": 1, "y": 1})
        fight.server.always = answers(503)
        fight.roll(4)
        until(lambda: followed.said)
        fight.server.always = None
        until(lambda: len(followed.said) == 2)
        assert followed.said == ["it answered 503", ""]
        assert fight.server.texts()[-1].endswith("4.")
        # What another process asks for is done by the one that runs.
        fight.server.tokens.clear()
        resend_whole_state(fight.folder, fight.settings)
        until(lambda: set(fight.server.tokens) == {"vex", "brann", "goblin-1", "goblin-2"})


def test_following_waits_until_somebody_has_mended_what_is_wrong(
    evening: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(evening, evening.server.url)
    evening.settings = read_targets(evening.folder)["table"]
    evening.roll(1)
    monkeypatch.delenv("STRIKE_TABLE_KEY")
    with Followed(evening, evening.settings) as followed:
        until(lambda: followed.said == ["There is no key for table."])
        put_in_keys(evening.folder, '[targets.table]\nkey = "wrong"\n')
        until(lambda: len(followed.said) == 2)
        assert "401" in followed.said[1]
        tries = len(evening.server.writes())
        put_in_keys(evening.folder, f'[targets.table]\nkey = "{KEY}"\n')
        until(lambda: len(evening.server.results) == 1)
        assert tries == 1
        # And what a command wants to do meanwhile, it may.
        evening.server.always = answers(422)
        evening.roll(2)
        until(lambda: evening.cursor.review)
        evening.server.always = None
        drop_item_or_queued_result(evening.folder, evening.settings, "2")
        assert evening.cursor.review == []
        evening.roll(3)
        until(lambda: len(evening.server.results) == 2)


def test_410_switches_a_target_off_until_it_is_pushed_or_edited(
    evening: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    def outcome(target: TableTarget, request: Request, answer: Answer, now: float) -> Outcome:
        found = Target.outcome(target, request, answer, now)
        return found._replace(all=True, off=True) if answer.status == 410 else found

    monkeypatch.setattr(TableTarget, "outcome", outcome)
    evening.roll(1)
    evening.server.faults = [answers(410), answers(410)]
    report = evening.push()
    assert report.off
    assert "410" in report.error
    evening.roll(2)
    assert evening.push().off
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    assert deliver_until_stopped(evening.folder, evening.settings, stop).off
    assert len(evening.server.writes()) == 1
    assert evening.push(turn_on=True).off
    assert len(evening.server.writes()) == 2
    assert evening.told(hp="bar").results == 2
    assert not evening.cursor.off


@pytest.mark.slow
def test_a_result_that_always_makes_the_server_fail_does_not_hold_the_queue(evening: Told) -> None:
    seqs = [evening.roll(face) for face in (1, 2, 3)]

    def poisoned(handler: Handler) -> None:
        if handler.call.method == "POST" and handler.call.body["id"] == "2":
            return html(500)(handler)
        return handler.apply()

    evening.server.always = poisoned
    report = evening.told()
    assert report.review == 1
    assert [result["seq"] for result in evening.server.results] == [seqs[0], seqs[2]]
    assert evening.cursor.review[0]["why"] == "it answered 500, 6 times"
    # A server that is down says so too, and then nothing is given up, however long it takes.
    evening.roll(4)
    evening.server.always = answers(503)
    report = evening.push(Patience(0.5, 0.1, at_once=True))
    assert (report.lag, report.review) == (1, 1)
    # Nor is a server that fails whatever it is told: after a few that wait for people, the rest waits for it.
    for face in (1, 2, 3, 4, 5, 6):
        evening.roll(face)
    evening.server.always = answers(500)
    report = evening.push(Patience(1.0, 0.1, at_once=True))
    assert report.review == 1 + 3
    assert report.lag == 4


def test_a_token_that_cannot_be_taken_away_is_not_forgotten(fight: Told) -> None:
    fight.told()
    gone = {"fight.combatants.goblin-1": None}
    fight.happen(("removed", "goblin-1", "", gone), command="combat remove")

    def stuck(handler: Handler) -> None:
        failing = handler.call.method == "DELETE"
        return html(500)(handler) if failing else handler.apply()

    fight.server.always = stuck
    assert fight.told().review == 1
    fight.roll(1)
    assert fight.told().review == 1, "nor does it hold the queue"
    assert "goblin-1" in fight.server.tokens
    fight.server.always = None
    resend_result_or_requeue_item(fight.folder, fight.settings, "remove:goblin-1")
    assert fight.told().review == 0
    assert "goblin-1" not in fight.server.tokens


@pytest.mark.slow
def test_a_scene_that_cannot_be_cleared_is_waited_for(fight: Told) -> None:
    """Passed over, its tokens would stand there with nobody to know of them."""
    fight.told()
    fight.finish()
    fight.server.always = html(500)
    report = fight.push(Patience(0.5, 0.1, at_once=True))
    assert (report.review, report.lag) == (0, 1)
    assert "500" in report.error
    fight.server.always = None
    fight.told()
    assert not fight.server.tokens


def test_a_cursor_of_before_says_where_it_was_told(fight: Told) -> None:
    fight.told()
    path = fight.folder / "bridge" / "table.json"
    kept = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**kept, "there": kept.pop("destination")}), "utf-8")
    assert fight.cursor.destination == f"table {fight.server.url}"


def test_a_target_at_another_address_is_told_everything_anew(fight: Told) -> None:
    fight.told()
    fight.server.scene, fight.server.tokens = None, {}
    report = fight.told(url=fight.server.url.replace("127.0.0.1", "localhost"))
    assert (report.tokens, report.results) == (4, 0)


@pytest.mark.slow
def test_several_at_once_do_not_wait_for_a_dead_one(evening: Told, nobody: Settings) -> None:
    evening.roll(1)
    dead = nobody._replace(name="dead")
    patience = Patience(5.0, 2.0, at_once=True)
    reports = deliver_in_parallel([dead, evening.settings], lambda one: push(evening.folder, one, patience))
    assert [bool(report.error) for report in reports] == [True, False]
    assert len(evening.server.results) == 1


def test_a_state_that_somebody_is_mending_by_hand_is_waited_for(fight: Told) -> None:
    file = fight.folder / "state.toml"
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole + "\n[half a line", encoding="utf-8")
    assert "state.toml" in fight.push().error
    with Followed(fight, fight.settings):
        time.sleep(0.1)
        file.write_text(whole.replace("hp = 10", "hp = 9", 1), encoding="utf-8")
        until(lambda: fight.server.tokens.get("vex", {}).get("hp") == {"value": 9, "max": 10})


def test_sync_sends_everything_and_no_result_again(fight: Told) -> None:
    fight.told()
    fight.server.tokens["stranger"] = {**fight.server.tokens["vex"], "id": "stranger"}
    fight.server.tokens["vex"] = {**fight.server.tokens["vex"], "hp": {"value": 1, "max": 10}}
    del fight.server.tokens["brann"]
    drift = fight.drift
    assert [(item["id"], item["field"]) for item in drift] == [("vex", "hp"), ("brann", ""), ("stranger", "")]
    fight.server.seen.clear()
    report = resend_whole_state(fight.folder, fight.settings)
    assert (report.error, report.tokens, report.results) == ("", 4, 0)
    assert fight.drift == []


def test_the_cursor_file_survives_and_says_where_it_stands(fight: Told) -> None:
    fight.told()
    file = target_file_path(fight.folder, "table", ".json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    size = (fight.folder / "journal" / "0001.jsonl").stat().st_size
    assert (kept["schema"], kept["target"], kept["acknowledged"]) == (1, "table", 2)
    assert kept["position"] == ["0001.jsonl", size]
    assert set(kept["tokens"]) == {"vex", "brann", "goblin-1", "goblin-2"}
    assert sorted(os.listdir(file.parent)) == ["table.json", "table.lock"]


def test_a_journal_put_back_from_a_copy_is_followed_from_there(
    evening: Told, copy_of: Callable[[Path], Path]
) -> None:
    evening.server.idempotent = True
    evening.roll(1)
    older = copy_of(evening.folder)
    evening.roll(2)
    evening.roll(3)
    evening.told()
    for part in ("state.toml", "journal/0001.jsonl"):
        (evening.folder / part).write_bytes((older / part).read_bytes())
    evening.told()
    evening.roll(4)
    evening.told()
    assert evening.server.texts()[1].endswith("4.")


def test_another_copys_journal_is_not_taken_for_the_one_that_was_told(
    evening: Told, copy_of: Callable[[Path], Path]
) -> None:
    """Issue 33, 3: of two copies that were both played on one journal takes the other's place, as long or
    longer. What was told stays as it is, and sync goes on with the one that is here."""
    evening.server.idempotent = True
    evening.roll(1)
    theirs = Evening.__new__(Evening)
    theirs.folder = copy_of(evening.folder)
    for face in (2, 3):
        evening.roll(face)
        theirs.roll(face + 2)
    theirs.roll(6)
    evening.told()
    for part in ("state.toml", "journal/0001.jsonl"):
        (evening.folder / part).write_bytes((theirs.folder / part).read_bytes())
    seen = len(evening.server.seen)
    report = push(evening.folder, evening.settings)
    assert report.error.startswith("table received another entry 3 than this journal has")
    assert "`strike bridge sync table`" in report.hint
    with pytest.raises(CampaignProblem, match="another entry 3"):
        dry_run(evening.folder, evening.settings)
    assert len(evening.server.seen) == seen
    assert [finding.well for finding in past_delivery_faults(evening.folder)] == [False]
    assert not resend_whole_state(evening.folder, evening.settings).error
    assert evening.server.texts()[-1].endswith("6.")
    assert len(evening.server.texts()) == 4
    evening.told()


def test_a_journal_with_other_line_ends_is_the_same(evening: Told) -> None:
    evening.server.idempotent = True
    evening.roll(1)
    evening.told()
    file = evening.folder / "journal" / "0001.jsonl"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (evening.folder / "state.toml").unlink()
    evening.told()


def test_a_result_that_waits_can_be_given_up(evening: Told) -> None:
    evening.roll(1)
    evening.roll(2)
    with pytest.raises(Usage, match="no '7' to drop"):
        drop_item_or_queued_result(evening.folder, evening.settings, "7")
    drop_item_or_queued_result(evening.folder, evening.settings, "1")
    evening.told()
    assert [result["id"] for result in evening.server.results] == ["2"]
    assert evening.cursor.skip == []


def test_no_key_in_a_dry_run_or_an_error(fight: Told) -> None:
    shown = json.dumps(dry_run(fight.folder, fight.settings))
    assert '"authorization": "Bearer ***"' in shown
    assert KEY not in shown
    assert not target_file_path(fight.folder, "table", ".json").exists()
    # This table quotes the key in its refusals.
    fight.server.always = answers(422, {}, {"error": {"message": f"Bearer {KEY} said so"}})
    report = fight.push()
    assert report.review
    fight.server.always = answers(401, {}, {"error": {"message": f"{KEY} is wrong"}})
    fight.roll(1)
    report = fight.push()
    assert "***" in report.error
    assert KEY not in everything_kept(fight) + repr(report)


def test_deliveries_are_told_to_the_embedded_table(evening: Evening, tmp_path: Path) -> None:
    with served(tmp_path / "kept") as url:
        settings = Settings("table", "table", url)
        evening.start()
        evening.play("combat damage", who="goblin-1", amount=4, why="a falling tree")
        evening.roll(5)
        evening.undo()
        told(evening, settings)
        assert diff_target(evening.folder, settings) == []
        headers = {"Authorization": f"Bearer {KEY}"}
        results = httpx.get(f"{url}/api/v1/results", headers=headers, verify=False).json()["results"]
        assert [(result["id"], result["undone"]) for result in results] == [
            ("1", False), ("2", False), ("3", False), ("4", True), ("5", False),
        ]  # fmt: skip
        (die,) = results[3]["dice"]
        told_of = {"who": "Vex", "purpose": "die", "sides": 6, "faces": [5], "kept": 5}
        assert {key: die[key] for key in told_of} == told_of
        assert resend_whole_state(evening.folder, settings).error == ""


def test_another_address_in_the_clear_is_refused(evening: Evening) -> None:
    report = push(evening.folder, Settings("far", "table", "http://table.example:4747"))
    assert report.error
    assert "insecure = true" in report.hint
    assert "not an address" in push(evening.folder, Settings("far", "table", "ftp://table.example")).error
    held_key = push(evening.folder, Settings("far", "table", "https://me:word@table.example")).error
    assert "holds a name or a password" in held_key
    assert "word@" not in held_key


@pytest.mark.slow
def test_a_slow_target_gets_on_while_others_play(fight: Told) -> None:
    """Somebody plays faster than it answers: every token and every result has its turn all the same."""
    fight.told()
    fight.server.delay = 0.04
    with Followed(fight, fight.settings):
        for count in range(400):
            if count >= 24 and len(fight.server.results) > 3:
                break
            doing = "combat damage" if count % 4 < 2 else "combat heal"
            fight.play(doing, who=("vex", "brann")[count % 2], amount=1, why="a branch")
            fight.move("vex", f"A{count % 3 + 1}")
            fight.move("brann", f"B{count % 3 + 1}")
            time.sleep(0.02)
        during = len(fight.server.results)
    assert any(path.endswith("brann") for _, path, _ in fight.server.writes()[8:])
    assert during > 3
