"""Tabletops with ids of their own: linked, created once, adopted, asked in a session."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from support.evening import Evening

from strike_bridge import targets
from strike_bridge.delivery_cursor import Cursor
from strike_bridge.delivery_operations import deliver_until_stopped, push, resend_item, sync
from strike_bridge.dry_run import dry_run
from strike_bridge.settings import Settings
from strike_bridge.target_differences import diff_target
from strike_bridge.token_links import (
    link_by_our_id_or_name,
    link_token,
    names_of_tokens_to_send,
    unlink_token,
)
from strike_bridge.worker import Patience
from strike_cli.problems import Usage

from .helpers import HASTY, told
from .servers.base import answers, applies_and, drops, running, silent
from .servers.inn import PASSWORD, Inn, InnTarget


@pytest.fixture
def inn(monkeypatch: pytest.MonkeyPatch) -> Iterator[Inn]:
    monkeypatch.setenv("STRIKE_INN_PASSWORD", PASSWORD)
    for name in ("InnTarget", "DeafInnTarget"):
        kind = "inn" if name == "InnTarget" else "deaf-inn"
        monkeypatch.setitem(targets.KINDS, kind, f"{InnTarget.__module__}:{name}")
    with running(Inn()) as server:
        yield server


@pytest.fixture
def at_the_inn(inn: Inn) -> Settings:
    return Settings("inn", "inn", inn.url, create=True)


def cursor_of(evening: Evening) -> Cursor:
    cursor = Cursor.load(evening.folder, "inn")
    assert cursor is not None
    return cursor


def names(inn: Inn) -> list[str]:
    return sorted(token["name"] for token in inn.tokens.values())


FOUR = ["Brann", "Goblin 1", "Goblin 2", "Vex"]


def test_missing_tokens_are_made_once_where_that_is_allowed(
    fight: Evening, inn: Inn, at_the_inn: Settings
) -> None:
    told(fight, at_the_inn)
    assert names(inn) == FOUR
    links = cursor_of(fight).links
    fight.move("vex", "B2")
    told(fight, at_the_inn)
    assert inn.tokens[links["vex"]]["x"] == 1
    assert inn.made == 4
    assert diff_target(fight.folder, at_the_inn) == []
    # A sync brings them up to date, and so does a bridge that has lost its memory.
    inn.tokens[links["vex"]]["x"] = 7
    assert [item["field"] for item in diff_target(fight.folder, at_the_inn)] == ["position"]
    sync(fight.folder, at_the_inn)
    assert inn.tokens[links["vex"]]["x"] == 1
    (fight.folder / "bridge" / "inn.json").unlink()
    told(fight, at_the_inn)
    assert (inn.made, cursor_of(fight).links) == (4, links)
    fight.play("combat abandon")
    told(fight, at_the_inn)
    assert inn.tokens == {}
    assert cursor_of(fight).links == {}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "fault",
    [applies_and(drops), applies_and(answers(500)), applies_and(silent), drops, answers(500), answers(408)],
    ids=["made, lost", "made, 500", "made, silent", "lost", "500", "408"],
)
def test_a_creation_that_may_have_arrived_is_looked_for_before_another(
    fight: Evening, inn: Inn, at_the_inn: Settings, fault: object
) -> None:
    told(fight, at_the_inn._replace(create=False))
    inn.faults = [fault] * 2  # type: ignore[list-item]
    told(fight, at_the_inn)
    assert names(inn) == FOUR
    assert len(cursor_of(fight).links) == 4


def test_a_creation_that_nobody_can_tell_of_is_left_to_people(evening: Evening, inn: Inn) -> None:
    deaf = Settings("inn", "deaf-inn", inn.url, create=True)
    evening.start()
    told(evening, deaf._replace(create=False))
    inn.faults = [applies_and(drops)]
    assert told(evening, deaf).review == 1
    (item,) = cursor_of(evening).review
    assert item["id"] == "token:vex"
    evening.move("vex", "B1")
    told(evening, deaf)
    assert names(inn) == FOUR
    link_token(evening.folder, deaf, "vex", "t1")
    told(evening, deaf)
    assert inn.tokens["t1"]["x"] == 1
    assert cursor_of(evening).review == []


def test_a_chat_line_that_nobody_can_tell_of_is_never_said_twice(evening: Evening, inn: Inn) -> None:
    deaf = Settings("inn", "deaf-inn", inn.url)
    evening.roll(1)
    told(evening, deaf)
    evening.roll(2)
    evening.roll(3)
    inn.faults = [applies_and(drops)]
    report = push(evening.folder, deaf, HASTY)
    assert (report.review, report.lag) == (1, 0)
    assert [line["id"] for line in inn.chat] == ["1", "2", "3"]
    resend_item(evening.folder, deaf, "2")  # somebody has looked
    assert [line["id"] for line in inn.chat] == ["1", "2", "3", "2"]


def test_without_leave_nothing_is_made_and_status_says_who_lacks_a_token(
    evening: Evening, inn: Inn, at_the_inn: Settings
) -> None:
    keep = at_the_inn._replace(create=False)
    evening.start()
    vex, twice = inn.add("vex"), [inn.add("Goblin 1"), inn.add("Goblin 1")]
    report = told(evening, keep)
    assert (report.tokens, report.error) == (0, "")
    assert cursor_of(evening).unlinked == ["vex", "brann", "goblin-1", "goblin-2"]
    came = link_by_our_id_or_name(evening.folder, keep, names_of_tokens_to_send(evening.folder, keep))
    assert {id: token.id for id, token in came.linked.items()} == {"vex": vex}
    assert [token.id for token in came.several["goblin-1"]] == twice
    assert came.missing == ["brann", "goblin-2"]
    told(evening, keep)
    assert inn.tokens[vex]["hp"] == {"value": 10, "max": 10}
    assert cursor_of(evening).unlinked == ["brann", "goblin-1", "goblin-2"]
    with pytest.raises(Usage, match="no token 't99'"):
        link_token(evening.folder, keep, "goblin-1", "t99")
    link_token(evening.folder, keep, "goblin-1", twice[1])
    # What people have linked is theirs: it outlives the fight, and stays when it is unlinked.
    evening.play("combat abandon")
    told(evening, keep)
    assert set(inn.tokens) == {vex, *twice}
    assert cursor_of(evening).links == {"vex": vex, "goblin-1": twice[1]}
    assert unlink_token(evening.folder, keep, "vex") == vex
    with pytest.raises(Usage, match="vex is not linked"):
        unlink_token(evening.folder, keep, "vex")
    assert vex in inn.tokens


def test_somebody_who_hides_is_taken_off_what_players_see(
    fight: Evening, inn: Inn, at_the_inn: Settings
) -> None:
    told(fight, at_the_inn)
    fight.happen(("hid", "goblin-1", "", {"fight.combatants.goblin-1.hidden": True}))
    told(fight, at_the_inn)
    assert names(inn) == ["Brann", "Goblin 2", "Vex"]
    # Also where its creation was under way when the worker died.
    fight.happen(("seen", "goblin-1", "", {"fight.combatants.goblin-1.hidden": None}))
    inn.faults = [applies_and(drops)]
    push(fight.folder, at_the_inn, Patience(0.0, 0.0, at_once=True))
    assert cursor_of(fight).creating == ["goblin-1"]
    fight.happen(("hid", "goblin-1", "", {"fight.combatants.goblin-1.hidden": True}))
    told(fight, at_the_inn)
    assert names(inn) == ["Brann", "Goblin 2", "Vex"]


def test_a_session_is_asked_for_once_and_anew_when_it_has_ended(
    evening: Evening, inn: Inn, at_the_inn: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.roll(1)
    told(evening, at_the_inn)
    evening.roll(2)
    told(evening, at_the_inn)
    assert inn.sessions == 1
    inn.sessions = 7  # the server was restarted
    evening.roll(3)
    told(evening, at_the_inn)
    assert inn.sessions == 8
    assert [line["id"] for line in inn.chat] == ["1", "2", "3"]
    monkeypatch.setenv("STRIKE_INN_PASSWORD", "guessed")
    inn.sessions = 9
    evening.roll(4)
    report = push(evening.folder, at_the_inn, HASTY)
    assert "401" in report.error
    assert "guessed" not in report.error
    assert len(inn.writes("login")) == 3


def test_a_dry_run_of_procedures_shows_placeholders_and_no_secret(
    fight: Evening, inn: Inn, at_the_inn: Settings
) -> None:
    shown = dry_run(fight.folder, at_the_inn)
    assert [request["method"] for request in shown] == ["POST"] * 6
    assert shown[0]["headers"] == {"cookie": "***"}
    assert PASSWORD not in json.dumps(shown)
    assert inn.calls == []


def test_a_running_worker_steps_aside_for_a_link(evening: Evening, inn: Inn, at_the_inn: Settings) -> None:
    keep = at_the_inn._replace(create=False)
    evening.start()
    vex = inn.add("Vex")
    stop = threading.Event()
    thread = threading.Thread(target=deliver_until_stopped, args=(evening.folder, keep, stop))
    thread.start()
    try:
        deadline = threading.Event()
        while len(inn.chat) < 2:
            assert not deadline.wait(0.01)
        link_token(evening.folder, keep, "vex", vex)
        for _ in range(500):
            if "hp" in inn.tokens[vex]:
                break
            deadline.wait(0.01)
    finally:
        stop.set()
        thread.join(5)
    assert inn.tokens[vex]["hp"] == {"value": 10, "max": 10}
