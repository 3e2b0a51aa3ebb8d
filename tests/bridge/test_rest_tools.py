"""What helps whoever writes a target of TOML alone: a start, faults, trying, recording, presets."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import pytest
from support.agreed import agree_to
from support.cases import case
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.rest.merged_target_table import (
    BUILT_IN_PRESETS,
    preset_files,
    read_preset,
    starter_table_text,
    with_target_headings,
)
from strike_bridge.rest.request_preview import samples_by_template_fault
from strike_bridge.settings import read_targets, settings_from_unchecked_table
from strike_bridge.target_contract import check_target_kind, read_toml_recording
from strike_bridge.targets import target_class
from strike_cli.content.campaign_json_schema import campaign_schema
from strike_cli.content.merged_content import book_of_core_and_plugins
from strike_cli.problems import CampaignProblem
from strike_cli.registry import installed_plugins
from strike_cli.registry.installed_plugins import InstalledPlugin
from strike_cli.untrusted_input import parse_toml

from .helpers import Typed, cursor_of, told, without_key
from .rest_helpers import hall, settings_for, write_target
from .servers.base import running
from .servers.rest_apis import APIS, KEY, Api, GraphQl, Pixels, UpsideDown, Xml

CREATE = '[on.token]\nrequest = "PUT /x"\n[on.token.create]\nrequest = "POST /x"'
ORDER = '[on.order]\nrequest = "PUT /turn"\n'


@pytest.fixture
def bridge(evening: Evening, capsys: pytest.CaptureFixture[str]) -> Typed:
    return Typed(evening.folder, capsys)


# A start


def test_a_start_is_ready_to_be_tried(evening: Evening, bridge: Typed) -> None:
    before = (evening.folder / "campaign.toml").read_text()
    assert with_target_headings(starter_table_text(), "hall") in bridge("new rest hall --dry-run")
    assert (evening.folder / "campaign.toml").read_text() == before
    bridge("new rest hall")
    text = (evening.folder / "campaign.toml").read_text()
    assert text == f"{before.rstrip()}\n\n{with_target_headings(starter_table_text(), 'hall')}"
    assert "on.token.create" in bridge("try hall")
    assert "There is a target 'hall' already" in bridge("new rest hall", 2)
    assert "needs a name" in bridge("new rest", 2)
    assert "no preset 'ntyf'. Did you mean 'ntfy'" in bridge("new rest phones --base ntyf", 2)
    assert "rest NAME" in bridge("new foundry x", 2)


# Faults, before anything is sent


def test_faults_are_told_with_file_line_and_key(evening: Evening) -> None:
    for text, line, words in [
        (f'{ORDER}body = {{ a = "{{{{ ordr.round }}}}" }}', 3, r"on\.order\.body\.a: there is no 'ordr'"),
        (f'{ORDER}body = {{ a = "{{{{ token.x }}}}" }}', 3, r"on\.order\.body\.a: there is no 'token'"),
        (f'{ORDER}when = "{{{{ 1 + }}}}"', 3, r"on\.order\.when: it can't be read"),
        (f'{ORDER}[ok]\nerror = "a["', 4, r"ok\.error: 'a\[' is not a JMESPath expression"),
        (f'{ORDER}[read]\nrequest = "GET /x"\nid = "a b"', 5, r"read\.id: 'a b' is not a JMESPath"),
        (f'{ORDER}[read]\nrequest = "GET /x"', 3, r"read\.id: missing"),
        ('[on.order]\nbefore = "GET /x"', 1, r"on\.order\.request: missing"),
        (f'{ORDER}before = "PUT /x"', 3, r"on\.order\.before: it only reads"),
        (f'answer = "none"\n{ORDER}[ok]\nerror = "x"', 5, r"ok\.error: answers aren't read"),
        (f'{ORDER}[on.whole]\nrequest = "PUT /x"', 1, r"on\.order: on\.whole sends all of this"),
        (CREATE, 0, r"on\.removed: missing"),
        ('[on.status]\nrequest = "PUT /x"', 0, r"on\.unstatus: missing"),
        ('[on.undone]\nrequest = "PUT /x"', 1, r"on\.undone: without on.result"),
        ("vars = { a = 1 }", 0, r"on: nothing is sent"),
        ('base = "nothing"', 0, r"base: there is no preset 'nothing'"),
    ]:
        with case(text, line, words):
            settings = write_target(evening, text, "http://127.0.0.1:1")
            head = (evening.folder / "campaign.toml").read_text().partition("[bridge.targets.hall]")[0]
            first = head.count("\n") + 4  # after the head, kind and url
            with pytest.raises(CampaignProblem) as problem:
                without_key(evening, settings)
            found = re.search(
                rf"campaign\.toml(?::(\d+))?: bridge\.targets\.hall\.{words}", problem.value.message
            )
            assert found, problem.value.message
            assert not line or found[1] == str(first + line - 1)


def test_faults_of_form_are_told_as_any(evening: Evening, bridge: Typed) -> None:
    for text, words in [
        ('auth = { kind = "baerer" }', "'baerer' is not one of"),
        ('encoding = "xml"', "'xml' is not one of"),
        ("headerz = {}", "there is no such key. Did you mean 'headers'"),
        ('[on.tokn]\nrequest = "PUT /x"', "there is no such key. Did you mean 'token'"),
        ('[on.token]\nrequest = "FETCH /x"', "'FETCH /x' is not a method"),
        ('[on.token]\nrequest = "PUT http://evil.com/x"', "is not a method"),
        ('[on.token]\nrequest = "PUT //evil.com/x"', "is not a method"),
        ('[on.token]\nrequest = "PUT .evil.com/x"', "is not a method"),
        ("[ok]\nstatus = [500]", "200 to 499"),
        ("timeout = 999", "1 to 60"),
        ("options = {}", "no such key"),
    ]:
        with case(text, words):
            write_target(evening, text, "http://127.0.0.1:1")
            said = bridge("doctor hall", 5)
            assert words in said
            assert "(line " in said


ODD = {
    'x = "{{ token.x * 70 }}"': "none and a number (for a token that is out",
    'x = "{{ token.hp.value }}"': "(for a token without a meter",
    'x = "{{ token.meter.grit.value }}"': "there is no 'grit'",
    'x = "{{ token.initiative + 1 }}"': "(for a token without statuses and initiative",
    'x = "{{ vars.gird }}"': "there is no 'gird'. Did you mean 'grid'",
    'x = "{{ token.xx | px(vars.grid) }}"': "there is no 'xx'. Did you mean 'x'? (for a plain token)",
    'x = "{{ token.name | int * token.name }}"': "text",
}


def test_what_cannot_be_filled_in_is_told_by_samples(evening: Evening, bridge: Typed) -> None:
    for body in ODD:
        with case(body):
            head = "vars = { grid = 70 }\n[on.token]\n"
            text = f'{head}request = "PUT /t/{{{{ token.id }}}}"\n[on.token.body]\n{body}\n'
            write_target(evening, text, "http://127.0.0.1:1")
            said = bridge("doctor hall", 5)
            assert ODD[body] in said
            assert re.search(r"campaign\.toml:\d+: bridge\.targets\.hall\.on\.token\.body\.x: ", said)


def test_what_fails_to_render_later_is_for_people_and_that_thing_alone(
    fight: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hall(Pixels, monkeypatch) as server:
        table = server.table().replace("{{ token.statuses }}", "{{ 12 // (token.name | length - 5) }}")
        settings = write_target(fight, table, server.url)
        told(fight, settings)
        (item,) = cursor_of(fight, settings).review
        assert item["id"] == "token:brann"
        assert "on.token.body.tags: integer division or modulo by zero" in item["why"]
        made = {thing["name"] for thing in server.things.values() if "x" in thing}
        assert made == {"Vex", "Goblin 1", "Goblin 2"}


@pytest.mark.parametrize("api", few_of(APIS), ids=lambda api: api.__name__)
def test_the_tables_of_the_ten_have_no_faults(api: type[Api], evening: Evening, monkeypatch: Any) -> None:
    with hall(api, monkeypatch) as server:
        settings = settings_for(evening, server)
        target: Any = without_key(evening, settings)
        assert samples_by_template_fault(target._copy_without_memory) == {}
        assert [each.what for each in check_target_kind("rest", settings=settings) if not each.well] == []


# Trying


def test_try_shows_each_request_of_what_is_on_the_table(
    fight: Evening, bridge: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight.roll(4)
    with hall(Pixels, monkeypatch) as server:
        settings_for(fight, server)
        said = bridge.json("try hall")["data"]
        assert not said["sample"]
        requests = [request for attempt in said["attempts"] for request in attempt["requests"]]
        events = [request["event"] for request in requests]
        assert events.count("on.token.create") == events.count("on.token") == 4
        assert {"on.order", "on.result", "on.removed"} < set(events)
        assert requests[1]["body"] == {"x": 70, "y": 35, "hp": 10, "size": 1, "tags": []}
        assert "lurker" not in json.dumps(said).lower()
        assert KEY not in json.dumps(said)
        assert not server.calls
        only = bridge("try hall --event result")
        assert "on.result" in only
        assert "on.token" not in only
        assert "Did you mean 'token'" in bridge("try hall --event tokn", 2)
    fight.set_targets('[bridge.targets.table]\nkind = "table"\nurl = "http://127.0.0.1:1"\n')
    assert "is not a target made of TOML alone" in bridge("try table", 2)


def test_try_shows_the_faults_of_what_is_asked_for(evening: Evening, bridge: Typed) -> None:
    body = 'body = { a = "{{ order.round * order.entries }}" }\n'
    write_target(evening, f'{ORDER}{body}[on.result]\nrequest = "POST /x"', "http://127.0.0.1:1")
    for words, count, code in (("", 1, 5), ("--event order", 1, 5), ("--event result", 0, 0)):
        with case(words):
            said = bridge.json(f"try hall {words}", code)
            found = [each["fault"] or "" for each in said["data"]["attempts"]]
            assert sum("on.order.body.a" in fault for fault in found) == count


# Recording


@pytest.mark.slow
@pytest.mark.parametrize("api", [Pixels, GraphQl, Xml, UpsideDown], ids=lambda api: api.__name__)
def test_what_was_recorded_tries_the_table(
    api: type[Api], evening: Evening, bridge: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start()
    with hall(api, monkeypatch) as server:
        settings_for(evening, server)
        server.things["secret"] = {"ours": "", "name": "The Hidden Dragon", "x": 0, "y": 0, "hp": 99,
                                   "row": 0, "col": 0, "health": 99, "ref": "x", "tags": []}  # fmt: skip
        said = bridge("record hall")
        (file,) = (evening.folder / "bridge").glob("*-recorded.toml")
        assert str(file) in said
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    text = file.read_text("utf-8")
    assert KEY not in text
    assert "Dragon" not in text
    assert "cookie" not in text.lower()
    kept = read_toml_recording(file)
    assert {"on.token.create", "on.token"} <= {each.event for each in kept}
    said = bridge(f"test hall {file}")
    assert "covers an evening" in said
    assert "-- Not recorded, so not tried: on." in said
    made_before = file.with_name("made-before.toml")  # a server that has the tokens is asked for none
    exchanges = re.split(r"(?m)^(?=\[\[exchange\]\])", text)
    made_before.write_text("".join(each for each in exchanges if "on.token.create" not in each), "utf-8")
    said = bridge(f"test hall {made_before}")
    assert "covers an evening" in said
    assert "on.token.create" in said
    other = file.with_name("other.toml")
    other.write_text(re.sub(r"status = 20\d", "status = 422", text), "utf-8")
    assert "ended as rejected" in bridge(f"test hall {other}", 5)


def test_what_is_the_game_masters_is_not_recorded(
    evening: Evening, bridge: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hall(Pixels, monkeypatch) as server:
        settings_for(evening, server, 'audience = "gm"\n')
        assert 'audience = "players"' in bridge("record hall", 2)
        assert not server.calls


# The schema of campaign.toml


@pytest.mark.slow
def test_editors_know_the_keys() -> None:
    schema = campaign_schema(book_of_core_and_plugins())
    good = parse_toml(f"schema = 1\n{with_target_headings(starter_table_text(), 'hall')}".encode())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(good, schema)
    for api in APIS:
        table = with_target_headings(f'kind = "rest"\n{api.table()}', "hall")
        jsonschema.validate(parse_toml(f"schema = 1\n{table}".encode()), schema)
    target = good["bridge"]["targets"]["hall"]
    wrong = {"on": {"tokn": {}}, "encoding": "xml", "options": {}, "auth": {}, "timeout": 0}
    for key, value in wrong.items():
        bad = {**good, "bridge": {"targets": {"hall": {**target, key: value}}}}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
    other = {**good, "bridge": {"targets": {"hall": {"kind": "webhook", "on": {}}}}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(other, schema)


# Presets

NEEDS = {
    "ntfy": 'vars = { topic = "x" }',
    "matrix": 'vars = { room = "!x:y" }',
    "telegram": "vars = { chat = 1 }",
}


@pytest.mark.parametrize("name", few_of(sorted(file.stem for file in BUILT_IN_PRESETS.glob("*.toml")), 2))
def test_presets_can_be_used_as_they_are(evening: Evening, name: str) -> None:
    settings = write_target(evening, f'base = "{name}"\ninsecure = true\n{NEEDS.get(name, "")}\n')
    target: Any = without_key(evening, settings)
    assert samples_by_template_fault(target._copy_without_memory) == {}
    assert target.table.table["summary"]
    assert [each.what for each in check_target_kind("rest", settings=settings) if not each.well] == []
    if name in NEEDS:
        bare = write_target(evening, f'base = "{name}"\ninsecure = true\n')
        bare_target: Any = without_key(evening, bare)
        (fault, *_) = samples_by_template_fault(bare_target._copy_without_memory)
        assert f"{name}.toml:" in fault


def test_the_files_own_keys_win(evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "data" / "strike" / "targets"
    own.mkdir(parents=True)
    (own / "inn.toml").write_text(
        'url = "http://127.0.0.1:1"\nvars = { a = 1, b = 2 }\nstatuses = { prone = "Down" }\n'
        '[on.order]\nrequest = "PUT /turn"\nbody = { a = "{{ vars.a }}", b = "{{ vars.b }}" }\n'
    )
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert preset_files()["inn"] == own / "inn.toml"
    settings = write_target(evening, 'base = "inn"\nvars = { b = 3 }\n[on.order.body]\nc = 4\n')
    target: Any = without_key(evening, settings)
    assert target.address == "http://127.0.0.1:1"
    assert target.statuses == {"prone": "Down"}
    (request,) = target.put_order({"round": 1, "active": None, "entries": []})
    assert request.body == {"a": 1, "b": 3, "c": 4}
    (own / "inn.toml").write_text('[on.order]\nrequest = "PUT"\nbdy = 1\n')
    with pytest.raises(CampaignProblem, match=r"inn\.toml: on\.order\.bdy: there is no such key"):
        without_key(evening, settings)


def test_presets_are_listed(
    evening: Evening, bridge: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    said = bridge("new rest --list")
    assert "matrix" in said
    assert str(tmp_path / "strike" / "targets").replace("\\", "/")[:20] in said.replace("\\", "/")
    bridge("new rest phones --base ntfy")
    assert read_targets(evening.folder)["phones"].own == {"base": "ntfy"}


def test_a_plugin_brings_a_preset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evening: Evening) -> None:
    (tmp_path / "pub.toml").write_text(f'url = "http://127.0.0.1:1"\n{ORDER}')
    plugin = InstalledPlugin("inns", "inns:plugin", "strike-inns", "1.0", file=str(tmp_path / "inns.py"))
    monkeypatch.setattr(installed_plugins, "all_kinds_of_target", lambda: iter([("pub", "pub.toml", plugin)]))
    settings = write_target(evening, 'base = "pub"\n')
    assert without_key(evening, settings).address == "http://127.0.0.1:1"
    with pytest.raises(Exception, match="'pub' is a preset"):
        target_class(settings_from_unchecked_table("x", {"kind": "pub"}))


def test_a_preset_says_which_keys_are_the_targets(tmp_path: Path) -> None:
    """Whether tokens may be made, and what comes back, is said in campaign.toml alone."""
    (tmp_path / "inn.toml").write_text(f'kind = "rest"\ncreate = true\n{ORDER}')
    with pytest.raises(CampaignProblem, match="create: there is no such key") as refused:
        read_preset("inn", tmp_path / "inn.toml")
    assert "`kind`, `create`" in refused.value.hint


# The tutorial

PAGE = Path(__file__).parents[2] / "docs" / "targets" / "rest.md"


def block(language: str) -> str:
    """The first block of a language on the tutorial's page."""
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_the_tutorial_leads_to_a_working_target(
    evening: Evening, bridge: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its server, its table, and what it says of doctor and diff."""
    names: dict[str, Any] = {"__name__": "hall"}
    exec(compile(block("python"), "hall.py", "exec"), names)
    monkeypatch.setattr(names["Hall"], "log_message", lambda *_: None)
    monkeypatch.setenv("STRIKE_REST_KEY", names["KEY"])
    evening.start()
    with running(ThreadingHTTPServer(("127.0.0.1", 0), names["Hall"])) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/api"
        file = evening.folder / "campaign.toml"
        head = file.read_text("utf-8").partition("[bridge.targets.")[0]
        file.write_text(head + block("toml").replace("http://127.0.0.1:8000/api", url), "utf-8")
        said = bridge("doctor hall")
        assert "It lists 0 things." in said
        assert "ok The path exists: on.token.create." in said
        assert "-- Not tried, since only sending would show: on.token, on.removed, on.result." in said
        settings = read_targets(evening.folder)["hall"]
        told(evening, settings)
        evening.move("vex", "C3")
        told(evening, settings)
        token = next(token for token in names["TOKENS"].values() if token["ref"] == "vex")
        assert (token["x"], token["y"], token["hp"]) == (140, 140, 10)
        assert "No difference: all tokens are right." in bridge("diff hall")
        assert names["CHAT"][0] == "Session 1 begins."


class SaysWhatItTakes(BaseHTTPRequestHandler):
    """An API that answers OPTIONS, and counts what else it is asked."""

    TAKES: ClassVar = {"/tokens": "GET, POST", "/tokens/7": "GET, PUT, DELETE", "/chat": "POST"}

    def do_GET(self) -> None:
        self.answer(200, {"content-type": "application/json"}, b'[{"id": 7, "ref": "vex"}]')

    def do_OPTIONS(self) -> None:
        allowed = self.TAKES.get(self.path)
        self.answer(204 if allowed else 404, {"allow": allowed} if allowed else {})

    def answer(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


def test_a_wrong_path_or_method_is_told_where_the_api_says_what_it_takes(
    evening: Evening, bridge: Typed
) -> None:
    table = """create = true
[on.token]
request = "PATCH /tokens/{{ link.id }}"
body = { x = "{{ token.x }}" }
[on.token.create]
request = "POST /tokens"
id = "id"
[on.removed]
request = "DELETE /tokens/{{ link.id }}"
[on.result]
request = "POST /chats"
body = { text = "{{ result.text }}" }
[read]
request = "GET /tokens"
id = "id"
ours = "ref"
"""
    with running(ThreadingHTTPServer(("127.0.0.1", 0), SaysWhatItTakes)) as server:
        write_target(evening, table, f"http://127.0.0.1:{server.server_address[1]}")
        agree_to(evening.folder, "hall")
        said = bridge("doctor hall", 5)
    assert "!! It says that /tokens/7 takes GET, PUT, DELETE: on.token sends PATCH." in said
    assert "ok The path exists: on.token.create, on.removed." in said
    assert "-- Not tried, since only sending would show: on.result." in said
