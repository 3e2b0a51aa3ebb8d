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
from functools import partial
from pathlib import Path

import pytest
from support.agreed import agree_to, put_in_keys
from support.evening import Evening

from strike_bridge.delivery_cursor import Cursor
from strike_bridge.delivery_operations import (
    deliver_in_parallel,
    deliver_until_stopped,
    drop_item_or_queued_result,
    is_delivering,
    push,
    push_unattended,
    resend_item,
    sync,
)
from strike_bridge.doctor import past_delivery_faults
from strike_bridge.dry_run import dry_run
from strike_bridge.http_conversation import Answer, Request
from strike_bridge.request_outcome import Outcome
from strike_bridge.settings import Settings, read_targets, target_file_path
from strike_bridge.target_differences import diff_target
from strike_bridge.targets.base import Target
from strike_bridge.targets.table import TableTarget
from strike_bridge.worker import AUTO, DeliveryReport, Patience
from strike_bridge.worker_launcher import start_missing_agreed_workers
from strike_bridge.worker_lock import try_to_hold_lock
from strike_cli.problems import BridgeProblem, CampaignProblem, Usage

from .helpers import HASTY, told
from .servers.base import Fault, Handler, answers, applies_and, cut_short, drips, drops, html, silent
from .servers.table import KEY, BadTable


