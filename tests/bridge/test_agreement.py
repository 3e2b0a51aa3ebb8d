"""A key goes to the address that it was entered for, and nothing goes to an address that nobody agreed to."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agreed import put_in_keys
from support.cases import case
from support.evening import Evening
from support.thorough import few_of

from strike_bridge import consent, worker_launcher
from strike_bridge.http_conversation import Answer, PreparedRequest, Request, Wire
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.terminal.commands_and_options import Options

from .helpers import Typed
from .rest_helpers import write_target
from .servers.base import Call, Reply, running
from .servers.inn import PASSWORD, Inn
from .servers.table import BadTable

Capsys = pytest.CaptureFixture[str]
AGREED, LIKELY = consent.is_agreed, worker_launcher.are_settings_as_agreed


@pytest.fixture(autouse=True)
def _nobody_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consent, "is_agreed", AGREED)
    monkeypatch.setattr(worker_launcher, "are_settings_as_agreed", LIKELY)
    monkeypatch.delenv("STRIKE_TABLE_KEY")


@pytest.fixture
def inn() -> Iterator[Inn]:
    with running(Inn()) as server:
        yield server


@pytest.fixture
def other() -> Iterator[Inn]:
    with running(Inn()) as server:
        yield server


@pytest.fixture
def without_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRIKE_INN_PASSWORD")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The targets that a command left a worker for."""
    found: list[str] = []
    monkeypatch.setattr(worker_launcher, "_start_worker", lambda folder, name: found.append(name))
    return found


def inn_at(url: str, more: str = "") -> str:
    return f'[bridge.targets.inn]\nkind = "inn"\nurl = "{url}"\n{more}'


@pytest.fixture
def bridge(evening: Evening, inn: Inn, capsys: Capsys) -> Typed:
    evening.set_targets(inn_at(inn.url, "create = true\n"))
    evening.start()
    return Typed(evening.folder, capsys)


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Somebody sits there, and answers so."""

    def sit(*answers: str) -> list[str]:
        left = list(answers)
        monkeypatch.setattr(Options, "interactive", True)
        monkeypatch.setattr("builtins.input", lambda question="": left.pop(0))
        return left

    return sit


def test_nothing_is_sent_before_somebody_agreed(bridge: Typed, inn: Inn) -> None:
    for line in ("push", "sync inn", "diff inn", "link --auto", "resend inn 1", "doctor"):
        said = bridge(line, 5)
        assert f"nobody at this machine agreed to {inn.url}" in said, line
        assert "`strike bridge allow inn`" in said
    assert "Not contacted." in bridge("doctor", 5)
    assert "nobody at this machine agreed" in bridge("status")
    assert not inn.calls
    said = bridge("allow inn", 5)
    assert inn.url in said and "the players' view" in said and "--yes" in said
    assert "is sent this campaign at" in bridge("allow inn --yes")
    assert "agreed to already" in bridge("allow inn")
    assert not inn.calls, "agreeing asks nobody"
    assert "delivered" in bridge("push")
    assert inn.tokens
    assert "It answers and accepts the key." in bridge("doctor", 5)


@pytest.mark.usefixtures("without_password")
def test_a_key_stays_with_the_address_that_it_was_put_in_for(
    bridge: Typed, inn: Inn, other: Inn, types: Callable[[str], None]
) -> None:
    bridge("allow inn --yes")
    types(f"{PASSWORD}\n")
    bridge("login inn")
    bridge("push")
    bridge.set_targets(inn_at(other.url))
    assert "nobody at this machine agreed" in bridge("push", 5)
    bridge("allow inn -y")  # without a look
    said = bridge("push", 5)
    assert f"was entered for {inn.url}, and is not sent to {other.url}" in said
    assert "`strike bridge login inn`" in said
    assert not other.calls
    for url in (inn.url.replace("127.0.0.1", "localhost"), inn.url.replace("http:", "https:")):
        before = len(inn.calls)
        bridge.set_targets(inn_at(url))
        bridge("allow inn -y")
        assert "is not sent to" in bridge("push", 5), "another host's name, another scheme"
        assert len(inn.calls) == before
    bridge.set_targets(inn_at(inn.url))
    assert "nobody at this machine" in bridge("push", 5), "the newest is what was agreed to"
    bridge("allow inn -y")
    bridge("push")


@pytest.mark.usefixtures("without_password")
def test_a_key_that_was_kept_without_its_address_is_bound_where_it_is_used_first(
    bridge: Typed, inn: Inn, other: Inn
) -> None:
    keys = f'# mine\n[targets.inn]\nkey = "{PASSWORD}"\nsession = "inn=0"\n'
    secrets = put_in_keys(bridge.folder, keys)
    assert "nobody at this machine" in bridge("push", 5)
    assert "address" not in secrets.read_text("utf-8")
    bridge("allow inn -y")
    bridge("push")
    assert "# mine" in secrets.read_text("utf-8")
    assert f'address = "{inn.url}"' in secrets.read_text("utf-8")
    bridge.set_targets(inn_at(other.url))
    bridge("allow inn -y")
    assert "was entered for" in bridge("push", 5)
    assert not other.calls


def test_a_session_stays_with_its_address_too(bridge: Typed, inn: Inn, other: Inn) -> None:
    bridge("allow inn -y")
    bridge("push")
    assert inn.sessions == 1
    bridge.set_targets(inn_at(other.url, "create = true\n"))
    bridge("allow inn -y")
    bridge("push", 5)  # our links lead to tokens of the first
    assert other.calls[0].path == "/login", "the other's cookie is not tried here"


def test_what_was_agreed_to_is_this_folders_this_target_and_what_was_shown(
    bridge: Typed, inn: Inn, tmp_path: Path, capsys: Capsys
) -> None:
    bridge("allow inn -y")
    bridge("push")
    copy = Typed(Path(shutil.copytree(bridge.folder, tmp_path / "copy")), capsys)
    assert "nobody at this machine" in copy("push", 5)
    tavern = inn_at(inn.url).replace("targets.inn", "targets.tavern")
    for changed in (inn_at(inn.url, 'audience = "gm"\n'), inn_at(f"{inn.url}/elsewhere"), tavern):
        bridge.set_targets(changed)
        assert "nobody at this machine" in bridge("push", 5)
    bridge.set_targets(inn_at(inn.url, 'create = true\nhp = "bar"\n'))
    bridge("push")
    kept = tmp_path / "state" / "strike" / "agreed.json"
    assert os.name == "nt" or stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert str(bridge.folder.resolve()) in kept.read_text("utf-8")
    assert "agreed" not in " ".join(path.name for path in bridge.folder.rglob("*"))


def test_a_terminal_asks_before_the_first_request_and_no_is_an_answer(
    bridge: Typed, inn: Inn, at_a_terminal: Callable[..., list[str]]
) -> None:
    left = at_a_terminal("", "n", "n", "y", "nothing more is asked")
    for line in ("push", "push", "allow inn"):
        bridge(line, 5)
    assert not inn.calls
    said = bridge("push")
    assert inn.url in said and "delivered" in said
    bridge("push")
    assert left == ["nothing more is asked"]


def test_a_command_leaves_no_worker_behind_to_whom_nobody_agreed(
    bridge: Typed, inn: Inn, other: Inn, capsys: Capsys, started: list[str]
) -> None:
    """A stranger's campaign with `auto = true`: from the first roll on."""
    bridge.set_targets(inn_at(inn.url, "auto = true\n"))
    for _ in range(2):
        assert run_command_line_or_complete(["-C", str(bridge.folder), "roll", "d6", "--json"]) == 0
        out, err = capsys.readouterr()
        json.loads(out)
        assert err == "inn receives nothing yet: `strike bridge allow inn` shows its address and asks.\n"
    assert not started
    bridge("allow inn -y")
    assert "receives" not in bridge.strike("roll d6")
    assert started == ["inn"]
    bridge.set_targets(inn_at(other.url, "auto = true\n"))
    assert "receives nothing yet" in bridge.strike("roll d6")


