"""`strike bridge test KIND`: every kind that comes with strike keeps the contract, and of one that doesn't it
says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.cases import case

from strike_bridge import target_contract, targets
from strike_bridge.http_conversation import Conversation
from strike_bridge.targets import KINDS
from strike_bridge.targets.base import Answer, Outcome, Request, Requests, Supports, Target, Wire
from strike_cli.cli.app import run_command_line_or_complete

OURS = tuple(KINDS)
"""What comes with strike: tests have others besides."""


@pytest.mark.slow
def test_every_kind_keeps_the_contract() -> None:
    for kind in OURS:
        with case(kind):
            assert [
                finding.what for finding in target_contract.check_target_kind(kind) if not finding.well
            ] == []


class Careless(Target):
    """It does all that one shouldn't."""

    supports = Supports(links=True, create=True, find=True, chat=True)
    default_url = "http://127.0.0.1:3000"
    key_variable = "STRIKE_CARELESS_KEY"

    def put_token(self, token: dict[str, Any], before: dict[str, Any] | None) -> Conversation:
        found = yield Request("GET", f"/tokens?name={token['name']}")
        theirs = found.json()["tokens"][0]["id"]
        lost = before["hp"]["value"] - token["hp"]["value"] if before else 0
        yield Request("POST", f"/tokens/{theirs}/damage?key={self.key}", {"less": lost})

    def remove_token(self, id: str) -> list[Request]:
        return [Request("DELETE", f"/tokens/{self.links[id]}")]

    def find_tokens(self, wire: Wire) -> Any:
        answer = self.send_question(wire, Request("GET", "/tokens"))
        return answer if isinstance(answer, Outcome) else answer.json()["tokens"]

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        outcome = super().outcome(request, answer, now)
        return Outcome(target_contract.OutcomeKind.APPLIED) if answer.status == 429 else outcome

    def send_result(self, post: Any) -> Requests:
        while True:
            yield Request("GET", f"/chat?key={self.key}", absolute=False)


def test_what_is_wrong_is_told_with_what_mends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(targets.KINDS, "careless", f"{__name__}:Careless")
    assert run_command_line_or_complete(["bridge", "test", "careless", "--json"]) == 5
    found = json.loads(capsys.readouterr().out)["data"]["findings"]
    bad = " ".join(each["what"] for each in found if not each["ok"])
    for words in (
        "put_token, a new one: TypeError", "it asked 200 times", "429 is applied to it",
        "shows the key", "is not a path", "remove_token sends DELETE", "find_tokens: ",
    ):  # fmt: skip
        assert words in bad, words
    assert all(each["hint"] for each in found if not each["ok"])


class Inn(Target):
    """Wakes who is asleep there."""

    supports = Supports(links=True)
    default_url = "http://127.0.0.1:3000"

    def put_token(self, token: dict[str, Any], before: dict[str, Any] | None) -> Conversation:
        answer = yield Request("PUT", f"/tokens/{self.links[token['id']]}", {"hp": token["hp"]})
        if answer.value("state") == "asleep":
            yield Request("POST", "/wake")
        return None


RECORDED = """
[[exchange]]
request = "PUT /tokens/theirs-1"
body = { state = "asleep" }

[[exchange]]
request = "POST /wake"
status = 204
"""


def test_a_recorded_server_answers_by_data(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(targets.KINDS, "inn", f"{__name__}:Inn")
    file = tmp_path / "inn.toml"
    file.write_text(RECORDED)
    assert run_command_line_or_complete(["bridge", "test", "inn", str(file)]) == 0
    assert "covers an evening" in capsys.readouterr().out
    file.write_text(RECORDED.partition('[[exchange]]\nrequest = "POST')[0])
    assert run_command_line_or_complete(["bridge", "test", "inn", str(file)]) == 5
    assert "POST /wake is not in the recording" in capsys.readouterr().out
    file.write_text("[[exchange]]\nstatus = 200\n")
    assert run_command_line_or_complete(["bridge", "test", "inn", str(file)]) == 2
    assert run_command_line_or_complete(["bridge", "test", "nothing"]) != 0
