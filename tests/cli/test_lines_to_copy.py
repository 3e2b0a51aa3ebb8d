"""A line that is printed to be copied works where it is copied to, whatever strike was called by."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli import called

STRIKE = Path(sys.executable).with_name("strike")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program `strike` in a folder that is on no path, typed by its place."""
    program = tmp_path / "venv" / "strike"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(called, "typed", [])
    called.typed[:] = ["venv/strike"]
    return program


def test_it_is_called_as_it_was_typed(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert called.program() == "venv/strike" and called.program(elsewhere=True) == str(beside)
    assert called.prose("Type `strike new x`; strike says so.") == "Type `venv/strike new x`; strike says so."
    with called.own_prompt():
        assert called.program() == "strike"
    monkeypatch.setenv("PATH", f"/nowhere:{beside.parent}")
    assert called.program() == called.program(elsewhere=True) == "strike"


def test_another_strike_on_the_path_is_not_this_one(
    beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "bin" / "strike"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert called.program() == "venv/strike"


def test_what_people_read_has_it_and_what_programs_read_has_not(beside: Path, in_campaign: Strike) -> None:
    assert "`venv/strike content list" not in in_campaign("status --json").out
    assert "venv/strike session start" in in_campaign("status").out
    assert "`venv/strike --help` lists them" in in_campaign("flibber", 2).err
    assert in_campaign.json("flibber", 2)["error"]["hint"] == "`strike --help` lists them."
    assert "venv/" not in in_campaign("help").out


@pytest.mark.slow
def test_the_lines_that_a_demo_ends_with_and_a_campaign_begins_with(tmp_path: Path) -> None:
    """Typed in a bash that has no strike on its path."""

    def bash(line: str) -> str:
        ran = subprocess.run(
            ["bash", "--norc", "-c", line],
            cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    (tmp_path / "venv").symlink_to(STRIKE.parent)
    told = bash("venv/strike demo --no-table --keep evening")
    lines = [line.strip() for line in told.splitlines() if line.startswith("  venv/strike -C evening")]
    assert len(lines) == 3
    for line in lines:
        bash(line)
    *_, go, status = bash("venv/strike new mine").splitlines()
    bash(f"{go.removeprefix('Next: ').split(',')[0]} && {status}")