def test_what_was_not_asked_about_may_change_and_a_path_may_not(
    bridge: Typed, inn: Inn, started: list[str]
) -> None:
    """A command beside a target of TOML alone: its bodies are its own business."""
    for agreed, request, body in (
        (False, "PUT /turn", "{{ order.active }}"),
        (True, "PUT /turn", "{{ order.who.name if order.who }}"),
        (True, "PUT /turn", "{{ order.who.name if order.who }}"),
        (False, "PUT /turns", "{{ order.active }}"),
    ):
        table = f'[on.order]\nrequest = "{request}"\nbody = {{ who = "{body}" }}\n'
        write_target(bridge.folder, table, inn.url, "auto = true\n")
        started.clear()
        assert ("hall receives nothing yet" in bridge.strike("roll d6")) is not agreed
        assert started == ["hall"] * agreed
        bridge("allow hall -y")


def test_the_key_of_all_tables_stays_on_this_machine(
    bridge: Typed, bad_table: BadTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_TABLE_KEY", "the-key-of-my-table")
    bridge.set_targets('[bridge.targets.away]\nkind = "table"\nurl = "https://table.example"\n')
    bridge("allow away -y")
    assert "There is no key for away" in bridge("push", 5)
    bridge.set_targets(f'[bridge.targets.here]\nkind = "table"\nurl = "{bad_table.url}"\n')
    assert "nobody at this machine" in bridge("push", 5), "loopback is asked about, too"
    bridge("allow here -y")
    assert "401" in bridge("push", 5)


@pytest.mark.slow
def test_the_table_of_this_machine_asks_nothing_and_a_strangers_key_makes_it_ask(
    evening: Evening, tmp_path: Path
) -> None:
    """Real processes: `strike table`, and commands beside it with `auto = true`."""
    port = _free_port()
    table = f'[bridge.targets.table]\nkind = "table"\nurl = "http://127.0.0.1:{port}"\nauto = true\n'
    evening.set_targets(table)
    strike = [sys.executable, "-m", "strike_cli", "-C", str(evening.folder)]
    for key, agreed in (("", True), ("a-strangers-key", False)):
        if key:
            put_in_keys(evening.folder, f'[targets.table]\nkey = "{key}"\n')
        served = subprocess.Popen(
            [*strike, "table", "--no-follow", "--port", str(port)], stdout=subprocess.PIPE, text=True
        )
        try:
            assert served.stdout is not None
            assert "The table is at" in served.stdout.readline()
            rolled = subprocess.run([*strike, "roll", "d6"], capture_output=True, text=True, check=True)
            assert ("receives nothing yet" in rolled.stderr) is not agreed
            pushed = subprocess.run([*strike, "bridge", "push"], capture_output=True, text=True, check=False)
            assert (pushed.returncode, "nobody at this machine" in pushed.stderr) == (
                (0, False) if agreed else (5, True)
            )
        finally:
            served.terminate()
            served.wait(10)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


SECRET_URLS = (
    "/hook/s3cr3t-in-the-path", "/api/v1/s3cr3t-in-the-path", "/x?token=s3cr3t-in-the-query&page=2",
    "/s3cr3t",
)  # fmt: skip


SHOW_TARGETS = (
    "targets", "doctor", "push", "push --dry-run", "status", "review", "diff inn", "link --auto",
)  # fmt: skip


@pytest.mark.parametrize("path", few_of(SECRET_URLS, 2))
def test_a_key_inside_an_address_is_not_shown(bridge: Typed, path: str) -> None:
    """Not even where the server sends it back, and not where the address is none."""

    class Echoes(Inn):
        def refusal(self, call: Call) -> Reply:
            return Reply(403, {"error": f"no such place: {call.path}?{call.query}"})

    with running(Echoes()) as server:
        bridge.set_targets(inn_at(server.url + path))
        assert "s3cr3t" not in bridge("allow inn", 5) + bridge("allow inn --yes --json")
        assert server.url in bridge("targets")
        for line in SHOW_TARGETS:
            for form in ("", "--json"):
                assert "s3cr3t" not in bridge(f"{line} {form}", None), line
        assert server.calls
    for url in (f"http://inn.example{path}", f"ftp://inn.example{path}", f"inn.example{path}"):
        bridge.set_targets(inn_at(url))
        assert "s3cr3t" not in bridge("doctor", 5) + bridge("push", 5) + bridge("targets")


def test_no_path_leads_to_another_host(inn: Inn) -> None:
    for path in ("@127.0.0.1:1/", ".evil.example/", "//evil.example/x", "\\evil", ":1/x", "#x"):
        with case(path):
            wire = Wire(inn.url, lambda request, now: PreparedRequest(request.path, {}))
            with contextlib.closing(wire):
                assert isinstance(wire.send(Request("GET", path)), Answer)
            assert inn.calls.pop().headers["host"] == inn.url.removeprefix("http://")


def test_what_was_agreed_to_is_believed_from_this_user_alone(bridge: Typed, tmp_path: Path) -> None:
    bridge("allow inn -y")
    kept = tmp_path / "state" / "strike" / "agreed.json"
    if os.name == "posix":
        kept.chmod(0o666)
        assert "can be changed by others" in bridge("push", 5)
        kept.chmod(0o600)
    for forged in ("", "[]", '{"schema": 1, "agreed": 5, "made": []}', "[" * 100_000, '{"schema": 2}'):
        kept.write_text(forged, "utf-8")
        said = bridge("push", 5)
        assert re.search(r"agreed.json can't be read", said), said
        assert "rm " in said


def test_a_folder_is_opened_to_others_once_somebody_agreed(
    evening: Evening, tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the network, by a proxy, and to sites that its campaign.toml names."""
    opened: list[str] = []

    class Opened(Exception):
        pass

    def open_up(*_: object, **how: Any) -> object:
        opened.append(str(how["origins"]))
        raise Opened

    monkeypatch.setattr("strike_cli.systems.campaign.commands.table.running_table", open_up)
    monkeypatch.setattr("strike_cli.serve.serve_command.run_http_server_in_thread", open_up)

    def typed(folder: Path, line: str) -> str:
        before = len(opened)
        with contextlib.suppress(Opened):
            assert run_command_line_or_complete(["-C", str(folder), *line.split()]) == 5
        said = capsys.readouterr().err
        assert ("`--yes` opens it" in said) is (len(opened) == before)
        return said

    own, copy = evening.folder, tmp_path / "copy"
    assert typed(own, "table") == typed(own, "serve") == ""
    for line, to in (
        ("table --lan", "your network"),
        ("table --players", "your network"),
        ("table --public https://play.example", "pages of https://play.example"),
    ):
        assert f"was not opened to {to} from this computer" in typed(own, line)
    assert typed(own, "table --lan --yes") == typed(own, "table --players") == ""
    assert "play.example" in typed(own, "table --players --public https://play.example")
    evening.set_targets('[serve]\norigins = ["https://planted.example"]\n')
    for line in ("serve", "table", "table --lan"):
        assert "pages of https://planted.example" in typed(own, line)
    assert typed(own, "serve --yes") == typed(own, "table --lan") == typed(own, "table") == ""
    shutil.copytree(own, copy)
    for line in ("serve", "table", "table --lan"):
        assert "https://planted.example" in typed(copy, line)
