"""What may be asked from outside: one list, held by whoever runs a command for somebody outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from serve.conftest import Served
from support.cases import case
from support.cli import Strike

from strike_cli import registry
from strike_cli.cli.app import command_words, verbs_of
from strike_cli.problems import Problem
from strike_cli.registry.outside import BY_HAND, NEVER, NEVER_OPTIONS, Asker, allowed, commands
from strike_cli.terminal.options import Command

NEVER_ASKED = (
    *(
        "batch -",
        "shell",
        "play",
        "watch",
        "table",
        "serve",
        "mcp",
        "tour",
        "demo",
        "new there",
        "bridge push",
    ),
    *("bridge targets", "plugin list", "players list", "import x", "export", "map import x.dd2vtt"),
    *("map export x.uvtt", "map show x", "schema json", "content check x.toml", "content new power Bolt"),
    *("doctor --mend", "doctor --upgrade", "doctor --debug", "again {}", "creature add Rat", "sim play 1"),
    *("status -C /tmp", "status --campaign=/tmp", "-C /tmp status", "-C/tmp status", "--version", "--help"),
    *(
        "--install-completion",
        "status -C/tmp",
        "session report --out x",
        "session story --out=x",
        "card --out x",
    ),
    *(
        "sim run ford --on tcp://h:1",
        "sim run ford --workers 2",
        "sim run ford --svg x",
        "sim run ford --html x",
    ),
    *("odds skill --skilled --svg x", "odds grit save --svg=x", "encounter rate ford --on tcp://h:1"),
    *("roll die --dice ask", "roll skill vex Climbing --dice=ask", "do-nothing", "conf --mend"),
)
"""What nobody outside may ask for, or no command at all."""


def test_every_command_that_may_be_asked_for_is_one_and_names_no_file() -> None:
    for name, may in commands().items():
        found, words = command_words(name.split())
        command = getattr(found.callback, "__wrapped__", None)
        assert " ".join(words) == name and isinstance(command, Command), name
        for each in found.params:
            if "FILE" in (each.metavar or "") or "DIR" in (each.metavar or ""):
                assert set(each.opts) & set(NEVER_OPTIONS), f"{name} {each.opts}"
        if may == "read":
            assert "dice" not in command.common and "note" not in command.common, name


def test_what_is_never_asked_for_can_not_be_declared() -> None:
    for never in NEVER:
        group, _, verb = never.partition(" ")
        verbs = [verb] if verb else ["", *(verbs_of(group) if group in registry.groups() else ())]
        assert not any(allowed(f"{group} {each}".strip()) for each in verbs)
    for by_hand in BY_HAND:
        assert [bool(allowed(by_hand, asker)) for asker in Asker] == [True, False, False]


def test_serve_refuses_it_and_nothing_happens(asked_in: Served) -> None:
    for line in NEVER_ASKED:
        with case(line):
            before = files_of(asked_in.folder)
            answer = asked_in.post(*line.split())
            assert answer["exit"] == 2 and not answer["ok"], answer
            unknown = line.split()[0] in ("do-nothing", "conf")
            assert answer["error"]["code"] == ("usage" if unknown else "not-from-outside"), answer
            assert files_of(asked_in.folder) == before


@pytest.mark.parametrize(
    "line", [*NEVER_ASKED, "override characters.vex.ap 9 --why x", "accept 1", "decline 1"]
)
def test_a_forged_proposal_of_it_is_not_played(
    campaign: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    from strike_cli.phones import sheet

    monkeypatch.setattr(sheet, "still_open", lambda campaign, proposal: True)  # as if the other guard failed
    forge(campaign, line.split())
    state = (campaign / "state.toml").read_bytes() if (campaign / "state.toml").exists() else b""
    try:
        refused = strike(f"-C {campaign} accept 1 --json", None)
    except (Problem, SystemExit):
        return
    if line != "--help":
        assert refused.code == 2, refused.out
    assert (campaign / "state.toml").read_bytes() == state if state else True
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
