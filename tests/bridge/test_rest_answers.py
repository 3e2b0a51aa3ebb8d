"""What answers mean to a target of TOML alone, and what of them is believed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.cases import case
from support.evening import Evening
from support.thorough import some_of

from strike_bridge.delivery_record import Cursor
from strike_bridge.doctor import check_target
from strike_bridge.push_follow_and_sync import push, resend_whole_state
from strike_bridge.request_outcome import OutcomeKind
from strike_bridge.rest.answer_values import (
    JmesPath,
    next_link,
    next_page_path,
    parse_xml_or_none,
    square_at,
    valid_id,
)
from strike_bridge.settings import Settings
from strike_bridge.tabletop_edits import lock_and_open_pull
from strike_bridge.targets.base import Answer, Request
from strike_bridge.token_links import link_by_our_id_or_name, names_of_tokens_to_send
from strike_bridge.worker import DeliveryReport

from .helpers import HASTY, Told, cursor_of, link, told
from .rest_helpers import hall, rest_target, settings_for, write_target
from .servers.base import Call, Reply, applies_and, drops, running
from .servers.rest_apis import KEY, Api, Pixels

HURRIED = HASTY._replace(total=0.05)


@pytest.fixture
def here(fight: Told, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    """A fight that is told to one of the ten."""
    with hall(Pixels, monkeypatch) as server:
        yield fight.tell(server, settings_for(fight, server))


class Answers(Api):
    """Answers each write as it is told to, and lists what it is told to."""

    def __init__(self, **listed: Any) -> None:
        super().__init__()
        self.listed: Any = listed
        self.endless = False
        self.says: Callable[[Call], Reply] = lambda call: Reply(
            200, {"id": self.new_id()} if call.method == "POST" else {}
        )

    def respond(self, call: Call) -> Reply:
        if call.method == "GET" and self.endless:
            return Reply(200, {"items": [], "next": f"/api/tokens?n={len(self.calls)}"})
        return Reply(200, self.listed) if call.method == "GET" else self.says(call)


TABLE = """
create = true
[on.token]
request = "PATCH /tokens/{{ link.id }}"
body = { x = "{{ token.x }}" }
[on.token.create]
request = "POST /tokens"
body = { ours = "{{ token.id }}" }
id = "id"
[on.removed]
request = "DELETE /tokens/{{ link.id }}"
[on.result]
request = "POST /chat"
body = "{{ result.text }}"
"""
READ = """
[read]
request = "GET /tokens"
list = "items"
id = "id"
ours = "ours"
x = "{{ item.x }}"
y = "{{ item.y }}"
"""


def creations(server: Api) -> list[Any]:
    return [body for method, path, body in server.seen if (method, path) == ("POST", "/tokens")]


def pushed(evening: Evening, settings: Settings) -> DeliveryReport:
    return push(evening.folder, settings, HURRIED)


# What an answer means


def outcome(ok: str, status: int, answered: Any = None, method: str = "PUT", **flags: Any) -> Any:
    if not isinstance(answered, bytes):
        answered = b"" if answered is None else json.dumps(answered).encode()
    answer = Answer(status, {"content-type": "application/json"}, answered)
    target = rest_target(f'[ok]\n{ok}\n[on.order]\nrequest = "PUT /x"')
    return target.outcome(Request(method, "/x", **flags), answer, 0.0)


def test_what_an_answer_means() -> None:
    assert outcome("", 204).kind is OutcomeKind.APPLIED
    assert outcome("", 404).all
    assert outcome("gone = [404]", 404).gone
    assert outcome("gone = [404]", 404, gone_will_do=True).kind is OutcomeKind.APPLIED
    assert outcome("", 404, gone_will_do=True).all, "a wrong path removes nothing"
    assert outcome("already = [409]", 409).kind is OutcomeKind.APPLIED
    assert outcome("already = [409]", 409, method="GET").kind is OutcomeKind.REJECTED
    assert outcome("", 409).kind is OutcomeKind.REJECTED
    assert outcome("status = [200]", 202, {}).kind is OutcomeKind.REJECTED
    assert outcome("status = [200, 422]", 422, {}).kind is OutcomeKind.APPLIED
    error = 'error = "errors[0].message"'
    refused = outcome(error, 200, {"errors": [{"message": "no\x1b[31m such \n token" + "!" * 500}]})
    assert refused.kind is OutcomeKind.REJECTED
    assert not refused.all
    assert refused.why.isprintable()
    assert len(refused.why) < 300
    for nothing in ({}, {"errors": []}, {"errors": [{"message": ""}]}, {"errors": None}, [], "x"):
        assert outcome(error, 200, nothing).kind is OutcomeKind.APPLIED, nothing
    assert outcome('error = "failed"', 200, {"failed": False}).kind is OutcomeKind.APPLIED
    assert outcome('error = "failed"', 200, {"failed": True}).kind is OutcomeKind.REJECTED
    assert outcome(error, 200, b'{"errors": [{"mess').kind is OutcomeKind.UNKNOWN, "cut off: nobody can tell"
    later = outcome('again = "error.wait"', 200, {"error": {"wait": 2.5}})
    assert (later.kind, later.retry_after) == (OutcomeKind.NOT_SENT, 2.5)
    assert outcome('again = "limited"', 400, {"limited": True}).kind is OutcomeKind.NOT_SENT
    assert outcome('again = "wait"', 200, {"wait": 1e999}).retry_after in (None, 86_400.0)


def test_some_answers_keep_their_meaning() -> None:
    for status in (301, 401, 403, 408, 429, 500, 503):
        with case(status):
            plain = outcome("", status)
            came = outcome('error = "x"\nagain = "x"', status, {"x": 1})
            assert came == plain._replace(retry_after=1.0 if status >= 500 or status == 429 else None)
            for key in ("status", "already", "gone"):
                with pytest.raises(Exception, match=rf"ok.{key}.*({status} has a fixed|from 200 to 499)"):
                    outcome(f"{key} = [{status}]", status)


# Creations


def test_no_id_in_an_answer_is_for_people_and_nothing_is_made_twice(fight: Evening) -> None:
    every = ({}, {"id": None}, {"id": ""}, {"id": []}, {"id": 1.5}, {"id": True}, {"id": "x" * 201},
             {"id": "a\nb"}, {"id": ".."}, [], "<p>made</p>")  # fmt: skip
    for said in some_of(every, every=5):
        with running(Answers()) as server:
            server.says = lambda call, said=said: Reply(200, said)
            settings = write_target(fight, TABLE, server.url)
            cursor = Cursor.load(fight.folder, "hall")
            if cursor is not None:
                cursor.review, cursor.refused, cursor.resync = [], {}, True
                cursor.save(fight.folder)
            assert not pushed(fight, settings).error
            fight.move("vex", "B3")
            assert not pushed(fight, settings).error
            assert len(creations(server)) == 4, said
            assert {item["id"] for item in cursor_of(fight, settings).review} == {
                "token:vex", "token:brann", "token:goblin-1", "token:goblin-2",
            }  # fmt: skip


def test_what_may_have_been_made_is_looked_up(here: Told) -> None:
    here.server.faults = [applies_and(drops), drops]
    here.told()
    assert len(here.server.things) == 4
    assert not here.cursor.review


def test_what_may_have_been_made_and_cant_be_looked_up_is_for_people(fight: Evening) -> None:
    with running(Answers()) as server:
        settings = write_target(fight, TABLE, server.url)
        server.faults = [applies_and(drops)]
        told(fight, settings)
        (item,) = cursor_of(fight, settings).review
        assert item["id"] == "token:vex"
        assert len(creations(server)) == 4


def test_two_that_bear_one_id_of_ours_are_neither(fight: Evening) -> None:
    items = [{"id": 1, "ours": "vex"}, {"id": 2, "ours": "vex"}, {"id": 3, "ours": "brann"}]
    with running(Answers(items=items)) as it:
        settings = write_target(fight, TABLE + READ, it.url)
        told(fight, settings)
        links = cursor_of(fight, settings).links
        assert links["brann"] == "3"
        assert links["vex"] not in ("1", "2")


def test_an_id_of_another_token_is_no_id(fight: Evening) -> None:
    with running(Answers()) as server:
        server.says = lambda call: Reply(200, {"id": "same"})
        settings = write_target(fight, TABLE, server.url)
        told(fight, settings)
        assert list(cursor_of(fight, settings).links.values()) == [], "both are freed"
        assert len(cursor_of(fight, settings).review) == 4


def test_nobody_who_hides_is_looked_for_whatever_a_server_lists(fight: Evening) -> None:
    with running(Answers(items=[{"id": 7, "ours": "lurker"}, {"id": 8, "ours": "nobody"}])) as server:
        settings = write_target(fight, TABLE + READ, server.url)
        told(fight, settings)
        resend_whole_state(fight.folder, settings)
        assert "lurker" not in cursor_of(fight, settings).links
        assert "/tokens/7" not in [path for _, path, _ in server.seen]
        assert ("DELETE", "/tokens/8") in [seen[:2] for seen in server.seen], "what is ours of old is removed"


# What isn't there any more


def test_a_thing_is_made_anew_once(here: Told) -> None:
    here.told()
    old = here.cursor.links["vex"]
    del here.server.things[old]
    here.move("vex", "B3")
    here.told()
    new = here.cursor.links["vex"]
    assert new != old
    assert here.server.tokens()["vex"].x == 1
    del here.server.things[new]
    here.move("vex", "C3")
    here.told()
    assert here.server.tokens()["vex"].x == 2, "and once more, since it was there meanwhile"


def knows_none(server: Answers, call: Call) -> Reply:
    """It makes what it is asked for, and never heard of it afterwards."""
    return Reply(404) if call.method == "PATCH" else Reply(200, {"id": server.new_id()})


def test_what_is_gone_twice_in_a_row_asks_whether_the_path_is_right(fight: Evening) -> None:
    with running(Answers(items=[])) as server:
        server.says = lambda call: knows_none(server, call)
        settings = write_target(fight, TABLE + READ + "[ok]\ngone = [404]\n", server.url)
        report = pushed(fight, settings)
        assert "isn't there either" in report.error
        assert len(creations(server)) == 2


def test_what_its_list_has_is_not_made_anew(fight: Evening) -> None:
    with running(Answers(items=[])) as server:

        def says(call: Call) -> Reply:
            if call.method == "PATCH":
                return Reply(404)
            server.listed["items"].append({"id": server.new_id()})
            return Reply(200, server.listed["items"][-1])

        server.says = says
        settings = write_target(fight, TABLE + READ + "[ok]\ngone = [404]\n", server.url)
        assert "its list has 't1'" in pushed(fight, settings).error
        assert len(creations(server)) == 1


def test_404_holds_the_queue_unless_the_file_says_otherwise(fight: Evening) -> None:
    with running(Answers(items=[])) as server:
        server.says = lambda call: knows_none(server, call)
        settings = write_target(fight, TABLE, server.url)
        report = pushed(fight, settings)
        assert "there is nothing at this address" in report.error
        assert len(creations(server)) == 1
        assert not cursor_of(fight, settings).review


AWAY = """
[on.away]
request = "PATCH /api/tokens/{{ link.id }}"
body = { x = 0, y = 0, hp = 0, shown = false }
"""


def test_a_token_of_the_game_masters_is_never_deleted_nor_made_anew(here: Told) -> None:
    here.server.things["gm-1"] = {"id": "gm-1", "name": "Vex", "ours": "vex", "x": 0, "y": 0, "hp": 1}
    table = here.server.table().replace('ours = "ours"\n', "") + AWAY
    here.settings = write_target(here, table, here.server.url)
    link(here, here.settings, goblin_1="gm-1")
    here.told()
    here.change("goblin-1", hidden=True)
    here.told()
    assert here.server.things["gm-1"]["shown"] is False
    here.undo()
    del here.server.things["gm-1"]
    here.told()
    (item,) = here.cursor.review
    assert item["id"] == "token:goblin-1"
    assert item["why"] == "it has no such object (it answered 404): link it again"
    assert len(here.server.things) == 3


# Reading back


def read(evening: Evening, listed: Any, table: str = TABLE + READ) -> Any:
    """What is read of tokens t1 to t4, which are ours."""
    evening.start()
    with running(Answers(items=[])) as server:
        settings = write_target(evening, table, server.url)
        told(evening, settings)
        server.listed = listed
        found = [each.what for each in check_target(evening.folder, settings) if not each.well]
        with lock_and_open_pull(evening.folder, settings._replace(pull="all")) as pull:
            pulled = [(change.id, change.field) for change in pull.read_edits()]
        return found, pulled


def test_places_are_numbers_on_the_map(evening: Evening) -> None:
    odd = ['"1"', "null", "1e999", "-1", "8", "99999999999999999999", "{}", "true", "NaN", "9" * 400]
    items = ", ".join(f'{{"id": "t{number % 4 + 1}", "x": {x}, "y": 0}}' for number, x in enumerate(odd[:4]))
    found, pulled = read(evening, json.loads(f'{{"items": [{items}]}}'))
    assert len([each for each in found if "left out" in each]) == 4
    assert pulled == []
    assert [square_at(json.loads(x), 0, (8, 3)) for x in odd] == [None] * len(odd)
    assert square_at(1.4, 2.4, (8, 3)) == {"x": 1, "y": 2}
    assert square_at(1.4, 2.6, (8, 3)) is None


def test_moved_and_deleted_there_is_pulled(evening: Evening) -> None:
    items = [{"id": "t1", "x": 4, "y": 2}, {"id": "t2", "x": 0, "y": 1}, {"id": "t3", "x": 4, "y": 0}]
    _, pulled = read(evening, {"items": items})
    assert ("vex", "position") in pulled
    assert ("goblin-2", "token") in pulled


def test_what_is_no_list_is_told(fight: Evening) -> None:
    with running(Answers(items=[])) as server:
        settings = write_target(fight, TABLE + READ, server.url)
        for server.listed, words in [
            ({"items": None}, "no list"),
            ({}, "no list"),
            ([], "no list"),
            ({"items": [{"id": n} for n in range(2001)]}, "more than 2000"),
            ({"items": [{"x": 1}, {"id": []}]}, "2 of them have no id"),
        ]:
            with case(server.listed, words):
                found = [each.what for each in check_target(fight.folder, settings) if not each.well]
                assert any(words in each for each in found)


@pytest.mark.slow
def test_pages_lead_nowhere_else_and_have_an_end(fight: Evening) -> None:
    with running(Answers()) as server:
        table = TABLE + READ + 'pages = { next = "next" }\n'
        settings = write_target(fight, table, f"{server.url}/api")
        for following, words in (
            ("http://127.0.0.1:1/api/tokens", "at another"), ("//evil.com/api/x", "at another"),
            ("../admin", "at another"), ("/other", "at another"), ("/api/tokens?n=2", "more than 20 pages"),
        ):  # fmt: skip
            server.seen.clear()
            server.listed = {"items": [], "next": following}
            server.endless = words == "more than 20 pages"
            found = [each.what for each in check_target(fight.folder, settings) if not each.well]
            assert any(words in each for each in found), (following, found)
            assert {path for _, path, _ in server.seen} <= {"/api/tokens"}


def test_paths_at_which_nothing_stands_are_told(evening: Evening) -> None:
    items = {"items": [{"id": "t1", "ours": "vex", "called": "Vex", "x": 0, "y": 0}]}
    wrong = READ.replace('ours = "ours"', 'ours = "external.id"') + 'name = "label"\n'
    found, _ = read(evening, items, TABLE + wrong)
    assert "Objects made by strike have nothing at external.id." in found
    assert "No object has anything at label." in found


def test_paths_at_which_something_stands_are_not(evening: Evening) -> None:
    items = {"items": [{"id": "t1", "ours": "vex", "called": "Vex", "x": 0, "y": 0}]}
    found, _ = read(evening, items, TABLE + READ + 'name = "called"\n')
    assert not any("have nothing at" in each for each in found)


def test_a_header_of_any_name_leads_to_the_next_page(evening: Evening) -> None:
    class Shelf(Answers):
        def respond(self, call: Call) -> Reply:
            at = int(call.query.get("at", "0"))
            more = {"Next-Page": f"{self.url}/tokens?at={at + 1}"} if at < 2 else {}
            return Reply(200, {"items": [{"id": at}]}, headers=more)

    evening.start()
    with running(Shelf()) as server:
        table = TABLE + READ + 'pages = { next = "header:Next-Page" }\n'
        settings = write_target(evening, table, server.url)
        assert any("It lists 3 things" in each.what for each in check_target(evening.folder, settings))


def test_tokens_are_linked_by_name(fight: Evening) -> None:
    table = TABLE.replace("create = true", "create = false")
    table += READ.replace('ours = "ours"\n', 'name = "called"\n')
    with running(Answers(items=[{"id": 1, "called": "Vex"}, {"id": 2, "called": "Brann"}])) as server:
        settings = write_target(fight, table, server.url)
        names = names_of_tokens_to_send(fight.folder, settings)
        linked = link_by_our_id_or_name(fight.folder, settings, names).linked
        assert {id: found.id for id, found in linked.items()} == {"vex": "1", "brann": "2"}


def test_diff_and_sync(here: Told) -> None:
    here.told()
    assert here.drift == []
    thing = here.server.things[here.cursor.links["vex"]]
    thing["x"] += 70
    thing["hp"] = 1
    drift = {(item["id"], item["field"]) for item in here.drift}
    assert drift == {("vex", "position"), ("vex", "hp")}
    resend_whole_state(here.folder, here.settings)
    assert here.drift == []
    assert len(here.server.things) == 4


# Pieces


def test_ids() -> None:
    for each in ("a/b", "x" * 200, "ä", " a "):
        assert valid_id(each) == each
    assert valid_id(7) == "7"
    for each in ("", " ", "..", ".", "a\n", "x" * 201, True, None, 1.5, [], {}, 10**5000):
        assert valid_id(each) == ""


def test_paths_of_answers_bear_anything() -> None:
    assert JmesPath("a[0].b").find({"a": [{"b": 1}]}) == 1
    for odd in ("length(a)", "sum(a)", "a.b.c", "join(',', a)", "a[?b > `1`]"):
        for data in (None, [], {}, "x", {"a": None}, {"a": {"b": "x"}}, 1):
            JmesPath(odd).find(data)


def test_links_of_headers() -> None:
    header = '<https://x/1>; rel="prev", </api/2?a=1,b>; title="a, b"; rel="next last"'
    assert next_link(header) == "/api/2?a=1,b"
    assert next_link("<x>; rel=next") == "x"
    assert next_link('<x>; rel="nextone"') == next_link("junk; rel=next") == ""
    assert next_page_path("/api/t?c=2", "https://x/api", "/t") == "/t?c=2"
    assert next_page_path("?c=2", "https://x/api", "/t?c=1") == "/t?c=2"


def test_xml_is_data_and_no_bomb() -> None:
    def xml(text: str) -> Any:
        return parse_xml_or_none(Answer(200, {}, text.encode()))

    assert xml("<a><b i='1'>x</b><b>y</b><n:c xmlns:n='u'><d/></n:c></a>") == {
        "a": {"b": [{"@i": "1", "#text": "x"}, "y"], "c": {"d": ""}}
    }
    assert xml("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>") is None
    assert xml("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>") is None
    assert xml("<a>&b;</a>") is None
    assert xml("<a>" * 100 + "</a>" * 100) is None
    assert xml("<a><b></a>") is None
    assert xml("") is None


def test_keys_in_the_environment_are_of_the_hall(monkeypatch: pytest.MonkeyPatch, evening: Evening) -> None:
    monkeypatch.setenv("STRIKE_REST_KEY_HALL", KEY)
    with running(Pixels()) as server:
        evening.start()
        told(evening, settings_for(evening, server))
        assert len(server.things) == 4
