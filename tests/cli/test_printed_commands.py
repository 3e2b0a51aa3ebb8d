"""A line that is printed to be copied works where it is copied to, whatever strike was called by."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.command_prefix import AS_STRIKE, OWN_PROMPT, CommandPrefix, command_prefix_of_process
from strike_cli.terminal.invocation import AT_TERMINAL

STRIKE = Path(sys.executable).with_name("strike")


BESIDE = CommandPrefix(["venv/strike"])


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program `strike` in a folder that is on no path, typed by its place."""
    program = tmp_path / "venv" / "strike"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return program


def test_it_is_called_as_it_was_typed(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert BESIDE.program_words_without_campaign() == "venv/strike" and BESIDE.program_words_without_campaign(
        elsewhere=True
    ) == str(beside)
    assert (
        BESIDE.adapt_prose("Type `strike new x`; strike says so.")
        == "Type `venv/strike new x`; strike says so."
    )
    assert AS_STRIKE.program_words_without_campaign() == "strike"
    monkeypatch.setenv("PATH", f"/nowhere:{beside.parent}")
    assert (
        BESIDE.program_words_without_campaign()
        == BESIDE.program_words_without_campaign(elsewhere=True)
        == "strike"
    )


def test_a_module_is_called_as_it_was_typed() -> None:
    argv = ["/lib/strike_cli/__main__.py", "-C", "road", "status"]
    typed = command_prefix_of_process(
        argv, [".venv/bin/python", "-X", "utf8", "-m", "strike_cli", *argv[1:]], "road"
    )
    assert typed.adapt_line_if_command("strike next") == ".venv/bin/python -X utf8 -m strike_cli -C road next"
    assert typed.program_words_without_campaign(elsewhere=True).startswith(
        f"{Path.cwd()}/.venv/bin/python -X"
    )


def test_the_campaign_that_was_given_is_given_again() -> None:
    said = "`strike status` shows it, `strike new DIR` makes one; `attack` takes no more words."
    assert CommandPrefix(["strike"], "my road").adapt_prose(said) == (
        "`strike -C 'my road' status` shows it, `strike new DIR` makes one; `attack` takes no more words."
    )


def test_at_a_prompt_of_its_own_there_is_no_program_before_a_command() -> None:
    said = "`strike status` shows it, `strike shell` is left, `attack` takes no more words."
    assert OWN_PROMPT.adapt_line_if_command("strike undo 2") == "undo 2"
    assert (
        OWN_PROMPT.adapt_prose(said)
        == "`status` shows it, `strike shell` is left, `attack` takes no more words."
    )


def test_another_strike_on_the_path_is_not_this_one(
    beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "bin" / "strike"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert BESIDE.program_words_without_campaign() == "venv/strike"


def test_what_people_read_has_it_and_what_programs_read_has_not(beside: Path, in_campaign: Strike) -> None:
    in_campaign.invocation = AT_TERMINAL._replace(command_form=BESIDE)
    assert "`venv/strike content list" not in in_campaign("status --json").out
    assert "venv/strike session start" in in_campaign("status").out
    assert "`venv/strike help` lists them" in in_campaign("flibber", 2).err
    assert in_campaign.json("flibber", 2)["error"]["hint"] == "`strike help` lists them."
    assert in_campaign("help").out.startswith("venv/strike COMMAND ...")
    assert in_campaign("help").out.count("venv/") == 1


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
    for typed in ("venv/strike", f"{sys.executable} -m strike_cli"):
        assert f": {typed} -C evening combat show\n" in bash(f"{typed} -C evening status")
        bash(f"{typed} -C evening combat show")
    *_, go, status = bash("venv/strike new mine").splitlines()
    bash(f"{go.removeprefix('Next: ').split(',')[0]} && {status}")