def cursor_of(evening: Evening) -> Cursor:
    cursor = Cursor.load(evening.folder, "table")
    assert cursor is not None
    return cursor


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def test_the_table_is_told_the_whole_scene_and_the_evening(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    report = told(fight, settings)
    assert bad_table.scene == {
        "id": "ford",
        "name": "The Ford",
        "goal": "Get across",
        "rows": ["........", "........", "........"],
        "walls": [],
        "one_way_walls": [],
        "doors": [],
        "zones": [],
        "image": None,
    }
    assert set(bad_table.tokens) == {"vex", "brann", "goblin-1", "goblin-2"}
    assert bad_table.tokens["vex"] == {
        "id": "vex",
        "name": "Vex",
        "side": "party",
        "position": {"x": 0, "y": 0},
        "away": False,
        "size": 1,
        "hp": {"value": 10, "max": 10},
        "hp_shown": "exact",
        "wounds": "unhurt",
        "meters": [
            {
                "id": "hp",
                "name": "HP",
                "one": "",
                "sign": "",
                "value": 10,
                "max": 10,
                "shown": "exact",
                "wounds": "unhurt",
                "gm": None,
            }
        ],
        "statuses": [],
        "status_ids": [],
        "hidden": False,
        "initiative": None,
        "active": False,
        "state": "up",
        "image": None,
    }
    nobody_yet = {"kind": "list", "round": 0, "active": None, "next": [], "entries": []}
    assert bad_table.order == nobody_yet
    assert bad_table.texts()[0].startswith("Session 1 begins.")
    assert bad_table.texts()[1:] == ["The Ford begins. The goal: Get across."]
    assert (report.tokens, report.results) == (4, 2)
    assert told(fight, settings).sent == 0


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_a_long_evening_arrives_once_and_in_order_over_every_fault(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    seqs = [fight.roll(face % 6 + 1) for face in range(20)]
    # Every second request fails, each time in another way; this table shows twice what it is sent twice.
    faults: list[Fault] = [
        answers(500), answers(429), answers(408), drops, applies_and(drops), applies_and(answers(500)),
        applies_and(answers(408)), html(502), applies_and(cut_short), applies_and(drips), silent,
        applies_and(silent), answers(503, {"Retry-After": "0.01"}), answers(429, {}, {"retry_after": 0.01}),
    ]  # fmt: skip
    bad_table.faults = [each for fault in faults for each in (fault, Handler.apply)]
    told(fight, settings)
    assert [result["seq"] for result in bad_table.results] == [1, 2, *seqs]
    assert not bad_table.faults
    assert not bad_table.heard_out
    assert cursor_of(fight).last_error == ""


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "fault", [drops, answers(500), answers(408), silent], ids=["drops", "500", "408", "silent"]
)
def test_a_result_that_may_have_arrived_is_asked_for_before_it_is_sent_again(
    evening: Evening, bad_table: BadTable, settings: Settings, fault: Fault
) -> None:
    evening.play("session start", at="", title="")
    told(evening, settings)
    evening.roll(3)
    bad_table.faults = [applies_and(fault)]
    told(evening, settings)
    assert [method for method, path, _ in bad_table.seen if path.endswith("results")][1:] == ["POST", "GET"]
    evening.roll(4)
    bad_table.faults = [fault]
    told(evening, settings)
    assert [text.split()[-1] for text in bad_table.texts()[1:]] == ["3.", "4."]


def test_every_attempt_at_a_result_carries_the_same_key(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    evening.roll(3)
    bad_table.faults = [Handler.apply, answers(500), answers(429)]
    told(evening, settings)
    keys = [key for key in bad_table.keys if key]
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_a_dead_table_ends_the_push_at_once_and_loses_nothing(
    fight: Evening, bad_table: BadTable, settings: Settings, nobody: Settings
) -> None:
    report = push(fight.folder, nobody)
    assert "connection refused" in report.error
    assert report.next_attempt is not None
    assert report.lag == 2
    assert bad_table.results == []
    told(fight, settings)
    assert [result["seq"] for result in bad_table.results] == [1, 2]
    assert cursor_of(fight).next_attempt is None


def test_catching_up_sends_the_last_of_many_moves(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    bad_table.seen.clear()
    for step in range(32):
        fight.move("vex", f"{'BCDE'[step % 4]}3")
    told(fight, settings)
    assert [path for _, path, _ in bad_table.writes()] == ["/api/v1/tokens/vex"]
    assert bad_table.tokens["vex"]["position"] == {"x": 4, "y": 2}


def test_undo_is_the_state_as_it_is_again_and_marks_its_results(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    fight.play("combat damage", who="vex", amount=3, why="a fall")
    fight.roll(6)
    told(fight, settings)
    before = list(bad_table.results)
    assert bad_table.tokens["vex"]["hp"] == {"value": 7, "max": 10}

    fight.undo(2)
    told(fight, settings)
    assert bad_table.tokens["vex"]["hp"] == {"value": 10, "max": 10}
    assert bad_table.results[:2] == before[:2]
    assert bad_table.results[2:4] == [{**result, "undone": True} for result in before[2:]]
    assert bad_table.texts()[4] == "Undone: #4 d6: 6; and 1 more."
    assert len({*filter(None, bad_table.keys)}) == len([*filter(None, bad_table.keys)])

    fight.redo(2)
    told(fight, settings)
    assert bad_table.tokens["vex"]["hp"] == {"value": 7, "max": 10}
    assert bad_table.results[:4] == before
    assert bad_table.texts()[5] == "Done again: #3 Vex takes 3 damage from a fall: 10 to 7 HP; and 1 more."


def test_undo_before_anything_was_told_tells_both(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    evening.roll(2)
    evening.undo()
    told(evening, settings)
    assert [(result["id"], result["undone"]) for result in bad_table.results] == [("1", True), ("2", False)]


def test_an_undo_that_was_half_told_goes_on_where_it_was(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    for face in (1, 2, 3):
        evening.roll(face)
    told(evening, settings)
    evening.undo(3)
    bad_table.seen.clear()
    bad_table.faults = [Handler.apply, Handler.apply, answers(401)]
    assert push(evening.folder, settings, HASTY).lag == 1
    told(evening, settings)
    posted = [body["id"] for _, path, body in bad_table.writes("results")]
    assert posted == ["4", "3", "2", "2", "1"]  # the second "2" is the one that was refused
    assert [result["undone"] for result in bad_table.results] == [True, True, True, False]


def test_a_state_file_behind_the_journal_makes_no_difference(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    # A command that is killed after its line was written leaves the state to the next one.
    behind = (fight.folder / "state.toml").read_bytes()
    fight.happen(("hid", "goblin-1", "", {"fight.combatants.goblin-1.hidden": True}))
    fight.happen(("said", "goblin-1", "Goblin 1 holds its breath.", {}))
    fight.happen(("seen", "goblin-1", "Goblin 1 is back.", {"fight.combatants.goblin-1.hidden": None}))
    (fight.folder / "state.toml").write_bytes(behind)
    told(fight, settings)
    assert bad_table.texts()[2:] == ["Goblin 1 is back."]
    fight.happen(("said", "goblin-1", "Goblin 1 laughs.", {"fight.combatants.goblin-1.hp": 2}))
    (fight.folder / "state.toml").write_bytes(behind)
    told(fight, settings)
    assert bad_table.texts()[2:] == ["Goblin 1 is back.", "Goblin 1 laughs."]
    assert bad_table.tokens["goblin-1"]["hp"]["value"] == 2


def test_a_token_does_not_wait_for_many_old_results(
    evening: Evening, bad_table: BadTable, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strike_bridge.worker.FRESH", 0.02)
    evening.start()
    told(evening, settings)
    for face in range(12):
        evening.roll(face % 6 + 1)
    bad_table.delay = 0.01
    bad_table.seen.clear()
    bad_table.faults = [lambda handler: (evening.move("vex", "B2"), handler.apply())[1]]
    told(evening, settings)
    paths = [path for _, path, _ in bad_table.writes()]
    assert 0 < paths.index("/api/v1/tokens/vex") < 10
    assert len(paths) == 13


def test_a_fight_that_ends_clears_the_table_and_another_replaces_it(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    fight.play("combat abandon")
    fight.play("combat start", encounter="mill", goal="", party=["vex"])
    told(fight, settings)
    assert bad_table.scene is not None
    assert bad_table.scene["name"] == "The Mill"
    assert set(bad_table.tokens) == {"vex", "goblin"}
    fight.play("combat abandon")
    told(fight, settings)
    assert (bad_table.scene, bad_table.tokens, bad_table.order) == (None, {}, None)


def test_a_new_target_gets_the_state_and_the_evening_under_way(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    fight.play("session end")
    first = fight.play("session start", at="", title="")
    fight.roll(1)
    assert cursor_count(fight, settings) == 2
    told(fight, settings)
    assert [result["seq"] for result in bad_table.results] == [first, first + 1]
    assert "vex" in bad_table.tokens
    # What was never told isn't taken back either.
    fight.undo(3)
    told(fight, settings)
    marks = [(result["seq"], result["undone"]) for result in bad_table.results]
    assert marks == [(first, True), (first + 1, True), (first + 2, False)]
    assert bad_table.texts()[-1] == f"Undone: #{first + 1} d6: 1; and 1 more."


def cursor_count(evening: Evening, settings: Settings) -> int:
    return sum(request["url"].endswith("/results") for request in dry_run(evening.folder, settings))


def test_a_rejected_result_is_reviewed_and_the_rest_goes_on(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    for face in (1, 2, 3):
        evening.roll(face)
    refusal = {"error": {"code": "bad_request", "message": "too rude"}}
    bad_table.faults = [Handler.apply, answers(422, {}, refusal)]
    report = told(evening, settings)
    assert report.review == 1
    assert [result["id"] for result in bad_table.results] == ["2", "3"]
    (item,) = cursor_of(evening).review
    assert (item["id"], item["why"]) == ("1", "it answered 422 (too rude)")
    with pytest.raises(Usage, match="no '9' to review"):
        resend_item(evening.folder, settings, "9")
    bad_table.faults = [answers(422, {}, refusal)]
    with pytest.raises(BridgeProblem, match="did not accept 1"):
        resend_item(evening.folder, settings, "1")
    resend_item(evening.folder, settings, "1")
    assert [result["id"] for result in bad_table.results] == ["2", "3", "1"]
    assert cursor_of(evening).review == []


def test_a_rejected_token_is_not_sent_again_until_it_changes(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    fight.move("vex", "B1")
    bad_table.faults = [answers(422)]
    assert told(fight, settings).review == 1
    assert told(fight, settings).sent == 0
    fight.move("vex", "C1")
    assert told(fight, settings).review == 0
    assert bad_table.tokens["vex"]["position"] == {"x": 2, "y": 0}
    fight.move("vex", "D1")
    bad_table.faults = [answers(422)]
    told(fight, settings)
    drop_item_or_queued_result(fight.folder, settings, "token:vex")
    assert cursor_of(fight).review == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (answers(401), "does not accept the key"),
        (answers(403), "may not do this"),
        (answers(404), "nothing at this address"),
        (answers(302, {"Location": "http://127.0.0.1:1/"}), "redirects are not followed"),
    ],
    ids=["401", "403", "404", "redirect"],
)
def test_what_is_wrong_with_the_whole_target_holds_the_queue(
    evening: Evening, bad_table: BadTable, settings: Settings, fault: Fault, words: str
) -> None:
    evening.roll(1)
    bad_table.always = fault
    report = push(evening.folder, settings, HASTY)
    assert words in report.error
    assert (report.lag, report.review, report.next_attempt) == (1, 0, None)
    assert len(bad_table.writes()) == 1
    bad_table.always = None
    told(evening, settings)
    assert len(bad_table.results) == 1


def test_a_time_that_the_table_names_is_kept_by_the_next_push_too(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    evening.roll(1)
    bad_table.always = answers(429, {"Retry-After": "600"})
    for _ in range(2):
        report = push(evening.folder, settings, HASTY)
        assert "429" in report.error
        assert report.next_attempt is not None
        assert 590 < report.next_attempt - time.time() < 601
    assert len(bad_table.writes()) == 1


def test_a_time_of_our_own_is_not_waited_for_by_somebody_who_pushes(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    evening.roll(1)
    bad_table.always = answers(503)
    report = push(evening.folder, settings, Patience(0.05, 0.05, at_once=True))
    assert "503" in report.error
    cursor = cursor_of(evening)
    cursor.next_attempt = time.time() + 500
    cursor.save(evening.folder)
    bad_table.always = None
    assert push(evening.folder, settings, AUTO).results == 0
    told(evening, settings)


def test_two_pushes_at_once_are_one_worker(evening: Evening, bad_table: BadTable, settings: Settings) -> None:
    for face in range(6):
        evening.roll(face + 1)
    bad_table.delay = 0.02
    reports: list[DeliveryReport] = []
    threads = [
        threading.Thread(target=lambda: reports.append(push(evening.folder, settings))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bad_table.most_at_once == 1
    assert [result["id"] for result in bad_table.results] == ["1", "2", "3", "4", "5", "6"]
    assert [(report.lag, report.error) for report in reports] == [(0, "")] * 2
    assert sum(report.results for report in reports) == 6


@pytest.mark.slow
def test_a_worker_that_is_killed_leaves_nothing_lost_and_nothing_doubled(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    seqs = [evening.roll(face % 6 + 1) for face in range(12)]
    point_at(evening, bad_table.url)
    agree_to(evening.folder)
    for most in (4, 8):
        gone = threading.Event()

        def answers_up_to(handler: Handler, most: int = most, gone: threading.Event = gone) -> None:
            if len(bad_table.results) >= most:
                gone.wait(60)
            handler.apply()

        bad_table.always = answers_up_to
        worker = subprocess.Popen([sys.executable, "-m", "strike_bridge", "push", str(evening.folder)])
        try:
            until(lambda most=most: len(bad_table.results) >= most)  # type: ignore[misc]
        finally:
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            gone.set()
        until(lambda: bad_table.at_once == 0)
    assert len(bad_table.results) < 12
    bad_table.always = None
    told(evening, settings)
    assert [result["seq"] for result in bad_table.results] == seqs


def point_at(evening: Evening, url: str) -> None:
    file = evening.folder / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("http://127.0.0.1:4747", url), encoding="utf-8")


def test_a_drain_is_left_behind_and_finds_its_way(fight: Evening, bad_table: BadTable) -> None:
    point_at(fight, bad_table.url)
    agree_to(fight.folder)
    go_on = threading.Event()

    def answers_later(handler: Handler) -> None:
        go_on.wait(60)
        handler.apply()

    bad_table.faults = [answers_later]
    start_missing_agreed_workers(fight.folder, {"table": {}})
    assert bad_table.results == []  # it doesn't wait; benchmarks say how long it takes
    go_on.set()
    until(lambda: len(bad_table.results) == 2)
    until(lambda: not is_delivering(fight.folder, "table"))
    assert cursor_of(fight).acknowledged == 2


@pytest.mark.parametrize("unattended", [True, False])
def test_changed_settings_end_the_wait_for_the_next_attempt(
    evening: Evening, bad_table: BadTable, monkeypatch: pytest.MonkeyPatch, unattended: bool
) -> None:
    point_at(evening, "http://127.0.0.1:9")  # nobody is there
    settings = read_targets(evening.folder)["table"]
    agree_to(evening.folder)
    monkeypatch.setattr("strike_bridge.worker.retry_delay", lambda *given: 50.0)
    evening.roll(1)
    stop = threading.Event()
    work = partial(push_unattended, evening.folder, settings)
    thread = threading.Thread(
        target=work if unattended else partial(deliver_until_stopped, evening.folder, settings, stop),
        daemon=True,
    )
    thread.start()
    try:
        until(lambda: (cursor := Cursor.load(evening.folder, "table")) and cursor.next_attempt)
        file = evening.folder / "campaign.toml"
        text = file.read_text("utf-8").replace("http://127.0.0.1:9", bad_table.url)
        file.write_text("", "utf-8")  # as many editors do
        time.sleep(0.3)
        file.write_text(text, "utf-8")
        agree_to(evening.folder)
        until(lambda: bad_table.results)
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()


def test_what_the_table_asked_for_is_waited_for_whatever_is_changed(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    evening.roll(1)
    bad_table.always = answers(429, headers={"retry-after": "30"})
    assert push(evening.folder, settings, HASTY).next_attempt
    bad_table.always = None
    assert push(evening.folder, settings._replace(hp="bar"), HASTY).lag == 1


def test_no_drain_is_left_where_a_worker_runs(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr(
        "strike_bridge.worker_launcher._start_worker", lambda folder, name: started.append(name)
    )
    with try_to_hold_lock(target_file_path(evening.folder, "table", ".lock")) as had:
        assert had
        start_missing_agreed_workers(evening.folder, {"table": {}, "other": {}})
    assert started == ["other"]


def test_a_command_between_the_last_look_and_the_lock_is_told_too(
    evening: Evening, bad_table: BadTable, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strike_bridge.worker import Worker

    evening.roll(1)
    played: list[int] = []
    closing = Worker._end_work_and_fill_report

    def close_late(worker: Worker) -> None:
        closing(worker)
        if not played:
            played.append(evening.roll(2))  # its own drain would find the lock held

    monkeypatch.setattr(Worker, "_end_work_and_fill_report", close_late)
    told(evening, settings)
    assert [result["id"] for result in bad_table.results] == ["1", "2"]


def test_following_tells_what_happens_and_goes_on_after_an_outage(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    stop, said = threading.Event(), list[str]()
    thread = threading.Thread(
        target=lambda: deliver_until_stopped(
            fight.folder, settings, stop, lambda report: said.append(report.error)
        )
    )
    thread.start()
    try:
        until(lambda: len(bad_table.results) == 2)
        fight.move("vex", "B2")
        until(lambda: bad_table.tokens["vex"]["position"] == {"x": 1, "y": 1})
        bad_table.always = answers(503)
        fight.roll(4)
        until(lambda: said)
        bad_table.always = None
        until(lambda: len(said) == 2)
        assert said == ["it answered 503", ""]
        assert bad_table.texts()[-1].endswith("4.")
        # What another process asks for is done by the one that runs.
        bad_table.tokens.clear()
        sync(fight.folder, settings)
        until(lambda: set(bad_table.tokens) == {"vex", "brann", "goblin-1", "goblin-2"})
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()


def test_following_waits_until_somebody_has_mended_what_is_wrong(
    evening: Evening, bad_table: BadTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(evening, bad_table.url)
    settings = read_targets(evening.folder)["table"]
    evening.roll(1)
    monkeypatch.delenv("STRIKE_TABLE_KEY")
    stop, said = threading.Event(), list[str]()
    thread = threading.Thread(
        target=lambda: deliver_until_stopped(
            evening.folder, settings, stop, lambda report: said.append(report.error)
        )
    )
    thread.start()
    try:
        until(lambda: said == ["There is no key for table."])
        put_in_keys(evening.folder, '[targets.table]\nkey = "wrong"\n')
        until(lambda: len(said) == 2)
        assert "401" in said[1]
        tries = len(bad_table.writes())
        put_in_keys(evening.folder, f'[targets.table]\nkey = "{KEY}"\n')
        until(lambda: len(bad_table.results) == 1)
        assert tries == 1
        # And what a command wants to do meanwhile, it may.
        bad_table.always = answers(422)
        evening.roll(2)
        until(lambda: cursor_of(evening).review)
        bad_table.always = None
        drop_item_or_queued_result(evening.folder, settings, "2")
        assert cursor_of(evening).review == []
        evening.roll(3)
        until(lambda: len(bad_table.results) == 2)
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()


def test_410_switches_a_target_off_until_it_is_pushed_or_edited(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    gone = type("Gone", (TableTarget,), {"outcome": _gone_for_good})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("strike_bridge.targets.table.TableTarget", gone)
        evening.roll(1)
        bad_table.faults = [answers(410), answers(410)]
        report = push(evening.folder, settings, HASTY)
        assert report.off
        assert "410" in report.error
        evening.roll(2)
        assert push(evening.folder, settings, HASTY).off
        assert follow_briefly(evening, settings).off
        assert len(bad_table.writes()) == 1
        assert push(evening.folder, settings, HASTY, turn_on=True).off
        assert len(bad_table.writes()) == 2
        edited = settings._replace(hp="bar")
        assert told(evening, edited).results == 2
        assert not cursor_of(evening).off


def _gone_for_good(self: TableTarget, request: Request, answer: Answer, now: float) -> Outcome:
    outcome = Target.outcome(self, request, answer, now)
    return outcome._replace(all=True, off=True) if answer.status == 410 else outcome


def follow_briefly(evening: Evening, settings: Settings) -> DeliveryReport:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    return deliver_until_stopped(evening.folder, settings, stop)


@pytest.mark.slow
def test_a_result_that_always_makes_the_server_fail_does_not_hold_the_queue(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    seqs = [evening.roll(face) for face in (1, 2, 3)]

    def poisoned(handler: Handler) -> None:
        if handler.call.method == "POST" and handler.call.body["id"] == "2":
            return html(500)(handler)
        return handler.apply()

    bad_table.always = poisoned
    report = told(evening, settings)
    assert report.review == 1
    assert [result["seq"] for result in bad_table.results] == [seqs[0], seqs[2]]
    assert cursor_of(evening).review[0]["why"] == "it answered 500, 6 times"
    # A server that is down says so too, and then nothing is given up, however long it takes.
    evening.roll(4)
    bad_table.always = answers(503)
    report = push(evening.folder, settings, Patience(0.5, 0.1, at_once=True))
    assert (report.lag, report.review) == (1, 1)
    # Nor is a server that fails whatever it is told: after a few that wait for people, the rest waits for it.
    for face in (1, 2, 3, 4, 5, 6):
        evening.roll(face)
    bad_table.always = answers(500)
    report = push(evening.folder, settings, Patience(1.0, 0.1, at_once=True))
    assert report.review == 1 + 3
    assert report.lag == 4


def test_a_token_that_cannot_be_taken_away_is_not_forgotten(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    gone = {"fight.combatants.goblin-1": None}
    fight.happen(("removed", "goblin-1", "", gone), command="combat remove")

    def stuck(handler: Handler) -> None:
        failing = handler.call.method == "DELETE"
        return html(500)(handler) if failing else handler.apply()

    bad_table.always = stuck
    assert told(fight, settings).review == 1
    fight.roll(1)
    assert told(fight, settings).review == 1, "nor does it hold the queue"
    assert "goblin-1" in bad_table.tokens
    bad_table.always = None
    resend_item(fight.folder, settings, "remove:goblin-1")
    assert told(fight, settings).review == 0
    assert "goblin-1" not in bad_table.tokens


@pytest.mark.slow
def test_a_scene_that_cannot_be_cleared_is_waited_for(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    """Passed over, its tokens would stand there with nobody to know of them."""
    told(fight, settings)
    fight.happen(("finished", "", "Over.", {"fight": None}), command="combat finish")
    bad_table.always = html(500)
    report = push(fight.folder, settings, Patience(0.5, 0.1, at_once=True))
    assert (report.review, report.lag) == (0, 1)
    assert "500" in report.error
    bad_table.always = None
    told(fight, settings)
    assert not bad_table.tokens


def test_a_cursor_of_before_says_where_it_was_told(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    path = fight.folder / "bridge" / "table.json"
    kept = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**kept, "there": kept.pop("destination")}), "utf-8")
    assert cursor_of(fight).destination == f"table {bad_table.url}"


def test_a_target_at_another_address_is_told_everything_anew(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    bad_table.scene, bad_table.tokens = None, {}
    moved = settings._replace(url=bad_table.url.replace("127.0.0.1", "localhost"))
    report = told(fight, moved)
    assert (report.tokens, report.results) == (4, 0)


@pytest.mark.slow
def test_several_at_once_do_not_wait_for_a_dead_one(
    evening: Evening, bad_table: BadTable, settings: Settings, nobody: Settings
) -> None:
    evening.roll(1)
    dead = nobody._replace(name="dead")
    patience = Patience(5.0, 2.0, at_once=True)
    reports = deliver_in_parallel([dead, settings], lambda one: push(evening.folder, one, patience))
    assert [bool(report.error) for report in reports] == [True, False]
    assert len(bad_table.results) == 1


def test_a_state_that_somebody_is_mending_by_hand_is_waited_for(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    file = fight.folder / "state.toml"
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole + "\n[half a line", encoding="utf-8")
    assert "state.toml" in push(fight.folder, settings, HASTY).error
    stop = threading.Event()
    thread = threading.Thread(target=lambda: deliver_until_stopped(fight.folder, settings, stop))
    thread.start()
    try:
        time.sleep(0.1)
        file.write_text(whole.replace("hp = 10", "hp = 9", 1), encoding="utf-8")
        until(lambda: bad_table.tokens.get("vex", {}).get("hp") == {"value": 9, "max": 10})
    finally:
        stop.set()
        thread.join(60)


def test_sync_sends_everything_and_no_result_again(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    bad_table.tokens["stranger"] = {**bad_table.tokens["vex"], "id": "stranger"}
    bad_table.tokens["vex"] = {**bad_table.tokens["vex"], "hp": {"value": 1, "max": 10}}
    del bad_table.tokens["brann"]
    drift = diff_target(fight.folder, settings)
    assert [(item["id"], item["field"]) for item in drift] == [("vex", "hp"), ("brann", ""), ("stranger", "")]
    bad_table.seen.clear()
    report = sync(fight.folder, settings)
    assert (report.error, report.tokens, report.results) == ("", 4, 0)
    assert diff_target(fight.folder, settings) == []


def test_the_cursor_file_survives_and_says_where_it_stands(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight, settings)
    file = target_file_path(fight.folder, "table", ".json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    size = (fight.folder / "journal" / "0001.jsonl").stat().st_size
    assert (kept["schema"], kept["target"], kept["acknowledged"]) == (1, "table", 2)
    assert kept["position"] == ["0001.jsonl", size]
    assert set(kept["tokens"]) == {"vex", "brann", "goblin-1", "goblin-2"}
    assert sorted(os.listdir(file.parent)) == ["table.json", "table.lock"]


def test_a_journal_put_back_from_a_copy_is_followed_from_there(
    evening: Evening, bad_table: BadTable, settings: Settings, copy_of: Callable[[Path], Path]
) -> None:
    bad_table.idempotent = True
    evening.roll(1)
    older = copy_of(evening.folder)
    evening.roll(2)
    evening.roll(3)
    told(evening, settings)
    for part in ("state.toml", "journal/0001.jsonl"):
        (evening.folder / part).write_bytes((older / part).read_bytes())
    told(evening, settings)
    evening.roll(4)
    told(evening, settings)
    assert bad_table.texts()[1].endswith("4.")


def test_another_copys_journal_is_not_taken_for_the_one_that_was_told(
    evening: Evening, bad_table: BadTable, settings: Settings, copy_of: Callable[[Path], Path]
) -> None:
    """Issue 33, 3: of two copies that were both played on one journal takes the other's place, as long or
    longer. What was told stays as it is, and sync goes on with the one that is here."""
    bad_table.idempotent = True
    evening.roll(1)
    theirs = Evening.__new__(Evening)
    theirs.folder = copy_of(evening.folder)
    for face in (2, 3):
        evening.roll(face)
        theirs.roll(face + 2)
    theirs.roll(6)
    told(evening, settings)
    for part in ("state.toml", "journal/0001.jsonl"):
        (evening.folder / part).write_bytes((theirs.folder / part).read_bytes())
    seen = len(bad_table.seen)
    report = push(evening.folder, settings)
    assert report.error.startswith("table received another entry 3 than this journal has")
    assert "`strike bridge sync table`" in report.hint
    with pytest.raises(CampaignProblem, match="another entry 3"):
        dry_run(evening.folder, settings)
    assert len(bad_table.seen) == seen
    assert [finding.well for finding in past_delivery_faults(evening.folder)] == [False]
    assert not sync(evening.folder, settings).error
    assert bad_table.texts()[-1].endswith("6.")
    assert len(bad_table.texts()) == 4
    told(evening, settings)


def test_a_journal_with_other_line_ends_is_the_same(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    bad_table.idempotent = True
    evening.roll(1)
    told(evening, settings)
    file = evening.folder / "journal" / "0001.jsonl"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (evening.folder / "state.toml").unlink()
    told(evening, settings)


def test_a_result_that_waits_can_be_given_up(
    evening: Evening, bad_table: BadTable, settings: Settings
) -> None:
    evening.roll(1)
    evening.roll(2)
    with pytest.raises(Usage, match="no '7' to drop"):
        drop_item_or_queued_result(evening.folder, settings, "7")
    drop_item_or_queued_result(evening.folder, settings, "1")
    told(evening, settings)
    assert [result["id"] for result in bad_table.results] == ["2"]
    assert cursor_of(evening).skip == []


def test_no_key_in_a_dry_run_or_an_error(fight: Evening, bad_table: BadTable, settings: Settings) -> None:
    shown = json.dumps(dry_run(fight.folder, settings))
    assert '"authorization": "Bearer ***"' in shown
    assert KEY not in shown
    assert not target_file_path(fight.folder, "table", ".json").exists()
    # This table quotes the key in its refusals.
    bad_table.always = lambda handler: handler.answer(
        422, {"error": {"message": f"{handler.headers['authorization']} said so"}}
    )
    report = push(fight.folder, settings, HASTY)
    assert report.review
    bad_table.always = answers(401, {}, {"error": {"message": f"{KEY} is wrong"}})
    fight.roll(1)
    report = push(fight.folder, settings, HASTY)
    assert "***" in report.error
    kept = [path.read_bytes() for path in fight.folder.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in data for data in kept)
    assert KEY not in repr(report)


def test_deliveries_are_told_to_the_embedded_table(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = pytest.importorskip("strike_table.serve")
    urls: list[str] = []
    stop = threading.Event()
    thread = threading.Thread(
        target=lambda: serve.serve(tmp_path / "kept", KEY, port=0, on_ready=urls.append, stop=stop)
    )
    thread.start()
    try:
        until(lambda: urls)
        settings = Settings("table", "table", urls[0])
        evening.start()
        evening.play("combat damage", who="goblin-1", amount=4, why="a falling tree")
        evening.roll(5)
        evening.undo()
        told(evening, settings)
        assert diff_target(evening.folder, settings) == []
        import httpx

        results = httpx.get(
            f"{urls[0]}/api/v1/results",
            headers={"Authorization": f"Bearer {KEY}"},
            trust_env=False,
            verify=False,
        ).json()["results"]
        assert [(result["id"], result["undone"]) for result in results] == [
            ("1", False), ("2", False), ("3", False), ("4", True), ("5", False),
        ]  # fmt: skip
        (die,) = results[3]["dice"]
        told_of = {"who": "Vex", "purpose": "die", "sides": 6, "faces": [5], "kept": 5}
        assert {key: die[key] for key in told_of} == told_of
        assert sync(evening.folder, settings).error == ""
    finally:
        stop.set()
        thread.join(60)


def test_another_address_in_the_clear_is_refused(evening: Evening) -> None:
    report = push(evening.folder, Settings("far", "table", "http://table.example:4747"))
    assert report.error
    assert "insecure = true" in report.hint
    assert "not an address" in push(evening.folder, Settings("far", "table", "ftp://table.example")).error
    held_key = push(evening.folder, Settings("far", "table", "https://me:word@table.example")).error
    assert "holds a name or a password" in held_key
    assert "word@" not in held_key


@pytest.mark.slow
def test_a_slow_target_gets_on_while_others_play(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    """Somebody plays faster than it answers: every token and every result has its turn all the same."""
    told(fight, settings)
    bad_table.delay = 0.04
    stop = threading.Event()
    thread = threading.Thread(target=deliver_until_stopped, args=(fight.folder, settings, stop))
    thread.start()
    try:
        for count in range(400):
            if count >= 24 and len(bad_table.results) > 3:
                break
            doing = "combat damage" if count % 4 < 2 else "combat heal"
            fight.play(doing, who=("vex", "brann")[count % 2], amount=1, why="a branch")
            fight.move("vex", f"A{count % 3 + 1}")
            fight.move("brann", f"B{count % 3 + 1}")
            time.sleep(0.02)
        during = len(bad_table.results)
    finally:
        stop.set()
        thread.join(60)
    assert any(path.endswith("brann") for _, path, _ in bad_table.writes()[8:])
    assert during > 3
