"""docs/karma.md has every command, and the demo of the system plays to its end. What the page shows is held
by tests/cli/test_documents.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.cli import Strike
from support.documents import SystemPage

from strike_cli.content.book import open_book
from strike_cli.plugin.testing import Contract

PAGE = SystemPage("karma")


@pytest.fixture
def example(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Strike:
    """The command line in the example campaign."""
    strike("new example --system karma")
    monkeypatch.chdir(tmp_path / "example")
    return strike


def test_it_has_every_command(example: Strike) -> None:
    PAGE.check_commands(example)


@pytest.mark.slow
def test_the_demo_ends(strike: Strike) -> None:
    PAGE.check_demo(strike, "the chest is theirs")


@pytest.mark.slow
def test_the_example_is_whole(example: Strike) -> None:
    """Every encounter begins, and random evenings in it keep the contract."""
    for encounter in open_book(Path.cwd()).encounters:
        example(f"karma start {encounter} --first ana")
        example("karma end")
    begin = [("karma start", {"encounter": "sluice", "first_group": "enemies"})]
    Contract("karma", campaign=PAGE.campaign, begin=begin).check(evenings=2)


def test_the_model_of_a_roll_that_a_plugin_brings() -> None:
    """CIN-11: the handler in the document is one."""
    from strike_karma.standard_roll import Method

    (source,) = re.findall(r"^```python\n(.*?)^```", PAGE.text, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(source, names)
    method = Method(*names["odd_dice"]())  # type: ignore[operator]
    assert method.combine(method.of_die(face, 6, 5) for face in (1, 2, 3)) == 2
