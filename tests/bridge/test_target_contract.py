"""What a target may count on: procedures, links, options, presets, and that nothing is sent by looking."""

from __future__ import annotations

import gzip
import sys
import types
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.cases import case
from support.evening import Evening

from strike_bridge import http_conversation, targets
from strike_bridge.address import Origin
from strike_bridge.http_conversation import PLANNED, Answer, Conversation, PreparedRequest, Request, converse
from strike_bridge.journal_results import Post
from strike_bridge.request_outcome import APPLIED, Outcome, OutcomeKind
from strike_bridge.settings import Settings, settings_from_unchecked_table
from strike_bridge.state_projection import project_state
from strike_bridge.target_contract import check_target_kind
from strike_bridge.targets.base import Option, Supports, Target
from strike_bridge.worker import Worker
from strike_cli.bridge_target_schema import TargetTable
from strike_cli.problems import CampaignProblem
from strike_cli.validation import OneOf, Record
from strike_cli.validation_schemas_from_types import form_of

from .helpers import wired
from .servers.base import Call, Handler, Reply, Server, running
from .test_projection import combatant, fight


def answer(body: str, status: int = 200) -> Answer:
    return Answer(status, {}, body.encode())


def asks_first() -> Conversation:
    found = yield Request("GET", "/tokens")
    if found.value(0, "id") is None:
        made = yield Request("POST", "/tokens", {"name": "Vex"}, creates="vex")
        yield Request("PUT", f"/tokens/{made.value('token', 'id')}", {"x": 1})
    else:
        yield Request("PUT", f"/tokens/{found.value(0, 'id')}", {"x": 1})
    return None if found.status == 200 else Outcome(OutcomeKind.REJECTED, "not mine")


@pytest.mark.parametrize(
    ("answers", "paths"),
    [
        (['[{"id": "t7"}]', "{}"], ["GET /tokens", "PUT /tokens/t7"]),
        (["[]", '{"token": {"id": 5}}', "{}"], ["GET /tokens", "POST /tokens", "PUT /tokens/5"]),
    ],
)
def test_a_procedure_asks_before_it_writes(answers: list[str], paths: list[str]) -> None:
    sent: list[str] = []

    def send(request: Request) -> Answer:
        sent.append(request.words())
        return answer(answers[len(sent) - 1])

    assert converse(asks_first(), send) is APPLIED
    assert sent == paths


def test_a_procedure_stops_where_a_request_does_and_may_judge_for_itself() -> None:
    stop = Outcome(OutcomeKind.UNKNOWN, "it answered 500")
    sent: list[str] = []

    def fails(request: Request) -> Outcome:
        sent.append(request.words())
        return stop

    assert converse(asks_first(), fails) is stop
    assert converse([Request("PUT", "/a"), Request("PUT", "/b")], fails) is stop
    assert sent == ["GET /tokens", "PUT /a"]
    assert converse(asks_first(), lambda _: answer("[]", 400)) == Outcome(OutcomeKind.REJECTED, "not mine")


def test_a_plan_shows_placeholders_for_what_an_answer_would_bring() -> None:
    shown: list[str] = []

    def note(request: Request) -> Answer:
        shown.append(request.words())
        return PLANNED

    converse(asks_first(), note)
    assert shown == ["GET /tokens", "PUT /tokens/<0.id>"]


class Inn(Target):
    """A kind for these tests."""

    OPTIONS: ClassVar = {
        "world": Option(str, "", "Which world."),
        "pace": Option(str, "slow", "", ("slow", "fast")),
    }


def inn(**table: Any) -> Inn:
    return Inn(settings_from_unchecked_table("inn", {"kind": "inn", "url": "http://127.0.0.1:1", **table}))


def test_options_are_the_kinds_own_and_checked() -> None:
    assert inn().options == {"world": "", "pace": "slow"}
    assert inn(options={"world": "w"}).options["world"] == "w"
    for options, words in (
        ({"wrold": "w"}, "options.wrold: .*'world'"),
        ({"world": 3}, "options.world: "),
        ({"pace": "brisk"}, "options.pace: 'brisk' is not one of 'slow'"),
    ):
        with pytest.raises(CampaignProblem, match=words):
            inn(options=options)
    with pytest.raises(CampaignProblem, match="preset: no preset 'x'"):
        inn(preset="x")


def test_a_status_is_mapped_by_id_or_name() -> None:
    target = inn(statuses={"prone": "fallen", "core:marked": "target", "Burning 2": "fire", "dazed": ""})
    assert target.status_word("core:prone", "Prone") == "fallen"
    assert target.status_word("core:marked", "Marked") == "target"
    assert target.status_word("x:burning", "Burning 2") == "fire"
    assert target.status_word("core:dazed", "Dazed") == ""
    assert target.status_word("core:blind", "Blind") is None


def test_players_are_the_audience_unless_it_is_said_well() -> None:
    assert not inn().for_gm
    assert inn(audience="gm").for_gm
    assert not inn(audience="GM!").for_gm
    assert settings_from_unchecked_table("inn", {"hp": "exakt"}).hp == "none"


