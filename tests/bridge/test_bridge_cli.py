"""`strike bridge`, as it is typed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.agreed import agree_to
from support.evening import Evening

from strike_bridge.settings import Settings
from strike_cli.cli.app import run_command_line_or_complete

from .servers.base import answers
from .servers.table import KEY, BadTable


class Typed:
    """Types `strike bridge ...` in the evening's folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, line: str, code: int = 0) -> str:
        ended = run_command_line_or_complete(["-C", str(self.folder), "bridge", *line.split()])
        out, err = self.capsys.readouterr()
        assert ended == code, f"`{line}` ended with {ended}:\n{out}{err}"
        assert KEY not in out + err
        return out + err

    def json(self, line: str, code: int = 0) -> dict[str, object]:
        found: dict[str, object] = json.loads(self(f"{line} --json", code))
        return found


@pytest.fixture
def bridge(evening: Evening, bad_table: BadTable, capsys: pytest.CaptureFixture[str]) -> Typed:
    file = evening.folder / "campaign.toml"
    text = file.read_text(encoding="utf-8").replace("http://127.0.0.1:4747", bad_table.url)
    file.write_text(text, encoding="utf-8")
    return Typed(evening.folder, capsys)


def test_push_says_what_was_told(bridge: Typed, fight: Evening, bad_table: BadTable) -> None:
    assert "table: delivered 4 tokens and 2 results." in bridge("push")
    assert "table: up to date." in bridge("push tab")
    fight.roll(3)
    assert bridge.json("push")["data"] == {
        "targets": [
            {
                "target": "table", "delivered": 1, "tokens": 0, "results": 1, "lag": 0, "error": None,
                "next_attempt": None, "review": 0, "busy": False,
                "off": False,
            }
        ]
    }  # fmt: skip


@pytest.mark.slow
def test_a_table_that_is_away_is_exit_code_5_with_the_next_attempt(
    bridge: Typed, fight: Evening, bad_table: BadTable
) -> None:
    bad_table.shutdown()
    bad_table.server_close()
    said = bridge("push", 5)
    assert "table: it could not be reached (connection refused). 2 entries wait. Next attempt at" in said
    envelope = bridge.json("push", 5)
    assert envelope["ok"] is False
    error = envelope["error"]
    assert isinstance(error, dict)
    assert error["code"] == "bridge"
    (row,) = bridge.json("status")["data"]["targets"]  # type: ignore[index]
    assert (row["lag"], row["acknowledged"], row["running"]) == (2, 0, False)
    assert row["last_error"].startswith("it could not be reached")
    assert row["next_attempt"].endswith("Z")
    assert "connection refused" in bridge("status")


def test_a_dry_run_shows_requests_without_keys_and_sends_none(
    bridge: Typed, fight: Evening, bad_table: BadTable
) -> None:
    shown = bridge("push --dry-run")
    assert f"PUT {bad_table.url}/api/v1/tokens/vex" in shown
    assert "authorization: Bearer ***" in shown
    requests = bridge.json("push --dry-run")["data"]["requests"]["table"]  # type: ignore[index]
    assert [request["method"] for request in requests] == ["DELETE", *["PUT"] * 6, *["POST"] * 2]
    assert bad_table.seen == []
    assert not (fight.folder / "bridge").exists()


def test_targets_are_listed_with_what_they_show(bridge: Typed, bad_table: BadTable) -> None:
    (row,) = bridge.json("targets")["data"]["targets"]  # type: ignore[index]
    assert row == {
        "target": "table",
        "kind": "table",
        "error": None,
        "url": bad_table.url,
        "auto": False,
        "units": "squares",
        "supports": [
            "hidden",
            "hp",
            "statuses",
            "turn_order",
            "chat",
            "marks",
            "images",
            "doors",
            "zones",
            "read_back",
            "read_results",
            "idempotent",
            "boardless",
            "beside",
            "asked",
            "exhibits",
            "any_order",
        ],
    }
    assert "turn order" in bridge("targets")
    # One that is set up wrongly doesn't keep the others from being listed.
    file = bridge.folder / "campaign.toml"
    more = '[bridge.targets.far]\nkind = "webhook"\nurl = "http://example.com"\n'
    file.write_text(file.read_text(encoding="utf-8") + more, encoding="utf-8")
    told = bridge("targets")
    assert "plain http to another machine" in " ".join(told.split())
    assert "turn order" in told


