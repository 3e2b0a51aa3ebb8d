"""A long evening is told without keeping all of its entries. STRIKE_THOROUGH=1 tells one of thousands."""

from __future__ import annotations

import io
import json
import shutil
import sys
import tracemalloc
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from support.thorough import THOROUGH

from strike_cli.campaign.journal_entry_format import encode_entry
from strike_cli.campaign.state_file import StateHead, render_state
from strike_cli.cli import log
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.systems.campaign.commands.reports import output_formats

DATA = Path(__file__).parent.parent / "data"

ENTRIES, SIZE = (6000, 2000) if THOROUGH else (300, 10_000)
"""How many, and characters of a note, so that all of them are far more than what may be kept."""


@pytest.fixture(scope="module")
def long(_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of so many entries, made without playing them."""
    folder = tmp_path_factory.mktemp("mill")
    shutil.copy2(DATA / "campaign.toml", folder)
    head, lines, offset = StateHead(11), [], 0
    for number in range(1, ENTRIES + 1):
        facts: list[dict[str, Any]] = [
            {"kind": "note", "who": "", "text": f"Number {number}.", "changes": []}
        ]
        if number == 1:
            table = {"number": 1, "open": True, "started": "", "title": ""}
            facts[0] |= {"kind": "session-started", "changes": [["session", None, table]]}
        entry = {
            "seq": number,
            "at": "2026-01-31T20:15:00Z",
            "session": 1,
            "n": number - 1,
            "command": "note",
            "args": {"filling": "x" * SIZE},
            "answers": [],
            "facts": facts,
        }
        line = encode_entry(entry)
        head.include_entry(entry, ("0001.jsonl", offset), ("0001.jsonl", offset + len(line)))
        offset += len(line)
        lines.append(line)
    (folder / "journal").mkdir()
    (folder / "journal" / "0001.jsonl").write_bytes(b"".join(lines))
    (folder / "state.toml").write_bytes(render_state(head, {"session": table}))
    return folder


class Counting(io.TextIOBase):
    """Counts what is written to it and keeps the ends."""

    def __init__(self) -> None:
        self.count = 0
        self.first = ""
        self.last = ""

    def write(self, text: str) -> int:
        self.first = self.first or text[:200]
        self.last = (self.last + text)[-200:]
        self.count += text.count('"command"')
        return len(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    ["log --session 1", "log --session 1 --json", "log --session 1 --player", f"log --last {ENTRIES}",
     "session report 1", "session report 1 --player", "session report --all", "session story",
     "session list"],
)  # fmt: skip
def test_an_evening_is_told_in_a_part_of_its_size(
    words: str, long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not THOROUGH:  # a short evening, and as little kept of it
        monkeypatch.setattr(log, "MOST_IN_MEMORY", 50)
    assert output_formats  # a module is no evening
    run_command_line_or_complete(
        ["status", "-C", str(long), "--json"]
    )  # whatever is kept for good is kept by now
    out = Counting()
    tracemalloc.start()
    try:
        with redirect_stdout(out):
            assert run_command_line_or_complete([*words.split(), "-C", str(long)]) == 0
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < ENTRIES * SIZE / 2, f"{most / 2**20:.1f} MiB"
    if "--json" in words:
        assert out.count == ENTRIES + 1


@pytest.mark.slow
def test_a_streamed_log_is_one_object(long: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--session", "1"], ["--last", "3"]):
        capsys.readouterr()
        assert run_command_line_or_complete(["log", *words, "--json", "-C", str(long)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["ok"], found["command"], found["pending"]) == (True, "log", None)
        count = {"1": ENTRIES, "3": 3}[words[1]]
        assert len(found["data"]["entries"]) == count
    assert sys.stdout
