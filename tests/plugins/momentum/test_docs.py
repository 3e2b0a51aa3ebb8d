"""docs/momentum.md says what happens: its evening is played, and comes out as it is written. So does the
demo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.plugin.testing import Contract

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "momentum.md"
EXAMPLE = ROOT / "plugins" / "strike_momentum" / "example"


def played() -> Iterator[tuple[str, list[str]]]:
    """The commands of the document's evening, in order, each with what it is said to say."""
    for block in re.findall(r"^```console\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *said = part.splitlines()
            yield command.removeprefix("strike "), said


@pytest.fixture
def example(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in the example campaign."""
    strike("new orchard --system momentum")
    monkeypatch.chdir(tmp_path / "orchard")
    return strike


def test_the_document_tells_what_happens(example: Strike) -> None:
    """WSH-01 to 20."""
    for command, said in played():
        assert [line for line in example(command, None).out.splitlines() if line] == said, command
    assert example.json("replay --verify")["data"]["differences"] == []


def test_it_has_every_command(example: Strike) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    commands = re.findall(r"^│ ([a-z][a-z-]*) ", example("momentum --help").out, re.MULTILINE)
    assert len(commands) > 30
    assert [command for command in commands if f"`momentum {command}" not in text] == []


def test_the_demo_ends(strike: Strike) -> None:
    """`strike demo --system momentum`: every command of its evening is played, and the fight is won."""
    lines = (EXAMPLE / "evening.strike").read_text(encoding="utf-8").splitlines()
    count = len([line for line in lines if line and not line.startswith("#")])
    assert strike.json("demo --system momentum --no-table --keep evening")["data"]["commands"] == count
    assert "The party has won" in strike("-C evening log --last 1").out
    assert all(finding["ok"] for finding in strike.json("-C evening doctor")["data"]["findings"])


def test_the_example_is_whole(example: Strike) -> None:
    """Every encounter begins, and random evenings in it keep the contract."""
    for encounter in ("gate", "dome"):
        example(f"momentum start {encounter}")
        example("momentum end")
    campaign = (EXAMPLE / "campaign.toml").read_text(encoding="utf-8")
    begin = [("momentum start", {"encounter": "dome"}), ("momentum initiative", {})]
    Contract("momentum", campaign=campaign, begin=begin).check(evenings=2)


def test_the_demo_has_a_table(strike: Strike) -> None:
    """With the table open, what it shows at the end is as the campaign has it."""
    data = strike.json("demo --system momentum")["data"]
    assert (data["tokens_equal"], data["tokens"]) == (True, 8)
