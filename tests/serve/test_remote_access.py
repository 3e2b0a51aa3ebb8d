"""What may be asked from outside: one list, held by whoever runs a command for somebody outside."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer
from serve.conftest import Served
from support.cases import case
from support.cli import Strike
from support.thorough import some_of
from table.conftest import KEY
from table.conftest import Asker as Asking

import strike_cli
from strike_cli import registry
from strike_cli.cli.app import root_command
from strike_cli.command_line_splitting import quote_word_if_needed
from strike_cli.phones import player_page_data
from strike_cli.phones.links import get_or_make_link_secrets
from strike_cli.phones.player_page_data import PhoneSnapshot
from strike_cli.phones.players_api import PlayersAccess
from strike_cli.problems import Problem
from strike_cli.registry import remote_permissions
from strike_cli.registry.remote_permissions import (
    GM_ONLY,
    NEVER_REMOTE,
    RemoteSender,
    allowed_remote_use,
    remote_commands,
)
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole
from strike_cli.serve.hosted_game import CommandRequest, HostedGame
from strike_cli.serve.mcp_tools import Assistant, Tools
from strike_cli.session.command_catalogue import commands_in_group, find_command_and_name_in_line
from strike_cli.terminal.commands_and_options import Command
from strike_cli.terminal.screen.campaign_view import audience_view_for_players
from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience
from strike_table.gm_commands import HEADER
from strike_table.player_pages import RateLimit
from strike_table.table_store import TableStore

NEVER_ASKED = (
    *("batch -", "shell", "play", "watch", "table", "serve", "mcp", "tour", "demo", "new there"),
    *(
        "bridge push",
        "bridge targets",
        "plugin list",
        "players list",
        "import x",
        "export",
        "map import x.dd2vtt",
    ),
    *("map export x.uvtt", "map show x", "schema json", "content check x.toml", "content new power Bolt"),
    *("doctor --mend", "doctor --upgrade", "doctor --debug", "again {}", "creature add Rat", "sim play 1"),
    *("status -C /tmp", "status --campaign=/tmp", "-C /tmp status", "-C/tmp status", "--version", "--help"),
    *("--install-completion", "status -C/tmp", "session report --out x", "session story --out=x"),
    *("story --html=x", "card --out x", "sim run ford --on tcp://h:1", "sim run ford --workers 2"),
    *("sim run ford --svg x", "sim run ford --html x"),
    *("status --help", "scene use -h", "help odds --help"),
    *("odds skill --skilled --svg x", "odds grit save --svg=x", "encounter rate ford --on tcp://h:1"),
    *("roll die --dice ask", "roll skill vex Climbing --dice=ask", "do-nothing", "conf --mend"),
)
"""What nobody outside may ask for, or no command at all."""


def test_every_command_that_may_be_asked_for_is_one_and_names_no_file() -> None:
    for name, may in remote_commands().items():
        found, words = find_command_and_name_in_line(name.split())
        command = getattr(found.callback, "__wrapped__", None)
        assert " ".join(words) == name and isinstance(command, Command), name
        for each in found.params:
            if getattr(each.metavar, "place", "") or "://" in (each.metavar or ""):
                assert each.name in command.parameters_refused_outside, f"{name} {each.opts}"
        if may == "read":
            assert "dice" not in command.common and "note" not in command.common, name


@pytest.mark.slow
def test_every_command_is_let_in_by_every_door_or_by_none(
    campaign: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each without its words, or with an option that there is not: where it is let in, that is what is
    wrong."""
    names = some_of(every_command(), every=4)
    lines = [wrong_line(name) for name in names]
    for name, codes in zip(names, codes_at_doors(campaign, strike, monkeypatch, lines), strict=True):
        askers = (RemoteSender.SERVE, RemoteSender.MCP, RemoteSender.PROPOSAL)
        serve, mcp, proposal = (bool(allowed_remote_use(name, asker)) for asker in askers)
        assert [code != "not-from-outside" for code in codes] == [serve, mcp, mcp, proposal], (name, codes)


