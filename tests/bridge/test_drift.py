"""What strike calls told and without a difference was looked at: each word is made wrong once, and said."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from support.cases import case
from support.evening import Evening

from strike_bridge.delivery_record import Cursor
from strike_bridge.push_follow_and_sync import push, resend_result_or_requeue_item, resend_whole_state
from strike_bridge.settings import Settings
from strike_bridge.tabletop_edits import lock_and_open_pull
from strike_bridge.target_differences import diff_target
from strike_bridge.target_outages import (
    auto_targets_down_over_a_minute,
    note_recovery,
    take_sentence_about_outage,
)
from strike_cli.problems import Problem
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole

from .helpers import HASTY, Told, Typed, cursor_of, told
from .rest_helpers import hall, settings_for, write_target
from .servers.base import Call, Fault, Reply, answers, applies_and, drops, running
from .servers.rest_apis import GraphQl, JsonRpc, Pixels
from .test_rest_answers import READ, TABLE, Answers, outcome

PAGE = "<!DOCTYPE html>\n<html><body><form>Log in</form></body></html>"
HURRIED = HASTY._replace(total=0.02)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pixels]:
    with hall(Pixels, monkeypatch) as found:
        yield found


@pytest.fixture
def here(fight: Told, server: Pixels) -> Told:
    """A fight that is told to this one."""
    return fight.tell(server, settings_for(fight, server))


@pytest.fixture
def deaf(fight: Told, server: Pixels) -> Told:
    """The same, where nobody can be asked for lines."""
    table = server.table().partition("[read.results]")[0]
    return fight.tell(server, write_target(fight, table, server.url))


def reviewed(cursor: Cursor) -> list[str]:
    return [item["id"] for item in cursor.review]


# One meaning of left


@pytest.mark.parametrize("audience", ["players", "gm"])
def test_whoever_left_has_no_token_and_diff_goes_by_that(
    fight: Evening, server: Pixels, audience: str
) -> None:
    settings = settings_for(fight, server, f'audience = "{audience}"\n')
    told(fight, settings)
    at = "fight.combatants.goblin-1"
    for sets in ({f"{at}.out": "left", f"{at}.at": None}, {f"{at}.at": None}):
        fight.happen(("left", "goblin-1", "Goblin 1 leaves.", sets))
        (item,) = diff_target(fight.folder, settings)
        assert item["id"] == "goblin-1", "it is still there"
        told(fight, settings)
        assert "goblin-1" not in server.tokens()
        assert diff_target(fight.folder, settings) == []
        back = {"id": "t9", "ours": "goblin-1", "x": 35, "y": 35, "hp": 1, "size": 1, "tags": []}
        server.things["t9"] = back
        (item,) = diff_target(fight.folder, settings)
        assert item["id"] == "goblin-1", "somebody put it back"
        del server.things["t9"]
        fight.undo()
        told(fight, settings)
        assert "goblin-1" in server.tokens()


# Links are one to one


def test_a_link_to_the_token_of_another_is_freed(fight: Evening) -> None:
    with running(Answers(items=[])) as there:
        settings = write_target(fight, TABLE + READ, there.url)
        told(fight, settings)
        links = cursor_of(fight, settings).links
        there.listed = {"items": [{"id": links[id], "ours": id} for id in links]}
        for item, ours in zip(there.listed["items"], ("brann", "vex"), strict=False):
            item["ours"] = ours
        fight.move("vex", "C3")
        sent = len(there.writes())
        told(fight, settings)
        assert reviewed(cursor_of(fight, settings)) == ["token:vex", "token:brann"]
        assert len(there.writes()) == sent, "nothing is moved, and nothing made anew"
        resend_result_or_requeue_item(fight.folder, settings, "token:vex")
        told(fight, settings)
        assert [method for method, *_ in there.writes()[sent:]] == ["POST", "PATCH"]


def test_a_tabletop_that_restarted_empty_is_asked_about(here: Told) -> None:
    here.told()
    here.server.things, here.server.count = {}, 0
    here.move("brann", "C3")
    report = here.push(HURRIED)
    assert report.empty
    assert here.server.things == {}, "nothing is made unasked"
    assert "--fresh" in report.hint
    assert here.push(HURRIED).empty
    with (
        lock_and_open_pull(here.folder, here.settings._replace(pull="all")) as pull,
        pytest.raises(Problem, match="lost"),
    ):
        pull.read_edits()
    assert here.server.things == {}
    assert not resend_whole_state(here.folder, here.settings, recreate_tokens=True).error
    assert set(here.server.tokens()) == {"vex", "brann", "goblin-1", "goblin-2"}
    assert here.drift == []
    assert reviewed(here.cursor) == []


# An answer counts as what it is


def test_a_page_for_people_is_no_answer(here: Told) -> None:
    here.roll(3)
    here.server.always = answers(200, body=PAGE)
    report = here.push(HURRIED)
    assert "login page" in report.error
    assert (report.tokens, report.results, here.server.said) == (0, 0, [])
    here.server.always = None
    here.told()
    assert here.server.lines() == ["1", "2", "3"]
    assert here.drift == []


@pytest.mark.parametrize(("api", "refusal"), [
    (JsonRpc, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no such method"}}),
    (GraphQl, {"data": None, "errors": [{"message": "no such field"}]}),
])  # fmt: skip
def test_errors_of_a_form_are_known_by_it(
    api: Any, refusal: Any, fight: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hall(api, monkeypatch) as there:
        text = there.table().partition("[ok]")
        table = text[0] + "[on." + text[2].partition("[on.")[2]
        settings = write_target(fight, table, there.url + there.path)
        there.faults = [answers(200, body=refusal)]
        told(fight, settings)
        (item,) = cursor_of(fight, settings).review
        assert "no such" in item["why"]


def test_what_an_answer_of_a_form_means() -> None:
    rpc = {"jsonrpc": "2.0", "method": "say", "id": 1}
    for body, error, kind in [
        (rpc, {"error": None, "result": 1}, "applied"),
        (rpc, None, "applied"),
        (rpc, {"error": {"code": 1}}, "rejected"),
        ({"query": "mutation { say }"}, {"data": {}, "errors": []}, "applied"),
        ({"query": "mutation { say }"}, {"errors": [{"message": "no"}]}, "rejected"),
        ({"query": "lamps", "page": 1}, {"errors": ["of another form"]}, "applied"),
        ({"query": "mutation { say }"}, b'{"err', "unknown"),
    ]:
        with case(body, error):
            assert outcome("", 200, error, "POST", body=body).kind.value == kind


# After an outcome that isn't known


@pytest.mark.parametrize("fault", [
    answers(502, body=PAGE), answers(503), answers(504), applies_and(answers(504)), applies_and(drops),
    answers(503, {}, {"retry_after": 0.001}),
])  # fmt: skip
def test_nothing_is_risked_while_the_target_is_away(fault: Fault, deaf: Told) -> None:
    deaf.told()
    for face in (1, 2, 3):
        deaf.roll(face)
    deaf.server.faults, said = [fault], len(deaf.server.said)
    deaf.server.gets = answers(503)
    for _ in range(3):
        assert deaf.push(HURRIED).error
    assert len(deaf.server.said) - said <= 1, "the queue waits behind the line"
    deaf.server.gets = None
    deaf.told()
    cursor = deaf.cursor
    assert len(reviewed(cursor)) == 1, "it alone is for people"
    assert deaf.server.lines()[-2:] == ["4", "5"]


def test_outcomes_are_kept_as_json(here: Told) -> None:
    here.server.always = answers(503)
    assert here.push(HURRIED).error
    assert here.cursor.doubtful
    assert json.dumps(here.cursor.review) == "[]"


# Lines can be looked up

RESULTS = """
[on.result]
request = "POST /chat"
body = { text = "{{ result.text }}", ref = "{{ event.id }}" }
[read.results]
request = "POST /search"
body = { newest = 50, page = "{{ page }}" }
list = "lines"
key = "ref"
pages = { number = "page", from = 1, size = 2 }
"""


class Chat(Answers):
    """Keeps lines, and lists them by POST, two a page, the newest first; `shown` of them at the most."""

    def __init__(self) -> None:
        super().__init__(items=[])
        self.lines_told: list[Any] = []
        self.shown = 100

    def respond(self, call: Call) -> Reply:
        if call.path == "/chat":
            self.lines_told.append(call.body)
            return Reply(201, {})
        if call.path == "/search":
            begin = 2 * (int(call.query["page"]) - 1)
            assert call.body["page"] == int(call.query["page"])
            return Reply(200, {"lines": self.lines_told[::-1][: self.shown][begin : begin + 2]})
        return super().respond(call)

    def meets_faults(self, call: Call) -> bool:
        return call.path == "/chat"


@pytest.fixture
def chat(evening: Told) -> Iterator[Told]:
    evening.start()
    with running(Chat()) as server:
        yield evening.tell(server, write_target(evening, RESULTS, server.url))


@pytest.mark.parametrize("fault", [
    drops, applies_and(drops), answers(503), applies_and(answers(504)), answers(200, body=PAGE),
    applies_and(answers(200, body=PAGE)),
])  # fmt: skip
def test_a_lost_answer_is_settled_by_looking(chat: Told, fault: Fault) -> None:
    chat.told()
    for face in (1, 2, 3):
        chat.roll(face)
    chat.server.faults = [fault]
    chat.told()
    assert [line["text"] for line in chat.server.lines_told[2:]] == ["d6: 1.", "d6: 2.", "d6: 3."]
    assert reviewed(chat.cursor) == []


def test_a_list_that_does_not_reach_back_proves_nothing(chat: Told) -> None:
    chat.told()
    chat.server.shown, chat.server.faults = 0, [drops]
    chat.roll(1)
    chat.told()
    assert reviewed(chat.cursor) == ["3"]


def test_a_lost_file_is_settled_by_looking(chat: Told) -> None:
    chat.roll(1)
    chat.told()
    before = list(chat.server.lines_told)
    (chat.folder / "bridge" / "hall.json").write_text("{")
    chat.roll(2)
    chat.told()
    assert [line["text"] for line in chat.server.lines_told[len(before) :]] == ["d6: 2."]


def test_where_nothing_can_be_looked_up_people_say_where_to_go_on(deaf: Told) -> None:
    deaf.roll(1)
    deaf.told()
    said, file = list(deaf.server.said), deaf.folder / "bridge" / "hall.json"
    for go_on, more, lose in ((3, 1, partial(file.write_text, "{")), (-1, 0, file.unlink)):
        lose()
        report = deaf.push(HURRIED)
        assert "its file was lost" in report.error
        assert "--from" in report.hint
        assert deaf.server.said == said
        assert not deaf.push(continue_from=go_on).error
        assert len(deaf.server.said) == len(said) + more
        said = list(deaf.server.said)
    deaf.roll(5)
    deaf.told()
    assert deaf.server.lines()[-1] == "4"


# Whole scenes


def test_a_whole_scene_is_made_of_each_token(fight: Evening) -> None:
    with running(Answers()) as there:
        table = """
