"""`strike bridge`, as it is typed."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from support.agreed import agree_to
from support.evening import Evening

from strike_bridge.settings import Settings

from .helpers import Typed, until
from .servers.base import answers
from .servers.table import BadTable


def test_push_says_what_was_told(bridge: Typed, fight: Evening, bad_table: BadTable) -> None:
    assert "table: delivered 4 tokens and 2 results." in bridge("push")
    assert "table: up to date." in bridge("push tab")
    fight.roll(3)
    (target,) = bridge.json("push")["data"]["targets"]
    assert target == {
        "target": "table", "delivered": 1, "tokens": 0, "results": 1, "lag": 0, "error": None,
        "next_attempt": None, "review": 0, "busy": False, "off": False,
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
    assert (envelope["ok"], envelope["error"]["code"]) == (False, "bridge")
    (row,) = bridge.json("status")["data"]["targets"]
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
    requests = bridge.json("push --dry-run")["data"]["requests"]["table"]
    assert [request["method"] for request in requests] == ["DELETE", *["PUT"] * 6, *["POST"] * 2]
    assert bad_table.seen == []
    assert not (fight.folder / "bridge").exists()


def test_targets_are_listed_with_what_they_show(bridge: Typed, bad_table: BadTable) -> None:
    (row,) = bridge.json("targets")["data"]["targets"]
    supports = (
        "hidden hp statuses turn_order chat marks images doors zones read_back read_results idempotent "
        "boardless beside asked exhibits any_order"
    )
    assert row == {
        "target": "table", "kind": "table", "error": None, "url": bad_table.url, "auto": False,
        "units": "squares", "supports": supports.split(),
    }  # fmt: skip
    assert "turn order" in bridge("targets")
    # One that is set up wrongly doesn't keep the others from being listed.
    add_target(bridge, 'far]\nkind = "webhook"\nurl = "http://example.com"\n')
    told = bridge("targets")
    assert "plain http to another machine" in " ".join(told.split())
    assert "turn order" in told


def add_target(bridge: Typed, text: str) -> None:
    """Write one more target into campaign.toml."""
    with (bridge.folder / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write(f"[bridge.targets.{text}")


def test_sync_and_diff(bridge: Typed, fight: Evening, bad_table: BadTable) -> None:
    bridge("push")
    assert "No difference" in bridge("diff")
    bad_table.tokens["vex"]["hp"] = {"value": 1, "max": 10}
    (row,) = bridge.json("diff table")["data"]["drift"]
    assert (row["target"], row["id"], row["field"], row["theirs"]["value"]) == ("table", "vex", "hp", 1)
    assert "sync" in bridge("diff")
    assert "delivered 4 tokens" in bridge("sync")
    assert "No difference" in bridge("diff")


def test_diff_passes_over_who_cannot_tell_and_names_who_does_not_answer(
    bridge: Typed, fight: Evening, bad_table: BadTable, nobody: Settings
) -> None:
    bridge("push")
    log = f'log]\nkind = "webhook"\nurl = "{nobody.url}"\n'
    before = (fight.folder / "campaign.toml").read_text("utf-8").partition("[bridge.targets.")[2]
    fight.set_targets(f"[bridge.targets.{log}")
    assert "Nothing was compared" in bridge("diff", 5)
    fight.set_targets(f"[bridge.targets.{before}")
    add_target(bridge, log)
    said = bridge("diff")
    assert "No difference" in said
    assert "Not compared, since they can't be asked: log." in said
    assert "log can't be asked for its tokens." in bridge("diff log", 5)
    add_target(bridge, f'away]\nkind = "table"\nurl = "{nobody.url}"\n')
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
    assert [item["id"] for item in bridge.json("review")["data"]["review"]] == ["1", "2"]
    bridge("resend table 1")
    bridge("drop table 2")
    bridge("drop table 2", 2)
    assert "nothing to review" in bridge("review")
    assert [result["id"] for result in bad_table.results] == ["1"]


def test_wrong_names_and_no_targets(bridge: Typed, evening: Evening) -> None:
    assert "no target 'tabel'" in bridge("push tabel", 2)
    evening.edit('kind = "table"', 'kind = "tabel"')
    assert "Did you mean 'table'?" in " ".join(bridge("targets").split())
    evening.set_targets("")
    assert "[bridge.targets.table]" in bridge("push", 2)


@pytest.mark.slow
def test_run_follows_until_it_is_interrupted(bridge: Typed, fight: Evening, bad_table: BadTable) -> None:
    agree_to(fight.folder)
    command = [sys.executable, "-m", "strike_cli", "-C", str(fight.folder), "bridge", "run"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        until(lambda: len(bad_table.results) == 2)
        fight.roll(2)
        until(lambda: len(bad_table.results) == 3)
    finally:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Following the game for table." in said
    assert "what is left waits" in said
