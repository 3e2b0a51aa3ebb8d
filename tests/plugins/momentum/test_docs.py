"""docs/momentum.md has every command, and the demo plays to its end. What the page shows is held
by tests/cli/test_documents.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike
from support.documents import SystemPage

from strike_cli.content.book import open_book
from strike_cli.plugin.testing import Contract

PAGE = SystemPage("momentum")


@pytest.fixture
def example(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in the example campaign."""
    strike("new example --system momentum")
    monkeypatch.chdir(tmp_path / "example")
    return strike


def test_it_has_every_command(example: Strike) -> None:
    PAGE.check_commands(example)


@pytest.mark.slow
def test_the_demo_ends(strike: Strike) -> None:
    PAGE.check_demo(strike, "The party has won")


@pytest.mark.slow
def test_the_example_is_whole(example: Strike) -> None:
    """Every encounter begins, and random evenings in it keep the contract."""
    for encounter in open_book(Path.cwd()).encounters:
        example(f"momentum start {encounter}")
        example("momentum end")
    begin = [("momentum start", {"encounter": "dome"}), ("momentum initiative", {})]
    Contract("momentum", campaign=PAGE.campaign, begin=begin).check(evenings=2)


@pytest.mark.slow
def test_the_demo_has_a_table(strike: Strike) -> None:
    """With the table open, what it shows at the end is as the campaign has it."""
    data = strike.json("demo --system momentum")["data"]
    assert (data["tokens_equal"], data["tokens"]) == (True, 8)