vars = { grid = 70 }
[on.whole]
request = "PUT /scene"
body = { pieces = "{{ each }}", all = "{{ tokens | map('pick', 'name') | list }}" }
each = { name = "{{ token.name }}", left = "{{ token.x * vars.grid }}" }
each_when = "{{ token.side == 'party' }}"
"""
        settings = write_target(fight, table, there.url)
        told(fight, settings)
        (_, _, body), *_ = there.writes()
        assert body["pieces"] == [{"name": "Vex", "left": 0}, {"name": "Brann", "left": 0}]
        assert len(body["all"]) == 4


# A target that isn't heard, and one whose table has a fault


def test_a_target_that_is_not_heard_is_said_once_for_each_change(evening: Evening, nobody: Settings) -> None:
    folder, name = evening.folder, nobody.name
    evening.start()
    push(folder, nobody, HURRIED)
    auto = {name: {"auto": True}, "other": {"auto": True}}
    assert take_sentence_about_outage(folder, name) == "", "most are back by then"
    assert auto_targets_down_over_a_minute(folder, auto) == []
    file = folder / "bridge" / "table.down"
    file.write_text(json.dumps({**json.loads(file.read_text()), "since": time.time() - 130}))
    assert "table has received nothing for 2 min: it could not be reached" in take_sentence_about_outage(
        folder, name
    )
    assert auto_targets_down_over_a_minute(folder, auto) == [name]
    evening.edit('kind = "table"\n', 'kind = "table"\nauto = true\n')
    with contextlib.closing(GameMasterConsole(folder)) as page:
        assert page.targets_down_for_a_while() == [name], "a mark on the game master's page"
    push(folder, nobody, HURRIED)
    assert take_sentence_about_outage(folder, name) == "", "once"
    note_recovery(folder, name)
    assert "everything again" in take_sentence_about_outage(folder, name)
    assert (take_sentence_about_outage(folder, name), auto_targets_down_over_a_minute(folder, auto)) == (
        "",
        [],
    )


def test_a_fault_in_a_table_stops_that_target_and_not_the_game(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    write_target(evening, 'auto = true\nhp = "exactly"\n[on.result]\nrequest = "FETCH /"', "")
    typed = Typed(evening.folder, capsys)
    assert "hall receives nothing; its table has a fault" in typed.strike("roll 1d6").replace("\n", " ")
    lines = {"bridge push hall": 5, "bridge status": 0, "bridge doctor hall": 5, "doctor": 3}
    for line, code in lines.items():
        assert "'exactly' is not one of" in typed.strike(line, code), line
