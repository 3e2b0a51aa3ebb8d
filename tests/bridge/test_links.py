"""Tabletops with ids of their own: linked, created once, adopted, asked in a session."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from strike_bridge.dry_run import dry_run
from strike_bridge.push_follow_and_sync import push, resend_result_or_requeue_item, resend_whole_state
from strike_bridge.settings import Settings
from strike_bridge.token_links import (
    link_by_our_id_or_name,
    link_token,
    names_of_tokens_to_send,
    unlink_token,
)
from strike_bridge.worker import Patience
from strike_cli.problems import Usage

from .helpers import HASTY, Followed, Told, told, until
from .servers.base import answers, applies_and, drops, running
from .servers.inn import PASSWORD, Inn


@pytest.fixture
def inn() -> Iterator[Inn]:
    with running(Inn()) as server:
        yield server


@pytest.fixture
def evening(evening: Told, inn: Inn) -> Told:
    return evening.tell(inn, Settings("inn", "inn", inn.url, create=True))


def names(inn: Inn) -> list[str]:
    return sorted(token["name"] for token in inn.tokens.values())


FOUR = ["Brann", "Goblin 1", "Goblin 2", "Vex"]


def test_missing_tokens_are_made_once_where_that_is_allowed(fight: Told) -> None:
    fight.told()
    assert names(fight.server) == FOUR
    links = fight.cursor.links
    fight.move("vex", "B2")
    fight.told()
    assert fight.server.tokens[links["vex"]]["x"] == 1
    assert fight.server.made == 4
    assert fight.drift == []
    # A sync brings them up to date, and so does a bridge that has lost its memory.
    fight.server.tokens[links["vex"]]["x"] = 7
    assert [item["field"] for item in fight.drift] == ["position"]
    resend_whole_state(fight.folder, fight.settings)
    assert fight.server.tokens[links["vex"]]["x"] == 1
    (fight.folder / "bridge" / "inn.json").unlink()
    fight.told()
    assert (fight.server.made, fight.cursor.links) == (4, links)
    fight.play("combat abandon")
    fight.told()
    assert fight.server.tokens == {}
    assert fight.cursor.links == {}


@pytest.mark.parametrize(
    "fault",
    [applies_and(drops), applies_and(answers(500)), drops, answers(500), answers(408)],
    ids=["made, lost", "made, 500", "lost", "500", "408"],
)
def test_a_creation_that_may_have_arrived_is_looked_for_before_another(fight: Told, fault: object) -> None:
    fight.told(create=False)
    fight.server.faults = [fault] * 2  # type: ignore[list-item]
    fight.told()
    assert names(fight.server) == FOUR
    assert len(fight.cursor.links) == 4


def test_a_creation_that_nobody_can_tell_of_is_left_to_people(evening: Told) -> None:
    deaf = Settings("inn", "deaf-inn", evening.server.url, create=True)
    evening.start()
    told(evening, deaf._replace(create=False))
    evening.server.faults = [applies_and(drops)]
    assert told(evening, deaf).review == 1
    (item,) = evening.cursor.review
    assert item["id"] == "token:vex"
    evening.move("vex", "B1")
    told(evening, deaf)
    assert names(evening.server) == FOUR
    link_token(evening.folder, deaf, "vex", "t1")
    told(evening, deaf)
    assert evening.server.tokens["t1"]["x"] == 1
    assert evening.cursor.review == []


def test_a_chat_line_that_nobody_can_tell_of_is_never_said_twice(evening: Told) -> None:
    deaf = Settings("inn", "deaf-inn", evening.server.url)
    evening.roll(1)
    told(evening, deaf)
    evening.roll(2)
    evening.roll(3)
    evening.server.faults = [applies_and(drops)]
    report = push(evening.folder, deaf, HASTY)
    assert (report.review, report.lag) == (1, 0)
    assert [line["id"] for line in evening.server.chat] == ["1", "2", "3"]
    resend_result_or_requeue_item(evening.folder, deaf, "2")  # somebody has looked
    assert [line["id"] for line in evening.server.chat] == ["1", "2", "3", "2"]


def test_without_leave_nothing_is_made_and_status_says_who_lacks_a_token(evening: Told) -> None:
    keep = evening.settings._replace(create=False)
    evening.start()
    vex, twice = evening.server.add("vex"), [evening.server.add("Goblin 1"), evening.server.add("Goblin 1")]
    report = told(evening, keep)
    assert (report.tokens, report.error) == (0, "")
    assert evening.cursor.unlinked == ["vex", "brann", "goblin-1", "goblin-2"]
    came = link_by_our_id_or_name(evening.folder, keep, names_of_tokens_to_send(evening.folder, keep))
    assert {id: token.id for id, token in came.linked.items()} == {"vex": vex}
    assert [token.id for token in came.several["goblin-1"]] == twice
    assert came.missing == ["brann", "goblin-2"]
    told(evening, keep)
    assert evening.server.tokens[vex]["hp"] == {"value": 10, "max": 10}
    assert evening.cursor.unlinked == ["brann", "goblin-1", "goblin-2"]
    with pytest.raises(Usage, match="no token 't99'"):
        link_token(evening.folder, keep, "goblin-1", "t99")
    link_token(evening.folder, keep, "goblin-1", twice[1])
    # What people have linked is theirs: it outlives the fight, and stays when it is unlinked.
    evening.play("combat abandon")
    told(evening, keep)
    assert set(evening.server.tokens) == {vex, *twice}
    assert evening.cursor.links == {"vex": vex, "goblin-1": twice[1]}
    assert unlink_token(evening.folder, keep, "vex") == vex
    with pytest.raises(Usage, match="vex is not linked"):
        unlink_token(evening.folder, keep, "vex")
    assert vex in evening.server.tokens


def test_somebody_who_hides_is_taken_off_what_players_see(fight: Told) -> None:
    fight.told()
    fight.change("goblin-1", hidden=True)
    fight.told()
    assert names(fight.server) == ["Brann", "Goblin 2", "Vex"]
    # Also where its creation was under way when the worker died.
    fight.change("goblin-1", hidden=None)
    fight.server.faults = [applies_and(drops)]
    fight.push(Patience(0.0, 0.0, at_once=True))
    assert fight.cursor.creating == ["goblin-1"]
    fight.change("goblin-1", hidden=True)
    fight.told()
    assert names(fight.server) == ["Brann", "Goblin 2", "Vex"]


def test_a_session_is_asked_for_once_and_anew_when_it_has_ended(
    evening: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.roll(1)
    evening.told()
    evening.roll(2)
    evening.told()
    assert evening.server.sessions == 1
    evening.server.sessions = 7  # the server was restarted
    evening.roll(3)
    evening.told()
    assert evening.server.sessions == 8
    assert [line["id"] for line in evening.server.chat] == ["1", "2", "3"]
    monkeypatch.setenv("STRIKE_INN_PASSWORD", "guessed")
    evening.server.sessions = 9
    evening.roll(4)
    report = evening.push()
    assert "401" in report.error
    assert "guessed" not in report.error
    assert len(evening.server.writes("login")) == 3


def test_a_dry_run_of_procedures_shows_placeholders_and_no_secret(fight: Told) -> None:
    shown = dry_run(fight.folder, fight.settings)
    assert [request["method"] for request in shown] == ["POST"] * 6
    assert shown[0]["headers"] == {"cookie": "***"}
    assert PASSWORD not in json.dumps(shown)
    assert fight.server.calls == []


def test_a_running_worker_steps_aside_for_a_link(evening: Told) -> None:
    keep = evening.settings._replace(create=False)
    evening.start()
    vex = evening.server.add("Vex")
    with Followed(evening, keep):
        until(lambda: len(evening.server.chat) == 2)
        link_token(evening.folder, keep, "vex", vex)
        until(lambda: evening.server.tokens[vex].get("hp") == {"value": 10, "max": 10})
