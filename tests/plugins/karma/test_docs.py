"""docs/karma.md is true: its evening comes out as it is written. So does the demo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.plugin.testing import Contract

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "karma.md"
EXAMPLE = ROOT / "plugins" / "strike_karma" / "example"


def played() -> Iterator[tuple[str, list[str]]]:
    """The commands of the document's evening, in order, each with what it is said to say."""
    for block in re.findall(r"^```console\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *said = part.splitlines()
            yield command.removeprefix("strike "), said


@pytest.fixture
def example(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in the example campaign."""
    monkeypatch.chdir(tmp_path)
    strike("new water --system karma")
    monkeypatch.chdir(tmp_path / "water")
    return strike


def test_the_document_tells_what_happens(example: Strike) -> None:
    """CIN-01 to 11: `...` in it leaves lines out."""
    for command, said in played():
        ran = example(command, None)
        out = [*ran.out.splitlines(), *ran.err.splitlines()]
        if "..." in said:
            at = said.index("...")
            assert out[:at] == said[:at], command
            out, said = out[len(out) - len(said[at + 1 :]) :], said[at + 1 :]
        assert out == said, command
    assert example.json("replay --verify")["data"]["differences"] == []


def test_it_has_every_command(example: Strike) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for command in re.findall(r"^│ ([a-z]+) ", example("karma --help").out, re.MULTILINE):
        assert f"`karma {command}" in text, command


def test_the_demo_ends(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`strike demo --system karma`: every command of its evening is played, to the end of the fight."""
    monkeypatch.chdir(tmp_path)
    lines = (EXAMPLE / "evening.strike").read_text(encoding="utf-8").splitlines()
    count = len([line for line in lines if line and not line.startswith("#")])
    assert strike.json("demo --system karma --no-table --keep evening")["data"]["commands"] == count
    assert "the chest is theirs" in strike("-C evening log --last 1").out
    assert all(finding["ok"] for finding in strike.json("-C evening doctor")["data"]["findings"])


def test_the_example_is_whole(example: Strike) -> None:
    """Every encounter begins, and random evenings in it keep the contract."""
    for encounter in ("wreck", "sluice"):
        example(f"karma start {encounter} --first ana")
        example("karma end")
    campaign = (EXAMPLE / "campaign.toml").read_text(encoding="utf-8")
    begin = [("karma start", {"encounter": "sluice", "first_group": "enemies"})]
    Contract("karma", campaign=campaign, begin=begin).check(evenings=2)


def test_the_model_of_a_roll_that_a_plugin_brings() -> None:
    """CIN-11: the handler in the document is one."""
    from strike_karma.standard_roll import Method

    (source,) = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(source, names)
    method = Method(*names["odd_dice"]())  # type: ignore[operator]
    assert method.combine(method.of_die(face, 6, 5) for face in (1, 2, 3)) == 2