@pytest.mark.slow
def test_an_option_that_names_a_file_is_let_in_by_no_door(
    campaign: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = some_of(lines_with_forbidden_options(), every=30)
    for line, codes in zip(lines, codes_at_doors(campaign, strike, monkeypatch, lines), strict=True):
        serve, play, look, proposal = codes
        assert {serve, proposal} == {"not-from-outside"} <= {play, look}, line  # one tool plays, one reads


def codes_at_doors(
    folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch, lines: Sequence[tuple[str, ...]]
) -> Iterator[list[str]]:
    """With which codes serve, mcp's `play` and `look`, and `accept` of a forged proposal refuse each line;
    none of them changes anything. The box says what serve says, and a phone takes none."""
    without_other_guard(monkeypatch)
    with (
        TableDoors(folder) as table,
        HostedGame(folder, RemoteSender.SERVE).run_in_thread() as serve,
        HostedGame(folder, RemoteSender.MCP).run_in_thread() as mcp,
    ):
        tools = Tools(mcp, Assistant())
        for line in lines:
            error = serve.play_request(CommandRequest(line)).result()["error"]
            typed = " ".join(map(quote_word_if_needed, line))
            table.box_refuses(typed, error)
            table.phone_takes_nothing_of(typed)
            told = [refusal_of(tool(typed)) for tool in (tools.play, tools.look)]
            forge(folder, [*line])
            by_proposal = strike(f"-C {folder} accept 1 --json", None).json["error"]["code"]
            yield [error["code"], *told, by_proposal]
    assert not list((folder / "journal").glob("*.jsonl"))


def without_other_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if whoever looks whether a proposal is still possible failed."""
    monkeypatch.setattr(
        player_page_data, "is_proposal_offered_or_by_assistant", lambda campaign, proposal: True
    )


def refusal_of(said: str) -> str:
    assert said.startswith("Refused"), said
    return "not-from-outside" if "from outside" in said else "another"


class TableDoors:
    """The doors of a table: the box of the game master's page, and the page of Vex's player."""

    def __init__(self, folder: Path) -> None:
        file = folder / "campaign.toml"
        file.write_text(file.read_text(encoding="utf-8") + '\n[table]\nanswers = "on"\n', encoding="utf-8")
        self._desk = GameMasterConsole(folder)
        phones = PlayersAccess(folder, KEY)
        self._ask = Asking(TableStore(folder / "bridge" / "table"), gm_commands=self._desk, players=phones)
        self._page = f"/acts?watch={watch_token(KEY, LinkAudience.GM)}"
        self._token = self._ask("GET", self._page, key=None).json()["token"]
        self._link = get_or_make_link_secrets(folder, ["vex"])["vex"]
        self._position = self._phone("GET").json()["position"]

    def __enter__(self) -> TableDoors:
        return self

    def __exit__(self, *_: object) -> None:
        self._desk.close()

    def box_refuses(self, line: str, error: Mapping[str, str]) -> None:
        """The box says what serve's envelope says."""
        headers = {HEADER: self._token}
        came = self._ask("POST", self._page, key=None, headers=headers, json={"line": line})
        refused = {"ok": False, "text": f"{error['message']} {error['hint']}".strip()}
        assert (came.status_code, came.json()) == (200, refused), came.text

    def phone_takes_nothing_of(self, line: str) -> None:
        """A phone sends what it was offered, and no words: a line is not an attribute of it was."""
        asked = {"offer": line, "position": self._position, "decision": line, "option": line, "words": line}
        for path, code in (("/proposals", "not_offered"), ("/answers", "gone")):
            came = self._phone("POST", path, json=asked)
            assert (came.status_code, came.json()["error"]["code"]) == (409, code), came.text

    def _phone(self, method: str, path: str = "", **request: Any) -> Any:
        return self._ask(method, f"/api/v1/own{path}", key=self._link, **request)


@pytest.fixture(autouse=True)
def phones_that_send_a_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nothing of theirs is looked at after the twentieth."""
    monkeypatch.setattr(RateLimit, "use_try", lambda bucket: True)


def every_command() -> list[str]:
    """The whole name of each that there is."""

    def below(found: Any, name: str) -> Iterator[str]:
        inner = getattr(found, "commands", None)
        if inner is None:
            yield name
        for each in [] if inner is None else found.list_commands(root):
            yield from below(found.get_command(root, each), f"{name} {each}".strip())

    root = typer.Context(root_command())  # type: ignore[arg-type]
    return [*below(root.command, "")]


def wrong_line(name: str) -> tuple[str, ...]:
    """A command as it is refused by whoever plays it."""
    command, words = find_command_and_name_in_line(name.split())
    return (*words, *([] if any(each.required for each in command.params) else ["--no-such-option"]))


def lines_with_forbidden_options() -> list[tuple[str, ...]]:
    """What may be asked for, as each help's example has it, with each option that nobody may give."""
    found = []
    for name in remote_commands():
        command, _ = find_command_and_name_in_line(name.split())
        example = re.search(r"Example: `strike (.*?)`", command.help or "", re.DOTALL)
        typed = shlex.split(example[1]) if example else []
        if " ".join(typed[: len(name.split())]) != name or "--help" in typed:
            needed = [each for each in command.params if each.required]
            typed = [*name.split(), *("x" for each in needed)]
        for each in command.params:
            if each.name in command.callback.__wrapped__.parameters_refused_outside:
                value = [] if each.is_flag else ["1"]
                found += [(*typed, option, *value) for option in each.opts]
    return sorted(found)


def test_a_phone_offers_nothing_that_may_not_be_asked_for(
    campaign: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in ("combat start ford", "combat initiative --dice 6,5,4,3,2,2,2,2,2,2", "combat turn"):
        strike(f"-C {campaign} {line}")

    def offered() -> set[str]:
        with strike_cli.Campaign(campaign) as now:
            snapshot = PhoneSnapshot(now.book, audience_view_for_players(now))
            offers = [*snapshot.move_offers("vex").values(), *snapshot.roll_offers("vex").values()]
        return {" ".join(offer.words[:2]) for offer in offers}

    before = offered()
    assert "combat attack" in before
    assert {allowed_remote_use(name, RemoteSender.PROPOSAL) for name in before} == {"played"}
    kept = {name: may for name, may in remote_commands().items() if name != "combat attack"}
    monkeypatch.setattr(remote_permissions, "remote_commands", lambda: kept)
    assert offered() == before - {"combat attack"}


def test_what_is_never_asked_for_can_not_be_declared() -> None:
    for never in NEVER_REMOTE:
        group, _, verb = never.partition(" ")
        inner = commands_in_group(group) if group in registry.command_apps_by_group() else ()
        verbs = [verb] if verb else ["", *inner]
        assert not any(allowed_remote_use(f"{group} {each}".strip()) for each in verbs)
    for by_hand in GM_ONLY:
        assert [bool(allowed_remote_use(by_hand, asker)) for asker in RemoteSender] == [True, False, False]


def test_serve_refuses_it_and_nothing_happens(asked_in: Served) -> None:
    for line in NEVER_ASKED:
        with case(line):
            before = files_of(asked_in.folder)
            answer = asked_in.post(*line.split())
            assert answer["exit"] == 2 and not answer["ok"], answer
            unknown = line.split()[0] in ("do-nothing", "conf")
            assert answer["error"]["code"] == ("usage" if unknown else "not-from-outside"), answer
            assert files_of(asked_in.folder) == before


def test_a_forged_proposal_of_it_is_not_played(
    campaign: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_other_guard(monkeypatch)
    for line in (*NEVER_ASKED, "override characters.vex.ap 9 --why x", "accept 1", "decline 1"):
        with case(line):
            forge(campaign, line.split())
            with suppress(Problem, SystemExit):
                refused = strike(f"-C {campaign} accept 1 --json", None)
                assert line == "--help" or refused.code == 2, refused.out
            assert not (campaign / "state.toml").exists()
            assert not list((campaign / "journal").glob("*.jsonl"))


def test_a_forged_proposal_of_nothing_that_its_player_may_do_is_refused(
    campaign: Path, strike: Strike
) -> None:
    forge(campaign, ["undo"])
    assert "can't do that now" in strike(f"-C {campaign} accept 1 --json", 1).json["error"]["message"]


def files_of(folder: Path) -> dict[Path, int]:
    """What is kept in a folder, with its dates; not the lock, which whoever asks may take."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name != ".lock"}


def forge(folder: Path, words: list[str], **more: Any) -> None:
    """A proposal that no phone has made."""
    one = {"id": 1, "who": "vex", "words": words, "text": "a wish", "faces": [], "answers": "", **more}
    (folder / "bridge").mkdir(exist_ok=True)
    (folder / "bridge" / "proposals.json").write_text(
        json.dumps({"waiting": [one], "ended": [], "last": 1}), encoding="utf-8"
    )


@pytest.mark.slow
def test_the_box_and_phones_refuse_it_and_nothing_happens(campaign: Path, asked_in: Served) -> None:
    with TableDoors(campaign) as doors:
        before = files_of(campaign)
        for line in NEVER_ASKED:
            with case(line):
                doors.box_refuses(line, asked_in.post(*line.split())["error"])
                doors.phone_takes_nothing_of(line)
        assert files_of(campaign) == before


def test_what_goes_with_a_command_is_for_those_that_take_it(door: Served) -> None:
    for words, more in (
        (["status"], {"note": "x"}),
        (["undo"], {"dry_run": True}),
        (["combat", "rally", "vex", "--dice", "5"], {"dice": [5]}),
        (["condition", "list"], {"secret": True}),
    ):
        answer = door.post(*words, **more)
        assert answer["error"]["code"] == "usage", answer
    assert door.recorded == []


def test_the_game_masters_own_hand_reaches_through_serve(door: Served) -> None:
    assert door.post("override", "characters.vex.ap", "3", "--why", "forgotten")["ok"]
    assert door.post("decline")["error"]["code"] == "refused"


def test_an_option_is_forbidden_by_what_it_means_and_not_by_its_name() -> None:
    """`sim run --on` names another machine; `momentum cinematic --on` says who a success comes to."""
    for name, forbidden in (("sim run", True), ("momentum cinematic", False)):
        command, _ = find_command_and_name_in_line(name.split())
        (on,) = [each for each in command.params if "--on" in each.opts]
        assert (on.name in command.callback.__wrapped__.parameters_refused_outside) is forbidden
