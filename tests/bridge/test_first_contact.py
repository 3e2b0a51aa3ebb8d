"""`strike bridge connect`: from an address to a first line said, each step asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.evening import Evening

from strike_bridge import consent
from strike_bridge.settings import read_targets
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.terminal.commands_and_options import Options

from .servers.base import Call, Reply, Server, running
from .servers.table import BadTable


class Hall(Server):
    """An API that nobody has heard of."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def respond(self, call: Call) -> Reply:
        if call.headers.get("authorization") != "Bearer k3y":
            return Reply(401, {"error": "who is there?"})
        if call.path == "/api/chat":
            self.said.append(call.body["text"])
            return Reply(201, {"data": {"id": 7}, "lines": []})
        return Reply(404, {"error": "no such thing"})


Typed = Callable[..., str]


@pytest.fixture
def connect(evening: Evening, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    monkeypatch.setattr(consent, "is_agreed", lambda *_: False)
    monkeypatch.setattr(Options, "interactive", property(lambda self: True))
    monkeypatch.setenv("STRIKE_REST_KEY", "k3y")

    def typed(url: str, *answers: str, code: int = 0) -> str:
        left = list(answers)
        monkeypatch.setattr("builtins.input", lambda question="": left.pop(0) if left else "")
        assert run_command_line_or_complete(["-C", str(evening.folder), "bridge", "connect", url]) == code
        assert left == [], "all was asked"
        said = capsys.readouterr()
        return said.out + said.err

    return typed


def test_nothing_is_sent_before_somebody_agrees(connect: Typed, evening: Evening) -> None:
    before = (evening.folder / "campaign.toml").read_text()
    with running(Hall()) as hall:
        assert "Nothing was sent" in connect(f"{hall.url}/api", "n", code=5)
        assert hall.calls == []
        connect(f"{hall.url}/api", "y", "", "hall", "n", code=5)
        assert {call.method for call in hall.calls} == {"GET"}
        assert not any("authorization" in call.headers for call in hall.calls)
    assert (evening.folder / "campaign.toml").read_text() == before


def test_an_api_of_nobodys_is_told_a_line(
    connect: Typed, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(Hall()) as hall:
        said = connect(f"{hall.url}/api", "y", "", "hall", "y", "n", code=5)
        assert "POST /chat" in said
        assert "Change [bridge.targets.hall]" in said
        assert hall.said == []
        monkeypatch.setattr(consent, "is_agreed", lambda *_: True)
        before = (evening.folder / "campaign.toml").read_text()
        monkeypatch.setenv("STRIKE_REST_KEY", "another")
        assert "strike bridge login hall" in connect("hall", "n", "y", code=5)
        monkeypatch.setenv("STRIKE_REST_KEY", "k3y")
        said = connect("hall", "n", "y")
        assert hall.said == ["strike is connected."]
        assert "It answered 201" in said
        assert 'perhaps id = "data.id"' in said
        assert 'perhaps list = "lines"' in said
        assert (evening.folder / "campaign.toml").read_text() == before
        assert read_targets(evening.folder)["hall"].url == f"{hall.url}/api"


def test_a_name_that_is_taken_is_refused(connect: Typed) -> None:
    with running(BadTable()) as table:
        assert "it exists already" in connect(table.url, "y", "table", "table", code=2)
