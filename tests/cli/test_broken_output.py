"""Who can't be told: a full disk behind stdout, a closed one. What was recorded is said by the code."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.edits import replace_in
from support.thorough import few_of, some_of

from strike_cli.campaign import file_access

pytestmark = pytest.mark.skipif(os.name == "nt" or not Path("/dev/full").exists(), reason="needs /dev/full")

STRIKE = f"{sys.executable} -m strike_cli"


def _run(folder: Path, words: str, where: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONWARNINGS": "default"}
    env.pop("PYTHONUNBUFFERED", None)  # what is kept to be written later fails later
    script = ["sh", "-c", f"{STRIKE} {words} -C '{folder}' {where}"]
    done = subprocess.run(script, env=env, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    return done


def _recorded(folder: Path) -> int:
    file = folder / "journal" / "0001.jsonl"
    return len(file.read_text().splitlines()) if file.exists() else 0


EITHER = ["> /dev/full", ">&-"]


@pytest.mark.parametrize(("where", "more"), few_of(some_of(product(EITHER, ["", "--json"])), 2))
def test_what_was_recorded_is_said_by_the_exit_code(where: str, more: str, folder: Path) -> None:
    done = _run(folder, f"roll die {more}", where)
    assert done.returncode == 0, done.stderr
    assert "Recorded as #1" in done.stderr
    assert "stdout" in done.stderr
    assert _recorded(folder) == 1


LOOKING = ["status", "status --json", "log", "roll die --dry-run", "doctor"]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "words"), some_of(product(EITHER, LOOKING)))
def test_what_only_looks_fails(where: str, words: str, folder: Path) -> None:
    done = _run(folder, words, where)
    assert done.returncode == 3, done.stderr
    assert "stdout" in done.stderr
    assert _recorded(folder) == 0


@pytest.mark.slow
def test_a_pending_decision_is_told_by_its_code(folder: Path) -> None:
    words = "roll skill vex Hauling --dice 6"
    done = _run(folder, words, "> /dev/full")
    assert done.returncode == 6, done.stderr


@pytest.mark.parametrize(
    ("where", "more"), few_of(some_of(product(EITHER, ["", "--json"]), first=1, every=2), 2)
)
def test_a_refusal_keeps_its_code_and_is_said_on_stderr(where: str, more: str, folder: Path) -> None:
    done = _run(folder, f"ap give nobody {more}", where)
    assert done.returncode == 2
    assert "nobody" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", some_of(["2> /dev/full", "2>&-", "2>&- >&-", "<&-", "<&- >&- 2>&-"], every=2)
)
def test_whatever_is_closed_the_code_is_right(where: str, folder: Path) -> None:
    for count, (words, code) in enumerate([("roll die", 0), ("ap give nobody", 2)], 1):
        done = _run(folder, words, where)
        assert done.returncode == code, done
        assert _recorded(folder) == 1, count
    for line in (folder / "journal" / "0001.jsonl").read_text().splitlines():
        json.loads(line)  # nothing that was said got into it


@pytest.mark.parametrize("words", some_of(["--help", "--version", "roll --help"]))
def test_helps_that_nobody_can_read_end_without_a_traceback(words: str, folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{STRIKE} {words} > /dev/full"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_script_is_played_to_its_end(folder: Path) -> None:
    (folder / "prep.strike").write_text("roll die\nroll die\nroll die\n")
    done = _run(folder, f"batch '{folder}/prep.strike'", "> /dev/full")
    assert _recorded(folder) == 3
    assert "Recorded as #1" in done.stderr


@pytest.mark.slow
def test_a_bot_whose_turn_can_not_be_told_says_what_was_recorded(in_campaign: Strike, folder: Path) -> None:
    in_campaign("combat start yard --party vex --party brann")
    in_campaign("combat initiative")
    before = _recorded(folder)
    done = _run(folder, "combat auto --fight", "> /dev/full")
    assert _recorded(folder) > before + 1
    assert f"Recorded as #{before + 1} to #{_recorded(folder)}" in done.stderr


def test_a_bot_whose_turn_is_cut_short_says_what_was_recorded(
    in_campaign: Strike, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_campaign("combat start yard --party vex --party brann")
    in_campaign("combat initiative")
    before, append, left = _recorded(folder), file_access.append_at, [3]

    def full(*args: Any, **more: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        append(*args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(file_access, "append_at", full)
        said = in_campaign.json("combat auto --fight", 3)
    assert _recorded(folder) == before + 3
    assert f"#{before + 1} to #{before + 3} was recorded" in said["error"]["hint"]
    assert "`strike undo 3`" in said["error"]["hint"]


@pytest.mark.slow
def test_text_that_the_terminal_s_encoding_has_not_is_told_all_the_same(folder: Path) -> None:
    replace_in(folder / "campaign.toml", 'name = "', "name = \"Zoë's 🗡")
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for more in ("", "--json"):
        words = [*STRIKE.split(), "status", "-C", str(folder), *more.split()]
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert "Zo" in done.stdout