def test_enemies_hp_is_told_as_the_game_master_set() -> None:
    state = fight(orc=combatant("Orc", hp=3, max_hp=8), vex=combatant("Vex", hp=3, max_hp=8, side="party"))
    for shown, hp, looks in [
        ("exact", {"value": 3, "max": 8}, "bloodied"),
        ("bar", {"value": 2, "max": 4}, "bloodied"),
        ("wounds", None, "bloodied"),
        ("none", None, None),
    ]:
        with case(shown, hp, looks):
            tokens = project_state(state, hp=shown).tokens
            assert (tokens["orc"]["hp"], tokens["orc"]["wounds"]) == (hp, looks)
            assert "gm_hp" not in tokens["orc"]
            assert tokens["vex"]["hp"] == {"value": 3, "max": 8}
            if shown != "exact":
                for_gm = project_state(state, gm=True, hp=shown).tokens["orc"]
                assert for_gm["gm_hp"] == {"value": 3, "max": 8}


def test_a_bar_is_never_empty_while_somebody_is_up() -> None:
    for hp, parts, looks in ((8, 4, "unhurt"), (7, 4, "hurt"), (4, 2, "bloodied"), (1, 1, "bloodied"),
                               (0, 0, "down"), (-3, 0, "down"),
    ):  # fmt: skip
        with case(hp, parts, looks):
            token = project_state(fight(orc=combatant("Orc", hp=hp, max_hp=8)), hp="bar").tokens["orc"]
            assert (token["hp"]["value"], token["wounds"]) == (parts, looks)


def test_settings_are_kept_as_they_were_before_for_who_names_few() -> None:
    assert settings_from_unchecked_table("t", {"kind": "table"}) == Settings("t", "table")


def test_what_goes_out_may_differ_from_what_is_shown() -> None:
    class Secretive(Inn):
        def prepare(self, request: Request, now: float) -> PreparedRequest:
            prepared = super().prepare(request, now)
            return PreparedRequest(
                f"/{self.key}", {**prepared.headers, "stamp": str(int(now))}, prepared.content
            )

    with running(Hears()) as server:
        target = Secretive(Settings("inn", "inn", server.url), "a-secret-place")
        request = Request("POST", "/***", {"a": 1})
        with wired(target) as wire:
            assert isinstance(wire.send(request), Answer)
        call = server.calls[0]
        assert (call.path, call.body, "stamp" in call.headers) == ("/a-secret-place", {"a": 1}, True)
        assert request.words() == "POST /***"


def test_an_answer_is_read_that_is_packed_and_whose_headers_shout() -> None:
    def packed(handler: Handler) -> None:
        body = gzip.compress(b'{"id": "vex"}')
        handler.send_response(200)
        headers = {"CONTENT-ENCODING": "gzip", "CONTENT-LENGTH": str(len(body)), "X-Is": "Ours"}
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    with running(Hears()) as server:
        server.faults = [packed]
        target = Inn(Settings("inn", "inn", server.url))
        with wired(target) as wire:
            came = wire.send(Request("POST", "/tokens", {}))
        assert isinstance(came, Answer)
        assert came.value("id") == "vex"
        assert (came.headers["x-is"], came.headers["content-encoding"]) == ("Ours", "gzip")


def test_what_a_target_remembers_outlives_the_worker(evening: Evening) -> None:
    class Counts(Inn):
        supports = Supports(chat=True)

        def send_result(self, post: Post) -> list[Request]:
            self.memory["sent"] = str(int(self.memory.get("sent", "0")) + 1)
            return [Request("POST", f"/{self.memory['sent']}")]

    with running(Hears()) as server:
        for face in (2, 5):
            evening.roll(face)
            Worker(evening.folder, Counts(Settings("inn", "inn", server.url))).deliver_queue()
        assert [call.path for call in server.calls] == ["/1", "/2"]


class Hears(Server):
    """Takes anything."""

    def respond(self, call: Call) -> Reply:
        return Reply(204)


def test_the_environments_proxy_is_used_but_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "proxy.example.org:8080")
    monkeypatch.setenv("no_proxy", "example.net")
    for host, proxy in [
        ("vtt.example.org", "http://proxy.example.org:8080"),
        ("inside.example.net", None),
        ("127.0.0.1", None),
        ("localhost", None),
    ]:
        with case(host, proxy):
            assert http_conversation.proxy_for(Origin("https", host, 443)) == proxy


def test_the_example_of_the_page_about_python_holds_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "targets" / "python.md").read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    module = types.ModuleType("inn_of_the_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    lines = ["from __future__ import annotations", "from typing import ClassVar"]
    head = "\n".join([*lines, "from strike_bridge.targets.base import *", ""])
    exec(head + code, vars(module))
    monkeypatch.setitem(targets.KINDS, "inn-of-the-page", f"{module.__name__}:InnTarget")
    assert [finding.what for finding in check_target_kind("inn-of-the-page") if not finding.well] == []


def test_settings_know_every_key_and_choice_of_a_targets_table() -> None:
    common = form_of(TargetTable)
    assert isinstance(common, Record)
    for key, (kind, default) in common.fields.items():
        unsaid = getattr(settings_from_unchecked_table("inn", {"kind": "inn"}), key)
        assert default in (unsaid, None, ...), key
        for choice in kind.values if isinstance(kind, OneOf) else ():
            assert (
                getattr(settings_from_unchecked_table("inn", {"kind": "inn", key: choice}), key) == choice
            ), key