def test_sync_and_diff(bridge: Typed, fight: Evening, bad_table: BadTable) -> None:
    bridge("push")
    assert "No difference" in bridge("diff")
    bad_table.tokens["vex"]["hp"] = {"value": 1, "max": 10}
    (row,) = bridge.json("diff table")["data"]["drift"]  # type: ignore[index]
    assert (row["target"], row["id"], row["field"], row["theirs"]["value"]) == ("table", "vex", "hp", 1)
    assert "sync" in bridge("diff")
    assert "delivered 4 tokens" in bridge("sync")
    assert "No difference" in bridge("diff")


def test_diff_passes_over_who_cannot_tell_and_names_who_does_not_answer(
    bridge: Typed, fight: Evening, bad_table: BadTable, nobody: Settings
) -> None:
    bridge("push")
    file = fight.folder / "campaign.toml"
    more = f'[bridge.targets.log]\nkind = "webhook"\nurl = "{nobody.url}"\n'
    before = file.read_text(encoding="utf-8")
    file.write_text(before[: before.index("[bridge.")] + more, encoding="utf-8")
    assert "Nothing was compared" in bridge("diff", 5)
    file.write_text(before + more, encoding="utf-8")
    said = bridge("diff")
    assert "No difference" in said
    assert "Not compared, since they can't be asked: log." in said
    assert "log can't be asked for its tokens." in bridge("diff log", 5)
    more = f'[bridge.targets.away]\nkind = "table"\nurl = "{nobody.url}"\n'
    file.write_text(file.read_text(encoding="utf-8") + more, encoding="utf-8")
    bad_table.tokens["vex"]["hp"] = {"value": 1, "max": 10}
    said = bridge("diff", 5)
    assert "away: it could not be reached" in said
    assert '{"value": 1, "max": 10}' in said, "what the others show is told all the same"


def test_review_resend_and_drop(bridge: Typed, evening: Evening, bad_table: BadTable) -> None:
    assert "nothing to review" in bridge("review")
    for face in (1, 2):
        evening.roll(face)
    bridge("push --dry-run")
    bad_table.faults = [answers(200), answers(422), answers(422)]
    assert "2 to review" in bridge("push")
    assert "it answered 422" in bridge("review")
    assert [item["id"] for item in bridge.json("review")["data"]["review"]] == ["1", "2"]  # type: ignore[index]
    bridge("resend table 1")
    bridge("drop table 2")
    bridge("drop table 2", 2)
    assert "nothing to review" in bridge("review")
    assert [result["id"] for result in bad_table.results] == ["1"]


def test_wrong_names_and_no_targets(bridge: Typed, evening: Evening) -> None:
    assert "no target 'tabel'" in bridge("push tabel", 2)
    file = evening.folder / "campaign.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('kind = "table"', 'kind = "tabel"'), encoding="utf-8")
    assert "Did you mean 'table'?" in " ".join(bridge("targets").split())
    file.write_text(text.partition("[bridge")[0], encoding="utf-8")
    assert "[bridge.targets.table]" in bridge("push", 2)


@pytest.mark.slow
def test_run_follows_until_it_is_interrupted(bridge: Typed, fight: Evening, bad_table: BadTable) -> None:
    agree_to(fight.folder)
    process = subprocess.Popen(
        [sys.executable, "-m", "strike_cli", "-C", str(fight.folder), "bridge", "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while len(bad_table.results) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        fight.roll(2)
        while len(bad_table.results) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert len(bad_table.results) == 3
    assert process.returncode == 0
    assert "Following the game for table." in said
    assert "what is left waits" in said
