"""Two tables on one campaign: one of them serves it, and says so; what it acknowledged is never lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.evening import Evening

from strike_bridge.credential_store import ensure_table_key
from strike_table.folder_lock import FILE_NAME, FolderInUse, hold_folder_lock

from .conftest import result


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STRIKE_TABLE_KEY", raising=False)
    return Evening(tmp_path / "ferry")


@pytest.fixture
def tables(evening: Evening) -> Iterator[list[subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for each in started:
        each.kill()
        each.communicate(timeout=60)


def serve(folder: Path, started: list[subprocess.Popen[str]]) -> str:
    """A process of its own; gives its first line."""
    command = [sys.executable, "-m", "strike_cli", "-C", str(folder), "table", "--no-follow", "--port", "0"]
    table = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started.append(table)
    assert table.stdout is not None
    return table.stdout.readline()


def post(url: str, key: str, result: dict[str, object]) -> int:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    asked = urllib.request.Request(f"{url}/api/v1/results", json.dumps(result).encode(), headers)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return int(answer.status)


@pytest.mark.slow
def test_a_second_table_says_who_has_the_first_and_nothing_is_lost(
    evening: Evening, tables: list[subprocess.Popen[str]]
) -> None:
    url = serve(evening.folder, tables).split()[4]
    key = ensure_table_key(evening.folder, "table")
    assert post(url, key, result(1)) in (200, 201)
    assert serve(evening.folder, tables) == ""
    _, err = tables[1].communicate(timeout=60)
    assert tables[1].returncode == 5
    assert f"already served at {url} by process {tables[0].pid}" in err
    assert f"Open {url}" in err
    assert post(url, key, result(2)) in (200, 201)
    tables[0].send_signal(signal.SIGKILL)
    tables[0].wait(10)
    again = serve(evening.folder, tables).split()[4]
    asked = urllib.request.Request(f"{again}/api/v1/state", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert [each["id"] for each in json.load(answer)["results"]] == ["1", "2"]


def test_the_file_may_say_anything(tmp_path: Path) -> None:
    for text in (b"", b"{}", b"[" * 4000, b'{"url": 5, "pid": []}', b"\xff"):
        with hold_folder_lock(tmp_path) as note:
            note("http://127.0.0.1:1")
            (tmp_path / FILE_NAME).write_bytes(text)
            with pytest.raises(FolderInUse) as taken, hold_folder_lock(tmp_path):
                pass
            assert (taken.value.url, taken.value.pid) == ("", 0)
    with hold_folder_lock(tmp_path) as note:
        note("http://127.0.0.1:1")
        with pytest.raises(FolderInUse) as taken, hold_folder_lock(tmp_path):
            pass
        assert (taken.value.url, taken.value.pid) == ("http://127.0.0.1:1", os.getpid())
